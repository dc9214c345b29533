-- error E0403 at parts/cycle.arr:2:8
import "parts/cycle.arr"
def f : real := 1
