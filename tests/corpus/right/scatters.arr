-- A scatter adds values at places that data say; what has no place is left out.

def sums {n m} (z : array n real) (at : array m (fin n)) (w : array m real) : array n real := scatter n m (fun e => (int at[e], w[e]))
-- eval sums {"z": [0, 0, 0], "at": [0, 2, 0], "w": [1, 2, 3]} = [4.0, 0.0, 2.0]
-- eval sums {"z": [0, 0], "at": [], "w": []} = [0.0, 0.0]
-- eval sums {"z": [], "at": [], "w": []} = []
-- prints sums : fun (z : array n real) (at : array m (fin n)) (w : array m real) => scatter n m (fun e => (int at[e], w[e]))
def kept {n m} (z : array n real) (at : array m int) (w : array m real) : array n (real * real) := scatter n m (fun e => (at[e], (w[e], w[e] * w[e])))
-- eval kept {"z": [0, 0, 0], "at": [0, -1, 3, 1, 0], "w": [1, 2, 3, 4, 5]} = [[6.0, 26.0], [4.0, 16.0], [0.0, 0.0]]
def rows {n m r} (z : array n real) (at : array m (fin n)) (w : array m (array r real)) : array n (array r real) := scatter n m (fun e => (int at[e], w[e]))
-- eval rows {"z": [0, 0], "at": [0, 1, 0], "w": [[1, 2], [3, 4], [5, 6]]} = [[6.0, 8.0], [3.0, 4.0]]
def two {n m k} (z : array n real) (at : array m (array k (fin n))) (w : array k real) : array n real := scatter n (m, k) (fun i j => (int at[i, j], w[j]))
-- eval two {"z": [0, 0], "at": [[0, 1], [1, 1]], "w": [1, 2]} = [1.0, 5.0]
def three {n m} (z : array n real) (at : array m (fin n)) : array n real := scatter n (m, 2, 3) (fun i j k => (int at[i], real k + 10 * real j))
-- eval three {"z": [0, 0, 0], "at": [0, 1]} = [36.0, 36.0, 0.0]
def hidden {n m} (z : array n real) (e : array m int) (v : real) : array n real := scatter n (m, 2) (fun i e' => (e[i], v + real e'))
-- eval hidden {"z": [0, 0], "e": [1, 1], "v": 3} = [0.0, 14.0]
def chosen {n} (w : array n real) : array 2 real := scatter 2 n (fun i => if w[i] > 0 then (0, w[i]) else (1, -w[i]))
-- eval chosen {"w": [1, -2, 4]} = [5.0, 2.0]
def constant {n} (w : array n real) : array 2 real := scatter 2 n (fun i => (1, w[i]))
-- eval constant {"w": [1, -2, 4]} = [0.0, 3.0]
def entry {m} (at : array m int) (w : array m real) (e : fin m) : int * real := (at[e], w[e])
def named {n m} (z : array n real) (at : array m int) (w : array m real) : array n real := scatter n m (entry at w)
-- eval named {"z": [0, 0], "at": [1, 1], "w": [2, 3]} = [0.0, 5.0]
def part {n m} (z : array n real) (at : array m int) : array n real := let f := scatter n m; f (fun e => (at[e], 1))
-- eval part {"z": [0, 0], "at": [1, 1]} = [0.0, 2.0]
def unsized {n m} (at : array m (fin n)) (w : array m real) : real := let s := scatter n m (fun e => (int at[e], w[e])); ifold n (fun a i => a + s[i] * s[i]) 0
def slopes {n m} (z : array n real) (at : array m (fin n)) (w : array m real) : array m real := grad (fun w => let s := scatter n m (fun e => (int at[e], w[e])); ifold n (fun a i => a + s[i] * s[i]) 0) w
-- eval slopes {"z": [0, 0], "at": [0, 1, 0], "w": [1, 2, 3]} = [8.0, 4.0, 8.0]
def taken (scatter : real -> real) : real := scatter 2
def taken_here (x : real) : real := taken (fun y => y + x)
-- eval taken_here {"x": 1} = 3.0
def alone {scatter} (v : array scatter real) : int := scatter
-- eval alone {"v": [1, 2]} = 2
def ones {n m} (z : array n real) (at : array m (fin n)) : array n real := histogram at
-- eval ones {"z": [0, 0], "at": [1, 1, 0]} = [1.0, 2.0]
def segments {n m} (z : array n real) (at : array m (fin n)) (v : array m real) : array n real := segmentSum at v
-- eval segments {"z": [0, 0], "at": [1, 1, 0], "v": [1, 2, 4]} = [4.0, 3.0]
def more {n m} (v : array n real) (at : array m (fin n)) (w : array m real) : array n real := updateAdd v at w
-- eval more {"v": [1, 2], "at": [1, 1, 0], "w": [1, 2, 4]} = [5.0, 5.0]
