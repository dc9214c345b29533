-- A scan goes over the indices with a state and keeps what each step gives beside it; scanr goes from the last index to the first.

def running {n} (v : array n real) : real * array n real := scan n (fun s i => (s + v[i], s)) 0
-- eval running {"v": [1, 2, 4]} = [7.0, [0.0, 1.0, 3.0]]
-- eval running {"v": []} = [0.0, []]
-- prints running : fun (v : array n real) => scan n (fun s i => (s + v[i], s)) 0
def backwards {n} (v : array n real) : real * array n real := scanr n (fun s i => let t := 2 * s + v[i]; (t, t)) 0
-- eval backwards {"v": [1, 2, 3]} = [17.0, [17.0, 8.0, 3.0]]
-- eval backwards {"v": []} = [0.0, []]
def whole {n} (v : array n int) : int * array n (int * real) := scan n (fun s i => (s + 1, (s * v[i], 2))) 5
-- eval whole {"v": [1, 2]} = [7, [[5, 2.0], [12, 2.0]]]
-- prints whole : fun (v : array n int) => scan n (fun s i => (s + 1, s * v[i], 2)) (5 : int)
def rows {n} (v : array n real) : array n (array 2 real) := (scan n (fun s i => ([s[1], s[0] + v[i]], s)) [0, 1]).2
-- eval rows {"v": [1, 2, 3]} = [[0.0, 1.0], [1.0, 1.0], [1.0, 3.0]]
def longer {n} (v : array (2 * n + 1) real) : array (2 * n + 1) real := snd (scan (2 * n + 1) (fun s i => (max s v[i], s)) (-1))
-- eval longer {"v": [1, 5, 3]} = [-1.0, 1.0, 5.0]
def three (v : array 3 real) : real := fst (scan 3 (fun s i => (s * v[i], 0)) 1)
-- eval three {"v": [2, 3, 4]} = 24.0
def part {n} (v : array n real) : real * array n real := let f := scan n (fun s i => (s + v[i], s)); f 1
-- eval part {"v": [1, 2]} = [4.0, [1.0, 2.0]]
def step {n} (v : array n real) (s : real) (i : fin n) : real * real := (s * v[i], s)
def named {n} (v : array n real) : real * array n real := scan n (step v) 1
-- eval named {"v": [2, 3]} = [6.0, [1.0, 2.0]]
def slopes {n} (v : array n real) : array n real := grad (fun w => fst (scan n (fun s i => (s * w[i], s)) 1)) v
-- eval slopes {"v": [2, 3, 0]} = [0.0, 0.0, 6.0]
def back_slopes {n} (v : array n real) : array n (array n real) := jacobian (fun w => snd (scanr n (fun s i => (s + w[i] * w[i], s)) 0)) v
-- eval back_slopes {"v": [1, 2, 3]} = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [6.0, 6.0, 0.0]]
def functions (x : real) : real := (fst (scan 3 (fun f i => (fun y => f (y + 1), 0)) (fun y => y * 2))) x
-- eval functions {"x": 1} = 8.0
def taken (scan : real -> real) (scanr : real) : real := scan scanr
def taken_here (x : real) : real := taken (fun y => y + 1) x
-- eval taken_here {"x": 1} = 2.0
def alone {scan} (v : array scan real) : int := scan
-- eval alone {"v": [1, 2]} = 2
def renamed {n} (v : array n real) : real * array n real := (fun (scan : real) => (fun z => scanr n (fun s i => (s + v[i], s)) z) scan) 1
-- eval renamed {"v": [1, 2]} = [4.0, [3.0, 1.0]]
-- prints renamed : fun (v : array n real) => (fun scan1 => (fun z => scanr n (fun s i => (s + v[i], s)) z) scan1) 1
