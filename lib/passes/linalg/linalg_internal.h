// What the files of pyarray-lower-linalg share: lower_linalg.c (driver), linalg_build.c (small operations, loops,
// rows), linalg_rows.c and linalg_packed.c (rows of elementwise operations), linalg_tiles.c (tiles of rows),
// linalg_sums.c (sums), linalg_threads.c (parts for threads), linalg_contract.c (products of matrices).
//
// Operations are made at the place of the pass's builder, which scopes move into regions and back. After a failure
// every helper does nothing and gives null values, which all accept.
#ifndef PYARRAY_LIB_PASSES_LINALG_INTERNAL_H
#define PYARRAY_LIB_PASSES_LINALG_INTERNAL_H

#include "ir/blocks.h"
#include "ir/ir.h"

enum { PA_MAX_LOOPS = 32 };

// Stack memory that operations use one after the other.
typedef struct pa_buffer {
  MlirType element;
  int slot;
  MlirValue memref;
} pa_buffer;

typedef struct pa_linalg {
  pa_arena *arena;
  pa_names names;
  pa_builder at;
  MlirType index, i1, i64, none;
  MlirOperation function; // that is being lowered
  MlirValue zero, one;    // index constants at its top, or null
  pa_buffer *buffers;     // at its top
  size_t buffer_count, buffer_capacity;
} pa_linalg;

//===-- Small operations (linalg_build.c) ---------------------------------------------------------===//

typedef enum pa_predicate { PA_EQUAL = 0, PA_SIGNED_GREATER = 4 } pa_predicate; // arith's

MlirValue pa_loop_int(pa_linalg *l, int64_t value); // index constants
MlirValue pa_loop_binary(pa_linalg *l, const char *name, MlirValue a, MlirValue b);
MlirValue pa_loop_compare(pa_linalg *l, pa_predicate predicate, MlirValue a, MlirValue b);
MlirValue pa_loop_not(pa_linalg *l, MlirValue a);
MlirValue pa_loop_select(pa_linalg *l, MlirValue condition, MlirValue a, MlirValue b);
MlirValue pa_loop_cast(pa_linalg *l, MlirValue value, MlirType type); // index to i64 and back
MlirValue pa_loop_load(pa_linalg *l, MlirValue memref, const MlirValue *indices, int count);
void pa_loop_store(pa_linalg *l, MlirValue value, MlirValue memref, const MlirValue *indices, int count);
MlirValue pa_loop_extent(pa_linalg *l, MlirValue memref, int axis);
void pa_loop_strides(pa_linalg *l, MlirValue memref, MlirValue *out); // one for each axis, in elements
// Stack memory of the function: |count| elements, 64-byte aligned. Of one element type and |slot|, of which |count| is
// always the same, it is one: for what is not read after the operation.
MlirValue pa_loop_buffer(pa_linalg *l, MlirType element, int slot, int64_t count);
MlirValue pa_loop_memref_cast(pa_linalg *l, MlirValue memref, MlirType type);
// The address (i64) of the first element, which has as many bytes.
MlirValue pa_loop_address(pa_linalg *l, MlirValue memref, int64_t bytes);
// The memory of |memref|, from its first element on, with these extents and strides.
MlirValue pa_loop_strided(pa_linalg *l, MlirValue memref, const MlirValue *extents, const MlirValue *strides, int rank);
// Contiguous elements, of the type of those of |like|, at that address.
MlirValue pa_loop_memref_at(pa_linalg *l, MlirValue address, MlirValue like);
// Calls a function of the runtime, declaring it on first use. |result|: null for none.
MlirValue pa_loop_call(pa_linalg *l, const char *name, MlirType result, const MlirValue *operands, int count);

//===-- Scopes ------------------------------------------------------------------------------------===//

// A region under construction: until it is closed, operations go there.
typedef struct pa_inside {
  MlirBlock block, outer;
  MlirOperation before;
  MlirRegion region;
} pa_inside;

pa_inside pa_inside_open(pa_linalg *l, const MlirType *arguments, intptr_t count);
MlirRegion pa_inside_close(pa_linalg *l, pa_inside inside, const char *terminator, const MlirValue *values,
                           intptr_t count);
pa_inside pa_when_open(pa_linalg *l); // scf.if without results or else
void pa_when_close(pa_linalg *l, pa_inside inside, MlirValue condition);
// scf.parallel from |low| to |high| by 1; LLVM shall not vectorise a |strided| one.
pa_inside pa_points_open(pa_linalg *l, MlirValue *out_index);
void pa_points_close(pa_linalg *l, pa_inside inside, MlirValue low, MlirValue high, bool strided);
// scf.parallel from 0 over |extents|; |attributes| of the operation.
pa_inside pa_grid_open(pa_linalg *l, int rank, MlirValue *out_indices);
void pa_grid_close(pa_linalg *l, pa_inside inside, const MlirValue *extents, int rank, const pa_attr *attributes,
                   int count);

