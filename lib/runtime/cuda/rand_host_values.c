// What random numbers become: bits, uniform, normal and Poisson's numbers, by the formulas of cuRAND's documentation.
//
// Sources: G. Box, M. Muller, "A note on the generation of random normal deviates" (1958); M. J. Wichura, "Algorithm AS
// 241: the percentage points of the normal distribution" (1988).
#include "rand_host.h"

#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

//===-- Uniform -----------------------------------------------------------------------------------===//

static float uniform32(uint32_t x) { return (float)x * 0x1p-32f + 0x1p-33f; }
// Of 53 bits.
static uint64_t joined(uint32_t low, uint32_t high) { return low ^ (uint64_t)high << 21; }
static double uniform53(uint32_t low, uint32_t high) { return (double)joined(low, high) * 0x1p-53 + 0x1p-54; }
static double uniform64(uint64_t x) { return (double)(x >> 11) * 0x1p-53 + 0x1p-54; }
static double middle32(uint32_t x) { return x * 0x1p-32 + 0x1p-33; }

static const double MRG_UNIT = 2.3283065498378288e-10, MRG_BITS = 1.000000048662;
static float mrg_uniform(uint32_t x) { return (float)(x * MRG_UNIT); }

//===-- Normal ------------------------------------------------------------------------------------===//

static void box_muller(float u, float angle, float out[2]) {
  float radius = sqrtf(-2 * logf(u));
  out[0] = radius * sinf(angle), out[1] = radius * cosf(angle);
}

static void box_muller_double(double u, double half_turns, double out[2]) {
  double radius = sqrt(-2 * log(u));
  out[0] = radius * sin(half_turns * PI), out[1] = radius * cos(half_turns * PI);
}

static double polynomial(const double *coefficients, double x) { // of degree 7, the highest first
  double sum = coefficients[0];
  for (int i = 1; i < 8; ++i) sum = sum * x + coefficients[i];
  return sum;
}

// Numerators and denominators near the middle, beside it, and in the tails.
static const double quantiles[3][2][8] = {
    {{2.5090809287301226727e+3, 3.3430575583588128105e+4, 6.7265770927008700853e+4, 4.5921953931549871457e+4,
      1.3731693765509461125e+4, 1.9715909503065514427e+3, 1.3314166789178437745e+2, 3.3871328727963666080e+0},
     {5.2264952788528545610e+3, 2.8729085735721942674e+4, 3.9307895800092710610e+4, 2.1213794301586595867e+4,
      5.3941960214247511077e+3, 6.8718700749205790830e+2, 4.2313330701600911252e+1, 1}},
    {{7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1, 1.27045825245236838258e+0,
      3.64784832476320460504e+0, 5.76949722146069140550e+0, 4.63033784615654529590e+0, 1.42343711074968357734e+0},
     {1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2, 1.48103976427480074590e-1,
      6.89767334985100004550e-1, 1.67638483018380384940e+0, 2.05319162663775882187e+0, 1}},
    {{2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3, 2.65321895265761230930e-2,
      2.96560571828504891230e-1, 1.78482653991729133580e+0, 5.46378491116411436990e+0, 6.65790464350110377720e+0},
     {2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4,
      1.48753612908506148525e-2, 1.36929880922735805310e-1, 5.99832206555887937690e-1, 1}},
};

// The number that a normal one is below with probability |p|, which is not above one half.
static double lower_quantile(double p) {
  double q = p - 0.5;
  bool is_middle = q >= -0.425;
  double root = is_middle ? 0 : sqrt(-log(p)), x = is_middle ? 0.180625 - q * q : root <= 5 ? root - 1.6 : root - 5;
  const double (*of)[8] = quantiles[is_middle ? 0 : root <= 5 ? 1 : 2];
  double ratio = polynomial(of[0], x) / polynomial(of[1], x);
  return is_middle ? q * ratio : -ratio;
}

static double normal32(uint32_t x) { // mirrored, so that tails are exact
  return x <= 0x80000000u ? lower_quantile(middle32(x)) : -lower_quantile(middle32(~x));
}

static double normal64(uint64_t x) { return x >> 63 ? -lower_quantile(uniform64(~x)) : lower_quantile(uniform64(x)); }

//===-- Poisson's ---------------------------------------------------------------------------------===//

bool pa_rand_poisson_table(pa_rand_host *self, double lambda) {
  if (self->table && self->lambda == lambda) return true;
  double deviation = sqrt(lambda), sum = 0;
  double first = floor(fmax(0, lambda - 9 * deviation - 10)), last = ceil(lambda + 10 * deviation + 40);
  size_t length = (size_t)(last - first) + 1;
  double *table = realloc(self->table, length * sizeof *table);
  if (!table) return false;
  int sign;
  for (size_t i = 0; i < length; ++i) {
    double count = first + (double)i;
    sum += exp(count * log(lambda) - lambda - lgamma_r(count + 1, &sign));
    table[i] = sum;
  }
  self->table = table, self->table_length = length, self->first_count = (unsigned)first, self->lambda = lambda;
  return true;
}

static uint32_t poisson(const pa_rand_host *self, double u) {
  size_t low = 0, high = self->table_length - 1;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (u <= self->table[middle])
      high = middle;
    else
      low = middle + 1;
  }
  return self->first_count + (uint32_t)low;
}

//===-- Rows of them ------------------------------------------------------------------------------===//

static void store(const pa_rand_order *order, void *out, size_t at, double value) {
  if (order->is_double)
    ((double *)out)[at] = value;
  else
    ((float *)out)[at] = (float)value;
}

static float scaled(const pa_rand_order *order, float x) {
  float value = x * (float)order->sigma + (float)order->mean;
  return order->kind == PA_RAND_LOGNORMAL ? expf(value) : value;
}

