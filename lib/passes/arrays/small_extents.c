// Of pyarray-use-stack: extents of arrays that are constants.
#include "fuse_internal.h"
#include "integer_facts.h"
#include "ir/builtins.h"
#include "small_arrays.h"
#include "support/core_signature.h"

enum { PA_MOST_STEPS = 16 }; // from an extent to the number that it is

static bool is_array(MlirValue value) { return pyarrayTypeIsArray(mlirValueGetType(value)); }

// What |value| is, seen through tuples that are taken apart where they are made.
static MlirValue item_of_tuple(const pa_small_arrays *small, MlirValue value) {
  const MlirOperation none = {NULL};
  for (int step = 0; step < PA_MOST_STEPS && mlirValueIsAOpResult(value); ++step) {
    MlirOperation op = mlirOpResultGetOwner(value);
    bool unpacks = pa_kind(&small->names, op) == PA_OP_UNPACK && mlirValueIsAOpResult(mlirOperationGetOperand(op, 0));
    MlirOperation tuple = unpacks ? mlirOpResultGetOwner(mlirOperationGetOperand(op, 0)) : none;
    if (mlirOperationIsNull(tuple) || pa_kind(&small->names, tuple) != PA_OP_TUPLE) break;
    value = mlirOperationGetOperand(tuple, mlirOpResultGetResultNumber(value));
  }
  return value;
}

const pa_extents *pa_known_extents(const pa_small_arrays *small, MlirValue array) {
  return pa_map_get(&small->known, array.ptr);
}

bool pa_extents_are_equal(const pa_extents *a, const pa_extents *b) {
  bool equal = a->rank == b->rank;
  for (int axis = 0; equal && axis < a->rank; ++axis) equal = a->sizes[axis] == b->sizes[axis];
  return equal;
}

static void know(pa_small_arrays *small, MlirValue array, pa_extents extents) {
  pa_extents *kept = PA_NEW(small->arena, pa_extents);
  *kept = extents;
  pa_map_put(small->arena, &small->known, array.ptr, kept);
}

//===-- Operations --------------------------------------------------------------------------------===//

// |rank| operands from |first| on.
static void read_operands(pa_small_arrays *small, MlirOperation op, intptr_t first, int64_t rank) {
  pa_extents made = {.rank = (int)rank};
  if (rank > PA_MOST_SMALL_RANK || mlirOperationGetNumOperands(op) < first + rank) return;
  for (int axis = 0; axis < made.rank; ++axis) {
    MlirValue size = item_of_tuple(small, mlirOperationGetOperand(op, first + axis));
    if (!pa_integer_known(&small->names, size, &made.sizes[axis]) || made.sizes[axis] < 0) return;
  }
  know(small, mlirOperationGetResult(op, 0), made);
}

static void read_builtin(pa_small_arrays *small, MlirOperation op) {
  const pa_builtin *row = pa_builtin_find(mlirStringAttrGetValue(pa_get_attr(op, "name")));
  MlirValue result = mlirOperationGetResult(op, 0);
  if (!row || !is_array(result)) return;
  if (row->lowering == PA_LOWERING_NEW_ARRAY)
    read_operands(small, op, 0, pyarrayArrayTypeGetRank(mlirValueGetType(result)));
  const pa_extents *model =
      row->lowering == PA_LOWERING_NEW_ARRAY_LIKE ? pa_known_extents(small, mlirOperationGetOperand(op, 0)) : NULL;
  if (model) know(small, result, *model);
}

// The sub-array at whole numbers.
static void read_item(pa_small_arrays *small, MlirOperation op) {
  const pa_extents *own = pa_known_extents(small, mlirOperationGetOperand(op, 0));
  intptr_t indices = mlirOperationGetNumOperands(op) - 1;
  if (!own || !is_array(mlirOperationGetResult(op, 0)) || indices > own->rank) return;
  for (intptr_t i = 1; i <= indices; ++i)
    if (!pa_is_integer(pa_scalar_of(mlirValueGetType(mlirOperationGetOperand(op, i))))) return;
  pa_extents item = {.rank = own->rank - (int)indices};
  for (int axis = 0; axis < item.rank; ++axis) item.sizes[axis] = own->sizes[indices + axis];
  know(small, mlirOperationGetResult(op, 0), item);
}

static void read_attribute(pa_small_arrays *small, MlirOperation op) {
  const pa_extents *own = pa_known_extents(small, mlirOperationGetOperand(op, 0));
  if (!own || !pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(op, "name")), "T")) return;
  pa_extents turned = {.rank = own->rank};
  for (int axis = 0; axis < own->rank; ++axis) turned.sizes[axis] = own->sizes[own->rank - 1 - axis];
  know(small, mlirOperationGetResult(op, 0), turned);
}

