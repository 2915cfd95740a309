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

#include "importer.h"

typedef struct liveness {
  pa_arena *arena;
  int words;
  bool changed;                           // a head has grown in this walk
  pa_statement *loop;                     // innermost around
  const uint64_t *on_break, *on_continue; // live after these
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

static void use(liveness *l, const pa_expression *expression, uint64_t *live) {
  if (expression->kind == PA_NAME && expression->name->variable >= 0) add(live, expression->name->variable);
  for (int i = 0; i < expression->count; ++i) use(l, expression->operands[i], live);
}

static void use_all(liveness *l, pa_expression *const *expressions, int count, uint64_t *live) {
  for (int i = 0; i < count; ++i) use(l, expressions[i], live);
}

static void store(liveness *l, const pa_expression *target, uint64_t *live) {
  if (target->kind == PA_NAME) {
    int variable = target->name->variable;
    live[variable / 64] &= ~((uint64_t)1 << variable % 64);
    if (l->loop) add(l->loop->assigned, variable);
  } else if (target->kind == PA_TUPLE) {
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
    store(l, s->targets[i], live);
    use(l, s->targets[i], live);
    if (l->loop) add(l->loop->deleted, s->targets[i]->name->variable);
  }
}

static void walk_block(liveness *l, pa_block *block, uint64_t *live);

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
  if (s->kind == PA_WHILE) use(l, s->value, live);
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
    use_all(l, s->targets, s->count, live);
    use(l, s->value, live);
    break;
  case PA_DELETE: delete_all(l, s, live); break;
  case PA_EVALUATE: use(l, s->value, live); break;
  case PA_IF: walk_if(l, s, live); break;
  case PA_WHILE:
  case PA_FOR: walk_loop(l, s, live); break;
  case PA_JUMP: copy(l, live, s->completions == PA_CAN(BREAK) ? l->on_break : l->on_continue); break;
  case PA_RETURN_:
  case PA_RAISE:
    memset(live, 0, bytes(l));
    use(l, s->value, live);
    use_all(l, s->targets, s->count, live);
    break;
  case PA_ASSERT:
    use(l, s->value, live);
    use_all(l, s->targets, s->count, live);
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
  do {
    l.changed = false;
    memset(live, 0, bytes(&l));
    walk_block(&l, &function->body, live);
  } while (l.changed);
}
