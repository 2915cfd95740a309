// Operations on whole arrays: what infer_elementwise.c plans, infer_elementwise_emit.c emits, and infer_weak.c says of
// numbers beside arrays.
#ifndef PYARRAY_LIB_PASSES_INFER_ELEMENTWISE_H
#define PYARRAY_LIB_PASSES_INFER_ELEMENTWISE_H

#include <string.h>

#include "infer_emit.h"

enum { PA_MOST_ELEMENTWISE = 3, PA_MOST_ELEMENTWISE_INPUTS = 5 }; // of the function, and with where= and what it keeps

// A function of numbers at every point of arrays.
typedef struct pa_elementwise {
  const pa_builtin *builtin;               // NumPy's function
  int count;                               // of inputs
  MlirValue operands[PA_MOST_ELEMENTWISE]; // untyped
  pa_fact facts[PA_MOST_ELEMENTWISE];      // of one element each, or of the number
  uint32_t weak;                           // a bit for each input that is a Python number (NEP 50)
  MlirValue out;                           // the array that is written, or null
  MlirValue where;                         // dtype bool: where it is written, or null
  MlirType loop;                           // the dtype that was asked for, or null
  const pa_made_value *made;               // what lists and tuples among an operator's operands become first
  size_t made_count;
  int rank;                 // of what inputs broadcast to
  pa_call_plan plan;        // of one point
  MlirType element, result; // what a point gives; the value's type: a new array, of rank 0 a number, or that of |out|
} pa_elementwise;

// NumPy's name of its function, without the module.
static inline const char *pa_elementwise_name(const pa_elementwise *x) { return strrchr(x->builtin->name, '.') + 1; }

// |op|, a binary, unary or compare; |*out_fits|: an operand is an array, and the others are numbers or arrays.
pa_status pa_plan_elementwise(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind,
                              pa_elementwise *out, bool *out_fits);
// A call of |builtin| with inference->given from |skip| on; |*out| is NULL where no argument is an array, or the
// function is no ufunc.
pa_status pa_plan_elementwise_call(pa_inference *inference, pa_instance *instance, MlirOperation op,
                                   const pa_builtin *builtin, intptr_t skip, pa_elementwise **out, MlirType *out_result,
                                   bool *out_bottom);
pa_status pa_emit_elementwise(pa_instance_emitter *e, MlirOperation op, const pa_elementwise *plan);
// Of an array with one element, the truth of that; else a ValueError.
MlirValue pa_emit_array_truth(pa_instance_emitter *e, MlirValue array);
// |op|: a setitem of what an augmented assignment gave, which has written to that view already.
bool pa_is_stored_in_place(pa_inference *inference, pa_instance *instance, MlirOperation op);

// infer_weak.c. Whether |value|, an int64, float64 or complex128, is a Python number rather than a scalar of NumPy.
bool pa_is_weak_number(pa_inference *inference, pa_instance *instance, MlirValue value);

#endif // PYARRAY_LIB_PASSES_INFER_ELEMENTWISE_H
