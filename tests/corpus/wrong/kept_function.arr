-- error E0201 at 2:25
def wrong (x : real) := keep (fun y => x + y)
