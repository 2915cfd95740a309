// What the files of the frontend share: the syntax tree of one function, and the state of the emission.
//
//   import.c       the queue of functions; one func.func each
//   read*.c        ast objects -> syntax tree; refuses what lies outside the compiled subset
//   syntax.h       the syntax tree
//   liveness.c     which variables are live after each compound statement
//   statements.c, loops.c, expressions.c     syntax tree -> operations
//   comprehensions.c                         comprehensions, displays with '*', match: read as loops and tests
//   generators.c                             yield, generator expressions
//   closures.c, closure_life.c               nested functions: what they capture, and whether that may change
//   flow.c         variables, regions and how they join
//   objects.c, native.c, constants.c         globals and what they hold -> operations and attributes
#ifndef PYARRAY_LIB_FRONTEND_IMPORTER_H
#define PYARRAY_LIB_FRONTEND_IMPORTER_H

#include <Python.h>

#include <string.h>

#include "frontend.h"
#include "ir/overloads.h"
#include "pyarray-c/Types.h"
#include "support/linked.h"
#include "syntax.h"

//===-- Import ------------------------------------------------------------------------------------===//

typedef enum pa_class {
#define PA_CLASS(name) PA_CLASS_##name,
#define PA_REFUSED(name, what, hint) PA_CLASS_##name,
#include "syntax.def"
#undef PA_CLASS
#undef PA_REFUSED
  PA_CLASS_COUNT
} pa_class;

// clang-format off
#define PA_FIELDS(FIELD)                                                                                    \
  FIELD(annotation) FIELD(arg) FIELD(args) FIELD(asname) FIELD(level) FIELD(module) FIELD(attr) FIELD(body) \
  FIELD(cls) FIELD(kwd_attrs) FIELD(kwd_patterns) FIELD(rest) FIELD(cases) FIELD(cause) FIELD(finalbody)    \
  FIELD(handlers) FIELD(name) FIELD(type) FIELD(col_offset) FIELD(comparators) FIELD(conversion)            \
  FIELD(decorator_list) FIELD(defaults) FIELD(elt) FIELD(elts) FIELD(exc) FIELD(format_spec) FIELD(func)    \
  FIELD(generators) FIELD(guard) FIELD(id) FIELD(ifs) FIELD(is_async) FIELD(iter) FIELD(key) FIELD(keys)    \
  FIELD(keywords) FIELD(kw_defaults) FIELD(kwarg) FIELD(kwonlyargs) FIELD(left) FIELD(lineno) FIELD(lower)  \
  FIELD(msg) FIELD(names) FIELD(op) FIELD(operand) FIELD(ops) FIELD(orelse) FIELD(pattern) FIELD(patterns)  \
  FIELD(posonlyargs) FIELD(right) FIELD(simple) FIELD(slice) FIELD(step) FIELD(subject) FIELD(target)       \
  FIELD(targets) FIELD(test) FIELD(upper) FIELD(value) FIELD(values) FIELD(vararg)
// clang-format on
typedef enum pa_field {
#define PA_FIELD(name) PA_FIELD_##name,
  PA_FIELDS(PA_FIELD)
#undef PA_FIELD
      PA_FIELD_COUNT
} pa_field;

