-- models/benchmark.arr: the gradient of a sum at a vector of n equal elements, the program that the paper measures.
-- Nothing here takes input: `redexter eval models/benchmark.arr:main --size n=5`. Forward mode does n² additions.
def main {n} : array n real :=
  let v : array n real := vectorFill 1;
  grad vectorSum v
