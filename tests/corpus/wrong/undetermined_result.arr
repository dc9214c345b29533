-- error E0207 at 2:10
def f := fun x => x
