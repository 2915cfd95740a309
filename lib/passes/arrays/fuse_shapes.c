// Of pyarray-fuse: which arrays have one shape for certain, so that nothing has to be compared when the program runs.
//
//   %t = ufunc ins(%a, %b)      a shape of its own, made of those of %a and %b: it has a shape check
//   %u = ufunc ins(%t, %a)      the shape of %t, since that of %a is in it
//   %v = ufunc ins(%u)          the same
//   %s = reduce axes [1] ins(%v)
//   %w = insert_axes %s [1]     broadcasts to it
//   %x = getitem %v[1:-1]       that of getitem %v[2:]
#include <string.h>

#include "expand.h"
#include "fuse_internal.h"
#include "integer_facts.h"
#include "ir/builtins.h"
#include "support/core_signature.h"

enum {
  PA_MOST_STEPS = 32,        // of a search among the shapes that one is made of
  PA_MOST_TRIMMED = 1 << 20, // elements that a slice leaves out
};

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

static pa_shape *new_shape(pa_shapes *shapes, pa_shape_kind kind) {
  pa_shape *shape = PA_NEW(shapes->arena, pa_shape);
  *shape = (pa_shape){.kind = kind};
  return shape;
}

// The one shape that two broadcast to.
static pa_shape *broadcast_shape(pa_shapes *shapes, pa_shape *left, const pa_shape *right) {
  for (pa_shape *shape = left->derived; shape; shape = shape->next)
    if (shape->kind == PA_SHAPE_BROADCAST && shape->right == right) return shape;
  pa_shape *shape = new_shape(shapes, PA_SHAPE_BROADCAST);
  shape->left = left;
  shape->right = right;
  shape->next = left->derived;
  left->derived = shape;
  return shape;
}

pa_shape *pa_shape_of(pa_shapes *shapes, MlirValue array) {
  pa_shape *shape = pa_map_get(&shapes->known, array.ptr);
  if (!shape) pa_set_shape(shapes, array, shape = new_shape(shapes, PA_SHAPE_OWN));
  return shape;
}

void pa_set_shape(pa_shapes *shapes, MlirValue array, pa_shape *shape) {
  pa_map_put(shapes->arena, &shapes->known, array.ptr, shape);
}

static bool are_leading(MlirAttribute axes) {
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(axes); ++i)
    if (mlirDenseI64ArrayGetElement(axes, i) != i) return false;
  return true;
}

// The one shape that |base| becomes so.
static pa_shape *derived_shape(pa_shapes *shapes, pa_shape *base, pa_shape_kind kind, MlirAttribute axes) {
  for (pa_shape *shape = base->derived; shape; shape = shape->next)
    if (shape->kind == kind && mlirAttributeEqual(shape->axes, axes)) return shape;
  pa_shape *shape = new_shape(shapes, kind);
  shape->base = base;
  shape->axes = axes;
  shape->leading = are_leading(axes);
  shape->next = base->derived;
  base->derived = shape;
  return shape;
}

// Axes of 1 where some were folded.
static pa_shape *inserted_shape(pa_shapes *shapes, pa_shape *base, MlirAttribute axes) {
  if (base->kind == PA_SHAPE_FOLDED && mlirAttributeEqual(base->axes, axes))
    return derived_shape(shapes, (pa_shape *)(intptr_t)base->base, PA_SHAPE_KEPT, axes);
  return derived_shape(shapes, base, PA_SHAPE_INSERTED, axes);
}

static bool is_made_of(const pa_shape *whole, const pa_shape *part, int *steps) {
  if (whole == part) return true;
  if (!whole || !whole->left || --*steps < 0) return false;
  return is_made_of(whole->right, part, steps) || is_made_of(whole->left, part, steps);
}

// |part| broadcasts to |whole|.
static bool includes(const pa_shape *whole, const pa_shape *part) {
  int steps = PA_MOST_STEPS;
  if (is_made_of(whole, part, &steps)) return true;
  bool fits = part->kind == PA_SHAPE_KEPT || (part->kind == PA_SHAPE_FOLDED && part->leading);
  steps = PA_MOST_STEPS;
  return fits && is_made_of(whole, part->base, &steps);
}

pa_shape *pa_broadcast_shape(pa_shapes *shapes, MlirOperation op, bool *out_certain) {
  int inputs[PA_MAX_OPERANDS], count;
  pa_shape *shape = NULL;
  *out_certain = true;
  pa_shape_inputs(op, inputs, &count);
  for (int i = 0; i < count; ++i) {
    MlirValue input = mlirOperationGetOperand(op, inputs[i]);
    if (!pa_is_array_with_axes(input)) continue;
    pa_shape *next = pa_shape_of(shapes, input);
    if (!shape || includes(next, shape)) {
      shape = next;
    } else if (!includes(shape, next)) {
      shape = broadcast_shape(shapes, shape, next);
      *out_certain = false;
    }
  }
  return shape ? shape : new_shape(shapes, PA_SHAPE_OWN);
}

//===-- Reading -----------------------------------------------------------------------------------===//

static bool keeps_shape(MlirOperation builtin) {
  const pa_builtin *row = pa_builtin_find(mlirStringAttrGetValue(pa_get_attr(builtin, "name")));
  return row && mlirOperationGetNumOperands(builtin) > 0 &&
         (row->lowering == PA_LOWERING_NEW_ARRAY_LIKE || row->lowering == PA_LOWERING_COPY);
}

