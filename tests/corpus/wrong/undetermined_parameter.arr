-- error E0207 at 2:41
def f (x : real) : real := (fun y => x) (fun z => z)
