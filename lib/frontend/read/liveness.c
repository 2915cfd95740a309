// Exact backward liveness of local variables over the structured tree.
//
// In:  a function's tree. Out: the sets live_out of blocks and compound statements, and of loops live_head, live_done
// and assigned. For instance
//
//   s = 0                 live_out of the loop {s}: i and t are no results of it
//   for i in r:           live_head {s}: s is carried, t is not
//     t = i * i
//     s += t
//   return s
//
// A loop's head needs a fixpoint. The whole function is walked until no head changes, which takes at most one walk more
// than loops are nested, and two for a single loop.
#include <Python.h>

#include <string.h>

#include "reader.h"

typedef struct liveness {
  pa_arena *arena;
  int words;
  bool changed;                                       // a head has grown in this walk
  pa_statement *loop;                                 // innermost around, or the try whose body this is in
  const uint64_t *on_break, *on_continue, *on_return; // live after these; NULL: nothing
} liveness;

static size_t bytes(const liveness *l) { return sizeof(uint64_t) * (size_t)l->words; }
static uint64_t *new_set(liveness *l) { return PA_NEW_ARRAY(l->arena, uint64_t, l->words); }

static void copy(const liveness *l, uint64_t *into, const uint64_t *from) { memcpy(into, from, bytes(l)); }

static void add_all(const liveness *l, uint64_t *into, const uint64_t *from) {
  for (int i = 0; i < l->words; ++i) into[i] |= from[i];
}

static void add(uint64_t *set, int variable) { set[variable / 64] |= (uint64_t)1 << variable % 64; }

// Keeps |live| in |*kept|, made in the first walk.
static void keep(liveness *l, uint64_t **kept, const uint64_t *live) {
  if (!*kept) *kept = new_set(l);
  copy(l, *kept, live);
}

// Each function takes |live| from after to before its construct.

static void walk_block(liveness *l, pa_block *block, uint64_t *live);
static void use(liveness *l, const pa_expression *expression, uint64_t *live);

static void bind(liveness *l, int variable, uint64_t *live) {
  live[variable / 64] &= ~((uint64_t)1 << variable % 64);
  if (l->loop) add(l->loop->assigned, variable);
}

static void use_maybe(liveness *l, const pa_expression *expression, uint64_t *live) {
  uint64_t *evaluated = new_set(l);
  copy(l, evaluated, live);
  use(l, expression, evaluated);
  add_all(l, live, evaluated);
}

// Of an expression that binds variables: its operands in reverse of the order in which they are evaluated.
static void use_in_order(liveness *l, const pa_expression *x, uint64_t *live) {
  int always = x->kind == PA_AND || x->kind == PA_OR || x->kind == PA_CONDITIONAL ? 1
               : x->kind == PA_COMPARE                                            ? 2
                                                                                  : x->count;
  if (x->kind == PA_CONDITIONAL) {
    uint64_t *other = new_set(l);
    copy(l, other, live);
    use(l, x->operands[2], other);
    use(l, x->operands[1], live);
    add_all(l, live, other);
  } else if (x->kind == PA_WALRUS && x->name->in_cell) {
    add(live, x->name->variable);
  } else if (x->kind == PA_WALRUS) {
    bind(l, x->name->variable, live);
  } else if (x->kind == PA_STEPS) {
    add(live, x->steps.result->variable);
    walk_block(l, x->steps.block, live);
    for (size_t i = 0; i < x->steps.target_count; ++i)
      if (x->steps.targets[i]->in_cell) bind(l, x->steps.targets[i]->variable, live); // to a new cell
  }
  for (int i = x->count - 1; i >= always && x->kind != PA_CONDITIONAL; --i) use_maybe(l, x->operands[i], live);
  for (int i = always - 1; i >= 0; --i) use(l, x->operands[i], live);
}

static void use(liveness *l, const pa_expression *expression, uint64_t *live) {
  if (expression->binds) return use_in_order(l, expression, live);
  if (expression->kind == PA_NAME && expression->name->variable >= 0) add(live, expression->name->variable);
  for (int i = 0; i < expression->count; ++i) use(l, expression->operands[i], live);
}

static void use_all(liveness *l, pa_expression *const *expressions, int count, uint64_t *live) {
  for (int i = count - 1; i >= 0; --i) use(l, expressions[i], live);
}

