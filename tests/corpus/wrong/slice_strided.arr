-- error E0101 at 2:44
def even {n} (v : array (2 * n) real) := v[::2]
