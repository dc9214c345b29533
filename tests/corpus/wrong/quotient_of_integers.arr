-- error E0201 at 3:48
-- error E0201 at 4:45
def share {n >= 1} (c : array n int) : real := count c / n
def part (k : int) (x : real) : real := x * (1 + k / 2)
