-- error E0402 at 2:8
import "parts/latin1.arr"
def f : real := 1
