// The functions of cuRAND where the CPU plays the device: generators, their settings, and whose turn it is.
#include "rand_host.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_LAMBDA = 400000 };

//===-- Making and setting ------------------------------------------------------------------------===//

static const pa_rand_engine *const engines[] = {&pa_rand_xorwow, &pa_rand_mrg, &pa_rand_mtgp, &pa_rand_mt19937,
                                                &pa_rand_philox};

static pa_library_result get_version(int *version) { return *version = 0, 0; }

static pa_library_result create(void **generator, int type) {
  const pa_rand_engine *engine = NULL;
  if (type == PA_RAND_DEFAULT) type = PA_RAND_XORWOW;
  if (type == PA_RAND_QUASI_DEFAULT) type = PA_RAND_SOBOL32;
  for (size_t i = 0; i < sizeof engines / sizeof *engines; ++i)
    if (engines[i]->type == type) engine = engines[i];
  if (!engine && (type < PA_RAND_SOBOL32 || type > PA_RAND_SCRAMBLED_SOBOL64)) return PA_RAND_TYPE_ERROR;
  pa_rand_host *self = calloc(1, sizeof *self);
  if (!self) return PA_RAND_ALLOCATION_FAILED;
  self->engine = engine;
  self->type = type;
  self->dimensions = 1;
  *generator = self;
  return 0;
}

static pa_library_result destroy(void *generator) {
  pa_rand_host *self = generator;
  if (!self) return PA_RAND_NOT_INITIALIZED;
  free(self->states);
  free(self->table);
  free(self);
  return 0;
}

static pa_library_result set_stream(void *generator, CUstream stream) {
  (void)stream; // work is done when it is enqueued
  return generator ? 0 : PA_RAND_NOT_INITIALIZED;
}

static pa_library_result set_seed(void *generator, unsigned long long seed) {
  pa_rand_host *self = generator;
  if (!self->engine) return PA_RAND_TYPE_ERROR;
  self->seed = seed;
  self->is_started = false;
  return 0;
}

static pa_library_result set_offset(void *generator, unsigned long long offset) {
  pa_rand_host *self = generator;
  if (self->engine && !self->engine->has_offset) return PA_RAND_TYPE_ERROR;
  self->offset = offset;
  self->is_started = false;
  return 0;
}

// Sequences that lanes begin from seeds of their own are XORWOW's alone.
static pa_library_result set_ordering(void *generator, int ordering) {
  pa_rand_host *self = generator;
  if (!self->engine) return ordering == PA_RAND_QUASI_ORDERING ? 0 : PA_RAND_OUT_OF_RANGE;
  if (ordering < PA_RAND_DEFAULT || ordering > PA_RAND_DYNAMIC) return PA_RAND_OUT_OF_RANGE;
  if (ordering == PA_RAND_SEEDED && self->engine != &pa_rand_xorwow) return PA_RAND_OUT_OF_RANGE;
  self->ordering = ordering;
  self->is_started = false;
  return 0;
}

static pa_library_result set_dimensions(void *generator, unsigned dimensions) {
  pa_rand_host *self = generator;
  if (self->engine) return PA_RAND_TYPE_ERROR;
  if (!dimensions || dimensions > PA_RAND_DIMENSIONS) return PA_RAND_OUT_OF_RANGE;
  self->dimensions = dimensions;
  self->is_started = false;
  return 0;
}

//===-- Pseudo random numbers ---------------------------------------------------------------------===//

static bool is_sequential(const pa_rand_host *self) { return self->lanes == SIZE_MAX; }

// Sets the states as they are after |offset| numbers.
static bool start(pa_rand_host *self) {
  const pa_rand_engine *engine = self->engine;
  uint32_t spare[PA_RAND_COLUMNS * PA_RAND_CHUNK];
  self->lanes = self->ordering == PA_RAND_LEGACY ? engine->legacy_lanes : engine->lanes;
  void *states = realloc(self->states, engine->lane_bytes * (is_sequential(self) ? 1 : self->lanes));
  if (!states) return false;
  self->states = states;
  uint64_t columns = (uint64_t)engine->columns, turns = self->offset / columns;
  engine->start(self, is_sequential(self) ? 0 : turns / self->lanes);
  self->lane = is_sequential(self) ? 0 : (size_t)(turns % self->lanes);
  self->given = (int)(self->offset % columns);
  for (size_t i = 0, count; i < self->lane; i += count) { // these have had one turn more
    count = self->lane - i < PA_RAND_CHUNK ? self->lane - i : PA_RAND_CHUNK;
    engine->turn(self, i, count, spare);
  }
  self->is_started = true;
  return true;
}

