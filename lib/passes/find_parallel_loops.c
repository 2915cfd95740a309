// pyarray-find-parallel-loops: which loops over prange may run on several threads.
//
// Enters and leaves: level 2. In functions compiled with `parallel`, each pyarray.for over pyarray.prange is looked at. What it
// carries from one iteration to the next must be a reduction, or a variable that every iteration assigns anew, whose last
// value counts. Then the loop gets `pyarray.parallel`, one word for each carried value: add, mul, min, max, and, or, xor, last.
// Other loops get `pyarray.serial`, the reason, and run in order; so does the pyarray.iter_length of one that is left early.
//
//   %r = pyarray.for (%i: si64, %acc: f64) in %prange : !pyarray.range iter(%zero) {
//     %x = pyarray.getitem %a[%i] ...
//     %s = pyarray.binary add %acc, %x : (f64, f64) -> f64
//     pyarray.yield %s : f64
//   } {pyarray.parallel = ["add"]}
#include <string.h>

#include "ir/ir.h"
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

// |lhs|: the chain is the left operand.
static const char *binary_kind(MlirOperation op, bool lhs) {
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

static const char *builtin_kind(MlirOperation op) {
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(op, "name"));
  if (mlirOperationGetNumOperands(op) != 2) return NULL;
  return pa_ref_equal(name, "builtins.min") ? "min" : pa_ref_equal(name, "builtins.max") ? "max" : NULL;
}

static void follow(chain *c, MlirValue value);

// The value is operand |index| of a yield of |parent|. What another variable takes from it would depend on where a part begins.
static void follow_yield(chain *c, MlirOperation parent, intptr_t index) {
  if (mlirOperationEqual(parent, c->loop)) {
    c->failed = index != c->index;
    return;
  }
  switch (pa_kind(c->names, parent)) {
    case PA_OP_SCF_IF:
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

static void follow_use(chain *c, MlirOperation user, intptr_t index) {
  switch (pa_kind(c->names, user)) {
    case PA_OP_BINARY:
      set_kind(c, binary_kind(user, index == 0));
      follow(c, mlirOperationGetResult(user, 0));
      break;
    case PA_OP_BUILTIN:
      set_kind(c, builtin_kind(user));
      follow(c, mlirOperationGetResult(user, 0));
      break;
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
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use) && !c->failed; use = mlirOpOperandGetNextUse(use))
    follow_use(c, mlirOpOperandGetOwner(use), (intptr_t)mlirOpOperandGetOperandNumber(use));
}

//===-- Checking the way back ---------------------------------------------------------------------===//

// What a block yields that raises is never seen.
static bool raises(const chain *c, MlirBlock block) {
  PA_FOR_EACH_OP(op, block)
    if (pa_kind(c->names, op) == PA_OP_RAISE) return true;
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
  if (pa_kind(c->names, op) != PA_OP_SCF_WHILE || !mlirBlockEqual(mlirBlockArgumentGetOwner(value), pa_body(op, 0))) return true;
  return contains(c, mlirOperationGetOperand(op, index)) && yields_chain(c, pa_body(op, 1), index);
}

// An operation that the chain passes takes it in once, and every branch and iteration hands it on.
static bool is_closed(const chain *c, MlirValue value) {
  if (!mlirValueIsAOpResult(value)) return is_closed_argument(c, value);
  MlirOperation op = mlirOpResultGetOwner(value);
  intptr_t index = mlirOpResultGetResultNumber(value);
  switch (pa_kind(c->names, op)) {
    case PA_OP_BINARY:
    case PA_OP_BUILTIN: return contains(c, mlirOperationGetOperand(op, 0)) != contains(c, mlirOperationGetOperand(op, 1));
    case PA_OP_SCF_IF: return yields_chain(c, pa_body(op, 0), index) && yields_chain(c, pa_body(op, 1), index);
    case PA_OP_FOR: return contains(c, mlirOperationGetOperand(op, 1 + index)) && yields_chain(c, pa_body(op, 0), index);
    case PA_OP_SCF_WHILE: return yields_chain(c, pa_body(op, 0), 1 + index);
    default: return false;
  }
}

// The word for carried value |index|, or NULL.
static const char *reduction_of(pa_arena *arena, const pa_names *names, MlirOperation loop, intptr_t index) {
  MlirBlock body = pa_body(loop, 0);
  MlirValue entering = mlirBlockGetArgument(body, 1 + index);
  MlirType type = mlirValueGetType(entering);
  if (pa_scalar_of(type) == PA_NOT_SCALAR) return NULL;
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(entering))) return "last";
  chain c = {.arena = arena, .names = names, .loop = loop, .index = index};
  follow(&c, entering);
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
  return pa_kind(names, made) == PA_OP_BUILTIN && pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(made, "name")), "pyarray.prange");
}

static const char *variable_name(pa_arena *arena, MlirOperation loop, intptr_t index) {
  MlirAttribute names = pa_get_attr(loop, "pyarray.names");
  bool known = !mlirAttributeIsNull(names) && mlirAttributeIsAArray(names) && index < mlirArrayAttrGetNumElements(names);
  const char *name = known ? pa_attr_text(arena, mlirArrayAttrGetElement(names, index)) : NULL;
  return name ? name : "?";
}

static void mark_loop(pa_arena *arena, const pa_names *names, MlirOperation loop) {
  intptr_t count = mlirOperationGetNumResults(loop);
  MlirAttribute *words = PA_NEW_ARRAY(arena, MlirAttribute, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    const char *word = reduction_of(arena, names, loop, i);
    if (!word) {
      const char *reason = pa_arena_format(arena, "'%s' is carried from one iteration to the next, and is no reduction", variable_name(arena, loop, i));
      pa_set_attr(loop, "pyarray.serial", pa_string_attr(names->context, reason));
      return;
    }
    words[i] = pa_string_attr(names->context, word);
  }
  pa_set_attr(loop, "pyarray.parallel", mlirArrayAttrGet(names->context, count, words));
}

static void visit_block(pa_arena *arena, const pa_names *names, MlirBlock block) {
  PA_FOR_EACH_OP(op, block) {
    pa_op_kind kind = pa_kind(names, op);
    if (kind == PA_OP_FOR && is_over_prange(names, op)) mark_loop(arena, names, op);
    // A loop that is left early counts its items itself.
    if (kind == PA_OP_ITER_LENGTH && is_over_prange(names, op))
      pa_set_attr(op, "pyarray.serial", pa_string_attr(names->context, "'break' or 'return' may leave it, so that later iterations depend on earlier ones"));
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(pa_body(op, r))) visit_block(arena, names, pa_body(op, r));
  }
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  pa_names names;
  pa_names_init(&names, context->context);
  PA_FOR_EACH_OP(op, pa_module_body(module)) {
    if (pa_kind(&names, op) != PA_OP_FUNC || mlirBlockIsNull(pa_body(op, 0))) continue;
    if (pa_option_bool(op, "pyarray.options", "parallel", false)) visit_block(context->arena, &names, pa_body(op, 0));
  }
  return PA_OK;
}

const pa_pass pa_pass_find_parallel_loops = {
    .argument = "pyarray-find-parallel-loops",
    .summary = "Find the loops over prange that may run on several threads",
    .run = run,
};
