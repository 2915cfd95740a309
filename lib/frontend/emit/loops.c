// Loops. A for that always runs to its end is a pyarray.for; every other loop is an scf.while, and one that can be left
// early has it all in the before region:
//
//   for x in a:         %r:3 = scf.while (%k = %zero) {  %more = pyarray.iter_more %a, %k
//     if x == y:          %s:2 = scf.if %more { %x = pyarray.iter_item %a, %k ... yield $state, result } else { yield 4
//     }
//       return x          scf.condition(%s#0 is 0) %k, %s#0, %s#1
//   return y            } do { scf.yield %k + 1 }
//                       %v = scf.if (%r#1 is not 3) { yield %y } else { yield %r#2 }
//
// Here $state 4 tells that the loop ended by itself. A variable is carried if the loop assigns it and it is live at the
// loop's head.
#include <Python.h>

#include "carried.h"
#include "emit.h"

//===-- What break and continue mean --------------------------------------------------------------===//

typedef struct jump_targets {
  const uint64_t *live[PA_COMPLETION_COUNT];
  bool tail;
} jump_targets;

static jump_targets enter_loop(pa_emitter *e, const pa_statement *loop) {
  jump_targets outer;
  for (int i = 0; i < PA_COMPLETION_COUNT; ++i) outer.live[i] = e->live[i];
  outer.tail = e->tail;
  e->tail = true;
  e->live[PA_BREAK] = loop->live_out;
  e->live[PA_CONTINUE] = loop->live_head;
  e->live[PA_DONE] = loop->live_done;
  return outer;
}

static void leave_loop(pa_emitter *e, const jump_targets *outer) {
  e->tail = outer->tail;
  for (int i = 0; i < PA_COMPLETION_COUNT; ++i) e->live[i] = outer->live[i];
}

//===-- pyarray.for -------------------------------------------------------------------------------===//

// Of a loop over pndindex() in a parallel function: one over prange of blocks of indices, within it one over the axis
// before the last and one over the last axis. Functions of the library, indices.py, say how far each goes.
typedef struct index_loops {
  int depth;                         // how many of the three are around
  MlirValue shape, lead, items, row; // lead: the index without its last two axes; items: what the innermost goes over
} index_loops;

static bool is_over_indices(pa_emitter *e, const pa_expression *iterable) {
  if (!e->function->options.parallel || iterable->kind != PA_CALL || iterable->keywords.count) return false;
  for (int i = 1; i < iterable->count; ++i)
    if (iterable->operands[i]->kind == PA_STARRED) return false;
  PyObject *callee = pa_peek(e, iterable->operands[0]), *name = NULL;
  pa_status failed = callee ? pa_builtin_name(e->importer, callee, &name) : PA_OK;
  if (failed) pa_set_failure(e, failed);
  return name && PyUnicode_CompareWithASCIIString(name, "pyarray.pndindex") == 0;
}

static MlirValue call_with_shape(pa_emitter *e, const char *name, MlirValue place, const index_loops *indices) {
  return pa_emit_builtin_call(e, name, (MlirValue[]){place, indices->shape}, 2);
}

// The range from the one to the other of two numbers that |name| gives.
static MlirValue range_of(pa_emitter *e, const char *name, MlirValue place, const index_loops *indices) {
  MlirValue bounds = call_with_shape(e, name, place, indices);
  MlirOperation ends = pa_op(&e->builder, PA_OP_NAME(UNPACK), PA_OPERANDS(bounds), PA_RESULTS(e->any, e->any));
  return pa_emit_builtin_call(e, "builtins.range", (MlirValue[]){pa_result(ends, 0), pa_result(ends, 1)}, 2);
}

// What the outermost of the loops goes over.
static MlirValue emit_blocks(pa_emitter *e, const pa_statement *loop, index_loops *indices) {
  int count = loop->value->count - 1;
  MlirValue *extents = pa_emit_all(e, loop->value->operands + 1, count);
  if (pa_is_dead(e)) return (MlirValue){NULL};
  pa_at(e, loop->value->place);
  indices->shape = pa_emit_builtin_call(e, "pyarray.shape_of_indices", extents, count);
  MlirValue blocks = pa_emit_builtin_call(e, "pyarray.index_blocks", &indices->shape, 1);
  return pa_emit_builtin_call(e, "pyarray.prange", &blocks, 1);
}

