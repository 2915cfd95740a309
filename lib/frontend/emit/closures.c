// Nested functions and lambdas.
//
//   def f(a):                 func.func @f(%a):      %g = pyarray.closure @g(%a)
//     def g(x): return x + a  func.func @g(%a, %x):  pyarray.params = ["a", "x"], pyarray.kinds = "cp"
//     return g(1)
//
// Variables are captured by value where nothing binds them again while the function may be called (closure_life.c). All
// others are in a cell, a list of at most one item: reading one that is empty raises UnboundLocalError, or NameError in
// a nested function.
//
// A nested function that another one uses is captured too, unless it is bound once: then the other one captures what it
// captures, and makes it again. The type of what captures functions holds theirs, so that forty functions, each of
// which calls a few before it, would have types of millions of parts.
#include <Python.h>

#include "emit.h"

static MlirValue emit_closure(pa_emitter *e, const pa_function *function, const MlirValue *captured, intptr_t count) {
  return pa_value(&e->builder, PA_OP_NAME(CLOSURE), PA_OPERAND_ARRAY(captured, count), PA_RESULTS(e->any),
                  PA_ATTRS({"function", pa_symbol_attr(e->importer->context, function->symbol)}));
}

MlirValue pa_emit_closure(pa_emitter *e, const pa_expression *x) {
  MlirValue *captured = PA_NEW_ARRAY(e->arena, MlirValue, x->count);
  for (int i = 0; i < x->count; ++i) {
    const pa_name *name = i < x->closure->default_count ? NULL : x->operands[i]->name;
    if (name && name->in_cell && e->function->options.target)
      pa_fail_emission(e, PA_CODE_UNSUPPORTED, x->place,
                       "a nested function on a GPU shares the variable '%s', which is bound again\nhint: pass it as an "
                       "argument and return the new value, or store to cuda.local.array(1, dtype)",
                       name->text);
    captured[i] = name && name->in_cell ? e->variables[name->variable].value : pa_emit(e, x->operands[i]);
  }
  pa_at(e, x->place);
  return emit_closure(e, x->closure->function, captured, x->count);
}

MlirValue pa_emit_own_closure(pa_emitter *e) {
  const pa_function *function = e->function;
  MlirValue *captured = PA_NEW_ARRAY(e->arena, MlirValue, function->captured_count);
  for (size_t i = 0; i < function->captured_count; ++i) captured[i] = e->captured[i];
  return emit_closure(e, function, captured, (intptr_t)function->captured_count);
}

MlirValue pa_emit_remade(pa_emitter *e, const pa_remade *remade) {
  int count = remade->closure->expression->count;
  MlirValue *captured = PA_NEW_ARRAY(e->arena, MlirValue, count);
  for (int i = 0; i < count; ++i) captured[i] = e->variables[remade->captured[i]->variable].value;
  return emit_closure(e, remade->closure->function, captured, count);
}

//===-- Cells -------------------------------------------------------------------------------------===//

static MlirValue method(pa_emitter *e, MlirValue object, const char *name, const MlirValue *argument) {
  MlirValue operands[] = {object, argument ? *argument : object};
  return pa_value(&e->builder, PA_OP_NAME(METHOD), PA_OPERAND_ARRAY(operands, argument ? 2 : 1), PA_RESULTS(e->any),
                  PA_ATTRS({"name", pa_string_attr(e->importer->context, name)}));
}

static pa_binding new_cell(pa_emitter *e, const pa_binding *binding) {
  MlirValue cell = pa_value(&e->builder, PA_OP_NAME(LIST), .operands = &binding->value,
                            .operand_count = binding->bound == PA_BOUND, PA_RESULTS(e->any));
  mlirOperationSetAttributeByName(mlirOpResultGetOwner(cell), pa_ref("pyarray.cell"),
                                  mlirUnitAttrGet(e->importer->context));
  return (pa_binding){.bound = PA_BOUND, .value = cell};
}

void pa_open_cells(pa_emitter *e) {
  for (size_t i = 0; i < e->function->variable_count; ++i) {
    const pa_name *name = e->function->variables[i];
    if (name->in_cell && !name->scoped && !pa_is_captured(e->function, name))
      e->variables[i] = new_cell(e, &e->variables[i]);
  }
}

void pa_open_target_cells(pa_emitter *e, const pa_expression *steps) {
  const pa_binding nothing = {.bound = PA_UNBOUND};
  for (size_t i = 0; i < steps->steps.target_count; ++i)
    if (steps->steps.targets[i]->in_cell) pa_bind(e, steps->steps.targets[i]->variable, new_cell(e, &nothing));
}

static void raise_if_empty(pa_emitter *e, const pa_name *name, MlirValue cell) {
  bool free_here = pa_is_captured(e->function, name);
  const char *format =
      free_here ? "cannot access free variable '%s' where it is not associated with a value in enclosing scope"
                : "cannot access local variable '%s' where it is not associated with a value";
  MlirValue message =
      pa_emit_constant(e, pa_string_attr(e->importer->context, pa_arena_format(e->arena, format, name->text)));
  pa_branch then, otherwise;
  MlirValue empty = pa_emit_truth(e, pa_emit_not(e, cell));
  pa_branch_begin(e, &then, 0);
  pa_emit_raise(e, free_here ? "NameError" : "UnboundLocalError", &message, 1);
  pa_branch_end(e, &then);
  pa_branch_begin(e, &otherwise, 0);
  pa_branch_end(e, &otherwise);
  pa_join(e, empty, &then, &otherwise, NULL);
}

MlirValue pa_read_cell(pa_emitter *e, const pa_name *name) {
  MlirValue cell = e->variables[name->variable].value;
  raise_if_empty(e, name, cell);
  return pa_emit_getitem(e, (MlirValue[]){cell, pa_emit_int(e, 0)}, 2);
}

void pa_write_cell(pa_emitter *e, const pa_name *name, pa_binding binding) {
  MlirValue cell = e->variables[name->variable].value;
  method(e, cell, "clear", NULL);
  if (binding.bound == PA_BOUND) method(e, cell, "append", &binding.value);
}
