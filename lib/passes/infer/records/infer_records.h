// Places and plans of operations on records, for type inference and emission.
#ifndef PYARRAY_LIB_PASSES_INFER_RECORDS_H
#define PYARRAY_LIB_PASSES_INFER_RECORDS_H

#include "infer_resolved.h"
#include "support/record_code.h"
#include "typing_index.h"

// A field of a record or of all records of an array; or an item as a whole, which is at offset 0.
typedef struct pa_record_place {
  int64_t offset;
  int alignment; // of the item
  int lead;      // axes of the array before those of a sub-array
  int rank;      // of the sub-array
  const int64_t *extents;
  const char *code; // of the item
  bool readonly;
} pa_record_place;

// The array of bytes that represents a record, or an array of such.
MlirType pa_record_bytes_of(MlirType type);
bool pa_record_is_readonly(MlirType type);

// A field of |object|, a record or an array of such; and an item of |object| as a whole.
pa_record_place pa_field_place(pa_arena *arena, MlirType object, const pa_record_field *field);
pa_record_place pa_whole_place(pa_arena *arena, MlirType object);

// Of what is at a place of |object|.
MlirType pa_place_type(pa_inference *inference, MlirType object, const pa_record_place *p);

typedef struct pa_record_plan {
  enum {
    PA_RECORD_NOTHING,
    PA_RECORD_FIELD,
    PA_RECORD_ITEM,
    PA_RECORD_VIEW,
    PA_RECORD_SHAPE,
    PA_RECORD_TRANSPOSE,
    PA_RECORD_ITSELF, // the bytes as they are
    PA_RECORD_LITERAL,
    PA_RECORD_COPY,
    PA_RECORD_STORE,
    PA_RECORD_PARTS
  } kind;
  pa_record_place place;
  MlirType object, type; // of the result
  MlirAttribute literal;
  const pa_fact *indices;
  intptr_t count;
  pa_index_plan subscript; // of an array of them
  bool pointed;            // the operand is a pointer to |object|
  bool spread;             // the indices are the elements of a tuple
} pa_record_plan;

// What becomes of an operation: PA_RECORD_NOTHING where it is none on records.
pa_status pa_plan_record(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_record_plan *out);

// Whether items with this code and a record are the same bytes.
bool pa_record_same_layout(pa_arena *arena, const char *code, MlirType record);

// Whether a function of the library goes over the items of both in a store of |value| to |target|; and that function.
bool pa_goes_by_items(MlirType target, MlirType value);
pa_status pa_record_store_function(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirType target,
                                   MlirType value, pa_instance **out);

// infer_records.c
// An operation on a record, or an array of such; |*out_done|: it was one.
pa_status pa_walk_record_operation(pa_inference *inference, pa_instance *instance, MlirOperation op, bool *out_done);

// infer_record_values.c
pa_status pa_plan_record_operation(pa_class_operation *o);

// infer_vectors.c
pa_status pa_plan_vector_operation(pa_class_operation *o);

#endif // PYARRAY_LIB_PASSES_INFER_RECORDS_H
