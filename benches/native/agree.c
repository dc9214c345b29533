/* What a call of an exported function takes: median over batches of some 100 microseconds, in nanoseconds, with arrays that begin
   where 64 bytes begin, and as malloc places them. ARGUMENTS: model, size, seconds. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "linear_regression.h"
#include "matrix_vector.h"
#include "sum_of_squares.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * t.tv_sec + t.tv_nsec;
}

static int aligned;

static double *some(size_t n) {
  size_t bytes = (n * sizeof(double) + 63) & ~(size_t)63;
  double *all = aligned ? aligned_alloc(64, bytes) : malloc(bytes);
  for (size_t k = 0; k < n; k++) all[k] = (double)(k % 97) / 97 - 0.5;
  return all;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static const char *model;
static long n;
static double *a, *b, *c, *out, *out_2;
static void *arena;

static void calls(long count) {
  if (!strcmp(model, "sum_of_squares"))
    for (long k = 0; k < count; k++) sum_of_squares_gradient(n, a, out, arena);
  else if (!strcmp(model, "matrix_vector"))
    for (long k = 0; k < count; k++) matrix_vector_jacobianByVector(n, n, a, c, out, arena);
  else
    for (long k = 0; k < count; k++) linear_regression_gradient(n, 100, a, b, c, 0.5, out, out_2, arena);
}

static double median(double seconds) {
  static double times[1000000];
  long count = 1, batches = 0;
  for (double took = 0; took < 1e5; count *= 2) {
    double begun = now();
    calls(count);
    took = now() - begun;
  }
  for (double begun = now(); (batches < 5 || now() - begun < 1e9 * seconds) && batches < 1000000; batches++) {
    double before = now();
    calls(count);
    times[batches] = (now() - before) / count;
  }
  qsort(times, batches, sizeof *times, by_size);
  return times[batches / 2];
}

int main(int given, char **arguments) {
  if (given != 4) return 2;
  model = arguments[1];
  n = atol(arguments[2]);
  for (aligned = 1; aligned >= 0; aligned--) {
    int square = !strcmp(model, "matrix_vector"), tall = !strcmp(model, "linear_regression");
    a = some(square ? n * n : tall ? n * 100 : n);
    b = some(n);
    c = some(n > 100 ? n : 100);
    out = some(square ? n * n : n);
    out_2 = some(1);
    arena = some(1 << 20);
    printf("%.1f ", median(atof(arguments[3])));
  }
  puts("");
  return 0;
}
