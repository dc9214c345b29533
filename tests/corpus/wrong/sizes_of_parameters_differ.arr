-- error E0201 at 2:81
def f {n m} (v : array n real) (w : array m real) : array n real := vectorAdd v w
