// What the files of pyarray-interchange-loops share.
//
//   interchange_loops.c   which loops go over planes of arrays, and what each of their operations does
//   interchange_emit.c    their operations once more, without the arrays or for columns
//   interchange_columns.c what is made of them
#ifndef PYARRAY_LIB_PASSES_ARRAYS_INTERCHANGE_H
#define PYARRAY_LIB_PASSES_ARRAYS_INTERCHANGE_H

#include "ir/ir.h"
#include "support/map.h"

enum {
  PA_MOST_INTERCHANGED = 24, // arrays
  PA_MOST_PLANE_AXES = 31,
  PA_MOST_INTERCHANGED_LOOPS = 4, // that follow each other
  PA_MOST_YIELDED = 64,           // by a branch or a loop
  PA_LANES = 4,                   // columns at a time, where each place waits for the one before
  PA_MOST_CHANGED = 32,           // planes, in place
};

typedef enum pa_value_kind {
  PA_VALUE_NUMBER,  // the same in all columns: known before any of them is computed
  PA_VALUE_ELEMENT, // a number of one column, or one that is read from an array
  PA_VALUE_VIEW,    // one place of the last axis of an array, which lies there
  PA_VALUE_PLANE,   // a new array with a number for each column
} pa_value_kind;

// Of a value of the loop's body; that a view was broadcast to its own extents is the view's.
typedef struct pa_column_value {
  pa_value_kind kind;
  MlirType type;           // of the number that it is in a column
  int array;               // of a view
  MlirValue index;         // its place
  bool joined;             // it is a name for several planes, or a plane with several names
  bool changed;            // in place
  MlirValue now[PA_LANES]; // while a loop is emitted: the number; of a plane: in each of the columns
} pa_column_value;

typedef struct pa_interchange {
  pa_arena *arena;
  pa_names names;
  MlirOperation loops[PA_MOST_INTERCHANGED_LOOPS]; // one after the other, with numbers in between
  int loop_count;
  struct {
    MlirValue array, column; // its column, in the body of what is made
    MlirValue length;        // of the last axis
    bool has_columns, has_elements, read, written;
  } arrays[PA_MOST_INTERCHANGED];
  int array_count;
  intptr_t rank;        // of planes; 0: none was seen yet
  bool stores, carries; // planes from one iteration to the next
  pa_map values;        // pa_column_value
  pa_map extents;       // of operations: those that give the planes' extents. Any value.
  pa_op_list shapes;    // of arrays from outside, which are asked for before the loop
} pa_interchange;

pa_column_value *pa_column_value_of(const pa_interchange *x, MlirValue value); // NULL: it is from outside
// Whether it is known to whoever only asks what a loop will do.
bool pa_is_foreseen(const pa_interchange *x, MlirValue value);

//===-- Emission (interchange_emit.c) -------------------------------------------------------------===//

typedef struct pa_column_emission {
  pa_interchange *x;
  pa_builder at;            // where operations are made
  int lanes;                // columns that are computed side by side; 0: the first time
  MlirValue rows[PA_LANES]; // their numbers
  MlirValue possible;       // the first time: whether all was possible until here
  MlirValue extents[PA_MOST_PLANE_AXES];
} pa_column_emission;

// The loops at |e|'s place: their operations on numbers, and either what they ask of the arrays, or, where there are
// lanes, what they do to columns.
void pa_emit_loops(pa_column_emission *e);
MlirValue pa_truth_of(pa_column_emission *e, bool value);
void pa_require(pa_column_emission *e, pyarray_compare_kind kind, MlirValue a, MlirValue b);

//===-- All (interchange_columns.c) ---------------------------------------------------------------===//

// Replaces the loops by an operation over columns, where that is possible when the program runs.
pa_status pa_emit_interchanged(pa_interchange *x);

#endif // PYARRAY_LIB_PASSES_ARRAYS_INTERCHANGE_H
