-- error E0303 at 3:8
import "../right/imported/left.arr"
import "../right/imported/right.arr"
def both (x : real) : real := left x + right x
