/* What stencils.c compares with: loops whose edges are written by themselves. */
#include <stdint.h>

void hand_heat(int64_t n, const double *restrict x, double *restrict out) {
  if (n < 2) {
    if (n == 1) out[0] = x[0] + 0.1 * (0 - 2 * x[0] + 0);
    return;
  }
  out[0] = x[0] + 0.1 * (0 - 2 * x[0] + x[1]);
  for (int64_t i = 1; i < n - 1; i++) out[i] = x[i] + 0.1 * (x[i - 1] - 2 * x[i] + x[i + 1]);
  out[n - 1] = x[n - 1] + 0.1 * (x[n - 2] - 2 * x[n - 1] + 0);
}

static double cell(int64_t m, int64_t n, const double *restrict x, int64_t i, int64_t j) {
  double up = i > 0 ? x[(i - 1) * n + j] : 0, down = i + 1 < m ? x[(i + 1) * n + j] : 0;
  double left = j > 0 ? x[i * n + j - 1] : 0, right = j + 1 < n ? x[i * n + j + 1] : 0;
  return x[i * n + j] + 0.1 * (up + down + left + right - 4 * x[i * n + j]);
}

void hand_grid(int64_t m, int64_t n, const double *restrict x, double *restrict out) {
  for (int64_t i = 0; i < m; i++) {
    if (i == 0 || i == m - 1) {
      for (int64_t j = 0; j < n; j++) out[i * n + j] = cell(m, n, x, i, j);
      continue;
    }
    out[i * n] = cell(m, n, x, i, 0);
    for (int64_t j = 1; j < n - 1; j++)
      out[i * n + j] = x[i * n + j] + 0.1 * (x[(i - 1) * n + j] + x[(i + 1) * n + j] + x[i * n + j - 1] + x[i * n + j + 1] - 4 * x[i * n + j]);
    if (n > 1) out[i * n + n - 1] = cell(m, n, x, i, n - 1);
  }
}

void hand_rough(int64_t n, const double *restrict x, double *restrict out) {
  if (n == 0) {
    out[0] = 0;
    return;
  }
  out[0] = -2 * (x[1] - x[0]);
  for (int64_t i = 1; i < n; i++) out[i] = 2 * (x[i] - x[i - 1]) - 2 * (x[i + 1] - x[i]);
  out[n] = 2 * (x[n] - x[n - 1]);
}
