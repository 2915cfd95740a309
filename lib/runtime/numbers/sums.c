// Sums of floats that lose nothing on the way: math.fsum and math.sumprod, to the bit as CPython has them.
#include "runtime.h"

#include <math.h>
#include <string.h>

//===-- Numbers in memory -------------------------------------------------------------------------===//

typedef struct numbers {
  int64_t data, stride; // bytes
  int64_t code;         // type code of the dtype
} numbers;

static double number(const numbers *list, int64_t i) {
  const void *at = (const void *)(list->data + i * list->stride);
  switch (list->code) {
#define CASE(code, type)                                                                                               \
  case code: {                                                                                                         \
    type value;                                                                                                        \
    memcpy(&value, at, sizeof value);                                                                                  \
    return (double)value;                                                                                              \
  }
    CASE('d', double)
    CASE('f', float)
    CASE('e', _Float16)
    CASE('q', int64_t)
    CASE('i', int32_t)
    CASE('h', int16_t)
    CASE('b', int8_t)
    CASE('Q', uint64_t)
    CASE('I', uint32_t)
    CASE('H', uint16_t)
    CASE('B', uint8_t)
    CASE('?', uint8_t)
#undef CASE
  default: return NAN;
  }
}

//===-- Exact operations --------------------------------------------------------------------------===//

// sum + rest is exactly a + b (a * b).
typedef struct exact {
  double sum, rest;
} exact;

static exact add(double a, double b) { // Knuth's, for any order of magnitudes
  double sum = a + b, b_part = sum - a;
  return (exact){sum, (a - (sum - b_part)) + (b - b_part)};
}

static exact add_to_larger(double large, double small) { // Dekker's
  double sum = large + small;
  return (exact){sum, small - (sum - large)};
}

static exact multiply(double a, double b) { return (exact){a * b, fma(a, b, -(a * b))}; }

//===-- fsum --------------------------------------------------------------------------------------===//

enum { EXACT, OVERFLOWED, OPPOSITE_INFINITIES };

// Partials grow in size, do not overlap, and have the exact sum so far (Shewchuk, Discrete Comput. Geom. 18, 1997).
// Each has a binary digit to itself, of the 2098 from the largest float64 to the least.
enum { MOST_PARTIALS = 2100 };

typedef struct partials {
  int count;
  double items[MOST_PARTIALS];
} partials;

// Returns whether the sum is still finite.
static int add_partial(partials *p, double x) {
  int kept = 0;
  for (int i = 0; i < p->count; ++i) {
    double other = p->items[i];
    exact both = fabs(x) < fabs(other) ? add_to_larger(other, x) : add_to_larger(x, other);
    if (both.rest != 0) p->items[kept++] = both.rest;
    x = both.sum;
  }
  p->count = kept;
  if (x != 0) p->items[p->count++] = x;
  return isfinite(x);
}

// The sum of all partials. Once there is a rest, smaller partials matter only if it is half a unit: then the next one
// says to which side of the tie the sum lies.
static double rounded(const partials *p) {
  int left = p->count;
  if (left == 0) return 0;
  exact sum = {p->items[--left], 0};
  while (left > 0 && sum.rest == 0) sum = add_to_larger(sum.sum, p->items[--left]);
  if (left == 0 || (sum.rest < 0) != (p->items[left - 1] < 0)) return sum.sum;
  double further = sum.sum + 2 * sum.rest;
  return further - sum.sum == 2 * sum.rest ? further : sum.sum;
}

int32_t pyarray_rt_fsum(int64_t count, int64_t data, int64_t stride, int64_t code, int64_t out) {
  numbers list = {data, stride, code};
  partials p;
  p.count = 0;
  double not_finite = 0, infinities = 0;
  for (int64_t i = 0; i < count; ++i) {
    double x = number(&list, i);
    if (isfinite(x)) {
      if (!add_partial(&p, x)) return OVERFLOWED;
      continue;
    }
    if (isinf(x)) infinities += x;
    not_finite += x;
    p.count = 0;
  }
  if (isnan(infinities)) return OPPOSITE_INFINITIES;
  double sum = not_finite != 0 ? not_finite : rounded(&p);
  memcpy((void *)out, &sum, sizeof sum);
  return EXACT;
}

//===-- sumprod -----------------------------------------------------------------------------------===//

// Three times the precision of a float64 (Ogita, Rump and Oishi, SIAM J. Sci. Comput. 26, 2005, for K = 3).
typedef struct triple {
  double high, low, least;
} triple;

static triple add_product(triple total, double a, double b) {
  exact product = multiply(a, b), high = add(total.high, product.sum), low = add(total.low, product.rest);
  exact carried = add(low.sum, high.rest);
  return (triple){high.sum, carried.sum, total.least + low.rest + carried.rest};
}

// From the first product on with which the total is no longer finite, plain arithmetic gives what is infinite or NaN.
double pyarray_rt_sumprod(int64_t count, int64_t p, int64_t p_stride, int64_t p_code, int64_t q, int64_t q_stride,
                          int64_t q_code) {
  numbers first = {p, p_stride, p_code}, second = {q, q_stride, q_code};
  triple total = {0, 0, 0};
  int64_t i = 0;
  for (; i < count; ++i) {
    triple next = add_product(total, number(&first, i), number(&second, i));
    if (!isfinite(next.high)) break;
    total = next;
  }
  exact last = add(total.low, total.high);
  double sum = total.least + last.rest + last.sum;
  for (; i < count; ++i) sum += number(&first, i) * number(&second, i);
  return sum;
}
