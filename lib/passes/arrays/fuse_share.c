// Of pyarray-fuse: equal values are computed once.
//
//   %s = pyarray.reduce ["add"] axes [0] ins(%a) { yield }      x.mean(axis=0) ... x.std(axis=0)
//   ...
//   %t = pyarray.reduce ["add"] axes [0] ins(%a) { yield }
//   (what reads %t)
// becomes what reads %s, where both stand in one block, nothing that they read is written between, and neither is
// memory that is known elsewhere or written to.
#include "fuse_internal.h"
#include "pyarray-c/Effects.h"

enum {
  PA_MOST_DEPTH = 6,      // of constants, casts and views that operands are made by
  PA_MOST_CANDIDATES = 8, // of one array
};

static MlirValue operand(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }

static bool is_same_kind(MlirOperation a, MlirOperation b) {
  intptr_t count = mlirOperationGetNumAttributes(a);
  if (!mlirIdentifierEqual(mlirOperationGetName(a), mlirOperationGetName(b)) ||
      mlirOperationGetNumOperands(a) != mlirOperationGetNumOperands(b) ||
      mlirOperationGetNumResults(a) != mlirOperationGetNumResults(b) || count != mlirOperationGetNumAttributes(b))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(a); ++i)
    if (!mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(a, i)), mlirValueGetType(mlirOperationGetResult(b, i))))
      return false;
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute own = mlirOperationGetAttribute(a, i), other = mlirOperationGetAttribute(b, i);
    if (!mlirIdentifierEqual(own.name, other.name) || !mlirAttributeEqual(own.attribute, other.attribute)) return false;
  }
  return true;
}

//===-- Operands ----------------------------------------------------------------------------------===//

// Numbers made of numbers, and views of arrays.
static bool is_transparent(const pa_names *names, MlirOperation op) {
  if (pa_is_view(names, op)) return true;
  pyarray_effects effects = pyarrayOperationGetEffects(op);
  return mlirOperationGetNumRegions(op) == 0 && !(effects.reads | effects.writes | effects.allocates | effects.frees);
}

static bool is_same_value(const pa_names *names, MlirValue a, MlirValue b, int depth) {
  if (mlirValueEqual(a, b)) return true;
  if (depth == 0 || !mlirValueIsAOpResult(a) || !mlirValueIsAOpResult(b)) return false;
  MlirOperation left = mlirOpResultGetOwner(a), right = mlirOpResultGetOwner(b);
  if (mlirOpResultGetResultNumber(a) != mlirOpResultGetResultNumber(b) || !is_same_kind(left, right) ||
      !is_transparent(names, left))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(left); ++i)
    if (!is_same_value(names, operand(left, i), operand(right, i), depth - 1)) return false;
  return true;
}

//===-- Bodies ------------------------------------------------------------------------------------===//

typedef struct matching {
  pa_arena *arena;
  const pa_names *names;
  pa_map twins; // of values in the one body: those of the other
} matching;

static void set_twins(matching *m, MlirValue a, MlirValue b) {
  pa_map_put(m->arena, &m->twins, a.ptr, (void *)(intptr_t)b.ptr);
}

static bool are_twins(const matching *m, MlirValue a, MlirValue b) {
  void *twin = pa_map_get(&m->twins, a.ptr);
  return twin ? twin == b.ptr : is_same_value(m->names, a, b, PA_MOST_DEPTH);
}

static bool is_same_body(matching *m, MlirBlock a, MlirBlock b) {
  if (mlirBlockGetNumArguments(a) != mlirBlockGetNumArguments(b)) return false;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(a); ++i)
    set_twins(m, mlirBlockGetArgument(a, i), mlirBlockGetArgument(b, i));
  MlirOperation left = mlirBlockGetFirstOperation(a), right = mlirBlockGetFirstOperation(b);
  for (; !mlirOperationIsNull(left) && !mlirOperationIsNull(right);
       left = mlirOperationGetNextInBlock(left), right = mlirOperationGetNextInBlock(right)) {
    if (mlirOperationGetNumRegions(left) || !is_same_kind(left, right)) return false;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(left); ++i)
      if (!are_twins(m, operand(left, i), operand(right, i))) return false;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(left); ++i)
      set_twins(m, mlirOperationGetResult(left, i), mlirOperationGetResult(right, i));
  }
  return mlirOperationIsNull(left) && mlirOperationIsNull(right);
}

