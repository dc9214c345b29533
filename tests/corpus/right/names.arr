-- Names: letters of any script, digits, underscores and primes; words of the strategy language are free.

def x' (x : real) : real := x
def x'' (x' : real) : real := x'
-- eval x'' {"x'": 2} = 2.0
def größe (α : real) : real := α
-- eval größe {"α": 2} = 2.0
def _private (_x : real) : real := _x
-- eval _private {"_x": 1} = 1.0
def rule (where : real) : real := where
-- eval rule {"where": 1} = 1.0
def strategy (size : real) : real := size
-- eval strategy {"size": 1} = 1.0
def definition (import_ : real) (lets : real) (ifs : real) (D2 : real) : real := import_ + lets + ifs + D2
-- eval definition {"import_": 1, "lets": 2, "ifs": 3, "D2": 4} = 10.0
def A {N} (V : array N real) : int := N
-- eval A {"V": [1]} = 1
