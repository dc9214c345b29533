-- error E0101 at 2:45
def part {n} (v : array (n + 3) real) := v[1:3]
