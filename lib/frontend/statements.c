// Statements to operations, and what follows a statement that may not fall through.
//
//   if c: return 1      %0 = scf.if %c -> (!pyarray.any) { scf.yield %one }      one branch always leaves: the rest
//   moves return x                 else { scf.yield %x }                             into the other, and no state is
//   needed
#include <Python.h>

#include "importer.h"

static void emit_from(pa_emitter *e, const pa_block *block, int index);

//===-- Assignment --------------------------------------------------------------------------------===//

static void store_tuple(pa_emitter *e, const pa_expression *target, MlirValue value) {
  MlirType *types = PA_NEW_ARRAY(e->arena, MlirType, target->count);
  for (int i = 0; i < target->count; ++i) types[i] = e->any;
  pa_at(e, target->place);
  MlirOperation op = pa_op(&e->builder, PA_OP_NAME(UNPACK), PA_OPERANDS(value), PA_RESULT_ARRAY(types, target->count));
  for (int i = 0; i < target->count; ++i) pa_store_target(e, target->operands[i], pa_result(op, i));
}

// |operands| are the object and the indices of |subscript|.
static void setitem(pa_emitter *e, const pa_expression *subscript, const MlirValue *operands, MlirValue value) {
  int count = subscript->count + 1;
  MlirValue *all = PA_NEW_ARRAY(e->arena, MlirValue, count);
  for (int i = 0; i < subscript->count; ++i) all[i] = operands[i];
  all[count - 1] = value;
  pa_at(e, subscript->place);
  pa_op(&e->builder, PA_OP_NAME(SETITEM), PA_OPERAND_ARRAY(all, count));
}

void pa_store_target(pa_emitter *e, const pa_expression *target, MlirValue value) {
  switch (target->kind) {
  case PA_NAME: pa_bind(e, target->name->variable, (pa_binding){.bound = PA_BOUND, .value = value}); break;
  case PA_TUPLE: store_tuple(e, target, value); break;
  default: setitem(e, target, pa_emit_all(e, target->operands, target->count), value); break;
  }
}

// `a, b = b, a` needs no tuple.
static bool is_elementwise(const pa_statement *s) {
  return s->count == 1 && s->targets[0]->kind == PA_TUPLE && s->value->kind == PA_TUPLE &&
         s->targets[0]->count == s->value->count;
}

static void emit_assign(pa_emitter *e, const pa_statement *s) {
  if (is_elementwise(s)) {
    MlirValue *values = pa_emit_all(e, s->value->operands, s->value->count);
    for (int i = 0; i < s->value->count; ++i) pa_store_target(e, s->targets[0]->operands[i], values[i]);
    return;
  }
  MlirValue value = pa_emit(e, s->value);
  for (int i = 0; i < s->count; ++i) pa_store_target(e, s->targets[i], value);
}

static void emit_augment(pa_emitter *e, const pa_statement *s) {
  const pa_expression *target = s->targets[0];
  if (target->kind == PA_NAME) {
    MlirValue old = pa_emit(e, target), value = pa_emit(e, s->value);
    pa_at(e, s->place);
    pa_store_target(e, target, pa_emit_binary(e, s->operation, old, value, true));
    return;
  }
  MlirValue *operands = pa_emit_all(e, target->operands, target->count);
  pa_at(e, target->place);
  MlirValue old = pa_emit_getitem(e, operands, target->count), value = pa_emit(e, s->value);
  pa_at(e, s->place);
  setitem(e, target, operands, pa_emit_binary(e, s->operation, old, value, true));
}

static void emit_delete(pa_emitter *e, const pa_statement *s) {
  for (int i = 0; i < s->count; ++i) {
    pa_emit(e, s->targets[i]); // raises where it is not bound
    pa_bind(e, s->targets[i]->name->variable, (pa_binding){.bound = PA_UNBOUND});
  }
}

//===-- Exceptions --------------------------------------------------------------------------------===//

