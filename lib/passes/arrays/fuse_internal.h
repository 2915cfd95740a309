// What the files of pyarray-fuse share.
//
//   fuse.c            which producers go into which consumers
//   fuse_merge.c      how they do: shape checks, leaves, bodies
//   fuse_siblings.c   operations that read the same arrays, as one
//   fuse_checks.c     what stays where an operation stood
//   fuse_rows.c       operations along the last dimensions, as one over rows
//   fuse_reduce.c     which reductions take a producer, and in which order they add it up
//   fuse_gather.c     subscripts by arrays, whose indices are checked where they stood
//   fuse_carried.c    arrays that loops carry and do not change
//   fuse_in_place.c   values that are changed in place, as new ones
//   fuse_products.c   products of a computed matrix and a vector, as sums
//   fuse_notes.c      what is said of each operation in fn.fusion_report()
//   fuse_share.c      equal values, which are computed once
//   fuse_reuse.c      new arrays that take the memory of values that are not read any more
//   fuse_overlap.c    outputs that share no memory with inputs
//   fuse_memory.c     what is written between two operations
//   fuse_shapes.c     which arrays have one shape for certain
#ifndef PYARRAY_LIB_PASSES_FUSE_INTERNAL_H
#define PYARRAY_LIB_PASSES_FUSE_INTERNAL_H

#include "ir/ir.h"
#include "support/map.h"

//===-- Memory (fuse_memory.c) --------------------------------------------------------------------===//

// Places where memory is written, in the order of the function's text.
typedef struct pa_places {
  int64_t *items;
  size_t count, capacity;
} pa_places;

// Memory that one operation of the function has made and that is known by its views alone.
typedef struct pa_root {
  pa_places writes;
  bool escaped; // to where it cannot be followed
} pa_root;

typedef struct pa_memory {
  bool in_kernel; // of a GPU, where more operations are views
  pa_arena *arena;
  const pa_names *names;
  pa_map places;    // of operations
  pa_map roots;     // of arrays: pa_root; none: memory that existed before, or that others know
  pa_places writes; // to such memory
  pa_places stops;  // which nothing crosses
  int64_t count;
} pa_memory;

// Reads a function. What is inserted later has no place, and must write nothing.
void pa_memory_read(pa_memory *memory, MlirOperation function);
int64_t pa_place_of(const pa_memory *memory, MlirOperation op);
// |op| stands where |place| is.
void pa_set_place(pa_memory *memory, MlirOperation op, int64_t place);
// |view| shares the memory of |array|.
void pa_memory_view(pa_memory *memory, MlirValue view, MlirValue array);
// Whether what |array| leads to may be written, or a stop is, between these places.
bool pa_may_be_written(const pa_memory *memory, MlirValue array, int64_t from, int64_t to);
// Memory that this function has made, and that is known by its views alone.
bool pa_is_own_memory(const pa_memory *memory, MlirValue array);
// Such memory that nothing writes to once it is made.
bool pa_is_only_read(const pa_memory *memory, MlirValue array);
// Of two arrays of which one is such memory.
bool pa_is_same_memory(const pa_memory *memory, MlirValue a, MlirValue b);
// Besides views of arrays: views of parts of elements, and conversions of layouts.
bool pa_shares_memory(const pa_names *names, MlirOperation op);
bool pa_makes_memory(const pa_names *names, MlirOperation op);
// Nobody knows an array by it afterwards who did not before.
bool pa_keeps_no_array(const pa_names *names, MlirOperation op);
// A view of its first operand: slices, other orders of axes, new axes.
bool pa_is_view(const pa_names *names, MlirOperation op);

//===-- Shapes (fuse_shapes.c) --------------------------------------------------------------------===//

// A shape that arrays have for certain; one made by broadcasting knows of which two, one made by folding or inserting
// axes of which other, and by which axes; slices of one
// array that leave out as many elements have one.
typedef enum pa_shape_kind {
  PA_SHAPE_OWN,
  PA_SHAPE_BROADCAST,
  PA_SHAPE_FOLDED,
  PA_SHAPE_KEPT,
  PA_SHAPE_INSERTED,
  PA_SHAPE_TRIMMED,
} pa_shape_kind;

typedef struct pa_shape {
  pa_shape_kind kind;
  const struct pa_shape *left, *right; // broadcast
  const struct pa_shape
      *base; // without |axes|; with 1 for each; with 1 inserted for each; each shorter by one of |axes|
  MlirAttribute axes;
  bool leading;                    // the axes are the first ones
  struct pa_shape *derived, *next; // shapes made of this one; the next one of its base
} pa_shape;

typedef struct pa_shapes {
  pa_arena *arena;
  const pa_names *names;
  pa_map known; // of arrays
} pa_shapes;