// Outputs of a group, and the turns that it takes.
static void shape_group(const pa_rand_engine *engine, const pa_rand_order *order, int *out_outputs, int *out_turns) {
  bool is_normal = order->kind == PA_RAND_NORMAL || order->kind == PA_RAND_LOGNORMAL;
  bool pairs = engine->style == PA_RAND_BOX_MULLER || engine->style == PA_RAND_MRG;
  int outputs = engine->columns > 1 ? engine->columns : is_normal && pairs ? 2 : 1;
  int numbers = engine->style == PA_RAND_BOX_MULLER && order->is_double ? 2 * outputs : outputs;
  *out_outputs = outputs, *out_turns = numbers / engine->columns;
}

static void run_turns(pa_rand_host *self, size_t lanes, int turns, uint32_t *numbers) {
  for (int t = 0; t < turns; ++t)
    self->engine->turn(self, self->lane, lanes, numbers + (size_t)(t * self->engine->columns) * lanes);
}

// Outputs of a group that is given in parts: |self->given| were, |most| are wanted. The lane is done with it when all
// are given.
static size_t give_part(pa_rand_host *self, const pa_rand_order *order, int outputs, int turns, size_t most,
                        size_t item, char *out) {
  uint32_t numbers[PA_RAND_COLUMNS];
  double group[PA_RAND_COLUMNS];
  size_t rest = (size_t)(outputs - self->given), count = most < rest ? most : rest;
  run_turns(self, 1, turns, numbers);
  pa_rand_groups(self, order, numbers, 1, outputs, group);
  memcpy(out, (char *)group + (size_t)self->given * item, count * item);
  if (count < rest) {
    self->given += (int)count;
    ((uint64_t *)self->states)[self->lane] -= (uint64_t)turns; // Philox: it counts from there again
  } else {
    self->given = 0;
    self->lane = (self->lane + 1) % self->lanes;
  }
  return count;
}

static pa_library_result generate_pseudo(pa_rand_host *self, const pa_rand_order *order, char *out, size_t count,
                                         size_t item) {
  uint32_t numbers[PA_RAND_COLUMNS * PA_RAND_CHUNK];
  int outputs, turns;
  shape_group(self->engine, order, &outputs, &turns);
  if (count % (size_t)outputs && self->engine->columns == 1) return PA_RAND_LENGTH_NOT_MULTIPLE;
  if (!self->is_started && !start(self)) return PA_RAND_ALLOCATION_FAILED;
  while (count) {
    size_t groups = count / (size_t)outputs, given;
    if (self->given || !groups) {
      given = give_part(self, order, outputs, turns, count, item, out);
    } else {
      size_t lanes = self->lanes - self->lane;
      if (groups > PA_RAND_CHUNK) groups = PA_RAND_CHUNK;
      if (groups > lanes) groups = lanes;
      run_turns(self, groups, turns, numbers);
      pa_rand_groups(self, order, numbers, groups, outputs, out);
      if (!is_sequential(self)) self->lane = (self->lane + groups) % self->lanes;
      given = groups * (size_t)outputs;
    }
    count -= given;
    out += given * item;
  }
  return 0;
}

//===-- Quasi random numbers ----------------------------------------------------------------------===//

