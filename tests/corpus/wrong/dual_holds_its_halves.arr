-- error E0208 at 2:39
def f (c : int) := fun a => if c then D a else snd a
