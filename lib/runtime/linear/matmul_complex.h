// Products of matrices of complex numbers, whose parts are PA_T, by names PA_NAME(stem). No guard: once for each type.
//
// As matmul_type.h does it, with the real and imaginary parts of a strip of B apart from each other.

enum { PA_NAME(lanes) = PA_PARTS / sizeof(PA_T), PA_NAME(strip_depth) = 128 };
typedef PA_T PA_NAME(vector) __attribute__((vector_size(PA_PARTS)));

static inline __attribute__((always_inline)) void PA_NAME(block)(const pa_matmul *x, const PA_NAME(vector) * b,
                                                                 int64_t i, int64_t j, int64_t low, int64_t high,
                                                                 int rows) {
  const PA_T *a = (const PA_T *)x->a + 2 * i * x->a_m;
  PA_T *c = (PA_T *)x->c + 2 * (i * x->c_m + j * x->c_n);
  PA_NAME(vector) real[2] = {{0}, {0}}, imaginary[2] = {{0}, {0}};
  for (int64_t l = low; l < high; ++l, b += 2) _Pragma("GCC unroll 2") for (int r = 0; r < rows; ++r) {
      const PA_T *item = a + 2 * (r * x->a_m + l * x->a_k);
      real[r] += item[0] * b[0];
      real[r] -= item[1] * b[1];
      imaginary[r] += item[0] * b[1];
      imaginary[r] += item[1] * b[0];
    }
  for (int r = 0; r < rows; ++r)
    for (int64_t lane = 0; lane < PA_NAME(lanes); ++lane) {
      PA_T *item = c + 2 * (r * x->c_m + lane * x->c_n);
      item[0] = low ? item[0] + real[r][lane] : real[r][lane];
      item[1] = low ? item[1] + imaginary[r][lane] : imaginary[r][lane];
    }
}

static void PA_NAME(strip)(const pa_matmul *x, int64_t j, int64_t low, int64_t high) {
  PA_NAME(vector) copy[PA_NAME(strip_depth)][2];
  for (int64_t l = low; l < high; ++l)
    for (int64_t lane = 0; lane < PA_NAME(lanes); ++lane)
      for (int part = 0; part < 2; ++part)
        copy[l - low][part][lane] = ((const PA_T *)x->b)[2 * (l * x->b_k + (j + lane) * x->b_n) + part];
  int64_t i = 0;
  for (; i + 2 <= x->m; i += 2) PA_NAME(block)(x, copy[0], i, j, low, high, 2);
  for (; i < x->m; ++i) PA_NAME(block)(x, copy[0], i, j, low, high, 1);
}

static void PA_NAME(column)(const pa_matmul *x, int64_t j) {
  for (int64_t i = 0; i < x->m; ++i) {
    const PA_T *a = (const PA_T *)x->a + 2 * i * x->a_m, *b = (const PA_T *)x->b + 2 * j * x->b_n;
    PA_T real = 0, imaginary = 0, *c = (PA_T *)x->c + 2 * (i * x->c_m + j * x->c_n);
    for (int64_t l = 0; l < x->k; ++l, a += 2 * x->a_k, b += 2 * x->b_k) {
      real += a[0] * b[0] - a[1] * b[1];
      imaginary += a[0] * b[1] + a[1] * b[0];
    }
    c[0] = real;
    c[1] = imaginary;
  }
}

static void PA_NAME(one)(const pa_matmul *x) {
  int64_t j = 0, depth = PA_NAME(strip_depth);
  for (; j + PA_NAME(lanes) <= x->n; j += PA_NAME(lanes))
    for (int64_t low = 0; low == 0 || low < x->k; low += depth)
      PA_NAME(strip)(x, j, low, low + depth < x->k ? low + depth : x->k);
  for (; j < x->n; ++j) PA_NAME(column)(x, j);
}

static void PA_NAME(matmul)(const pa_matmul *given) {
  pa_matmul x = *given;
  for (int64_t q = 0; q < given->count; ++q) {
    x.a = (const PA_T *)given->a + 2 * q * x.a_step;
    x.b = (const PA_T *)given->b + 2 * q * x.b_step;
    x.c = (PA_T *)given->c + 2 * q * x.c_step;
    PA_NAME(one)(&x);
  }
}