static void emit_for_over(pa_emitter *e, const pa_statement *loop, MlirValue iterable, index_loops *indices);

// In the body of one of the loops, whose item is |place|.
static void emit_within(pa_emitter *e, const pa_statement *loop, MlirValue place, index_loops *indices) {
  switch (indices->depth) {
  case 1:
    indices->lead = call_with_shape(e, "pyarray.index_lead", place, indices);
    indices->items = range_of(e, "pyarray.index_items", place, indices);
    return emit_for_over(e, loop, range_of(e, "pyarray.index_rows", place, indices), indices);
  case 2: indices->row = place; return emit_for_over(e, loop, indices->items, indices);
  default:;
    MlirValue parts[] = {indices->lead, indices->row, place, indices->shape};
    pa_store_target(e, loop->targets[0], pa_emit_builtin_call(e, "pyarray.index_of", parts, 4));
    pa_emit_block(e, &loop->body);
  }
}

static void emit_for_body(pa_emitter *e, const pa_statement *loop, MlirValue item, index_loops *indices) {
  if (indices) return emit_within(e, loop, item, indices);
  pa_store_target(e, loop->targets[0], item);
  pa_emit_block(e, &loop->body);
}

// |indices|: null where the loop is the only one.
static void emit_for_over(pa_emitter *e, const pa_statement *loop, MlirValue iterable, index_loops *indices) {
  if (indices) ++indices->depth;
  pa_carried_list list = pa_carried_in(e, loop);
  int count = pa_carried_width(&list);
  MlirValue *operands = PA_NEW_ARRAY(e->arena, MlirValue, 1 + count);
  MlirValue *yielded = PA_NEW_ARRAY(e->arena, MlirValue, count);
  operands[0] = iterable;
  pa_take_carried(e, &list, operands + 1);

  pa_branch body;
  jump_targets outer = enter_loop(e, loop);
  pa_branch_begin(e, &body, 1 + count);
  MlirValue *arguments = pa_block_arguments(e, body.block);
  pa_bind_carried(e, &list, arguments + 1);
  emit_for_body(e, loop, arguments[0], indices);
  pa_at(e, loop->place);
  pa_take_carried(e, &list, yielded);
  pa_op(&e->builder, PA_OP_NAME(YIELD), PA_OPERAND_ARRAY(yielded, count));
  pa_branch_end(e, &body);
  leave_loop(e, &outer);

  MlirOperation op = pa_op(&e->builder, PA_OP_NAME(FOR), PA_OPERAND_ARRAY(operands, 1 + count),
                           PA_RESULT_ARRAY(pa_any_types(e, count), count), PA_REGIONS(body.region),
                           PA_ATTRS({"pyarray.names", pa_carried_names(e, &list, 0, count)}));
  pa_forget_changes(e, &body);
  pa_bind_carried(e, &list, pa_op_results(e, op, count));
}

static void emit_plain_for(pa_emitter *e, const pa_statement *loop) {
  index_loops indices = {0};
  bool several = is_over_indices(e, loop->value);
  MlirValue iterable = several ? emit_blocks(e, loop, &indices) : pa_emit(e, loop->value);
  if (pa_is_dead(e)) return;
  pa_at(e, loop->place);
  emit_for_over(e, loop, iterable, several ? &indices : NULL);
  pa_emit_block(e, &loop->orelse);
}

//===-- scf.while ---------------------------------------------------------------------------------===//

// An scf.while under construction.
typedef struct while_loop {
  const pa_statement *statement;
  bool is_for, early; // over an iterable; can be left early
  MlirValue iterable;
  MlirValue index; // in the before region
  pa_carried_list in, out;
  unsigned exits;          // BREAK, RETURN and DONE, as far as they can happen
  MlirValue state, result; // of the exit, after the loop
} while_loop;

