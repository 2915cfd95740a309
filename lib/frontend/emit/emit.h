// From the tree to operations: what the files of this room share.
#ifndef PYARRAY_LIB_FRONTEND_EMIT_H
#define PYARRAY_LIB_FRONTEND_EMIT_H

#include "emitter.h"
#include "objects.h"

// function.c
pa_status pa_emit_function(pa_importer *importer, pa_function *function);

// expressions.c
// A null value on failure.
MlirValue pa_emit(pa_emitter *e, const pa_expression *expression);
MlirValue pa_emit_condition(pa_emitter *e, const pa_expression *expression, bool negated); // an i1
MlirValue pa_emit_binary(pa_emitter *e, int kind, MlirValue left, MlirValue right, bool inplace);
MlirValue pa_emit_getitem(pa_emitter *e, const MlirValue *operands, int count); // object and indices
MlirValue *pa_emit_all(pa_emitter *e, pa_expression *const *expressions, int count);
MlirValue *pa_emit_subscript(pa_emitter *e, const pa_expression *x); // the object and indices of a PA_SUBSCRIPT
MlirValue pa_emit_not(pa_emitter *e, MlirValue value);               // of a Python value
void pa_emit_raise(pa_emitter *e, const char *exception, const MlirValue *arguments, int count);
MlirValue pa_read_variable(pa_emitter *e, const pa_name *name);

// variables.c. Tells debuggers what the variable is from here on, if the module has pyarray.variables.
void pa_show_variable(pa_emitter *e, int variable);

// closures.c
MlirValue pa_emit_closure(pa_emitter *e, const pa_expression *expression);
MlirValue pa_emit_own_closure(pa_emitter *e); // within a nested function, itself
MlirValue pa_emit_remade(pa_emitter *e, const struct pa_remade *remade);
void pa_open_cells(pa_emitter *e);                                    // at the beginning of a function
void pa_open_target_cells(pa_emitter *e, const pa_expression *steps); // at the beginning of a comprehension
MlirValue pa_read_cell(pa_emitter *e, const pa_name *name);
void pa_write_cell(pa_emitter *e, const pa_name *name, pa_binding binding);

// statements.c
void pa_emit_block(pa_emitter *e, const pa_block *block);
void pa_store_target(pa_emitter *e, const pa_expression *target, MlirValue value);
// |value| as the number that the option `locals` says the local variable |name| is.
MlirValue pa_as_declared(pa_emitter *e, const pa_name *name, MlirValue value);
// What follows a statement, block[index..], where it falls through.
void pa_emit_rest(pa_emitter *e, const pa_block *block, int index);

// loops.c
void pa_emit_loop(pa_emitter *e, const pa_statement *loop);

// exceptions.c
// Assigns to a local variable, or deletes it: |binding| is PA_BOUND or PA_UNBOUND.
void pa_set_variable(pa_emitter *e, int variable, pa_binding binding);
void pa_emit_try(pa_emitter *e, const pa_statement *s);
void pa_emit_finally(pa_emitter *e, const pa_statement *s);
void pa_emit_raise_statement(pa_emitter *e, const pa_statement *s);

// imports.c
void pa_emit_import(pa_emitter *e, const pa_statement *s);

// attributes.c
// What the call |x| of getattr, hasattr or setattr gives; null for other calls.
MlirValue pa_emit_attribute_call(pa_emitter *e, const pa_expression *x);
// x.name where |x| is getattr(x, "name"); else |x|.
const pa_expression *pa_plain_attribute(pa_emitter *e, const pa_expression *x);

#endif // PYARRAY_LIB_FRONTEND_EMIT_H
