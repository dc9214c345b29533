-- error E0201 at parts/wrong.arr:1:27
import "parts/wrong.arr"
def f : real := g 1
