// pyarray-find-parallel-loops: which loops over prange may run on several threads.
//
// Enters and leaves: level 2. In functions compiled with `parallel`, and in those whose arrays are a GPU's (`offload`),
// each pyarray.for over pyarray.prange is looked at.
// What it carries from one iteration to the next must be a reduction, or a variable that every iteration assigns anew,
// whose last value counts. Then the loop gets `pyarray.parallel`, one word for each carried value: add, mul, min, max,
// and, or, xor, last; nat_add, nat_min, nat_max of int64 whose least value is NaT. Other loops get `pyarray.serial`,
// the reason, and run in order; so does the pyarray.iter_length of one that is left early. Arrays that a loop reduces
// become pyarray.private in it (find_parallel_arrays.c).
//
//   %r = pyarray.for (%i: si64, %acc: f64) in %prange : !pyarray.range iter(%zero) {
//     %x = pyarray.getitem %a[%i] ...
//     %s = pyarray.binary add %acc, %x : (f64, f64) -> f64
//     pyarray.yield %s : f64
//   } {pyarray.parallel = ["add"]}
#include <string.h>

#include "find_parallel.h"
#include "pass.h"

// The values that a carried variable has in an iteration, from the one that enters to the one that is yielded.
typedef struct chain {
  pa_arena *arena;
  const pa_names *names;
  MlirOperation loop;
  intptr_t index; // of the variable among those that the loop carries
  MlirValue *values;
  size_t count, capacity;
  const char *kind; // NULL until an operation has said it
  bool is_place;    // set beside other variables, where another value is greater or less
  bool failed;
} chain;

static bool contains(const chain *c, MlirValue value) {
  for (size_t i = 0; i < c->count; ++i)
    if (mlirValueEqual(c->values[i], value)) return true;
  return false;
}

//===-- Following a value -------------------------------------------------------------------------===//

static void set_kind(chain *c, const char *kind) {
  if (!kind || (c->kind && strcmp(c->kind, kind) != 0)) c->failed = true;
  c->kind = kind;
}

const char *pa_binary_reduction(MlirOperation op, bool lhs) {
  switch (pyarrayBinaryKindAttrGetValue(pa_get_attr(op, "kind"))) {
  case PYARRAY_BINARY_ADD: return "add";
  case PYARRAY_BINARY_SUB: return lhs ? "add" : NULL;
  case PYARRAY_BINARY_MUL: return "mul";
  case PYARRAY_BINARY_TRUEDIV: return lhs ? "mul" : NULL;
  case PYARRAY_BINARY_AND: return "and";
  case PYARRAY_BINARY_OR: return "or";
  case PYARRAY_BINARY_XOR: return "xor";
  default: return NULL;
  }
}

const char *pa_builtin_reduction(MlirOperation op, bool lhs) {
  static const struct {
    const char *name, *word;
    bool either;
  } rows[] = {
      {"builtins.max", "max", true}, {"builtins.min", "min", true}, {"nat.add", "nat_add", true},
      {"nat.max", "nat_max", true},  {"nat.min", "nat_min", true},  {"nat.subtract", "nat_add", false},
  };
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(op, "name"));
  if (mlirOperationGetNumOperands(op) != 2) return NULL;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (pa_ref_equal(name, rows[i].name)) return lhs || rows[i].either ? rows[i].word : NULL;
  return NULL;
}

//===-- Extremes: if x > m: m = x -----------------------------------------------------------------===//

static MlirOperation only_user(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  bool one = !mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
  return one ? mlirOpOperandGetOwner(use) : (MlirOperation){NULL};
}

// The scf.if that alone depends on the comparison, or null.
static MlirOperation decided_by(const chain *c, MlirOperation compare) {
  MlirOperation user = only_user(mlirOperationGetResult(compare, 0));
  if (!mlirOperationIsNull(user) && pa_kind(c->names, user) == PA_OP_TRUTH)
    user = only_user(mlirOperationGetResult(user, 0));
  bool decided = !mlirOperationIsNull(user) && pa_kind(c->names, user) == PA_OP_SCF_IF;
  return decided ? user : (MlirOperation){NULL};
}

