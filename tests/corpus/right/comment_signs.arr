-- A comment; --- and another //x
def a (x : real) : real := x -- 1
-- eval a {"x": 2} = 2.0
def b (x : real) : real := x// half of it
-- eval b {"x": 2} = 2.0
def c (x : real) : real := x // y
-- eval c {"x": 2} = 2.0
def d (x y : real) : real := x --y
-- eval d {"x": 2, "y": 3} = 2.0
def e (x y : real) : real := x-- y
  + y // more than y
-- eval e {"x": 2, "y": 3} = 5.0
def f {n} (v : array n real) : real := real n // n
-- eval f {"v": [1, 2, 3]} = 3.0
def g (x : real) : real :=
  // x
  x //
-- eval g {"x": 2} = 2.0
def h (x : real) : real := x /-- x -/ /- // x -/
-- eval h {"x": 2} = 2.0
