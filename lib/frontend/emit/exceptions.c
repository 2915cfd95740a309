// raise, assert, try and finally.
//
//   try:              %v = pyarray.variable                        assigned in the body and read in the handler: in
//   memory too
//     x = f()         %r = pyarray.try { %x = ...; pyarray.store %x, %v; pyarray.yield %x } except {
//   except E:           %is = pyarray.caught ["E"]
//     y = x             scf.if %is { %x = pyarray.load %v ... } else { pyarray.reraise }
//
// A finally block is emitted twice: in a handler, before the exception goes on, and once behind the try for every other
// way in which its body can end.
#include <Python.h>

#include "emit.h"

//===-- raise and assert --------------------------------------------------------------------------===//

static void reraise(pa_emitter *e, MlirValue exception) {
  bool of_caller = mlirValueIsNull(exception) && !e->handlers;
  MlirAttribute flag = of_caller ? mlirUnitAttrGet(e->importer->context) : (MlirAttribute){NULL};
  pa_op(&e->builder, PA_OP_NAME(RERAISE), .operands = &exception, .operand_count = !mlirValueIsNull(exception),
        PA_ATTRS({"of_caller", flag}));
  pa_unreachable(e);
}

static bool is_variable(const pa_expression *x) { return x->kind == PA_NAME && x->name->variable >= 0; }

static void emit_cause(pa_emitter *e, const pa_expression *cause) {
  bool none = cause->kind == PA_CONSTANT && mlirAttributeIsAUnit(cause->constant.value), call = cause->kind == PA_CALL;
  pa_exception_class class = {0};
  MlirValue *arguments = NULL;
  int count = call ? cause->count - 1 : is_variable(cause);
  pa_status failure =
      none || is_variable(cause) ? PA_OK : pa_exception_class_of(e, call ? cause->operands[0] : cause, &class);
  if (failure) return pa_set_failure(e, failure);
  if (call)
    arguments = pa_emit_all(e, cause->operands + 1, count);
  else if (count)
    arguments = pa_emit_all(e, (pa_expression *const[]){(pa_expression *)cause}, 1);
  if (pa_is_dead(e)) return;
  MlirAttribute name = class.name ? pa_string_attr(e->importer->context, class.name) : (MlirAttribute){NULL};
  pa_op(&e->builder, PA_OP_NAME(CAUSE), PA_OPERAND_ARRAY(arguments, count),
        PA_ATTRS({"exception", name}, {"bases", class.bases}));
}

static void raise_new(pa_emitter *e, const pa_statement *s, pa_exception_class class) {
  MlirValue *arguments = pa_emit_all(e, s->targets, s->count);
  if (s->cause) emit_cause(e, s->cause); // after the arguments, whose own errors it is not the cause of
  if (pa_is_dead(e)) return;
  pa_at(e, s->place);
  pa_op(&e->builder, PA_OP_NAME(RAISE), PA_OPERAND_ARRAY(arguments, s->count),
        PA_ATTRS({"exception", pa_string_attr(e->importer->context, class.name)}, {"bases", class.bases}));
  pa_unreachable(e);
}

static void emit_raise(pa_emitter *e, const pa_statement *s) {
  pa_exception_class class;
  if (!s->value) return reraise(e, (MlirValue){NULL});
  bool again = is_variable(s->value) && s->count == 0;
  pa_status failure = again ? PA_OK : pa_exception_class_of(e, s->value, &class);
  if (failure) return pa_set_failure(e, failure);
  MlirValue exception = again ? pa_emit(e, s->value) : (MlirValue){NULL};
  if (!again) return raise_new(e, s, class);
  if (s->cause) emit_cause(e, s->cause);
  if (pa_is_dead(e)) return;
  pa_at(e, s->place);
  reraise(e, exception);
}

static void emit_assert(pa_emitter *e, const pa_statement *s) {
  const pa_exception_class class = {"AssertionError", {NULL}};
  if (!s->completions) return raise_new(e, s, class);
  MlirValue failed = pa_emit_condition(e, s->value, true);
  if (pa_is_dead(e)) return;
  pa_branch then, otherwise;
  pa_at(e, s->place);
  pa_branch_begin(e, &then, 0);
  raise_new(e, s, class);
  pa_branch_end(e, &then);
  pa_branch_begin(e, &otherwise, 0);
  pa_branch_end(e, &otherwise);
  pa_at(e, s->place);
  pa_join(e, failed, &then, &otherwise, s->count && s->targets[0]->binds ? e->function->by_walrus : NULL);
}

