-- error E0201 at 3:51
def power (x : real) (k : int) : real := pow x k
def gradient (x : real) (k : int) : real := deriv (power x) k
