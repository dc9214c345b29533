-- error E0402 at 3:8
def f : real := 1
import "parts/latin1.arr"