void pa_emit_raise_statement(pa_emitter *e, const pa_statement *s) {
  if (s->kind == PA_ASSERT)
    emit_assert(e, s);
  else
    emit_raise(e, s);
}

//===-- Variables in memory -----------------------------------------------------------------------===//

// A variable that the body of a try assigns and its handler reads.
typedef struct shared {
  int variable;
  MlirValue value, flag; // pyarray.variables; the flag, whether it is bound, is null where it always is
} shared;

typedef struct pa_try_frame {
  const struct pa_try_frame *outer;
  shared *items;
  int count;
} pa_try_frame;

static MlirValue new_variable(pa_emitter *e) { return pa_value(&e->builder, PA_OP_NAME(VARIABLE), PA_RESULTS(e->any)); }

static void store(pa_emitter *e, MlirValue value, MlirValue variable) {
  pa_op(&e->builder, PA_OP_NAME(STORE), PA_OPERANDS(value, variable));
}

static MlirValue load(pa_emitter *e, MlirValue variable) {
  return pa_value(&e->builder, PA_OP_NAME(LOAD), PA_OPERANDS(variable), PA_RESULTS(e->any));
}

static void open_variable(pa_emitter *e, const pa_statement *s, int variable, shared *item) {
  pa_binding now = e->variables[variable];
  *item = (shared){.variable = variable, .value = new_variable(e)};
  if (now.bound == PA_BOUND || now.bound == PA_MAYBE) store(e, now.value, item->value);
  if (now.bound == PA_BOUND && !pa_has(s->deleted, variable)) return;
  item->flag = new_variable(e);
  if (now.bound == PA_ANY) return;
  store(e, now.bound == PA_MAYBE ? now.flag : pa_emit_bool(e, now.bound == PA_BOUND), item->flag);
}

static pa_try_frame open_frame(pa_emitter *e, const pa_statement *s) {
  pa_try_frame frame = {.outer = e->frame, .items = PA_NEW_ARRAY(e->arena, shared, e->function->variable_count)};
  for (int v = 0; v < (int)e->function->variable_count; ++v)
    if (pa_has(s->assigned, v) && pa_has(s->live_head, v)) open_variable(e, s, v, &frame.items[frame.count++]);
  return frame;
}

// In the handler: what the body left.
static void load_frame(pa_emitter *e, const pa_try_frame *frame) {
  for (int i = 0; i < frame->count; ++i) {
    const shared *item = &frame->items[i];
    pa_binding binding = {.bound = PA_BOUND, .value = load(e, item->value)};
    if (!mlirValueIsNull(item->flag)) binding.bound = PA_MAYBE, binding.flag = load(e, item->flag);
    pa_bind(e, item->variable, binding);
  }
}

static void begin_handler(pa_emitter *e, const pa_try_frame *frame, pa_branch *handler) {
  pa_branch_begin(e, handler, 0);
  load_frame(e, frame);
  ++e->handlers;
}

static void end_handler(pa_emitter *e, pa_branch *handler) {
  --e->handlers;
  pa_branch_end(e, handler);
}

void pa_set_variable(pa_emitter *e, int variable, pa_binding binding) {
  const pa_name *name = e->function->variables[variable];
  if (name->in_cell) return pa_write_cell(e, name, binding);
  pa_bind(e, variable, binding);
  if (binding.bound == PA_BOUND) pa_show_variable(e, variable);
  for (const pa_try_frame *frame = e->frame; frame; frame = frame->outer)
    for (int i = 0; i < frame->count; ++i) {
      const shared *item = &frame->items[i];
      if (item->variable != variable) continue;
      if (binding.bound == PA_BOUND) store(e, binding.value, item->value);
      if (!mlirValueIsNull(item->flag)) store(e, pa_emit_bool(e, binding.bound == PA_BOUND), item->flag);
    }
}

// Variables of ours, which handlers never read.
static void set_completed(pa_emitter *e, const pa_name *name, bool value) {
  if (name && !pa_is_dead(e))
    pa_bind(e, name->variable, (pa_binding){.bound = PA_BOUND, .value = pa_emit_bool(e, value)});
}

//===-- try ---------------------------------------------------------------------------------------===//

static void emit_body(pa_emitter *e, const pa_statement *s, const pa_try_frame *frame, pa_branch *body) {
  bool tail = e->tail;
  e->tail = false;
  pa_branch_begin(e, body, 0);
  e->frame = frame;
  pa_emit_block(e, &s->body);
  e->frame = frame->outer;
  pa_drop_unreachable(e);
  set_completed(e, s->completed, true);
  pa_branch_end(e, body);
  e->tail = tail;
}

