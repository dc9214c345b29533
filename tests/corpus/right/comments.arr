-- Comments
/- over
   /- nested -/ and -- inside
   lines -/
def a /- here -/ (x : real) -- there
  : real /- λ -/ := /- := -/ x -- fun
-- eval a {"x": 1} = 1.0
def b (x : real) : real := x - -x --x
-- eval b {"x": 1} = 2.0
def c (x : real) : real := x /-minus-/ - 1
-- eval c {"x": 1} = 0.0
/- -- -/
def d (x : real) : real := x
-- eval d {"x": 1} = 1.0