static double scaled_double(const pa_rand_order *order, double x) {
  double value = x * order->sigma + order->mean;
  return order->kind == PA_RAND_LOGNORMAL ? exp(value) : value;
}

static void store_normal(const pa_rand_order *order, void *out, size_t at, double x) {
  if (order->is_double)
    ((double *)out)[at] = scaled_double(order, x);
  else
    ((float *)out)[at] = scaled(order, (float)x);
}

#define NUMBER(c) numbers[(size_t)(c) * groups + i]

static void uniform_groups(pa_rand_style style, const pa_rand_order *order, const uint32_t *numbers, size_t groups,
                           int outputs, void *out) {
  for (int k = 0; k < outputs; ++k)
    for (size_t i = 0, at = (size_t)k; i < groups; ++i, at += (size_t)outputs) {
      if (style == PA_RAND_BOX_MULLER && order->is_double)
        ((double *)out)[at] = uniform53(NUMBER(2 * k), NUMBER(2 * k + 1));
      else if (style == PA_RAND_BOX_MULLER)
        ((float *)out)[at] = uniform32(NUMBER(k));
      else if (style == PA_RAND_MRG)
        store(order, out, at, NUMBER(k) * MRG_UNIT);
      else if (style == PA_RAND_TWISTER)
        store(order, out, at, middle32(NUMBER(k)));
      else if (order->is_double)
        ((double *)out)[at] = NUMBER(k) * 0x1p-32 + 0x1p-32;
      else
        ((float *)out)[at] = uniform32(NUMBER(k));
    }
}

static void normal_pair(pa_rand_style style, const uint32_t *numbers, size_t groups, size_t i, int pair, float out[2]) {
  static const float unit = 0x1p-32f * 6.2831855f;
  if (style == PA_RAND_MRG)
    box_muller(mrg_uniform(NUMBER(2 * pair)), mrg_uniform(NUMBER(2 * pair + 1)) * 6.2831855f, out);
  else
    box_muller(uniform32(NUMBER(2 * pair)), (float)NUMBER(2 * pair + 1) * unit + unit / 2, out);
}

static void normal_pair_double(pa_rand_style style, const uint32_t *numbers, size_t groups, size_t i, int pair,
                               double out[2]) {
  if (style == PA_RAND_MRG) {
    box_muller_double(NUMBER(2 * pair) * MRG_UNIT, NUMBER(2 * pair + 1) * MRG_UNIT * 2, out);
    return;
  }
  double half_turns = (double)joined(NUMBER(4 * pair + 2), NUMBER(4 * pair + 3)) * 0x1p-52 + 0x1p-53;
  box_muller_double(uniform53(NUMBER(4 * pair), NUMBER(4 * pair + 1)), half_turns, out);
}

static void normal_groups(pa_rand_style style, const pa_rand_order *order, const uint32_t *numbers, size_t groups,
                          int outputs, void *out) {
  for (size_t i = 0, at = 0; i < groups; ++i)
    for (int pair = 0; pair < outputs / 2; ++pair, at += 2) {
      float single[2];
      double wide[2];
      if (order->is_double) {
        normal_pair_double(style, numbers, groups, i, pair, wide);
        for (int k = 0; k < 2; ++k) ((double *)out)[at + (size_t)k] = scaled_double(order, wide[k]);
      } else {
        normal_pair(style, numbers, groups, i, pair, single);
        for (int k = 0; k < 2; ++k) ((float *)out)[at + (size_t)k] = scaled(order, single[k]);
      }
    }
}

void pa_rand_groups(const pa_rand_host *self, const pa_rand_order *order, const uint32_t *numbers, size_t groups,
                    int outputs, void *out) {
  pa_rand_style style = self->engine->style;
  bool inverts = style == PA_RAND_TWISTER || style == PA_RAND_INVERSE;
  if (order->kind == PA_RAND_UNIFORM) {
    uniform_groups(style, order, numbers, groups, outputs, out);
  } else if (!inverts && order->kind != PA_RAND_BITS && order->kind != PA_RAND_POISSON) {
    normal_groups(style, order, numbers, groups, outputs, out);
  } else {
    for (int k = 0; k < outputs; ++k)
      for (size_t i = 0, at = (size_t)k; i < groups; ++i, at += (size_t)outputs) {
        uint32_t x = style == PA_RAND_MRG ? (uint32_t)(NUMBER(k) * MRG_BITS) : NUMBER(k);
        if (order->kind == PA_RAND_BITS)
          ((uint32_t *)out)[at] = x;
        else if (order->kind == PA_RAND_POISSON)
          ((uint32_t *)out)[at] = poisson(self, middle32(x));
        else
          store_normal(order, out, at, normal32(x));
      }
  }
}

void pa_rand_points(const pa_rand_host *self, const pa_rand_order *order, const uint64_t *numbers, size_t count,
                    bool is_wide, void *out) {
  for (size_t i = 0; i < count; ++i) {
    uint64_t x = numbers[i];
    uint32_t high = is_wide ? (uint32_t)(x >> 32) : (uint32_t)x;
    switch (order->kind) {
    case PA_RAND_BITS:
      if (is_wide)
        ((uint64_t *)out)[i] = x;
      else
        ((uint32_t *)out)[i] = high;
      break;
    case PA_RAND_UNIFORM:
      if (!order->is_double)
        ((float *)out)[i] = uniform32(high);
      else
        ((double *)out)[i] = is_wide ? uniform64(x) : high * 0x1p-32 + 0x1p-32;
      break;
    case PA_RAND_POISSON: ((uint32_t *)out)[i] = poisson(self, is_wide ? uniform64(x) : middle32(high)); break;
    default: store_normal(order, out, i, is_wide && order->is_double ? normal64(x) : normal32(high));
    }
  }
}
