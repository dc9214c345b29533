-- error E0208 at 2:51
def f (a : real) : real := (let apply := fun g => (D g) g; a)
