// The state of an import, for all files of the frontend: the functions in the queue, options, symbols, objects of
// Python. reader.h has what reads them into trees, emitter.h and emit.h what makes operations of these, objects.h what
// globals stand for.
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

typedef struct pa_emitter pa_emitter; // emitter.h

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
  pa_function *first, *last;         // the queue
  const pa_function *importing;      // the function whose body is being imported, or NULL
  const pa_frontend_options *caller; // of the function that calls the first one, where it is an overload; or NULL
  pa_status refusals;                // what the user has to mend, in the order of the import
  bool is_incomplete;                // functions are refused, and not single values
  bool optimize;                     // python -O: no asserts
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
bool pa_is_refusal(pa_status failure); // of what the user wrote
// A new reference, owned by the importer from here on; NULL (an exception is set) stays NULL.
PyObject *pa_adopt(pa_importer *importer, PyObject *object);
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

// "dd>d" as (f64, f64) -> f64.
pa_status pa_function_type_of_code(pa_importer *importer, PyObject *code, MlirAttribute *out_type);
// Type codes of declared signatures, or NULL, as an array of function types; null where there is none.
pa_status pa_read_declared(pa_importer *importer, PyObject *codes, MlirAttribute *out_declared);

// How many parameters take the rest, *args and **kwargs: the last ones.
static inline int pa_rest_parameters(const pa_function *function) {
  int count = 0;
  while (count < function->parameter_count &&
         strchr("*w", function->parameter_kinds[function->parameter_count - 1 - count]))
    ++count;
  return count;
}

#endif // PYARRAY_LIB_FRONTEND_IMPORTER_H
