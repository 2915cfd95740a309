// Of pyarray-use-stack: extents of arrays that are constants.
#include "fuse_internal.h"
#include "integer_facts.h"
#include "ir/builtins.h"
#include "small_arrays.h"
#include "support/core_signature.h"

static bool is_array(MlirValue value) { return pyarrayTypeIsArray(mlirValueGetType(value)); }

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

int64_t pa_small_bytes(MlirType array, const pa_extents *known) {
  pa_scalar element = pa_scalar_of(pyarrayArrayTypeGetElement(array));
  if (element != PA_BOOL && !pa_is_integer(element) && !pa_is_float(element) && !pa_is_complex(element)) return 0;
  int64_t bytes = pa_scalar_bytes(element);
  for (int axis = 0; axis < known->rank && bytes <= PA_MOST_ARRAY_BYTES; ++axis)
    bytes = known->sizes[axis] > PA_MOST_ARRAY_BYTES ? PA_MOST_ARRAY_BYTES + 1 : bytes * known->sizes[axis];
  return bytes > PA_MOST_ARRAY_BYTES ? 0 : bytes;
}

//===-- Operations --------------------------------------------------------------------------------===//

// An integer that is a constant, or the extent of a shape that is known.
static bool is_known_size(const pa_small_arrays *small, MlirValue value, int64_t *out_size) {
  value = pa_item_of_tuple(&small->names, value);
  if (pa_integer_known(&small->names, value, out_size)) return *out_size >= 0;
  bool of_shape =
      mlirValueIsAOpResult(value) && pa_kind(&small->names, mlirOpResultGetOwner(value)) == PA_OP_UFUNC_SHAPE;
  int64_t sizes[PA_MOST_SMALL_RANK + PA_MAX_CORE_DIMENSIONS];
  if (!of_shape || !pa_known_shape(small, mlirOpResultGetOwner(value), sizes)) return false;
  *out_size = sizes[mlirOpResultGetResultNumber(value)];
  return true;
}

// |rank| operands from |first| on.
static void read_operands(pa_small_arrays *small, MlirOperation op, intptr_t first, int64_t rank) {
  pa_extents made = {.rank = (int)rank};
  if (rank > PA_MOST_SMALL_RANK || mlirOperationGetNumOperands(op) < first + rank) return;
  for (int axis = 0; axis < made.rank; ++axis)
    if (!is_known_size(small, mlirOperationGetOperand(op, first + axis), &made.sizes[axis])) return;
  know(small, mlirOperationGetResult(op, 0), made);
}

// cuda.local.array((2, 3), float32), and shared ones. One of extent 0 is as large as the launch says.
static void read_device_array(pa_small_arrays *small, MlirOperation op) {
  int64_t rank = pyarrayArrayTypeGetRank(mlirValueGetType(mlirOperationGetResult(op, 0))), size;
  for (int64_t axis = 0; axis < rank; ++axis)
    if (axis >= mlirOperationGetNumOperands(op) ||
        !is_known_size(small, mlirOperationGetOperand(op, (intptr_t)axis), &size) || size == 0)
      return;
  read_operands(small, op, 0, rank);
}

static void read_builtin(pa_small_arrays *small, MlirOperation op) {
  const pa_builtin *row = pa_builtin_find(mlirStringAttrGetValue(pa_get_attr(op, "name")));
  MlirValue result = mlirOperationGetResult(op, 0);
  if (!row || !is_array(result)) return;
  if (row->lowering == PA_LOWERING_NEW_ARRAY)
    read_operands(small, op, 0, pyarrayArrayTypeGetRank(mlirValueGetType(result)));
  if (row->lowering == PA_LOWERING_DEVICE_ARRAY) read_device_array(small, op);
  if (row->lowering == PA_LOWERING_RESHAPE) read_operands(small, op, 1, mlirOperationGetNumOperands(op) - 1);
  bool copies = small->in_kernel && row->lowering == PA_LOWERING_COPY;
  const pa_extents *model = row->lowering == PA_LOWERING_NEW_ARRAY_LIKE || copies
                                ? pa_known_extents(small, mlirOperationGetOperand(op, 0))
                                : NULL;
  if (model) know(small, result, *model);
}

// Part |number| of a slice, or |otherwise| where it has none. False where it is not known.
static bool read_part(const pa_small_arrays *small, MlirOperation slice, intptr_t number, int64_t otherwise,
                      int64_t *out) {
  MlirValue part = mlirOperationGetOperand(slice, number);
  *out = otherwise;
  return pyarrayTypeIsNone(mlirValueGetType(part)) || pa_integer_known(&small->names, part, out);
}

// Within 0 and |size|; negative ones count from the end.
static int64_t within(int64_t place, int64_t size) {
  if (place < 0) place = place < -size ? 0 : place + size;
  return place > size ? size : place;
}

