// Of pyarray-find-parallel-loops: what operations change. An update is a reduction only beside operations that change
// nothing; a loop whose iterations store to a field of one instance, or change one list, runs in order.
//
//   pyarray.for (%i: si64) in %prange : !pyarray.range {
//     pyarray.setattr %p "last" = %i : (!pyarray.object<"m:Place#0">, si64) -> ()
//   }
#include <string.h>

#include "find_parallel.h"
#include "pyarray-c/Effects.h"

bool pa_is_inside(MlirOperation op, MlirOperation loop) {
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, loop)) op = mlirOperationGetParentOperation(op);
  return !mlirOperationIsNull(op);
}

static bool is_container(MlirType type) {
  return pyarrayTypeIsList(type) || pyarrayTypeIsDict(type) || pyarrayTypeIsSet(type) || pyarrayTypeIsBytearray(type) ||
         pyarrayTypeIsGenerator(type);
}

//===-- Operations that only compute --------------------------------------------------------------===//

// They may raise: then nothing that the loop computes is seen.
bool pa_only_computes_one(MlirOperation op) {
  pyarray_effects effects = pyarrayOperationGetEffects(op);
  return !(effects.writes & ~(uint32_t)PYARRAY_RESOURCE_EXCEPTION) && !effects.frees;
}

bool pa_only_computes(MlirOperation first, MlirOperation end) {
  for (MlirOperation op = first; !mlirOperationIsNull(op) && !mlirOperationEqual(op, end);
       op = mlirOperationGetNextInBlock(op))
    if (!pa_only_computes_one(op)) return false;
  return true;
}

//===-- What iterations share ---------------------------------------------------------------------===//

// Made before the loop, or a field of what is.
static bool is_shared(const pa_names *names, MlirValue value, MlirOperation loop) {
  if (!mlirValueIsAOpResult(value))
    return !pa_is_inside(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value)), loop);
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!pa_is_inside(op, loop)) return true;
  bool passes_on = pa_kind(names, op) == PA_OP_GETFIELD || pa_kind(names, op) == PA_OP_CAST;
  return passes_on && is_shared(names, mlirOperationGetOperand(op, 0), loop);
}

// An operation that may move the items of a container: methods that do not only read, deletions, and functions that get
// one.
static bool changes_container(const pa_names *names, MlirOperation op, MlirOperation loop) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!is_container(mlirValueGetType(operand)) || !is_shared(names, operand, loop)) continue;
    if (pyarrayOperationGetEffectsOn(op, operand).writes & PYARRAY_RESOURCE_LENGTHS) return true;
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

static bool stores_to_fields(search *s, MlirOperation call);

// The operation, or what it calls, stores to a field of an instance that the function has not made.
static bool stores_to_field(search *s, MlirOperation op) {
  pa_op_kind kind = pa_kind(s->names, op);
  if (kind == PA_OP_FUNC) return false;
  if (kind == PA_OP_CALL) return stores_to_fields(s, op);
  MlirValue object = mlirOperationGetNumOperands(op) ? mlirOperationGetOperand(op, 0) : (MlirValue){NULL};
  if (kind == PA_OP_SETATTR && is_new(s->names, object)) return false;
  return pyarrayOperationGetEffectsOn(op, object).writes & PYARRAY_RESOURCE_FIELDS;
}

// Whether the function that is called, or one that it calls, stores to a field of an instance that it has not made.
static bool stores_to_fields(search *s, MlirOperation call) {
  MlirOperation function = pa_lookup(s->module, mlirFlatSymbolRefAttrGetValue(pa_get_attr(call, "callee")));
  if (mlirOperationIsNull(function)) return true;
  if (!is_new_function(s, function)) return false;
  pa_op_list all = pa_ops_within(s->arena, function, MlirWalkPreOrder);
  for (size_t i = 0; i < all.count; ++i)
    if (stores_to_field(s, all.items[i])) return true;
  return false;
}

static MlirOperation module_of(MlirOperation op) {
  for (MlirOperation parent = op; !mlirOperationIsNull(parent); parent = mlirOperationGetParentOperation(parent))
    op = parent;
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
    if (changes_container(names, op, loop))
      return "it may change a list, dict, set or generator that its iterations share";
    if (!changes_instance(arena, names, op, loop)) continue;
    if (pa_kind(names, op) != PA_OP_SETATTR)
      return "it calls what may store to a field of an instance that its iterations share";
    return pa_arena_format(arena, "it stores to the field '%s' of an instance that its iterations share",
                           pa_attr_text(arena, pa_get_attr(op, "name")));
  }
  return NULL;
}
