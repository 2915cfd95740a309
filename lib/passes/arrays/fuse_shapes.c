// Of pyarray-fuse: which arrays have one shape for certain, so that nothing has to be compared when the program runs.
//
//   %t = ufunc ins(%a, %b)      a shape of its own, made of those of %a and %b: it has a shape check
//   %u = ufunc ins(%t, %a)      the shape of %t, since that of %a is in it
//   %v = ufunc ins(%u)          the same
#include <string.h>

#include "fuse_internal.h"
#include "ir/builtins.h"
#include "support/core_signature.h"

enum { PA_MOST_STEPS = 32 }; // of a search among the shapes that one is made of

//===-- Ufuncs ------------------------------------------------------------------------------------===//

bool pa_is_array_with_axes(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return pyarrayTypeIsArray(type) && pyarrayArrayTypeGetRank(type) > 0;
}

int pa_input_count(MlirOperation ufunc) {
  return mlirDenseI32ArrayGetElement(pa_get_attr(ufunc, "operandSegmentSizes"), 0);
}

static bool has(MlirOperation op, const char *name) { return !mlirAttributeIsNull(pa_get_attr(op, name)); }

bool pa_is_elementwise(const pa_names *names, MlirOperation op) {
  if (pa_kind(names, op) != PA_OP_UFUNC || has(op, "expanded") || has(op, "grid") || has(op, "carried") ||
      has(op, "packed") || has(op, "unit_strides") || has(op, "strided"))
    return false;
  MlirStringRef signature = mlirStringAttrGetValue(pa_get_attr(op, "signature"));
  for (size_t i = 0; i < signature.length; ++i) // "(),()->()"
    if (!strchr("(),->", signature.data[i])) return false;
  MlirBlock body = pa_body(op, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i)
    if (pyarrayTypeIsArray(mlirValueGetType(mlirBlockGetArgument(body, i)))) return false;
  return mlirOperationGetNumOperands(mlirBlockGetTerminator(body)) > 0;
}

void pa_shape_inputs(MlirOperation ufunc, int *out_inputs, int *out_count) {
  MlirAttribute given = pa_get_attr(ufunc, "shapes");
  *out_count = mlirAttributeIsNull(given) ? pa_input_count(ufunc) : (int)mlirDenseArrayGetNumElements(given);
  for (int i = 0; i < *out_count; ++i)
    out_inputs[i] = mlirAttributeIsNull(given) ? i : (int)mlirDenseI64ArrayGetElement(given, i);
}

//===-- Shapes ------------------------------------------------------------------------------------===//

static const pa_shape *new_shape(pa_shapes *shapes, const pa_shape *left, const pa_shape *right) {
  pa_shape *shape = PA_NEW(shapes->arena, pa_shape);
  *shape = (pa_shape){left, right};
  return shape;
}

const pa_shape *pa_shape_of(pa_shapes *shapes, MlirValue array) {
  const pa_shape *shape = pa_map_get(&shapes->known, array.ptr);
  if (!shape) pa_set_shape(shapes, array, shape = new_shape(shapes, NULL, NULL));
  return shape;
}

void pa_set_shape(pa_shapes *shapes, MlirValue array, const pa_shape *shape) {
  pa_map_put(shapes->arena, &shapes->known, array.ptr, (void *)(intptr_t)shape);
}

static bool is_made_of(const pa_shape *whole, const pa_shape *part, int *steps) {
  if (whole == part) return true;
  if (!whole || !whole->left || --*steps < 0) return false;
  return is_made_of(whole->right, part, steps) || is_made_of(whole->left, part, steps);
}

static bool includes(const pa_shape *whole, const pa_shape *part) {
  int steps = PA_MOST_STEPS;
  return is_made_of(whole, part, &steps);
}

const pa_shape *pa_broadcast_shape(pa_shapes *shapes, MlirOperation op, bool *out_certain) {
  int inputs[PA_MAX_OPERANDS], count;
  const pa_shape *shape = NULL;
  *out_certain = true;
  pa_shape_inputs(op, inputs, &count);
  for (int i = 0; i < count; ++i) {
    MlirValue input = mlirOperationGetOperand(op, inputs[i]);
    if (!pa_is_array_with_axes(input)) continue;
    const pa_shape *next = pa_shape_of(shapes, input);
    if (!shape || includes(next, shape)) {
      shape = next;
    } else if (!includes(shape, next)) {
      shape = new_shape(shapes, shape, next);
      *out_certain = false;
    }
  }
  return shape ? shape : new_shape(shapes, NULL, NULL);
}

static bool keeps_shape(MlirOperation builtin) {
  const pa_builtin *row = pa_builtin_find(mlirStringAttrGetValue(pa_get_attr(builtin, "name")));
  return row && mlirOperationGetNumOperands(builtin) > 0 &&
         (row->lowering == PA_LOWERING_NEW_ARRAY_LIKE || row->lowering == PA_LOWERING_COPY);
}

static MlirWalkResult read_operation(MlirOperation op, void *data) {
  pa_shapes *shapes = data;
  bool certain;
  pa_op_kind kind = pa_kind(shapes->names, op);
  if (mlirOperationGetNumResults(op) == 0 || !pa_is_array_with_axes(mlirOperationGetResult(op, 0)))
    return MlirWalkResultAdvance;
  const pa_shape *shape = NULL;
  if (pa_is_elementwise(shapes->names, op))
    shape = pa_broadcast_shape(shapes, op, &certain);
  else if (kind == PA_OP_BUILTIN && keeps_shape(op) && pa_is_array_with_axes(mlirOperationGetOperand(op, 0)))
    shape = pa_shape_of(shapes, mlirOperationGetOperand(op, 0));
  for (intptr_t i = 0; shape && i < mlirOperationGetNumResults(op); ++i)
    pa_set_shape(shapes, mlirOperationGetResult(op, i), shape);
  return MlirWalkResultAdvance;
}

void pa_shapes_read(pa_shapes *shapes, MlirOperation function) {
  mlirOperationWalk(function, read_operation, shapes, MlirWalkPreOrder);
}
