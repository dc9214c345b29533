import "base.arr"
def left (x : real) : real := base x + shared x