// Of an array; one of its own where nothing is known.
pa_shape *pa_shape_of(pa_shapes *shapes, MlirValue array);
void pa_set_shape(pa_shapes *shapes, MlirValue array, pa_shape *shape);
// The loop shape of |op|, an elementwise ufunc or a reduction. |*out_certain|: shapes that do not fit were noticed
// before.
pa_shape *pa_broadcast_shape(pa_shapes *shapes, MlirOperation op, bool *out_certain);
// Reads a function's arrays.
void pa_shapes_read(pa_shapes *shapes, MlirOperation function);
// Leaves one input for |op|, an elementwise ufunc or a reduction, to check, where all broadcast to it for certain.
void pa_drop_certain_checks(pa_shapes *shapes, MlirOperation op);

//===-- Ufuncs ------------------------------------------------------------------------------------===//

enum { PA_MOST_FUSED_OPERATIONS = 128, PA_MOST_FUSED_INPUTS = 32 };

int pa_input_count(MlirOperation ufunc);
// Numbers and elements in, numbers out, not expanded yet.
bool pa_is_elementwise(const pa_names *names, MlirOperation op);
// The inputs of which a ufunc's shape is checked: |out_count| numbers, in order.
void pa_shape_inputs(MlirOperation ufunc, int *out_inputs, int *out_count);
bool pa_is_array_with_axes(MlirValue value);

//===-- Merging (fuse_merge.c) --------------------------------------------------------------------===//

// A consumer of a value, in the block of its producer.
typedef struct pa_consumer {
  MlirOperation op; // a ufunc that has it among its inputs, or a setitem that stores it
} pa_consumer;

// A value and what is made of it: the producer's result, or a view of it.
typedef struct pa_node {
  MlirValue value;
  MlirType type;          // that it had
  bool is_read;           // a consumer reads elements of it, or of a view of it
  size_t source;          // number of the node of which it is a view; its own: the producer's result
  pa_consumer *consumers; // each operation once
  size_t consumer_count, consumer_capacity;
  MlirValue *leaves; // for each input of the producer, what consumers read
  MlirValue shaped;  // an array with its shape, of any elements
} pa_node;

typedef struct pa_producer {
  MlirOperation op;
  int inputs;
  pa_node *nodes; // the result, then views, each behind what it is of
  size_t count, capacity;
  size_t copies;         // of the body that its consumers need
  bool gathers;          // its body reads elements of arrays from outside
  MlirOperation blocker; // because of which it is written down, or null
} pa_producer;

// Why a value is not computed where it is read. ORDER of the texts in fuse_notes.c.
typedef enum pa_decision {
  PA_IS_FUSED,
  PA_HAS_EFFECTS,
  PA_HAS_COMPUTED_INDICES,
  PA_IS_MEMORY,      // of which |blocker| is one who needs it
  PA_IS_TOO_LONG,    // with |blocker|
  PA_IS_OVERWRITTEN, // what it reads, before |blocker|
  PA_HAS_ORDER,      // that |blocker| adds it up in
  PA_IS_DEAR,        // for as many readers
  PA_IS_STRETCHED,   // by |blocker|
} pa_decision;

typedef struct pa_note {
  pa_location place;
  const char *text;
  size_t number; // in the order in which they were made
} pa_note;

typedef struct pa_notes {
  bool wanted;
  pa_note *items;
  size_t count, capacity;
} pa_notes;

typedef struct pa_fusing {
  pa_arena *arena;
  pa_names names;
  pa_memory memory;
  pa_shapes shapes;
  pa_notes *notes;
  pa_op_list removed;
} pa_fusing;

// Takes |op| out of the function. Memory and shapes are known by addresses of operations and values: none may become
// another's before the function is done.
void pa_remove(pa_fusing *f, MlirOperation op);

//===-- Notes (fuse_notes.c) ----------------------------------------------------------------------===//

void pa_note_decision(pa_fusing *f, const pa_producer *producer, pa_decision decision);
void pa_note_new_array(pa_fusing *f, MlirOperation op);
// |value|, whose memory the result of |op| takes.
void pa_note_reuse(pa_fusing *f, MlirOperation op, MlirOperation value);
// |op| and the |count| others of |all| are computed row by row.
void pa_note_rows(pa_fusing *f, MlirOperation op, const MlirOperation *all, size_t count);
// |op| is computed beside |other|, in one loop.
void pa_note_siblings(pa_fusing *f, MlirOperation op, MlirOperation other);
void pa_note_same(pa_fusing *f, MlirOperation op, MlirOperation before);
// As the attribute pyarray.fusion of the module, in order of the source.
void pa_write_notes(pa_arena *arena, pa_notes *notes, MlirOperation module);

