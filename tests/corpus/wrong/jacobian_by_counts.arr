-- error E0211 at 2:25
def rates (k : int) :=  jacobian (fun (j : int) => real j) k