// How many elements of |size| a slice forwards takes.
static bool read_slice(const pa_small_arrays *small, MlirValue value, int64_t size, int64_t *out_count) {
  if (!mlirValueIsAOpResult(value) || pa_kind(&small->names, mlirOpResultGetOwner(value)) != PA_OP_SLICE) return false;
  MlirOperation slice = mlirOpResultGetOwner(value);
  int64_t start, stop, step;
  if (!read_part(small, slice, 0, 0, &start) || !read_part(small, slice, 1, size, &stop) ||
      !read_part(small, slice, 2, 1, &step) || step < 1)
    return false;
  start = within(start, size), stop = within(stop, size);
  *out_count = start < stop ? 1 + (stop - start - 1) / step : 0;
  return true;
}

// The part at whole numbers and slices.
static void read_item(pa_small_arrays *small, MlirOperation op) {
  const pa_extents *own = pa_known_extents(small, mlirOperationGetOperand(op, 0));
  intptr_t indices = mlirOperationGetNumOperands(op) - 1;
  if (!own || !is_array(mlirOperationGetResult(op, 0)) || indices > own->rank) return;
  pa_extents item = {.rank = 0};
  for (int axis = 0; axis < own->rank; ++axis) {
    MlirValue index = axis < indices ? mlirOperationGetOperand(op, 1 + axis) : (MlirValue){NULL};
    if (axis >= indices)
      item.sizes[item.rank++] = own->sizes[axis];
    else if (!pa_is_integer(pa_scalar_of(mlirValueGetType(index))) &&
             !read_slice(small, index, own->sizes[axis], &item.sizes[item.rank++]))
      return;
  }
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

//===-- Functions ---------------------------------------------------------------------------------===//

enum { PA_MOST_ROUNDS = 8 };

static MlirValue carried(MlirOperation loop, intptr_t i) {
  MlirBlock body = pa_body(loop, 0);
  return mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - mlirOperationGetNumResults(loop) + i);
}

// As long as nothing speaks against it, what a loop carries keeps the extents that it begins with.
static void enter_loop(pa_small_arrays *small, MlirOperation loop) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i) {
    MlirValue start = mlirOperationGetOperand(loop, 1 + i);
    const pa_extents *known = is_array(start) ? pa_known_extents(small, start) : NULL;
    if (known && !pa_map_get(&small->refused, carried(loop, i).ptr)) know(small, carried(loop, i), *known);
  }
}

// Gives false where something has.
static bool leave_loop(pa_small_arrays *small, MlirOperation loop) {
  MlirOperation end = mlirBlockGetTerminator(pa_body(loop, 0));
  bool holds = true;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i) {
    const pa_extents *known = pa_known_extents(small, carried(loop, i)),
                     *next = pa_known_extents(small, mlirOperationGetOperand(end, i));
    if (!known) continue;
    if (next && pa_extents_are_equal(known, next)) {
      know(small, mlirOperationGetResult(loop, i), *known);
      continue;
    }
    pa_map_put(small->arena, &small->refused, carried(loop, i).ptr, loop.ptr);
    holds = false;
  }
  return holds;
}

static void leave_branches(pa_small_arrays *small, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirOperation ends[] = {mlirBlockGetTerminator(pa_body(op, 0)), mlirBlockGetTerminator(pa_body(op, 1))};
    const pa_extents *a = pa_known_extents(small, mlirOperationGetOperand(ends[0], i)),
                     *b = pa_known_extents(small, mlirOperationGetOperand(ends[1], i));
    if (a && b && pa_extents_are_equal(a, b)) know(small, mlirOperationGetResult(op, i), *a);
  }
}

static bool read_block(pa_small_arrays *small, MlirBlock block, intptr_t *place) {
  bool holds = true;
  PA_FOR_EACH_OP(op, block) {
    pa_op_kind kind = pa_kind(&small->names, op);
    pa_map_put(small->arena, &small->places, op.ptr, (void *)++*place);
    if (kind == PA_OP_FOR) enter_loop(small, op);
    bool points = kind == PA_OP_UFUNC || kind == PA_OP_REDUCE;
    for (intptr_t r = 0; !points && r < mlirOperationGetNumRegions(op); ++r)
      for (MlirBlock inner = pa_body(op, r); !mlirBlockIsNull(inner); inner = mlirBlockGetNextInRegion(inner))
        holds = read_block(small, inner, place) && holds;
    if (kind == PA_OP_FOR) holds = leave_loop(small, op) && holds;
    if (kind == PA_OP_SCF_IF) leave_branches(small, op);
    pa_read_extents(small, op);
  }
  return holds;
}

void pa_read_all_extents(pa_small_arrays *small, MlirOperation function) {
  bool holds = false;
  small->refused = (pa_map){0};
  for (int round = 0; !holds && round < PA_MOST_ROUNDS; ++round) {
    intptr_t place = 0;
    small->known = small->places = (pa_map){0};
    holds = read_block(small, pa_body(function, 0), &place);
  }
  if (!holds) small->known = (pa_map){0};
}
