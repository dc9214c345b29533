-- models/topics.arr: how unlikely n words of documents are where each document mixes k topics, and each topic words (latent
-- Dirichlet allocation, with rows of numbers that logSoftmax turns into logarithms of probabilities): by documents and by topics.
def loss {n m} {k v >= 1} (document : array n (fin m)) (word : array n (fin v)) (mixes : array m (array k real))
    (topics : array k (array v real)) : real :=
  let p := build m (fun d => logSoftmax mixes[d]);
  let q := build k (fun c => logSoftmax topics[c]);
  -(ifold n (fun sum i => sum + logSumExp (build k (fun c => p[document[i]][c] + q[c][word[i]]))) 0)

def gradient {n m} {k v >= 1} (document : array n (fin m)) (word : array n (fin v)) (mixes : array m (array k real))
    (topics : array k (array v real)) : array m (array k real) * array k (array v real) :=
  (gradMatrix (fun mixes => loss document word mixes topics) mixes,
    gradMatrix (fun topics => loss document word mixes topics) topics)