// A function to import: asked for or referred to.
typedef struct pa_function {
  struct pa_function *next;
  PyObject *object; // the Python function; kept alive by the importer, as all objects named here
  const char *symbol;
  pa_frontend_options options;
  PyObject *wrapper;              // the ufunc whose kernel it is here, or the C callback; or NULL
  MlirAttribute signature, loops; // of a ufunc: a string, function types
  MlirAttribute folds;            // of a ufunc's method: the symbol of that ufunc; it has no frame in tracebacks
  MlirAttribute identity;         // of reduce: "none", "reorderable" or "known"
  MlirAttribute with_initial;     // of reduce: the symbol of the function that takes initial= too
  MlirAttribute passed;           // of a function that is an argument: its number, a string
  MlirAttribute
      declared;    // of a C callback: its function type; of a function with declared signatures: an array of these
  bool in_library; // of the Python library
  bool no_frame;   // tracebacks do not show it either
  const char *makes,
      *makes_symbol; // of an __init__: the name of its class, and of the function that makes an instance; or NULL
  // Filled in when its turn comes.
  const char *file;
  const char *python_name;
  const char *qualname;
  pa_place place;
  pa_name **slots; // hash table of names
  size_t slot_count, name_count;
  pa_name **variables; // parameters first
  size_t variable_count, variable_capacity;
  pa_place *parameter_places;
  char
      *parameter_kinds; // a letter each: p plain, o by position only, k by keyword only, * the rest, w the rest by name
  bool *parameter_literals; // of the library: it must be known when the function is compiled
  bool *parameter_known;    // of the library: it is known there, where the call knows it
  int parameter_count;
  pa_block body;
  int words;                 // of a set of variables
  uint64_t *by_walrus;       // variables that expressions bind
  struct pa_function *outer; // of a nested one, whose |object| is that of the outermost
  bool refused;              // and so are those within it
  pa_name **captured;        // of a nested one: variables that are its first arguments
  size_t captured_count, captured_capacity;
  pa_closure *first_closure, *last_closure; // within it
  MlirAttribute nested_defaults;
  enum { PA_NOT_WALKED, PA_BEING_WALKED, PA_WALKED } walk; // closure_life.c
  bool is_generator;                                       // there is a yield in it
  bool is_lambda;
} pa_function;

static inline bool pa_is_captured(const pa_function *function, const pa_name *name) {
  for (size_t i = 0; i < function->captured_count; ++i)
    if (function->captured[i] == name) return true;
  return false;
}

// A function that was read for what it does with its parameters alone; NULL where that failed, or is being done.
typedef struct pa_read_aside {
  struct pa_read_aside *next;
  PyObject *object;
  pa_function *function;
} pa_read_aside;

typedef struct pa_importer {
  MlirContext context;
  MlirOperation module;
  pa_arena *arena;
  pa_function *first, *last;    // the queue
  const pa_function *importing; // the function whose body is being imported, or NULL
  pa_status refusals;           // what the user has to mend, in the order of the import
  bool is_incomplete;           // functions are refused, and not single values
  bool optimize;                // python -O: no asserts
  pa_read_aside *read_aside;
  bool aside;                          // one of these is being read: no warnings
  struct pa_class_entry *classes_used; // classes of which there may be instances
  // Owned.
  PyObject *kept;     // list of all objects that the structures above point to
  PyObject *classes;  // dict: ast class -> pa_class
  PyObject *builtins; // dict: id(object) -> canonical name; NULL until needed
  Py_ssize_t
      loaded; // how many modules there were then: attributes (numpy.random) and descriptions of classes load more
  PyObject *symbols; // dict: name -> how many functions of that name there are
  PyObject *fields[PA_FIELD_COUNT];
  PyObject *builtin_names; // tuple of str
  PyObject *function_type, *method_type;
  PyObject *dispatcher;                        // class of the extension module; NULL when it is not loaded
  PyObject *ndarray, *generic, *dtype, *ufunc; // of NumPy; NULL when it is not loaded
  PyObject *ufunc_kernel;                      // function of the extension module; NULL when it is not loaded
  PyObject *ufunc_attribute;                   // function of pyarray._ufunc_methods; the same
  PyObject *type_class;                        // pyarray.types.Type; the same
} pa_importer;

// The status for an exception that is set.
pa_status pa_python_failure(void);
// A TypingError with the message of the exception that is set, which is cleared.
pa_status pa_python_refusal(pa_importer *importer, const pa_location *location);
// A new reference, owned by the importer from here on; NULL (an exception is set) stays NULL.
PyObject *pa_keep(pa_importer *importer, PyObject *object);
// UTF-8 of a str in the arena; NULL with an exception set on failure.
const char *pa_python_text(pa_importer *importer, PyObject *string);
pa_location pa_locate(const pa_function *function, pa_place place);

// The function behind |object|, a Python function, queued on first sight.
pa_status pa_request(pa_importer *importer, PyObject *object, const pa_frontend_options *options,
                     const pa_function **out_function);
