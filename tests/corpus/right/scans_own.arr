-- A file's own scan counts, with whatever arguments it takes.

def scan {n} (v : array n real) : real := ifold n (fun s i => s + v[i]) 0
def scanr (x y : real) : real := x - y
def both {n} (v : array n real) : real := scan v + scanr 5 3
-- eval both {"v": [1, 2]} = 5.0
