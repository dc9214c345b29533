-- Residual layers upon each other, by all weights and the input.
def layer {h} (w : array h (array h real)) (x : array h real) : array h real :=
  build h (fun i => x[i] + tanh (ifold h (fun s j => s + w[i][j] * x[j]) 0))

def layers2 {h} (w1 w2 : array h (array h real)) (x : array h real) : real :=
  let z1 := layer w1 x;
  let z2 := layer w2 z1;
  ifold h (fun s i => s + z2[i] * z2[i]) 0

def layers2Gradient {h} (w1 w2 : array h (array h real)) (x : array h real)
    : array h (array h real) * array h (array h real) * array h real :=
  (gradMatrix (fun p => layers2 p w2 x) w1,
    gradMatrix (fun p => layers2 w1 p x) w2,
    grad (fun p => layers2 w1 w2 p) x)

def layers4 {h} (w1 w2 w3 w4 : array h (array h real)) (x : array h real) : real :=
  let z1 := layer w1 x;
  let z2 := layer w2 z1;
  let z3 := layer w3 z2;
  let z4 := layer w4 z3;
  ifold h (fun s i => s + z4[i] * z4[i]) 0

def layers4Gradient {h} (w1 w2 w3 w4 : array h (array h real)) (x : array h real)
    : array h (array h real) * array h (array h real) * array h (array h real) * array h (array h real) * array h real :=
  (gradMatrix (fun p => layers4 p w2 w3 w4 x) w1,
    gradMatrix (fun p => layers4 w1 p w3 w4 x) w2,
    gradMatrix (fun p => layers4 w1 w2 p w4 x) w3,
    gradMatrix (fun p => layers4 w1 w2 w3 p x) w4,
    grad (fun p => layers4 w1 w2 w3 w4 p) x)

def layers8 {h} (w1 w2 w3 w4 w5 w6 w7 w8 : array h (array h real)) (x : array h real) : real :=
  let z1 := layer w1 x;
  let z2 := layer w2 z1;
  let z3 := layer w3 z2;
  let z4 := layer w4 z3;
  let z5 := layer w5 z4;
  let z6 := layer w6 z5;
  let z7 := layer w7 z6;
  let z8 := layer w8 z7;
  ifold h (fun s i => s + z8[i] * z8[i]) 0

def layers8Gradient {h} (w1 w2 w3 w4 w5 w6 w7 w8 : array h (array h real)) (x : array h real)
    : array h (array h real) * array h (array h real) * array h (array h real) * array h (array h real) * array h (array h real) * array h (array h real) * array h (array h real) * array h (array h real) * array h real :=
  (gradMatrix (fun p => layers8 p w2 w3 w4 w5 w6 w7 w8 x) w1,
    gradMatrix (fun p => layers8 w1 p w3 w4 w5 w6 w7 w8 x) w2,
    gradMatrix (fun p => layers8 w1 w2 p w4 w5 w6 w7 w8 x) w3,
    gradMatrix (fun p => layers8 w1 w2 w3 p w5 w6 w7 w8 x) w4,
    gradMatrix (fun p => layers8 w1 w2 w3 w4 p w6 w7 w8 x) w5,
    gradMatrix (fun p => layers8 w1 w2 w3 w4 w5 p w7 w8 x) w6,
    gradMatrix (fun p => layers8 w1 w2 w3 w4 w5 w6 p w8 x) w7,
    gradMatrix (fun p => layers8 w1 w2 w3 w4 w5 w6 w7 p x) w8,
    grad (fun p => layers8 w1 w2 w3 w4 w5 w6 w7 w8 p) x)

def layers16 {h} (w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 : array h (array h real)) (x : array h real) : real :=
  let z1 := layer w1 x;
  let z2 := layer w2 z1;
  let z3 := layer w3 z2;
  let z4 := layer w4 z3;
  let z5 := layer w5 z4;
  let z6 := layer w6 z5;
  let z7 := layer w7 z6;
  let z8 := layer w8 z7;
  let z9 := layer w9 z8;
  let z10 := layer w10 z9;
  let z11 := layer w11 z10;
  let z12 := layer w12 z11;
  let z13 := layer w13 z12;
  let z14 := layer w14 z13;
  let z15 := layer w15 z14;
  let z16 := layer w16 z15;
  ifold h (fun s i => s + z16[i] * z16[i]) 0

def layers16Gradient {h} (w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 : array h (array h real)) (x : array h real)
    : array h (array h real) * array h (array h real) * array h (array h real) * array h (array h real) * array h (array h real) * array h (array h real) * array h (array h real) * array h (array h real) * array h (array h real) * array h (array h real) * array h (array h real) * array h (array h real) * array h (array h real) * array h (array h real) * array h (array h real) * array h (array h real) * array h real :=
  (gradMatrix (fun p => layers16 p w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 x) w1,
    gradMatrix (fun p => layers16 w1 p w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 x) w2,
    gradMatrix (fun p => layers16 w1 w2 p w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 x) w3,
    gradMatrix (fun p => layers16 w1 w2 w3 p w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 x) w4,
    gradMatrix (fun p => layers16 w1 w2 w3 w4 p w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 x) w5,
    gradMatrix (fun p => layers16 w1 w2 w3 w4 w5 p w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 x) w6,
    gradMatrix (fun p => layers16 w1 w2 w3 w4 w5 w6 p w8 w9 w10 w11 w12 w13 w14 w15 w16 x) w7,
    gradMatrix (fun p => layers16 w1 w2 w3 w4 w5 w6 w7 p w9 w10 w11 w12 w13 w14 w15 w16 x) w8,
    gradMatrix (fun p => layers16 w1 w2 w3 w4 w5 w6 w7 w8 p w10 w11 w12 w13 w14 w15 w16 x) w9,
    gradMatrix (fun p => layers16 w1 w2 w3 w4 w5 w6 w7 w8 w9 p w11 w12 w13 w14 w15 w16 x) w10,
    gradMatrix (fun p => layers16 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 p w12 w13 w14 w15 w16 x) w11,
    gradMatrix (fun p => layers16 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 p w13 w14 w15 w16 x) w12,
    gradMatrix (fun p => layers16 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 p w14 w15 w16 x) w13,
    gradMatrix (fun p => layers16 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 p w15 w16 x) w14,
    gradMatrix (fun p => layers16 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 p w16 x) w15,
    gradMatrix (fun p => layers16 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 p x) w16,
    grad (fun p => layers16 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 p) x)
