-- error E0203 at 3:23
def bad (v : array 2 real) : array 3 real :=
  build 3 (fun i => v[i])
