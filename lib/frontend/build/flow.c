// Variables, regions, and how two regions join: SSA on the way, without phi placement.
//
// A region starts from the bindings around it. Its end tells which variables it has rebound and undoes that; the join
// then makes results of those that are live afterwards.
//
//   if c:         %0 = scf.if %c -> (!pyarray.any) {          x is live afterwards, t is not
//     t = 1         ...
//     x = t + 1     scf.yield %sum : !pyarray.any
//                 } else {
//                   scf.yield %x : !pyarray.any               the binding of before
//                 }
//
// What a region can end with (completions) joins likewise: where more than one is possible, $state is one more result.
#include <Python.h>

#include <stdlib.h>

#include "emitter.h"

MlirValue pa_result(MlirOperation op, intptr_t index) {
  return mlirOperationIsNull(op) ? (MlirValue){NULL} : mlirOperationGetResult(op, index);
}

MlirAttribute pa_result_names(const pa_emitter *e, const int *variables, int count) {
  MlirAttribute *names = PA_NEW_ARRAY(e->arena, MlirAttribute, count + 1);
  for (int i = 0; i < count; ++i)
    names[i] = pa_string_attr(e->builder.context, variables[i] < 0 ? "$" : e->function->variables[variables[i]]->text);
  return count ? mlirArrayAttrGet(e->builder.context, count, names) : (MlirAttribute){NULL};
}

//===-- Bindings ----------------------------------------------------------------------------------===//

void pa_bind(pa_emitter *e, int variable, pa_binding binding) {
  e->trail = pa_arena_grow(e->arena, e->trail, e->trail_count, &e->trail_capacity, sizeof *e->trail);
  e->trail[e->trail_count++] = (pa_change){variable, e->variables[variable]};
  e->variables[variable] = binding;
}

static bool same_value(MlirValue a, MlirValue b) { return a.ptr == b.ptr; }

static bool same_binding(pa_binding a, pa_binding b) {
  if (a.bound != b.bound) return false;
  if (a.bound == PA_ANY || a.bound == PA_UNBOUND) return true;
  return same_value(a.value, b.value) && (a.bound != PA_MAYBE || same_value(a.flag, b.flag));
}

// A check that a variable is bound leaves it as it was for those that did not pass through the check.
static bool is_rebound(pa_binding before, pa_binding after) {
  if (before.bound == PA_MAYBE && after.bound == PA_BOUND) return !same_value(before.value, after.value);
  return !same_binding(before, after);
}

//===-- Branches ----------------------------------------------------------------------------------===//

void pa_branch_begin(pa_emitter *e, pa_branch *branch, int arguments) {
  MlirType *types = PA_NEW_ARRAY(e->arena, MlirType, arguments);
  for (int i = 0; i < arguments; ++i) types[i] = e->any;
  *branch = (pa_branch){.trail_start = e->trail_count,
                        .outer_flow = e->flow,
                        .outer_block = e->builder.block,
                        .outer_reachable = e->reachable};
  branch->region = pa_region(e->builder.location, types, arguments, &branch->block);
  e->builder.block = branch->block;
  e->reachable = (MlirBlock){NULL};
  e->flow = (pa_flow){.completions = PA_CAN(FALL)};
  if (++e->depth > PA_MAX_REGION_DEPTH)
    pa_set_failure(e,
                   pa_fail_at(PA_CODE_UNSUPPORTED, e->builder.location,
                              "control flow nested more than %d levels deep is not supported in compiled code (an if "
                              "that returns nests what follows it); split the function",
                              PA_MAX_REGION_DEPTH));
}

static int by_variable(const void *a, const void *b) {
  return ((const pa_change *)a)->variable - ((const pa_change *)b)->variable;
}

static void collect_changes(pa_emitter *e, pa_branch *branch) {
  unsigned mark = ++e->seen_mark;
  branch->changes = PA_NEW_ARRAY(e->arena, pa_change, e->trail_count - branch->trail_start);
  for (size_t i = branch->trail_start; i < e->trail_count; ++i) {
    int variable = e->trail[i].variable;
    if (e->seen[variable] == mark) continue;
    e->seen[variable] = mark;
    if (is_rebound(e->trail[i].binding, e->variables[variable]))
      branch->changes[branch->count++] = (pa_change){variable, e->variables[variable]};
  }
  if (branch->count) qsort(branch->changes, (size_t)branch->count, sizeof *branch->changes, by_variable);
}

