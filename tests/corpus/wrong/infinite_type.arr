-- error E0208 at 2:21
def f := fun x => x x
