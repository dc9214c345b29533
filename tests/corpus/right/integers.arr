-- Division of integers: Euclid's, with a value by 0.

def quotient (a b : int) : int := a / b
-- prints quotient : fun (a b : int) => a / b
-- eval quotient {"a": 7, "b": 2} = 3
-- eval quotient {"a": -7, "b": 2} = -4
-- eval quotient {"a": 7, "b": -2} = -3
-- eval quotient {"a": -7, "b": -2} = 4
-- eval quotient {"a": 6, "b": -3} = -2
-- eval quotient {"a": 7, "b": 0} = 0
-- eval quotient {"a": -9223372036854775808, "b": -1} = -9223372036854775808
-- eval quotient {"a": 7, "b": -9223372036854775808} = 0
-- eval quotient {"a": -7, "b": -9223372036854775808} = 1
def remainder (a b : int) : int := a % b
-- prints remainder : fun (a b : int) => a % b
-- eval remainder {"a": 7, "b": 2} = 1
-- eval remainder {"a": -7, "b": 2} = 1
-- eval remainder {"a": 7, "b": -2} = 1
-- eval remainder {"a": -7, "b": -2} = 1
-- eval remainder {"a": 7, "b": 0} = 7
-- eval remainder {"a": -7, "b": 0} = -7
-- eval remainder {"a": -9223372036854775808, "b": -1} = 0
-- eval remainder {"a": -7, "b": -9223372036854775808} = 9223372036854775801
def binds (a b c : int) : int := a * b % c + a / b * c - a % b % c
-- prints binds : fun (a b c : int) => a * b % c + a / b * c - a % b % c
-- eval binds {"a": 7, "b": 4, "c": 3} = 4
def grouped (a b c : int) : int := a % (b * c) / (a / (b % c))
-- prints grouped : fun (a b c : int) => a % (b * c) / (a / (b % c))
-- eval grouped {"a": 7, "b": 5, "c": 3} = 2
def half {n} (x : real) : real := x * real (n / 2)
-- eval half {"x": 1, "n": 7} = 3.0
def reals (x : real) : real := 1 / 2 + x
-- eval reals {"x": 0} = 0.5
def numerals (k : int) : int := 7 / 2 * k
-- eval numerals {"k": 1} = 3
def slope (x : real) (k : int) : real := deriv (fun x => x * real (k / 2 + k % 2)) x
-- eval slope {"x": 3, "k": 7} = 4.0
def even {n} (v : array n real) : real := ifold n (fun s i => if int i % 2 = 0 then s + v[i] else s) 0
-- eval even {"v": [1, 2, 3, 4]} = 4.0
