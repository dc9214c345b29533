-- A file's own definitions, parameters, sizes and local names may be called as the prelude's words are.

def sum (x y : real) : real := x + y
def two : real := sum 1 2
-- eval two {} = 3.0
def mean {n >= 1} (v : array n real) : real := sum (vectorSum v) 1
-- eval mean {"v": [1, 2]} = 4.0
def parameter (count : real) : real := count + 1
-- prints parameter : fun (count : real) => count + 1
def size {range} (v : array range real) : real := real range * vectorSum v
-- prints size : fun (v : array range real) => real range * (let v1 := v; ifold range (fun acc i => acc + v1[i]) 0)
def local (x : real) : real := let dot := x * 2; let norm := dot + 1; norm * dot
-- eval local {"x": 1} = 6.0
def loops {n} (v : array n real) : real := ifold n (fun product i => product * v[i]) 1
-- prints loops : fun (v : array n real) => ifold n (fun product i => product * v[i]) 1