static void store(liveness *l, const pa_expression *target, uint64_t *live) {
  if (target->kind == PA_NAME) {
    int variable = target->name->variable;
    if (target->name->in_cell) return add(live, variable);
    bind(l, variable, live);
  } else if (target->kind == PA_TUPLE || target->kind == PA_STARRED) {
    for (int i = target->count - 1; i >= 0; --i) store(l, target->operands[i], live);
  } else {
    use(l, target, live);
  }
}

static void store_all(liveness *l, const pa_statement *s, uint64_t *live) {
  for (int i = s->count - 1; i >= 0; --i) store(l, s->targets[i], live);
}

static void delete_all(liveness *l, const pa_statement *s, uint64_t *live) {
  for (int i = s->count - 1; i >= 0; --i) {
    bool variable = s->targets[i]->kind == PA_NAME;
    if (variable) store(l, s->targets[i], live);
    use(l, s->targets[i], live);
    if (l->loop && variable) add(l->loop->deleted, s->targets[i]->name->variable);
  }
}

static void walk_if(liveness *l, pa_statement *s, uint64_t *live) {
  uint64_t *other = new_set(l);
  keep(l, &s->live_out, live);
  copy(l, other, live);
  walk_block(l, &s->body, live);
  walk_block(l, &s->orelse, other);
  add_all(l, live, other);
  use(l, s->value, live);
}

static void walk_loop_body(liveness *l, pa_statement *s, uint64_t *live) {
  liveness outer = *l;
  l->loop = s;
  l->on_break = s->live_out;
  l->on_continue = s->live_head;
  walk_block(l, &s->body, live);
  if (s->kind == PA_FOR) store_all(l, s, live);
  l->loop = outer.loop;
  l->on_break = outer.on_break;
  l->on_continue = outer.on_continue;
  if (!l->loop) return;
  add_all(l, l->loop->assigned, s->assigned);
  add_all(l, l->loop->deleted, s->deleted);
}

// What the body of |s|, a try, assigns, and what is live before it; |on_raise|: where an exception goes.
static void walk_try_body(liveness *l, pa_statement *s, uint64_t *live) {
  pa_statement *outer = l->loop;
  if (!s->assigned) s->assigned = new_set(l), s->deleted = new_set(l);
  l->loop = s;
  walk_block(l, &s->body, live);
  l->loop = outer;
  add_all(l, live, s->live_head);
  if (!outer) return;
  add_all(l, outer->assigned, s->assigned);
  add_all(l, outer->deleted, s->deleted);
}

static void add_name(liveness *l, uint64_t *set, const pa_name *name) {
  if (name) add(set, name->variable);
  if (name && l->loop) add(l->loop->assigned, name->variable);
}

static void remove_name(uint64_t *set, const pa_name *name) {
  if (name) set[name->variable / 64] &= ~((uint64_t)1 << name->variable % 64);
}

// The handler's name is bound before its body and deleted after it.
static void walk_handler(liveness *l, pa_handler *handler, uint64_t *live) {
  remove_name(live, handler->name);
  walk_block(l, &handler->body, live);
  remove_name(live, handler->name);
  if (!handler->name || !l->loop) return;
  add(l->loop->assigned, handler->name->variable);
  add(l->loop->deleted, handler->name->variable);
}

static void walk_try(liveness *l, pa_statement *s, uint64_t *live) {
  keep(l, &s->live_out, live);
  uint64_t *handlers = new_set(l), *handler = new_set(l);
  walk_block(l, &s->orelse, live);
  if (s->completed)
    add_all(l, live, s->live_out), add_name(l, live, s->completed);
  else if (s->orelse.count == 0)
    copy(l, live, s->live_out);
  keep(l, &s->live_done, live);
  for (int i = 0; i < s->handler_count; ++i) {
    copy(l, handler, s->live_done);
    walk_handler(l, &s->handlers[i], handler);
    remove_name(handler, s->completed);
    add_all(l, handlers, handler);
  }
  keep(l, &s->live_head, handlers);
  remove_name(live, s->completed);
  walk_try_body(l, s, live);
}

