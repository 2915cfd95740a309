// How long a nested function may be called, and so whether a variable that it captured may change meanwhile.
//
//   sorted(xs, key=lambda x: x * i)        used up where it stands: i is captured by value
//   def f(x): return x * i                 called in the rest of its block alone: by value too
//   fs.append(lambda: i)                   kept: where i is bound again, as the variable of a loop is, i is in a cell
//
// Each function is walked once. What it binds, reads and defines is numbered in the order in which it stands there; a
// life is the interval from where a function is made to where nobody has it any more. Nothing of this is asked of what
// captures nothing.
#include <Python.h>

#include "closure_life.h"

//===-- Events ------------------------------------------------------------------------------------===//

static void note_read(pa_life_walk *w, pa_name *name, pa_keeping keeping) {
  name->last_read = ++w->now;
  if (!name->first_read) name->first_read = w->now;
  name->keeping = pa_longer_kept(name->keeping, keeping);
}

// |block|: in the rest of it the name is bound for sure; NULL where that is not known.
static void note_store(pa_life_walk *w, pa_name *name, const pa_block *block) {
  pa_store *store = PA_NEW(w->importer->arena, pa_store);
  *store = (pa_store){.next = name->first_store, .at = ++w->now, .block = block, .loop = w->loop};
  name->first_store = store;
}

static void note_closure(pa_life_walk *w, pa_closure *closure, pa_keeping keeping) {
  for (size_t i = 0; i < closure->count; ++i)
    if (!closure->captures[i].itself) note_read(w, closure->captures[i].outer, PA_USED_UP);
  closure->begins = ++w->now;
  closure->loop = w->loop;
  closure->keeping = keeping;
  if (!closure->bound_to) closure->until = w->until;
}

//===-- Expressions -------------------------------------------------------------------------------===//

static void walk_block(pa_life_walk *w, pa_block *block);

// |keeping|: what is done with the value.
static void walk_expression(pa_life_walk *w, const pa_expression *x, pa_keeping keeping);

static void walk_argument(pa_life_walk *w, const pa_expression *call, int i, pa_callee to, pa_keeping keeping) {
  const pa_expression *argument = call->operands[i];
  int named = i - (call->count - call->keywords.count);
  bool used = named >= 0 ? pa_is_used_keyword(call->keywords.names[named]) : i - 1 < to.from;
  pa_keeping does = used ? to.all : PA_KEPT;
  if (to.function)
    does = pa_keeping_of_parameter(w, to.function,
                                   named >= 0 ? pa_parameter_named(to.function, call->keywords.names[named])
                                   : i - 1 < to.function->parameter_count ? i - 1
                                                                          : -1,
                                   argument);
  if (pa_is_generator_definition(argument)) does = PA_KEPT; // what its calls give may be kept
  const pa_block *until = w->until;
  if (does == PA_USED_UP) w->until = NULL;
  walk_expression(w, argument, does == PA_IN_RESULT ? keeping : does);
  w->until = until;
}

static void walk_call(pa_life_walk *w, const pa_expression *x, pa_keeping keeping) {
  const pa_expression *function = x->operands[0];
  pa_callee to = pa_callee_of(w, x);
  for (int i = 1; i < x->count && to.function; ++i)
    if (x->operands[i]->kind == PA_STARRED) to = pa_keeping_all();
  walk_expression(w, function->kind == PA_ATTRIBUTE ? function->operands[0] : function,
                  pa_is_generator_definition(function) ? keeping : PA_USED_UP);
  for (int i = 1; i < x->count; ++i) walk_argument(w, x, i, to, keeping);
}

static void walk_all(pa_life_walk *w, pa_expression *const *expressions, int count, pa_keeping keeping) {
  for (int i = 0; i < count; ++i) walk_expression(w, expressions[i], keeping);
}

static void walk_expression(pa_life_walk *w, const pa_expression *x, pa_keeping keeping) {
  switch (x->kind) {
  case PA_NAME: note_read(w, x->name, keeping); break;
  case PA_CLOSURE:
    walk_all(w, x->operands, x->closure->default_count, PA_KEPT);
    note_closure(w, x->closure, keeping);
    break;
  case PA_CALL: walk_call(w, x, keeping); break;
  case PA_CONDITIONAL:
    walk_expression(w, x->operands[0], PA_USED_UP);
    walk_all(w, x->operands + 1, 2, keeping);
    break;
  case PA_AND:
  case PA_OR: walk_all(w, x->operands, x->count, keeping); break;
  case PA_UNARY:
  case PA_BINARY:
  case PA_COMPARE:
  case PA_SLICE: walk_all(w, x->operands, x->count, PA_USED_UP); break;
  case PA_WALRUS:
    walk_expression(w, x->operands[0], PA_KEPT);
    note_store(w, x->name, NULL);
    break;
  case PA_STEPS: walk_block(w, x->steps.block); break;
  default: walk_all(w, x->operands, x->count, keeping == PA_IN_RESULT && x->kind != PA_YIELD ? PA_IN_RESULT : PA_KEPT);
  }
}

