-- The words that most libraries of arrays have, with values from mathematics.

def summed {n} (v : array n real) : real := sum v
-- eval summed {"v": [1, 2, 3.5]} = 6.5
-- eval summed {"v": []} = 0.0
def multiplied {n} (v : array n real) : real := product v
-- eval multiplied {"v": [2, 3, 4]} = 24.0
-- eval multiplied {"v": []} = 1.0
def multiplied_slope {n} (v : array n real) : array n real := grad product v
-- eval multiplied_slope {"v": [2, 3, 4]} = [12.0, 8.0, 6.0]
def middle {n >= 1} (v : array n real) : real := mean v
-- eval middle {"v": [1, 2, 6]} = 3.0
def spread {n >= 1} (v : array n real) : real := variance v
-- eval spread {"v": [1, 2, 3, 4]} = 1.25
-- eval spread {"v": [7]} = 0.0
def spread_slope {n >= 1} (v : array n real) : array n real := grad variance v
-- eval spread_slope {"v": [1, 2, 3, 4]} = [-0.75, -0.25, 0.25, 0.75]
def scalar {n} (v w : array n real) : real := dot v w
-- eval scalar {"v": [1, 2], "w": [3, 4]} = 11.0
def long {n} (v : array n real) : real := norm v
-- eval long {"v": [3, 4]} = 5.0
def numbers : array 4 real := range
-- eval numbers {} = [0.0, 1.0, 2.0, 3.0]
def steps : array 5 real := linspace 1 3
-- eval steps {} = [1.0, 1.5, 2.0, 2.5, 3.0]
def ends : array 2 real := linspace 0.1 0.7
-- eval ends {} = [0.1, 0.7]
def filled : array 3 (real * int) := replicate (1, 2)
-- eval filled {} = [[1.0, 2], [1.0, 2], [1.0, 2]]
def one : array 3 (array 3 real) := identity
-- eval one {} = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
def stacked (v w : array 2 int) : array 2 (array 2 int) := stack v w
-- eval stacked {"v": [1, 2], "w": [3, 4]} = [[1, 2], [3, 4]]
def changed {n} (v : array n real) (i : fin n) : array n real := update v i 9
-- eval changed {"v": [1, 2, 3], "i": 1} = [1.0, 9.0, 3.0]
def taken {n m} (v : array n int) (at : array m (fin n)) : array m int := gather v at
-- eval taken {"v": [5, 6, 7], "at": [2, 0, 2, 2]} = [7, 5, 7, 7]
def truths {n} (v : array n int) : int * int * int := (any v, all v, count v)
-- eval truths {"v": [1, 0, 3]} = [1, [0, 2]]
-- eval truths {"v": [1, -1]} = [1, [1, 2]]
-- eval truths {"v": [0]} = [0, [0, 0]]
-- eval truths {"v": []} = [0, [1, 0]]
def larger {n} (v w : array n real) : array n real := where (vectorMap2 v w (fun x y => x > y)) v w
-- eval larger {"v": [1, 5, 2], "w": [3, 4, 2]} = [3.0, 5.0, 2.0]
def ordered {n} (v : array n real) : array n real := sort v
-- eval ordered {"v": [3, 1, 2, 1, -5]} = [-5.0, 1.0, 1.0, 2.0, 3.0]
-- eval ordered {"v": []} = []
def least_slope {n >= 1} (v : array n real) : array n real := grad (fun w => (sort w)[0]) v
-- eval least_slope {"v": [3, 1, 2]} = [0.0, 1.0, 0.0]
def positive {n} (v : array n real) : array n real := vectorMap v relu
-- eval positive {"v": [-2, 0, 3]} = [0.0, 0.0, 3.0]
def positive_slope {n} (v : array n real) : array n real := grad (fun w => sum (vectorMap w relu)) v
-- eval positive_slope {"v": [-2, 0, 3]} = [0.0, 0.0, 1.0]
def chances {n >= 1} (v : array n real) : array n real := softmax v
-- near chances {"v": [1, 2, 3]} = [0.09003057317038046, 0.24472847105479764, 0.6652409557748219]
-- eval chances {"v": [1000, 1000]} = [0.5, 0.5]
-- eval chances {"v": [1e308, -1e308]} = [1.0, 0.0]
-- eval chances {"v": [-3]} = [1.0]
def chance_slope {n >= 1} (v : array n real) : array n real := grad (fun w => (softmax w)[0]) v
-- eval chance_slope {"v": [0, 0]} = [0.25, -0.25]
def log_chances {n >= 1} (v : array n real) : array n real := logSoftmax v
-- near log_chances {"v": [1, 2, 3]} = [-2.40760596444438, -1.4076059644443804, -0.4076059644443803]
-- eval log_chances {"v": [0, -1000]} = [0.0, -1000.0]
def log_chance_slope {n >= 1} (v : array n real) : array n real := grad (fun w => (logSoftmax w)[0]) v
-- eval log_chance_slope {"v": [0, 0]} = [0.5, -0.5]
def turned {n m} (a : array n (array m int)) : array m (array n int) := transpose a
-- eval turned {"a": [[1, 2, 3], [4, 5, 6]]} = [[1, 4], [2, 5], [3, 6]]
def multiple {n k m} (a : array n (array k real)) (b : array k (array m real)) : array n (array m real) := matmul a b
-- eval multiple {"a": [[1, 2], [3, 4]], "b": [[0, 1], [1, 0]]} = [[2.0, 1.0], [4.0, 3.0]]
def across {n} (a : array n (array n real)) : array n real * real := (diagonal a, trace a)
-- eval across {"a": [[1, 2], [3, 4]]} = [[1.0, 4.0], 5.0]
def outermost {n >= 1} (v : array n real) : real * real := (first v, last v)
-- eval outermost {"v": [3, 1, 2]} = [3.0, 2.0]
-- eval outermost {"v": [7]} = [7.0, 7.0]
def three_first {n} (v : array (n + 3) int) : array 3 int := take v
-- eval three_first {"v": [4, 5, 6, 7]} = [4, 5, 6]
def two_off {n} (v : array (n + 2) int) : array n int := drop v
-- eval two_off {"v": [4, 5, 6, 7]} = [6, 7]
-- eval two_off {"v": [4, 5]} = []
def inner {n} (v : array (n + 2) int) : array n int := slice v 1
-- eval inner {"v": [4, 5, 6, 7]} = [5, 6]
def from_third (v : array 10 int) : array 3 int := slice v 2
-- eval from_third {"v": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]} = [2, 3, 4]
def middle_rows {n m} (a : array (n + 2) (array m int)) : array n (array m int) := slice a 1
-- eval middle_rows {"a": [[1, 2], [3, 4], [5, 6]]} = [[3, 4]]
def backwards {n} (v : array n int) : array n int := reverse v
-- eval backwards {"v": [1, 2, 3]} = [3, 2, 1]
-- eval backwards {"v": []} = []
def backwards_slope {n} (v w : array n real) : array n real := grad (fun x => dot (reverse x) w) v
-- eval backwards_slope {"v": [1, 2, 3], "w": [4, 5, 6]} = [6.0, 5.0, 4.0]
def both {n m} (v : array n real) (w : array m real) : array (n + m) real := concat v w
-- eval both {"v": [1, 2], "w": [3]} = [1.0, 2.0, 3.0]
-- eval both {"v": [], "w": [3]} = [3.0]
-- eval both {"v": [1, 2], "w": []} = [1.0, 2.0]
def both_slope {n m} (v : array n real) (w : array m real) (c : array (n + m) real) : array n real * array m real := (grad (fun x => dot (concat x w) c) v, grad (fun x => dot (concat v x) c) w)
-- eval both_slope {"v": [1, 2], "w": [3], "c": [4, 5, 6]} = [[4.0, 5.0], [6.0]]
def longer {n} (v : array n (real * int)) : array (n + 1) (real * int) := append v (0.5, 9)
-- eval longer {"v": [[1, 2]]} = [[1.0, 2], [0.5, 9]]
-- eval longer {"v": []} = [[0.5, 9]]
def shifted {n} (v : array n int) (k : int) : array n int := shift v k 0
-- eval shifted {"v": [1, 2, 3], "k": 1} = [0, 1, 2]
-- eval shifted {"v": [1, 2, 3], "k": -2} = [3, 0, 0]
-- eval shifted {"v": [1, 2, 3], "k": 5} = [0, 0, 0]
def padded {n} (v : array n real) : array (n + 3) real := pad v 1 0
-- eval padded {"v": [1, 2]} = [0.0, 1.0, 2.0, 0.0, 0.0]
def cut {n} (v : array (n + 2) real) : array n real := pad v (-1) 0
-- eval cut {"v": [1, 2, 3, 4]} = [2.0, 3.0]
def runs {n} (v : array (n + 2) int) : array (n + 1) (array 2 int) := windows v
-- eval runs {"v": [1, 2, 3, 4]} = [[1, 2], [2, 3], [3, 4]]
-- eval runs {"v": [1, 2]} = [[1, 2]]
def averages {n} (v : array (n + 3) real) : array (n + 1) real := vectorMap (windows v) (fun (w : array 3 real) => mean w)
-- eval averages {"v": [1, 2, 3, 7]} = [2.0, 4.0]
def rows (v : array 6 int) : array 2 (array 3 int) := reshape v
-- eval rows {"v": [1, 2, 3, 4, 5, 6]} = [[1, 2, 3], [4, 5, 6]]
def rows_of_three {n} (v : array (n * 3) int) : array n (array 3 int) := reshape v
-- eval rows_of_three {"v": [1, 2, 3, 4, 5, 6]} = [[1, 2, 3], [4, 5, 6]]
def in_a_row {n m} (a : array n (array m int)) : array (n * m) int := flatten a
-- eval in_a_row {"a": [[1, 2, 3], [4, 5, 6]]} = [1, 2, 3, 4, 5, 6]
-- eval in_a_row {"a": [[], []]} = []
def reshaped (v : array 6 int) : array 3 (array 2 int) := reshape (flatten (reshape v : array 2 (array 3 int)))
-- eval reshaped {"v": [1, 2, 3, 4, 5, 6]} = [[1, 2], [3, 4], [5, 6]]