// Outside the handler nobody sees its name: an outer handler finds it deleted, however this one is left.
static void bind_exception(pa_emitter *e, const pa_handler *handler, MlirAttribute classes) {
  if (!handler->name) return;
  pa_at(e, handler->place);
  MlirValue exception =
      pa_value(&e->builder, PA_OP_NAME(EXCEPTION), PA_RESULTS(e->any), PA_ATTRS({"classes", classes}));
  pa_set_variable(e, handler->name->variable, (pa_binding){.bound = PA_UNBOUND});
  pa_bind(e, handler->name->variable, (pa_binding){.bound = PA_BOUND, .value = exception});
}

static void emit_handler(pa_emitter *e, const pa_statement *s, const pa_handler *handler, MlirAttribute classes) {
  bind_exception(e, handler, classes);
  set_completed(e, s->completed, false);
  pa_emit_block(e, &handler->body);
  pa_drop_unreachable(e);
  if (handler->name && !pa_is_dead(e)) pa_set_variable(e, handler->name->variable, (pa_binding){.bound = PA_UNBOUND});
}

static void emit_handlers(pa_emitter *e, const pa_statement *s, int index) {
  if (index == s->handler_count) return reraise(e, (MlirValue){NULL});
  const pa_handler *handler = &s->handlers[index];
  MlirAttribute all = pa_string_attr(e->importer->context, "BaseException");
  MlirAttribute classes = mlirArrayAttrGet(e->importer->context, 1, &all);
  if (!handler->classes) return emit_handler(e, s, handler, classes);
  pa_status failure = pa_exception_classes(e, handler->classes, &classes);
  if (failure) return pa_set_failure(e, failure);
  pa_branch then, otherwise;
  pa_at(e, handler->place);
  MlirValue caught = pa_value(&e->builder, PA_OP_NAME(CAUGHT), PA_RESULTS(e->i1), PA_ATTRS({"classes", classes}));
  pa_branch_begin(e, &then, 0);
  emit_handler(e, s, handler, classes);
  pa_branch_end(e, &then);
  pa_at(e, handler->place);
  pa_branch_begin(e, &otherwise, 0);
  emit_handlers(e, s, index + 1);
  pa_branch_end(e, &otherwise);
  pa_at(e, handler->place);
  pa_join(e, caught, &then, &otherwise, s->live_done);
}

// `if completed: else block`
static void emit_guarded_else(pa_emitter *e, const pa_statement *s) {
  pa_branch then, otherwise;
  MlirValue completed = pa_emit_truth(e, pa_read_variable(e, s->completed));
  pa_branch_begin(e, &then, 0);
  pa_emit_block(e, &s->orelse);
  pa_branch_end(e, &then);
  pa_at(e, s->place);
  pa_branch_begin(e, &otherwise, 0);
  pa_branch_end(e, &otherwise);
  pa_join(e, completed, &then, &otherwise, s->live_out);
}

// Runs |emit| for the case that what came before falls through; the rest of the flow stays.
static void where_it_falls(pa_emitter *e, const pa_statement *s, void (*emit)(pa_emitter *e, const pa_statement *s)) {
  if (pa_is_dead(e) || !(e->flow.completions & PA_CAN(FALL))) return;
  if (e->flow.completions == PA_CAN(FALL)) return emit(e, s);
  pa_flow flow = e->flow;
  pa_branch then, otherwise;
  MlirValue falls = pa_flow_falls(e, flow);
  pa_branch_begin(e, &then, 0);
  emit(e, s);
  pa_branch_end(e, &then);
  pa_at(e, s->place);
  pa_branch_begin(e, &otherwise, 0);
  e->flow = flow;
  e->flow.completions &= ~PA_CAN(FALL);
  e->flow.falls = (MlirValue){NULL};
  pa_branch_end(e, &otherwise);
  pa_join(e, falls, &then, &otherwise, s->live_out);
}

void pa_emit_try(pa_emitter *e, const pa_statement *s) {
  pa_branch body, handler;
  pa_try_frame frame = open_frame(e, s);
  emit_body(e, s, &frame, &body);
  bool tail = e->tail;
  e->tail = false;
  pa_at(e, s->place);
  begin_handler(e, &frame, &handler);
  emit_handlers(e, s, 0);
  end_handler(e, &handler);
  pa_at(e, s->place);
  pa_join_try(e, &body, &handler, s->live_done);
  pa_drop_unreachable(e);
  if (s->completed)
    where_it_falls(e, s, emit_guarded_else);
  else
    pa_emit_rest(e, &s->orelse, 0);
  e->tail = tail;
}

