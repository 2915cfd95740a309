// What debuggers are told of variables, where the module has pyarray.variables: of kernels with debug=True.
//
//   x = i * 2.5      pyarray.apply pyarray.shown("x", %x)
//
// Each time the source binds one. Values of compiled code have no place in memory that a debugger could look at.
#include <Python.h>

#include <ctype.h>

#include "emit.h"

// Ours have names that Python does not have.
static bool is_of_source(const pa_name *name) {
  const char *text = name->text;
  if (!text || !(isalpha((unsigned char)*text) || *text == '_')) return false;
  while (isalnum((unsigned char)*text) || *text == '_') ++text;
  return *text == '\0';
}

void pa_show_variable(pa_emitter *e, int variable) {
  const pa_name *name = e->function->variables[variable];
  const pa_binding *binding = &e->variables[variable];
  if (!e->function->options.target || e->function->in_library || pa_failed(&e->builder) || !is_of_source(name) ||
      binding->bound != PA_BOUND || mlirAttributeIsNull(pa_get_attr(e->importer->module, "pyarray.variables")))
    return;
  MlirValue operands[] = {pa_emit_constant(e, pa_string_attr(e->importer->context, name->text)), binding->value};
  pa_emit_builtin_call(e, "pyarray.shown", operands, 2);
}
