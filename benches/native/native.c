/* Exported gradients beside C by hand, interleaved; the least time of each, and their ratio. Values are compared, too. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "exact_dot.h"
#include "exact_kmeans.h"
#include "exact_least_squares.h"
#include "exact_linear_regression.h"
#include "exact_log_sum_exp.h"
#include "exact_logistic.h"
#include "exact_matrix_vector.h"
#include "exact_mixture.h"
#include "exact_sum_of_squares.h"
#include "exact_vector_sum.h"
#include "exact_perceptron_deep.h"
#include "exact_bundle.h"
#include "fast_dot.h"
#include "fast_kmeans.h"
#include "fast_least_squares.h"
#include "fast_linear_regression.h"
#include "fast_log_sum_exp.h"
#include "fast_logistic.h"
#include "fast_matrix_vector.h"
#include "fast_mixture.h"
#include "fast_sum_of_squares.h"
#include "fast_vector_sum.h"
#include "fast_perceptron_deep.h"
#include "fast_bundle.h"

void h_vecsum(long, const double *, double *);
void h_dot(long, const double *, const double *, double *);
void h_sumsq(long, const double *, double *);
void h_lsq(long, long, const double *, const double *, const double *, double *);
void h_linreg(long, long, const double *, const double *, const double *, double, double *, double *);
void h_logistic(long, long, const double *, const double *, const double *, double *);
void h_lse(long, const double *, double *);
void h_matvec(long, long, const double *, double *);
void h_kmeans(long, long, long, const double *, const double *, double *, double *);
void h_mlp(long, long, long, long, long, const double *, const double *, const double *, const double *, const double *,
           const double *, const double *, const double *, double *, double *, double *, double *, double *, double *,
           double *);
void h_ba(long, const double *, const double *, double *);
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

static const char *only = "";

/* All sides get as long; the first round isn't counted. CALL(KIND, RESULT) is ours, THEIRS the call by hand. */
#define COMPARE(NAME, CALL, THEIRS, N, A, B)                                                          \
  do {                                                                                                \
    if (!strstr(NAME, only)) break;                                                                   \
    double exact_ = INFINITY, fast_ = INFINITY, hand_ = INFINITY, begun = now(), off_;                \
    CALL(exact);                                                                                      \
    THEIRS;                                                                                           \
    off_ = apart(N, A, B);                                                                            \
    for (int round = 0; round < 5 || (now() - begun < 1.0 && round < 2000); round++) {                \
      double one = now();                                                                             \
      CALL(exact);                                                                                    \
      double two = now();                                                                             \
      CALL(fast);                                                                                     \
      double three = now();                                                                           \
      THEIRS;                                                                                         \
      double four = now();                                                                            \
      if (!round) continue;                                                                           \
      exact_ = fmin(exact_, two - one);                                                               \
      fast_ = fmin(fast_, three - two);                                                               \
      hand_ = fmin(hand_, four - three);                                                              \
    }                                                                                                 \
    printf("%-28s %10.1f %10.1f %10.1f   %6.2f %6.2f   %.0e %.0e\n", NAME, 1e6 * exact_, 1e6 * fast_, \
           1e6 * hand_, exact_ / hand_, fast_ / hand_, off_, apart(N, A, B));                         \
    fflush(stdout);                                                                                   \
  } while (0)

static char *arena;

static void mixture(long d, long k) {
  long n = 1000, kd = k * d, kdd = kd * d;
  double *x = some(n * d, 1), *alpha = some(k, 1), *mu = some(kd, 1), *q = some(kd, 0.3), *l = some(kdd, 0.3);
  double *ours = some(k + 2 * kd + kdd, 0), *theirs = some(k + 2 * kd + kdd, 0);
  double *space = malloc(sizeof(double) * (size_t)(10 * kd + 64) * 64);
  char name[64];
  snprintf(name, sizeof name, "mixture (%ld,%ld)", d, k);
#define CALL(KIND)                                                                                                  \
  KIND##_mixture_gradient(n, d, k, x, 2, 0.5, alpha, mu, q, l, ours, ours + k, ours + k + kd, ours + k + 2 * kd, arena)
  COMPARE(name, CALL,
          h_gmm_tuned(n, d, k, x, 2, 0.5, alpha, mu, q, l, theirs, theirs + k, theirs + k + kd, theirs + k + 2 * kd, space),
          (size_t)(k + 2 * kd), ours, theirs);
#undef CALL
}

static void kmeans(long n, long d, long k) {
  double *points = some(n * d, 1), *centres = some(k * d, 1), *ours = some(k * d, 0), *theirs = some(k * d, 0);
  double *counts = some(k, 0);
  for (long i = 0; i < k * d; i++) centres[i] = points[i] + 1e-3;
  char name[64];
  snprintf(name, sizeof name, "kmeans %ldx%ld, k = %ld", n, d, k);
#define CALL(KIND) KIND##_kmeans_dir(n, d, k, points, centres, ours, arena)
  COMPARE(name, CALL, h_kmeans(n, d, k, points, centres, theirs, counts), (size_t)(k * d), ours, theirs);
#undef CALL
}

