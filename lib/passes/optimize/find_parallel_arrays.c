// Of pyarray-find-parallel-loops: arrays that a loop over prange reduces, as a histogram does.
//
//   pyarray.for (%i: si64) in %prange : !pyarray.range {
//     %x = pyarray.getitem %bins[%i] ...
//     %h = pyarray.getitem %counts[%x] : (!pyarray.array<?xsi64, C>, si64) -> si64
//     %s = pyarray.binary add %h, %one : (si64, si64) -> si64
//     pyarray.setitem %counts[%x] = %s : ...
//   }
// becomes the same on %p instead of %counts, with, at the top of the loop,
//
//     %p = pyarray.private "add" %counts : !pyarray.array<?xsi64, C>
//
// So does `add(counts, x, counts)` of a ufunc that adds. An array qualifies that lies outside the loop and is used in
// it for nothing but updates of elements, all of one kind (and for its shape). No index may follow the loop variable:
// `out[i] += x` and `out[2 * i + k] += x` are taken to touch elements of their own iteration, as the user's word has
// it; nor may one be the thread's number.
#include <string.h>

#include "find_parallel.h"
#include "pyarray-c/Effects.h"

typedef struct array_search {
  pa_arena *arena;
  const pa_names *names;
  MlirOperation loop;
  MlirValue array;
  const char *kind;     // of the updates seen so far
  MlirValue element;    // of the array, in the body of the ufunc that is looked at
  MlirOperation *reads; // the operations that read what they update
  size_t read_count, read_capacity;
} array_search;

enum { PA_DEEPEST = 16 };

static MlirOperation definition(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
}

//===-- Equal values ------------------------------------------------------------------------------===//

static bool have_same_attributes(MlirOperation a, MlirOperation b) {
  static const char *const attributes[] = {"kind", "name", "value", "offset", "extents"};
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; ++i)
    if (!mlirAttributeEqual(pa_get_attr(a, attributes[i]), pa_get_attr(b, attributes[i]))) return false;
  return true;
}

// Nothing is written between the read and |end|.
static bool stays(MlirOperation read, MlirOperation end) {
  return mlirBlockEqual(mlirOperationGetBlock(read), mlirOperationGetBlock(end)) && pa_only_computes(read, end);
}

static bool are_same(const pa_names *names, MlirValue a, MlirValue b, MlirOperation end, int depth) {
  if (mlirValueEqual(a, b)) return true;
  MlirOperation x = definition(a), y = definition(b);
  pa_op_kind kind = pa_kind_or_other(names, x);
  if (depth > PA_DEEPEST || kind == PA_OP_OTHER || kind != pa_kind_or_other(names, y) ||
      mlirOperationGetNumRegions(x) || !pa_only_computes_one(x))
    return false;
  if (!mlirTypeEqual(mlirValueGetType(a), mlirValueGetType(b)) ||
      mlirOpResultGetResultNumber(a) != mlirOpResultGetResultNumber(b))
    return false;
  if (mlirOperationGetNumOperands(x) != mlirOperationGetNumOperands(y) || !have_same_attributes(x, y)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(x); ++i)
    if (!are_same(names, mlirOperationGetOperand(x, i), mlirOperationGetOperand(y, i), end, depth + 1)) return false;
  return !pyarrayOperationGetEffects(x).reads || stays(x, end);
}

bool pa_same_value(const pa_names *names, MlirValue a, MlirValue b, MlirOperation end) {
  return are_same(names, a, b, end, 0);
}

//===-- Indices -----------------------------------------------------------------------------------===//

// Sums and products of the loop variable, and variables of inner loops that start at one.
static bool follows_loop(const array_search *a, MlirValue index, int depth) {
  MlirBlock body = pa_body(a->loop, 0);
  if (mlirValueEqual(index, mlirBlockGetArgument(body, 0))) return true;
  if (depth > PA_DEEPEST) return false;
  MlirOperation op = definition(index);
  if (mlirOperationIsNull(op)) {
    MlirOperation inner = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(index));
    if (mlirBlockArgumentGetArgNumber(index) || pa_kind(a->names, inner) != PA_OP_FOR || !pa_is_inside(inner, a->loop))
      return false;
    op = definition(mlirOperationGetOperand(inner, 0));
    bool range = pa_kind_or_other(a->names, op) == PA_OP_BUILTIN &&
                 pyarrayTypeIsRange(mlirValueGetType(mlirOperationGetResult(op, 0)));
    return range && follows_loop(a, mlirOperationGetOperand(op, 0), depth + 1);
  }
  pa_op_kind kind = pa_kind(a->names, op);
  if (kind == PA_OP_BINARY) {
    int64_t operation = pyarrayBinaryKindAttrGetValue(pa_get_attr(op, "kind"));
    if (operation != PYARRAY_BINARY_ADD && operation != PYARRAY_BINARY_SUB && operation != PYARRAY_BINARY_MUL)
      return false;
  } else if (kind != PA_OP_CAST && kind != PA_OP_UNARY) {
    return kind == PA_OP_BUILTIN &&
           pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(op, "name")), "pyarray.get_thread_id");
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (follows_loop(a, mlirOperationGetOperand(op, i), depth + 1)) return true;
  return false;
}

