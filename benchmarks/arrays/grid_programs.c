// The programs of grid_programs.py as loops that one writes by hand; see programs.c.
#include "rounding.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t i64;

static size_t bytes(i64 count) { return sizeof(double) * (size_t)count; }

// Rows above and below are those of the board as it was; columns at the border apart, so that the others are vectors.
void life(i64 m, i64 n, i64 steps, i64 *board) {
  i64 *before = malloc(sizeof(i64) * (size_t)(m * n));
  for (; steps > 0; --steps) {
    memcpy(before, board, sizeof(i64) * (size_t)(m * n));
    for (i64 i = 0; i < m; ++i) {
      const i64 *restrict up = before + (i + m - 1) % m * n, *restrict own = before + i * n,
                          *restrict down = before + (i + 1) % m * n;
      i64 *restrict out = board + i * n;
      for (i64 j = 0; j < n; ++j) {
        if (j == 1) {
          for (; j < n - 1; ++j) {
            i64 around = up[j - 1] + up[j] + up[j + 1] + own[j - 1] + own[j + 1] + down[j - 1] + down[j] + down[j + 1];
            out[j] = (around == 3) | ((around == 2) & own[j]);
          }
        }
        i64 l = (j + n - 1) % n, r = (j + 1) % n;
        i64 around = up[l] + up[j] + up[r] + own[l] + own[r] + down[l] + down[j] + down[r];
        out[j] = (around == 3) | ((around == 2) & own[j]);
      }
    }
  }
  free(before);
}

static void three_points(i64 n, const double *restrict a, double *restrict b) {
  for (i64 i = 1; i < n - 1; ++i) b[i] = OVER(a[i - 1] + a[i] + a[i + 1], INVERSE(3.0));
}

void jacobi_1d(i64 n, i64 steps, double *restrict a, double *restrict b) {
  for (; steps > 0; --steps) three_points(n, a, b), three_points(n, b, a);
}

static void seven_points(i64 l, i64 m, i64 n, const double *restrict a, double *restrict b) {
  i64 plane = m * n;
  for (i64 i = 1; i < l - 1; ++i)
    for (i64 j = 1; j < m - 1; ++j)
      for (i64 k = 1; k < n - 1; ++k) {
        const double *p = a + i * plane + j * n + k;
        b[i * plane + j * n + k] = 0.25 * p[0] + 0.125 * (p[plane] + p[-plane] + p[n] + p[-n] + p[1] + p[-1]);
      }
}

void heat_3d(i64 l, i64 m, i64 n, i64 steps, double *restrict a, double *restrict b) {
  for (; steps > 0; --steps) seven_points(l, m, n, a, b), seven_points(l, m, n, b, a);
}

void seidel(i64 m, i64 n, i64 steps, double *restrict a) {
  double *restrict row = malloc(bytes(n));
  for (; steps > 0; --steps)
    for (i64 i = 1; i < m - 1; ++i) {
      double *restrict own = a + i * n;
      const double *restrict up = own - n, *restrict down = own + n;
      for (i64 j = 1; j < n - 1; ++j)
        row[j] = up[j - 1] + up[j] + up[j + 1] + own[j] + own[j + 1] + down[j - 1] + down[j] + down[j + 1];
      for (i64 j = 1; j < n - 1; ++j) own[j] = OVER(row[j] + own[j - 1], INVERSE(9.0));
    }
  free(row);
}

void fdtd_2d(i64 n, i64 steps, double *restrict ex, double *restrict ey, double *restrict hz,
             const double *restrict pulse) {
  for (i64 t = 0; t < steps; ++t) {
    for (i64 j = 0; j < n; ++j) ey[j] = pulse[t];
    for (i64 i = n; i < n * n; ++i) ey[i] -= 0.5 * (hz[i] - hz[i - n]);
    for (i64 i = 0; i < n; ++i)
      for (i64 j = 1; j < n; ++j) ex[i * n + j] -= 0.5 * (hz[i * n + j] - hz[i * n + j - 1]);
    for (i64 i = 0; i < n - 1; ++i)
      for (i64 j = 0; j < n - 1; ++j)
        hz[i * n + j] -= 0.7 * (ex[i * n + j + 1] - ex[i * n + j] + ey[(i + 1) * n + j] - ey[i * n + j]);
  }
}

