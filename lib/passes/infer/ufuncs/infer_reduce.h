// Reductions of arrays: what infer_reduce.c plans and infer_reduce_emit.c emits.
#ifndef PYARRAY_LIB_PASSES_INFER_REDUCE_H
#define PYARRAY_LIB_PASSES_INFER_REDUCE_H

#include "infer_emit.h"
#include "support/type_code.h"

enum { PA_MOST_REDUCE_PARAMETERS = 10 };

// A call of np.sum and its kin, of a method or of a ufunc's reduce.
typedef struct pa_reduction {
  const pa_builtin *builtin;
  const char *name;                     // as NumPy's messages have it
  const char *word;                     // of pyarray.reduce
  MlirValue array, out, initial, where; // untyped; null where they were not given
  int rank;                             // of the array
  bool folded[PA_TYPE_MAX_RANK];
  int folded_count;
  bool keeps_axes;
  bool axis_at_run_time; // is not known when the function is compiled, or is wrong
  MlirType element;      // of the array
  MlirType computed;     // in which elements are folded
  MlirType given;        // an element of the result
  MlirType result;       // the value's type
} pa_reduction;

// A call of |builtin| with inference->given from |skip| on; |*out_is|: it is a reduction.
pa_status pa_resolve_reduction(pa_inference *inference, pa_instance *instance, MlirOperation op,
                               const pa_builtin *builtin, intptr_t skip, bool self, pa_resolved_call *out,
                               bool *out_is);
pa_status pa_emit_reduction(pa_instance_emitter *e, MlirOperation op, const pa_reduction *plan);

#endif // PYARRAY_LIB_PASSES_INFER_REDUCE_H
