-- error E0103 at 2:16
def f : int := 9223372036854775808
