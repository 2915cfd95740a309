// Calls that give a view of an array with axes in another order, more axes, fewer, or turned round
// (infer_array_views.c).
#ifndef PYARRAY_LIB_PASSES_INFER_ARRAY_VIEWS_H
#define PYARRAY_LIB_PASSES_INFER_ARRAY_VIEWS_H

#include "infer_emit.h"

// A view whose axes are known when the function is compiled.
typedef struct pa_array_view {
  enum {
    PA_VIEW_ORDERED,  // axis i is the array's axis axes[i]
    PA_VIEW_WIDENED,  // new axes at |axes|, in order
    PA_VIEW_SQUEEZED, // without |axes|, in order, whose extents are 1
    PA_VIEW_FLIPPED,  // |axes| run backwards
    PA_VIEW_GATHERED, // what the subscript |index| gathers from, its axes in the order of |axes|
  } kind;
  MlirValue array, index; // untyped
  pa_index_plan subscript;
  MlirType gathered; // the type before its axes have that order
  int axes[PA_MOST_AXES], count;
  int rank; // of the array
  MlirType result;
} pa_array_view;

// A call of |builtin|, of the rule AXES, with inference->given from |skip| on. |*out| is NULL where an axis is not
// known, or is none of the array's: a function of the library does it, or raises.
pa_status pa_plan_array_view(pa_inference *inference, pa_instance *instance, MlirOperation op,
                             const pa_builtin *builtin, intptr_t skip, bool self, pa_array_view **out,
                             bool *out_bottom);
pa_status pa_emit_array_view(pa_instance_emitter *e, MlirOperation op, const pa_array_view *view);

#endif // PYARRAY_LIB_PASSES_INFER_ARRAY_VIEWS_H
