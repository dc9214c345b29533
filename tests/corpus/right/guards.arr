-- Guards: what stands where a number is no index, and indices that are shown to be some.

def neighbour {n} (v : array n real) (c : int) : real := v[c - 1 else 7]
-- prints neighbour : fun (v : array n real) (c : int) => v[c - 1 else 7]
-- eval neighbour {"v": [1, 2], "c": 0} = 7.0
-- eval neighbour {"v": [1, 2], "c": 1} = 1.0
-- eval neighbour {"v": [1, 2], "c": 2} = 2.0
-- eval neighbour {"v": [1, 2], "c": 3} = 7.0
-- eval neighbour {"v": [], "c": 1} = 7.0
-- eval neighbour {"v": [1, 2], "c": -9223372036854775808} = 7.0
def none (v : array 0 real) (c : int) : real := v[c else 7]
-- eval none {"v": [], "c": 0} = 7.0
def named {n} (v : array n real) (c : int) : real := if k : fin n := c then (let x := v[k]; x * v[n - 1 - k]) else 1
-- prints named : fun (v : array n real) (c : int) => if k : fin n := c then let x := v[k]; x * v[n - 1 - int k] else 1
-- eval named {"v": [1, 2, 3], "c": 2} = 3.0
-- eval named {"v": [1, 2, 3], "c": 3} = 1.0
def chained {n m} (v : array n real) (w : array m real) (c : int) : real := v[c else w[c - n else 0]]
-- eval chained {"v": [1, 2], "w": [3], "c": 2} = 3.0
-- eval chained {"v": [1, 2], "w": [3], "c": 3} = 0.0
-- The index of a guard without a name is no name of the text.
def hidden {n} (k : array n int) (c : int) : int := k[c else k[0 else c]]
-- eval hidden {"k": [4, 5], "c": 1} = 5
-- eval hidden {"k": [4, 5], "c": 9} = 4
-- eval hidden {"k": [], "c": 9} = 9
def wider {n m} (v : array n real) (i : fin m) : real := v[i else 0]
-- eval wider {"v": [1, 2], "i": 2, "m": 3} = 0.0
def slopes {n} (v : array n real) : array n real := grad (fun x => ifold n (fun s i => s + x[i] * x[i - 1 else 1]) 0) v
-- eval slopes {"v": [2, 3, 5]} = [4.0, 7.0, 3.0]
-- eval slopes {"v": []} = []
def numerals (v : array 7 real) : real * real := (v[2 * 3], v[2 * 3 + 1 else 9])
-- eval numerals {"v": [0, 1, 2, 3, 4, 5, 6]} = [6.0, 9.0]
def halves {n} (v : array (n + 1) real) : array (2 * n + 1) real := build (2 * n + 1) (fun k => v[k / 2])
-- eval halves {"v": [1, 2, 3]} = [1.0, 1.0, 2.0, 2.0, 3.0]
-- eval halves {"v": [1]} = [1.0]
def pairs {n} (v : array (n + 1) real) (k : fin (2 * n + 2)) : real := v[k / 2]
-- eval pairs {"v": [1, 2], "k": 3} = 2.0
-- A sum of sizes isn't 0 where an index below it exists; numerals and an index make a number.
def backwards {n m} (v : array (n + m) real) : array (n + m) real := build (n + m) (fun i => v[n + m - 1 - i])
-- eval backwards {"v": [1, 2, 3], "n": 1, "m": 2} = [3.0, 2.0, 1.0]
def from_end (v : array 5 real) : array 3 real := build 3 (fun i => v[3 - 1 - i] + v[4 - i] + v[5 - i else 0])
-- eval from_end {"v": [1, 2, 3, 4, 5]} = [8.0, 11.0, 8.0]
