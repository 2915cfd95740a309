// The programs of data_programs.py as loops that one writes by hand; see programs.c.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t i64;

// The number of bins of one width is known, so that a value finds its own.
void mask_histogram(i64 n, i64 bins, const double *restrict x, const double *restrict edges, i64 *restrict counts) {
  memset(counts, 0, sizeof(i64) * (size_t)bins);
  double scale = (double)bins / (edges[bins] - edges[0]);
  for (i64 i = 0; i < n; ++i) {
    i64 k = (i64)((x[i] - edges[0]) * scale);
    if (k > bins - 1) k = bins - 1;
    k += (x[i] >= edges[k + 1]) - (x[i] < edges[k]);
    if (k >= 0 && k < bins) ++counts[k];
  }
}

void azimint(i64 n, i64 rings, const double *restrict data, const double *restrict radius, double *restrict out) {
  double most = 0, *restrict counts = calloc(2 * (size_t)rings + 1, sizeof(double)), *restrict edges = counts + rings;
  for (i64 i = 0; i < n; ++i) most = radius[i] > most ? radius[i] : most;
  for (i64 k = 0; k <= rings; ++k) {
    volatile double all = most * (double)k, count = (double)rings; // a division, which is no product of a reciprocal
    edges[k] = all / count;
  }
  memset(out, 0, sizeof(double) * (size_t)rings);
  double scale = (double)rings / most;
  for (i64 i = 0; i < n; ++i) {
    i64 k = (i64)(radius[i] * scale);
    if (k > rings - 1) k = rings - 1;
    k += (radius[i] >= edges[k + 1]) - (radius[i] < edges[k]);
    if (k < rings) out[k] += data[i], ++counts[k];
  }
  for (i64 k = 0; k < rings; ++k) out[k] /= counts[k];
  free(counts);
}

void mandelbrot(i64 width, i64 height, i64 steps, const double *restrict real, const double *restrict imaginary,
                i64 *restrict counts) {
  for (i64 i = 0; i < height; ++i)
    for (i64 j = 0; j < width; ++j) {
      double x = 0, y = 0;
      i64 count = 0;
      for (; count < steps && x * x + y * y < 4; ++count) {
        double next = x * x - y * y + real[j];
        y = 2 * x * y + imaginary[i], x = next;
      }
      counts[i * width + j] = count;
    }
}

// Products of windows along a diagonal are those of the ones before, but for two terms.
void matrix_profile(i64 length, i64 width, const double *restrict series, double *restrict profile,
                    i64 *restrict index) {
  i64 n = length - width + 1;
  double *restrict mean = malloc(2 * sizeof(double) * (size_t)n), *restrict scale = mean + n;
  for (i64 i = 0; i < n; ++i) {
    double sum = 0, square = 0;
    for (i64 k = 0; k < width; ++k) sum += series[i + k];
    mean[i] = sum / (double)width;
    for (i64 k = 0; k < width; ++k) square += (series[i + k] - mean[i]) * (series[i + k] - mean[i]);
    scale[i] = 1 / sqrt(square / (double)width);
    profile[i] = INFINITY, index[i] = 0;
  }
  for (i64 distance = width / 2 + 1; distance < n; ++distance) {
    double product = 0;
    for (i64 k = 0; k < width; ++k) product += series[k] * series[distance + k];
    for (i64 i = 0; i + distance < n; ++i) {
      i64 j = i + distance;
      if (i > 0) product += series[i + width - 1] * series[j + width - 1] - series[i - 1] * series[j - 1];
      double correlation = (product / (double)width - mean[i] * mean[j]) * scale[i] * scale[j];
      double square = 2 * (double)width * (1 - correlation);
      if (square < profile[i]) profile[i] = square, index[i] = j;
      if (square < profile[j]) profile[j] = square, index[j] = i;
    }
  }
  for (i64 i = 0; i < n; ++i) profile[i] = sqrt(profile[i] > 0 ? profile[i] : 0);
  free(mean);
}

void nussinov(i64 n, const i64 *restrict bases, i64 *restrict table) {
  memset(table, 0, sizeof(i64) * (size_t)(n * n));
  i64 *restrict columns = calloc((size_t)(n * n), sizeof(i64)); // the table transposed, to read columns in order
  for (i64 i = n - 2; i >= 0; --i)
    for (i64 j = i + 1; j < n; ++j) {
      const i64 *restrict row = table + i * n, *restrict column = columns + j * n;
      i64 most = row[j - 1] > column[i + 1] ? row[j - 1] : column[i + 1];
      if (i + 1 < j) {
        i64 paired = table[(i + 1) * n + j - 1] + (bases[i] + bases[j] == 3);
        most = paired > most ? paired : most;
        for (i64 k = i + 1; k < j; ++k) most = row[k] + column[k + 1] > most ? row[k] + column[k + 1] : most;
      }
      table[i * n + j] = columns[j * n + i] = most;
    }
  free(columns);
}

i64 crc16(i64 n, const unsigned char *restrict data, i64 polynomial) {
  i64 crc = 0xFFFF;
  for (i64 i = 0; i < n; ++i) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (polynomial & -(crc & 1));
  }
  crc = ~crc & 0xFFFF;
  return ((crc << 8) | (crc >> 8)) & 0xFFFF;
}

static i64 root(i64 *restrict labels, i64 node) {
  while (labels[node] != node) node = labels[node] = labels[labels[node]];
  return node;
}

// Sets that are joined at their least nodes.
void components(i64 nodes, i64 edges, const i64 *restrict a, const i64 *restrict b, i64 *restrict labels) {
  for (i64 i = 0; i < nodes; ++i) labels[i] = i;
  for (i64 e = 0; e < edges; ++e) {
    i64 p = root(labels, a[e]), q = root(labels, b[e]);
    if (p < q)
      labels[q] = p;
    else
      labels[p] = q;
  }
  for (i64 i = 0; i < nodes; ++i) labels[i] = labels[labels[i]];
}

void pagerank(i64 nodes, i64 edges, i64 steps, const i64 *restrict source, const i64 *restrict target,
              double *restrict rank) {
  double *restrict degree = calloc(2 * (size_t)nodes, sizeof(double)), *restrict next = degree + nodes;
  for (i64 e = 0; e < edges; ++e) ++degree[source[e]];
  for (i64 i = 0; i < nodes; ++i) rank[i] = 1 / (double)nodes;
  for (; steps > 0; --steps) {
    double loose = 0;
    memset(next, 0, sizeof(double) * (size_t)nodes);
    for (i64 i = 0; i < nodes; ++i) {
      if (degree[i] == 0) loose += rank[i];
      rank[i] /= degree[i];
    }
    for (i64 e = 0; e < edges; ++e) next[target[e]] += rank[source[e]];
    for (i64 i = 0; i < nodes; ++i) rank[i] = 0.15 / (double)nodes + 0.85 * (next[i] + loose / (double)nodes);
  }
  free(degree);
}