//===-- finally -----------------------------------------------------------------------------------===//

// The block ends a region: where it falls through, |flow| goes on, or the exception where that is NULL.
static void emit_final_block(pa_emitter *e, const pa_statement *s, const pa_flow *flow) {
  e->flow = (pa_flow){.completions = PA_CAN(FALL)};
  pa_emit_block(e, &s->orelse);
  pa_drop_unreachable(e);
  pa_at(e, s->place);
  if (pa_is_dead(e) || !(e->flow.completions & PA_CAN(FALL))) return;
  if (e->flow.completions == PA_CAN(FALL)) {
    if (flow)
      e->flow = *flow;
    else
      reraise(e, (MlirValue){NULL});
    return;
  }
  pa_flow left = e->flow;
  pa_branch then, otherwise;
  MlirValue falls = pa_flow_falls(e, left);
  pa_branch_begin(e, &then, 0);
  if (flow)
    e->flow = *flow;
  else
    reraise(e, (MlirValue){NULL});
  pa_branch_end(e, &then);
  pa_branch_begin(e, &otherwise, 0);
  e->flow = left;
  e->flow.completions &= ~PA_CAN(FALL);
  e->flow.falls = (MlirValue){NULL};
  pa_branch_end(e, &otherwise);
  pa_join(e, falls, &then, &otherwise, s->live_done);
}

// What the body's end may need of variables is what the block reads.
static void emit_finally_body(pa_emitter *e, const pa_statement *s, const pa_try_frame *frame, pa_branch *body) {
  static const pa_completion jumps[] = {PA_BREAK, PA_CONTINUE, PA_RETURN};
  const uint64_t *live[PA_COMPLETION_COUNT];
  for (int i = 0; i < 3; ++i) live[jumps[i]] = e->live[jumps[i]], e->live[jumps[i]] = s->live_head;
  emit_body(e, s, frame, body);
  for (int i = 0; i < 3; ++i) e->live[jumps[i]] = live[jumps[i]];
}

// Joins with what the body needs still live: the block is yet to come.
static void join_finally(pa_emitter *e, const pa_statement *s, pa_branch *body, pa_branch *handler) {
  const uint64_t *live[PA_COMPLETION_COUNT];
  uint64_t *both = PA_NEW_ARRAY(e->arena, uint64_t, e->function->words);
  for (int i = 0; i < e->function->words; ++i) both[i] = s->live_head[i] | s->live_done[i];
  for (int i = 0; i < PA_COMPLETION_COUNT; ++i) live[i] = e->live[i], e->live[i] = both;
  pa_join_try(e, body, handler, both);
  for (int i = 0; i < PA_COMPLETION_COUNT; ++i) e->live[i] = live[i];
}

// The block itself jumps: where it has run in the handler, and fell nowhere through, it must not run again.
static void emit_block_unless_handled(pa_emitter *e, const pa_statement *s, pa_flow flow, unsigned handled_ends) {
  pa_branch then, otherwise;
  MlirValue handled = pa_emit_truth(e, pa_emit_not(e, pa_read_variable(e, s->completed)));
  pa_branch_begin(e, &then, 0);
  e->flow = flow;
  e->flow.completions &= handled_ends; // where it fell through, the exception went on
  e->flow.falls = (MlirValue){NULL};
  pa_branch_end(e, &then);
  pa_at(e, s->place);
  pa_branch_begin(e, &otherwise, 0);
  emit_final_block(e, s, &flow);
  pa_branch_end(e, &otherwise);
  pa_at(e, s->place);
  pa_join(e, handled, &then, &otherwise, s->live_out);
}

void pa_emit_finally(pa_emitter *e, const pa_statement *s) {
  pa_branch body, handler;
  bool tail = e->tail;
  e->tail = false;
  pa_try_frame frame = open_frame(e, s);
  emit_finally_body(e, s, &frame, &body);
  pa_at(e, s->place);
  begin_handler(e, &frame, &handler);
  emit_final_block(e, s, NULL);
  set_completed(e, s->completed, false);
  end_handler(e, &handler);
  bool completes = body.flow.completions != 0, handled = handler.flow.completions != 0;
  pa_at(e, s->place);
  join_finally(e, s, &body, &handler);
  pa_drop_unreachable(e);
  pa_flow flow = e->flow;
  if (completes && !pa_failed(&e->builder)) { // else only the handler's copy of the block is reached
    if (handled && s->completed)
      emit_block_unless_handled(e, s, flow, handler.flow.completions);
    else
      emit_final_block(e, s, &flow);
  }
  e->tail = tail;
}
