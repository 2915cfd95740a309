// Statements to operations, and what follows a statement that may not fall through.
//
//   if c: return 1      %0 = scf.if %c -> (!pyarray.any) { scf.yield %one }      one branch always leaves: the rest
//   moves return x                 else { scf.yield %x }                             into the other, and no state is
//   needed
#include <Python.h>

#include "emit.h"

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

static MlirAttribute attribute_name(const pa_emitter *e, const pa_expression *attribute) {
  return pa_string_attr(e->importer->context, attribute->text);
}

static void setattr(pa_emitter *e, const pa_expression *attribute, MlirValue object, MlirValue value) {
  pa_at(e, attribute->place);
  pa_op(&e->builder, PA_OP_NAME(SETATTR), PA_OPERANDS(object, value), PA_ATTRS({"name", attribute_name(e, attribute)}));
}

static MlirValue slice_of(pa_emitter *e, int first, int last) {
  MlirValue none = pa_emit_constant(e, pa_unit_attr(e->importer->context)), stop = last ? pa_emit_int(e, -last) : none;
  return pa_value(&e->builder, PA_OP_NAME(SLICE), PA_OPERANDS(pa_emit_int(e, first), stop, none), PA_RESULTS(e->any));
}

// a, *b, c = value: value[0], list(value[1:-1]), value[-1], once it is long enough.
static void store_starred(pa_emitter *e, const pa_expression *target, int star, MlirValue value) {
  int behind = target->count - 1 - star;
  pa_at(e, target->place);
  value = pa_emit_builtin_call(e, "pyarray.sequence", &value, 1); // a list of a generator's items
  pa_emit_builtin_call(e, "pyarray.unpack_at_least", (MlirValue[]){value, pa_emit_int(e, target->count - 1)}, 2);
  MlirValue *items = PA_NEW_ARRAY(e->arena, MlirValue, target->count);
  for (int i = 0; i < target->count; ++i) {
    MlirValue index = i == star ? slice_of(e, star, behind) : pa_emit_int(e, i < star ? i : i - target->count);
    items[i] = pa_emit_getitem(e, (MlirValue[]){value, index}, 2);
    if (i == star) items[i] = pa_emit_builtin_call(e, "builtins.list", &items[i], 1);
  }
  for (int i = 0; i < target->count; ++i)
    pa_store_target(e, i == star ? target->operands[i]->operands[0] : target->operands[i], items[i]);
}

static int find_star(const pa_expression *target) {
  for (int i = 0; i < target->count; ++i)
    if (target->operands[i]->kind == PA_STARRED) return i;
  return -1;
}

MlirValue pa_as_declared(pa_emitter *e, const pa_name *name, MlirValue value) {
  PyObject *declared = e->function->outer || name->scoped ? NULL : e->function->options.locals;
  PyObject *callable = declared && PyDict_Check(declared) ? PyDict_GetItemString(declared, name->text) : NULL;
  const char *class = callable && !pa_is_dead(e) ? pa_python_text(e->importer, callable) : NULL;
  if (!class) return value;
  MlirValue number = pa_emit_builtin_call(e, class, &value, 1);
  MlirOperation callee = mlirOpResultGetOwner(mlirOperationGetOperand(mlirOpResultGetOwner(number), 0));
  mlirOperationSetAttributeByName(callee, pa_ref("pyarray.of_locals"), mlirUnitAttrGet(e->importer->context));
  return number;
}

void pa_store_target(pa_emitter *e, const pa_expression *target, MlirValue value) {
  switch (target->kind) {
  case PA_NAME:
    value = pa_as_declared(e, target->name, value);
    pa_set_variable(e, target->name->variable, (pa_binding){.bound = PA_BOUND, .value = value});
    break;
  case PA_TUPLE:
    if (find_star(target) >= 0)
      store_starred(e, target, find_star(target), value);
    else
      store_tuple(e, target, value);
    break;
  case PA_ATTRIBUTE: setattr(e, target, pa_emit(e, target->operands[0]), value); break;
  default: setitem(e, target, pa_emit_subscript(e, target), value); break;
  }
}

// `a, b = b, a` needs no tuple.
static bool is_elementwise(const pa_statement *s) {
  return s->count == 1 && s->targets[0]->kind == PA_TUPLE && s->value->kind == PA_TUPLE &&
         s->targets[0]->count == s->value->count && find_star(s->targets[0]) < 0;
}