static MlirValue emit_test(pa_emitter *e, while_loop *w) {
  if (!w->is_for) return pa_emit_condition(e, w->statement->value, false);
  MlirValue more = pa_value(&e->builder, PA_OP_NAME(ITER_MORE), PA_OPERANDS(w->iterable, w->index), PA_RESULTS(e->any));
  return pa_emit_truth(e, more);
}

static void emit_iteration(pa_emitter *e, while_loop *w) {
  if (w->is_for) {
    pa_at(e, w->statement->targets[0]->place);
    MlirValue item =
        pa_value(&e->builder, PA_OP_NAME(ITER_ITEM), PA_OPERANDS(w->iterable, w->index), PA_RESULTS(e->any));
    pa_store_target(e, w->statement->targets[0], item);
  }
  pa_emit_block(e, &w->statement->body);
}

// The test and, if it holds, the body, in the before region; else the loop is done.
static void emit_step(pa_emitter *e, while_loop *w) {
  if (pa_is_endless(w->statement)) return emit_iteration(e, w);
  MlirValue test = emit_test(e, w);
  if (pa_is_dead(e)) return;
  pa_branch then, otherwise;
  pa_branch_begin(e, &then, 0);
  emit_iteration(e, w);
  pa_branch_end(e, &then);
  pa_branch_begin(e, &otherwise, 0);
  e->flow = (pa_flow){.completions = PA_CAN(DONE)};
  pa_branch_end(e, &otherwise);
  pa_at(e, w->statement->place);
  pa_join(e, test, &then, &otherwise, w->statement->live_head);
}

static MlirValue constant_i1(pa_emitter *e, bool value) {
  return pa_value(&e->builder, PA_OP_NAME(CONSTANT), PA_RESULTS(e->i1),
                  PA_ATTRS({"value", mlirIntegerAttrGet(e->i1, value)}));
}

// Whether there is a next iteration: $state is 0 or 2 (ORDER COMPLETIONS).
static MlirValue goes_on(pa_emitter *e) {
  unsigned next = e->flow.completions & (PA_CAN(FALL) | PA_CAN(CONTINUE));
  if (next == 0 || next == e->flow.completions) return constant_i1(e, next != 0);
  if (next == PA_CAN(FALL)) return pa_flow_falls(e, e->flow);
  if (next == PA_CAN(CONTINUE)) return pa_state_is(e, e->flow.state, PA_CONTINUE);
  MlirValue mask = pa_emit_int(e, PA_BREAK | PA_DONE); // PA_RETURN has PA_BREAK's bit
  return pa_state_is(e, pa_emit_binary(e, PYARRAY_BINARY_AND, e->flow.state, mask, false), PA_FALL);
}

// Whether anything asks afterwards by which exit the loop was left.
static bool needs_state(const while_loop *w) {
  return !pa_is_single(w->exits) && (w->exits & PA_CAN(RETURN) || w->statement->orelse.count);
}

// Ends the before region: |*out_count| values are forwarded.
static void emit_scf_condition(pa_emitter *e, while_loop *w, MlirValue condition, int *out_count) {
  unsigned exits = PA_CAN(BREAK) | PA_CAN(RETURN) | PA_CAN(DONE);
  w->exits = e->flow.completions & exits;
  if (!w->early && !pa_is_dead(e) && !pa_is_endless(w->statement)) w->exits = PA_CAN(DONE);
  w->out = pa_carried_out(e, w->statement, &w->in);
  MlirValue *operands = PA_NEW_ARRAY(e->arena, MlirValue, 4 + pa_carried_width(&w->out));
  int n = 0;
  operands[n++] = condition;
  if (w->is_for) operands[n++] = w->index;
  pa_take_carried(e, &w->out, operands + n);
  n += pa_carried_width(&w->out);
  if (needs_state(w)) operands[n++] = pa_flow_state(e, e->flow);
  if (w->exits & PA_CAN(RETURN)) operands[n++] = e->flow.result;
  pa_op(&e->builder, PA_OP_NAME(SCF_CONDITION), PA_OPERAND_ARRAY(operands, n));
  *out_count = n - 1;
}

