// The loops of examples/ in C, for comparison: the same algorithms on the same arrays, int64 indices, C order.
// Results are new memory, as in Python; the caller releases it with free().
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

double *matmul(const double *a, const double *b, int64_t rows, int64_t inner, int64_t columns) {
  double *result = malloc(rows * columns * sizeof *result);
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < columns; j++) {
      double total = 0.0;
      for (int64_t k = 0; k < inner; k++) total += a[i * inner + k] * b[k * columns + j];
      result[i * columns + j] = total;
    }
  return result;
}

static int64_t escape_time(double real, double imag, int64_t limit) {
  double x = 0.0, y = 0.0;
  int64_t steps = 0;
  while (steps < limit && x * x + y * y <= 4.0) {
    double next = x * x - y * y + real;
    y = 2.0 * x * y + imag;
    x = next;
    steps++;
  }
  return steps;
}

int64_t *mandelbrot(int64_t height, int64_t width, int64_t limit) {
  int64_t *image = malloc(height * width * sizeof *image);
  for (int64_t i = 0; i < height; i++) {
    double imag = 2.0 * (double)i / (double)height - 1.0;
    for (int64_t j = 0; j < width; j++)
      image[i * width + j] = escape_time(3.0 * (double)j / (double)width - 2.0, imag, limit);
  }
  return image;
}

// Returns u or work, whichever holds the last step.
double *laplace(double *u, double *work, int64_t rows, int64_t columns, int64_t iterations) {
  for (int64_t step = 0; step < iterations; step++) {
    for (int64_t i = 1; i < rows - 1; i++)
      for (int64_t j = 1; j < columns - 1; j++)
        work[i * columns + j] = 0.25 * (u[(i - 1) * columns + j] + u[(i + 1) * columns + j] + u[i * columns + j - 1] +
                                        u[i * columns + j + 1]);
    double *last = u;
    u = work;
    work = last;
  }
  return u;
}

static void advance(double *positions, double *velocities, const double *masses, int64_t n, double dt) {
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = i + 1; j < n; j++) {
      double dx = positions[i * 3] - positions[j * 3];
      double dy = positions[i * 3 + 1] - positions[j * 3 + 1];
      double dz = positions[i * 3 + 2] - positions[j * 3 + 2];
      double square = dx * dx + dy * dy + dz * dz;
      double magnitude = dt / (square * sqrt(square));
      velocities[i * 3] -= dx * masses[j] * magnitude;
      velocities[i * 3 + 1] -= dy * masses[j] * magnitude;
      velocities[i * 3 + 2] -= dz * masses[j] * magnitude;
      velocities[j * 3] += dx * masses[i] * magnitude;
      velocities[j * 3 + 1] += dy * masses[i] * magnitude;
      velocities[j * 3 + 2] += dz * masses[i] * magnitude;
    }
  for (int64_t i = 0; i < n; i++)
    for (int64_t axis = 0; axis < 3; axis++) positions[i * 3 + axis] += dt * velocities[i * 3 + axis];
}

static double energy(const double *positions, const double *velocities, const double *masses, int64_t n) {
  double total = 0.0;
  for (int64_t i = 0; i < n; i++) {
    double speed = 0.0;
    for (int64_t axis = 0; axis < 3; axis++) speed += velocities[i * 3 + axis] * velocities[i * 3 + axis];
    total += 0.5 * masses[i] * speed;
    for (int64_t j = i + 1; j < n; j++) {
      double square = 0.0;
      for (int64_t axis = 0; axis < 3; axis++) {
        double distance = positions[i * 3 + axis] - positions[j * 3 + axis];
        square += distance * distance;
      }
      total -= masses[i] * masses[j] / sqrt(square);
    }
  }
  return total;
}

double nbody(double *positions, double *velocities, const double *masses, int64_t n, int64_t steps, double dt) {
  for (int64_t step = 0; step < steps; step++) advance(positions, velocities, masses, n, dt);
  return energy(positions, velocities, masses, n);
}

int64_t *sieve(int64_t n, int64_t *out_count) {
  int64_t size = n > 2 ? n : 2;
  uint8_t *is_prime = malloc(size);
  memset(is_prime, 1, size);
  is_prime[0] = is_prime[1] = 0;
  for (int64_t i = 2; i * i < n; i++)
    if (is_prime[i])
      for (int64_t multiple = i * i; multiple < n; multiple += i) is_prime[multiple] = 0;
  int64_t count = 0;
  for (int64_t i = 0; i < size; i++)
    if (is_prime[i]) count++;
  int64_t *primes = malloc(count * sizeof *primes);
  int64_t found = 0;
  for (int64_t i = 0; i < size; i++)
    if (is_prime[i]) primes[found++] = i;
  free(is_prime);
  *out_count = count;
  return primes;
}

int64_t bubble_sort(double *a, int64_t n) {
  int64_t passes = 0;
  for (int64_t end = n - 1; end > 0; end--) {
    int swapped = 0;
    for (int64_t i = 0; i < end; i++)
      if (a[i] > a[i + 1]) {
        double value = a[i];
        a[i] = a[i + 1];
        a[i + 1] = value;
        swapped = 1;
      }
    passes++;
    if (!swapped) break;
  }
  return passes;
}

static int64_t least(int64_t a, int64_t b) { return b < a ? b : a; }

int64_t levenshtein(const int64_t *a, const int64_t *b, int64_t a_size, int64_t b_size) {
  int64_t *row = malloc((b_size + 1) * sizeof *row);
  for (int64_t j = 0; j < b_size + 1; j++) row[j] = j;
  for (int64_t i = 0; i < a_size; i++) {
    int64_t diagonal = row[0];
    row[0] = i + 1;
    for (int64_t j = 0; j < b_size; j++) {
      int64_t cost = a[i] == b[j] ? 0 : 1;
      int64_t above = row[j + 1];
      row[j + 1] = least(least(above + 1, row[j] + 1), diagonal + cost);
      diagonal = above;
    }
  }
  int64_t distance = row[b_size];
  free(row);
  return distance;
}

void saxpy(float a, const float *x, const float *y, float *out, int64_t size) {
  for (int64_t i = 0; i < size; i++) out[i] = a * x[i] + y[i];
}

void zero_suppress(const float *value, float threshold, float *out, int64_t size) {
  for (int64_t i = 0; i < size; i++) out[i] = fabsf(value[i]) > threshold ? value[i] : 0;
}