static void require_constant(pa_emitter *e, const pa_expression *argument) {
  PyObject *object = NULL;
  if (argument->kind == PA_CONSTANT) return;
  if (argument->kind == PA_TUPLE) {
    for (int i = 0; i < argument->count; ++i) require_constant(e, argument->operands[i]);
    return;
  }
  pa_status failure = pa_resolve(e, argument, &object);
  if (failure) return pa_set_failure(e, failure);
  if (object) return;
  pa_fail_emission(
      e, PA_CODE_UNSUPPORTED, argument->place,
      "an exception with an argument computed at run time is not supported in compiled code; give it constants");
}

static void raise(pa_emitter *e, const pa_statement *s, const char *exception) {
  for (int i = 0; i < s->count; ++i) require_constant(e, s->targets[i]);
  MlirValue *arguments = pa_emit_all(e, s->targets, s->count);
  pa_at(e, s->place);
  pa_emit_raise(e, exception, arguments, s->count);
}

static void emit_raise(pa_emitter *e, const pa_statement *s) {
  const char *exception = NULL;
  pa_status failure = pa_exception_name(e, s->value, &exception);
  if (failure) return pa_set_failure(e, failure);
  raise(e, s, exception);
}

static void emit_assert(pa_emitter *e, const pa_statement *s) {
  if (!s->completions) return raise(e, s, "AssertionError");
  MlirValue failed = pa_emit_condition(e, s->value, true);
  if (pa_is_dead(e)) return;
  pa_branch then, otherwise;
  pa_at(e, s->place);
  pa_branch_begin(e, &then, 0);
  raise(e, s, "AssertionError");
  pa_branch_end(e, &then);
  pa_branch_begin(e, &otherwise, 0);
  pa_branch_end(e, &otherwise);
  pa_at(e, s->place);
  pa_join(e, failed, &then, &otherwise, NULL);
}

static void emit_return(pa_emitter *e, const pa_statement *s) {
  MlirValue value = pa_emit(e, s->value);
  if (pa_is_dead(e)) return;
  e->flow = (pa_flow){.completions = PA_CAN(RETURN), .result = value};
}

static void emit_jump(pa_emitter *e, const pa_statement *s) {
  bool falls = e->tail && s->completions == PA_CAN(CONTINUE);
  e->flow = (pa_flow){.completions = falls ? PA_CAN(FALL) : s->completions};
}

//===-- Lists -------------------------------------------------------------------------------------===//

// Emits block[index..] for the case that what came before falls through.
static void emit_guarded(pa_emitter *e, const pa_block *block, int index) {
  pa_flow flow = e->flow;
  pa_branch then, otherwise;
  pa_place place = block->statements[index]->place;
  pa_at(e, place);
  MlirValue falls = pa_flow_falls(e, flow);
  pa_branch_begin(e, &then, 0);
  emit_from(e, block, index);
  pa_branch_end(e, &then);
  pa_branch_begin(e, &otherwise, 0);
  e->flow = flow;
  e->flow.completions &= ~PA_CAN(FALL);
  e->flow.falls = (MlirValue){NULL};
  pa_branch_end(e, &otherwise);
  pa_at(e, place);
  pa_join(e, falls, &then, &otherwise, block->live_out);
}

static void emit_rest(pa_emitter *e, const pa_block *block, int index) {
  if (pa_is_dead(e) || index >= block->count || !(e->flow.completions & PA_CAN(FALL))) return;
  if (e->flow.completions == PA_CAN(FALL))
    emit_from(e, block, index);
  else
    emit_guarded(e, block, index);
}

// A list of an if's branch, and after it what follows the if, if that is to go in here.
static void emit_branch(pa_emitter *e, const pa_block *block, const pa_block *rest, int index) {
  bool tail = e->tail, goes_on = rest && block->completions & PA_CAN(FALL);
  e->tail = tail && !goes_on;
  pa_emit_block(e, block);
  e->tail = tail;
  if (goes_on) emit_rest(e, rest, index);
}

