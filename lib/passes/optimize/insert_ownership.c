// pyarray-insert-ownership: who frees the memory of arrays, made explicit.
//
// In:  level 2.
//
//   %a = pyarray.builtin "numpy.zeros"(%n) : (si64) -> !pyarray.array<?xf64, C>
//   %x = pyarray.getitem %a[%i] : (!pyarray.array<?xf64, C>, si64) -> f64
//
// Out: level 3.
//
//   %a = pyarray.builtin "numpy.zeros"(%n) : (si64) -> !pyarray.array<?xf64, C>
//   %x = pyarray.getitem %a[%i] : (!pyarray.array<?xf64, C>, si64) -> f64
//   pyarray.release %a : !pyarray.array<?xf64, C>
//
// Results of builtins, calls and regions, and loop-carried values are owned: released after the last use of the value,
// or of a view of it, in the block that defines it. Parameters, frozen arrays, arrays in stack memory (pyarray.stack)
// and views are borrowed, and fields that are only looked into (borrow_fields.c): `pyarray.getfield %p "x" borrowed`.
// What a region or function gives back, and what a loop starts with, is retained first. A generator holds its
// arguments until it needs them no more. A tuple stands for the arrays in it. In functions for a GPU all arrays are
// borrowed.
#include <string.h>

#include "borrow_fields.h"
#include "ir/builtins.h"
#include "ir/ir.h"
#include "pass.h"
#include "pyarray-c/Effects.h"

// An owned value and the place in its block after which nothing needs it.
typedef struct owned {
  MlirValue value;
  MlirBlock block;
  MlirOperation last; // null: never used
  bool until_end;     // its address is known elsewhere: it lives as long as the block runs
} owned;

typedef struct root_list {
  size_t *items; // indices of owned values
  size_t count, capacity;
} root_list;

typedef struct value_roots {
  const void *key;
  root_list roots;
} value_roots;

typedef struct ownership {
  pa_arena *arena;
  pa_names names;
  owned *owned;
  size_t owned_count, owned_capacity;
  value_roots *entries; // open addressing; capacity a power of two
  size_t entry_count, entry_capacity;
  MlirOperation *retains; // operations some of whose operands are retained before them
  size_t retain_count, retain_capacity;
  bool explicit_already, generator;
} ownership;

static bool is_managed(MlirValue value) { return pa_is_managed(mlirValueGetType(value)); }

//===-- Roots: the owned values that a value may be a view of -------------------------------------===//

static value_roots *find_entry(value_roots *entries, size_t capacity, const void *key) {
  size_t at = ((uintptr_t)key >> 3) * 0x9E3779B97F4A7C15u >> 24;
  while (entries[at & (capacity - 1)].key && entries[at & (capacity - 1)].key != key) ++at;
  return &entries[at & (capacity - 1)];
}

static root_list *roots_of(ownership *own, MlirValue value) {
  if (2 * (own->entry_count + 1) > own->entry_capacity) {
    size_t capacity = own->entry_capacity ? 2 * own->entry_capacity : 64;
    value_roots *entries = PA_NEW_ARRAY(own->arena, value_roots, capacity);
    for (size_t i = 0; i < own->entry_capacity; ++i)
      if (own->entries[i].key) *find_entry(entries, capacity, own->entries[i].key) = own->entries[i];
    own->entries = entries;
    own->entry_capacity = capacity;
  }
  value_roots *entry = find_entry(own->entries, own->entry_capacity, value.ptr);
  if (!entry->key) ++own->entry_count;
  entry->key = value.ptr;
  return &entry->roots;
}

static void add_root(ownership *own, root_list *list, size_t root) {
  for (size_t i = 0; i < list->count; ++i)
    if (list->items[i] == root) return;
  list->items = pa_arena_grow(own->arena, list->items, list->count, &list->capacity, sizeof *list->items);
  list->items[list->count++] = root;
}

static void own_value(ownership *own, MlirValue value, MlirBlock block) {
  if (!is_managed(value)) return;
  own->owned = pa_arena_grow(own->arena, own->owned, own->owned_count, &own->owned_capacity, sizeof *own->owned);
  own->owned[own->owned_count] = (owned){.value = value, .block = block};
  add_root(own, roots_of(own, value), own->owned_count++);
}

