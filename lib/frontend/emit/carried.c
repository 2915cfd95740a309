// Variables that the iterations of a loop hand on.
#include <Python.h>

#include "carried.h"
#include "emit.h"

pa_carried_list pa_carried_in(pa_emitter *e, const pa_statement *loop) {
  int count = (int)e->function->variable_count;
  pa_carried_list list = {.items = PA_NEW_ARRAY(e->arena, pa_carried, count)};
  for (int v = 0; v < count; ++v) {
    if (!pa_has(loop->assigned, v) || !pa_has(loop->live_head, v)) continue;
    bool flagged = e->variables[v].bound != PA_BOUND || pa_has(loop->deleted, v);
    list.items[list.count++] = (pa_carried){v, flagged ? PA_MAYBE : PA_BOUND, flagged};
    list.flags += flagged;
  }
  return list;
}

static void append_out(const pa_emitter *e, pa_carried_list *list, int variable, bool flagged) {
  pa_bound bound = e->variables[variable].bound;
  flagged |= bound == PA_MAYBE;
  list->items[list->count++] = (pa_carried){variable, bound, flagged};
  list->flags += flagged;
}

pa_carried_list pa_carried_out(pa_emitter *e, const pa_statement *loop, const pa_carried_list *in) {
  int count = (int)e->function->variable_count;
  pa_carried_list list = {.items = PA_NEW_ARRAY(e->arena, pa_carried, count)};
  for (int i = 0; i < in->count; ++i) append_out(e, &list, in->items[i].variable, in->items[i].flagged);
  bool breaks = loop->body.completions & PA_CAN(BREAK);
  for (int v = 0; v < count; ++v) {
    if (!pa_has(loop->assigned, v) || pa_has(loop->live_head, v)) continue;
    if ((breaks && pa_has(loop->live_out, v)) || pa_has(loop->live_test, v)) append_out(e, &list, v, false);
  }
  return list;
}

void pa_take_carried(pa_emitter *e, const pa_carried_list *list, MlirValue *values) {
  bool dead = e->flow.completions == 0;
  MlirValue *flags = values + list->count;
  for (int i = 0; i < list->count; ++i) {
    pa_binding binding = e->variables[list->items[i].variable];
    bool none = dead || binding.bound == PA_ANY || binding.bound == PA_UNBOUND;
    values[i] = none ? pa_emit_unbound(e, e->any) : binding.value;
    if (!list->items[i].flagged) continue;
    if (dead || binding.bound == PA_ANY)
      *flags++ = pa_emit_unbound(e, e->any);
    else
      *flags++ = binding.bound == PA_MAYBE ? binding.flag : pa_emit_bool(e, binding.bound == PA_BOUND);
  }
}

void pa_bind_carried(pa_emitter *e, const pa_carried_list *list, const MlirValue *values) {
  const MlirValue *flags = values + list->count;
  for (int i = 0; i < list->count; ++i) {
    pa_binding binding = {.bound = list->items[i].bound, .value = values[i]};
    if (list->items[i].flagged) binding.flag = *flags++;
    pa_bind(e, list->items[i].variable, binding);
  }
}

void pa_forget_changes(pa_emitter *e, const pa_branch *branch) {
  for (int i = 0; i < branch->count; ++i) pa_bind(e, branch->changes[i].variable, (pa_binding){.bound = PA_ANY});
}

MlirValue *pa_block_arguments(pa_emitter *e, MlirBlock block) {
  intptr_t count = mlirBlockGetNumArguments(block);
  MlirValue *values = PA_NEW_ARRAY(e->arena, MlirValue, count);
  for (intptr_t i = 0; i < count; ++i) values[i] = mlirBlockGetArgument(block, i);
  return values;
}

MlirValue *pa_op_results(pa_emitter *e, MlirOperation op, int count) {
  MlirValue *values = PA_NEW_ARRAY(e->arena, MlirValue, count);
  for (int i = 0; i < count; ++i) values[i] = pa_result(op, i);
  return values;
}

MlirType *pa_any_types(pa_emitter *e, int count) {
  MlirType *types = PA_NEW_ARRAY(e->arena, MlirType, count);
  for (int i = 0; i < count; ++i) types[i] = e->any;
  return types;
}

MlirAttribute pa_carried_names(pa_emitter *e, const pa_carried_list *list, int first, int count) {
  int *variables = PA_NEW_ARRAY(e->arena, int, count + 1);
  for (int i = 0; i < count; ++i)
    variables[i] = i >= first && i - first < list->count ? list->items[i - first].variable : -1;
  return pa_result_names(e, variables, count);
}
