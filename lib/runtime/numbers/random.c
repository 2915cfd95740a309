// MT19937 (Matsumoto and Nishimura 1998) as `random` and the legacy `np.random` use it. 624 outputs are made at a time,
// four lanes abreast, so that a draw is two loads and a multiplication.
#include "thread.h"

#include <math.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

//===-- Generation --------------------------------------------------------------------------------===//

typedef uint32_t lanes __attribute__((vector_size(16), aligned(4), may_alias));

static inline lanes load(const uint32_t *words) { return *(const lanes *)words; }

// words[at..at+3] of the next round, given where the words 397 further on lie.
static inline void twist(pa_random *random, int at, int ahead) {
  lanes mixed = (load(random->words + at) & 0x80000000u) | (load(random->words + at + 1) & 0x7fffffffu);
  lanes odd = -(mixed & 1u) & 0x9908b0dfu;
  lanes word = load(random->words + ahead) ^ (mixed >> 1) ^ odd;
  *(lanes *)(random->words + at) = word;
  word ^= word >> 11;
  word ^= (word << 7) & 0x9d2c5680u;
  word ^= (word << 15) & 0xefc60000u;
  *(lanes *)(random->outputs + at) = word ^ (word >> 18);
}

static void generate(pa_random *random) {
  for (int at = 0; at < 224; at += 4) twist(random, at, at + 397);
  memcpy(random->words + PA_RANDOM_WORDS, random->words, 4 * sizeof(uint32_t)); // the new words follow the old
  twist(random, 224, 621);
  for (int at = 228; at < PA_RANDOM_WORDS; at += 4) twist(random, at, at - 227);
  random->position = 0;
}

//===-- Seeding -----------------------------------------------------------------------------------===//

static void seed_word(pa_random *random, uint32_t seed) {
  random->words[0] = seed;
  for (uint32_t i = 1; i < PA_RANDOM_WORDS; ++i)
    random->words[i] = 1812433253u * (random->words[i - 1] ^ (random->words[i - 1] >> 30)) + i;
  random->position = PA_RANDOM_WORDS;
  random->seeded = 1;
  random->has_gauss = 0;
}

// init_by_array of the authors' mt19937ar.c.
static void seed_words(pa_random *random, const uint32_t *key, uint32_t length) {
  seed_word(random, 19650218u);
  uint32_t *words = random->words;
  uint32_t i = 1, j = 0;
  for (uint32_t k = PA_RANDOM_WORDS; k; --k) {
    words[i] = (words[i] ^ ((words[i - 1] ^ (words[i - 1] >> 30)) * 1664525u)) + key[j] + j;
    if (++i == PA_RANDOM_WORDS) words[0] = words[PA_RANDOM_WORDS - 1], i = 1;
    if (++j == length) j = 0;
  }
  for (uint32_t k = PA_RANDOM_WORDS - 1; k; --k) {
    words[i] = (words[i] ^ ((words[i - 1] ^ (words[i - 1] >> 30)) * 1566083941u)) - i;
    if (++i == PA_RANDOM_WORDS) words[0] = words[PA_RANDOM_WORDS - 1], i = 1;
  }
  words[0] = 0x80000000u;
}

static void seed_from_system(pa_random *random) {
  uint32_t key[32];
  if (getrandom(key, sizeof key, GRND_NONBLOCK) != (ssize_t)sizeof key) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t parts[] = {(uint64_t)now.tv_sec, (uint64_t)now.tv_nsec, (uint64_t)getpid(), (uint64_t)(uintptr_t)random};
    memset(key, 0, sizeof key);
    memcpy(key, parts, sizeof parts);
  }
  seed_words(random, key, sizeof key / sizeof *key);
}

//===-- Drawing -----------------------------------------------------------------------------------===//

static void refill(pa_random *random) {
  if (!random->seeded) seed_from_system(random);
  generate(random);
}

static inline uint32_t draw_word(pa_random *random) {
  if (random->position >= PA_RANDOM_WORDS) refill(random);
  return random->outputs[random->position++];
}

// 53 bits: a 27-bit and a 26-bit half, each the top of one word.
static inline double from_words(uint32_t high, uint32_t low) {
  return (double)(int64_t)((uint64_t)(high >> 5) << 26 | low >> 6) * 0x1p-53;
}

// Where a pair straddles two rounds, or the next round begins.
static __attribute__((noinline)) double draw_across(pa_random *random) {
  uint32_t high = draw_word(random);
  uint32_t low = draw_word(random);
  return from_words(high, low);
}

static inline double draw_double(pa_random *random) {
  int64_t at = random->position;
  if (__builtin_expect(at > PA_RANDOM_WORDS - 2, 0)) return draw_across(random);
  random->position = at + 2;
  return from_words(random->outputs[at], random->outputs[at + 1]);
}

double pyarray_rt_py_random_random(void) { return draw_double(&pa_thread_current()->python_random); }
double pyarray_rt_np_random_random(void) { return draw_double(&pa_thread_current()->numpy_random); }
int32_t pyarray_rt_py_random_bits32(void) { return (int32_t)draw_word(&pa_thread_current()->python_random); }
int32_t pyarray_rt_np_random_bits32(void) { return (int32_t)draw_word(&pa_thread_current()->numpy_random); }

// Normal deviates come in pairs, by random.gauss() from two numbers (Box and Muller 1958), by NumPy from a point of the
// unit disk (Marsaglia 1964); the second waits for the next call.
double pyarray_rt_py_random_gauss(void) {
  pa_random *random = &pa_thread_current()->python_random;
  if (random->has_gauss) return random->has_gauss = 0, random->gauss;
  double angle = draw_double(random) * 6.283185307179586, radius = sqrt(-2.0 * log(1.0 - draw_double(random)));
  random->gauss = sin(angle) * radius;
  random->has_gauss = 1;
  return cos(angle) * radius;
}

double pyarray_rt_np_random_gauss(void) {
  pa_random *random = &pa_thread_current()->numpy_random;
  if (random->has_gauss) return random->has_gauss = 0, random->gauss;
  double x, y, square;
  do {
    x = 2.0 * draw_double(random) - 1.0;
    y = 2.0 * draw_double(random) - 1.0;
    square = x * x + y * y;
  } while (square >= 1.0 || square == 0.0);
  double factor = sqrt(-2.0 * log(square) / square);
  random->gauss = factor * x;
  random->has_gauss = 1;
  return factor * y;
}

int64_t pyarray_rt_py_random_state(void) { return (int64_t)(uintptr_t)&pa_thread_current()->python_random; }
int64_t pyarray_rt_np_random_state(void) { return (int64_t)(uintptr_t)&pa_thread_current()->numpy_random; }
void pyarray_rt_random_refill(int64_t state) { refill((pa_random *)(uintptr_t)state); }

// CPython seeds by the 32-bit digits of the absolute value.
void pyarray_rt_py_random_seed(int64_t seed) {
  uint64_t magnitude = seed < 0 ? 0 - (uint64_t)seed : (uint64_t)seed;
  uint32_t key[2] = {(uint32_t)magnitude, (uint32_t)(magnitude >> 32)};
  seed_words(&pa_thread_current()->python_random, key, key[1] ? 2 : 1);
}

void pyarray_rt_np_random_seed(int64_t seed) { seed_word(&pa_thread_current()->numpy_random, (uint32_t)seed); }
