import "./base.arr"
import "../imported/base.arr"
def right (x : real) : real := base x - shared x
def shared (x : real) : real := x * 3