// The truth of a frozen bool, None or int, as in `if DEBUG:`, or -1. The other branch is not emitted: it may name what
// compiled code does not have.
static int frozen_truth(pa_emitter *e, const pa_expression *x) {
  if (x->kind == PA_UNARY && x->operation == PYARRAY_UNARY_NOT) {
    int inner = frozen_truth(e, x->operands[0]);
    return inner < 0 ? inner : !inner;
  }
  if (x->kind != PA_NAME && x->kind != PA_ATTRIBUTE) return -1;
  PyObject *object = NULL;
  pa_status status = pa_resolve(e, x, &object);
  if (status) { // said again, with its place, where the name is emitted
    pa_status_free(status);
    PyErr_Clear();
    return -1;
  }
  bool frozen = object && (object == Py_None || PyBool_Check(object) || PyLong_CheckExact(object));
  return frozen ? PyObject_IsTrue(object) : -1;
}

// An if; with |rest|, what follows it, rest[index..], goes into the branch that falls through.
static void emit_if(pa_emitter *e, const pa_statement *s, const pa_block *rest, int index) {
  int known = frozen_truth(e, s->value);
  if (known >= 0) {
    emit_branch(e, known ? &s->body : &s->orelse, rest, index);
    return;
  }
  MlirValue condition = pa_emit_condition(e, s->value, false);
  if (pa_is_dead(e)) return;
  pa_branch then, otherwise;
  pa_at(e, s->place);
  pa_branch_begin(e, &then, 0);
  emit_branch(e, &s->body, rest, index);
  pa_branch_end(e, &then);
  pa_at(e, s->place);
  pa_branch_begin(e, &otherwise, 0);
  emit_branch(e, &s->orelse, rest, index);
  pa_branch_end(e, &otherwise);
  pa_at(e, s->place);
  pa_join(e, condition, &then, &otherwise, rest ? rest->live_out : s->live_out);
}

static void emit_statement(pa_emitter *e, const pa_statement *s) {
  pa_at(e, s->place);
  switch (s->kind) {
  case PA_ASSIGN: emit_assign(e, s); break;
  case PA_AUGMENT: emit_augment(e, s); break;
  case PA_DELETE: emit_delete(e, s); break;
  case PA_EVALUATE: pa_emit(e, s->value); break;
  case PA_IF: emit_if(e, s, NULL, 0); break;
  case PA_WHILE:
  case PA_FOR: pa_emit_loop(e, s); break;
  case PA_JUMP: emit_jump(e, s); break;
  case PA_RETURN_: emit_return(e, s); break;
  case PA_RAISE: emit_raise(e, s); break;
  case PA_ASSERT: emit_assert(e, s); break;
  }
}

// Exactly one branch can fall through, and the other leaves otherwise than by a raise.
static bool moves_rest(const pa_statement *s) {
  unsigned then = s->body.completions, otherwise = s->orelse.completions;
  if (s->kind != PA_IF || !((then ^ otherwise) & PA_CAN(FALL))) return false;
  return (then & PA_CAN(FALL) ? otherwise : then) != 0;
}

static void emit_from(pa_emitter *e, const pa_block *block, int index) {
  bool tail = e->tail;
  for (int i = index; i < block->count && !pa_failed(&e->builder); ++i) {
    const pa_statement *s = block->statements[i];
    bool last = i + 1 == block->count;
    bool moved = !last && moves_rest(s);
    e->tail = tail && (last || moved);
    if (moved)
      emit_if(e, s, block, i + 1);
    else
      emit_statement(e, s);
    pa_settle(e);
    e->tail = tail;
    if (last || moved) return;
    if (e->flow.completions == PA_CAN(FALL)) continue;
    return emit_rest(e, block, i + 1);
  }
}

void pa_emit_block(pa_emitter *e, const pa_block *block) { emit_from(e, block, 0); }