//===-- Elementwise operations --------------------------------------------------------------------===//

typedef struct pa_generic {
  MlirOperation op;
  MlirBlock body;
  int inputs, count, rank; // operands, loops
  bool packed, unit_strides, strided, seldom;
  int64_t cost; // of a point
  MlirValue *operands;
  bool *numbers; // which of them are numbers
  bool *columns; // which have one element for each row, by their maps
  MlirValue extents[PA_MAX_LOOPS], indices[PA_MAX_LOOPS];
} pa_generic;

// linalg_views.c: whether its map is a permutation, with dimensions left out; the extent of a loop, from an output
// if one has it; the operand with all loops, in order.
bool pa_has_view(const pa_generic *g, int number);
bool pa_is_column(const pa_generic *g, int number); // without the last loop
MlirValue pa_generic_extent(pa_linalg *l, const pa_generic *g, int loop);
MlirValue pa_generic_view(pa_linalg *l, const pa_generic *g, int number);

// The body with these points of its inputs, here; the results to |out|, one for each output. Only once: its operations
// are moved.
void pa_generic_point(pa_linalg *l, const pa_generic *g, const MlirValue *points, MlirValue *out);

// An operand along the last dimension, at the indices of the others.
typedef struct pa_row {
  MlirValue memref, unit, stride; // with any stride; as if contiguous; in elements
  bool contiguous;                // by its type
} pa_row;
pa_row pa_generic_row(pa_linalg *l, const pa_generic *g, int number);

// |count| elements of a memref of one dimension, from |low| on.
MlirValue pa_part_view(pa_linalg *l, MlirValue memref, MlirValue low, MlirValue count);

// The points [low, high) of the row at the indices.
void pa_lower_row(pa_linalg *l, pa_generic *g, MlirValue low, MlirValue high);
void pa_lower_packed_row(pa_linalg *l, pa_generic *g, MlirValue low, MlirValue high);

// linalg_packed.c: points of a block, of so many arrays; bytes of an element.
int64_t pa_block_points(int arrays);
int64_t pa_bytes_of(MlirType type);
// Whether elements follow each other along the last dimension, by the type of a memref.
bool pa_is_contiguous(MlirType type);

// All rows by blocks that the runtime finds (linalg_blocks.c): outputs are contiguous along the last dimension, and
// some input may not be.
bool pa_takes_blocks(const pa_linalg *l, const pa_generic *g);
void pa_lower_blocks(pa_linalg *l, pa_generic *g);

// Several rows at once, where operands lie differently (linalg_tiles.c).
typedef struct pa_tiles {
  MlirValue height, width, count; // rows and points of a tile; tiles along the last dimension but one
} pa_tiles;
bool pa_is_tiled(const pa_generic *g);
pa_tiles pa_open_tiles(pa_linalg *l, const pa_generic *g);
// The points [low, high) of the rows of the tile whose number is the index of the last dimension but one.
void pa_lower_tile(pa_linalg *l, pa_generic *g, const pa_tiles *tiles, MlirValue low, MlirValue high);

//===-- Sums (linalg_sums.c) ----------------------------------------------------------------------===//

// A reduction to the one element of its output, in NumPy's order: of at most 128 floats.
bool pa_is_sum(const pa_generic *g);
void pa_lower_sum(pa_linalg *l, pa_generic *g);

//===-- Threads (linalg_threads.c) ----------------------------------------------------------------===//

// Points that threads share.
typedef struct pa_shared_points {
  MlirOperation op; // with pyarray.cost, pyarray.try, pyarray.handlers
  int rank;
  const MlirValue *extents;
  MlirValue *indices; // of all dimensions but the last, where |row| is called
  MlirValue rows;     // that a step along the dimension before the last stands for; null: one
  void (*row)(pa_linalg *l, void *data, MlirValue low, MlirValue high);
  void *data;
} pa_shared_points;
void pa_share_points(pa_linalg *l, const pa_shared_points *points);
int64_t pa_point_cost(MlirOperation op);
// A scf.parallel with pyarray.cost and pyarray.threads, in parts that are worth a thread.
void pa_share_parallel(pa_linalg *l, MlirOperation parallel);

//===-- Products (linalg_contract.c) --------------------------------------------------------------===//

// An operation with pyarray.contract, which is a product or what its output starts from.
bool pa_is_contraction(MlirOperation op);
// Calls the runtime for a product, and destroys it and the fill before it. A fill alone is left for its product.
pa_status pa_lower_contraction(pa_linalg *l, MlirOperation op);

#endif // PYARRAY_LIB_PASSES_LINALG_INTERNAL_H