static bool is_of_its_iteration(const array_search *a, MlirOperation setitem) {
  for (intptr_t i = 1; i + 1 < mlirOperationGetNumOperands(setitem); ++i)
    if (follows_loop(a, mlirOperationGetOperand(setitem, i), 0)) return true;
  return false;
}

// The element that is read is the one that is written.
static bool have_same_indices(const array_search *a, MlirOperation getitem, MlirOperation setitem) {
  intptr_t count = mlirOperationGetNumOperands(getitem);
  if (mlirOperationGetNumOperands(setitem) != count + 1) return false;
  for (intptr_t i = 1; i < count; ++i)
    if (!pa_same_value(a->names, mlirOperationGetOperand(getitem, i), mlirOperationGetOperand(setitem, i), setitem))
      return false;
  return true;
}

//===-- Updates -----------------------------------------------------------------------------------===//

static bool has_one_use(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  return !mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

// Numbers among which sums and the like do not depend on where a cast is.
static int family(pa_scalar scalar) {
  return scalar == PA_BOOL ? 0 : pa_is_integer(scalar) ? 1 : pa_is_float(scalar) ? 2 : 3;
}

// The getitem of the updated element, or the ufunc that hands it to its body, from which |value| is made by steps of
// one reduction; null if it is not.
static MlirOperation trace(array_search *a, MlirValue value, int depth) {
  const MlirOperation none = {NULL};
  MlirOperation op = definition(value);
  if (mlirValueEqual(value, a->element))
    return has_one_use(value) ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value)) : none;
  pa_scalar element = pa_scalar_of(pyarrayArrayTypeGetElement(mlirValueGetType(a->array)));
  pa_scalar scalar = pa_scalar_of(mlirValueGetType(value));
  if (mlirOperationIsNull(op) || depth > PA_DEEPEST || !has_one_use(value) || scalar == PA_NOT_SCALAR ||
      family(scalar) != family(element))
    return none;
  pa_op_kind kind = pa_kind(a->names, op);
  if (kind == PA_OP_GETITEM) return mlirValueEqual(mlirOperationGetOperand(op, 0), a->array) ? op : none;
  if (kind == PA_OP_CAST) return trace(a, mlirOperationGetOperand(op, 0), depth + 1);
  if (kind != PA_OP_BINARY && kind != PA_OP_BUILTIN) return none;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && i < 2; ++i) {
    MlirOperation getitem = trace(a, mlirOperationGetOperand(op, i), depth + 1);
    if (mlirOperationIsNull(getitem)) continue;
    const char *word = kind == PA_OP_BINARY ? pa_binary_reduction(op, i == 0) : pa_builtin_reduction(op, i == 0);
    if (!word || (a->kind && strcmp(a->kind, word) != 0)) return none;
    a->kind = word;
    return getitem;
  }
  return none;
}

static void add_read(array_search *a, MlirOperation read) {
  a->reads = pa_arena_grow(a->arena, a->reads, a->read_count, &a->read_capacity, sizeof *a->reads);
  a->reads[a->read_count++] = read;
}

