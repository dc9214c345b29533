/* The gradient of a sum by dual numbers, written by hand: forward mode, a pass over the vector for each direction. Prints the
   median time of some runs for each size that it is given, as CSV. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct {
  double primal, tangent;
} dual;

static dual add(dual a, dual b) { return (dual){a.primal + b.primal, a.tangent + b.tangent}; }

static dual sum(size_t n, const dual *v) {
  dual acc = {0, 0};
  for (size_t i = 0; i < n; i++) acc = add(acc, v[i]);
  return acc;
}

static void gradient(size_t n, const double *v, double *out, dual *lifted) {
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) lifted[j] = (dual){v[j], i == j};
    out[i] = sum(n, lifted).tangent;
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * t.tv_sec + t.tv_nsec;
}

static int order(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int count, char **arguments) {
  enum { RUNS = 3 };
  puts("program,size,runs,median_ns");
  for (int k = 1; k < count; k++) {
    size_t n = strtoul(arguments[k], 0, 10);
    double *v = malloc(n * sizeof *v), *out = malloc(n * sizeof *out), times[RUNS];
    dual *lifted = malloc(n * sizeof *lifted);
    if (!v || !out || !lifted) return 1;
    for (size_t i = 0; i < n; i++) v[i] = 1;
    gradient(n < 1000 ? n : 1000, v, out, lifted);
    for (int run = 0; run < RUNS; run++) {
      double begun = now();
      gradient(n, v, out, lifted);
      times[run] = now() - begun;
    }
    for (size_t i = 0; i < n; i++)
      if (out[i] != 1) return 1;
    qsort(times, RUNS, sizeof *times, order);
    printf("dual numbers by hand in C,%zu,%d,%.0f\n", n, RUNS, times[RUNS / 2]);
    fflush(stdout);
    free(v), free(out), free(lifted);
  }
  return 0;
}
