// The programs of array_programs.py as loops that one writes by hand for speed: one pass where that is possible, no
// temporaries, arrays in C order. `c_programs.py` says what each takes. Sums are in any order (-ffast-math), which is
// what lets compilers make vectors of them, and of functions of libm.
#include "rounding.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t i64;

//===-- Rows and columns --------------------------------------------------------------------------===//

void softmax(i64 m, i64 n, const double *restrict x, double *restrict out) {
  for (i64 i = 0; i < m; ++i, x += n, out += n) {
    double most = x[0], sum = 0;
    for (i64 j = 0; j < n; ++j) most = x[j] > most ? x[j] : most;
    for (i64 j = 0; j < n; ++j) sum += out[j] = exp(x[j] - most);
    double scale = INVERSE(sum);
    for (i64 j = 0; j < n; ++j) out[j] = OVER(out[j], scale);
  }
}

void layer_norm(i64 m, i64 n, const double *restrict x, const double *restrict weight, const double *restrict bias,
                double *restrict out) {
  for (i64 i = 0; i < m; ++i, x += n, out += n) {
    double mean = 0, var = 0;
    for (i64 j = 0; j < n; ++j) mean += x[j];
    mean /= (double)n;
    for (i64 j = 0; j < n; ++j) var += (x[j] - mean) * (x[j] - mean);
    double scale = INVERSE(sqrt(var / (double)n + 1e-5));
    for (i64 j = 0; j < n; ++j) out[j] = OVER(x[j] - mean, scale) * weight[j] + bias[j];
  }
}

void standardise(i64 m, i64 n, const double *restrict x, double *restrict out) {
  double *restrict mean = calloc((size_t)n, 16), *restrict scale = mean + n;
  for (i64 i = 0; i < m; ++i)
    for (i64 j = 0; j < n; ++j) mean[j] += x[i * n + j];
  for (i64 j = 0; j < n; ++j) mean[j] /= (double)m;
  for (i64 i = 0; i < m; ++i)
    for (i64 j = 0; j < n; ++j) scale[j] += (x[i * n + j] - mean[j]) * (x[i * n + j] - mean[j]);
  for (i64 j = 0; j < n; ++j) scale[j] = INVERSE(sqrt(scale[j] / (double)m));
  for (i64 i = 0; i < m; ++i)
    for (i64 j = 0; j < n; ++j) out[i * n + j] = OVER(x[i * n + j] - mean[j], scale[j]);
  free(mean);
}

// The sum that moves with the window.
void moving_mean(i64 n, i64 width, const double *restrict x, double *restrict out) {
  double total = 0, scale = INVERSE((double)width);
  for (i64 i = 0; i < width; ++i) total += x[i];
  out[0] = OVER(total, scale);
  for (i64 i = width; i < n; ++i) total += x[i] - x[i - width], out[i - width + 1] = OVER(total, scale);
}

//===-- Stencils ----------------------------------------------------------------------------------===//

void heat(i64 m, i64 n, i64 steps, double *restrict u) {
  double *restrict rows = malloc(sizeof(double) * (size_t)(2 * n)), *before = rows, *own = rows + n;
  for (; steps > 0; --steps) {
    memcpy(before, u, sizeof(double) * (size_t)n);
    for (i64 i = 1; i < m - 1; ++i) {
      double *restrict row = u + i * n;
      memcpy(own, row, sizeof(double) * (size_t)n);
      for (i64 j = 1; j < n - 1; ++j)
        row[j] = own[j] + 0.1 * (row[j + n] + before[j] + own[j + 1] + own[j - 1] - 4 * own[j]);
      double *other = before;
      before = own, own = other;
    }
  }
  free(rows);
}

static void five_points(i64 m, i64 n, const double *restrict a, double *restrict b) {
  for (i64 i = 1; i < m - 1; ++i)
    for (i64 j = 1; j < n - 1; ++j) {
      const double *p = a + i * n + j;
      b[i * n + j] = 0.2 * (p[0] + p[-1] + p[1] + p[n] + p[-n]);
    }
}

void jacobi(i64 m, i64 n, i64 steps, double *restrict a, double *restrict b) {
  for (; steps > 0; --steps) {
    five_points(m, n, a, b);
    five_points(m, n, b, a);
  }
}

static double laplace(const double *p, i64 row, i64 plane) {
  return 4.0 * p[0] - (p[plane] + p[-plane] + p[row] + p[-row]);
}

static double flux(const double *p, i64 step, i64 row, i64 plane) {
  double change = laplace(p + step, row, plane) - laplace(p, row, plane);
  return change * (p[step] - p[0]) > 0 ? 0.0 : change;
}

