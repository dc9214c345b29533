-- Two imports that define one name alike.
import "imported/base.arr"
import "imported/again.arr"
def twice (x : real) : real := base (base x)
-- eval twice {"x": 1} = 3.0
