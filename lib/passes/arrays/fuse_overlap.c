// Of pyarray-fuse: outputs that were given and that no input shares memory with, or only point by point.
//
//   %q = pyarray.builtin "numpy.zeros"(%n)
//   pyarray.ufunc ins(%q, %x) outs(%q) { add }
// becomes
//   pyarray.ufunc ins(%q, %x) outs(%q) { add } {independent}       where nobody but this function knows %q, or %x was
//                                                                  there before it was made
//
// Others are compared when the program runs (pyarray-expand-broadcasting).
#include "fuse_internal.h"

// Of which |array| is a view.
static MlirValue base_of(const pa_names *names, MlirValue array) {
  while (mlirValueIsAOpResult(array) && pa_shares_memory(names, mlirOpResultGetOwner(array)))
    array = mlirOperationGetOperand(mlirOpResultGetOwner(array), 0);
  return array;
}

// Where in the order of the function a value is made; that of the operation around a block for its arguments; 0:
// unknown.
static int64_t place_of(const pa_fusing *f, MlirValue value) {
  MlirOperation op = mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value)
                                                 : mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  return pa_place_of(&f->memory, op);
}

// Memory made where |array| is there already is not that of |array|, whoever knows it afterwards.
static bool is_made_behind(const pa_fusing *f, MlirValue made, MlirValue array) {
  if (!mlirValueIsAOpResult(made) || !pa_makes_memory(&f->names, mlirOpResultGetOwner(made))) return false;
  int64_t before = place_of(f, array);
  return before && before < place_of(f, made);
}

bool pa_is_apart(const pa_fusing *f, MlirValue operand, MlirValue output) {
  if (!pyarrayTypeIsArray(mlirValueGetType(operand))) return true;
  MlirValue a = base_of(&f->names, operand), b = base_of(&f->names, output);
  return !mlirValueEqual(a, b) && !pa_is_same_memory(&f->memory, a, b) &&
         (pa_is_own_memory(&f->memory, a) || pa_is_own_memory(&f->memory, b) || is_made_behind(f, a, b) ||
          is_made_behind(f, b, a));
}

void pa_mark_independent(const pa_fusing *f, MlirOperation op) {
  int inputs = pa_input_count(op);
  intptr_t all = mlirOperationGetNumOperands(op);
  if (all == inputs || !pa_is_elementwise(&f->names, op)) return;
  for (intptr_t at = inputs; at < all; ++at)
    for (intptr_t i = 0; i < all; ++i) {
      MlirValue operand = mlirOperationGetOperand(op, i), output = mlirOperationGetOperand(op, at);
      bool is_read_first = i < inputs && mlirValueEqual(operand, output);
      if (i != at && !is_read_first && !pa_is_apart(f, operand, output)) return;
    }
  pa_set_attr(op, "independent", pa_unit_attr(f->names.context));
}
