-- models/embedding.arr: cross entropy of the next of v words after each of n, from the embedding of a word in d numbers. What
-- is read at data gives its gradient where data say: a scatter
def loss {n d} {v >= 1} (word next : array n (fin v)) (e w : array v (array d real)) : real :=
  ifold n (fun acc i =>
    let scores := build v (fun c => ifold d (fun sum j => sum + e[word[i]][j] * w[c][j]) 0);
    acc + (logSumExp scores - scores[next[i]])) 0

-- By the embeddings and the read-out.
def gradient {n d} {v >= 1} (word next : array n (fin v)) (e w : array v (array d real))
    : array v (array d real) * array v (array d real) :=
  (gradMatrix (fun p => loss word next p w) e, gradMatrix (fun p => loss word next e p) w)
