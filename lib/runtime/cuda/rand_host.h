// cuRAND's functions over the host's memory, for where the CPU plays the device. Numbers are cuRAND's own wherever
// their algorithm is published (docs/cuda.md says which are). Private to rand_host*.c.
//
// Of a pseudo generator, cuRAND gives a *lane* (a thread of its own) a turn for each *group* of outputs, lane after
// lane; a lane draws its numbers from a sequence of its own. An output of a call is never made of the numbers of two
// lanes.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_RAND_HOST_H
#define PYARRAY_LIB_RUNTIME_CUDA_RAND_HOST_H

#include "rand.h"

enum {
  PA_RAND_DIMENSIONS = 1111, // of sobol_numbers.def
  PA_RAND_CHUNK = 1024,      // lanes that are computed together
  PA_RAND_COLUMNS = 8,       // numbers of a lane for one group, at most
};

// How numbers become uniform and normal ones.
typedef enum pa_rand_style {
  PA_RAND_BOX_MULLER, // pairs of normal ones from two or four numbers; doubles from two
  PA_RAND_MRG,        // the same of numbers from 1 to m, which have the precision of a double already
  PA_RAND_TWISTER,    // one number each; normal ones by the inverse distribution
  PA_RAND_INVERSE,    // the same, save that 1 is among the uniform doubles
} pa_rand_style;

typedef struct pa_rand_host pa_rand_host;

// An algorithm of pseudo random numbers.
typedef struct pa_rand_engine {
  int type; // cuRAND's number of it
  pa_rand_style style;
  size_t lanes, legacy_lanes; // SIZE_MAX: one sequence, of which each turn takes the next numbers
  int columns;                // numbers that a turn of a lane gives
  bool has_offset;
  size_t lane_bytes; // of |states|, a lane
  // Sets the states of all lanes, |rounds| numbers after their beginnings.
  void (*start)(pa_rand_host *self, uint64_t rounds);
  // A turn of the lanes |first| to |first + count|: number c of lane i is out[c * count + i].
  void (*turn)(pa_rand_host *self, size_t first, size_t count, uint32_t *out);
} pa_rand_engine;

// What a handle points to.
struct pa_rand_host {
  const pa_rand_engine *engine; // NULL: quasi random numbers
  int type, ordering;
  unsigned dimensions;
  uint64_t seed, offset;
  bool is_started; // what follows is set
  size_t lanes, lane;
  int given; // outputs that the lane's group has given already
  void *states;
  uint64_t place; // of quasi random numbers: of the next point
  double lambda;  // what |table| is for
  double *table;  // of Poisson's distribution: the probability of |first_count| + i or less
  size_t table_length;
  unsigned first_count;
};

// A row of numbers to be made: what curandGenerate* was asked for.
typedef struct pa_rand_order {
  pa_rand_kind kind;
  bool is_double;
  double mean, sigma; // or lambda
} pa_rand_order;

//===-- rand_host_engines.c, rand_host_twisters.c -------------------------------------------------===//

extern const pa_rand_engine pa_rand_xorwow, pa_rand_mrg, pa_rand_philox;
extern const pa_rand_engine pa_rand_mtgp, pa_rand_mt19937;
void pa_philox(uint32_t counter[4], uint32_t key0, uint32_t key1); // ten rounds

//===-- rand_host_sobol.c -------------------------------------------------------------------------===//

// |count| numbers of a dimension from |place| on. The directions of 32-bit numbers are the high halves of those of 64
// bits.
void pa_sobol(int type, unsigned dimension, uint64_t place, size_t count, uint64_t *out);

//===-- rand_host_values.c ------------------------------------------------------------------------===//

// Sets |table| for |lambda|; false where memory is too small.
bool pa_rand_poisson_table(pa_rand_host *self, double lambda);
// |groups| groups of |outputs| each, from columns of numbers as turn gives them; |out| has their type.
void pa_rand_groups(const pa_rand_host *self, const pa_rand_order *order, const uint32_t *numbers, size_t groups,
                    int outputs, void *out);
// The same of quasi random numbers, in the low half of each element or, |is_wide|, all of it.
void pa_rand_points(const pa_rand_host *self, const pa_rand_order *order, const uint64_t *numbers, size_t count,
                    bool is_wide, void *out);

#endif // PYARRAY_LIB_RUNTIME_CUDA_RAND_HOST_H
