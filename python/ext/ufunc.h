// Ufuncs: genuine numpy.ufunc objects around compiled inner loops (ufunc.c, ufunc_loop.c), and pyarray.DUFunc, which
// gets a loop for every new combination of input types (lazy_*.c).
//
//   kernel    what vectorize and guvectorize know of a function; has a dispatcher that compiles NumPy's inner loops of
//   it loop      one compiled variant, the data of pa_ufunc_run origin    the loops of one ufunc; ufunc->obj, by which
//   a ufunc made here is known
#ifndef PYARRAY_PYTHON_EXT_UFUNC_H
#define PYARRAY_PYTHON_EXT_UFUNC_H

#include "ext.h"

#define PY_UFUNC_UNIQUE_SYMBOL pa_numpy_ufunc_api
#ifndef PA_IMPORTS_NUMPY // module.c alone fills the table
#define NO_IMPORT_UFUNC
#endif
#include <numpy/ufuncobject.h>

//===-- Kernels -----------------------------------------------------------------------------------===//

enum { PA_MAX_OPERANDS = 64 };

typedef struct pa_ufunc_kernel {
  PyObject_HEAD pa_dispatcher *dispatcher; // its field |ufunc| is the signature text, "(),()->()" for vectorize
  int nin, nout;
  int identity;        // PyUFunc_Zero and so on
  bool is_generalized; // guvectorize
  bool writes_outputs; // the outputs are parameters, which the function writes
  uint64_t writable;   // bit i: input i may be written
  PyObject *ranks;     // bytes: core dimensions of each operand
  PyObject *name;      // bytes
  PyObject *doc;       // bytes or NULL
  PyObject *recipe;    // what pickling needs to make the kernel again; of no meaning here
} pa_ufunc_kernel;

extern PyTypeObject pa_ufunc_kernel_type;
extern PyTypeObject pa_ufunc_origin_type;
extern PyTypeObject pa_lazy_ufunc_type;
extern PyTypeObject pa_override_type;

// Type letters of NumPy's builtin numbers as in type codes; 0 where there is none. |type_number| may be any.
char pa_ufunc_letter(int type_number);
int pa_ufunc_type_number(char letter);

// The letters of the operands of a compiled variant: inputs, then outputs. False with an exception set where the
// function returns something else than its outputs.
bool pa_ufunc_letters(const pa_ufunc_kernel *kernel, const pa_variant *variant, char *out_letters);

// A ufunc with one loop for each variant, tried in this order. New reference.
PyObject *pa_ufunc_make(pa_ufunc_kernel *kernel, const pa_variant *const *variants, Py_ssize_t count);

// The kernel behind a ufunc made here or a DUFunc, borrowed; NULL without an exception for everything else.
pa_ufunc_kernel *pa_ufunc_kernel_of(PyObject *object);
// Type codes of the loops that were asked for, a list; of a DUFunc those given by signatures, since those made for the
// types of calls follow from the function. New reference.
PyObject *pa_ufunc_codes_of(PyObject *object);
// What _pyarray.ufunc_kernel returns.
PyObject *pa_ufunc_describe(PyObject *module, PyObject *object);
// What _pyarray.ufunc_recipe returns: the kernel's recipe or None.
PyObject *pa_ufunc_recipe(PyObject *module, PyObject *object);

//===-- Loops -------------------------------------------------------------------------------------===//

typedef struct pa_ufunc_loop {
  const pa_variant *variant;
  const pa_dispatcher *dispatcher;
  const PyUFuncObject *ufunc; // borrowed from itself: it has the dimensions of the operands
  size_t slot_count;
  uint8_t item_shifts[PA_MAX_OPERANDS]; // log2 of the item sizes
} pa_ufunc_loop;

// NumPy's inner loop of every ufunc made here; |data| is a pa_ufunc_loop.
void pa_ufunc_run(char **pointers, const npy_intp *dimensions, const npy_intp *steps, void *data);

//===-- DUFunc ------------------------------------------------------------------------------------===//

typedef struct pa_lazy_entry pa_lazy_entry;