//===-- Statements --------------------------------------------------------------------------------===//

static void walk_target(pa_life_walk *w, const pa_expression *target, const pa_block *block) {
  if (target->kind == PA_NAME) return note_store(w, target->name, block);
  if (target->kind != PA_TUPLE && target->kind != PA_STARRED) return walk_expression(w, target, PA_USED_UP);
  for (int i = 0; i < target->count; ++i) walk_target(w, target->operands[i], block);
}

static void walk_targets(pa_life_walk *w, const pa_statement *s, const pa_block *block) {
  for (int i = 0; i < s->count; ++i) walk_target(w, s->targets[i], block);
}

void pa_note_definition(const pa_statement *s) {
  if (s->count == 1 && s->targets[0]->kind == PA_NAME && s->value->kind == PA_CLOSURE)
    s->targets[0]->name->definition = s->value->closure;
}

static void walk_assignment(pa_life_walk *w, const pa_statement *s) {
  pa_name *name = s->count == 1 && s->targets[0]->kind == PA_NAME ? s->targets[0]->name : NULL;
  if (name && name->stores == 1 && s->value->kind == PA_CLOSURE && name->definition == s->value->closure) {
    s->value->closure->bound_to = name;
    s->value->closure->until = w->block;
  }
  walk_expression(w, s->value, PA_KEPT);
  walk_targets(w, s, w->block);
}

static bool is_stored_in(const pa_name *name, const pa_block *block) {
  for (const pa_store *store = name->first_store; store; store = store->next)
    if (store->block == block) return true;
  return false;
}

// What is bound for sure where one of the blocks has fallen through.
static void note_bound(pa_life_walk *w, const pa_block *const *blocks, int count) {
  for (size_t v = 0; v < w->function->variable_count; ++v) {
    pa_name *name = w->function->variables[v];
    bool everywhere = name->first_store != NULL, anywhere = false;
    for (int i = 0; i < count && everywhere; ++i) {
      if (!(blocks[i]->completions & PA_CAN(FALL))) continue;
      anywhere = true;
      everywhere = is_stored_in(name, blocks[i]);
    }
    if (everywhere && anywhere) note_store(w, name, w->block);
  }
}

static void walk_loop(pa_life_walk *w, pa_statement *s) {
  const pa_statement *outer = w->loop;
  const pa_block *until = w->until;
  if (s->kind == PA_FOR) {
    w->until = &s->body;
    walk_expression(w, s->value, PA_USED_UP);
    w->until = until;
  }
  if (!w->loop) w->loop = s;
  if (s->kind == PA_WHILE)
    walk_expression(w, s->value, PA_USED_UP);
  else
    walk_targets(w, s, &s->body);
  walk_block(w, &s->body);
  w->loop = outer;
  walk_block(w, &s->orelse);
}

static void walk_try(pa_life_walk *w, pa_statement *s) {
  w->finally += s->kind == PA_FINALLY;
  walk_block(w, &s->body);
  w->finally -= s->kind == PA_FINALLY;
  const pa_block **blocks = PA_NEW_ARRAY(w->importer->arena, const pa_block *, s->handler_count + 1);
  *blocks = &s->body;
  for (int i = 0; i < s->handler_count; ++i) {
    if (s->handlers[i].name) note_store(w, s->handlers[i].name, NULL);
    walk_block(w, &s->handlers[i].body);
    blocks[1 + i] = &s->handlers[i].body;
  }
  walk_block(w, &s->orelse);
  note_bound(w, blocks, 1 + s->handler_count);
  const pa_block *last = &s->orelse;
  if (s->kind == PA_FINALLY) note_bound(w, &last, 1);
}