//===-- Reductions (fuse_reduce.c) ----------------------------------------------------------------===//

// A reduction that is not expanded yet.
bool pa_is_open_reduce(const pa_names *names, MlirOperation op);
// How many dimensions its inputs have together.
intptr_t pa_reduction_rank(MlirOperation reduce);
// Whether it gives the same where it computes |producer| in place of reading the value of |node|.
bool pa_may_reduce(const pa_fusing *f, const pa_producer *producer, const pa_node *node, MlirOperation reduce);
// Its elements lie from now on as those of an array of this type.
void pa_set_order(MlirOperation reduce, MlirType type);

// Whether what it makes of a row is the same where it sees no other: NumPy adds up each row, as it lies in memory.
bool pa_folds_rows_alone(MlirOperation reduce);

//===-- Carried (fuse_carried.c) ------------------------------------------------------------------===//

// What a loop carries or a branch gives, and is always one array, is that array. Before memory is read.
pa_status pa_drop_carried(pa_fusing *f, MlirOperation function);

//===-- In place (fuse_in_place.c) ----------------------------------------------------------------===//

// Where |op| changes a value that only this function knows, it gives a new one, which others read instead. Before
// memory is read.
pa_status pa_make_value(pa_fusing *f, MlirOperation op);

//===-- Products (fuse_products.c) ----------------------------------------------------------------===//

// Where |op|, a product, reads each element of a computed array once, it is a sum. Before memory is read.
pa_status pa_sum_products(pa_fusing *f, MlirOperation op);
#define PA_PRODUCT_NAME "matmul" // pyarray.name of that sum

//===-- Gathers (fuse_gather.c) -------------------------------------------------------------------===//

// All effects of a body are that it reads elements of arrays from outside, by indices that may be out of bounds.
bool pa_only_gathers(const pa_fusing *f, MlirBlock body);
// It has several indices for an element.
bool pa_gathers_by_several(const pa_fusing *f, MlirBlock body);
// Its indices are its inputs, which are there besides.
bool pa_has_given_indices(const pa_fusing *f, const pa_producer *producer);
// What it gathers from is not written before |consumer|, nor by it.
bool pa_gathers_the_same(const pa_fusing *f, const pa_producer *producer, MlirOperation consumer);
// Raises where an index is out of bounds; from then on its body only reads.
void pa_leave_index_checks(pa_fusing *f, pa_builder *at, const pa_producer *producer);

//===-- Checks (fuse_checks.c) --------------------------------------------------------------------===//

pa_builder pa_builder_before(pa_fusing *f, MlirOperation op);
// The |rank| extents to which |arrays| broadcast; raises where they do not. |place|: where that stands.
MlirValue *pa_leave_shape(pa_fusing *f, pa_builder *at, const MlirValue *arrays, int count, int rank,
                          MlirAttribute name, int64_t place);
// Raises as |reduce| does where it is of no element.
void pa_leave_empty_check(pa_fusing *f, pa_builder *at, MlirOperation reduce, const MlirValue *extents);

//===-- Siblings (fuse_siblings.c) ----------------------------------------------------------------===//

pa_status pa_fuse_siblings(pa_fusing *f, MlirOperation function);
// Makes one operation of readers of the producer's result that are siblings and leave room for it. Its nodes are those
// of the operations that were.
pa_status pa_unite_readers(pa_fusing *f, const pa_producer *producer, bool *out_united);

//===-- Rows (fuse_rows.c) ------------------------------------------------------------------------===//

pa_status pa_fuse_rows(pa_fusing *f, MlirOperation function);
// Asks for the shape of an array, which another array has too.
bool pa_is_question(const pa_names *names, MlirOperation op);

//===-- Sharing (fuse_share.c) --------------------------------------------------------------------===//

// Replaces |op| by what computed the same before; |known|: what did, of each array.
void pa_share(pa_fusing *f, MlirOperation op, pa_map *known);

//===-- Reuse (fuse_reuse.c) ----------------------------------------------------------------------===//

bool pa_has_no_effects(MlirBlock body);
// |op| writes to the memory of an input, if it can.
pa_status pa_reuse(pa_fusing *f, MlirOperation op);

//===-- Overlap (fuse_overlap.c) ------------------------------------------------------------------===//

// Two arrays share no memory for certain.
bool pa_is_apart(const pa_fusing *f, MlirValue a, MlirValue b);
// Says of a ufunc with outputs that they share no memory with inputs but point by point, where that is certain.
void pa_mark_independent(const pa_fusing *f, MlirOperation op);

// Computes the producer in its consumers and removes it.
pa_status pa_merge(pa_fusing *f, pa_producer *producer);

#endif // PYARRAY_LIB_PASSES_FUSE_INTERNAL_H