static void perceptron(void) {
  long n = 1000, d = 64, g = 64, h = 64, o = 10, sizes[6] = {g * d, g, h * g, h, o * h, o};
  double *x = some(n * d, 0.3), *y = some(n * o, 0.3), *w[6], *ours[7], *theirs[7];
  ours[0] = some(20000, 0);
  theirs[0] = some(20000, 0);
  for (int k = 0; k < 6; k++) {
    w[k] = some(sizes[k], 0.3);
    ours[k + 1] = ours[k] + sizes[k];
    theirs[k + 1] = theirs[k] + sizes[k];
  }
  double *space = some(100000, 0);
#define CALL(KIND)                                                                                                     \
  KIND##_perceptron_deep_gradient(n, d, o, g, h, x, y, w[0], w[1], w[2], w[3], w[4], w[5], ours[0], ours[1], ours[2],  \
                                  ours[3], ours[4], ours[5], arena)
  COMPARE("perceptron 1000x64x64x64x10", CALL,
          h_mlp(n, d, o, g, h, x, y, w[0], w[1], w[2], w[3], w[4], w[5], theirs[0], theirs[1], theirs[2], theirs[3],
                theirs[4], theirs[5], space),
          (size_t)(ours[6] - ours[0]), ours[0], theirs[0]);
#undef CALL
}

static void bundle(void) {
  long n = 31843;
  double *f = some(2 * n, 1), *p = some(15 * n, 1), *ours = some(30 * n, 0), *theirs = some(30 * n, 0);
  for (long i = 0; i < n; i++) {
    p[15 * i + 13] += 5;
    for (int k = 0; k < 3; k++) p[15 * i + k] *= 0.3;
    for (int k = 9; k < 11; k++) p[15 * i + k] *= 0.1;
  }
#define CALL(KIND) KIND##_bundle_blocks(n, f, p, ours, arena)
  COMPARE("bundle adjustment 31843", CALL, h_ba(n, f, p, theirs), (size_t)(30 * n), ours, theirs);
#undef CALL
}

int main(int count, char **arguments) {
  if (count > 1) only = arguments[1];
  long big = 50000, n = 1000, m = 100, s = 300;
  double *v = some(big, 1), *w = some(big, 1), *a = some(n * m, 1), *y = some(n, 1), *x = some(m, 0.1), *t = some(n, 1);
  double *ours = some(1000000, 0), *theirs = some(1000000, 0), *long_v = some(1000000, 1);
  arena = malloc((size_t)1 << 31);
  printf("%-28s %10s %10s %10s   %6s %6s   apart by\n", "microseconds, ratios to hand", "exact", "fast", "hand", "exact", "fast");
#define CALL(KIND) KIND##_vector_sum_gradient(big, v, ours, arena)
  COMPARE("vector sum 50000", CALL, h_vecsum(big, v, theirs), big, ours, theirs);
#undef CALL
#define CALL(KIND) KIND##_dot_gradient(big, v, w, ours, arena)
  COMPARE("dot 50000", CALL, h_dot(big, v, w, theirs), big, ours, theirs);
#undef CALL
#define CALL(KIND) KIND##_sum_of_squares_gradient(big, v, ours, arena)
  COMPARE("sum of squares 50000", CALL, h_sumsq(big, v, theirs), big, ours, theirs);
#undef CALL
#define CALL(KIND) KIND##_matrix_vector_jacobianByVector(s, s, a, x, ours, arena)
  COMPARE("matrix-vector 300", CALL, h_matvec(s, s, a, theirs), s * s, ours, theirs);
#undef CALL
#define CALL(KIND) KIND##_least_squares_gradient(n, m, t, y, x, ours, arena)
  COMPARE("least squares 1000x100", CALL, h_lsq(n, m, t, y, x, theirs), m, ours, theirs);
#undef CALL
#define CALL(KIND) KIND##_linear_regression_gradient(n, m, a, y, x, 0.5, ours, ours + m, arena)
  COMPARE("linear regression 1000x100", CALL, h_linreg(n, m, a, y, x, 0.5, theirs, theirs + m), m + 1, ours, theirs);
#undef CALL
#define CALL(KIND) KIND##_logistic_gradient(n, m, a, y, x, ours, arena)
  COMPARE("logistic 1000x100", CALL, h_logistic(n, m, a, y, x, theirs), m, ours, theirs);
#undef CALL
  for (long size = 10000; size <= 1000000; size *= 10) {
    char name[64];
    snprintf(name, sizeof name, "log-sum-exp %ld", size);
#define CALL(KIND) KIND##_log_sum_exp_gradient(size, long_v, ours, arena)
    COMPARE(name, CALL, h_lse(size, long_v, theirs), size, ours, theirs);
#undef CALL
  }
  mixture(2, 5);
  mixture(10, 5);
  mixture(20, 25);
  mixture(64, 50);
  kmeans(10000, 8, 10);
  kmeans(10000, 16, 100);
  kmeans(10000, 16, 1000);
  perceptron();
  bundle();
  return 0;
}
