// pyarray-use-stack: small arrays of known extents as the numbers that they are.
//
// Enters and leaves: level 2, expanded. An array that is made here, of extents that are constants, and that nothing
// knows that outlives it, is in the function's stack memory (pyarray.stack): it is freed by nobody. Shapes of known
// extents are compared here, and operations on few numbers taken apart (small_unroll.c); loops that are too short for
// threads get pyarray.serial. Products that are few when the
// program runs are added without an array of their own (small_products.c).
//
//   %a = pyarray.builtin "numpy.zeros"(%c3) : (si64) -> !pyarray.array<?xf64, C>
//   %n = pyarray.ufunc_shape "(),()->()" ins(%a, %b : ...) : si64
//   %x = pyarray.broadcast_to %a to (%n) : ...
//   pyarray.ufunc "(),()->()" ins(%x, ...) outs(...) expanded { ... }
// becomes
//   %a = pyarray.builtin "numpy.zeros"(%c3) {pyarray.stack = array<i64: 3>} : (si64) -> !pyarray.array<?xf64, C>
//   pyarray.ufunc "(),()->()" ins(%a, ...) outs(...) expanded { ... }              where %b has three elements, too
//
// LLVM unrolls loops over such arrays, and keeps their elements in registers. What is made in a loop over prange stays
// on the heap: threads share the function's stack memory.
#include "fuse_internal.h"
#include "ir/builtins.h"
#include "pass.h"
#include "small_arrays.h"
#include "support/core_signature.h"
#include "ufunc_cost.h"

enum {
  PA_MOST_STACK_BYTES = 16384,  // of a function; hoisting checks may double it
  PA_LEAST_SHARED_WORK = 20000, // simple operations that are worth a thread
};

typedef struct placing {
  pa_small_arrays small;
  pa_memory memory;
  int64_t bytes;
  bool parallel; // the function's operations go to threads
} placing;

static bool is_array(MlirValue value) { return pyarrayTypeIsArray(mlirValueGetType(value)); }
static pa_op_kind kind_of(const placing *p, MlirOperation op) { return pa_kind(&p->small.names, op); }

//===-- Operations on known extents ---------------------------------------------------------------===//

static bool is_unused(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(op, i)))) return false;
  return true;
}

static pa_status fold_shape(placing *p, MlirOperation op, bool *out_gone) {
  int64_t sizes[PA_MOST_SMALL_RANK + PA_MAX_CORE_DIMENSIONS];
  if (!pa_known_shape(&p->small, op, sizes)) return PA_OK;
  pa_builder at = {.context = p->small.names.context,
                   .location = mlirOperationGetLocation(op),
                   .block = mlirOperationGetBlock(op),
                   .before = op};
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op) && !pa_failed(&at); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    MlirValue size =
        pa_value(&at, PA_OP_NAME(CONSTANT), PA_RESULTS(type), PA_ATTRS({"value", mlirIntegerAttrGet(type, sizes[i])}));
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), size);
  }
  mlirOperationDestroy(op);
  *out_gone = true;
  return at.failure;
}

// What has all points already is read as it is.
static void skip_broadcasts(placing *p, MlirOperation op) {
  for (intptr_t i = 0; i < pa_input_count(op); ++i) {
    MlirValue view = mlirOperationGetOperand(op, i);
    if (!mlirValueIsAOpResult(view)) continue;
    MlirOperation broadcast = mlirOpResultGetOwner(view);
    if (kind_of(p, broadcast) != PA_OP_BROADCAST_TO) continue;
    MlirValue array = mlirOperationGetOperand(broadcast, 0);
    const pa_extents *whole = pa_known_extents(&p->small, view), *own = pa_known_extents(&p->small, array);
    if (whole && own && pa_extents_are_equal(whole, own)) mlirOperationSetOperand(op, i, array);
  }
}