// The same without looking whether it is queued already: for what has an object of its own.
pa_status pa_enqueue(pa_importer *importer, PyObject *object, const pa_frontend_options *options,
                     pa_function **out_function);
// A function within |outer|, read by the caller.
pa_status pa_add_nested(pa_importer *importer, pa_function *outer, const char *name, pa_function **out_function);
// The symbol of a function of the Python library, "heapq.heappush"; NULL for another object.
pa_status pa_library_symbol(pa_importer *importer, PyObject *object, const char **out_symbol);
// |parts|, of an intrinsic: type code, MLIR type, text. Gives the function's symbol.
pa_status pa_import_intrinsic(const pa_overload_request *request, PyObject *parts, const char **out_symbol);
// The module pyarray.extending, a new reference; NULL where it is not loaded.
PyObject *pa_extending_module(void);
static inline const char *pa_target_name(bool device) { return device ? "cuda" : "cpu"; }
// The class method |name| of a type that a user gave it; left alone where there is none.
pa_status pa_overload_class_method(pa_importer *importer, PyObject *type, const char *name, PyObject **out_method);
// The name under which calls of an object with overloads are resolved; NULL for other objects.
pa_status pa_overload_name(pa_importer *importer, PyObject *object, const char **out_name);
// |*out_unfit|: the target that a function was registered for, where the code that is compiled is for another; else
// NULL.
pa_status pa_overload_fits(pa_importer *importer, PyObject *object, const char **out_unfit);
// The canonical name of a builtin, borrowed; NULL for another object.
pa_status pa_builtin_name(pa_importer *importer, PyObject *object, PyObject **out_name);
// What is in the queue for |object|, or NULL.
const pa_function *pa_find_function(const pa_importer *importer, PyObject *object);
// |object| is a dispatcher: its function as a new reference, and its options. NULL without an exception: it is none.
PyObject *pa_dispatched(PyObject *object, pa_importer *importer, pa_frontend_options *out_options);

// Links what the module declares with the code that stands for the number, in PA_LINKS; once.
void pa_note_link(MlirOperation module, MlirAttribute number, pa_arena *arena);

extern const pa_frontend_options pa_default_options;
// Those in |dict|, the others by default.
pa_frontend_options pa_stated_options(pa_importer *importer, PyObject *dict);
// Options of a function without any of its own, which the one being imported calls.
pa_frontend_options pa_called_options(const pa_importer *importer);
pa_status pa_make_symbol(pa_importer *importer, const char *name, const char **out_symbol);

// wrappers.c
// The kernel of a ufunc that vectorize or guvectorize made; NULL for what is none.
pa_status pa_request_ufunc(pa_importer *importer, PyObject *object, const pa_function **out_function);
// Whether |object| is such a ufunc.
pa_status pa_is_ufunc(pa_importer *importer, PyObject *object, bool *out_is_ufunc);
// The function of a ufunc's method; NULL for what is none.
pa_status pa_request_method(pa_importer *importer, PyObject *object, const pa_function **out_function);
// "dd>d" as (f64, f64) -> f64.
pa_status pa_function_type_of_code(pa_importer *importer, PyObject *code, MlirAttribute *out_type);
// Type codes of declared signatures, or NULL, as an array of function types; null where there is none.
pa_status pa_read_declared(pa_importer *importer, PyObject *codes, MlirAttribute *out_declared);
// The function behind a C callback, which is called with the types of its signature; NULL for what is none.
pa_status pa_request_cfunc(pa_importer *importer, PyObject *object, const pa_function **out_function);

// classes.c
// The name, "module:Class#0", of a class whose instances compiled code has; NULL for another object.
pa_status pa_request_class(pa_importer *importer, PyObject *object, const char **out_name);
// The classes that occur in type codes, or in none where |codes| is NULL.
pa_status pa_request_classes(pa_importer *importer, const char *codes);
void pa_write_classes(pa_importer *importer); // to the module
// The name of the class of a named tuple, or of a member of an enum; NULL for all other values.
pa_status pa_class_value_name(pa_importer *importer, PyObject *value, const char **out_name);