// The comparison that alone decides the scf.if, or null.
static MlirOperation comparison_of(const chain *c, MlirOperation branch) {
  MlirValue condition = mlirOperationGetOperand(branch, 0);
  MlirOperation op = mlirValueIsAOpResult(condition) ? mlirOpResultGetOwner(condition) : (MlirOperation){NULL};
  if (!mlirOperationIsNull(op) && pa_kind(c->names, op) == PA_OP_TRUTH) {
    condition = mlirOperationGetOperand(op, 0);
    op = mlirValueIsAOpResult(condition) ? mlirOpResultGetOwner(condition) : (MlirOperation){NULL};
  }
  bool is_comparison = !mlirOperationIsNull(op) && pa_kind(c->names, op) == PA_OP_COMPARE;
  return is_comparison && mlirOperationEqual(decided_by(c, op), branch) ? op : (MlirOperation){NULL};
}

static MlirValue yielded_by(MlirOperation branch, intptr_t region) {
  return mlirOperationGetOperand(mlirBlockGetTerminator(pa_body(branch, region)), 0);
}

// "max" or "min" where the branch gives the greater or the less of a value of the chain and another one; else NULL.
static const char *extreme_of(const chain *c, MlirOperation compare, MlirOperation branch) {
  if (mlirOperationGetNumResults(branch) != 1 || mlirBlockIsNull(pa_body(branch, 1))) return NULL;
  for (int r = 0; r < 2; ++r)
    if (!pa_only_computes(mlirBlockGetFirstOperation(pa_body(branch, r)), (MlirOperation){NULL})) return NULL;
  int64_t kind = pyarrayCompareKindAttrGetValue(pa_get_attr(compare, "kind"));
  bool greater = kind == PYARRAY_COMPARE_GT || kind == PYARRAY_COMPARE_GE,
       less = kind == PYARRAY_COMPARE_LT || kind == PYARRAY_COMPARE_LE;
  MlirValue lhs = mlirOperationGetOperand(compare, 0), rhs = mlirOperationGetOperand(compare, 1);
  bool on_left = contains(c, lhs);
  if ((!greater && !less) || on_left == contains(c, rhs)) return NULL;
  MlirValue own = on_left ? lhs : rhs, other = on_left ? rhs : lhs;
  for (intptr_t taken = 0; taken < 2; ++taken) {
    // What is compared is often read once more in the branch that takes it.
    if (!mlirValueEqual(yielded_by(branch, 1 - taken), own) ||
        !pa_same_value(c->names, other, yielded_by(branch, taken), branch))
      continue;
    return (greater != on_left) == (taken == 0) ? "max" : "min";
  }
  return NULL;
}

static void follow(chain *c, MlirValue value);

static void follow_comparison(chain *c, MlirOperation compare) {
  MlirOperation branch = decided_by(c, compare);
  c->failed = mlirOperationIsNull(branch);
  if (c->failed) return;
  c->is_place |= mlirOperationGetNumResults(branch) > 1;
  set_kind(c, extreme_of(c, compare, branch));
  if (!c->failed) follow(c, mlirOperationGetResult(branch, 0));
}

// The value is operand |index| of a yield of |parent|. What another variable takes from it would depend on where a part
// begins.
static void follow_yield(chain *c, MlirOperation parent, intptr_t index) {
  if (mlirOperationEqual(parent, c->loop)) {
    c->failed = index != c->index;
    return;
  }
  switch (pa_kind(c->names, parent)) {
  case PA_OP_SCF_IF:
  case PA_OP_TRY:
  case PA_OP_FOR: follow(c, mlirOperationGetResult(parent, index)); break;
  case PA_OP_SCF_WHILE: follow(c, mlirBlockGetArgument(pa_body(parent, 0), index)); break;
  default: c->failed = true;
  }
}

// The value enters an inner loop at operand |index|; operand 0 of pyarray.for is what it goes over.
static void follow_for(chain *c, MlirOperation loop, intptr_t index) {
  c->failed = index == 0;
  if (c->failed) return;
  follow(c, mlirBlockGetArgument(pa_body(loop, 0), index));
  follow(c, mlirOperationGetResult(loop, index - 1));
}

// Operand 0 of scf.condition says whether to go on; the others go into the second region, and leave the scf.while.
static void follow_condition(chain *c, MlirOperation loop, intptr_t index) {
  c->failed = index == 0;
  if (c->failed) return;
  follow(c, mlirBlockGetArgument(pa_body(loop, 1), index - 1));
  follow(c, mlirOperationGetResult(loop, index - 1));
}