// |view| may share memory with every array in |source|.
static void derive(ownership *own, MlirValue view, MlirValue source) {
  if (!is_managed(view) || !is_managed(source)) return;
  root_list from = *roots_of(own, source); // the table may move below
  for (size_t i = 0; i < from.count; ++i) add_root(own, roots_of(own, view), from.items[i]);
}

//===-- Uses --------------------------------------------------------------------------------------===//

// Operations are met in order, so the last one noted is the last one.
static void note_use(ownership *own, MlirValue value, MlirOperation user) {
  if (!is_managed(value)) return;
  root_list *roots = roots_of(own, value);
  for (size_t i = 0; i < roots->count; ++i) {
    owned *root = &own->owned[roots->items[i]];
    MlirOperation op = user;
    while (!mlirBlockEqual(mlirOperationGetBlock(op), root->block)) op = mlirOperationGetParentOperation(op);
    root->last = op;
  }
}

static void retain_operands_of(ownership *own, MlirOperation op) {
  bool any = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) any |= is_managed(mlirOperationGetOperand(op, i));
  if (!any) return;
  own->retains =
      pa_arena_grow(own->arena, own->retains, own->retain_count, &own->retain_capacity, sizeof *own->retains);
  own->retains[own->retain_count++] = op;
}

//===-- The walk ----------------------------------------------------------------------------------===//

static void visit_block(ownership *own, MlirBlock block);

static void own_results(ownership *own, MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) own_value(own, mlirOperationGetResult(op, i), block);
}

static void derive_results(ownership *own, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k)
      derive(own, mlirOperationGetResult(op, i), mlirOperationGetOperand(op, k));
}

static void own_arguments(ownership *own, MlirBlock block, intptr_t first) {
  for (intptr_t i = first; i < mlirBlockGetNumArguments(block); ++i)
    own_value(own, mlirBlockGetArgument(block, i), block);
}

// Its results are new references. What is taken out of a container is held on its own: the container may drop it.
static bool owns_results(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (pyarrayOperationGetEffectsOn(op, mlirOperationGetResult(op, i)).allocates & PYARRAY_RESOURCE_HEADERS)
      return true;
  return false;
}

// The items of these are held on their own, too.
static bool hands_out_items(MlirType type) {
  return pyarrayTypeIsList(type) || pyarrayTypeIsDict(type) || pyarrayTypeIsSet(type) || pa_is_text(type) ||
         pyarrayTypeIsGenerator(type);
}

static void visit_regions(ownership *own, MlirOperation op, pa_op_kind kind) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = pa_body(op, r);
    if (mlirBlockIsNull(block)) continue;
    bool item_is_view = kind == PA_OP_FOR && !hands_out_items(mlirValueGetType(mlirOperationGetOperand(op, 0)));
    if (item_is_view) derive(own, mlirBlockGetArgument(block, 0), mlirOperationGetOperand(op, 0));
    own_arguments(own, block,
                  kind == PA_OP_UFUNC || kind == PA_OP_REDUCE ? mlirBlockGetNumArguments(block)
                  : item_is_view                              ? 1
                                                              : 0);
    visit_block(own, block);
  }
}

// The iterable of a for loop is an operand too, but only its own: it is borrowed.
static void retain_inits(ownership *own, MlirOperation op, pa_op_kind kind) {
  if (kind == PA_OP_FOR || kind == PA_OP_SCF_WHILE) retain_operands_of(own, op);
}

// The address of an array is a number or a pointer, whose uses are not seen.
static bool gives_address(MlirOperation builtin) {
  const pa_builtin *row = pa_builtin_find(mlirStringAttrGetValue(pa_get_attr(builtin, "name")));
  return row && row->lowering == PA_LOWERING_DATA_ADDRESS;
}

// Nor are those of a tensor or of a memref of another dialect.
static bool goes_elsewhere(MlirOperation op, pa_op_kind kind) {
  if (kind == PA_OP_BUILTIN) return mlirOperationGetNumOperands(op) == 1 && gives_address(op);
  if (kind != PA_OP_OTHER) return false;
  return pa_op_is(op, "pyarray.to_tensor") ||
         (pa_op_is(op, "builtin.unrealized_conversion_cast") && mlirOperationGetNumOperands(op) == 1);
}

