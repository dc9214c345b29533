-- café
def g : real := 1