// What is stored in a variable of the body is what its loads give.
static void follow_store(chain *c, MlirValue variable) {
  c->failed = !pa_is_inside(mlirOpResultGetOwner(variable), c->loop);
  for (MlirOpOperand use = mlirValueGetFirstUse(variable); !mlirOpOperandIsNull(use) && !c->failed;
       use = mlirOpOperandGetNextUse(use))
    if (pa_kind(c->names, mlirOpOperandGetOwner(use)) == PA_OP_LOAD)
      follow(c, mlirOperationGetResult(mlirOpOperandGetOwner(use), 0));
}

static void follow_use(chain *c, MlirOperation user, intptr_t index) {
  switch (pa_kind(c->names, user)) {
  case PA_OP_BINARY:
    set_kind(c, pa_binary_reduction(user, index == 0));
    follow(c, mlirOperationGetResult(user, 0));
    break;
  case PA_OP_BUILTIN:
    set_kind(c, pa_builtin_reduction(user, index == 0));
    follow(c, mlirOperationGetResult(user, 0));
    break;
  case PA_OP_COMPARE: follow_comparison(c, user); break;
  case PA_OP_STORE: follow_store(c, mlirOperationGetOperand(user, 1)); break;
  case PA_OP_YIELD:
  case PA_OP_SCF_YIELD: follow_yield(c, mlirOperationGetParentOperation(user), index); break;
  case PA_OP_FOR: follow_for(c, user, index); break;
  case PA_OP_SCF_WHILE: follow(c, mlirBlockGetArgument(pa_body(user, 0), index)); break;
  case PA_OP_SCF_CONDITION: follow_condition(c, mlirOperationGetParentOperation(user), index); break;
  default: c->failed = true;
  }
}

static void follow(chain *c, MlirValue value) {
  if (c->failed || contains(c, value)) return;
  c->values = pa_arena_grow(c->arena, c->values, c->count, &c->capacity, sizeof value);
  c->values[c->count++] = value;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use) && !c->failed;
       use = mlirOpOperandGetNextUse(use))
    follow_use(c, mlirOpOperandGetOwner(use), (intptr_t)mlirOpOperandGetOperandNumber(use));
}

//===-- Checking the way back ---------------------------------------------------------------------===//

// What a block yields that raises is never seen.
static bool raises(const chain *c, MlirBlock block) {
  PA_FOR_EACH_OP(op, block)
  if (pa_kind(c->names, op) == PA_OP_RAISE || pa_kind(c->names, op) == PA_OP_RERAISE) return true;
  return false;
}

static bool yields_chain(const chain *c, MlirBlock block, intptr_t index) {
  MlirOperation yield = mlirBlockIsNull(block) ? (MlirOperation){NULL} : mlirBlockGetTerminator(block);
  if (mlirOperationIsNull(yield)) return false;
  return contains(c, mlirOperationGetOperand(yield, index)) || raises(c, block);
}

// What the body of an inner loop starts with is the chain in every iteration.
static bool is_closed_argument(const chain *c, MlirValue value) {
  MlirOperation op = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  intptr_t index = mlirBlockArgumentGetArgNumber(value);
  if (pa_kind(c->names, op) != PA_OP_SCF_WHILE || !mlirBlockEqual(mlirBlockArgumentGetOwner(value), pa_body(op, 0)))
    return true;
  return contains(c, mlirOperationGetOperand(op, index)) && yields_chain(c, pa_body(op, 1), index);
}

static bool is_extreme(const chain *c, MlirOperation branch) {
  MlirOperation compare = comparison_of(c, branch);
  return !mlirOperationIsNull(compare) && extreme_of(c, compare, branch);
}

static bool stores_chain(const chain *c, MlirValue variable) {
  for (MlirOpOperand use = mlirValueGetFirstUse(variable); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (pa_kind(c->names, user) == PA_OP_STORE && !contains(c, mlirOperationGetOperand(user, 0))) return false;
  }
  return true;
}

