// Products of matrices of PA_T, by names PA_NAME(stem). PA_ADD(sum, a, b) adds the product of a number and a vector, or
// two numbers, PA_TAKE(more, sum, old) what C has, PA_END(type, sum) makes the result of the sum. No guard: once for
// each type.
//
// A block of C, rows by one or two vectors, stays in registers while k runs. Columns are taken strip by strip, so that
// a strip of B stays in the nearest cache; it is copied there first where its rows are not contiguous, or many rows of
// A read it.

enum {
  PA_NAME(strip_depth) = 256,
  PA_NAME(rows_for_copy) = 24,
  PA_NAME(widest) = 2 * PA_VECTOR / sizeof(PA_T) // columns of a strip
};

// Of one product: extents and strides are those of |x|.
typedef struct PA_NAME(place) {
  const PA_T *a, *b;
  PA_T *c;
} PA_NAME(place);

#define PA_BLOCK(name, bytes, vectors)                                                                                 \
  typedef PA_T PA_NAME(vector_##name) __attribute__((vector_size(bytes)));                                             \
  typedef PA_T PA_NAME(loose_##name) __attribute__((vector_size(bytes), may_alias, aligned(sizeof(PA_T))));            \
                                                                                                                       \
  static inline __attribute__((always_inline)) void PA_NAME(block_##name)(                                             \
      const pa_matmul *x, const PA_T *a, const PA_T *b, int64_t b_k, PA_T *c, int64_t depth, int more, int rows) {     \
    enum { LANES = bytes / sizeof(PA_T) };                                                                             \
    int64_t a_m = x->a_m, a_k = x->a_k, c_m = x->c_m;                                                                  \
    PA_NAME(vector_##name) sums[8 / vectors][vectors];                                                                 \
    _Pragma("GCC unroll 8") for (int r = 0; r < rows; ++r) _Pragma("GCC unroll 2") for (int v = 0; v < vectors; ++v)   \
        sums[r][v] = (PA_NAME(vector_##name)){0};                                                                      \
    for (int64_t l = 0; l < depth; ++l) {                                                                              \
      PA_NAME(vector_##name) row[vectors];                                                                             \
      _Pragma("GCC unroll 2") for (int v = 0; v < vectors; ++v) row[v] =                                               \
          *(const PA_NAME(loose_##name) *)(b + l * b_k + v * LANES);                                                   \
      _Pragma("GCC unroll 8") for (int r = 0; r < rows; ++r) _Pragma("GCC unroll 2") for (int v = 0; v < vectors; ++v) \
          PA_ADD(sums[r][v], a[r * a_m + l * a_k], row[v]);                                                            \
      PA_STOP(name, bytes, vectors)                                                                                    \
    }                                                                                                                  \
    _Pragma("GCC unroll 8") for (int r = 0; r < rows; ++r) _Pragma("GCC unroll 2") for (int v = 0; v < vectors; ++v) { \
      PA_NAME(loose_##name) *to = (PA_NAME(loose_##name) *)(c + r * c_m + v * LANES);                                  \
      if (more) PA_TAKE(more, sums[r][v], *to);                                                                        \
      *to = PA_END(PA_NAME(vector_##name), sums[r][v]);                                                                \
    }                                                                                                                  \
  }                                                                                                                    \
                                                                                                                       \
  static inline __attribute__((always_inline)) void PA_NAME(rows_##name)(                                              \
      const pa_matmul *x, const PA_T *a, const PA_T *b, int64_t b_k, PA_T *c, int64_t depth, int more) {               \
    int64_t left = x->m, a_m = x->a_m, c_m = x->c_m;                                                                   \
    for (; left >= 8 / vectors; left -= 8 / vectors, a += 8 / vectors * a_m, c += 8 / vectors * c_m)                   \
      PA_NAME(block_##name)(x, a, b, b_k, c, depth, more, 8 / vectors);                                                \
    for (; vectors == 1 && left >= 4; left -= 4, a += 4 * a_m, c += 4 * c_m)                                           \
      PA_NAME(block_##name)(x, a, b, b_k, c, depth, more, 4);                                                          \
    for (; left > 0; --left, a += a_m, c += c_m) PA_NAME(block_##name)(x, a, b, b_k, c, depth, more, 1);               \
  }                                                                                                                    \
                                                                                                                       \
  static void PA_NAME(strip_##name)(const pa_matmul *x, const PA_T *a, const PA_T *b, PA_T *c, int64_t b_k,            \
                                    int64_t depth, int more, int64_t count) {                                          \
    for (; count > 0; --count, a += x->a_step, b += x->b_step, c += x->c_step)                                         \
      PA_NAME(rows_##name)(x, a, b, b_k, c, depth, more);                                                              \
  }

PA_BLOCK(two, PA_VECTOR, 2)
PA_BLOCK(one, PA_VECTOR, 1)
#if PA_VECTOR > 32
PA_BLOCK(half, 32, 1)
#endif
#if PA_VECTOR > 16
PA_BLOCK(least, 16, 1)
#endif

// One column.
static inline __attribute__((always_inline)) void PA_NAME(rows_of_column)(const pa_matmul *x, const PA_T *a,
                                                                          const PA_T *b, PA_T *c, int64_t b_k,
                                                                          int64_t depth, int more) {
  int64_t left = x->m, a_m = x->a_m, a_k = x->a_k, c_m = x->c_m;
  for (; left >= 4; left -= 4, a += 4 * a_m, c += 4 * c_m) {
    PA_T sums[4] = {0};
    for (int64_t l = 0; l < depth; ++l)
      _Pragma("GCC unroll 4") for (int r = 0; r < 4; ++r) PA_ADD(sums[r], a[r * a_m + l * a_k], b[l * b_k]);
    for (int r = 0; r < 4; ++r) {
      if (more) PA_TAKE(more, sums[r], c[r * c_m]);
      c[r * c_m] = PA_END(PA_T, sums[r]);
    }
  }
  for (; left > 0; --left, a += a_m, c += c_m) {
    PA_T sum = 0;
    for (int64_t l = 0; l < depth; ++l) PA_ADD(sum, a[l * a_k], b[l * b_k]);
    if (more) PA_TAKE(more, sum, *c);
    *c = PA_END(PA_T, sum);
  }
}

static void PA_NAME(column)(const pa_matmul *x, const PA_T *a, const PA_T *b, PA_T *c, int64_t b_k, int64_t depth,
                            int more, int64_t count) {
  for (; count > 0; --count, a += x->a_step, b += x->b_step, c += x->c_step)
    PA_NAME(rows_of_column)(x, a, b, c, b_k, depth, more);
}

// The columns that one strip takes of |left|.
static int64_t PA_NAME(strip_width)(int64_t left) {
  int64_t width = PA_NAME(widest);
  while (width > left) width /= 2;
  return width * (int64_t)sizeof(PA_T) < 16 ? 1 : width;
}

// Pointers one by one: of a structure that was just written the processor waits for the parts.
static inline __attribute__((always_inline)) void PA_NAME(strip)(const pa_matmul *x, const PA_T *a, const PA_T *b,
                                                                 PA_T *c, int64_t b_k, int64_t width, int64_t depth,
                                                                 int more, int64_t count) {
  switch (width * (int64_t)sizeof(PA_T)) {
  case 2 * PA_VECTOR: PA_NAME(strip_two)(x, a, b, c, b_k, depth, more, count); break;
  case PA_VECTOR: PA_NAME(strip_one)(x, a, b, c, b_k, depth, more, count); break;
#if PA_VECTOR > 32
  case 32: PA_NAME(strip_half)(x, a, b, c, b_k, depth, more, count); break;
#endif
#if PA_VECTOR > 16
  case 16: PA_NAME(strip_least)(x, a, b, c, b_k, depth, more, count); break;
#endif
  default: PA_NAME(column)(x, a, b, c, b_k, depth, more, count);
  }
}

// Few rows, and contiguous ones in B and C. Some products stay in the cache while strip follows strip. |more|: what
// becomes of what is in C already (matmul_loops.h).
static inline void PA_NAME(direct)(const pa_matmul *x, const PA_T *a, const PA_T *b, PA_T *c, int more) {
  int64_t count = x->count;
  for (int64_t most = 16; count > 0; count -= most) {
    most = count < most ? count : most;
    for (int64_t j = 0, width; j < x->n; j += width) {
      width = PA_NAME(strip_width)(x->n - j);
      PA_NAME(strip)(x, a, b + j, c + j, x->b_k, width, x->k, more, most);
    }
    a += most * x->a_step, b += most * x->b_step, c += most * x->c_step;
  }
}

// Columns of C that are apart are computed side by side.
static __attribute__((noinline)) void PA_NAME(spread)(const pa_matmul *x, PA_NAME(place) at, const PA_T *b,
                                                      int64_t width, int64_t depth, int more) {
  PA_T rows[4 * PA_NAME(widest)];
  pa_matmul part = *x;
  part.c_m = width;
  for (int64_t i = 0; i < x->m; i += part.m) {
    part.m = x->m - i < 4 ? x->m - i : 4;
    PA_T *c = at.c + i * x->c_m;
    for (int64_t r = 0; more && r < part.m; ++r)
      for (int64_t j = 0; j < width; ++j) rows[r * width + j] = c[r * x->c_m + j * x->c_n];
    PA_NAME(strip)(&part, at.a + i * x->a_m, b, rows, width, width, depth, more, 1);
    for (int64_t r = 0; r < part.m; ++r)
      for (int64_t j = 0; j < width; ++j) c[r * x->c_m + j * x->c_n] = rows[r * width + j];
  }
}

static __attribute__((noinline)) void PA_NAME(general)(const pa_matmul *x, PA_NAME(place) at) {
  PA_T copy[PA_NAME(strip_depth) * PA_NAME(widest)] __attribute__((aligned(64)));
  for (int64_t low = 0; low == 0 || low < x->k; low += PA_NAME(strip_depth)) {
    int64_t depth = x->k - low < PA_NAME(strip_depth) ? x->k - low : PA_NAME(strip_depth);
    for (int64_t j = 0, width; j < x->n; j += width) {
      width = PA_NAME(strip_width)(x->n - j);
      const PA_T *b = at.b + low * x->b_k + j * x->b_n;
      for (int64_t l = 0; l < depth; ++l)
        for (int64_t lane = 0; lane < width; ++lane) copy[l * width + lane] = b[l * x->b_k + lane * x->b_n];
      PA_NAME(place) strip = {at.a + low * x->a_k, copy, at.c + j * x->c_n};
      if (x->c_n == 1 || width == 1)
        PA_NAME(strip)(x, strip.a, copy, strip.c, width, width, depth, low > 0, 1);
      else
        PA_NAME(spread)(x, strip, copy, width, depth, low > 0);
    }
  }
}

// Both along memory in k: sums side by side, then their sum.
static PA_T PA_NAME(dot)(const PA_T *a, const PA_T *b, int64_t count) {
  typedef PA_NAME(vector_one) vector;
  typedef PA_NAME(loose_one) loose;
  enum { LANES = PA_VECTOR / sizeof(PA_T), SUMS = 4 };
  vector sums[SUMS] = {{0}, {0}, {0}, {0}};
  PA_T sum = 0;
  int64_t l = 0;
  for (; l + SUMS * LANES <= count; l += SUMS * LANES)
    _Pragma("GCC unroll 4") for (int s = 0; s < SUMS; ++s)
        PA_ADD_VECTORS(vector, sums[s], *(const loose *)(a + l + s * LANES), *(const loose *)(b + l + s * LANES));
  for (; l + LANES <= count; l += LANES)
    PA_ADD_VECTORS(vector, sums[0], *(const loose *)(a + l), *(const loose *)(b + l));
  if (l) {
    PA_JOIN(sums[0], sums[1]);
    PA_JOIN(sums[2], sums[3]);
    PA_JOIN(sums[0], sums[2]);
    for (int64_t lane = 0; lane < LANES; ++lane) PA_JOIN(sum, sums[0][lane]);
  }
  for (; l < count; ++l) PA_ADD(sum, a[l], b[l]);
  return PA_END(PA_T, sum);
}

// Along memory in k or not: four sums, since each addition waits for the one before.
static PA_T PA_NAME(dot_apart)(const PA_T *a, int64_t a_k, const PA_T *b, int64_t b_k, int64_t count) {
  PA_T sums[4] = {0};
  int64_t l = 0;
  for (; l + 4 <= count; l += 4, a += 4 * a_k, b += 4 * b_k)
    _Pragma("GCC unroll 4") for (int s = 0; s < 4; ++s) PA_ADD(sums[s], a[s * a_k], b[s * b_k]);
  for (; l < count; ++l, a += a_k, b += b_k) PA_ADD(sums[0], *a, *b);
  PA_JOIN(sums[0], sums[1]);
  PA_JOIN(sums[2], sums[3]);
  PA_JOIN(sums[0], sums[2]);
  return PA_END(PA_T, sums[0]);
}

static void PA_NAME(dots)(const pa_matmul *x, PA_NAME(place) at) {
  for (int64_t i = 0; i < x->m; ++i)
    for (int64_t j = 0; j < x->n; ++j)
      at.c[i * x->c_m + j * x->c_n] =
          x->a_k == 1 && x->b_k == 1 ? PA_NAME(dot)(at.a + i * x->a_m, at.b + j * x->b_n, x->k)
                                     : PA_NAME(dot_apart)(at.a + i * x->a_m, x->a_k, at.b + j * x->b_n, x->b_k, x->k);
}

static __attribute__((noinline)) void PA_NAME(others)(const pa_matmul *x, bool by_dots) {
  PA_NAME(place) at = {x->a, x->b, x->c};
  for (int64_t q = 0; q < x->count; ++q, at.a += x->a_step, at.b += x->b_step, at.c += x->c_step)
    (by_dots ? PA_NAME(dots) : PA_NAME(general))(x, at);
}

static inline bool PA_NAME(goes_by_dots)(const pa_matmul *x) {
  return (x->a_k == 1 && x->b_k == 1 && x->n * (int64_t)sizeof(PA_T) <= 16) || (x->m == 1 && x->n == 1);
}

static inline bool PA_NAME(is_direct)(const pa_matmul *x) {
  return x->b_n == 1 && x->c_n == 1 && x->m < PA_NAME(rows_for_copy) && x->k <= PA_NAME(strip_depth) &&
         !PA_NAME(goes_by_dots)(x);
}

static void PA_NAME(normal)(const pa_matmul *x) {
  if (PA_NAME(is_direct)(x))
    PA_NAME(direct)(x, x->a, x->b, x->c, PA_SET);
  else
    PA_NAME(others)(x, PA_NAME(goes_by_dots)(x));
}

// The same of the transposed matrices.
static __attribute__((noinline)) void PA_NAME(turned)(const pa_matmul *x) {
  PA_NAME(normal)(&(pa_matmul){x->count, x->b_step, x->a_step, x->c_step, x->n, x->m, x->k, x->b, x->b_n, x->b_k, x->a,
                               x->a_k, x->a_m, x->c, x->c_n, x->c_m});
}

static void PA_NAME(matmul)(const pa_matmul *x) {
  if (x->m > 1 && (x->n == 1 || x->b_n != 1 || x->c_n != 1) && x->a_m == 1 && x->c_m == 1)
    PA_NAME(turned)(x);
  else
    PA_NAME(normal)(x);
}

#ifdef PA_ADDS
enum { PA_NAME(own_items) = 4096 };

// What is added is computed apart, some rows at a time.
static __attribute__((noinline)) void PA_NAME(add_apart)(const pa_matmul *x, int more) {
  PA_T own[PA_NAME(own_items)];
  int64_t columns = x->n < PA_NAME(own_items) ? x->n : PA_NAME(own_items), rows = PA_NAME(own_items) / columns;
  PA_NAME(place) at = {x->a, x->b, x->c};
  for (int64_t q = 0; q < x->count; ++q, at.a += x->a_step, at.b += x->b_step, at.c += x->c_step)
    for (int64_t i = 0; i < x->m; i += rows)
      for (int64_t j = 0; j < x->n; j += columns) {
        int64_t m = x->m - i < rows ? x->m - i : rows, n = x->n - j < columns ? x->n - j : columns;
        PA_NAME(matmul)(&(pa_matmul){1, 0, 0, 0, m, n, x->k, at.a + i * x->a_m, x->a_m, x->a_k, at.b + j * x->b_n,
                                     x->b_k, x->b_n, own, n, 1});
        for (int64_t r = 0; r < m; ++r)
          for (int64_t s = 0; s < n; ++s) {
            PA_T *to = at.c + (i + r) * x->c_m + (j + s) * x->c_n;
            PA_TAKE(more, own[r * n + s], *to);
            *to = own[r * n + s];
          }
      }
}

// To what is in C, or from it: a sum is complete before it is.
static void PA_NAME(change)(const pa_matmul *x, int more) {
  bool turns = x->n == 1 && x->m > 1 && x->a_m == 1 && x->c_m == 1;
  if (!turns && PA_NAME(is_direct)(x))
    PA_NAME(direct)(x, x->a, x->b, x->c, more);
  else
    PA_NAME(add_apart)(x, more);
}

static void PA_NAME(matmul_add)(const pa_matmul *x) { PA_NAME(change)(x, PA_ADD_TO); }
static void PA_NAME(matmul_subtract)(const pa_matmul *x) { PA_NAME(change)(x, PA_SUBTRACT_FROM); }
#endif

#undef PA_BLOCK
