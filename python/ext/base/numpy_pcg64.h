// A word of NumPy's PCG64 (O'Neill 2014, XSL-RR of 128 bits), computed on its own state: no call, and so nothing that
// callers would have to put aside.
#ifndef PYARRAY_PYTHON_NUMPY_PCG64_H
#define PYARRAY_PYTHON_NUMPY_PCG64_H

#include <stdbool.h>
#include <stdint.h>

// bitgen_t of numpy/random/bitgen.h.
typedef struct bit_generator {
  void *state;
  uint64_t (*next_word)(void *state);
  uint32_t (*next_half)(void *state);
  double (*next_double)(void *state);
  uint64_t (*next_raw)(void *state);
} bit_generator;

// NumPy's function that draws the next word of a PCG64; NULL where it is not known, or does something else.
extern uint64_t (*pa_pcg64_next_word)(void *state);
void pa_pcg64_learn(void); // under the GIL

typedef struct pa_pcg64 {
  unsigned __int128 state, increment;
} pa_pcg64;

static inline uint64_t pa_pcg64_step(pa_pcg64 *pcg) {
  const unsigned __int128 multiplier =
      (unsigned __int128)UINT64_C(0x2360ed051fc65da4) << 64 | UINT64_C(0x4385df649fccf645);
  unsigned __int128 state = pcg->state = pcg->state * multiplier + pcg->increment;
  uint64_t folded = (uint64_t)(state >> 64) ^ (uint64_t)state;
  unsigned by = (unsigned)(state >> 122);
  return folded >> by | folded << (-by & 63);
}

static inline uint64_t pa_next_word(bit_generator *bits) {
  if (__builtin_expect(bits->next_word == pa_pcg64_next_word, 1)) return pa_pcg64_step(*(pa_pcg64 **)bits->state);
  return bits->next_word(bits->state);
}

static inline double pa_next_double(bit_generator *bits) {
  if (__builtin_expect(bits->next_word == pa_pcg64_next_word, 1))
    return (double)(pa_pcg64_step(*(pa_pcg64 **)bits->state) >> 11) * 0x1p-53;
  return bits->next_double(bits->state);
}

#endif // PYARRAY_PYTHON_NUMPY_PCG64_H