// add(acc, x, acc), elementwise, where |number| is the output.
static bool is_ufunc_update(array_search *a, MlirOperation ufunc, intptr_t number) {
  MlirBlock body = pa_body(ufunc, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  intptr_t inputs = mlirDenseI32ArrayGetElement(pa_get_attr(ufunc, "operandSegmentSizes"), 0), place = -1;
  if (number != inputs || mlirOperationGetNumOperands(yield) != 1 || mlirOperationGetNumOperands(ufunc) != inputs + 1)
    return false;
  for (intptr_t i = 0; i < inputs; ++i) {
    if (pyarrayTypeIsArray(mlirValueGetType(mlirBlockGetArgument(body, i)))) return false;
    if (!mlirValueEqual(mlirOperationGetOperand(ufunc, i), a->array)) continue;
    if (place >= 0) return false;
    place = i;
  }
  if (place < 0) return false;
  a->element = mlirBlockGetArgument(body, place);
  bool traced = !mlirOperationIsNull(trace(a, mlirOperationGetOperand(yield, 0), 0)) && a->kind;
  a->element = (MlirValue){NULL};
  if (traced) add_read(a, ufunc);
  return traced;
}

static bool is_update(array_search *a, MlirOperation setitem) {
  MlirValue value = mlirOperationGetOperand(setitem, mlirOperationGetNumOperands(setitem) - 1);
  MlirOperation getitem = trace(a, value, 0);
  if (mlirOperationIsNull(getitem) || !have_same_indices(a, getitem, setitem) || is_of_its_iteration(a, setitem))
    return false;
  add_read(a, getitem);
  return true;
}

static bool is_read_of_update(const array_search *a, MlirOperation getitem) {
  for (size_t i = 0; i < a->read_count; ++i)
    if (mlirOperationEqual(a->reads[i], getitem)) return true;
  return false;
}

static bool is_shape(MlirOperation op, pa_op_kind kind) {
  return kind == PA_OP_GETATTR ||
         (kind == PA_OP_BUILTIN && pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(op, "name")), "builtins.len"));
}

static bool is_output(MlirOperation ufunc, intptr_t number) {
  return number >= mlirDenseI32ArrayGetElement(pa_get_attr(ufunc, "operandSegmentSizes"), 0);
}

// Updates first: then it is known which reads belong to them.
static bool is_reduced(array_search *a) {
  for (int updates = 1; updates >= 0; --updates)
    for (MlirOpOperand use = mlirValueGetFirstUse(a->array); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      pa_op_kind kind = pa_kind(a->names, user);
      if (!pa_is_inside(user, a->loop)) continue;
      intptr_t number = mlirOpOperandGetOperandNumber(use);
      if (updates && kind == PA_OP_SETITEM && (number || !is_update(a, user))) return false;
      if (updates && kind == PA_OP_UFUNC && is_output(user, number) && !is_ufunc_update(a, user, number)) return false;
      if (!updates && kind != PA_OP_SETITEM && !is_shape(user, kind) && !is_read_of_update(a, user)) return false;
    }
  return a->kind != NULL;
}

//===-- Arrays of a loop --------------------------------------------------------------------------===//

static void make_private(array_search *a, pa_builder *at) {
  MlirValue copy = pa_value(at, PA_OP_NAME(PRIVATE), PA_OPERANDS(a->array), PA_RESULTS(mlirValueGetType(a->array)),
                            PA_ATTRS({"kind", pa_string_attr(at->context, a->kind)}));
  if (pa_failed(at)) return;
  MlirOperation made = mlirOpResultGetOwner(copy);
  for (MlirOpOperand use = mlirValueGetFirstUse(a->array), next; !mlirOpOperandIsNull(use); use = next) {
    next = mlirOpOperandGetNextUse(use);
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (pa_is_inside(user, a->loop) && !mlirOperationEqual(user, made))
      mlirOperationSetOperand(user, mlirOpOperandGetOperandNumber(use), copy);
  }
}

static void consider(array_search *a, MlirValue array, pa_builder *at) {
  MlirOperation made = definition(array);
  bool outside = mlirOperationIsNull(made)
                     ? !pa_is_inside(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(array)), a->loop)
                     : !pa_is_inside(made, a->loop);
  if (!outside || !pyarrayTypeIsArray(mlirValueGetType(array))) return;
  *a = (array_search){.arena = a->arena, .names = a->names, .loop = a->loop, .array = array};
  if (is_reduced(a)) make_private(a, at);
}

static void visit_block(array_search *a, MlirBlock block, pa_builder *at) {
  PA_FOR_EACH_OP(op, block) {
    if (pa_kind(a->names, op) == PA_OP_SETITEM) consider(a, mlirOperationGetOperand(op, 0), at);
    for (intptr_t i = 0; pa_kind(a->names, op) == PA_OP_UFUNC && i < mlirOperationGetNumOperands(op); ++i)
      if (is_output(op, i)) consider(a, mlirOperationGetOperand(op, i), at);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(pa_body(op, r))) visit_block(a, pa_body(op, r), at);
  }
}

pa_status pa_find_private_arrays(pa_arena *arena, const pa_names *names, MlirOperation loop) {
  array_search a = {.arena = arena, .names = names, .loop = loop};
  MlirBlock body = pa_body(loop, 0);
  pa_builder at = {.context = names->context,
                   .location = mlirOperationGetLocation(loop),
                   .block = body,
                   .before = mlirBlockGetFirstOperation(body)};
  visit_block(&a, body, &at);
  return at.failure;
}
