// Sobol's sequences: I. M. Sobol (1967), in the order of the Gray code by I. A. Antonov and V. M. Saleev (1979).
//
// Scrambled ones: J. Matousek, "On the L2-discrepancy for anchored boxes" (1998): a random matrix for each dimension,
// and a random shift. cuRAND's own matrices and shifts are tables of NVIDIA's, so its scrambled numbers differ.
#include "rand_host.h"

static const uint16_t numbers[] = {
#include "sobol_numbers.def"
};

// Where the numbers of |dimension|, of which the first has none, begin.
static const uint16_t *numbers_of(unsigned dimension, int *out_degree) {
  const uint16_t *at = numbers;
  for (unsigned i = 1;; ++i) {
    *out_degree = 31 - __builtin_clz(*at);
    if (i == dimension) return at;
    at += 1 + *out_degree;
  }
}

static void find_directions(unsigned dimension, uint64_t directions[64]) {
  for (int i = 0; i < 64; ++i) directions[i] = UINT64_C(1) << (63 - i);
  if (!dimension) return;
  int degree;
  const uint16_t *of = numbers_of(dimension, &degree);
  for (int i = 0; i < degree; ++i) directions[i] = (uint64_t)of[1 + i] << (63 - i);
  for (int i = degree; i < 64; ++i) {
    directions[i] = directions[i - degree] ^ directions[i - degree] >> degree;
    for (int k = 1; k < degree; ++k)
      if (of[0] >> (degree - k) & 1) directions[i] ^= directions[i - k];
  }
}

static uint64_t random_word(unsigned dimension, unsigned number) {
  uint32_t counter[4] = {number, dimension, 0, 0};
  pa_philox(counter, 0x736f626fu, 0x6c6e756du);
  return (uint64_t)counter[0] << 32 | counter[1];
}

// Multiplies each direction by a lower triangular matrix with ones in its diagonal.
static void scramble(unsigned dimension, uint64_t directions[64]) {
  uint64_t mixed[64] = {0};
  for (unsigned bit = 0; bit < 64; ++bit) { // from the highest one
    uint64_t above = bit ? ~UINT64_C(0) << (64 - bit) : 0,
             row = (random_word(dimension, bit + 1) & above) | UINT64_C(1) << (63 - bit);
    for (int i = 0; i < 64; ++i) mixed[i] |= (uint64_t)__builtin_parityll(directions[i] & row) << (63 - bit);
  }
  for (int i = 0; i < 64; ++i) directions[i] = mixed[i];
}

void pa_sobol(int type, unsigned dimension, uint64_t place, size_t count, uint64_t *out) {
  bool is_scrambled = type == PA_RAND_SCRAMBLED_SOBOL32 || type == PA_RAND_SCRAMBLED_SOBOL64;
  int bits = type == PA_RAND_SOBOL32 || type == PA_RAND_SCRAMBLED_SOBOL32 ? 32 : 64;
  uint64_t directions[64], x = 0, last = ~UINT64_C(0) >> (64 - bits);
  find_directions(dimension, directions);
  if (is_scrambled) {
    scramble(dimension, directions);
    x = random_word(dimension, 0);
  }
  place &= last;
  for (int i = 0; i < bits; ++i)
    if ((place ^ place >> 1) >> i & 1) x ^= directions[i];
  for (size_t i = 0; i < count; ++i) {
    out[i] = x >> (64 - bits);
    x ^= directions[place == last ? bits - 1 : __builtin_ctzll(~place)];
    place = (place + 1) & last;
  }
}
