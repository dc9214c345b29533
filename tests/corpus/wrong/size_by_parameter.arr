-- error E0304 at 2:48
def power (x : real) (k : int) : real := ifold k (fun y i => y * x) 1
