// Of pyarray-find-parallel-loops: what operations change. An update is a reduction only beside operations that change nothing; a loop whose
// iterations store to a field of one instance, or change one list, runs in order.
//
//   pyarray.for (%i: si64) in %prange : !pyarray.range {
//     pyarray.setattr %p "last" = %i : (!pyarray.object<"m:Place#0">, si64) -> ()
//   }
#include <string.h>

#include "find_parallel.h"
#include "ir/builtins.h"

bool pa_is_inside(MlirOperation op, MlirOperation loop) {
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, loop)) op = mlirOperationGetParentOperation(op);
  return !mlirOperationIsNull(op);
}

static bool is_container(MlirType type) {
  return pyarrayTypeIsList(type) || pyarrayTypeIsDict(type) || pyarrayTypeIsSet(type) || pyarrayTypeIsBytearray(type) || pyarrayTypeIsGenerator(type);
}

static const pa_builtin *builtin_of(MlirOperation op) { return pa_builtin_find(mlirStringAttrGetValue(pa_get_attr(op, "name"))); }

//===-- Operations that only compute --------------------------------------------------------------===//

// Random streams, the settings of threads, output, functions that nobody here knows, and stores to the bytes of records.
static bool changes_state(const pa_builtin *builtin) {
  static const char *const names[] = {"random.", "numpy.random.", "pyarray.set_", "builtins.print", "host.builtins.print", "builtins.next", "pyarray.objmode_call", "pyarray.c_call",
                                      "pyarray.function_call", "pyarray.intrinsic", "pyarray.record_store", "pyarray.record_copy", "pyarray.record_set_text"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (strncmp(builtin->name, names[i], strlen(names[i])) == 0) return true;
  return false;
}

static bool builtin_only_computes(MlirOperation op) {
  const pa_builtin *builtin = builtin_of(op);
  if (!builtin || changes_state(builtin)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (is_container(mlirValueGetType(mlirOperationGetOperand(op, i)))) return pa_builtin_only_reads(builtin);
  return true;
}

static bool goes_over_generator(MlirOperation op) { return pyarrayTypeIsGenerator(mlirValueGetType(mlirOperationGetOperand(op, 0))); }

bool pa_only_computes_one(const pa_names *names, MlirOperation op) {
  switch (pa_kind(names, op)) {
  case PA_OP_BUILTIN:
    if (!builtin_only_computes(op)) return false;
    break;
  case PA_OP_FOR:
  case PA_OP_UNPACK:
    if (goes_over_generator(op)) return false;
    break;
  case PA_OP_BINARY:
    if (is_container(mlirValueGetType(mlirOperationGetOperand(op, 0)))) return false;
    break;
  case PA_OP_CONSTANT:
  case PA_OP_CALLABLE:
  case PA_OP_FROZEN_ARRAY:
  case PA_OP_FROZEN:
  case PA_OP_UNBOUND:
  case PA_OP_CAST:
  case PA_OP_UNARY:
  case PA_OP_COMPARE:
  case PA_OP_TRUTH:
  case PA_OP_TUPLE:
  case PA_OP_LIST:
  case PA_OP_DICT:
  case PA_OP_SET:
  case PA_OP_SLICE:
  case PA_OP_GETITEM:
  case PA_OP_GETATTR:
  case PA_OP_GETFIELD:
  case PA_OP_FIELD:
  case PA_OP_NEW:
  case PA_OP_CLOSURE:
  case PA_OP_ITERATOR:
  case PA_OP_ITER_LENGTH:
  case PA_OP_ITER_ITEM:
  case PA_OP_ITER_MORE:
  case PA_OP_RAISE:
  case PA_OP_SCF_IF:
  case PA_OP_SCF_WHILE:
  case PA_OP_SCF_CONDITION:
  case PA_OP_SCF_YIELD:
  case PA_OP_YIELD: break;
  default: return false;
  }
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    if (!mlirBlockIsNull(pa_body(op, r)) && !pa_only_computes(names, mlirBlockGetFirstOperation(pa_body(op, r)), (MlirOperation){NULL})) return false;
  return true;
}

bool pa_only_computes(const pa_names *names, MlirOperation first, MlirOperation end) {
  for (MlirOperation op = first; !mlirOperationIsNull(op) && !mlirOperationEqual(op, end); op = mlirOperationGetNextInBlock(op))
    if (!pa_only_computes_one(names, op)) return false;
  return true;
}

//===-- What iterations share ---------------------------------------------------------------------===//

// Made before the loop, or a field of what is.
static bool is_shared(const pa_names *names, MlirValue value, MlirOperation loop) {
  if (!mlirValueIsAOpResult(value)) return !pa_is_inside(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value)), loop);
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!pa_is_inside(op, loop)) return true;
  bool passes_on = pa_kind(names, op) == PA_OP_GETFIELD || pa_kind(names, op) == PA_OP_CAST;
  return passes_on && is_shared(names, mlirOperationGetOperand(op, 0), loop);
}

