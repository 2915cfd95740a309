// The algorithms of cuRAND's pseudo generators with lanes: their states, and their numbers.
//
// Sources: G. Marsaglia, "Xorshift RNGs" (2003) for XORWOW; P. L'Ecuyer, "Good parameters and implementations for
// combined multiple recursive random number generators" (1999) and P. L'Ecuyer et al. (2002), whose constants and jumps
// MRG32K3A has; J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011) for Philox; M. Matsumoto, T.
// Nishimura, "Mersenne twister" (1998). How seeds become states and how lanes are apart: the documentation of cuRAND.
#include "rand_host.h"

#include <stdlib.h>
#include <string.h>

//===-- XORWOW ------------------------------------------------------------------------------------===//
// Five words, which each number transforms linearly over GF(2), and a counter. Lanes are 2^67 numbers apart.

enum { WORDS = 5, BITS = 32 * WORDS, PADDED = 8, SEQUENCE_BITS = 67 }; // padded: for vectors

// The image of each bit of a state.
typedef struct transformation {
  uint32_t image[BITS][PADDED];
} transformation;

static void transform(const transformation *by, uint32_t state[PADDED]) {
  uint32_t sum[PADDED] = {0};
  for (int i = 0; i < BITS; ++i) {
    uint32_t mask = 0u - (state[i / 32] >> i % 32 & 1);
    for (int w = 0; w < PADDED; ++w) sum[w] ^= by->image[i][w] & mask;
  }
  memcpy(state, sum, sizeof sum);
}

static uint32_t xorwow_word(uint32_t first, uint32_t last) {
  uint32_t t = first ^ first >> 2;
  return last ^ last << 4 ^ t ^ t << 1;
}

static void set_to_one_step(transformation *self) {
  for (int i = 0; i < BITS; ++i) {
    uint32_t state[PADDED] = {0}, *image = self->image[i];
    state[i / 32] = 1u << i % 32;
    memcpy(image, state + 1, (PADDED - 1) * sizeof *image);
    image[WORDS - 1] = xorwow_word(state[0], state[WORDS - 1]);
    image[PADDED - 1] = 0;
  }
}

static void square(transformation *self) {
  transformation once = *self;
  for (int i = 0; i < BITS; ++i) transform(&once, self->image[i]);
}

