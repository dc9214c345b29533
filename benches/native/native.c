/* Exported gradients beside C by hand, interleaved; the least time of each, and their ratio. Values are compared, too. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "dot.h"
#include "kmeans.h"
#include "least_squares.h"
#include "linear_regression.h"
#include "log_sum_exp.h"
#include "logistic.h"
#include "matrix_vector.h"
#include "mixture.h"
#include "sum_of_squares.h"
#include "vector_sum.h"

void h_vecsum(long, const double *, double *);
void h_dot(long, const double *, const double *, double *);
void h_sumsq(long, const double *, double *);
void h_lsq(long, long, const double *, const double *, const double *, double *);
void h_linreg(long, long, const double *, const double *, const double *, double, double *, double *);
void h_logistic(long, long, const double *, const double *, const double *, double *);
void h_lse(long, const double *, double *);
void h_matvec(long, long, const double *, double *);
void h_gmm_tuned(long, long, long, const double *, long, double, const double *, const double *, const double *, const double *,
                 double *, double *, double *, double *, double *);

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static double *some(size_t n, double scale) {
  static uint64_t state = 1;
  double *all = malloc(n * sizeof(double) + 64);
  for (size_t k = 0; k < n; k++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    all[k] = scale * ((double)(state >> 11) / 4503599627370496.0 - 1.0);
  }
  return all;
}

static double apart(size_t n, const double *a, const double *b) {
  double most = 0;
  for (size_t k = 0; k < n; k++) {
    double d = fabs(a[k] - b[k]) / fmax(1, fabs(b[k]));
    if (!(d <= most)) most = d;
  }
  return most;
}

/* Both sides get as long; the first round isn't counted. */
#define COMPARE(NAME, OURS, THEIRS, N, A, B)                                                  \
  do {                                                                                        \
    double one_ = INFINITY, other_ = INFINITY, begun = now();                                 \
    for (int round = 0; round < 5 || (now() - begun < 1.0 && round < 2000); round++) {        \
      double start = now();                                                                   \
      OURS;                                                                                   \
      double middle = now();                                                                  \
      THEIRS;                                                                                 \
      double end = now();                                                                     \
      if (round && middle - start < one_) one_ = middle - start;                              \
      if (round && end - middle < other_) other_ = end - middle;                              \
    }                                                                                         \
    printf("%-26s %10.1f us %10.1f us %7.2f   apart by %.1e\n", NAME, 1e6 * one_, 1e6 * other_, \
           one_ / other_, apart(N, A, B));                                                    \
  } while (0)

static void mixture(long d, long k) {
  long n = 1000, kd = k * d, kdd = kd * d;
  double *x = some(n * d, 1), *alpha = some(k, 1), *mu = some(kd, 1), *q = some(kd, 0.3), *l = some(kdd, 0.3);
  double *ours = some(k + 2 * kd + kdd, 0), *theirs = some(k + 2 * kd + kdd, 0);
  double *space = malloc(sizeof(double) * (size_t)(10 * kd + 64) * 64);
  void *arena = malloc(mixture_gradient_arena(n, d, k) + 8);
  char name[64];
  snprintf(name, sizeof name, "mixture (%ld,%ld)", d, k);
  COMPARE(name, mixture_gradient(n, d, k, x, 2, 0.5, alpha, mu, q, l, ours, ours + k, ours + k + kd, ours + k + 2 * kd, arena),
          h_gmm_tuned(n, d, k, x, 2, 0.5, alpha, mu, q, l, theirs, theirs + k, theirs + k + kd, theirs + k + 2 * kd, space),
          (size_t)(k + 2 * kd), ours, theirs);
}

int main(void) {
  long big = 50000, n = 1000, m = 100, s = 300;
  double *v = some(big, 1), *w = some(big, 1), *a = some(n * m, 1), *y = some(n, 1), *x = some(m, 0.1), *t = some(n, 1);
  double *ours = some(1000000, 0), *theirs = some(1000000, 0), *long_v = some(1000000, 1);
  void *arena = malloc(1 << 28);
  printf("%-26s %13s %13s %7s\n", "", "exported", "by hand", "ratio");
  COMPARE("vector sum 50000", vector_sum_gradient(big, v, ours, arena), h_vecsum(big, v, theirs), big, ours, theirs);
  COMPARE("dot 50000", dot_gradient(big, v, w, ours, arena), h_dot(big, v, w, theirs), big, ours, theirs);
  COMPARE("sum of squares 50000", sum_of_squares_gradient(big, v, ours, arena), h_sumsq(big, v, theirs), big, ours, theirs);
  COMPARE("matrix-vector 300", matrix_vector_jacobianByVector(s, s, a, x, ours, arena), h_matvec(s, s, a, theirs), s * s, ours,
          theirs);
  COMPARE("least squares 1000x100", least_squares_gradient(n, m, t, y, x, ours, arena), h_lsq(n, m, t, y, x, theirs), m, ours,
          theirs);
  COMPARE("linear regression 1000x100", linear_regression_gradient(n, m, a, y, x, 0.5, ours, ours + m, arena),
          h_linreg(n, m, a, y, x, 0.5, theirs, theirs + m), m + 1, ours, theirs);
  COMPARE("logistic 1000x100", logistic_gradient(n, m, a, y, x, ours, arena), h_logistic(n, m, a, y, x, theirs), m, ours,
          theirs);
  COMPARE("log-sum-exp 10000", log_sum_exp_gradient(10000, long_v, ours, arena), h_lse(10000, long_v, theirs), 10000, ours,
          theirs);
  COMPARE("log-sum-exp 1000000", log_sum_exp_gradient(1000000, long_v, ours, arena), h_lse(1000000, long_v, theirs), 1000000,
          ours, theirs);
  mixture(2, 5);
  mixture(10, 5);
  mixture(20, 25);
  return 0;
}