static void read_transpose(pa_small_arrays *small, MlirOperation op) {
  const pa_extents *own = pa_known_extents(small, mlirOperationGetOperand(op, 0));
  MlirAttribute axes = pa_get_attr(op, "axes");
  if (!own || mlirDenseArrayGetNumElements(axes) != own->rank) return;
  pa_extents turned = {.rank = own->rank};
  for (int axis = 0; axis < own->rank; ++axis) turned.sizes[axis] = own->sizes[mlirDenseI64ArrayGetElement(axes, axis)];
  know(small, mlirOperationGetResult(op, 0), turned);
}

// New axes are at their places in the result.
static void read_insert_axes(pa_small_arrays *small, MlirOperation op) {
  const pa_extents *own = pa_known_extents(small, mlirOperationGetOperand(op, 0));
  MlirAttribute axes = pa_get_attr(op, "axes");
  pa_extents more = {.rank = own ? own->rank + (int)mlirDenseArrayGetNumElements(axes) : 0};
  if (!own || more.rank > PA_MOST_SMALL_RANK) return;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(axes); ++i)
    more.sizes[mlirDenseI64ArrayGetElement(axes, i)] = -1;
  for (int axis = 0, from = 0; axis < more.rank; ++axis)
    more.sizes[axis] = more.sizes[axis] < 0 ? 1 : own->sizes[from++];
  know(small, mlirOperationGetResult(op, 0), more);
}

void pa_read_extents(pa_small_arrays *small, MlirOperation op) {
  switch (pa_kind(&small->names, op)) {
  case PA_OP_BUILTIN: read_builtin(small, op); break;
  case PA_OP_BROADCAST_TO: read_operands(small, op, 1, mlirOperationGetNumOperands(op) - 1); break;
  case PA_OP_GETITEM: read_item(small, op); break;
  case PA_OP_GETATTR: read_attribute(small, op); break;
  case PA_OP_TRANSPOSE: read_transpose(small, op); break;
  case PA_OP_INSERT_AXES: read_insert_axes(small, op); break;
  default: break;
  }
}

//===-- Shapes ------------------------------------------------------------------------------------===//

typedef struct shape {
  int64_t loop[PA_MOST_SMALL_RANK], cores[PA_MAX_CORE_DIMENSIONS]; // -1: not met yet
  int rank;
} shape;

// Makes the loop what it and the operand's broadcast to, and its core sizes those of all.
static bool join(shape *s, const pa_core_operand *core, const pa_extents *own, bool is_output) {
  int loops = own->rank - core->rank;
  if (loops < 0 || loops > s->rank || (is_output && loops != s->rank)) return false;
  for (int axis = 0; axis < loops; ++axis) {
    int64_t *size = &s->loop[s->rank - loops + axis], mine = own->sizes[axis];
    if (*size == 1 && !is_output) *size = mine;
    if (*size != mine && (mine != 1 || is_output)) return false;
  }
  for (int k = 0; k < core->rank; ++k) {
    int64_t *size = &s->cores[core->dimensions[k]], mine = own->sizes[loops + k];
    if (*size < 0) *size = mine;
    if (*size != mine) return false;
  }
  return true;
}

static bool is_plain(const pa_core_signature *core) {
  for (int d = 0; d < core->dimension_count; ++d)
    if (core->dimensions[d].size >= 0 || core->dimensions[d].optional) return false;
  return true;
}

bool pa_known_shape(const pa_small_arrays *small, MlirOperation op, int64_t *out_sizes) {
  intptr_t inputs = pa_input_count(op), all = mlirOperationGetNumOperands(op);
  pa_core_signature core;
  MlirStringRef text = mlirStringAttrGetValue(pa_get_attr(op, "signature"));
  if (pa_core_signature_parse(text.data, text.length, &core) || !is_plain(&core) ||
      !mlirAttributeIsNull(pa_get_attr(op, "assigns")))
    return false;
  shape s = {.loop = {1, 1, 1, 1}, .rank = (int)mlirOperationGetNumResults(op) - core.dimension_count};
  if (s.rank < 0 || s.rank > PA_MOST_SMALL_RANK) return false;
  for (int d = 0; d < core.dimension_count; ++d) s.cores[d] = -1;
  for (intptr_t i = 0; i < all; ++i) {
    if (!is_array(mlirOperationGetOperand(op, i))) continue;
    const pa_extents *own = pa_known_extents(small, mlirOperationGetOperand(op, i));
    if (!own || !join(&s, &core.operands[i], own, i >= inputs)) return false;
  }
  for (int d = 0; d < s.rank; ++d) out_sizes[d] = s.loop[d];
  for (int d = 0; d < core.dimension_count; ++d)
    if ((out_sizes[s.rank + d] = s.cores[d]) < 0) return false;
  return true;
}
