-- error E0211 at 2:29
def f {a : type} (x : a) := D (fun (y : a) => y)
