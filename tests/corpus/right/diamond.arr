-- Imports, relative to the importing file; a file that is reached twice is one.
import "imported/left.arr"
import "imported/right.arr"
def both (x : real) : real := left x + right x
-- eval both {"x": 1} = 4.0
def transitively (x : real) : real := base x
-- eval transitively {"x": 1} = 2.0
def shared (x : real) : real := 5 * x
-- eval shared {"x": 1} = 5.0
def left (x : real) : real := 0
def own_first (x : real) : real := left x
-- eval own_first {"x": 1} = 0.0