static void keep_until_end(ownership *own, MlirOperation op) {
  root_list *roots = roots_of(own, mlirOperationGetOperand(op, 0));
  for (size_t i = 0; i < roots->count; ++i) own->owned[roots->items[i]].until_end = true;
}

// A view of what the instance holds, where that is enough.
static void visit_field(ownership *own, MlirOperation op) {
  if (!is_managed(mlirOperationGetResult(op, 0))) return;
  if (!pa_can_borrow_field(&own->names, op)) return own_results(own, op);
  pa_set_attr(op, "borrowed", pa_unit_attr(own->names.context));
  derive_results(own, op);
}

static void visit(ownership *own, MlirOperation op) {
  pa_op_kind kind = pa_kind(&own->names, op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) note_use(own, mlirOperationGetOperand(op, i), op);
  switch (kind) {
  case PA_OP_SCF_IF:
  case PA_OP_BREAKABLE:
  case PA_OP_TRY:
  case PA_OP_SCF_WHILE:
  case PA_OP_FOR:
    retain_inits(own, op, kind);
    visit_regions(own, op, kind);
    own_results(own, op);
    break;
  case PA_OP_UFUNC:
  case PA_OP_REDUCE: visit_regions(own, op, kind); break; // its block arguments are views of its operands
  case PA_OP_SCF_YIELD:
  case PA_OP_SCF_CONDITION:
  case PA_OP_YIELD: retain_operands_of(own, op); break;
  case PA_OP_RETURN:
    if (!own->generator) retain_operands_of(own, op);
    break;
  case PA_OP_SUSPEND: break; // retains what it gives away
  case PA_OP_RETAIN:
  case PA_OP_RELEASE: own->explicit_already = true; break;
  case PA_OP_GETFIELD: visit_field(own, op); break;
  default:
    if (goes_elsewhere(op, kind)) keep_until_end(own, op);
    if (!mlirAttributeIsNull(pa_get_attr(op, "pyarray.stack"))) break;
    if (owns_results(op))
      own_results(own, op);
    else // of carray and farray nothing: nobody owns what a C pointer points to
      derive_results(own, op);
  }
}

static void visit_block(ownership *own, MlirBlock block) { PA_FOR_EACH_OP(op, block) visit(own, op); }

//===-- Insertion ---------------------------------------------------------------------------------===//

// Before |before|, an operation of |block|.
static pa_status insert(ownership *own, const char *name, MlirValue value, MlirBlock block, MlirOperation before,
                        MlirLocation location) {
  pa_builder builder = {.context = own->names.context, .block = block, .before = before, .location = location};
  pa_op(&builder, name, PA_OPERANDS(value));
  return builder.failure;
}

static pa_status insert_retains(ownership *own, MlirOperation op) {
  intptr_t first = pa_kind(&own->names, op) == PA_OP_FOR ? 1 : 0;
  for (intptr_t i = first; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (is_managed(value))
      PA_TRY(insert(own, PA_OP_NAME(RETAIN), value, mlirOperationGetBlock(op), op, mlirOperationGetLocation(op)));
  }
  return PA_OK;
}

// The operation before which a value with that last use is released: past releases that are there already.
static MlirOperation release_point(const ownership *own, const owned *root) {
  MlirOperation last = root->until_end ? mlirBlockGetTerminator(root->block) : root->last;
  if (mlirOperationIsNull(last) && mlirValueIsAOpResult(root->value)) last = mlirOpResultGetOwner(root->value);
  if (mlirOperationIsNull(last)) return mlirBlockGetFirstOperation(root->block);
  if (mlirOperationEqual(last, mlirBlockGetTerminator(root->block))) return last;
  MlirOperation next = mlirOperationGetNextInBlock(last);
  while (pa_kind(&own->names, next) == PA_OP_RELEASE) next = mlirOperationGetNextInBlock(next);
  return next;
}