// Whether an operation may move the items of a container that is its operand: methods that do not only read, deletions, and functions that get one.
static bool may_change_items(const pa_names *names, MlirOperation op) {
  switch (pa_kind(names, op)) {
  case PA_OP_DELITEM:
  case PA_OP_ITER_NEXT:
  case PA_OP_CALL: return true;
  case PA_OP_FOR: return goes_over_generator(op);
  case PA_OP_BUILTIN: return !pa_builtin_only_reads(builtin_of(op));
  case PA_OP_SETITEM:
    return pyarrayTypeIsDict(mlirValueGetType(mlirOperationGetOperand(op, 0))) || pyarrayTypeIsSlice(mlirValueGetType(mlirOperationGetOperand(op, 1)));
  default: return false;
  }
}

static bool changes_container(const pa_names *names, MlirOperation op, MlirOperation loop) {
  bool changes = may_change_items(names, op);
  for (intptr_t i = 0; changes && i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (is_container(mlirValueGetType(operand)) && is_shared(names, operand, loop)) return true;
  }
  return false;
}

static bool is_new(const pa_names *names, MlirValue value) {
  return mlirValueIsAOpResult(value) && pa_kind(names, mlirOpResultGetOwner(value)) == PA_OP_NEW;
}

// Functions that are looked at, each once.
typedef struct search {
  pa_arena *arena;
  const pa_names *names;
  MlirOperation module, *functions;
  size_t count, capacity;
} search;

static bool is_new_function(search *s, MlirOperation function) {
  for (size_t i = 0; i < s->count; ++i)
    if (mlirOperationEqual(s->functions[i], function)) return false;
  s->functions = pa_arena_grow(s->arena, s->functions, s->count, &s->capacity, sizeof function);
  s->functions[s->count++] = function;
  return true;
}

// Whether the function that is called, or one that it calls, stores to a field of an instance that it has not made.
static bool stores_to_fields(search *s, MlirOperation call) {
  MlirOperation function = pa_lookup(s->module, mlirFlatSymbolRefAttrGetValue(pa_get_attr(call, "callee")));
  if (mlirOperationIsNull(function)) return true;
  if (!is_new_function(s, function)) return false;
  pa_op_list all = pa_ops_within(s->arena, function, MlirWalkPreOrder);
  for (size_t i = 0; i < all.count; ++i) {
    pa_op_kind kind = pa_kind(s->names, all.items[i]);
    if (kind == PA_OP_SETATTR && !is_new(s->names, mlirOperationGetOperand(all.items[i], 0))) return true;
    if (kind == PA_OP_CALL && stores_to_fields(s, all.items[i])) return true;
  }
  return false;
}

static MlirOperation module_of(MlirOperation op) {
  for (MlirOperation parent = op; !mlirOperationIsNull(parent); parent = mlirOperationGetParentOperation(parent)) op = parent;
  return op;
}

static bool is_instance(MlirType type) {
  return pyarrayTypeIsObject(type) || (pyarrayTypeIsOptional(type) && pyarrayTypeIsObject(pyarrayTypeGetItem(type)));
}

static bool changes_instance(pa_arena *arena, const pa_names *names, MlirOperation op, MlirOperation loop) {
  pa_op_kind kind = pa_kind(names, op);
  if (kind == PA_OP_SETATTR) return is_shared(names, mlirOperationGetOperand(op, 0), loop);
  bool given = false;
  for (intptr_t i = 0; kind == PA_OP_CALL && i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    given |= is_instance(mlirValueGetType(operand)) && is_shared(names, operand, loop);
  }
  search s = {.arena = arena, .names = names, .module = given ? module_of(loop) : loop};
  return given && stores_to_fields(&s, op);
}

const char *pa_shared_change(pa_arena *arena, const pa_names *names, MlirOperation loop) {
  pa_op_list all = pa_ops_within(arena, loop, MlirWalkPreOrder);
  for (size_t i = 0; i < all.count; ++i) {
    MlirOperation op = all.items[i];
    if (changes_container(names, op, loop)) return "it may change a list, dict, set or generator that its iterations share";
    if (!changes_instance(arena, names, op, loop)) continue;
    if (pa_kind(names, op) != PA_OP_SETATTR) return "it calls what may store to a field of an instance that its iterations share";
    return pa_arena_format(arena, "it stores to the field '%s' of an instance that its iterations share", pa_attr_text(arena, pa_get_attr(op, "name")));
  }
  return NULL;
}
