-- error E0403 at 2:8
import "import_self.arr"
def f : real := 1
