def rows : int := 3
