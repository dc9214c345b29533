-- error E0401 at 2:8
import "parts/nowhere.arr"
def f : real := 1
