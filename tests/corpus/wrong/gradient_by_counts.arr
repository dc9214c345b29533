-- error E0211 at 2:28
def slope (k : int) := 1 + grad (fun (k : int) => 2 * real k) k
