// From ast objects to the tree: what the files of this room share.
#ifndef PYARRAY_LIB_FRONTEND_READER_H
#define PYARRAY_LIB_FRONTEND_READER_H

#include "importer.h"

// The names that a comprehension binds: its targets.
typedef struct pa_name_scope {
  struct pa_name_scope *outer;
  pa_name **names;
  size_t count, capacity;
} pa_name_scope;

typedef struct pa_reader {
  pa_importer *importer;
  pa_function *function;
  pa_name_scope *scope; // innermost comprehension, or NULL
  bool binds_in_scope;  // the target being read belongs to it
  int depth;
  struct pa_reader *around; // of a generator expression: the reader of the function that it is in; else NULL
} pa_reader;

// read.c
// Fills in the function's tree, names and places from its ast.
pa_status pa_read_function(pa_importer *importer, pa_function *function);
// A field of an ast object, borrowed: the object holds it, and nobody changes the tree. NULL with an exception set.
PyObject *pa_field_of(pa_reader *reader, PyObject *node, pa_field field);
pa_status pa_class_of(pa_reader *reader, PyObject *node, pa_class *out_class);
pa_status pa_read_place(pa_reader *reader, PyObject *node, pa_place *out_place);
pa_status pa_refuse(pa_reader *reader, PyObject *node, const char *what, const char *hint);
pa_status pa_refuse_class(pa_reader *reader, PyObject *node, pa_class class);
pa_status pa_read_name(pa_reader *reader, PyObject *string, pa_name **out_name);
pa_status pa_declare_local(pa_reader *reader, PyObject *node, pa_name *name); // as a local variable
pa_status pa_enter(pa_reader *reader, PyObject *node);                        // one level deeper
pa_status pa_declare_hidden(pa_reader *reader, PyObject *node, const char *text,
                            pa_name **out_name);                    // a variable that no source can name
pa_status pa_read_function_node(pa_reader *reader, PyObject *node); // a FunctionDef or Lambda (read.c)
void pa_append_return(pa_reader *reader, pa_block *block, pa_expression *value);
void pa_add_variable(pa_importer *importer, pa_function *function, pa_name *name);
void pa_for_each_name(pa_function *function, void (*visit)(void *, pa_name *), void *data);

// read_expressions.c
pa_status pa_read_expression(pa_reader *reader, PyObject *node, pa_expression **out_expression);
// |extra| more operands are left free in front.
pa_status pa_read_expressions(pa_reader *reader, PyObject *list, int extra, pa_expression ***out_expressions,
                              int *out_count);
pa_status pa_read_target(pa_reader *reader, PyObject *node, pa_expression **out_expression);
pa_status pa_read_operator(pa_reader *reader, PyObject *node, pa_class first, pa_class last, int *out_kind);
pa_expression *pa_none(pa_reader *reader, pa_place place);
pa_expression *pa_new_expression(pa_reader *reader, pa_expression_kind kind, pa_place place, int count);
pa_status pa_read_operand(pa_reader *reader, PyObject *node, pa_field field, pa_expression *into, int index);

// read_statements.c
void pa_set_loop_completions(pa_statement *loop);
pa_status pa_read_block(pa_reader *reader, PyObject *list, pa_block *out_block);

// fstrings.c
pa_status pa_read_fstring(pa_reader *reader, PyObject *node, pa_place place, pa_expression **out_expression);

// generators.c
pa_status pa_read_yield(pa_reader *reader, PyObject *node, pa_class class, pa_place place,
                        pa_expression **out_expression);
pa_status pa_read_generator(pa_reader *reader, PyObject *node, pa_place place, pa_expression **out_expression);

// read_closures.c
// A nested function or lambda as an expression; |name| is what it is bound to, or NULL.
pa_status pa_read_closure(pa_reader *reader, PyObject *node, const char *text, pa_name *name, pa_place place,
                          pa_expression **out_expression);
// The nested function, which has been read, as an expression.
pa_expression *pa_close_function(pa_reader *reader, pa_function *nested, pa_name *name, pa_place place);
// Once the outermost function is read: which variables nested ones capture.
void pa_resolve_closures(pa_importer *importer, pa_function *function);

// closure_life.c
// |statement|, an assignment, may bind a name to a nested function.
void pa_note_definition(const pa_statement *statement);
// Once |function|, the outermost one, is read.
void pa_find_lives(pa_importer *importer, pa_function *function);
// Whether what |closure|, within |function|, captures by |capture| may be bound again while the closure may be called.
bool pa_may_change(const pa_function *function, pa_closure *closure, const struct pa_capture *capture);

// fold_integers.c
// |*out_expression|: the value of an expression of int literals, of which a part is no int64, but it
// has 64 bits; else NULL.
pa_status pa_fold_integers(pa_reader *reader, PyObject *node, pa_place place, pa_expression **out_expression);
bool pa_is_two_to_64(pa_reader *reader, PyObject *node); // an expression of int literals

// read_imports.c
pa_status pa_read_import(pa_reader *reader, PyObject *node, bool is_from, pa_statement *statement);

// match.c
pa_status pa_read_match(pa_reader *reader, PyObject *node, pa_statement *statement);

// comprehensions.c
pa_expression *pa_name_expression(pa_reader *reader, pa_name *name, pa_place place);
pa_statement *pa_new_statement(pa_reader *reader, pa_statement_kind kind, pa_place place);
pa_statement *pa_evaluation(pa_reader *reader, pa_expression *value);
pa_statement *pa_assignment(pa_reader *reader, pa_name *name, pa_expression *value);
pa_statement *pa_loop_over(pa_reader *reader, pa_expression *target, pa_expression *iterable, pa_statement *body,
                           pa_place place);
pa_expression *pa_steps(pa_reader *reader, pa_place place, pa_name *result, pa_statement *const *statements, int count);
// One `for ... in ... if ...`.
typedef struct pa_clause {
  PyObject *node;
  pa_expression *target, *iterable;
  pa_place place;
} pa_clause;
// Reads the target of a clause, and the iterable of one.
pa_status pa_open_clause(pa_reader *reader, PyObject *node, pa_clause *out_clause);
pa_status pa_read_iterable(pa_reader *reader, PyObject *node, pa_expression **out_iterable);
// The loops of the clauses from number |index| on, with the statement that |finish| makes in the innermost one, once
// |read_element| has read what it is made of.
pa_status pa_read_clauses(pa_reader *reader, pa_clause *clauses, int index, int count,
                          pa_statement *(*finish)(pa_reader *, void *), pa_status (*read_element)(pa_reader *, void *),
                          void *data, pa_statement **out_statement);
pa_status pa_read_comprehension(pa_reader *reader, PyObject *node, pa_class class, pa_place place,
                                pa_expression **out_expression);
// A display with '*' in it; |display| is a PA_LIST or PA_TUPLE, read.
pa_status pa_read_dict(pa_reader *reader, PyObject *node, pa_place place, pa_expression **out_expression); // a display
pa_status pa_spread_display(pa_reader *reader, PyObject *node, pa_expression *display, pa_expression **out_expression);

// liveness.c
void pa_find_liveness(pa_arena *arena, pa_function *function);

#endif // PYARRAY_LIB_FRONTEND_READER_H