// An operation that the chain passes takes it in once, and every branch and iteration hands it on.
static bool is_closed(const chain *c, MlirValue value) {
  if (!mlirValueIsAOpResult(value)) return is_closed_argument(c, value);
  MlirOperation op = mlirOpResultGetOwner(value);
  intptr_t index = mlirOpResultGetResultNumber(value);
  switch (pa_kind(c->names, op)) {
  case PA_OP_BINARY:
  case PA_OP_BUILTIN: return contains(c, mlirOperationGetOperand(op, 0)) != contains(c, mlirOperationGetOperand(op, 1));
  case PA_OP_LOAD: return stores_chain(c, mlirOperationGetOperand(op, 0));
  case PA_OP_TRY: return yields_chain(c, pa_body(op, 0), index) && yields_chain(c, pa_body(op, 1), index);
  case PA_OP_SCF_IF:
    return (yields_chain(c, pa_body(op, 0), index) && yields_chain(c, pa_body(op, 1), index)) || is_extreme(c, op);
  case PA_OP_FOR: return contains(c, mlirOperationGetOperand(op, 1 + index)) && yields_chain(c, pa_body(op, 0), index);
  case PA_OP_SCF_WHILE: return yields_chain(c, pa_body(op, 0), 1 + index);
  default: return false;
  }
}

// The word for carried value |index|, or NULL; then |*out_is_place| says why, if it is set.
static const char *reduction_of(pa_arena *arena, const pa_names *names, MlirOperation loop, intptr_t index,
                                bool *out_is_place) {
  MlirBlock body = pa_body(loop, 0);
  MlirValue entering = mlirBlockGetArgument(body, 1 + index);
  MlirType type = mlirValueGetType(entering);
  if (pa_scalar_of(type) == PA_NOT_SCALAR) return NULL;
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(entering))) return "last";
  chain c = {.arena = arena, .names = names, .loop = loop, .index = index};
  follow(&c, entering);
  *out_is_place = c.is_place;
  if (c.failed || !c.kind || !yields_chain(&c, body, index)) return NULL;
  for (size_t i = 0; i < c.count; ++i)
    if (!is_closed(&c, c.values[i]) || !mlirTypeEqual(mlirValueGetType(c.values[i]), type)) return NULL;
  return c.kind;
}

//===-- Loops -------------------------------------------------------------------------------------===//

static bool is_over_prange(const pa_names *names, MlirOperation loop) {
  MlirValue range = mlirOperationGetOperand(loop, 0);
  if (!mlirValueIsAOpResult(range)) return false;
  MlirOperation made = mlirOpResultGetOwner(range);
  return pa_kind(names, made) == PA_OP_BUILTIN &&
         pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(made, "name")), "pyarray.prange");
}

static const char *variable_name(pa_arena *arena, MlirOperation loop, intptr_t index) {
  MlirAttribute names = pa_get_attr(loop, "pyarray.names");
  bool known =
      !mlirAttributeIsNull(names) && mlirAttributeIsAArray(names) && index < mlirArrayAttrGetNumElements(names);
  const char *name = known ? pa_attr_text(arena, mlirArrayAttrGetElement(names, index)) : NULL;
  return name ? name : "?";
}

// The handler of a try around the loop reads what iterations assign.
static bool stores_outside(pa_arena *arena, const pa_names *names, MlirOperation loop) {
  pa_op_list all = pa_ops_within(arena, loop, MlirWalkPreOrder);
  for (size_t i = 0; i < all.count; ++i) {
    if (pa_kind(names, all.items[i]) != PA_OP_STORE) continue;
    if (!pa_is_inside(mlirOpResultGetOwner(mlirOperationGetOperand(all.items[i], 1)), loop)) return true;
  }
  return false;
}

static bool yields(pa_arena *arena, const pa_names *names, MlirOperation loop) {
  pa_op_list all = pa_ops_within(arena, loop, MlirWalkPreOrder);
  for (size_t i = 0; i < all.count; ++i)
    if (pa_kind(names, all.items[i]) == PA_OP_SUSPEND) return true;
  return false;
}

static bool is_builtin(const pa_names *names, MlirOperation op, const char *name) {
  return pa_kind(names, op) == PA_OP_BUILTIN && pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(op, "name")), name);
}

