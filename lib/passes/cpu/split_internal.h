// What the files of pyarray-split-grid share: split_grid.c (the pass, loops in order), split_chunk.c (functions over a
// part of the iterations, and their launch), split_reduction.c (loops that carry reductions), split_private.c (copies
// of arrays that a loop reduces), split_combine.c (what reductions are, memory of the parts).
#ifndef PYARRAY_LIB_PASSES_SPLIT_INTERNAL_H
#define PYARRAY_LIB_PASSES_SPLIT_INTERNAL_H

#include "ir/blocks.h"

typedef struct pa_splitting {
  pa_arena *arena;
  pa_names names;
  MlirOperation module;
  MlirOperation function; // being worked on
  int chunks;             // made of it
} pa_splitting;

typedef struct pa_value_list {
  MlirValue *items;
  size_t count, capacity;
} pa_value_list;

//===-- split_grid.c ------------------------------------------------------------------------------===//

// For a loop none of whose iterations touches what another one writes; lib/codegen/parallel_loops.c marks its accesses.
// Null for other loops. Where accesses are strided (pyarray.strided), vectors do not pay.
MlirAttribute pa_parallel_annotation(MlirContext context, MlirOperation parallel);

//===-- split_chunk.c -----------------------------------------------------------------------------===//

// A loop on its way to several threads.
typedef struct pa_chunk {
  MlirOperation loop;
  pa_value_list captured; // values from outside; first those that become parameters
  size_t parameters;
  const char *name, *launch; // of the functions
  MlirValue count, grain;    // of the launch, i64
} pa_chunk;

enum { PA_CHUNK_BEGIN, PA_CHUNK_END, PA_CHUNK_PART, PA_CHUNK_PARAMETERS };

// The least number of iterations that are worth a thread's while, i64 (runtime.def).
MlirValue pa_emit_grain(pa_splitting *s, pa_builder *at, MlirOperation loop);
// Finds what |loop| captures; |extra| values are made parameters too.
pa_chunk pa_chunk_begin(pa_splitting *s, MlirOperation loop, const MlirValue *extra, size_t extra_count);
// The function's region: parameters begin, end, part, captured; |*out_inside| builds in it. Uses in the loop are
// redirected, and |values| (extents, initial values) that are among the captured ones.
MlirRegion pa_chunk_open(pa_splitting *s, pa_builder *at, pa_chunk *chunk, MlirValue *values, intptr_t count,
                         pa_builder *out_inside);
void pa_chunk_close(pa_splitting *s, pa_builder *at, const pa_chunk *chunk, pa_builder *inside, MlirRegion region);
// Calls the launch, and leaves the function where a part failed.
void pa_chunk_launch(pa_splitting *s, pa_builder *at, pa_chunk *chunk, MlirValue count);

// Declares a function of the runtime after which the caller leaves with an error.
void pa_declare_noreturn(pa_splitting *s, pa_builder *at, const char *name, const MlirType *inputs, intptr_t count);

// Spreads an scf.parallel without results over threads.
void pa_split_parallel(pa_splitting *s, pa_builder *at, MlirOperation parallel);

//===-- split_combine.c ---------------------------------------------------------------------------===//

// Whether |kind| is a reduction of values of |type|: add, mul, last, min, max, fmin and fmax (NaN where one is), umin,
// umax, and, or, xor.
bool pa_is_reduction(const char *kind, MlirType type);
// What a part begins with: |init| where combining it again changes nothing, else what changes nothing.
MlirValue pa_neutral(pa_builder *at, const char *kind, MlirType type, MlirValue init);
MlirValue pa_combine(pa_builder *at, const char *kind, MlirType type, MlirValue a, MlirValue b);

// Calls a function of the runtime that takes and returns int64_t, declaring it on first use.
MlirValue pa_call_integers(pa_splitting *s, pa_builder *at, const char *name, MlirValue *operands, intptr_t count);

// Memory (i64) that is released where a part raises.
typedef struct pa_part_memory {
  MlirValue address, slot;
} pa_part_memory;
// Raises MemoryError at raise site |site| where there is none.
pa_part_memory pa_allocate_parts(pa_splitting *s, pa_builder *at, MlirValue bytes, MlirAttribute site);
void pa_release_parts(pa_splitting *s, pa_builder *at, pa_part_memory memory);
bool pa_is_memory_site(MlirAttribute site);

//===-- split_private.c ---------------------------------------------------------------------------===//

// The arrays of which each part of a loop has a copy.
typedef struct pa_private_copy {
  MlirOperation call; // stands for the copy in the loop
  MlirValue array;    // a memref
  const char *kind;
  MlirValue offset; // of the copy in the memory of a part, in bytes
} pa_private_copy;

typedef struct pa_private_copies {
  pa_private_copy *items;
  size_t count, capacity;
  MlirValue bytes, parts; // of one part; their number, 0 where the only part works on the arrays themselves
  pa_part_memory memory;
} pa_private_copies;

// How many values a part captures for its copies, at most.
static inline intptr_t pa_private_capacity(const pa_private_copies *copies) { return (intptr_t)copies->count + 3; }

// In this order; without copies, they do nothing.
pa_status pa_find_private(pa_splitting *s, MlirOperation loop, pa_private_copies *out_copies);
// The grain of the loop: |grain|, or one that allows for the copies.
MlirValue pa_private_grain(pa_splitting *s, pa_builder *at, pa_private_copies *copies, MlirValue count,
                           MlirValue grain);
void pa_allocate_private(pa_splitting *s, pa_builder *at, pa_private_copies *copies, MlirValue parts);
// Writes the values that a part captures, and returns how many.
intptr_t pa_private_values(const pa_private_copies *copies, MlirValue *out_values);
// At the beginning of the part; |values| as the part has them. The calls in the loop are replaced.
void pa_open_private(pa_splitting *s, pa_builder *at, pa_private_copies *copies, const MlirValue *values);
void pa_combine_private(pa_splitting *s, pa_builder *at, pa_private_copies *copies);

//===-- split_reduction.c -------------------------------------------------------------------------===//

// Spreads an scf.for from 0 by 1 that carries reductions over threads, and removes it.
pa_status pa_split_reduction(pa_splitting *s, MlirOperation loop);

#endif // PYARRAY_LIB_PASSES_SPLIT_INTERNAL_H