//===-- Reading -----------------------------------------------------------------------------------===//

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
                            pa_name **out_name); // a variable that no source can name

pa_status pa_read_expression(pa_reader *reader, PyObject *node, pa_expression **out_expression);
// |extra| more operands are left free in front.
pa_status pa_read_expressions(pa_reader *reader, PyObject *list, int extra, pa_expression ***out_expressions,
                              int *out_count);
pa_status pa_read_target(pa_reader *reader, PyObject *node, pa_expression **out_expression);
pa_status pa_read_operator(pa_reader *reader, PyObject *node, pa_class first, pa_class last, int *out_kind);
pa_expression *pa_none(pa_reader *reader, pa_place place);
pa_expression *pa_new_expression(pa_reader *reader, pa_expression_kind kind, pa_place place, int count);
pa_status pa_read_operand(pa_reader *reader, PyObject *node, pa_field field, pa_expression *into, int index);
void pa_set_loop_completions(pa_statement *loop);

// fstrings.c
pa_status pa_read_fstring(pa_reader *reader, PyObject *node, pa_place place, pa_expression **out_expression);

// generators.c
pa_status pa_read_yield(pa_reader *reader, PyObject *node, pa_class class, pa_place place,
                        pa_expression **out_expression);
pa_status pa_read_generator(pa_reader *reader, PyObject *node, pa_place place, pa_expression **out_expression);

// closures.c
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

pa_status pa_read_function_node(pa_reader *reader, PyObject *node); // a FunctionDef or Lambda (read.c)
void pa_append_return(pa_reader *reader, pa_block *block, pa_expression *value);
void pa_add_variable(pa_importer *importer, pa_function *function, pa_name *name);
void pa_for_each_name(pa_function *function, void (*visit)(void *, pa_name *), void *data);

// fold_integers.c. |*out_expression|: the value of an expression of int literals, of which a part is no int64, but it
// has 64 bits; else NULL.
pa_status pa_fold_integers(pa_reader *reader, PyObject *node, pa_place place, pa_expression **out_expression);
bool pa_is_two_to_64(pa_reader *reader, PyObject *node); // an expression of int literals

// imports.c
pa_status pa_read_import(pa_reader *reader, PyObject *node, bool is_from, pa_statement *statement);

pa_status pa_read_match(pa_reader *reader, PyObject *node, pa_statement *statement); // match.c

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
pa_status pa_read_block(pa_reader *reader, PyObject *list, pa_block *out_block);

//===-- Liveness ----------------------------------------------------------------------------------===//

void pa_find_liveness(pa_arena *arena, pa_function *function);
static inline bool pa_has(const uint64_t *set, int variable) {
  return set && (set[variable / 64] >> variable % 64 & 1);
}

//===-- Constants ---------------------------------------------------------------------------------===//

// The attribute of a pyarray.constant; null for what is no number, str or None. Fails for an int beyond 64 bits.
pa_status pa_constant_attr(pa_importer *importer, PyObject *value, const pa_location *location,
                           MlirAttribute *out_attribute);
// The elements of a NumPy array; null if it is none or of another dtype, then |*out_reason| says what is wrong with it.
pa_status pa_elements_attr(pa_importer *importer, PyObject *value, MlirAttribute *out_attribute, MlirType *out_element,
                           const char **out_reason);
// Whether |object| is numpy.datetime64 or numpy.timedelta64.
bool pa_is_time_class(pa_importer *importer, PyObject *object);
// What numpy.datetime64 or numpy.timedelta64, |callee|, makes of one or two texts: "2020-01-01", "D".
pa_status pa_time_literal(pa_importer *importer, PyObject *callee, const char *const *texts, int count,
                          const pa_location *location, MlirAttribute *out_attribute);
// "numpy.float32" for a NumPy dtype or scalar class; NULL for what is none.
pa_status pa_numpy_type_name(pa_importer *importer, PyObject *value, const char **out_name);

//===-- Emission ----------------------------------------------------------------------------------===//

