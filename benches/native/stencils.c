/* Stencils as they are exported beside C by hand, interleaved; the least time of each, and their ratio. Values are compared, too. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "grid.h"
#include "heat.h"
#include "roughGradient.h"

void hand_heat(int64_t, const double *restrict, double *restrict);
void hand_grid(int64_t, int64_t, const double *restrict, double *restrict);
void hand_rough(int64_t, const double *restrict, double *restrict);

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
  const int64_t sizes[] = {1000, 1000000};
  double *x = malloc(1000002 * sizeof(double)), *a = malloc(1000002 * sizeof(double)), *b = malloc(1000002 * sizeof(double));
  for (int64_t k = 0; k < 1000002; k++) x[k] = sin(k), a[k] = b[k] = 0;
  for (int s = 0; s < 2; s++) {
    int64_t n = sizes[s];
    char name[64];
    void *arena = malloc(heat_heat_arena(n) + roughGradient_roughGradient_arena(n));
    sprintf(name, "heat %ld", (long)n);
    TIMED(name, n, heat_heat(n, x, a, arena), hand_heat(n, x, b));
    sprintf(name, "rough gradient %ld", (long)n);
    TIMED(name, n + 1, roughGradient_roughGradient(n, x, a, arena), hand_rough(n, x, b));
    free(arena);
  }
  for (int64_t m = 100; m <= 1000; m *= 10) {
    char name[64];
    void *arena = malloc(grid_grid_arena(m, m));
    sprintf(name, "grid %ld x %ld", (long)m, (long)m);
    TIMED(name, m * m, grid_grid(m, m, x, a, arena), hand_grid(m, m, x, b));
    free(arena);
  }
  return wrong;
}