// Loops of known extents that are too short for threads: those would be asked for with each of them.
static void keep_from_threads(placing *p, MlirOperation op) {
  int64_t cost = pa_ufunc_cost(&p->small.names, pa_body(op, 0)) + 1, most = PA_LEAST_SHARED_WORK / cost;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!is_array(operand)) continue;
    const pa_extents *known = pa_known_extents(&p->small, operand);
    int64_t left = most;
    for (int axis = 0; known && axis < known->rank; ++axis) left /= known->sizes[axis] ? known->sizes[axis] : 1;
    if (!known || !left) return;
  }
  pa_set_attr(op, "pyarray.serial", pa_string_attr(p->small.names.context, "it has few elements"));
}

// |*out_gone|: |op| is no more.
static pa_status read_operation(placing *p, MlirOperation op, bool *out_gone) {
  pa_read_extents(&p->small, op);
  switch (kind_of(p, op)) {
  case PA_OP_UFUNC_SHAPE: return fold_shape(p, op, out_gone);
  case PA_OP_UFUNC:
    skip_broadcasts(p, op);
    if (p->parallel) keep_from_threads(p, op);
    break;
  case PA_OP_REDUCE:
    skip_broadcasts(p, op);
    PA_TRY(pa_unroll(&p->small, op, out_gone));
    if (p->parallel && !*out_gone) keep_from_threads(p, op);
    break;
  case PA_OP_CONTRACT: return pa_unroll(&p->small, op, out_gone);
  default: break;
  }
  return PA_OK;
}

//===-- Where arrays are --------------------------------------------------------------------------===//

static void escape(placing *p, MlirValue array) {
  pa_root *root = is_array(array) ? pa_map_get(&p->memory.roots, array.ptr) : NULL;
  if (root) root->escaped = true;
}

// Besides what analysis of memory knows of: what gives it to the caller, and what looks at who owns it.
static MlirWalkResult read_escapes(MlirOperation op, void *data) {
  placing *p = data;
  pa_op_kind kind = kind_of(p, op);
  bool gives = kind == PA_OP_RETURN || kind == PA_OP_COMPARE;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    gives = gives || (pa_is_managed(mlirValueGetType(result)) && !is_array(result));
  }
  for (intptr_t i = 0; gives && i < mlirOperationGetNumOperands(op); ++i) escape(p, mlirOperationGetOperand(op, i));
  return MlirWalkResultAdvance;
}

static bool is_shared_by_threads(const placing *p, MlirOperation op) {
  for (op = mlirOperationGetParentOperation(op); kind_of(p, op) != PA_OP_FUNC; op = mlirOperationGetParentOperation(op))
    if (kind_of(p, op) == PA_OP_UFUNC || kind_of(p, op) == PA_OP_REDUCE ||
        !mlirAttributeIsNull(pa_get_attr(op, "pyarray.parallel")))
      return true;
  return false;
}

static bool makes_array(const placing *p, MlirOperation op) {
  if (kind_of(p, op) != PA_OP_BUILTIN) return false;
  const pa_builtin *row = pa_builtin_find(mlirStringAttrGetValue(pa_get_attr(op, "name")));
  return row && (row->lowering == PA_LOWERING_NEW_ARRAY || row->lowering == PA_LOWERING_NEW_ARRAY_LIKE ||
                 (p->small.in_kernel && row->lowering == PA_LOWERING_COPY));
}

static MlirWalkResult place(MlirOperation op, void *data) {
  placing *p = data;
  if (!makes_array(p, op)) return MlirWalkResultAdvance;
  MlirValue array = mlirOperationGetResult(op, 0);
  const pa_extents *known = pa_known_extents(&p->small, array);
  int64_t bytes = known ? pa_small_bytes(mlirValueGetType(array), known) : 0;
  if (!bytes || p->bytes + bytes > PA_MOST_STACK_BYTES || !pa_is_own_memory(&p->memory, array) ||
      is_shared_by_threads(p, op))
    return MlirWalkResultAdvance;
  p->bytes += bytes;
  pa_set_attr(op, "pyarray.stack", mlirDenseI64ArrayGet(p->small.names.context, known->rank, known->sizes));
  return MlirWalkResultAdvance;
}

//===-- The pass ----------------------------------------------------------------------------------===//