// How many elements a slice leaves out: a[1:-1] two of them, or all where there are fewer.
static bool trims(const pa_names *names, MlirValue slice, int64_t *out_count) {
  MlirType type = mlirValueGetType(slice);
  if (!pyarrayTypeIsSlice(type) || !pyarrayTypeIsNone(pyarraySliceTypeGetPart(type, 2)) || !mlirValueIsAOpResult(slice))
    return false;
  MlirOperation made = mlirOpResultGetOwner(slice);
  if (pa_kind(names, made) != PA_OP_SLICE) return false;
  *out_count = 0;
  for (int part = 0; part < 2; ++part) {
    int64_t bound;
    if (pyarrayTypeIsNone(pyarraySliceTypeGetPart(type, part))) continue;
    if (!pa_integer_known(names, mlirOperationGetOperand(made, part), &bound)) return false;
    if (bound > PA_MOST_TRIMMED || bound < -PA_MOST_TRIMMED || (part ? bound >= 0 : bound < 0)) return false;
    *out_count += part ? -bound : bound;
  }
  return true;
}

// a[1:-1, 2:] has the shape of a[2:, 1:-1].
static pa_shape *trimmed_shape(pa_shapes *shapes, pa_shape *source, MlirOperation getitem) {
  int64_t counts[PA_MAX_VIEW_RANK] = {0}, count, all = 0;
  intptr_t rank = pyarrayArrayTypeGetRank(mlirValueGetType(mlirOperationGetOperand(getitem, 0)));
  if (mlirOperationGetNumOperands(getitem) > rank + 1 || rank > PA_MAX_VIEW_RANK) return NULL;
  bool again = source->kind == PA_SHAPE_TRIMMED;
  for (intptr_t i = 0; i < rank && again; ++i) counts[i] = mlirDenseI64ArrayGetElement(source->axes, i);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(getitem) - 1; ++i) {
    if (!trims(shapes->names, mlirOperationGetOperand(getitem, i + 1), &count)) return NULL;
    counts[i] += count;
    all += count;
  }
  if (all == 0) return source;
  pa_shape *base = again ? (pa_shape *)(intptr_t)source->base : source;
  return derived_shape(shapes, base, PA_SHAPE_TRIMMED, mlirDenseI64ArrayGet(shapes->names->context, rank, counts));
}

static pa_shape *shape_of_result(pa_shapes *shapes, MlirOperation op) {
  bool certain;
  if (pa_is_elementwise(shapes->names, op)) return pa_broadcast_shape(shapes, op, &certain);
  pa_op_kind kind = pa_kind(shapes->names, op);
  if (kind == PA_OP_REDUCE && pa_is_open_reduce(shapes->names, op))
    return derived_shape(shapes, pa_broadcast_shape(shapes, op, &certain), PA_SHAPE_FOLDED, pa_get_attr(op, "axes"));
  if (mlirOperationGetNumOperands(op) == 0 || !pa_is_array_with_axes(mlirOperationGetOperand(op, 0))) return NULL;
  pa_shape *source = pa_shape_of(shapes, mlirOperationGetOperand(op, 0));
  switch (kind) {
  case PA_OP_BUILTIN: return keeps_shape(op) ? source : NULL;
  case PA_OP_CAST: return source;
  case PA_OP_GETITEM: return trimmed_shape(shapes, source, op);
  case PA_OP_INSERT_AXES: return inserted_shape(shapes, source, pa_get_attr(op, "axes"));
  default: return NULL;
  }
}

static MlirWalkResult read_operation(MlirOperation op, void *data) {
  pa_shapes *shapes = data;
  if (mlirOperationGetNumResults(op) == 0 || !pa_is_array_with_axes(mlirOperationGetResult(op, 0)))
    return MlirWalkResultAdvance;
  pa_shape *shape = shape_of_result(shapes, op);
  for (intptr_t i = 0; shape && i < mlirOperationGetNumResults(op); ++i)
    pa_set_shape(shapes, mlirOperationGetResult(op, i), shape);
  return MlirWalkResultAdvance;
}

void pa_shapes_read(pa_shapes *shapes, MlirOperation function) {
  mlirOperationWalk(function, read_operation, shapes, MlirWalkPreOrder);
}

//===-- What is left to check ---------------------------------------------------------------------===//

// The input that has the loop shape of |op| for certain, as all others broadcast to it; -1: none.
static int certain_input(pa_shapes *shapes, MlirOperation op) {
  int inputs[PA_MAX_OPERANDS], count;
  bool certain;
  intptr_t rank = 0;
  pa_shape *shape = pa_broadcast_shape(shapes, op, &certain);
  if (!certain) return -1;
  for (int i = 0; i < pa_input_count(op); ++i) {
    MlirValue input = mlirOperationGetOperand(op, i);
    intptr_t own = pa_is_array_with_axes(input) ? pyarrayArrayTypeGetRank(mlirValueGetType(input)) : 0;
    rank = own > rank ? own : rank;
  }
  pa_shape_inputs(op, inputs, &count);
  for (int i = 0; i < count; ++i) {
    MlirValue input = mlirOperationGetOperand(op, inputs[i]);
    if (pa_is_array_with_axes(input) && pa_shape_of(shapes, input) == shape &&
        pyarrayArrayTypeGetRank(mlirValueGetType(input)) == rank)
      return inputs[i];
  }
  return -1;
}

void pa_drop_certain_checks(pa_shapes *shapes, MlirOperation op) {
  int64_t input = certain_input(shapes, op);
  if (input >= 0) pa_set_attr(op, "shapes", mlirDenseI64ArrayGet(shapes->names->context, 1, &input));
}