typedef enum pa_bound {
  PA_UNBOUND,
  PA_BOUND,
  PA_MAYBE, // |flag| says
  PA_ANY,   // not live, or never reached: as the other branch has it
} pa_bound;

// What a variable stands for at a point of the function.
typedef struct pa_binding {
  pa_bound bound;
  MlirValue value; // if not PA_UNBOUND
  MlirValue flag;  // a Python bool, if PA_MAYBE
} pa_binding;

// How what was emitted so far can go on.
typedef struct pa_flow {
  unsigned completions;
  MlirValue state;  // which one, a Python int; may be null if there is only one, or with |falls|
  MlirValue falls;  // i1: whether it is FALL rather than RETURN; null if |state| is given
  MlirValue result; // what is returned, if RETURN is possible
} pa_flow;

typedef struct pa_change {
  int variable;
  pa_binding binding; // the one undone by it, or the new one
} pa_change;

typedef struct pa_emitter {
  pa_importer *importer;
  pa_function *function;
  pa_arena *arena;
  pa_builder builder;
  MlirType any, i1;
  pa_flow flow;
  pa_binding *variables;
  MlirValue *captured;                       // arguments of a nested function
  const uint64_t *live[PA_COMPLETION_COUNT]; // live after each completion, here
  pa_change *trail;                          // what to undo at the end of a region
  size_t trail_count, trail_capacity;
  unsigned *seen, seen_mark;        // of each variable: the last region whose trail was searched for it
  MlirBlock reachable;              // not null: the builder's block is scratch, after a raise within a statement
  bool tail;                        // the end of the present list is the end of a loop's body: continue falls through
  const struct pa_try_frame *frame; // the innermost try whose body is being emitted, or NULL
  int depth;                        // of regions
} pa_emitter;

