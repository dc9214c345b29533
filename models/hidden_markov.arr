-- models/hidden_markov.arr: how unlikely t observations are to a hidden Markov model of k states and m symbols, by the forward
-- algorithm: a scan carries how likely each state is after the observations so far, keeps the logarithm of what that sums to,
-- and goes on with what is divided by that. Rows of parameters become probabilities by softmax. The gradient reads the
-- stored states from the last to the first.
def loss {t} {k m >= 1} (seen : array t (fin m)) (start : array k real) (moves : array k (array k real))
    (shows : array k (array m real)) : real :=
  let first := softmax start;
  let p := build k (fun r => softmax moves[r]);
  let q := build k (fun s => softmax shows[s]);
  let run := scan t (fun state i =>
    let all := ifold k (fun sum r => sum + state[r]) 0;
    (build k (fun s => q[s][seen[i]] * ifold k (fun sum r => sum + state[r] * p[r][s]) 0 / all), log all)) first;
  -(ifold t (fun sum i => sum + run.2[i]) 0 + log (ifold k (fun sum s => sum + run.1[s]) 0))

def gradientMoves {t} {k m >= 1} (seen : array t (fin m)) (start : array k real) (moves : array k (array k real))
    (shows : array k (array m real)) : array k (array k real) :=
  gradMatrix (fun moves => loss seen start moves shows) moves

def gradientShows {t} {k m >= 1} (seen : array t (fin m)) (start : array k real) (moves : array k (array k real))
    (shows : array k (array m real)) : array k (array m real) :=
  gradMatrix (fun shows => loss seen start moves shows) shows

def gradient {t} {k m >= 1} (seen : array t (fin m)) (start : array k real) (moves : array k (array k real))
    (shows : array k (array m real)) : array k real * array k (array k real) * array k (array m real) :=
  (grad (fun start => loss seen start moves shows) start, gradientMoves seen start moves shows, gradientShows seen start moves shows)
