-- error E0207 at 2:50
def runs {n} (v : array (n + 2) real) := windows v