void pa_branch_end(pa_emitter *e, pa_branch *branch) {
  pa_drop_unreachable(e);
  branch->flow = e->flow;
  collect_changes(e, branch);
  while (e->trail_count > branch->trail_start) {
    pa_change undo = e->trail[--e->trail_count];
    e->variables[undo.variable] = undo.binding;
  }
  e->builder.block = branch->outer_block;
  e->reachable = branch->outer_reachable;
  e->flow = branch->outer_flow;
  e->depth--;
}

//===-- After a raise -----------------------------------------------------------------------------===//

void pa_unreachable(pa_emitter *e) {
  e->flow = (pa_flow){0};
  if (!mlirBlockIsNull(e->reachable)) return;
  e->reachable = e->builder.block;
  e->builder.block = mlirBlockCreate(0, NULL, NULL);
}

void pa_drop_unreachable(pa_emitter *e) {
  if (mlirBlockIsNull(e->reachable)) return;
  mlirBlockDestroy(e->builder.block);
  e->builder.block = e->reachable;
  e->reachable = (MlirBlock){NULL};
}

//===-- State -------------------------------------------------------------------------------------===//

MlirValue pa_state_is(pa_emitter *e, MlirValue state, pa_completion completion) {
  return pa_emit_truth(e, pa_emit_compare(e, PYARRAY_COMPARE_EQ, state, pa_emit_int(e, completion)));
}

static MlirValue state_of_falls(pa_emitter *e, MlirValue falls) {
  pa_branch fall, leave;
  pa_branch_begin(e, &fall, 0);
  MlirValue zero = pa_emit_int(e, PA_FALL);
  pa_branch_end(e, &fall);
  pa_branch_begin(e, &leave, 0);
  MlirValue three = pa_emit_int(e, PA_RETURN);
  pa_branch_end(e, &leave);
  return pa_join_values(e, falls, &fall, zero, &leave, three, e->any);
}

MlirValue pa_flow_state(pa_emitter *e, pa_flow flow) {
  if (flow.completions == 0) return pa_emit_unbound(e, e->any);
  if (pa_is_single(flow.completions)) return pa_emit_int(e, __builtin_ctz(flow.completions));
  return mlirValueIsNull(flow.falls) ? flow.state : state_of_falls(e, flow.falls);
}

MlirValue pa_flow_falls(pa_emitter *e, pa_flow flow) {
  return mlirValueIsNull(flow.falls) ? pa_state_is(e, flow.state, PA_FALL) : flow.falls;
}

//===-- Join of values ----------------------------------------------------------------------------===//

static void yield(pa_emitter *e, const char *terminator, pa_branch *branch, const MlirValue *values, int count) {
  MlirBlock outer = e->builder.block;
  e->builder.block = branch->block;
  pa_op(&e->builder, terminator, PA_OPERAND_ARRAY(values, count));
  e->builder.block = outer;
}

static MlirValue unless_dead(pa_emitter *e, pa_branch *branch, MlirValue value) {
  if (branch->flow.completions) return value;
  MlirBlock outer = e->builder.block;
  e->builder.block = branch->block;
  value = pa_emit_unbound(e, e->any);
  e->builder.block = outer;
  return value;
}

//===-- Join of branches --------------------------------------------------------------------------===//

// A variable that both branches bring together.
typedef struct joined {
  int variable;
  pa_bound bound; // afterwards
  pa_binding then, otherwise;
} joined;

static bool is_live(const pa_emitter *e, pa_flow flow, int variable) {
  for (int completion = 0; completion < PA_COMPLETION_COUNT; ++completion)
    if (flow.completions >> completion & 1 && pa_has(e->live[completion], variable)) return true;
  return false;
}

static pa_bound join_bound(pa_bound a, pa_bound b) {
  if (a == PA_ANY) return b;
  if (b == PA_ANY) return a;
  return a == b ? a : PA_MAYBE;
}

// The binding at the end of |branch|; |*next| walks its changes in step with |variable|.
static pa_binding binding_of(const pa_emitter *e, const pa_branch *branch, int *next, int variable) {
  pa_binding binding = e->variables[variable];
  if (*next < branch->count && branch->changes[*next].variable == variable)
    binding = branch->changes[(*next)++].binding;
  return is_live(e, branch->flow, variable) ? binding : (pa_binding){.bound = PA_ANY};
}