static int emit_before(pa_emitter *e, while_loop *w, pa_branch *before) {
  int count;
  pa_branch_begin(e, before, w->is_for + pa_carried_width(&w->in));
  MlirValue *arguments = pa_block_arguments(e, before->block);
  if (w->is_for) w->index = arguments[0];
  pa_bind_carried(e, &w->in, arguments + w->is_for);
  MlirValue condition = {NULL};
  if (w->early)
    emit_step(e, w);
  else
    condition = emit_test(e, w);
  pa_drop_unreachable(e);
  pa_at(e, w->statement->place);
  if (w->early || e->flow.completions == 0) condition = goes_on(e);
  emit_scf_condition(e, w, condition, &count);
  pa_branch_end(e, before);
  return count;
}

static void emit_after(pa_emitter *e, while_loop *w, pa_branch *after, int count) {
  MlirValue *yielded = PA_NEW_ARRAY(e->arena, MlirValue, 1 + pa_carried_width(&w->in));
  pa_branch_begin(e, after, count);
  MlirValue *arguments = pa_block_arguments(e, after->block);
  pa_bind_carried(e, &w->out, arguments + w->is_for);
  if (!w->early) pa_emit_block(e, &w->statement->body);
  pa_at(e, w->statement->place);
  if (w->is_for) yielded[0] = pa_emit_binary(e, PYARRAY_BINARY_ADD, arguments[0], pa_emit_int(e, 1), false);
  pa_take_carried(e, &w->in, yielded + w->is_for);
  pa_op(&e->builder, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(yielded, w->is_for + pa_carried_width(&w->in)));
  pa_branch_end(e, after);
}

static void emit_while_op(pa_emitter *e, while_loop *w) {
  pa_branch before, after;
  w->in = pa_carried_in(e, w->statement);
  int in_count = w->is_for + pa_carried_width(&w->in);
  MlirValue *inits = PA_NEW_ARRAY(e->arena, MlirValue, in_count);
  if (w->is_for) inits[0] = pa_emit_int(e, 0);
  pa_take_carried(e, &w->in, inits + w->is_for);

  jump_targets outer = enter_loop(e, w->statement);
  int count = emit_before(e, w, &before);
  emit_after(e, w, &after, count);
  leave_loop(e, &outer);
  MlirOperation op = pa_op(&e->builder, PA_OP_NAME(SCF_WHILE), PA_OPERAND_ARRAY(inits, in_count),
                           PA_RESULT_ARRAY(pa_any_types(e, count), count), PA_REGIONS(before.region, after.region),
                           PA_ATTRS({"pyarray.names", pa_carried_names(e, &w->out, w->is_for, count)}));
  pa_forget_changes(e, &before);
  pa_forget_changes(e, &after);
  MlirValue *results = pa_op_results(e, op, count);
  pa_bind_carried(e, &w->out, results + w->is_for);
  if (w->exits & PA_CAN(RETURN)) w->result = results[--count];
  if (needs_state(w)) w->state = results[--count];
}

//===-- After the loop ----------------------------------------------------------------------------===//

// The flow after those |exits| that run no else: a return goes on, the others fall.
static void leave_by(pa_emitter *e, const while_loop *w, unsigned exits) {
  unsigned completions = exits & PA_CAN(RETURN);
  if (exits & ~PA_CAN(RETURN)) completions |= PA_CAN(FALL);
  e->flow = (pa_flow){.completions = completions, .result = w->result};
  if (!completions) return pa_unreachable(e);
  if (pa_is_single(completions)) return;
  MlirValue returned = pa_emit_int(e, PA_RETURN);
  e->flow.falls = pa_emit_truth(e, pa_emit_compare(e, PYARRAY_COMPARE_NE, w->state, returned));
}

