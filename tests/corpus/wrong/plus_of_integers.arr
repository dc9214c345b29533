-- error E0205 at 2:30
def twice (k : int) : int := plus k k
