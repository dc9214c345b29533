-- error E0402
-- café, in another encoding
def f : real := 1