// Whether the variable needs a result; else binds it right away.
static bool needs_result(pa_emitter *e, joined *j) {
  pa_binding now = e->variables[j->variable];
  j->bound = join_bound(j->then.bound, j->otherwise.bound);
  bool then_stays = j->then.bound == PA_ANY || same_binding(j->then, now);
  bool other_stays = j->otherwise.bound == PA_ANY || same_binding(j->otherwise, now);
  if (j->bound == PA_ANY || j->bound == PA_UNBOUND) {
    pa_bind(e, j->variable, (pa_binding){.bound = j->bound});
    return false;
  }
  if (then_stays && other_stays) return false;
  if (!same_binding(j->then, j->otherwise)) return true;
  pa_bind(e, j->variable, j->then); // the same value from outside
  return false;
}

static int find_joined(pa_emitter *e, const pa_branch *then, const pa_branch *otherwise, joined **out_items) {
  joined *items = PA_NEW_ARRAY(e->arena, joined, then->count + otherwise->count);
  int count = 0, t = 0, o = 0;
  while (t < then->count || o < otherwise->count) {
    int variable = INT32_MAX;
    if (t < then->count) variable = then->changes[t].variable;
    if (o < otherwise->count && otherwise->changes[o].variable < variable) variable = otherwise->changes[o].variable;
    joined *j = &items[count];
    j->variable = variable;
    j->then = binding_of(e, then, &t, variable);
    j->otherwise = binding_of(e, otherwise, &o, variable);
    count += needs_result(e, j);
  }
  *out_items = items;
  return count;
}

static MlirValue value_of(pa_emitter *e, pa_binding binding) {
  bool none = binding.bound == PA_ANY || binding.bound == PA_UNBOUND;
  return none ? pa_emit_unbound(e, e->any) : binding.value;
}

static MlirValue flag_of(pa_emitter *e, pa_binding binding) {
  if (binding.bound == PA_ANY) return pa_emit_unbound(e, e->any);
  return binding.bound == PA_MAYBE ? binding.flag : pa_emit_bool(e, binding.bound == PA_BOUND);
}

// The values of the joined variables at the end of a branch, then their flags; returns how many.
static int take_joined(pa_emitter *e, const joined *items, int count, bool is_then, MlirValue *values) {
  int n = 0;
  for (int i = 0; i < count; ++i) values[n++] = value_of(e, is_then ? items[i].then : items[i].otherwise);
  for (int i = 0; i < count; ++i)
    if (items[i].bound == PA_MAYBE) values[n++] = flag_of(e, is_then ? items[i].then : items[i].otherwise);
  return n;
}

// Ends a branch: yields these, the state and the result.
static int yield_joined(pa_emitter *e, const char *terminator, pa_branch *branch, const joined *items, int count,
                        bool is_then, unsigned completions) {
  MlirValue *values = PA_NEW_ARRAY(e->arena, MlirValue, 2 * count + 2);
  MlirBlock outer = e->builder.block;
  e->builder.block = branch->block;
  int n = take_joined(e, items, count, is_then, values);
  if (!pa_is_single(completions)) values[n++] = pa_flow_state(e, branch->flow);
  if (completions & PA_CAN(RETURN))
    values[n++] = branch->flow.completions & PA_CAN(RETURN) ? branch->flow.result : pa_emit_unbound(e, e->any);
  e->builder.block = outer;
  yield(e, terminator, branch, values, n);
  return n;
}

// Binds the joined variables to the results from number |first| on; returns the number of the one behind them.
static int bind_results(pa_emitter *e, MlirOperation op, int first, const joined *items, int count) {
  int flags = first + count;
  for (int i = 0; i < count; ++i) {
    pa_binding binding = {.bound = items[i].bound, .value = pa_result(op, first + i)};
    if (binding.bound == PA_MAYBE) binding.flag = pa_result(op, flags++);
    pa_bind(e, items[i].variable, binding);
  }
  return flags;
}

static int yield_value(pa_emitter *e, pa_branch *branch, MlirValue value, const joined *items, int count,
                       bool is_then) {
  MlirValue *values = PA_NEW_ARRAY(e->arena, MlirValue, 2 * count + 1);
  MlirBlock outer = e->builder.block;
  e->builder.block = branch->block;
  values[0] = value;
  int n = 1 + take_joined(e, items, count, is_then, values + 1);
  e->builder.block = outer;
  yield(e, PA_OP_NAME(SCF_YIELD), branch, values, n);
  return n;
}

