-- error E0213 at 2:10
def f := deriv