static void walk_statement(pa_life_walk *w, pa_statement *s) {
  switch (s->kind) {
  case PA_ASSIGN: walk_assignment(w, s); break;
  case PA_AUGMENT:
    walk_all(w, s->targets, s->count, PA_USED_UP);
    walk_expression(w, s->value, PA_USED_UP);
    walk_targets(w, s, NULL);
    break;
  case PA_DELETE:
    for (int i = 0; i < s->count; ++i)
      if (s->targets[i]->kind == PA_NAME) s->targets[i]->name->deleted = true;
    walk_targets(w, s, NULL);
    break;
  case PA_EVALUATE: walk_expression(w, s->value, PA_USED_UP); break;
  case PA_IF:
    walk_expression(w, s->value, PA_USED_UP);
    walk_block(w, &s->body);
    walk_block(w, &s->orelse);
    note_bound(w, (const pa_block *[]){&s->body, &s->orelse}, 2);
    break;
  case PA_WHILE:
  case PA_FOR: walk_loop(w, s); break;
  case PA_RETURN_: walk_expression(w, s->value, w->finally ? PA_KEPT : PA_IN_RESULT); break;
  case PA_RAISE:
  case PA_ASSERT:
    if (s->value) walk_expression(w, s->value, PA_USED_UP);
    walk_all(w, s->targets, s->count, PA_USED_UP);
    if (s->cause) walk_expression(w, s->cause, PA_USED_UP);
    break;
  case PA_TRY_:
  case PA_FINALLY: walk_try(w, s); break;
  case PA_JUMP:
  case PA_IMPORT: break;
  }
}

static void walk_block(pa_life_walk *w, pa_block *block) {
  const pa_block *outer = w->block;
  w->block = block;
  for (int i = 0; i < block->count; ++i) walk_statement(w, block->statements[i]);
  block->ends = ++w->now;
  w->block = outer;
}

void pa_walk_function(pa_importer *importer, pa_function *function) {
  if (function->walk != PA_NOT_WALKED) return;
  function->walk = PA_BEING_WALKED;
  pa_life_walk w = {.importer = importer, .function = function};
  for (int k = 0; k < function->parameter_count; ++k) note_store(&w, function->variables[k], &function->body);
  walk_block(&w, &function->body);
  for (pa_closure *closure = function->first_closure; closure; closure = closure->next)
    pa_walk_function(importer, closure->function);
  function->walk = PA_WALKED;
}

//===-- Lives -------------------------------------------------------------------------------------===//

// Who has a function that is bound to a name: whoever has what the name stands for. It may be called in the rest of its
// block alone.
static pa_keeping keeping_of(const pa_function *function, pa_closure *closure) {
  const pa_name *name = closure->bound_to;
  if (!name || closure->is_known) return closure->keeping;
  closure->is_known = true;
  closure->keeping = PA_KEPT; // also where functions call each other in a circle
  bool outside = name->first_read && (name->first_read < closure->begins || name->last_read > closure->until->ends);
  return closure->keeping = outside ? PA_KEPT : pa_keeping_of_name(function, name);
}

// What |function|, and those within that capture the variable, do with its value.
pa_keeping pa_keeping_of_name(const pa_function *function, const pa_name *name) {
  pa_keeping keeping = name->keeping;
  for (pa_closure *closure = function->first_closure; closure; closure = closure->next)
    for (size_t i = 0; i < closure->count; ++i) {
      struct pa_capture *c = &closure->captures[i];
      if (c->outer != name) continue;
      pa_keeping within = pa_keeping_of_name(closure->function, c->inner);
      if (within == PA_USED_UP)
        within = c->itself ? PA_USED_UP : keeping_of(function, closure);
      else
        within = PA_KEPT;
      keeping = pa_longer_kept(keeping, within);
    }
  return keeping;
}

// Whether a function within |function| that captures |name| outlives a call of it.
static bool escapes(const pa_function *function, const pa_name *name) {
  for (pa_closure *closure = function->first_closure; closure; closure = closure->next)
    for (size_t i = 0; i < closure->count; ++i)
      if (closure->captures[i].outer == name &&
          (keeping_of(function, closure) != PA_USED_UP || escapes(closure->function, closure->captures[i].inner)))
        return true;
  return false;
}

static bool is_bound_for_sure(const pa_name *name, int at) {
  for (const pa_store *store = name->first_store; store; store = store->next)
    if (store->block && store->at < at && at <= store->block->ends) return !name->deleted;
  return false;
}

bool pa_may_change(const pa_function *function, pa_closure *closure, const struct pa_capture *c) {
  const pa_name *name = c->outer;
  int until = closure->until ? closure->until->ends : closure->begins;
  if (!closure->begins) return false; // in a statement that is never executed
  if (!c->bound_before) return true;
  bool once = name->stores == 1,
       kept = keeping_of(function, closure) == PA_KEPT || escapes(closure->function, c->inner);
  if (kept && !once) return true;
  for (const pa_store *store = name->first_store; store; store = store->next)
    if (kept ? store->loop && store->loop == closure->loop : store->at > closure->begins && store->at <= until)
      return true;
  return (!once && name->by_walrus) || !is_bound_for_sure(name, closure->begins);
}

void pa_find_lives(pa_importer *importer, pa_function *function) {
  if (function->first_closure) pa_walk_function(importer, function);
}
