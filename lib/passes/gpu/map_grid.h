// What the files of pyarray-map-grid share: map_grid.c (the pass, points and threads), map_grid_vectors.c (accesses of
// 16 bytes).
#ifndef PYARRAY_LIB_PASSES_MAP_GRID_H
#define PYARRAY_LIB_PASSES_MAP_GRID_H

#include "ir/ir.h"
#include "support/map.h"

typedef struct pa_mapping {
  pa_arena *arena;
  pa_names names;
  MlirContext context;
  MlirType index, i1, i32, i64, ptr;
  MlirOperation function, parallel;             // the loop being mapped, and where it is
  MlirValue thread, threads;                    // of the grid: this one's number, how many; index type
  MlirValue block, lane, block_threads, blocks; // the block's number, the thread's within it, how many
  int64_t points;                               // that a thread takes at a time, at most
  int64_t registers;                            // that it shall have, or 0
} pa_mapping;

MlirValue pa_grid_binary(pa_builder *at, const char *name, MlirValue a, MlirValue b);
MlirValue pa_grid_compare(pa_mapping *m, pa_builder *at, int64_t predicate, MlirValue a, MlirValue b);
// scf.for without results; |inside| has built the body, with the loop's variable as its first argument.
void pa_grid_loop(pa_builder *at, pa_builder *inside, MlirRegion body, MlirValue low, MlirValue high, MlirValue step);
// A copy of |op| at the builder's place: values in |values| are replaced, and its results put there.
void pa_clone_mapped(pa_mapping *m, pa_builder *at, MlirOperation op, pa_map *values);
// The loop's body but for its terminator, once more, where the points are at |indices|.
void pa_clone_body(pa_mapping *m, pa_builder *at, const MlirValue *indices);

// In a function with pyarray.numbers: loads of the loop's body from arrays that may be one number, which is found
// before the loop.
void pa_find_numbers(pa_mapping *m, pa_builder *at);

// How a thread takes several points that follow each other along the last dimension; NULL where that does not pay.
// |*out_fits|, of type i1: operands are contiguous and aligned, if the last extent is a multiple of |*out_lanes| (index
// type), the number of these points, or the loop has one dimension.
typedef struct pa_vector_plan pa_vector_plan;
const pa_vector_plan *pa_plan_vectors(pa_mapping *m, pa_builder *at, MlirValue *out_fits, MlirValue *out_lanes);
// How many points these are.
int pa_vector_lanes(const pa_vector_plan *plan);
// How many groups of such points a thread may take at once.
int pa_vector_groups(const pa_vector_plan *plan);
// Whether the body is too large for a copy for each point: pa_looped_points is for it.
bool pa_vector_loops(const pa_vector_plan *plan);
// Whether that does the points that are left as well.
bool pa_vector_merges(const pa_vector_plan *plan);
// How many registers a thread shall have, so that enough of them run beside each other; 0 where the assembler decides.
int pa_vector_registers(const pa_vector_plan *plan);
// The loop's body for |groups| of those, |distance| apart (NULL for one group), the first from |indices| on.
void pa_vector_points(pa_mapping *m, pa_builder *at, const pa_vector_plan *plan, const MlirValue *indices, int groups,
                      MlirValue distance);
// The same in a loop over groups, for the points of a block from |first| to |end|; of one dimension. |fits|: vectors
// may be used, and there are all points; null where that is so in any case.
void pa_looped_points(pa_mapping *m, pa_builder *at, const pa_vector_plan *plan, MlirValue first, MlirValue end,
                      MlirValue fits);

#endif // PYARRAY_LIB_PASSES_MAP_GRID_H
