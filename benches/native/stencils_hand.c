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

void hand_trapezoid(int64_t n, const double *restrict x, double *restrict out) {
  if (n == 0) {
    out[0] = 0;
    return;
  }
  out[0] = 0.5 * (x[1] - x[0]);
  for (int64_t i = 1; i < n; i++) out[i] = 0.5 * (x[i + 1] - x[i]) + 0.5 * (x[i] - x[i - 1]);
  out[n] = 0.5 * (x[n] - x[n - 1]);
}

void hand_kernel(int64_t m, int64_t n, const double *restrict x, const double *restrict w, double *restrict out) {
  for (int64_t j = 0; j < m; j++) out[j] = 0;
  for (int64_t i = 0; i < n; i++) {
    double c = 0;
    for (int64_t j = 0; j < m; j++) c += x[i + j] * w[j];
    for (int64_t j = 0; j < m; j++) out[j] += c * x[i + j];
  }
  for (int64_t j = 0; j < m; j++) out[j] *= 2;
}

void hand_signal(int64_t m, int64_t n, const double *restrict x, const double *restrict w, double *restrict out) {
  for (int64_t i = 0; i < m + n; i++) out[i] = 0;
  for (int64_t i = 0; i < n; i++) {
    double c = 0;
    for (int64_t j = 0; j < m; j++) c += x[i + j] * w[j];
    for (int64_t j = 0; j < m; j++) out[i + j] += 2 * c * w[j];
  }
}

void hand_mirrored(int64_t n, const double *restrict w, const double *restrict x, double *restrict out) {
  for (int64_t i = 0; i < n; i++) out[i] = 2 * (w[n - 1 - i] * x[i]);
}

/* `made` has room for n + 8 numbers: the differences, and four zeros on either side. */
void hand_curved(int64_t n, const double *restrict x, double *restrict out, double *restrict made) {
  double *d = made + 4;
  for (int64_t i = 0; i < 4; i++) made[i] = d[n + i] = 0;
  for (int64_t i = 0; i < n; i++) d[i] = x[i] - 4 * x[i + 1] + 6 * x[i + 2] - 4 * x[i + 3] + x[i + 4];
  for (int64_t i = 0; i < n + 4; i++) out[i] = 2 * d[i] + 12 * d[i - 2] + 2 * d[i - 4] - 8 * d[i - 3] - 8 * d[i - 1];
}

/* `made` has room for (m + 4) x (n + 4) numbers: the differences, and two zeros on each side. */
void hand_bent(int64_t m, int64_t n, const double *restrict x, double *restrict out, double *restrict made) {
  int64_t long_x = n + 2, long_d = n + 4;
  for (int64_t i = 0; i < m + 4; i++) {
    double *d = made + i * long_d;
    if (i < 2 || i >= m + 2) {
      for (int64_t j = 0; j < long_d; j++) d[j] = 0;
      continue;
    }
    d[0] = d[1] = d[n + 2] = d[n + 3] = 0;
    const double *up = x + (i - 2) * long_x, *here = up + long_x, *down = here + long_x;
    for (int64_t j = 0; j < n; j++) d[j + 2] = up[j + 1] + down[j + 1] + here[j] + here[j + 2] - 4 * here[j + 1];
  }
  for (int64_t i = 0; i < m + 2; i++) {
    const double *up = made + i * long_d, *here = up + long_d, *down = here + long_d;
    for (int64_t j = 0; j < n + 2; j++)
      out[i * long_x + j] = 2 * down[j + 1] + 2 * up[j + 1] + (2 * here[j + 2] + 2 * here[j] - 8 * here[j + 1]);
  }
}

void hand_placed(int64_t n, const int64_t *restrict k, const double *restrict y, const double *restrict x, double *restrict out) {
  for (int64_t i = 0; i < n; i++) out[i] = 0;
  for (int64_t e = 0; e < n; e++) out[k[e]] += 2 * (x[k[e]] - y[e]);
}

void hand_edges(int64_t n, int64_t m, const int64_t *restrict k, const int64_t *restrict l, const double *restrict x,
                double *restrict out) {
  for (int64_t i = 0; i < n; i++) out[i] = 0;
  for (int64_t e = 0; e < m; e++) {
    double d = 2 * (x[k[e]] - x[l[e]]);
    out[k[e]] += d;
    out[l[e]] -= d;
  }
}

void hand_tabled(int64_t n, int64_t m, const int64_t *restrict k, const double *restrict w, const double *restrict x,
                 double *restrict out) {
  for (int64_t i = 0; i < n; i++) out[i] = 0;
  for (int64_t e = 0; e < m; e++) out[k[e]] += 2 * (x[k[e]] * w[e]) * w[e];
}
