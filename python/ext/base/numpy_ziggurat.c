// Normal and exponential deviates of NumPy's Generators, at the speed of tables that the compiler sees.
//
// NumPy draws them by ziggurats (Marsaglia and Tsang 2000): a random word names one of 256 layers and a magnitude;
// below the layer's limit, 99 times of 100, magnitude times the layer's scale is the deviate. The tables are NumPy's
// own, learned from its functions by words that we choose; the words that its tables do not decide go on to NumPy's
// function. So each deviate has NumPy's bits and takes NumPy's words. Where what was learned does not foretell what
// NumPy draws, its functions are called as they are.
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "ext.h"
#include "numpy_pcg64.h"

enum { LAYERS = 256, SIGNS = 2, TRIALS = 4096 };

typedef double deviate_function(bit_generator *bits);

typedef struct layer {
  uint64_t limit; // the first magnitude that the table does not decide
  double scale;
} layer;

typedef struct ziggurat {
  deviate_function *original;
  layer layers[SIGNS * LAYERS]; // those of negative deviates lie behind the others: a sign is no branch, which would be
                                // guessed wrong half of the time
} ziggurat;

static ziggurat normal, exponential;
static double (*original_normal)(bit_generator *bits, double mean, double deviation);
static double (*original_exponential)(bit_generator *bits, double scale);

//===-- Words -------------------------------------------------------------------------------------===//

enum { NORMAL_BITS = 52, EXPONENTIAL_BITS = 53 }; // of a magnitude

static inline int normal_layer(uint64_t word) { return (int)(word & 511); } // and its sign
static inline uint64_t normal_magnitude(uint64_t word) { return word >> 9 & (((uint64_t)1 << NORMAL_BITS) - 1); }
static inline int exponential_layer(uint64_t word) { return (int)(word >> 3 & 255); }
static inline uint64_t exponential_magnitude(uint64_t word) { return word >> 11; }

static uint64_t word_of(const ziggurat *table, int number, uint64_t magnitude) {
  return table == &normal ? magnitude << 9 | (uint64_t)number : magnitude << 11 | (uint64_t)number << 3;
}

//===-- A word that is drawn already --------------------------------------------------------------===//

typedef struct drawn_word {
  bit_generator *rest;
  uint64_t word;
  bool used;
} drawn_word;

static uint64_t drawn_next_word(void *state) {
  drawn_word *drawn = state;
  if (drawn->used) return drawn->rest->next_word(drawn->rest->state);
  drawn->used = true;
  return drawn->word;
}

static uint32_t drawn_next_half(void *state) {
  bit_generator *rest = ((drawn_word *)state)->rest;
  return rest->next_half(rest->state);
}

static double drawn_next_double(void *state) {
  bit_generator *rest = ((drawn_word *)state)->rest;
  return rest->next_double(rest->state);
}

static uint64_t drawn_next_raw(void *state) {
  bit_generator *rest = ((drawn_word *)state)->rest;
  return rest->next_raw(rest->state);
}

// What NumPy's function makes of the word and what follows it.
static __attribute__((noinline)) double original_of(const ziggurat *table, bit_generator *rest, uint64_t word) {
  drawn_word drawn = {rest, word, false};
  bit_generator bits = {&drawn, drawn_next_word, drawn_next_half, drawn_next_double, drawn_next_raw};
  return table->original(&bits);
}

//===-- Drawing -----------------------------------------------------------------------------------===//

static inline double draw_normal(bit_generator *bits) {
  uint64_t word = pa_next_word(bits), magnitude = normal_magnitude(word);
  const layer *in = &normal.layers[normal_layer(word)];
  if (__builtin_expect(magnitude >= in->limit, 0)) return original_of(&normal, bits, word);
  return (double)(int64_t)magnitude * in->scale;
}

static inline double draw_exponential(bit_generator *bits) {
  uint64_t word = pa_next_word(bits), magnitude = exponential_magnitude(word);
  const layer *in = &exponential.layers[exponential_layer(word)];
  if (__builtin_expect(magnitude >= in->limit, 0)) return original_of(&exponential, bits, word);
  return (double)(int64_t)magnitude * in->scale;
}

static double standard_normal(bit_generator *bits) { return draw_normal(bits); }
static double standard_exponential(bit_generator *bits) { return draw_exponential(bits); }

static double scaled_normal(bit_generator *bits, double mean, double deviation) {
  return mean + deviation * draw_normal(bits);
}

static double scaled_exponential(bit_generator *bits, double scale) { return scale * draw_exponential(bits); }

static void fill_normal(bit_generator *bits, intptr_t count, double *out) {
  for (intptr_t i = 0; i < count; ++i) out[i] = draw_normal(bits);
}

static void fill_exponential(bit_generator *bits, intptr_t count, double *out) {
  for (intptr_t i = 0; i < count; ++i) out[i] = draw_exponential(bits);
}

static void fill_uniform(bit_generator *bits, intptr_t count, double *out) {
  for (intptr_t i = 0; i < count; ++i) out[i] = pa_next_double(bits);
}

//===-- Learning ----------------------------------------------------------------------------------===//