//===-- Values ------------------------------------------------------------------------------------===//

// Numbers, and arrays that are only read.
static bool gives_values(pa_fusing *f, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    if (pyarrayTypeIsArray(mlirValueGetType(result)) && !pa_is_only_read(&f->memory, result)) return false;
  }
  return mlirOperationGetNumResults(op) > 0;
}

// The array, or a view of it. Two that are returned are two objects.
static bool is_returned(const pa_names *names, MlirValue value) {
  if (!pyarrayTypeIsArray(mlirValueGetType(value))) return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (pa_kind(names, user) == PA_OP_RETURN) return true;
    if (pa_shares_memory(names, user) && is_returned(names, mlirOperationGetResult(user, 0))) return true;
  }
  return false;
}

static bool are_returned(const pa_names *names, MlirOperation a, MlirOperation b) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(a); ++i)
    if (is_returned(names, mlirOperationGetResult(a, i)) && is_returned(names, mlirOperationGetResult(b, i)))
      return true;
  return false;
}

static bool is_shareable(pa_fusing *f, MlirOperation op) {
  return (pa_is_elementwise(&f->names, op) || pa_is_open_reduce(&f->names, op)) && gives_values(f, op) &&
         pa_has_no_effects(pa_body(op, 0));
}

static bool is_same(pa_fusing *f, MlirOperation before, MlirOperation op) {
  matching m = {.arena = f->arena, .names = &f->names};
  if (!mlirBlockEqual(mlirOperationGetBlock(before), mlirOperationGetBlock(op)) || !is_same_kind(before, op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!is_same_value(&f->names, operand(before, i), operand(op, i), PA_MOST_DEPTH)) return false;
  if (!is_same_body(&m, pa_body(before, 0), pa_body(op, 0))) return false;
  int64_t from = pa_place_of(&f->memory, before), to = pa_place_of(&f->memory, op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (pyarrayTypeIsArray(mlirValueGetType(operand(op, i))) && pa_may_be_written(&f->memory, operand(op, i), from, to))
      return false;
  return !are_returned(&f->names, before, op);
}

// What an operand is a view of.
static MlirValue base_of(const pa_names *names, MlirValue value) {
  while (mlirValueIsAOpResult(value) && pa_is_view(names, mlirOpResultGetOwner(value)))
    value = operand(mlirOpResultGetOwner(value), 0);
  return value;
}

typedef struct candidates {
  MlirOperation items[PA_MOST_CANDIDATES]; // the last ones
  size_t count;
} candidates;

void pa_share(pa_fusing *f, MlirOperation op, pa_map *known) {
  if (mlirOperationGetNumOperands(op) == 0 || !is_shareable(f, op)) return;
  MlirValue base = base_of(&f->names, operand(op, 0));
  candidates *all = pa_map_get(known, base.ptr);
  if (!all) {
    all = PA_NEW(f->arena, candidates);
    *all = (candidates){.count = 0};
    pa_map_put(f->arena, known, base.ptr, all);
  }
  size_t kept = all->count < PA_MOST_CANDIDATES ? all->count : PA_MOST_CANDIDATES;
  for (size_t i = 0; i < kept; ++i) {
    if (!is_same(f, all->items[i], op)) continue;
    pa_note_same(f, op, all->items[i]);
    for (intptr_t k = 0; k < mlirOperationGetNumResults(op); ++k)
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, k), mlirOperationGetResult(all->items[i], k));
    pa_remove(f, op);
    return;
  }
  all->items[all->count++ % PA_MOST_CANDIDATES] = op;
}