static void emit_assign(pa_emitter *e, const pa_statement *s) {
  if (is_elementwise(s)) {
    MlirValue *values = pa_emit_all(e, s->value->operands, s->value->count);
    for (int i = 0; i < s->value->count; ++i) pa_store_target(e, s->targets[0]->operands[i], values[i]);
    return;
  }
  MlirValue value = pa_emit(e, s->value);
  pa_note_exact(e, s);
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
  MlirValue *operands =
      target->kind == PA_SUBSCRIPT ? pa_emit_subscript(e, target) : pa_emit_all(e, target->operands, target->count);
  pa_at(e, target->place);
  if (target->kind == PA_ATTRIBUTE) {
    MlirValue before = pa_value(&e->builder, PA_OP_NAME(GETATTR), PA_OPERANDS(operands[0]), PA_RESULTS(e->any),
                                PA_ATTRS({"name", attribute_name(e, target)}));
    MlirValue change = pa_emit(e, s->value);
    pa_at(e, s->place);
    setattr(e, target, operands[0], pa_emit_binary(e, s->operation, before, change, true));
    return;
  }
  MlirValue old = pa_emit_getitem(e, operands, target->count), value = pa_emit(e, s->value);
  pa_at(e, s->place);
  setitem(e, target, operands, pa_emit_binary(e, s->operation, old, value, true));
}

static void emit_delete(pa_emitter *e, const pa_statement *s) {
  for (int i = 0; i < s->count; ++i) {
    if (s->targets[i]->kind == PA_SUBSCRIPT) {
      MlirValue *operands = pa_emit_subscript(e, s->targets[i]);
      pa_at(e, s->targets[i]->place);
      pa_op(&e->builder, PA_OP_NAME(DELITEM), PA_OPERAND_ARRAY(operands, s->targets[i]->count));
      continue;
    }
    pa_emit(e, s->targets[i]); // raises where it is not bound
    pa_set_variable(e, s->targets[i]->name->variable, (pa_binding){.bound = PA_UNBOUND});
  }
}

//===-- Leaving -----------------------------------------------------------------------------------===//

static void emit_return(pa_emitter *e, const pa_statement *s) {
  bool none = s->value->kind == PA_CONSTANT && mlirAttributeIsAUnit(s->value->constant.value);
  if (e->function->is_generator && !none)
    pa_fail_emission(
        e, PA_CODE_UNSUPPORTED, s->place,
        "'return' with a value in a generator is not supported in compiled code; yield the value, or leave it out");
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

void pa_emit_rest(pa_emitter *e, const pa_block *block, int index) {
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
  if (goes_on) pa_emit_rest(e, rest, index);
}

// An if; with |rest|, what follows it, rest[index..], goes into the branch that falls through.
static void emit_if(pa_emitter *e, const pa_statement *s, const pa_block *rest, int index) {
  bool bare;
  int known = pa_known_truth(e, s->value, &bare);
  if (known >= 0 && !(s->filters && known == 0)) {
    if (!bare) pa_emit_condition(e, s->value, false);
    if (pa_is_dead(e)) return;
    emit_branch(e, known ? &s->body : &s->orelse, rest, index);
    return;
  }
  MlirValue condition = pa_emit_condition(e, s->value, false);
  if (pa_is_dead(e)) return;
  if (s->filters && !mlirValueIsNull(condition) && mlirValueIsAOpResult(condition) &&
      (known == 0 || s->value->kind == PA_CONSTANT))
    pa_set_attr(mlirOpResultGetOwner(condition), "pyarray.filter", pa_unit_attr(e->importer->context));
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
  case PA_IMPORT: pa_emit_import(e, s); break;
  case PA_WHILE:
  case PA_FOR: pa_emit_loop(e, s); break;
  case PA_JUMP: emit_jump(e, s); break;
  case PA_RETURN_: emit_return(e, s); break;
  case PA_RAISE:
  case PA_ASSERT: pa_emit_raise_statement(e, s); break;
  case PA_TRY_: pa_emit_try(e, s); break;
  case PA_FINALLY: pa_emit_finally(e, s); break;
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
    pa_drop_unreachable(e);
    e->tail = tail;
    if (last || moved) return;
    if (e->flow.completions == PA_CAN(FALL)) continue;
    return pa_emit_rest(e, block, i + 1);
  }
}

void pa_emit_block(pa_emitter *e, const pa_block *block) { emit_from(e, block, 0); }
