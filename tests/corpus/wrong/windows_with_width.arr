-- error E0201 at 2:50
def runs {n} (v : array (n + 3) real) := windows 3 v
