-- error E0401 at 2:8
import "parts"
def f : real := 1
