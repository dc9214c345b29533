-- models/random_field.arr: a linear-chain conditional random field: how unlikely the given labels, of k, are for t + 1 positions.
-- An emission scores a label at its position, a move a label behind another. What all sequences of labels sum up to comes of a
-- forward recursion in logarithms; the score of the given ones is taken off.
def loss {t} {k >= 1} (labels : array (t + 1) (fin k)) (moves : array k (array k real)) (emissions : array (t + 1) (array k real))
    : real :=
  let all := ifold t (fun last i =>
    build k (fun s => emissions[i + 1][s] + logSumExp (build k (fun r => last[r] + moves[r][s])))) emissions[0];
  let emitted := ifold (t + 1) (fun sum i => sum + emissions[i][labels[i]]) 0;
  let moved := ifold t (fun sum i => sum + moves[labels[i]][labels[i + 1]]) 0;
  logSumExp all - emitted - moved

def gradient {t} {k >= 1} (labels : array (t + 1) (fin k)) (moves : array k (array k real))
    (emissions : array (t + 1) (array k real)) : array k (array k real) * array (t + 1) (array k real) :=
  grad (fun (moves, emissions) => loss labels moves emissions) (moves, emissions)
