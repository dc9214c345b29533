/* Stencils, and gradients of loops that read at moved indices and at indices from data, as they are exported beside C by hand,
   interleaved; the least time of each, and their ratio. Values are compared, too. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bentGradient.h"
#include "curvedGradient.h"
#include "edgesGradient.h"
#include "grid.h"
#include "heat.h"
#include "kernelGradient.h"
#include "mirroredGradient.h"
#include "placedGradient.h"
#include "roughGradient.h"
#include "signalGradient.h"
#include "tabledGradient.h"
#include "trapezoidGradient.h"

/* The length of a convolution's kernel. */
#define KERNEL 9
/* No array has more numbers. */
#define ROOM 1020000

void hand_heat(int64_t, const double *restrict, double *restrict);
void hand_grid(int64_t, int64_t, const double *restrict, double *restrict);
void hand_rough(int64_t, const double *restrict, double *restrict);
void hand_trapezoid(int64_t, const double *restrict, double *restrict);
void hand_kernel(int64_t, int64_t, const double *restrict, const double *restrict, double *restrict);
void hand_signal(int64_t, int64_t, const double *restrict, const double *restrict, double *restrict);
void hand_mirrored(int64_t, const double *restrict, const double *restrict, double *restrict);
void hand_curved(int64_t, const double *restrict, double *restrict, double *restrict);
void hand_placed(int64_t, const int64_t *restrict, const double *restrict, const double *restrict, double *restrict);
void hand_edges(int64_t, int64_t, const int64_t *restrict, const int64_t *restrict, const double *restrict, double *restrict);
void hand_tabled(int64_t, int64_t, const int64_t *restrict, const double *restrict, const double *restrict, double *restrict);
void hand_bent(int64_t, int64_t, const double *restrict, double *restrict, double *restrict);

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

#define TIMED(name, length, made, by_hand)                                        \
  {                                                                               \
    double least[2] = {1e9, 1e9};                                                 \
    for (int round = 0; round < 60; round++) {                                    \
      double begin = now();                                                       \
      made;                                                                       \
      double between = now();                                                     \
      by_hand;                                                                    \
      double end = now();                                                         \
      if (between - begin < least[0]) least[0] = between - begin;                 \
      if (end - between < least[1]) least[1] = end - between;                     \
    }                                                                             \
    int differ = 0;                                                               \
    for (int64_t k = 0; k < (length); k++)                                        \
      differ |= !(fabs(a[k] - b[k]) <= 1e-12 * (1 + fabs(b[k])));                 \
    printf("%-24s %9.1f us, by hand %9.1f us, ratio %.2f%s\n", name, 1e6 * least[0], 1e6 * least[1], \
           least[0] / least[1], differ ? ", other values" : "");                  \
    wrong |= differ;                                                              \
  }

int main(void) {
  int wrong = 0;
  const int64_t sizes[] = {1000, 1000000}, m = KERNEL;
  double *all[5];
  for (int k = 0; k < 5; k++) {
    all[k] = malloc(ROOM * sizeof(double));
    for (int64_t i = 0; i < ROOM; i++) all[k][i] = k < 2 ? sin(i + k) : 0;
  }
  double *x = all[0], *y = all[1], *a = all[2], *b = all[3], *made = all[4];
  char name[64];
  for (int s = 0; s < 2; s++) {
    int64_t n = sizes[s];
    void *arena = malloc(heat_heat_arena(n) + roughGradient_roughGradient_arena(n) + trapezoidGradient_trapezoidGradient_arena(n) +
                         kernelGradient_kernelGradient_arena(m, n) + signalGradient_signalGradient_arena(m, n) +
                         mirroredGradient_mirroredGradient_arena(n) + curvedGradient_curvedGradient_arena(n));
    sprintf(name, "heat %ld", (long)n);
    TIMED(name, n, heat_heat(n, x, a, arena), hand_heat(n, x, b));
    sprintf(name, "rough gradient %ld", (long)n);
    TIMED(name, n + 1, roughGradient_roughGradient(n, x, a, arena), hand_rough(n, x, b));
    sprintf(name, "trapezoid %ld", (long)n);
    TIMED(name, n + 1, trapezoidGradient_trapezoidGradient(n, x, y, a, arena), hand_trapezoid(n, x, b));
    sprintf(name, "kernel %ld", (long)n);
    TIMED(name, m, kernelGradient_kernelGradient(m, n, x, y, a, arena), hand_kernel(m, n, x, y, b));
    sprintf(name, "signal %ld", (long)n);
    TIMED(name, m + n, signalGradient_signalGradient(m, n, x, y, a, arena), hand_signal(m, n, x, y, b));
    sprintf(name, "mirrored %ld", (long)n);
    TIMED(name, n, mirroredGradient_mirroredGradient(n, x, y, a, arena), hand_mirrored(n, x, y, b));
    sprintf(name, "five points %ld", (long)n);
    TIMED(name, n + 4, curvedGradient_curvedGradient(n, x, a, arena), hand_curved(n, x, b, made));
    free(arena);
  }
  for (int64_t n = 100; n <= 1000; n *= 10) {
    void *arena = malloc(grid_grid_arena(n, n) + bentGradient_bentGradient_arena(n, n));
    sprintf(name, "grid %ld x %ld", (long)n, (long)n);
    TIMED(name, n * n, grid_grid(n, n, x, a, arena), hand_grid(n, n, x, b));
    sprintf(name, "grid gradient %ld x %ld", (long)n, (long)n);
    TIMED(name, (n + 2) * (n + 2), bentGradient_bentGradient(n, n, x, a, arena), hand_bent(n, n, x, b, made));
    free(arena);
  }
  int64_t n = 16000, *k = malloc(n * sizeof(int64_t)), *l = malloc(n * sizeof(int64_t));
  for (int64_t e = 0; e < n; e++) {
    k[e] = e * 7919 % n;
    l[e] = e * e % n;
  }
  void *arena = malloc(placedGradient_placedGradient_arena(n) + edgesGradient_edgesGradient_arena(n, n) +
                       tabledGradient_tabledGradient_arena(n, n));
  TIMED("gather 16000", n, placedGradient_placedGradient(n, k, y, x, a, arena), hand_placed(n, k, y, x, b));
  TIMED("two gathers 16000", n, edgesGradient_edgesGradient(n, n, k, l, x, a, arena), hand_edges(n, n, k, l, x, b));
  TIMED("table's gather 16000", n, tabledGradient_tabledGradient(n, n, k, y, x, a, arena), hand_tabled(n, n, k, y, x, b));
  return wrong;
}
