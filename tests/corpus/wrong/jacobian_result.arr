-- error E0201 at 2:69
def rates (p : real * real) : array 2 real * array 2 real * real := jacobian (fun (a, b) => [a, b]) p
