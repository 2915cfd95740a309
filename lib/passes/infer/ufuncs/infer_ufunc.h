// What infer_ufunc.c (which loop a call takes, its result), infer_ufunc_arguments.c and
// infer_ufunc_axes.c (its operands) and infer_ufunc_emit.c share.
#ifndef PYARRAY_LIB_PASSES_INFER_UFUNC_H
#define PYARRAY_LIB_PASSES_INFER_UFUNC_H

#include "infer_resolved.h"
#include "ir/whole_arrays.h"
#include "support/core_signature.h"
#include "support/type_code.h"

struct pa_ufunc_call {
  pa_core_signature full, core; // of the function; without the dimensions that this call leaves out
  MlirAttribute signature;      // the text of |full|
  MlirAttribute called;         // of |core|
  const char *name;             // for errors at run time
  MlirOperation folds;          // the ufunc whose method this is, or null
  MlirAttribute identity;       // of reduce: what is known of the ufunc's identity, else null
  pa_fact *facts;               // of all operands; bottom: an output that was not given
  MlirType
      *elements;   // of the operands: what arrays hold, or the number's own type; null for outputs that were not given
  bool moves_axis; // the core dimension is not the last axis,
  int64_t axis;    // but this one
  int axis_count;  // of reduce: how many axes are its core dimensions,
  int64_t axes[PA_TYPE_MAX_RANK]; // which, in order,
  bool keeps_axes;                // and whether the result has them, with extent 1
  MlirType dtype;                 // that was asked for, or null
  pa_instance *kernel;
  MlirType declared; // what the loop returns, where it says so
  int rank;          // of the loop
};

static inline int pa_operand_count(const pa_ufunc_call *call) {
  return call->core.input_count + call->core.output_count;
}
static inline int pa_rank_of(MlirType type) {
  return pyarrayTypeIsArray(type) ? (int)pyarrayArrayTypeGetRank(type) : 0;
}
static inline bool pa_is_element(MlirType type) { return pa_scalar_of(type) != PA_NOT_SCALAR || pa_is_time(type); }
static inline bool pa_is_method(const pa_ufunc_call *call) { return !mlirOperationIsNull(call->folds); }
static inline bool pa_is_reduce(const pa_ufunc_call *call) { return !mlirAttributeIsNull(call->identity); }
// Whether axis= says which axis of operand |number| is its core dimension.
static inline bool pa_has_moved_axis(const pa_ufunc_call *call, int number) {
  bool of_method = !pa_is_method(call) || number == 0 || number >= call->core.input_count;
  return call->moves_axis && of_method && call->core.operands[number].rank == 1;
}

static inline bool pa_is_last_axis(int64_t axis, int rank) { return axis == rank - 1 || axis == -1; }

// infer_ufunc_arguments.c
// The operands of the call |op|, null where they are not given; |*out_bottom| where the type of one is not known yet.
pa_status pa_read_ufunc_arguments(pa_inference *inference, pa_instance *instance, MlirOperation op, const char *name,
                                  pa_ufunc_call *call, MlirValue *out_values, bool *out_bottom);
// Whether a value of |fact| can be cast safely. A literal of the source fits every type that holds its value.
bool pa_can_cast_operand(pa_fact fact, MlirType to);

// infer_ufunc_axes.c
// What axis= says, null where it is not given; several axes of reduce become core dimensions of the signature.
pa_status pa_read_ufunc_axis(pa_inference *inference, pa_instance *instance, const pa_typing *typing, const char *name,
                             MlirValue value, pa_ufunc_call *call);
// For pyarray.transpose of operand |number|, of |rank| axes: its core dimensions become the last axes, or the last
// becomes the core dimension. Null where they are that already.
MlirAttribute pa_axes_attr(MlirContext context, const pa_ufunc_call *call, int number, int rank, bool is_back);

// infer_ufunc.c
// As its Python function is called.
const char *pa_ufunc_name(pa_inference *inference, MlirOperation function, const char *otherwise);
bool pa_kernel_returns(const pa_ufunc_call *call);
bool pa_is_scalar_call(const pa_ufunc_call *call);
MlirType pa_ufunc_output_type(pa_inference *inference, const pa_ufunc_call *call, int number);

// infer_ufunc.c
pa_status pa_resolve_ufunc(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirOperation function,
                           pa_resolved_call *out_call);
// The result of the call, once the kernel's is known; bottom before.
pa_status pa_ufunc_result(pa_inference *inference, MlirOperation op, const pa_ufunc_call *call, pa_fact *out_result);

// infer_ufunc_emit.c
// |operands|: typed values of inputs and outputs, null for outputs not given.
MlirValue pa_emit_ufunc(pa_inference *inference, pa_builder *at, const pa_ufunc_call *call, MlirValue *operands);

#endif // PYARRAY_LIB_PASSES_INFER_UFUNC_H