// A chunk size is that of a loop, and not of its iterations, also where it runs in order: they have none, unless one is
// set in them.
static pa_status drop_chunk_size(pa_arena *arena, const pa_names *names, MlirOperation loop) {
  pa_op_list all = pa_ops_within(arena, loop, MlirWalkPreOrder);
  for (size_t i = 0; i < all.count; ++i)
    if (is_builtin(names, all.items[i], "pyarray.set_parallel_chunksize")) return PA_OK;
  for (size_t i = 0; i < all.count; ++i) {
    MlirOperation op = all.items[i];
    if (!is_builtin(names, op, "pyarray.get_parallel_chunksize")) continue;
    pa_builder builder = {.context = names->context,
                          .block = mlirOperationGetBlock(op),
                          .before = op,
                          .location = mlirOperationGetLocation(op)};
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
    MlirValue none = pa_value(&builder, pa_op_names[PA_OP_CONSTANT], PA_RESULTS(type),
                              PA_ATTRS({"value", mlirIntegerAttrGet(type, 0)}));
    PA_TRY(builder.failure);
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), none);
    mlirOperationDestroy(op);
  }
  return PA_OK;
}

static pa_status mark_loop(pa_arena *arena, const pa_names *names, MlirOperation loop) {
  intptr_t count = mlirOperationGetNumResults(loop);
  MlirAttribute *words = PA_NEW_ARRAY(arena, MlirAttribute, count + 1);
  const char *reason = stores_outside(arena, names, loop)
                           ? "a 'try' around it reads, where an exception is handled, what an iteration assigned"
                           : NULL;
  MlirAttribute known = pa_get_attr(loop, "pyarray.serial"); // from pyarray-infer-types
  if (!mlirAttributeIsNull(known)) reason = pa_attr_text(arena, known);
  const char *change = pa_shared_change(arena, names, loop);
  if (change) reason = change;
  if (yields(arena, names, loop)) reason = "a 'yield' is in it";
  bool explained = false;
  for (intptr_t i = 0; i < count && !explained; ++i) {
    const char *word = reduction_of(arena, names, loop, i, &explained), *name = variable_name(arena, loop, i);
    if (word)
      words[i] = pa_string_attr(names->context, word);
    else if (explained)
      reason = pa_arena_format(arena,
                               "other variables are set where '%s' gets a new value, as in a search for the place of "
                               "an extreme; that is no reduction",
                               name);
    else if (!reason)
      reason = pa_arena_format(arena, "'%s' is carried from one iteration to the next, and is no reduction", name);
    explained = explained && !word;
  }
  if (reason) {
    pa_set_attr(loop, "pyarray.serial", pa_string_attr(names->context, reason));
    return drop_chunk_size(arena, names, loop);
  }
  pa_set_attr(loop, "pyarray.parallel", mlirArrayAttrGet(names->context, count, words));
  return pa_find_private_arrays(arena, names, loop);
}

static pa_status visit_block(pa_arena *arena, const pa_names *names, MlirBlock block) {
  PA_FOR_EACH_OP(op, block) {
    pa_op_kind kind = pa_kind(names, op);
    if (kind == PA_OP_FOR && is_over_prange(names, op)) PA_TRY(mark_loop(arena, names, op));
    // A loop that is left early counts its items itself.
    if (kind == PA_OP_ITER_LENGTH && is_over_prange(names, op))
      pa_set_attr(op, "pyarray.serial",
                  pa_string_attr(names->context,
                                 "'break' or 'return' may leave it, so that later iterations depend on earlier ones"));
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(pa_body(op, r))) PA_TRY(visit_block(arena, names, pa_body(op, r)));
  }
  return PA_OK;
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  pa_names names;
  pa_names_init(&names, context->context);
  PA_FOR_EACH_OP(op, pa_module_body(module)) {
    if (pa_kind(&names, op) != PA_OP_FUNC || mlirBlockIsNull(pa_body(op, 0))) continue;
    if (pa_option_bool(op, "pyarray.options", "parallel", false) ||
        pa_option_bool(op, "pyarray.options", "offload", false))
      PA_TRY(visit_block(context->arena, &names, pa_body(op, 0)));
  }
  return PA_OK;
}

const pa_pass pa_pass_find_parallel_loops = {
    .argument = "pyarray-find-parallel-loops",
    .summary = "Find the loops over prange that may run on several threads",
    .run = run,
};