// Everything again for each point, in registers.
void hdiff(i64 l, i64 m, i64 n, double coeff, const double *restrict field, double *restrict out) {
  i64 row = n, plane = m * n;
  for (i64 i = 2; i < l - 2; ++i)
    for (i64 j = 2; j < m - 2; ++j)
      for (i64 k = 0; k < n; ++k) {
        const double *p = field + i * plane + j * row + k;
        double change = flux(p, plane, row, plane) - flux(p - plane, plane, row, plane) + flux(p, row, row, plane) -
                        flux(p - row, row, row, plane);
        out[((i - 2) * (m - 4) + j - 2) * n + k] = p[0] - coeff * change;
      }
}

//===-- Long expressions --------------------------------------------------------------------------===//

static double cdf(double d) {
  double k = 1.0 / (1.0 + 0.2316419 * fabs(d));
  double poly = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
  double tail = 0.3989422804014327 * exp(-0.5 * d * d) * poly;
  return d > 0 ? 1.0 - tail : tail;
}

void black_scholes(i64 n, const double *restrict price, const double *restrict strike, const double *restrict years,
                   double rate, double volatility, double *restrict call, double *restrict put) {
  for (i64 i = 0; i < n; ++i) {
    double root = volatility * sqrt(years[i]);
    double d1 = (log(price[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * years[i]) / root;
    double cdf1 = cdf(d1), cdf2 = cdf(d1 - root), discounted = strike[i] * exp(-rate * years[i]);
    call[i] = price[i] * cdf1 - discounted * cdf2;
    put[i] = discounted * (1.0 - cdf2) - price[i] * (1.0 - cdf1);
  }
}

double pricer(i64 m, i64 n, double *restrict paths, double dt, double drift, double volatility,
              const double *restrict noise) {
  double c1 = drift * dt, c2 = volatility * sqrt(dt), total = 0;
  for (i64 i = 0; i < m; ++i) {
    double *restrict path = paths + i * n;
    const double *restrict z = noise + i * n;
    double last = path[0], steps[64];
    for (i64 first = 1; first < n; first += 64) {
      i64 count = n - first < 64 ? n - first : 64;
      for (i64 j = 0; j < count; ++j) steps[j] = exp(c1 + c2 * z[first + j]);
      for (i64 j = 0; j < count; ++j) path[first + j] = last *= steps[j];
    }
    total += last;
  }
  return total / (double)m;
}

void haversine(i64 n, const double *restrict lat, const double *restrict lon, double *restrict out) {
  double *restrict cosine = malloc(sizeof(double) * (size_t)n);
  for (i64 j = 0; j < n; ++j) cosine[j] = cos(lat[j]);
  for (i64 i = 0; i < n; ++i)
    for (i64 j = 0; j < n; ++j) {
      double s = sin((lat[i] - lat[j]) / 2), t = sin((lon[i] - lon[j]) / 2);
      out[i * n + j] = 2 * 6371.0 * asin(sqrt(s * s + cosine[i] * cosine[j] * (t * t)));
    }
  free(cosine);
}

void go_fast(i64 n, const double *restrict a, double *restrict out) {
  double trace = 0;
  for (i64 i = 0; i < n; ++i) trace += tanh(a[i * n + i]);
  for (i64 i = 0; i < n * n; ++i) out[i] = a[i] + trace;
}

void expression(i64 n, const double *restrict a, const double *restrict b, const double *restrict c,
                const double *restrict d, double *restrict out) {
  for (i64 i = 0; i < n; ++i) {
    double x = a[i] * b[i] + c[i], y = x * 2.0 - d[i], z = y * y + x;
    out[i] = z / (1.0 + y * y);
  }
}

void plus_transposed(i64 n, const double *restrict m, double *restrict out) {
  enum { TILE = 16 };
  for (i64 ti = 0; ti < n; ti += TILE)
    for (i64 tj = 0; tj < n; tj += TILE)
      for (i64 i = ti; i < n && i < ti + TILE; ++i)
        for (i64 j = tj; j < n && j < tj + TILE; ++j) out[i * n + j] = m[i * n + j] + m[j * n + i] * 2;
}

//===-- Physics, learning -------------------------------------------------------------------------===//

void nbody(i64 n, const double *restrict pos, const double *restrict mass, double *restrict out) {
  double *restrict x = malloc(sizeof(double) * (size_t)(3 * n)), *restrict y = x + n, *restrict z = y + n;
  for (i64 i = 0; i < n; ++i) x[i] = pos[3 * i], y[i] = pos[3 * i + 1], z[i] = pos[3 * i + 2];
  for (i64 i = 0; i < n; ++i) {
    double ax = 0, ay = 0, az = 0;
    for (i64 j = 0; j < n; ++j) {
      double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      double distance = dx * dx + dy * dy + dz * dz + 0.01, weight = mass[j] / (distance * sqrt(distance));
      ax += dx * weight, ay += dy * weight, az += dz * weight;
    }
    out[3 * i] = ax, out[3 * i + 1] = ay, out[3 * i + 2] = az;
  }
  free(x);
}

// Of points with four coordinates.
void kmeans(i64 n, i64 centres_count, i64 steps, const double *restrict points, double *restrict centres,
            i64 *restrict labels) {
  double *sums = malloc(sizeof(double) * (size_t)(5 * centres_count));
  for (; steps > 0; --steps) {
    memset(sums, 0, sizeof(double) * (size_t)(5 * centres_count));
    for (i64 i = 0; i < n; ++i) {
      const double *p = points + 4 * i;
      double least = INFINITY;
      for (i64 k = 0; k < centres_count; ++k) {
        double distance = 0;
        for (int d = 0; d < 4; ++d) distance += (p[d] - centres[4 * k + d]) * (p[d] - centres[4 * k + d]);
        if (distance < least) least = distance, labels[i] = k;
      }
      double *sum = sums + 5 * labels[i];
      for (int d = 0; d < 4; ++d) sum[d] += p[d];
      sum[4] += 1;
    }
    for (i64 k = 0; k < centres_count; ++k)
      for (int d = 0; d < 4 && sums[5 * k + 4] > 0; ++d) centres[4 * k + d] = sums[5 * k + d] / sums[5 * k + 4];
  }
  free(sums);
}

void logistic_regression(i64 m, i64 n, i64 steps, const double *restrict x, const double *restrict y,
                         double *restrict w) {
  double *restrict gradient = malloc(sizeof(double) * (size_t)n), *restrict residual =
                                                                      malloc(sizeof(double) * (size_t)m);
  memset(w, 0, sizeof(double) * (size_t)n);
  for (; steps > 0; --steps) {
    for (i64 i = 0; i < m; ++i) {
      double dot = 0;
      for (i64 j = 0; j < n; ++j) dot += x[i * n + j] * w[j];
      residual[i] = dot;
    }
    for (i64 i = 0; i < m; ++i) residual[i] = 1.0 / (1.0 + exp(-residual[i])) - y[i];
    memset(gradient, 0, sizeof(double) * (size_t)n);
    for (i64 i = 0; i < m; ++i)
      for (i64 j = 0; j < n; ++j) gradient[j] += x[i * n + j] * residual[i];
    for (i64 j = 0; j < n; ++j) w[j] -= 0.1 * gradient[j] / (double)m;
  }
  free(gradient);
  free(residual);
}

void kalman(i64 n, const double *restrict z, double q, double r, double *restrict out) {
  double x0 = 0, x1 = 0, p00 = 1, p01 = 0, p10 = 0, p11 = 1;
  for (i64 i = 0; i < n; ++i) {
    x0 += x1;
    double a00 = p00 + p10, a01 = p01 + p11;
    p00 = a00 + a01 + q, p01 = a01, p10 += p11, p11 += q;
    double s = p00 + r, g0 = p00 / s, g1 = p10 / s, change = z[i] - x0;
    x0 += g0 * change, x1 += g1 * change;
    double b00 = p00, b01 = p01;
    p00 -= g0 * b00, p01 -= g0 * b01, p10 -= g1 * b00, p11 -= g1 * b01;
    out[i] = x0;
  }
}

//===-- Matrices ----------------------------------------------------------------------------------===//

void floyd_warshall(i64 n, double *path) {
  for (i64 k = 0; k < n; ++k)
    for (i64 i = 0; i < n; ++i) {
      double *restrict row = path + i * n, through = row[k];
      const double *other = path + k * n;
      if (i == k) continue; // nothing changes: its own distance is 0 or more
      for (i64 j = 0; j < n; ++j) row[j] = row[j] < through + other[j] ? row[j] : through + other[j];
    }
}

void lu(i64 n, double *a) {
  for (i64 k = 0; k < n - 1; ++k)
    for (i64 i = k + 1; i < n; ++i) {
      double *restrict row = a + i * n, factor = row[k] /= a[k * n + k];
      const double *pivot = a + k * n;
      for (i64 j = k + 1; j < n; ++j) row[j] -= factor * pivot[j];
    }
}

void lu_dots(i64 n, double *restrict a) {
  for (i64 i = 0; i < n; ++i)
    for (i64 j = 0; j < n; ++j) {
      double sum = 0;
      for (i64 k = 0; k < (j < i ? j : i); ++k) sum += a[i * n + k] * a[k * n + j];
      a[i * n + j] -= sum;
      if (j < i) a[i * n + j] /= a[j * n + j];
    }
}

void matmul_each_4(i64 count, const double *restrict a, const double *restrict b, double *restrict total) {
  double sums[16] = {0};
  for (; count > 0; --count, a += 16, b += 16)
    for (int i = 0; i < 4; ++i)
      for (int k = 0; k < 4; ++k)
        for (int j = 0; j < 4; ++j) sums[4 * i + j] += a[4 * i + k] * b[4 * k + j];
  memcpy(total, sums, sizeof sums);
}

#define SMALL_PRODUCT(n)                                                                                               \
  void matmul_##n(i64 count, const double *restrict a, const double *restrict b, double *restrict c) {                 \
    for (; count > 0; --count, a += n * n, b += n * n, c += n * n)                                                     \
      for (int i = 0; i < n; ++i) {                                                                                    \
        double row[n] = {0};                                                                                           \
        for (int k = 0; k < n; ++k)                                                                                    \
          for (int j = 0; j < n; ++j) row[j] += a[n * i + k] * b[n * k + j];                                           \
        memcpy(c + n * i, row, sizeof row);                                                                            \
      }                                                                                                                \
  }
SMALL_PRODUCT(4)
SMALL_PRODUCT(8)
SMALL_PRODUCT(16)

static void times_vector(i64 m, i64 n, const double *restrict a, const double *restrict x, double scale,
                         double *restrict out) {
  for (i64 i = 0; i < m; ++i) {
    double sum = 0;
    for (i64 j = 0; j < n; ++j) sum += a[i * n + j] * x[j];
    out[i] += scale * sum;
  }
}

static void vector_times(i64 m, i64 n, const double *restrict x, const double *restrict a, double *restrict out) {
  for (i64 i = 0; i < m; ++i)
    for (i64 j = 0; j < n; ++j) out[j] += x[i] * a[i * n + j];
}

void gesummv(i64 n, double alpha, double beta, const double *restrict a, const double *restrict b,
             const double *restrict x, double *restrict out) {
  memset(out, 0, sizeof(double) * (size_t)n);
  times_vector(n, n, a, x, alpha, out);
  times_vector(n, n, b, x, beta, out);
}

void mvt(i64 n, double *restrict x1, double *restrict x2, const double *restrict y1, const double *restrict y2,
         const double *restrict a) {
  times_vector(n, n, a, y1, 1, x1);
  vector_times(n, n, y2, a, x2);
}

void atax(i64 n, const double *restrict a, const double *restrict x, double *restrict out) {
  memset(out, 0, sizeof(double) * (size_t)n);
  for (i64 i = 0; i < n; ++i) {
    double sum = 0;
    for (i64 j = 0; j < n; ++j) sum += a[i * n + j] * x[j];
    for (i64 j = 0; j < n; ++j) out[j] += sum * a[i * n + j];
  }
}

void bicg(i64 n, const double *restrict a, const double *restrict p, const double *restrict r, double *restrict s,
          double *restrict q) {
  memset(s, 0, sizeof(double) * (size_t)n);
  memset(q, 0, sizeof(double) * (size_t)n);
  vector_times(n, n, r, a, s);
  times_vector(n, n, a, p, 1, q);
}

//===-- Small ones --------------------------------------------------------------------------------===//

double small_vectors(i64 n) {
  double total = 0;
  for (i64 i = 0; i < n; ++i) {
    double p[] = {1.0 * (double)i, 2.0, 3.0}, q[3] = {0};
    for (int k = 0; k < 3; ++k) total += p[k] * (q[k] += p[k] * 0.5);
  }
  return total;
}

double dot_of_products(i64 n, const double *restrict x, const double *restrict y) {
  double total = 0;
  for (i64 i = 0; i < n; ++i) total += x[i] * y[i];
  return total;
}

double distance(i64 n, const double *restrict x, const double *restrict y) {
  double total = 0;
  for (i64 i = 0; i < n; ++i) total += (x[i] - y[i]) * (x[i] - y[i]);
  return sqrt(total);
}

i64 count_both(i64 n, const double *restrict x, const double *restrict y) {
  i64 total = 0;
  for (i64 i = 0; i < n; ++i) total += (x[i] > 0.25) & (y[i] < 0.5);
  return total;
}
