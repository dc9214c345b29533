-- error E0202 at 3:51
def product (x y : real) : real := x * y
def slope (x y : real) : real := grad product x y 3