MlirValue pa_join_values(pa_emitter *e, MlirValue condition, pa_branch *then, MlirValue then_value,
                         pa_branch *otherwise, MlirValue other_value, MlirType type) {
  if (mlirValueIsNull(condition)) return condition; // after a failure
  MlirType any = e->any;
  e->any = type; // of the unbound value
  then_value = unless_dead(e, then, then_value);
  other_value = unless_dead(e, otherwise, other_value);
  e->any = any;
  joined *items;
  const uint64_t *outer_live = e->live[PA_FALL];
  e->live[PA_FALL] = e->function->by_walrus;
  int count = find_joined(e, then, otherwise, &items);
  e->live[PA_FALL] = outer_live;
  yield_value(e, then, then_value, items, count, true);
  int n = yield_value(e, otherwise, other_value, items, count, false);
  MlirType *types = PA_NEW_ARRAY(e->arena, MlirType, n);
  for (int i = 0; i < n; ++i) types[i] = i ? any : type;
  MlirOperation op = pa_op(&e->builder, PA_OP_NAME(SCF_IF), PA_OPERANDS(condition), PA_RESULT_ARRAY(types, n),
                           PA_REGIONS(then->region, otherwise->region));
  bind_results(e, op, 1, items, count);
  if (!(then->flow.completions | otherwise->flow.completions)) pa_unreachable(e);
  return pa_result(op, 0);
}

static void take_results(pa_emitter *e, MlirOperation op, const joined *items, int count, unsigned completions) {
  int flags = bind_results(e, op, 0, items, count);
  e->flow = (pa_flow){.completions = completions};
  if (!pa_is_single(completions)) e->flow.state = pa_result(op, flags++);
  if (completions & PA_CAN(RETURN)) e->flow.result = pa_result(op, flags);
}

// An else that does nothing is left out.
static void drop_empty(pa_branch *branch) {
  if (!mlirOperationIsNull(mlirBlockGetFirstOperation(branch->block))) return;
  mlirRegionDestroy(branch->region);
  branch->region = mlirRegionCreate();
}

// A condition decides between two regions, or, where it is null, the second one follows where the first one raises.
static void join_regions(pa_emitter *e, MlirValue condition, pa_branch *then, pa_branch *otherwise,
                         const uint64_t *live_fall) {
  const uint64_t *outer_live = e->live[PA_FALL];
  bool dead = e->flow.completions == 0; // within a statement that has raised: stays so
  bool decides = !mlirValueIsNull(condition);
  const char *terminator = decides ? PA_OP_NAME(SCF_YIELD) : PA_OP_NAME(YIELD);
  joined *items;
  e->live[PA_FALL] = live_fall;
  unsigned completions = then->flow.completions | otherwise->flow.completions;
  int count = find_joined(e, then, otherwise, &items);
  e->live[PA_FALL] = outer_live;

  bool results = count || !pa_is_single(completions) || completions & PA_CAN(RETURN);
  int n = yield_joined(e, terminator, then, items, count, true, completions);
  if (results || !decides || !mlirOperationIsNull(mlirBlockGetFirstOperation(otherwise->block)))
    yield_joined(e, terminator, otherwise, items, count, false, completions);
  else
    drop_empty(otherwise);
  MlirType *types = PA_NEW_ARRAY(e->arena, MlirType, n);
  int *variables = PA_NEW_ARRAY(e->arena, int, n + 1);
  for (int i = 0; i < n; ++i) types[i] = e->any, variables[i] = i < count ? items[i].variable : -1;
  MlirOperation op =
      pa_op(&e->builder, decides ? PA_OP_NAME(SCF_IF) : PA_OP_NAME(TRY), .operands = &condition,
            .operand_count = decides, PA_RESULT_ARRAY(types, n), PA_REGIONS(then->region, otherwise->region),
            PA_ATTRS({"pyarray.names", pa_result_names(e, variables, n)}));
  take_results(e, op, items, count, completions);
  if (dead || !completions) pa_unreachable(e);
}

void pa_join(pa_emitter *e, MlirValue condition, pa_branch *then, pa_branch *otherwise, const uint64_t *live_fall) {
  if (mlirValueIsNull(condition)) return; // after a failure
  join_regions(e, condition, then, otherwise, live_fall);
}

void pa_join_try(pa_emitter *e, pa_branch *body, pa_branch *handler, const uint64_t *live_fall) {
  join_regions(e, (MlirValue){NULL}, body, handler, live_fall);
}