// The coefficients of a line are those of all; the lines along rows are taken one by one, those along columns together.
void adi(i64 n, i64 steps, double *restrict u) {
  double half = 0.5 * (double)n / (double)steps, diagonal = 1 + 2 * half;
  double *restrict c = calloc((size_t)n, sizeof(double)), *restrict pivot = malloc(bytes(n)),
                   *restrict d = malloc(bytes(n * n));
  for (i64 i = 1; i < n - 1; ++i) pivot[i] = INVERSE(diagonal - half * c[i - 1]), c[i] = OVER(half, pivot[i]);
  for (; steps > 0; --steps) {
    memcpy(d, u, bytes(n));
    for (i64 i = 1; i < n - 1; ++i)
      for (i64 j = 1; j < n - 1; ++j) {
        const double *p = u + i * n + j;
        d[i * n + j] = OVER(p[0] + half * (p[1] - 2 * p[0] + p[-1]) + half * d[(i - 1) * n + j], pivot[i]);
      }
    for (i64 i = n - 2; i > 0; --i)
      for (i64 j = 1; j < n - 1; ++j) u[i * n + j] = c[i] * u[(i + 1) * n + j] + d[i * n + j];
    for (i64 i = 1; i < n - 1; ++i)
      for (i64 j = 0; j < n; ++j) {
        const double *p = u + i * n + j;
        d[i * n + j] = p[0] + half * (p[n] - 2 * p[0] + p[-n]);
      }
    for (i64 i = 1; i < n - 1; ++i) {
      double *restrict row = d + i * n, *restrict out = u + i * n;
      row[0] = out[0];
      for (i64 j = 1; j < n - 1; ++j) row[j] = OVER(row[j] + half * row[j - 1], pivot[j]);
      for (i64 j = n - 2; j > 0; --j) out[j] = c[j] * out[j + 1] + row[j];
    }
  }
  free(c), free(pivot), free(d);
}

void deriche(i64 m, i64 n, double alpha, const double *restrict image, double *restrict out) {
  double e = exp(-alpha), k = (1 - e) * (1 - e) / (1 + 2 * alpha * e - e * e);
  double k1 = k, k2 = k * e * (alpha - 1), k3 = k * e * (alpha + 1), k4 = -k * e * e, f1 = 2 * e, f2 = -e * e;
  double *restrict rows = malloc(bytes(m * n)), *restrict back = malloc(bytes(m * n));
  for (i64 i = 0; i < m; ++i) {
    const double *restrict x = image + i * n;
    double *restrict y = rows + i * n, one = 0, two = 0, x1 = 0, x2 = 0;
    for (i64 j = 0; j < n; ++j) {
      double next = k1 * x[j] + k2 * x1 + f1 * one + f2 * two;
      two = one, one = next, x1 = x[j], y[j] = next;
    }
    one = two = x1 = 0;
    for (i64 j = n - 1; j >= 0; --j) {
      double next = k3 * x1 + k4 * x2 + f1 * one + f2 * two;
      two = one, one = next, x2 = x1, x1 = x[j], y[j] += next;
    }
  }
  for (i64 j = 0; j < n; ++j) {
    out[j] = k1 * rows[j], out[n + j] = k1 * rows[n + j] + k2 * rows[j] + f1 * out[j];
    back[(m - 1) * n + j] = 0, back[(m - 2) * n + j] = k3 * rows[(m - 1) * n + j];
  }
  for (i64 i = 2; i < m; ++i)
    for (i64 j = i * n; j < (i + 1) * n; ++j)
      out[j] = k1 * rows[j] + k2 * rows[j - n] + f1 * out[j - n] + f2 * out[j - 2 * n];
  for (i64 i = m - 3; i >= 0; --i)
    for (i64 j = i * n; j < (i + 1) * n; ++j)
      back[j] = k3 * rows[j + n] + k4 * rows[j + 2 * n] + f1 * back[j + n] + f2 * back[j + 2 * n];
  for (i64 i = 0; i < m * n; ++i) out[i] += back[i];
  free(rows), free(back);
}

// Column by column, the levels of which lie side by side.
void vadv(i64 m, i64 n, i64 levels, double *restrict tendency_stage, const double *restrict u_stage,
          const double *restrict wcon, const double *restrict u_pos, const double *restrict tendency, double rate) {
  double *restrict above = malloc(bytes(levels)), *restrict right = malloc(bytes(levels));
  for (i64 at = 0; at < m * n; ++at) {
    const double *restrict w = wcon + at * levels, *restrict next = w + n * levels, *restrict u = u_stage + at * levels;
    const double *restrict pos = u_pos + at * levels, *restrict given = tendency + at * levels;
    double *restrict out = tendency_stage + at * levels;
    for (i64 k = 0; k < levels; ++k) {
      double diagonal = rate, value = rate * pos[k] + given[k] + out[k], below = 0, upper = 0;
      if (k > 0) below = -0.125 * (w[k] + next[k]), value -= below * (u[k - 1] - u[k]);
      if (k < levels - 1) upper = 0.125 * (w[k + 1] + next[k + 1]), value -= upper * (u[k + 1] - u[k]);
      diagonal -= below + upper;
      if (k > 0) diagonal -= below * above[k - 1], value -= below * right[k - 1];
      above[k] = upper / diagonal, right[k] = value / diagonal;
    }
    for (i64 k = levels - 1; k >= 0; --k) {
      if (k < levels - 1) right[k] -= above[k] * right[k + 1];
      out[k] = rate * (right[k] - pos[k]);
    }
  }
  free(above), free(right);
}
