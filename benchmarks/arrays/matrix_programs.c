// The programs of matrix_programs.py and learning_programs.py as loops that one writes by hand; see programs.c.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t i64;

static double dot(i64 n, const double *restrict x, const double *restrict y) {
  double sum = 0;
  for (i64 i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

void syrk(i64 n, double alpha, double beta, double *restrict c, const double *restrict a) {
  for (i64 i = 0; i < n; ++i)
    for (i64 j = 0; j <= i; ++j) c[i * n + j] = beta * c[i * n + j] + alpha * dot(n, a + i * n, a + j * n);
}

void trmm(i64 n, double alpha, const double *restrict a, double *restrict b) {
  for (i64 i = 0; i < n; ++i) {
    double *restrict row = b + i * n;
    for (i64 k = i + 1; k < n; ++k)
      for (i64 j = 0; j < n; ++j) row[j] += a[k * n + i] * b[k * n + j];
    for (i64 j = 0; j < n; ++j) row[j] *= alpha;
  }
}

void spmv(i64 n, const i64 *restrict starts, const i64 *restrict columns, const double *restrict values,
          const double *restrict x, double *restrict y) {
  for (i64 i = 0; i < n; ++i) {
    double sum = 0;
    for (i64 k = starts[i]; k < starts[i + 1]; ++k) sum += values[k] * x[columns[k]];
    y[i] = sum;
  }
}

void durbin(i64 n, const double *restrict r, double *restrict y) {
  double alpha = -r[0], beta = 1;
  y[0] = alpha;
  for (i64 k = 1; k < n; ++k) {
    double sum = r[k];
    for (i64 i = 0; i < k; ++i) sum += r[k - 1 - i] * y[i];
    beta *= 1 - alpha * alpha;
    alpha = -sum / beta;
    for (i64 i = 0; i < k / 2; ++i) {
      double low = y[i], high = y[k - 1 - i];
      y[i] = low + alpha * high, y[k - 1 - i] = high + alpha * low;
    }
    if (k % 2) y[k / 2] += alpha * y[k / 2];
    y[k] = alpha;
  }
}

void gramschmidt(i64 m, i64 n, double *restrict a, double *restrict q, double *restrict r) {
  memset(r, 0, sizeof(double) * (size_t)(n * n));
  for (i64 k = 0; k < n; ++k) {
    double square = 0, *restrict row = r + k * n;
    for (i64 i = 0; i < m; ++i) square += a[i * n + k] * a[i * n + k];
    row[k] = sqrt(square);
    for (i64 i = 0; i < m; ++i) q[i * n + k] = a[i * n + k] / row[k];
    for (i64 i = 0; i < m; ++i)
      for (i64 j = k + 1; j < n; ++j) row[j] += q[i * n + k] * a[i * n + j];
    for (i64 i = 0; i < m; ++i)
      for (i64 j = k + 1; j < n; ++j) a[i * n + j] -= q[i * n + k] * row[j];
  }
}

void cholesky(i64 n, double *restrict a) {
  for (i64 i = 0; i < n; ++i) {
    double *restrict row = a + i * n;
    for (i64 j = 0; j < i; ++j) row[j] = (row[j] - dot(j, row, a + j * n)) / a[j * n + j];
    row[i] = sqrt(row[i] - dot(i, row, row));
    for (i64 j = i + 1; j < n; ++j) row[j] = 0;
  }
}

void ludcmp(i64 n, double *restrict a, const double *restrict b, double *restrict x) {
  for (i64 k = 0; k < n; ++k)
    for (i64 i = k + 1; i < n; ++i) {
      double factor = a[i * n + k] /= a[k * n + k];
      for (i64 j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
    }
  for (i64 i = 0; i < n; ++i) x[i] = b[i] - dot(i, a + i * n, x);
  for (i64 i = n - 1; i >= 0; --i) x[i] = (x[i] - dot(n - 1 - i, a + i * n + i + 1, x + i + 1)) / a[i * n + i];
}

void trisolv(i64 n, const double *restrict lower, const double *restrict b, double *restrict x) {
  for (i64 i = 0; i < n; ++i) x[i] = (b[i] - dot(i, lower + i * n, x)) / lower[i * n + i];
}

// The channels of a point that is written stay in registers where there are up to 16 of them.
void conv2d(i64 images, i64 height, i64 width, i64 k, i64 in, i64 out_channels, const float *restrict image,
            const float *restrict weights, const float *restrict bias, float *restrict out) {
  enum { MOST = 16 };
  i64 rows = height - k + 1, columns = width - k + 1;
  for (i64 at = 0; at < images * rows * columns; ++at) {
    i64 j = at % columns, i = at / columns % rows, image_at = at / columns / rows;
    for (i64 first = 0; first < out_channels; first += MOST) {
      i64 count = out_channels - first < MOST ? out_channels - first : MOST;
      float sums[MOST] = {0};
      for (i64 di = 0; di < k; ++di)
        for (i64 p = 0; p < k * in; ++p) {
          float x = image[((image_at * height + i + di) * width + j) * in + p];
          const float *restrict w = weights + (di * k * in + p) * out_channels + first;
          if (count == MOST)
            for (i64 c = 0; c < MOST; ++c) sums[c] += x * w[c];
          else
            for (i64 c = 0; c < count; ++c) sums[c] += x * w[c];
        }
      for (i64 c = 0; c < count; ++c) out[at * out_channels + first + c] = sums[c] + bias[first + c];
    }
  }
}