// A generator of bits of which the trial chooses the seed, so that all of it can be repeated, and counts the draws.
typedef struct trial {
  uint64_t seed;
  int draws;
} trial;

static uint64_t trial_word(void *state) {
  trial *on = state;
  ++on->draws;
  uint64_t mixed = on->seed += UINT64_C(0x9e3779b97f4a7c15); // splitmix64 (Steele, Lea and Flood 2014)
  mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
  return mixed ^ mixed >> 31;
}

static uint32_t trial_half(void *state) { return (uint32_t)trial_word(state); }
static double trial_double(void *state) { return (double)(trial_word(state) >> 11) * 0x1p-53; }

static bit_generator bits_of(trial *on) {
  return (bit_generator){on, trial_word, trial_half, trial_double, trial_word};
}

// Whether NumPy's function takes a word and no other bits for a deviate.
static bool decides(const ziggurat *table, uint64_t word, double *deviate) {
  trial rest = {word, 0};
  bit_generator bits = bits_of(&rest);
  *deviate = original_of(table, &bits, word);
  return !rest.draws;
}

static void learn_layer(ziggurat *table, int number) {
  uint64_t below = 0, bound = (uint64_t)1 << (table == &normal ? NORMAL_BITS : EXPONENTIAL_BITS);
  layer *learned = &table->layers[number], *negative = &table->layers[LAYERS + number];
  double deviate;
  if (!decides(table, word_of(table, number, 1), &learned->scale)) return; // its limit is 0: never
  while (bound - below > 1) {
    uint64_t middle = below + (bound - below) / 2;
    if (decides(table, word_of(table, number, middle), &deviate))
      below = middle;
    else
      bound = middle;
  }
  learned->limit = bound;
  *negative = (layer){bound, -learned->scale};
}

static bool same(double x, double y) { return !memcmp(&x, &y, sizeof x); }

// Whether both draw the same from the same bits, and as many of them.
static bool agree(uint64_t seed, bool of_normal) {
  trial first = {seed, 0}, second = {seed, 0}, parameters = {~seed, 0};
  bit_generator ours = bits_of(&first), theirs = bits_of(&second);
  double mean = 8 * trial_double(&parameters) - 4, scale = 3 * trial_double(&parameters);
  bool equal = of_normal ? same(draw_normal(&ours), normal.original(&theirs)) &&
                               same(scaled_normal(&ours, mean, scale), original_normal(&theirs, mean, scale))
                         : same(draw_exponential(&ours), exponential.original(&theirs)) &&
                               same(scaled_exponential(&ours, scale), original_exponential(&theirs, scale));
  return equal && first.draws == second.draws && first.seed == second.seed;
}

static void *library;

static bool find(void *out_function, const char *name) {
  void *address = dlsym(library, name);
  memcpy(out_function, &address, sizeof address);
  return address;
}

static bool learn(ziggurat *table) {
  for (int number = 0; number < LAYERS; ++number) learn_layer(table, number);
  for (uint64_t seed = 0; seed < TRIALS; ++seed)
    if (!agree(seed, table == &normal)) return false;
  return true;
}

static bool knows_normal, knows_exponential; // whether the tables hold

static void learn_normal(void) {
  knows_normal =
      find(&normal.original, "random_standard_normal") && find(&original_normal, "random_normal") && learn(&normal);
}

static void learn_exponential(void) {
  knows_exponential = find(&exponential.original, "random_standard_exponential") &&
                      find(&original_exponential, "random_exponential") && learn(&exponential);
}

typedef union own_function { // its type is that of the function with its name
  deviate_function *standard;
  double (*normal)(bit_generator *, double, double);
  double (*exponential)(bit_generator *, double);
  void (*fill)(bit_generator *, intptr_t, double *);
  void *address;
} own_function;

static const struct {
  const char *name;
  bool of_normal;
  own_function function;
} functions[] = {
    {"random_normal", true, {.normal = scaled_normal}},
    {"random_standard_normal", true, {.standard = standard_normal}},
    {"random_standard_normal_fill", true, {.fill = fill_normal}},
    {"random_exponential", false, {.exponential = scaled_exponential}},
    {"random_standard_exponential", false, {.standard = standard_exponential}},
    {"random_standard_exponential_fill", false, {.fill = fill_exponential}},
};

void *pa_numpy_ziggurat_lookup(void *of_numpy, const char *name) {
  own_function uniform = {.standard = pa_next_double}, uniforms = {.fill = fill_uniform};
  if (pa_pcg64_next_word && !strcmp(name, "random_standard_uniform")) return uniform.address;
  if (pa_pcg64_next_word && !strcmp(name, "random_standard_uniform_fill")) return uniforms.address;
  static pthread_once_t normal_once = PTHREAD_ONCE_INIT, exponential_once = PTHREAD_ONCE_INIT;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
    if (strcmp(name, functions[i].name)) continue;
    bool of_normal = functions[i].of_normal;
    library = of_numpy; // the same one always
    pthread_once(of_normal ? &normal_once : &exponential_once, of_normal ? learn_normal : learn_exponential);
    return (of_normal ? knows_normal : knows_exponential) ? functions[i].function.address : NULL;
  }
  return NULL;
}
