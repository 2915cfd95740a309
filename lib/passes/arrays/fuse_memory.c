// Of pyarray-fuse: what may be written between two operations.
//
// Memory that an operation of the function makes is distinct from all that existed before, and is its own as long as
// only operations that are known here get it. All other memory counts as one: two arguments may be one array.
#include <string.h>

#include "fuse_internal.h"
#include "ir/builtins.h"
#include "pyarray-c/Effects.h"

//===-- Operations --------------------------------------------------------------------------------===//

static bool is_array(MlirValue value) { return pyarrayTypeIsArray(mlirValueGetType(value)); }

static const pa_builtin *row_of(MlirOperation builtin) {
  return pa_builtin_find(mlirStringAttrGetValue(pa_get_attr(builtin, "name")));
}

static bool has_attribute(MlirOperation op, const char *name) {
  return pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(op, "name")), name);
}

bool pa_is_view(const pa_names *names, MlirOperation op) {
  if (mlirOperationGetNumResults(op) != 1 || mlirOperationGetNumOperands(op) == 0 ||
      !is_array(mlirOperationGetResult(op, 0)) || !is_array(mlirOperationGetOperand(op, 0)))
    return false;
  switch (pa_kind(names, op)) {
  case PA_OP_GETITEM:
  case PA_OP_TRANSPOSE:
  case PA_OP_INSERT_AXES:
  case PA_OP_BROADCAST_TO: return true;
  case PA_OP_GETATTR: return has_attribute(op, "T");
  default: return false;
  }
}

// a.reshape(shape) and z.real of a kernel.
static bool is_view_in_kernel(const pa_memory *memory, MlirOperation op) {
  const pa_builtin *row = memory->in_kernel && pa_kind(memory->names, op) == PA_OP_BUILTIN ? row_of(op) : NULL;
  return row && (row->lowering == PA_LOWERING_RESHAPE || row->lowering == PA_LOWERING_COMPLEX_PART) &&
         is_array(mlirOperationGetResult(op, 0));
}

// Besides: views of parts of elements, and conversions of layouts.
bool pa_shares_memory(const pa_names *names, MlirOperation op) {
  pa_op_kind kind = pa_kind(names, op);
  bool arrays = mlirOperationGetNumResults(op) == 1 && mlirOperationGetNumOperands(op) > 0 &&
                is_array(mlirOperationGetResult(op, 0)) && is_array(mlirOperationGetOperand(op, 0));
  return pa_is_view(names, op) ||
         (arrays && (kind == PA_OP_CAST || kind == PA_OP_FIELD || kind == PA_OP_GETATTR || kind == PA_OP_PRIVATE));
}

bool pa_makes_memory(const pa_names *names, MlirOperation op) {
  pa_op_kind kind = pa_kind(names, op);
  return kind == PA_OP_UFUNC || kind == PA_OP_REDUCE || kind == PA_OP_CONTRACT ||
         (kind == PA_OP_BUILTIN && mlirOperationGetNumResults(op) == 1 && is_array(mlirOperationGetResult(op, 0)) &&
          pyarrayOperationGetEffectsOn(op, mlirOperationGetResult(op, 0)).allocates & PYARRAY_RESOURCE_ELEMENTS);
}

// Nobody knows an array by it afterwards who did not before.
bool pa_keeps_no_array(const pa_names *names, MlirOperation op) {
  switch (pa_kind(names, op)) {
  case PA_OP_UFUNC:
  case PA_OP_REDUCE:
  case PA_OP_CONTRACT:
  case PA_OP_UFUNC_SHAPE:
  case PA_OP_GETITEM:
  case PA_OP_GETATTR:
  case PA_OP_INDEPENDENT:
  case PA_OP_ROWS_APART:
  case PA_OP_COMPARE:
  case PA_OP_RETURN: return true;
  case PA_OP_SETITEM: return is_array(mlirOperationGetOperand(op, 0)); // its elements are copied
  case PA_OP_BUILTIN: {
    if (pa_makes_memory(names, op)) return true;
    uint32_t writes = pyarrayOperationGetEffects(op).writes;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      if (pa_is_managed(mlirValueGetType(mlirOperationGetResult(op, i)))) return false;
    return !(writes & ~(uint32_t)(PYARRAY_RESOURCE_EXCEPTION | PYARRAY_RESOURCE_ELEMENTS));
  }
  default: return pa_shares_memory(names, op);
  }
}

static bool is_stop(const pa_names *names, MlirOperation op) {
  if (pa_kind(names, op) == PA_OP_SUSPEND) return true;
  if (pa_kind(names, op) != PA_OP_BUILTIN) return false;
  const pa_builtin *row = row_of(op);
  return row && row->lowering == PA_LOWERING_OBJMODE_CALL;
}

//===-- Reading -----------------------------------------------------------------------------------===//

static pa_root *root_of(const pa_memory *memory, MlirValue array) {
  pa_root *root = pa_map_get(&memory->roots, array.ptr);
  return root && !root->escaped ? root : NULL;
}

static void add_place(pa_memory *memory, pa_places *places, int64_t place) {
  if (places->count && places->items[places->count - 1] == place) return;
  places->items = pa_arena_grow(memory->arena, places->items, places->count, &places->capacity, sizeof *places->items);
  places->items[places->count++] = place;
}