pa_status pa_emit_function(pa_importer *importer, pa_function *function);
void pa_fail_emission(pa_emitter *e, pa_code code, pa_place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void pa_set_failure(pa_emitter *e, pa_status failure); // the first one stays
// The following operations come from |place|.
void pa_at(pa_emitter *e, pa_place place);

#define PA_OP_NAME(kind) pa_op_names[PA_OP_##kind]

// Expressions. A null value on failure.
MlirValue pa_emit(pa_emitter *e, const pa_expression *expression);
MlirValue pa_emit_condition(pa_emitter *e, const pa_expression *expression, bool negated); // an i1
MlirValue pa_emit_binary(pa_emitter *e, int kind, MlirValue left, MlirValue right, bool inplace);
// classes.c. The function that makes an instance, of the __init__ being emitted.
pa_status pa_emit_constructor(pa_emitter *e, MlirAttribute defaults, MlirAttribute options);
MlirValue pa_emit_getitem(pa_emitter *e, const MlirValue *operands, int count); // object and indices
MlirValue *pa_emit_all(pa_emitter *e, pa_expression *const *expressions, int count);
MlirValue pa_emit_constant(pa_emitter *e, MlirAttribute value);
MlirValue pa_emit_int(pa_emitter *e, int64_t value);
MlirValue pa_emit_bool(pa_emitter *e, bool value);
MlirValue pa_emit_unbound(pa_emitter *e, MlirType type);
// What |x| names, if it is no variable; NULL too where it is refused, which is said where it is emitted.
PyObject *pa_peek(pa_emitter *e, const pa_expression *x);
// What stands for a value that is refused, so that others are looked at; NULL after a failure that ends the import.
// Takes |refusal| over.
MlirValue pa_emit_refused(pa_emitter *e, pa_status refusal);
bool pa_is_refusal(pa_status failure); // of what the user wrote
MlirValue pa_emit_truth(pa_emitter *e, MlirValue value);
MlirValue pa_emit_compare(pa_emitter *e, int kind, MlirValue left, MlirValue right);
MlirValue pa_emit_not(pa_emitter *e, MlirValue value); // of a Python value
void pa_emit_raise(pa_emitter *e, const char *exception, const MlirValue *arguments, int count);
MlirValue pa_read_variable(pa_emitter *e, const pa_name *name);
MlirValue pa_emit_builtin_call(pa_emitter *e, const char *name, const MlirValue *arguments, int count);

// known_truth.c
// The truth of a condition that literals and frozen globals decide, or -1. |*out_bare|: nothing of it needs to be
// evaluated; `x > 0 and False` is no such condition.
int pa_known_truth(pa_emitter *e, const pa_expression *x, bool *out_bare);
// The operands of an `and` or `or` without those that the ones before, or their own truth, make superfluous. The
// number.
int pa_needed_operands(pa_emitter *e, const pa_expression *x, const pa_expression **out_operands);

// exact_constants.c
// The value of a constant expression that int64 would wrap in; null for all others.
MlirValue pa_emit_exact(pa_emitter *e, const pa_expression *x);
void pa_note_exact(pa_emitter *e, const pa_statement *assignment); // what a variable bound once is

// type_values.c. Types of pyarray.types; out-parameters stay null for all else.
pa_status pa_type_attribute(pa_emitter *e, PyObject *object, const char *name,
                            PyObject **out_object); // a type, or a jitclass's class_type
// A call of a class of types, or a subscript of a type, of which all parts are known.
pa_status pa_resolve_type(pa_emitter *e, const pa_expression *x, PyObject **out_object);
MlirValue pa_emit_made_type(pa_emitter *e, const pa_expression *x); // the same as a value
pa_status pa_emit_type(pa_emitter *e, const pa_expression *x, PyObject *object, MlirValue *out_value);

// callables.c: *out_value stays null for all other objects. |emit_part| emits an object that it is made of.
typedef MlirValue (*pa_emit_part)(pa_emitter *e, const pa_expression *x, PyObject *object, int depth);
pa_status pa_emit_made_callable(pa_emitter *e, const pa_expression *x, PyObject *object, int depth,
                                pa_emit_part emit_part, MlirValue *out_value);

// native.c: *out_value stays null for all other objects.
pa_status pa_emit_objmode(pa_emitter *e, PyObject *object, MlirValue *out_value);
pa_status pa_emit_native(pa_emitter *e, const pa_expression *x, PyObject *object, MlirValue *out_value);

MlirValue pa_emit_closure(pa_emitter *e, const pa_expression *expression);
MlirValue pa_emit_own_closure(pa_emitter *e); // within a nested function, itself
MlirValue pa_emit_remade(pa_emitter *e, const struct pa_remade *remade);
void pa_open_cells(pa_emitter *e);                                    // at the beginning of a function
void pa_open_target_cells(pa_emitter *e, const pa_expression *steps); // at the beginning of a comprehension
MlirValue pa_read_cell(pa_emitter *e, const pa_name *name);
void pa_write_cell(pa_emitter *e, const pa_name *name, pa_binding binding);

// Statements.
void pa_emit_block(pa_emitter *e, const pa_block *block);
void pa_emit_loop(pa_emitter *e, const pa_statement *loop);
void pa_store_target(pa_emitter *e, const pa_expression *target, MlirValue value);
// |value| as the number that the option `locals` says the local variable |name| is.
MlirValue pa_as_declared(pa_emitter *e, const pa_name *name, MlirValue value);
// What follows a statement, block[index..], where it falls through.
void pa_emit_rest(pa_emitter *e, const pa_block *block, int index);
// Assigns to a local variable, or deletes it: |binding| is PA_BOUND or PA_UNBOUND.
void pa_set_variable(pa_emitter *e, int variable, pa_binding binding);
void pa_emit_try(pa_emitter *e, const pa_statement *s);
void pa_emit_finally(pa_emitter *e, const pa_statement *s);
void pa_emit_import(pa_emitter *e, const pa_statement *s); // imports.c
void pa_emit_raise_statement(pa_emitter *e, const pa_statement *s);

// What the free variable, global or builtin |text| of |function| stands for, borrowed; NULL where it has no value.
pa_status pa_find_object(pa_importer *importer, const pa_function *function, const char *text, PyObject **out_object);
// Objects known at compile time. |*out_object| is NULL if the expression is none: a variable, or computed.
pa_status pa_resolve(pa_emitter *e, const pa_expression *expression, PyObject **out_object);
MlirValue pa_emit_object(pa_emitter *e, const pa_expression *expression, PyObject *object);
MlirValue pa_emit_callable(pa_emitter *e, MlirAttribute name); // of a builtin, or a symbol
const char *pa_spell(pa_emitter *e, const pa_expression *x);   // "np.random.rand", as the source has it
// An exception class: "ValueError" or "module:qualname", and the names of the bases of the latter (else null).
typedef struct pa_exception_class {
  const char *name;
  MlirAttribute bases;
} pa_exception_class;
pa_status pa_exception_class_of(pa_emitter *e, const pa_expression *expression, pa_exception_class *out_class);
// The names (an array of strings) of a class or of a tuple of classes.
pa_status pa_exception_classes(pa_emitter *e, const pa_expression *expression, MlirAttribute *out_names);
// The exception classes that |expression| names, as one value, for isinstance(); null where it names anything else.
MlirValue pa_emit_exception_classes(pa_emitter *e, const pa_expression *expression);

// attributes.c
// What the call |x| of getattr, hasattr or setattr gives; null for other calls.
MlirValue pa_emit_attribute_call(pa_emitter *e, const pa_expression *x);
// x.name where |x| is getattr(x, "name"); else |x|.
const pa_expression *pa_plain_attribute(pa_emitter *e, const pa_expression *x);

//===-- Flow --------------------------------------------------------------------------------------===//

// A region under construction, and once ended, what it did.
typedef struct pa_branch {
  MlirRegion region;
  MlirBlock block;
  pa_flow flow;       // once ended, its own
  pa_change *changes; // variables rebound in it, in order of number
  int count;
  size_t trail_start;
  pa_flow outer_flow;
  MlirBlock outer_block, outer_reachable;
} pa_branch;

void pa_bind(pa_emitter *e, int variable, pa_binding binding);
// Begins a region whose block has |arguments| arguments of type any; ends it, with the variables as they were before.
void pa_branch_begin(pa_emitter *e, pa_branch *branch, int arguments);
void pa_branch_end(pa_emitter *e, pa_branch *branch);
// scf.if from two ended branches, with the variables live after it as results. The flow is that of both.
void pa_join(pa_emitter *e, MlirValue condition, pa_branch *then, pa_branch *otherwise, const uint64_t *live_fall);
// pyarray.try, likewise.
void pa_join_try(pa_emitter *e, pa_branch *body, pa_branch *handler, const uint64_t *live_fall);
// scf.if whose first result is a value; variables that expressions bind follow.
MlirValue pa_join_values(pa_emitter *e, MlirValue condition, pa_branch *then, MlirValue then_value,
                         pa_branch *otherwise, MlirValue other_value, MlirType type);

// After a raise: what follows in the statement goes into a scratch block, dropped by pa_settle at the end of the
// statement.
void pa_unreachable(pa_emitter *e);
void pa_settle(pa_emitter *e);
static inline bool pa_is_dead(const pa_emitter *e) { return e->flow.completions == 0 || pa_failed(&e->builder); }

MlirValue pa_flow_state(pa_emitter *e, pa_flow flow); // as a Python int; unbound if nothing is possible
MlirValue pa_flow_falls(pa_emitter *e, pa_flow flow); // i1
MlirValue pa_state_is(pa_emitter *e, MlirValue state, pa_completion completion); // i1
// How many parameters take the rest, *args and **kwargs: the last ones.
static inline int pa_rest_parameters(const pa_function *function) {
  int count = 0;
  while (count < function->parameter_count &&
         strchr("*w", function->parameter_kinds[function->parameter_count - 1 - count]))
    ++count;
  return count;
}
static inline bool pa_is_single(unsigned completions) { return (completions & (completions - 1)) == 0; }

MlirValue pa_result(MlirOperation op, intptr_t index); // null of a null operation

// Attribute pyarray.names of an operation with |count| results: the variable that each one is, for messages. -1: none.
MlirAttribute pa_result_names(const pa_emitter *e, const int *variables, int count);

#endif // PYARRAY_LIB_FRONTEND_IMPORTER_H