static bool is_used_in(MlirOperation op, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    for (MlirOperation user = mlirOpOperandGetOwner(use); !mlirOperationIsNull(user);
         user = mlirOperationGetParentOperation(user))
      if (mlirOperationEqual(user, op)) return true;
  return false;
}

static pa_status release_in(ownership *own, MlirValue value, MlirBlock block);

// A result stands for an operand, and may be used after it.
static bool gives_view(const ownership *own, MlirOperation op) {
  pa_op_kind kind = pa_kind(&own->names, op);
  bool owns = kind == PA_OP_BUILTIN || kind == PA_OP_FOR || kind == PA_OP_SCF_WHILE || owns_results(op);
  for (intptr_t i = 0; !owns && i < mlirOperationGetNumResults(op); ++i)
    if (is_managed(mlirOperationGetResult(op, i))) return true;
  return false;
}

// Whether the release of text goes into the branches of |last|: where a branch ends the use of it, something may be put
// at its end.
static bool goes_into_branches(ownership *own, const owned *root) {
  if (mlirOperationIsNull(root->last) || pa_kind(&own->names, root->last) != PA_OP_SCF_IF ||
      !pa_is_text(mlirValueGetType(root->value)))
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(root->value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (gives_view(own, mlirOpOperandGetOwner(use))) return false;
  return !mlirBlockIsNull(pa_body(root->last, 0)) && !mlirBlockIsNull(pa_body(root->last, 1));
}

static pa_status release_in_branches(ownership *own, MlirValue value, MlirOperation branches) {
  for (int side = 0; side < 2; ++side) PA_TRY(release_in(own, value, pa_body(branches, side)));
  return PA_OK;
}

// Behind the last use of |value| in a branch, or at its begin.
static pa_status release_in(ownership *own, MlirValue value, MlirBlock block) {
  owned root = {.value = value, .block = block};
  PA_FOR_EACH_OP(op, block) if (is_used_in(op, value)) root.last = op;
  if (goes_into_branches(own, &root)) return release_in_branches(own, value, root.last);
  MlirOperation first = mlirBlockGetFirstOperation(block);
  if (mlirOperationIsNull(root.last))
    return insert(own, PA_OP_NAME(RELEASE), value, block, first, mlirOperationGetLocation(first));
  return insert(own, PA_OP_NAME(RELEASE), value, block, release_point(own, &root), mlirOperationGetLocation(root.last));
}

static pa_status insert_release(ownership *own, const owned *root) {
  if (goes_into_branches(own, root)) return release_in_branches(own, root->value, root->last);
  MlirOperation point = release_point(own, root);
  MlirOperation place = mlirOperationIsNull(root->last) ? point : root->last;
  return insert(own, PA_OP_NAME(RELEASE), root->value, root->block, point, mlirOperationGetLocation(place));
}

static pa_status process_function(ownership *own, MlirOperation function) {
  MlirBlock body = pa_body(function, 0);
  if (mlirBlockIsNull(body) || pa_is_device_function(function)) return PA_OK;
  own->owned_count = own->retain_count = own->entry_count = 0;
  own->explicit_already = false;
  own->generator = !mlirAttributeIsNull(pa_get_attr(function, "pyarray.generator"));
  if (own->entries) memset(own->entries, 0, own->entry_capacity * sizeof *own->entries);
  if (own->generator) own_arguments(own, body, 0);
  visit_block(own, body);
  if (own->explicit_already) return PA_OK;
  for (size_t i = 0; i < own->retain_count; ++i) PA_TRY(insert_retains(own, own->retains[i]));
  for (size_t i = 0; i < own->owned_count; ++i) PA_TRY(insert_release(own, &own->owned[i]));
  return PA_OK;
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  ownership own = {.arena = context->arena};
  pa_names_init(&own.names, context->context);
  PA_FOR_EACH_OP(op, pa_module_body(module))
  if (pa_kind(&own.names, op) == PA_OP_FUNC) PA_TRY(process_function(&own, op));
  return PA_OK;
}

const pa_pass pa_pass_insert_ownership = {
    .argument = "pyarray-insert-ownership",
    .summary = "Retain and release arrays where their lifetimes ask for it",
    .run = run,
};