static void xorwow_seed(uint64_t seed, uint32_t state[PADDED], uint32_t *out_counter) {
  uint32_t low = ((uint32_t)seed ^ 0xaad26b49u) * 1099087573u,
           high = ((uint32_t)(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
  const uint32_t seeded[PADDED] = {123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high,
                                   5783321u + low};
  memcpy(state, seeded, sizeof seeded);
  *out_counter = 6615241u + low + high;
}

// Word w of lane i is at w * lanes + i, and the counter behind the words, so that lanes are computed side by side.
static void xorwow_start(pa_rand_host *self, uint64_t rounds) {
  uint32_t *states = self->states, state[PADDED], counter;
  transformation by, skip; // a sequence; |rounds| numbers
  set_to_one_step(&by);
  for (int i = 0; i < BITS; ++i)
    for (int w = 0; w < PADDED; ++w) skip.image[i][w] = i / 32 == w ? 1u << i % 32 : 0;
  for (int bit = 0; bit < SEQUENCE_BITS; ++bit, square(&by))
    for (int i = 0; i < BITS && bit < 64 && rounds >> bit & 1; ++i) transform(&by, skip.image[i]);
  xorwow_seed(self->seed, state, &counter);
  transform(&skip, state);
  for (size_t i = 0; i < self->lanes; ++i) {
    if (self->ordering == PA_RAND_SEEDED && i) { // each lane has a seed of its own
      xorwow_seed(self->seed ^ i * 0x9e3779b97f4a7c15u, state, &counter);
      transform(&skip, state);
    }
    for (int w = 0; w < WORDS; ++w) states[(size_t)w * self->lanes + i] = state[w];
    states[WORDS * self->lanes + i] = counter + 362437u * (uint32_t)rounds;
    transform(&by, state);
  }
}

static void xorwow_turn(pa_rand_host *self, size_t first, size_t count, uint32_t *restrict out) {
  size_t lanes = self->lanes;
  uint32_t *restrict a = (uint32_t *)self->states + first, *restrict b = a + lanes, *restrict c = b + lanes;
  uint32_t *restrict d = c + lanes, *restrict e = d + lanes, *restrict counters = e + lanes;
  for (size_t i = 0; i < count; ++i) {
    uint32_t word = xorwow_word(a[i], e[i]);
    a[i] = b[i], b[i] = c[i], c[i] = d[i], d[i] = e[i], e[i] = word;
    out[i] = word + (counters[i] += 362437u);
  }
}

const pa_rand_engine pa_rand_xorwow = {
    PA_RAND_XORWOW, PA_RAND_BOX_MULLER, 4096, 4096, 1, true, (WORDS + 1) * sizeof(uint32_t), xorwow_start, xorwow_turn,
};

//===-- MRG32K3A ----------------------------------------------------------------------------------===//
// Two recurrences of order three. Lanes are 2^76 numbers apart.

enum { MRG_SEQUENCE_BITS = 76 };
static const uint64_t moduli[2] = {4294967087u, 4294944443u};

typedef struct matrix {
  uint64_t at[3][3];
} matrix;

static const matrix mrg_steps[2] = {
    {{{0, 1, 0}, {0, 0, 1}, {4294967087u - 810728u, 1403580u, 0}}},
    {{{0, 1, 0}, {0, 0, 1}, {4294944443u - 1370589u, 0, 527612u}}},
};

static uint64_t row_times(const uint64_t row[3], uint64_t a, uint64_t b, uint64_t c, uint64_t modulus) {
  return (row[0] * a % modulus + row[1] * b % modulus + row[2] * c % modulus) % modulus;
}

static void apply(const matrix *by, uint64_t vector[3], uint64_t modulus) {
  uint64_t a = vector[0], b = vector[1], c = vector[2];
  for (int i = 0; i < 3; ++i) vector[i] = row_times(by->at[i], a, b, c, modulus);
}

static void square_matrix(matrix *self, uint64_t modulus) {
  matrix once = *self;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      self->at[i][j] = row_times(once.at[i], once.at[0][j], once.at[1][j], once.at[2][j], modulus);
}

static void mrg_seed(uint64_t seed, uint64_t state[2][3]) {
  uint64_t low = (uint32_t)seed ^ 0x55555555u, high = (uint32_t)(seed >> 32) ^ 0xaaaaaaaau;
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 3; ++k) state[i][k] = seed ? ((i + k) % 2 ? high : low) * 12345 % moduli[i] : 12345;
}

static void mrg_start(pa_rand_host *self, uint64_t rounds) {
  uint32_t *states = self->states;
  uint64_t state[2][3];
  mrg_seed(self->seed, state);
  for (int r = 0; r < 2; ++r) {
    matrix by = mrg_steps[r];
    for (int bit = 0; bit < MRG_SEQUENCE_BITS; ++bit, square_matrix(&by, moduli[r]))
      if (bit < 64 && rounds >> bit & 1) apply(&by, state[r], moduli[r]);
    for (size_t i = 0; i < self->lanes; ++i, apply(&by, state[r], moduli[r]))
      for (int k = 0; k < 3; ++k) states[(size_t)(3 * r + k) * self->lanes + i] = (uint32_t)state[r][k];
  }
}

// From 1 to the first modulus.
static void mrg_turn(pa_rand_host *self, size_t first, size_t count, uint32_t *restrict out) {
  uint32_t *restrict states = self->states;
  size_t n = self->lanes;
  for (size_t i = first; i < first + count; ++i) {
    uint64_t a = (1403580u * (uint64_t)states[n + i] + 810728u * (moduli[0] - states[i])) % moduli[0];
    uint64_t b = (527612u * (uint64_t)states[5 * n + i] + 1370589u * (moduli[1] - states[3 * n + i])) % moduli[1];
    states[i] = states[n + i], states[n + i] = states[2 * n + i], states[2 * n + i] = (uint32_t)a;
    states[3 * n + i] = states[4 * n + i], states[4 * n + i] = states[5 * n + i], states[5 * n + i] = (uint32_t)b;
    out[i - first] = (uint32_t)(a > b ? a - b : a + moduli[0] - b);
  }
}

const pa_rand_engine pa_rand_mrg = {
    PA_RAND_MRG32K3A, PA_RAND_MRG, 81920, 4096, 1, true, 6 * sizeof(uint32_t), mrg_start, mrg_turn,
};

//===-- Philox 4x32-10 ----------------------------------------------------------------------------===//
// Four numbers for each counter. A lane is the upper half of the counter, and counts in the lower.

void pa_philox(uint32_t counter[4], uint32_t key0, uint32_t key1) {
  for (int round = 0; round < 10; ++round, key0 += 0x9e3779b9u, key1 += 0xbb67ae85u) {
    uint64_t a = 0xd2511f53u * (uint64_t)counter[0], b = 0xcd9e8d57u * (uint64_t)counter[2];
    uint32_t next[4] = {(uint32_t)(b >> 32) ^ counter[1] ^ key0, (uint32_t)b, (uint32_t)(a >> 32) ^ counter[3] ^ key1,
                        (uint32_t)a};
    memcpy(counter, next, sizeof next);
  }
}

static void philox_start(pa_rand_host *self, uint64_t rounds) {
  uint64_t *counts = self->states;
  for (size_t i = 0; i < self->lanes; ++i) counts[i] = rounds;
}

static void philox_turn(pa_rand_host *self, size_t first, size_t count, uint32_t *restrict out) {
  uint64_t *restrict counts = self->states;
  uint32_t key0 = (uint32_t)self->seed, key1 = (uint32_t)(self->seed >> 32);
  for (size_t i = 0; i < count; ++i) {
    uint64_t at = counts[first + i]++;
    uint32_t numbers[4] = {(uint32_t)at, (uint32_t)(at >> 32), (uint32_t)(first + i), 0};
    pa_philox(numbers, key0, key1);
    for (size_t c = 0; c < 4; ++c) out[c * count + i] = numbers[c];
  }
}

const pa_rand_engine pa_rand_philox = {
    PA_RAND_PHILOX4_32_10, PA_RAND_BOX_MULLER, 65536, 65536, 4, true, sizeof(uint64_t), philox_start, philox_turn,
};
