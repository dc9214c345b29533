-- In a cycle with the file that imports it.
import "../import_cycle.arr"
def g : real := 1
