-- error E0211 at 4:24
-- What a definition of one's own passes on to the library's is looked at where it is used.
def mine {p : type} (f : p -> real) (x : p) : p := grad f x
def slope (k : int) := mine (fun j => real j) k