// One set for both copies of the block: what is live after it in any of the ways that the body can end.
static void walk_finally(liveness *l, pa_statement *s, uint64_t *live) {
  liveness outer = *l;
  keep(l, &s->live_out, live);
  if (l->on_break && s->body.completions & PA_CAN(BREAK)) add_all(l, live, l->on_break);
  if (l->on_continue && s->body.completions & PA_CAN(CONTINUE)) add_all(l, live, l->on_continue);
  if (l->on_return && s->body.completions & PA_CAN(RETURN)) add_all(l, live, l->on_return);
  keep(l, &s->live_done, live);
  walk_block(l, &s->orelse, live);
  keep(l, &s->live_head, live);
  l->on_break = l->on_continue = l->on_return = s->live_head;
  walk_try_body(l, s, live);
  l->on_break = outer.on_break;
  l->on_continue = outer.on_continue;
  l->on_return = outer.on_return;
  add_name(l, s->live_done, s->completed);
}

// The test belongs to the loop: what it binds is assigned there.
static void use_test(liveness *l, pa_statement *s, uint64_t *live) {
  pa_statement *outer = l->loop;
  if (s->value->binds) keep(l, &s->live_test, live);
  l->loop = s;
  use(l, s->value, live);
  l->loop = outer;
  if (outer && s->value->binds) add_all(l, outer->assigned, s->assigned);
}

static void walk_loop(liveness *l, pa_statement *s, uint64_t *live) {
  if (!s->live_head) s->live_head = new_set(l), s->assigned = new_set(l), s->deleted = new_set(l);
  keep(l, &s->live_out, live);
  walk_block(l, &s->orelse, live);
  if (pa_is_endless(s)) memset(live, 0, bytes(l));
  keep(l, &s->live_done, live);
  uint64_t *body = new_set(l);
  copy(l, body, s->live_head);
  walk_loop_body(l, s, body);
  add_all(l, live, body);
  if (s->kind == PA_WHILE) use_test(l, s, live);
  if (memcmp(live, s->live_head, bytes(l)) != 0) l->changed = true;
  copy(l, s->live_head, live);
  if (s->kind == PA_FOR) use(l, s->value, live);
}

static void walk_statement(liveness *l, pa_statement *s, uint64_t *live) {
  switch (s->kind) {
  case PA_ASSIGN:
    store_all(l, s, live);
    use(l, s->value, live);
    break;
  case PA_AUGMENT:
    store_all(l, s, live);
    use(l, s->value, live);
    use_all(l, s->targets, s->count, live);
    break;
  case PA_DELETE: delete_all(l, s, live); break;
  case PA_EVALUATE: use(l, s->value, live); break;
  case PA_IF: walk_if(l, s, live); break;
  case PA_IMPORT: break;
  case PA_WHILE:
  case PA_FOR: walk_loop(l, s, live); break;
  case PA_JUMP: copy(l, live, s->completions == PA_CAN(BREAK) ? l->on_break : l->on_continue); break;
  case PA_TRY_: walk_try(l, s, live); break;
  case PA_FINALLY: walk_finally(l, s, live); break;
  case PA_RETURN_:
    if (l->on_return)
      copy(l, live, l->on_return);
    else
      memset(live, 0, bytes(l));
    use(l, s->value, live);
    break;
  case PA_RAISE:
    memset(live, 0, bytes(l));
    if (s->cause) use(l, s->cause, live);
    use_all(l, s->targets, s->count, live);
    if (s->value) use(l, s->value, live);
    break;
  case PA_ASSERT:
    for (int i = 0; i < s->count; ++i) use_maybe(l, s->targets[i], live);
    use(l, s->value, live);
    break;
  }
}

static void walk_block(liveness *l, pa_block *block, uint64_t *live) {
  keep(l, &block->live_out, live);
  for (int i = block->count - 1; i >= 0; --i) walk_statement(l, block->statements[i], live);
}

void pa_find_liveness(pa_arena *arena, pa_function *function) {
  liveness l = {.arena = arena, .words = function->words};
  uint64_t *live = new_set(&l);
  function->by_walrus = new_set(&l);
  for (size_t v = 0; v < function->variable_count; ++v)
    if (function->variables[v]->by_walrus) add(function->by_walrus, (int)v);
  do {
    l.changed = false;
    memset(live, 0, bytes(&l));
    walk_block(&l, &function->body, live);
  } while (l.changed);
}
