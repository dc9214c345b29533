-- Equations between sizes that wait, in every place where they can.

def append {n m} {a : type} (v : array n a) (w : array m a) : array (n + m) int :=
  build (n + m) (fun i => int i)
def under_fun {n' m'} (v : array (n' + m') real) (w : array n' real) (u : array m' real) : array (n' + m') real :=
  build (n' + m') (fun i => v[i])
-- eval under_fun {"v": [1, 2, 3], "w": [1], "u": [1, 2]} = [1.0, 2.0, 3.0]
def split {n m} (v : array (n + m) real) (w : array n real) : array m real := build m (fun j => ifold n (fun s i => s + v[i + j]) 0)
def later {n' m'} (v : array (n' + m') real) (w : array n' real) : array m' real := split v w
-- eval later {"v": [1, 2, 3], "w": [0]} = [1.0, 2.0]
def by_result {n' m'} (v : array (n' + m') real) (w : array n' real) : array m' real := let r := split v w; r
-- eval by_result {"v": [1, 2, 3], "w": [0]} = [1.0, 2.0]
def order {n m} (f : array (n + m) real -> array n real) (v : array (n + m) real) (w : array m real) : array n real := f v
def use_order {k} (v : array (k + 1) real) : array k real := order (fun u => build k (fun i => u[i + 1])) v [0]
-- eval use_order {"v": [1, 2, 3]} = [2.0, 3.0]
def literal (v : array 5 real) (w : array 2 real) : array 3 real := split v w
-- eval literal {"v": [1, 2, 3, 4, 5], "w": [0, 0]} = [3.0, 5.0, 7.0]
def halves {n} (v : array (2 * n) real) : int := n
def use_halves (v : array 6 real) : int := halves v
-- eval use_halves {"v": [1, 2, 3, 4, 5, 6]} = 3
def of_product {n m} (v : array (n * m) real) (w : array m real) : int := n
def use_of_product {k} (v : array (3 * k) real) (w : array k real) : int := of_product v w
-- eval use_of_product {"v": [1, 2, 3], "w": [1]} = 3
def successor {n} (v : array (n + 1) real) : int := n
def use_successor {k} (v : array (k + 3) real) : int := successor v
-- eval use_successor {"v": [1, 2, 3]} = 2
def fin_wait {n m} (i : fin n) (j : fin m) (v : array (n + m) real) : real := v[i + j]
def use_fin_wait (v : array 5 real) : real := fin_wait (1 : fin 2) (2 : fin 3) v
-- eval use_fin_wait {"v": [1, 2, 3, 4, 5]} = 4.0
def appended (x : real) : array 3 int := append [x] [x, x]
-- eval appended {"x": 1} = [0, 1, 2]
