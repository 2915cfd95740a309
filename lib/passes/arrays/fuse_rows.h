// What fuse_rows.c and fuse_rows_emit.c share: operations that become one over rows.
#ifndef PYARRAY_LIB_PASSES_FUSE_ROWS_H
#define PYARRAY_LIB_PASSES_FUSE_ROWS_H

#include "fuse_internal.h"

typedef enum pa_row_member_kind {
  PA_ROW_FOLDS,  // a reduction: a number for each row
  PA_ROW_MAPS,   // a ufunc whose points are those of the rows
  PA_ROW_NUMBER, // a ufunc of numbers that rows have
  PA_ROW_VIEW,   // of numbers that rows have: with the axes that were folded, or all of it
} pa_row_member_kind;

typedef struct pa_row_member {
  MlirOperation op;
  pa_row_member_kind kind;
  bool wide;          // a ufunc whose rows may be longer than those that it reads
  int64_t place;      // of the operation
  MlirValue *extents; // of its rows
} pa_row_member;

// What one of them gives.
typedef struct pa_row_value {
  size_t member;    // that gives it
  size_t last;      // that reads it
  MlirValue array;  // that it was
  MlirValue inside; // the number, or the row, in the body
  MlirValue memory; // the row that it is written to; null: a number, or not known yet
  MlirValue output; // the new array, where it is read from elsewhere
} pa_row_value;

typedef struct pa_rows {
  MlirBlock block;
  pa_shape *shape;    // of what has all points
  MlirAttribute axes; // that are folded: the last ones
  int rank, folded;
  pa_row_member *members; // in order
  size_t count, capacity;
  pa_map values;   // of arrays: pa_row_value
  MlirValue *rows; // arrays from outside with that shape
  size_t row_count, row_capacity;
} pa_rows;

static inline pa_row_value *pa_row_value_of(const pa_rows *rows, MlirValue array) {
  return (pa_row_value *)pa_map_get(&rows->values, array.ptr);
}
// The number of the member that |op| is, or -1.
intptr_t pa_row_member_of(const pa_rows *rows, MlirOperation op);
// An input of which elements are read.
bool pa_is_read_input(MlirOperation op, int i);
// Who reads |array| is neither a member nor asks for its shape alone.
bool pa_is_read_elsewhere(pa_fusing *f, const pa_rows *rows, MlirValue array);

// fuse_rows_emit.c. Replaces the members by one operation.
pa_status pa_emit_rows(pa_fusing *f, pa_rows *rows);

#endif // PYARRAY_LIB_PASSES_FUSE_ROWS_H
