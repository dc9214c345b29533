-- models/word_vectors.arr: vectors of v words by n pairs that occur together and q others for each, which don't (skip-gram with
-- negative sampling): words are rows of one matrix where they stand in the middle, of another one beside.
def loss {n q v d} (middle beside : array n (fin v)) (other : array n (array q (fin v))) (a b : array v (array d real)) : real :=
  ifold n (fun sum i =>
    sum + softplus (-dot a[middle[i]] b[beside[i]])
      + ifold q (fun t j => t + softplus (dot a[middle[i]] b[other[i][j]])) 0) 0

def gradient {n q v d} (middle beside : array n (fin v)) (other : array n (array q (fin v))) (a b : array v (array d real))
    : array v (array d real) * array v (array d real) :=
  (gradMatrix (fun a => loss middle beside other a b) a, gradMatrix (fun b => loss middle beside other a b) b)