static void emit_loop_else(pa_emitter *e, const while_loop *w) {
  const pa_statement *loop = w->statement;
  if (w->exits == PA_CAN(DONE)) return pa_emit_block(e, &loop->orelse);
  pa_branch then, otherwise;
  MlirValue done = pa_state_is(e, w->state, PA_DONE);
  pa_branch_begin(e, &then, 0);
  pa_emit_block(e, &loop->orelse);
  pa_branch_end(e, &then);
  pa_at(e, loop->place);
  pa_branch_begin(e, &otherwise, 0);
  leave_by(e, w, w->exits & ~PA_CAN(DONE));
  pa_branch_end(e, &otherwise);
  pa_join(e, done, &then, &otherwise, loop->live_out);
}

static void leave_loop_by(pa_emitter *e, const while_loop *w) {
  if (pa_failed(&e->builder)) return;
  if (w->statement->orelse.count && w->exits & PA_CAN(DONE))
    emit_loop_else(e, w);
  else
    leave_by(e, w, w->exits);
}

//===-- Loops over literal_unroll() ---------------------------------------------------------------===//

// The operation |name| that makes |value|, or a null one.
static MlirOperation maker_of(MlirValue value, const char *name) {
  MlirOperation op = mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
  return pa_op_is(op, name) ? op : (MlirOperation){NULL};
}

static bool is_one_of(MlirStringRef name, const char *const *names, int count) {
  for (int i = 0; i < count; ++i)
    if (pa_ref_equal(name, names[i])) return true;
  return false;
}

// Whether it is literal_unroll(x), or enumerate, zip or reversed of one: items may differ in type.
static bool is_unrolled(MlirValue value) {
  static const char *const unroll[] = {"pyarray.literal_unroll"}, *const holders[] = {"builtins.enumerate",
                                                                                      "builtins.zip",
                                                                                      "builtins.reversed"};
  MlirOperation op = maker_of(value, PA_OP_NAME(APPLY));
  if (mlirOperationIsNull(op)) return false;
  MlirOperation callable = maker_of(mlirOperationGetOperand(op, 0), PA_OP_NAME(CALLABLE));
  if (mlirOperationIsNull(callable)) return false;
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(callable, "name"));
  bool unrolled = is_one_of(name, unroll, 1);
  for (intptr_t i = 1; !unrolled && is_one_of(name, holders, 3) && i < mlirOperationGetNumOperands(op); ++i)
    unrolled = is_unrolled(mlirOperationGetOperand(op, i));
  return unrolled;
}

// Values of variables, then the state and what is returned.
static pa_carried_list carried_through(pa_emitter *e, const pa_statement *loop) {
  pa_carried_list list = pa_carried_in(e, loop);
  for (int v = 0; v < (int)e->function->variable_count; ++v) {
    if (!pa_has(loop->assigned, v) || pa_has(loop->live_head, v) || !pa_has(loop->live_out, v)) continue;
    list.items[list.count++] = (pa_carried){v, PA_MAYBE, true};
    ++list.flags;
  }
  return list;
}

// What an iteration does unless an earlier one left the loop; the flow is that of both.
static void emit_unless_left(pa_emitter *e, const pa_statement *loop, const MlirValue *item, const MlirValue *exit) {
  pa_branch then, otherwise;
  MlirValue test = pa_state_is(e, exit[0], PA_DONE);
  pa_branch_begin(e, &then, 0);
  pa_store_target(e, loop->targets[0], *item);
  pa_emit_block(e, &loop->body);
  pa_branch_end(e, &then);
  pa_branch_begin(e, &otherwise, 0);
  unsigned left = loop->body.completions & (PA_CAN(BREAK) | PA_CAN(RETURN));
  e->flow = (pa_flow){.completions = left, .state = exit[0], .result = exit[1]};
  pa_branch_end(e, &otherwise);
  pa_at(e, loop->place);
  pa_join(e, test, &then, &otherwise, loop->live_head);
  pa_drop_unreachable(e);
}

static MlirValue next_state(pa_emitter *e) {
  pa_branch then, otherwise;
  MlirValue again = goes_on(e), left = pa_flow_state(e, e->flow);
  pa_branch_begin(e, &then, 0);
  MlirValue done = pa_emit_int(e, PA_DONE);
  pa_branch_end(e, &then);
  pa_branch_begin(e, &otherwise, 0);
  pa_branch_end(e, &otherwise);
  return pa_join_values(e, again, &then, done, &otherwise, left, e->any);
}