static MlirWalkResult find_small(MlirOperation op, void *data) {
  placing *p = data;
  if (kind_of(p, op) == PA_OP_BUILTIN) pa_read_extents(&p->small, op);
  return p->small.known.count ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

// All operations but those in the bodies of loops over points, which may go with these.
static void note_outside_of_points(placing *p, MlirBlock block, pa_op_list *list) {
  PA_FOR_EACH_OP(op, block) {
    pa_op_list_add(list, op);
    bool points = kind_of(p, op) == PA_OP_UFUNC || kind_of(p, op) == PA_OP_REDUCE;
    for (intptr_t r = 0; !points && r < mlirOperationGetNumRegions(op); ++r)
      for (MlirBlock inner = pa_body(op, r); !mlirBlockIsNull(inner); inner = mlirBlockGetNextInRegion(inner))
        note_outside_of_points(p, inner, list);
  }
}

static MlirWalkResult note_loop(MlirOperation op, void *data) {
  pa_op_list *loops = data;
  pa_op_list_add(loops, op);
  return MlirWalkResultAdvance;
}

// Inner loops first, whose results outer ones carry.
static pa_status copy_carried(placing *p, MlirOperation function) {
  pa_op_list all = {.arena = p->small.arena};
  mlirOperationWalk(function, note_loop, &all, MlirWalkPostOrder);
  for (size_t i = 0; i < all.count; ++i) {
    bool changed = false;
    if (kind_of(p, all.items[i]) != PA_OP_FOR || is_shared_by_threads(p, all.items[i]) ||
        !mlirAttributeIsNull(pa_get_attr(all.items[i], "pyarray.parallel")))
      continue;
    PA_TRY(pa_copy_carried(&p->small, all.items[i], &changed));
    if (changed) pa_read_all_extents(&p->small, function);
  }
  return PA_OK;
}

static pa_status place_in(placing *p, MlirOperation function) {
  pa_arena *arena = p->small.arena;
  mlirOperationWalk(function, find_small, p, MlirWalkPreOrder);
  if (!p->small.known.count) return PA_OK;
  pa_read_all_extents(&p->small, function);
  PA_TRY(copy_carried(p, function));
  pa_op_list all = {.arena = arena}, left = {.arena = arena};
  note_outside_of_points(p, pa_body(function, 0), &all);
  for (size_t i = 0; i < all.count; ++i) {
    bool gone = false;
    PA_TRY(read_operation(p, all.items[i], &gone));
    if (!gone && kind_of(p, all.items[i]) == PA_OP_BROADCAST_TO) pa_op_list_add(&left, all.items[i]);
  }
  for (size_t i = left.count; i-- > 0;)
    if (is_unused(left.items[i])) mlirOperationDestroy(left.items[i]);
  pa_memory_read(&p->memory, function);
  mlirOperationWalk(function, read_escapes, p, MlirWalkPreOrder);
  mlirOperationWalk(function, place, p, MlirWalkPreOrder);
  return PA_OK;
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  placing p = {.small = {.arena = context->arena}};
  pa_names_init(&p.small.names, context->context);
  PA_FOR_EACH_OP(op, pa_module_body(module)) {
    bool has_stack = kind_of(&p, op) == PA_OP_FUNC && !mlirBlockIsNull(pa_body(op, 0)) &&
                     !pa_option_bool(op, "pyarray.options", "offload", false) &&
                     mlirAttributeIsNull(pa_get_attr(op, "pyarray.generator"));
    if (!has_stack) continue;
    p.memory = (pa_memory){.in_kernel = pa_is_device_function(op), .arena = context->arena, .names = &p.small.names};
    p.small.known = (pa_map){0};
    p.small.in_kernel = p.memory.in_kernel;
    p.bytes = 0;
    p.parallel = pa_option_bool(op, "pyarray.options", "parallel", false);
    PA_TRY(place_in(&p, op));
    PA_TRY(pa_add_products(&p.small, op));
  }
  return PA_OK;
}

const pa_pass pa_pass_use_stack = {
    .argument = "pyarray-use-stack",
    .summary = "Put small arrays of known extents that nothing else knows in stack memory",
    .dependent_dialects = (const char *const[]){"pyarray", NULL},
    .run = run,
};