// To the memory of |array|; |array| is null: to any that others know. What escapes counts as such from the beginning.
static void add_write(pa_memory *memory, MlirValue array) {
  pa_root *root = mlirValueIsNull(array) ? NULL : pa_map_get(&memory->roots, array.ptr);
  if (root) add_place(memory, &root->writes, memory->count);
  if (!root || root->escaped) add_place(memory, &memory->writes, memory->count);
}

// From here on its memory counts as what others know. Writes to it so far are sorted in among those.
static void escape(pa_memory *memory, MlirValue array) {
  pa_root *root = pa_map_get(&memory->roots, array.ptr);
  if (!root || root->escaped) return;
  root->escaped = true;
  for (size_t i = 0; i < root->writes.count; ++i) {
    int64_t place = root->writes.items[i];
    size_t at = memory->writes.count;
    add_place(memory, &memory->writes, INT64_MAX);
    for (; at > 0 && memory->writes.items[at - 1] > place; --at)
      memory->writes.items[at] = memory->writes.items[at - 1];
    memory->writes.items[at] = place;
  }
}

static void read_results(pa_memory *memory, MlirOperation op) {
  bool makes = pa_makes_memory(memory->names, op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    if (makes && is_array(result))
      pa_map_put(memory->arena, &memory->roots, result.ptr, PA_NEW(memory->arena, pa_root));
  }
  if (pa_shares_memory(memory->names, op) || is_view_in_kernel(memory, op))
    pa_memory_view(memory, mlirOperationGetResult(op, 0), mlirOperationGetOperand(op, 0));
}

static bool only_reads(pa_op_kind kind) {
  static const pa_op_kind kinds[] = {PA_OP_CONSTANT, PA_OP_CAST,  PA_OP_BINARY,  PA_OP_UNARY,
                                     PA_OP_SLICE,    PA_OP_YIELD, PA_OP_GETATTR, PA_OP_UFUNC_SHAPE};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (kind == kinds[i]) return true;
  return false;
}

static void read_writes(pa_memory *memory, MlirOperation op) {
  const uint32_t written = PYARRAY_RESOURCE_ELEMENTS | PYARRAY_RESOURCE_OTHER;
  pa_op_kind kind = pa_kind(memory->names, op);
  if (only_reads(kind)) return;
  intptr_t first = kind == PA_OP_UFUNC || kind == PA_OP_REDUCE ? pa_input_count(op) : 0;
  if (pyarrayOperationGetEffectsOn(op, (MlirValue){NULL}).writes & written) add_write(memory, (MlirValue){NULL});
  for (intptr_t i = first; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (is_array(operand) && pyarrayOperationGetEffectsOn(op, operand).writes & written) add_write(memory, operand);
  }
  if (is_stop(memory->names, op)) add_place(memory, &memory->stops, memory->count);
}

static MlirWalkResult read_operation(MlirOperation op, void *data) {
  pa_memory *memory = data;
  pa_set_place(memory, op, ++memory->count);
  bool keeps = false, looked = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!is_array(operand) || !root_of(memory, operand)) continue;
    if (!looked) keeps = !pa_keeps_no_array(memory->names, op) && !is_view_in_kernel(memory, op);
    looked = true;
    if (keeps) escape(memory, operand);
  }
  read_writes(memory, op);
  read_results(memory, op);
  return MlirWalkResultAdvance;
}

void pa_memory_read(pa_memory *memory, MlirOperation function) {
  mlirOperationWalk(function, read_operation, memory, MlirWalkPreOrder);
}

//===-- Asking ------------------------------------------------------------------------------------===//

int64_t pa_place_of(const pa_memory *memory, MlirOperation op) {
  return (int64_t)(intptr_t)pa_map_get(&memory->places, op.ptr);
}

void pa_set_place(pa_memory *memory, MlirOperation op, int64_t place) {
  pa_map_put(memory->arena, &memory->places, op.ptr, (void *)(intptr_t)place);
}

void pa_memory_view(pa_memory *memory, MlirValue view, MlirValue array) {
  pa_map_put(memory->arena, &memory->roots, view.ptr, pa_map_get(&memory->roots, array.ptr));
}

bool pa_is_own_memory(const pa_memory *memory, MlirValue array) { return root_of(memory, array) != NULL; }

bool pa_is_only_read(const pa_memory *memory, MlirValue array) {
  const pa_root *root = root_of(memory, array);
  return root && root->writes.count == 0;
}

bool pa_is_same_memory(const pa_memory *memory, MlirValue a, MlirValue b) {
  return pa_map_get(&memory->roots, a.ptr) == pa_map_get(&memory->roots, b.ptr);
}

static bool has_place_between(const pa_places *places, int64_t from, int64_t to) {
  size_t low = 0, high = places->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (places->items[middle] <= from)
      low = middle + 1;
    else
      high = middle;
  }
  return low < places->count && places->items[low] < to;
}

bool pa_may_be_written(const pa_memory *memory, MlirValue array, int64_t from, int64_t to) {
  const pa_root *root = root_of(memory, array);
  return has_place_between(root ? &root->writes : &memory->writes, from, to) ||
         has_place_between(&memory->stops, from, to);
}