// Each iteration asks whether an earlier one left the loop, and there is none less:
//
//   %r:2 = pyarray.for (%x, %s) in %items iter(4) { %t = scf.if (%s is 4) { ... } else { yield %s }
//                                                   %u = scf.if (%t is 0 or 2) { yield 4 } else { yield %t } }
static void emit_unrolled_for(pa_emitter *e, const pa_statement *loop, MlirValue iterable) {
  pa_carried_list list = carried_through(e, loop);
  int count = pa_carried_width(&list), all = count + 2;
  MlirValue *operands = PA_NEW_ARRAY(e->arena, MlirValue, 1 + all), *yielded = PA_NEW_ARRAY(e->arena, MlirValue, all);
  operands[0] = iterable;
  pa_take_carried(e, &list, operands + 1);
  operands[1 + count] = pa_emit_int(e, PA_DONE);
  operands[2 + count] = pa_emit_unbound(e, e->any);
  pa_branch body;
  jump_targets outer = enter_loop(e, loop);
  pa_branch_begin(e, &body, 1 + all);
  MlirValue *arguments = pa_block_arguments(e, body.block);
  pa_bind_carried(e, &list, arguments + 1);
  emit_unless_left(e, loop, arguments, arguments + 1 + count);
  yielded[count] = next_state(e);
  yielded[count + 1] = e->flow.completions & PA_CAN(RETURN) ? e->flow.result : pa_emit_unbound(e, e->any);
  pa_take_carried(e, &list, yielded);
  pa_op(&e->builder, PA_OP_NAME(YIELD), PA_OPERAND_ARRAY(yielded, all));
  pa_branch_end(e, &body);
  leave_loop(e, &outer);
  MlirOperation op = pa_op(&e->builder, PA_OP_NAME(FOR), PA_OPERAND_ARRAY(operands, 1 + all),
                           PA_RESULT_ARRAY(pa_any_types(e, all), all), PA_REGIONS(body.region),
                           PA_ATTRS({"pyarray.names", pa_carried_names(e, &list, 0, all)}));
  pa_forget_changes(e, &body);
  MlirValue *results = pa_op_results(e, op, all);
  pa_bind_carried(e, &list, results);
  leave_loop_by(e, &(while_loop){.statement = loop,
                                 .exits = PA_CAN(DONE) | (loop->body.completions & (PA_CAN(BREAK) | PA_CAN(RETURN))),
                                 .state = results[count],
                                 .result = results[count + 1]});
}

//===-- All loops ---------------------------------------------------------------------------------===//

static void emit_while(pa_emitter *e, const pa_statement *loop) {
  while_loop w = {.statement = loop,
                  .is_for = loop->kind == PA_FOR,
                  .early = (loop->body.completions & (PA_CAN(BREAK) | PA_CAN(RETURN))) != 0};
  if (w.is_for) {
    w.iterable = pa_emit(e, loop->value);
    if (pa_is_dead(e)) return;
    pa_at(e, loop->place);
    if (is_unrolled(w.iterable)) return emit_unrolled_for(e, loop, w.iterable);
    w.iterable = pa_value(&e->builder, PA_OP_NAME(ITERATOR), PA_OPERANDS(w.iterable), PA_RESULTS(e->any));
  }
  emit_while_op(e, &w);
  leave_loop_by(e, &w);
}

void pa_emit_loop(pa_emitter *e, const pa_statement *loop) {
  bool early = loop->body.completions & (PA_CAN(BREAK) | PA_CAN(RETURN)), bare;
  if (loop->kind == PA_WHILE && pa_known_truth(e, loop->value, &bare) == 0) {
    if (!bare) pa_emit_condition(e, loop->value, false);
    if (!pa_is_dead(e)) pa_emit_block(e, &loop->orelse);
    return;
  }
  if (loop->kind == PA_FOR && !early)
    emit_plain_for(e, loop);
  else
    emit_while(e, loop);
}
