// The Mersenne twisters among cuRAND's generators. They have no offset, and are one sequence here, without lanes.
//
// Sources: M. Saito, M. Matsumoto, "Variants of Mersenne twister suitable for graphic processors" (2013) for MTGP32;
// M. Matsumoto, T. Nishimura, "Mersenne twister" (1998).
#include "rand_host.h"

//===-- MTGP32 ------------------------------------------------------------------------------------===//
// Twisters with parameters of their own take turns of 256 numbers.

enum { MTGP_WORDS = 351, MTGP_TURN = 256, MTGP_BLOCKS = 192, MTGP_LEGACY_BLOCKS = 64, MTGP_MASK = 0xfff80000 };

typedef struct mtgp_parameters {
  int position, shift1, shift2;
  uint32_t recursion[4], tempering[4]; // by bits
} mtgp_parameters;

static const mtgp_parameters mtgp_blocks[MTGP_BLOCKS] = {
#define PA_MTGP(position, shift1, shift2, a, b, c, d, e, f, g, h)                                                      \
  {position, shift1, shift2, {a, b, c, d}, {e, f, g, h}},
#include "mtgp_parameters.def"
#undef PA_MTGP
};

typedef struct mtgp {
  uint32_t words[MTGP_BLOCKS][MTGP_WORDS + MTGP_TURN]; // of which the first are the state
  uint32_t numbers[MTGP_TURN];                         // of the block whose turn it is
  int block, blocks, next;
} mtgp;

// The product of the four lowest bits and a matrix.
static uint32_t product(const uint32_t rows[4], uint32_t bits) {
  uint32_t sum = 0;
  for (int i = 0; i < 4; ++i) sum ^= bits >> i & 1 ? rows[i] : 0;
  return sum;
}

static void mtgp_seed(const mtgp_parameters *of, uint32_t seed, uint32_t words[MTGP_WORDS]) {
  uint32_t hidden = product(of->recursion, 4) ^ product(of->recursion, 8) << 16, filler = hidden;
  filler += filler >> 16;
  filler += filler >> 8;
  for (int i = 0; i < MTGP_WORDS; ++i) words[i] = (filler & 0xff) * 0x01010101u;
  words[0] = seed;
  words[1] = hidden;
  for (uint32_t i = 1; i < MTGP_WORDS; ++i) words[i] ^= 1812433253u * (words[i - 1] ^ words[i - 1] >> 30) + i;
}

static void mtgp_start(pa_rand_host *self, uint64_t rounds) {
  mtgp *state = self->states;
  uint32_t seed = (uint32_t)self->seed ^ (uint32_t)(self->seed >> 32);
  (void)rounds;
  state->blocks = self->ordering == PA_RAND_LEGACY ? MTGP_LEGACY_BLOCKS : MTGP_BLOCKS;
  for (int i = 0; i < state->blocks; ++i) mtgp_seed(&mtgp_blocks[i], seed + (uint32_t)i + 1, state->words[i]);
  state->block = state->blocks - 1; // the first one is the next
  state->next = MTGP_TURN;
}

static void mtgp_next_turn(mtgp *state) {
  state->block = (state->block + 1) % state->blocks;
  state->next = 0;
  const mtgp_parameters *of = &mtgp_blocks[state->block];
  uint32_t *words = state->words[state->block];
  for (int i = 0; i < MTGP_TURN; ++i) {
    uint32_t x = (words[i] & MTGP_MASK) ^ words[i + 1];
    x ^= x << of->shift1;
    x ^= words[i + of->position] >> of->shift2;
    words[i + MTGP_WORDS] = x ^ product(of->recursion, x);
    uint32_t helper = words[i + of->position - 1];
    helper ^= helper >> 16;
    helper ^= helper >> 8;
    state->numbers[i] = words[i + MTGP_WORDS] ^ product(of->tempering, helper);
  }
  for (int i = 0; i < MTGP_WORDS; ++i) words[i] = words[i + MTGP_TURN];
}

static void mtgp_turn(pa_rand_host *self, size_t first, size_t count, uint32_t *out) {
  mtgp *state = self->states;
  (void)first;
  for (size_t i = 0; i < count; ++i) {
    if (state->next == MTGP_TURN) mtgp_next_turn(state);
    out[i] = state->numbers[state->next++];
  }
}

const pa_rand_engine pa_rand_mtgp = {
    PA_RAND_MTGP32, PA_RAND_INVERSE, SIZE_MAX, SIZE_MAX, 1, false, sizeof(mtgp), mtgp_start, mtgp_turn,
};

//===-- MT19937 -----------------------------------------------------------------------------------===//
// The sequence of the first of cuRAND's 8192 lanes: to find the beginnings of the others takes the CPU seconds.

enum { TWISTER = 624, MIDDLE = 397 };

typedef struct twister {
  uint32_t words[TWISTER];
  int next;
} twister;

static void twister_start(pa_rand_host *self, uint64_t rounds) {
  twister *state = self->states;
  (void)rounds;
  state->words[0] = (uint32_t)self->seed;
  for (uint32_t i = 1; i < TWISTER; ++i)
    state->words[i] = 1812433253u * (state->words[i - 1] ^ state->words[i - 1] >> 30) + i;
  state->next = TWISTER;
}

static void twist(uint32_t words[TWISTER]) {
  for (int i = 0; i < TWISTER; ++i) {
    uint32_t mixed = (words[i] & 0x80000000u) | (words[(i + 1) % TWISTER] & 0x7fffffffu);
    words[i] = words[(i + MIDDLE) % TWISTER] ^ mixed >> 1 ^ (mixed & 1 ? 0x9908b0dfu : 0);
  }
}

static void twister_turn(pa_rand_host *self, size_t first, size_t count, uint32_t *out) {
  twister *state = self->states;
  (void)first;
  for (size_t i = 0; i < count; ++i) {
    if (state->next == TWISTER) twist(state->words), state->next = 0;
    uint32_t x = state->words[state->next++];
    x ^= x >> 11;
    x ^= x << 7 & 0x9d2c5680u;
    x ^= x << 15 & 0xefc60000u;
    out[i] = x ^ x >> 18;
  }
}

const pa_rand_engine pa_rand_mt19937 = {
    PA_RAND_MT19937, PA_RAND_TWISTER, SIZE_MAX, SIZE_MAX, 1, false, sizeof(twister), twister_start, twister_turn,
};