typedef struct pa_lazy_variants {
  const pa_variant **items;
  Py_ssize_t count;
} pa_lazy_variants;

typedef struct pa_lazy_ufunc {
  PyObject_HEAD vectorcallfunc vectorcall;
  pa_ufunc_kernel *kernel;
  PyObject *ufunc;       // with every loop: answers what is asked of attributes
  PyObject *declared;    // with the loops given by signatures alone; NULL where there are none
  PyObject *specialized; // dict: type code of arguments to the ufunc with that loop alone
  PyObject *attributes;  // __dict__
  PyObject *weak_references;
  pa_lazy_variants given, made; // by signatures, for the types of calls
  pa_lazy_entry *last, *entries;
  bool is_frozen; // disable_compile() was called
} pa_lazy_ufunc;

// A key has a letter for each input, and for each output where the kernel writes them: a letter of type codes, one of
// NumPy's type characters for other types, or one of these.
enum {
  PA_KEY_INT = '1', // Python's own numbers, which adopt the type of the others
  PA_KEY_FLOAT = '2',
  PA_KEY_COMPLEX = '3',
  PA_KEY_ABSENT = '-', // an output that was not given
  PA_KEY_FOREIGN = '!',
};

extern PyMethodDef pa_lazy_methods[];
extern PyGetSetDef pa_lazy_attributes[];

static inline bool pa_is_lazy_ufunc(PyObject *object) { return Py_TYPE(object) == &pa_lazy_ufunc_type; }
Py_ssize_t pa_lazy_key_length(const pa_lazy_ufunc *self);
// The letter of a value, which is an array or scalar; 0 where it must be made an array first.
char pa_lazy_letter(PyObject *value);
// The letter for a dtype or something that names one; 0 with an exception set.
char pa_lazy_dtype_letter(PyObject *dtype);
// The type that a Python number has by itself; other letters stay.
char pa_lazy_letter_alone(char letter);
// Where NumPy would do otherwise, gives Python's numbers among the inputs the types that |key| leads to. As
// pa_lazy_put_inputs.
bool pa_lazy_harden(const pa_lazy_ufunc *self, PyObject **values, const char *key, PyObject *kept);
// The ufunc that computes for operands of the types |key|, compiled if need be. New reference; NULL with an exception.
PyObject *pa_lazy_resolve(pa_lazy_ufunc *self, const char *key);
// The same for reductions with two inputs and one output, all of one type.
PyObject *pa_lazy_resolve_reduction(pa_lazy_ufunc *self, char letter);
// Calls what serves |key|.
PyObject *pa_lazy_call_key(pa_lazy_ufunc *self, const char *key, PyObject *const *values, size_t flags,
                           PyObject *names);
// Forgets what serves which key.
void pa_lazy_forget(pa_lazy_ufunc *self);
// The call in general: lists, overrides, dtype=, signature=.
PyObject *pa_lazy_call_any(pa_lazy_ufunc *self, PyObject *const *values, size_t flags, PyObject *names);
// Adds the loop of a signature, given as its type code.
bool pa_lazy_add(pa_lazy_ufunc *self, const char *code);
// Writes the letters of the |count| inputs |values|. A list becomes an array, which replaces it in |values| and is
// appended to the list |kept|. False with an exception set.
bool pa_lazy_put_inputs(PyObject **values, Py_ssize_t count, char *key, PyObject *kept);

//===-- __array_ufunc__: lazy_override.c ----------------------------------------------------------===//

// Whether the class of |value| defines __array_ufunc__ otherwise than numpy.ndarray.
bool pa_has_override(PyObject *value);
// Whether a positional argument, where= or an element of out= has one; |names| may be NULL.
bool pa_have_override(PyObject *const *values, Py_ssize_t count, PyObject *names);
// Calls the overrides that the arguments of |method| have.
PyObject *pa_call_override(pa_lazy_ufunc *self, const char *method, PyObject *const *values, Py_ssize_t count,
                           PyObject *names);

#endif // PYARRAY_PYTHON_EXT_UFUNC_H
