-- error E0211 at 2:48
def slope (g : real -> real) : real -> real := grad (fun (f : real -> real) => f 1) g
