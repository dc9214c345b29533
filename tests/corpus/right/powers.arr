-- Real exponents, how they bind, and their derivatives.

def power (x y : real) : real := x ^ y
-- prints power : fun (x y : real) => x ^ y
-- near power {"x": 2, "y": 0.5} = 1.4142135623730951
-- near power {"x": 10, "y": -0.3} = 0.5011872336272722
-- near power {"x": -2, "y": 3} = -8.0
-- near power {"x": -2, "y": -2} = 0.25
-- eval power {"x": -2, "y": 0.5} = "NaN"
-- eval power {"x": 0, "y": 0} = 1.0
-- eval power {"x": "NaN", "y": 0} = 1.0
-- eval power {"x": 1, "y": "NaN"} = 1.0
-- eval power {"x": 0, "y": -1} = "inf"
-- eval power {"x": 3, "y": 1} = 3.0
def by_base (x y : real) : real := deriv (fun x => x ^ y) x
-- near by_base {"x": 1.5, "y": 2.5} = 4.592793267718459
-- near by_base {"x": -2, "y": 3} = 12.0
-- eval by_base {"x": 0, "y": 0} = 0.0
-- eval by_base {"x": 0, "y": 1} = 1.0
-- eval by_base {"x": 0, "y": 2} = 0.0
-- eval by_base {"x": 0, "y": 0.5} = "inf"
-- eval by_base {"x": -2, "y": 0.5} = "NaN"
def by_exponent (x y : real) : real := deriv (fun y => x ^ y) y
-- near by_exponent {"x": 1.5, "y": 2.5} = 1.1173304512883486
-- eval by_exponent {"x": 0, "y": 2} = 0.0
def by_both (x : real) : real := deriv (fun x => x ^ x) x
-- near by_both {"x": 0.5} = 0.21697770945227393
def by_number (x : real) : real := deriv (fun x => x ^ 2.5) x
-- near by_number {"x": 1.5} = 4.592793267718459
-- eval by_number {"x": 0} = 0.0
def by_none (x : real) : real := deriv (fun x => x ^ 0) x
-- eval by_none {"x": 0} = 0.0
def negative (x : real) : real := -x ^ 2
-- prints negative : fun (x : real) => -x ^ 2
-- eval negative {"x": 3} = -9.0
def negated (x : real) : real := (-x) ^ 2
-- prints negated : fun (x : real) => (-x) ^ 2
-- eval negated {"x": 3} = 9.0
def numeral (x : real) : real := -2 ^ 2 * x
-- eval numeral {"x": 1} = -4.0
def below (x y : real) : real := x ^ -y * 2
-- prints below : fun (x y : real) => x ^ (-y) * 2
-- eval below {"x": 2, "y": 1} = 1.0
def right (x y z : real) : real := x ^ y ^ z
-- prints right : fun (x y z : real) => x ^ y ^ z
-- eval right {"x": 2, "y": 3, "z": 2} = 512.0
def left (x y z : real) : real := (x ^ y) ^ z
-- prints left : fun (x y z : real) => (x ^ y) ^ z
-- eval left {"x": 2, "y": 3, "z": 2} = 64.0
def applied (f : real -> real) (x : real) : real := f x ^ 2
def application (x : real) : real := applied sqrt x
-- near application {"x": 9} = 9.0
def elements {n} (v : array n real) : array n real := build n (fun i => v[i] ^ 2 / 2 ^ v[i])
-- near elements {"v": [1, 2]} = [0.5, 1.0]

-- Whole exponents where one less than the least of them would wrap: the slope of 2^k by 2 is 0 there.
def least (x : real) (k : int) : real := deriv (fun x => pow x k) x
-- eval least {"x": 2, "k": -9223372036854775808} = -0.0
-- eval least {"x": 0.5, "k": -9223372036854775808} = "-inf"
-- near least {"x": -1, "k": -9223372036854775808} = 9.223372036854775808e18
-- near least {"x": 2, "k": -1} = -0.25
def least_numeral (x : real) : real := deriv (fun x => pow x (-9223372036854775808)) x
-- eval least_numeral {"x": 2} = -0.0
