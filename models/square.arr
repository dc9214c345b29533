-- models/square.arr: a square and its derivative; GradBench's `hello`
def square (x : real) : real :=
  x * x

def double (x : real) : real :=
  deriv square x
