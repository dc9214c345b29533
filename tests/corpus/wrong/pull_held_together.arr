-- error E0215 at 6:85
-- error E0215 at 8:61
-- error E0215 at 11:90
-- error E0215 at 13:49
def last {n} (x : array n real) : array n real :=
  pull (fun d => (ifold n (fun s i => (fst s * x[i], snd s * x[i] + fst s * d[i])) (1, 0)).2) 1

def weighed (x w : real) : real := pull (fun d => let p := (exp x, d * x); fst p * snd p) w

def kept {n} (x : array n real) : array n real :=
  pull (fun d => (fst (scan n (fun s i => ((fst s * x[i], snd s + fst s * d[i]), x[i])) (1, 0))).2) 1

def half (x w : real) : real := pull (fun d => (x, 2 * d).2) w