static pa_library_result generate_quasi(pa_rand_host *self, const pa_rand_order *order, char *out, size_t count,
                                        size_t item) {
  bool is_wide = self->type == PA_RAND_SOBOL64 || self->type == PA_RAND_SCRAMBLED_SOBOL64;
  if (order->kind == PA_RAND_BITS && is_wide != (item == 8)) return PA_RAND_TYPE_ERROR;
  if (count % self->dimensions) return PA_RAND_LENGTH_NOT_MULTIPLE;
  if (!self->is_started) self->place = self->offset, self->is_started = true;
  uint64_t numbers[PA_RAND_CHUNK];
  size_t points = count / self->dimensions;
  for (unsigned dimension = 0; dimension < self->dimensions; ++dimension)
    for (size_t i = 0, part; i < points; i += part, out += part * item) {
      part = points - i < PA_RAND_CHUNK ? points - i : PA_RAND_CHUNK;
      pa_sobol(self->type, dimension, self->place + i, part, numbers);
      pa_rand_points(self, order, numbers, part, is_wide, out);
    }
  self->place += points;
  return 0;
}

static pa_library_result generate(void *generator, const pa_rand_order *order, void *out, size_t count, size_t item) {
  pa_rand_host *self = generator;
  if (!self) return PA_RAND_NOT_INITIALIZED;
  return self->engine ? generate_pseudo(self, order, out, count, item) : generate_quasi(self, order, out, count, item);
}

//===-- Functions under cuRAND's names ------------------------------------------------------------===//

static pa_library_result generate_bits(void *generator, unsigned *out, size_t count) {
  return generate(generator, &(pa_rand_order){.kind = PA_RAND_BITS}, out, count, sizeof *out);
}

static pa_library_result generate_wide_bits(void *generator, unsigned long long *out, size_t count) {
  const pa_rand_host *self = generator;
  if (self->engine) return PA_RAND_TYPE_ERROR;
  return generate(generator, &(pa_rand_order){.kind = PA_RAND_BITS}, out, count, sizeof *out);
}

static pa_library_result generate_uniform(void *generator, float *out, size_t count) {
  return generate(generator, &(pa_rand_order){.kind = PA_RAND_UNIFORM}, out, count, sizeof *out);
}

static pa_library_result generate_uniform_double(void *generator, double *out, size_t count) {
  return generate(generator, &(pa_rand_order){PA_RAND_UNIFORM, true, 0, 1}, out, count, sizeof *out);
}

static pa_library_result generate_normal(void *generator, float *out, size_t count, float mean, float sigma) {
  return generate(generator, &(pa_rand_order){PA_RAND_NORMAL, false, mean, sigma}, out, count, sizeof *out);
}

static pa_library_result generate_normal_double(void *generator, double *out, size_t count, double mean, double sigma) {
  return generate(generator, &(pa_rand_order){PA_RAND_NORMAL, true, mean, sigma}, out, count, sizeof *out);
}

static pa_library_result generate_lognormal(void *generator, float *out, size_t count, float mean, float sigma) {
  return generate(generator, &(pa_rand_order){PA_RAND_LOGNORMAL, false, mean, sigma}, out, count, sizeof *out);
}

static pa_library_result generate_lognormal_double(void *generator, double *out, size_t count, double mean,
                                                   double sigma) {
  return generate(generator, &(pa_rand_order){PA_RAND_LOGNORMAL, true, mean, sigma}, out, count, sizeof *out);
}

static pa_library_result generate_poisson(void *generator, unsigned *out, size_t count, double lambda) {
  pa_rand_host *self = generator;
  if (!(lambda > 0 && lambda <= LARGEST_LAMBDA)) return PA_RAND_OUT_OF_RANGE;
  if (!pa_rand_poisson_table(self, lambda)) return PA_RAND_ALLOCATION_FAILED;
  return generate(generator, &(pa_rand_order){PA_RAND_POISSON, false, lambda, 0}, out, count, sizeof *out);
}

const pa_curand_functions pa_curand_host = {
    .GetVersion = get_version,
    .Create = create,
    .Destroy = destroy,
    .SetStream = set_stream,
    .SetSeed = set_seed,
    .SetOffset = set_offset,
    .SetOrdering = set_ordering,
    .SetDimensions = set_dimensions,
    .Generate = generate_bits,
    .GenerateLongLong = generate_wide_bits,
    .GenerateUniform = generate_uniform,
    .GenerateUniformDouble = generate_uniform_double,
    .GenerateNormal = generate_normal,
    .GenerateNormalDouble = generate_normal_double,
    .GenerateLogNormal = generate_lognormal,
    .GenerateLogNormalDouble = generate_lognormal_double,
    .GeneratePoisson = generate_poisson,
};
