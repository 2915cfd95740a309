// Ufuncs: genuine numpy.ufunc objects around compiled inner loops (ufunc.c, ufunc_loop.c), and pyarray.DUFunc, which
// gets a loop for every new combination of input types (lazy_*.c).
//
// - kernel: what vectorize and guvectorize know of a function; has a dispatcher that compiles NumPy's inner loops of it
// - loop: one compiled variant, the data of pa_ufunc_run
// - origin: the loops of one ufunc; ufunc->obj, by which a ufunc made here is known
#ifndef PYARRAY_PYTHON_EXT_UFUNC_H
#define PYARRAY_PYTHON_EXT_UFUNC_H

#include "ext.h"
#include "support/core_signature.h"

//===-- Kernels -----------------------------------------------------------------------------------===//

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
  PyObject *copies;    // dict: "(3)->() fixed" to the dispatcher of these copies of the loops
} pa_ufunc_kernel;

extern PyTypeObject pa_ufunc_kernel_type;
extern PyTypeObject pa_ufunc_origin_type;
extern PyTypeObject pa_lazy_ufunc_type;
extern PyTypeObject pa_override_type;

//===-- Types of operands: ufunc_types.c ----------------------------------------------------------===//

// A letter is that of type codes; each datetime or timedelta type, with its unit, has one of its own within this
// process. 0 where a type has none.
char pa_ufunc_letter(const PyArray_Descr *descr);
char pa_ufunc_letter_of_type(const pa_type *type); // of a scalar or an array's element
char pa_ufunc_time_letter(char dtype, pa_time_unit unit);
bool pa_ufunc_is_time(char letter);
int pa_ufunc_type_number(char letter);      // -1 where |letter| is none of these
PyArray_Descr *pa_ufunc_descr(char letter); // a new reference
int pa_ufunc_item_size(char letter);
char *pa_ufunc_put_code(char *code, char letter); // writes its type code, at most PA_SPARE characters; returns the end
char pa_ufunc_shown_letter(char letter);          // as NumPy has it, without the unit
// The number of a loop of times that differs from an earlier one in units alone, so that NumPy never takes it; or -1.
int pa_ufunc_hidden_loop(PyObject *ufunc);
void pa_ufunc_set_resolver(PyObject *ufunc); // where it has loops of times

void pa_ufunc_keep_outputs(
    PyObject *ufunc); // what kernels do not store of outputs that are cast stays (ufunc_outputs.c)

//===-- Ufuncs: ufunc.c ---------------------------------------------------------------------------===//

// The letter of an operand of a loop, of a ufunc made here.
char pa_ufunc_loop_letter(PyObject *ufunc, int number, int operand);
// False with an exception set where NumPy would never take one of the loops.
bool pa_ufunc_check_loops(PyObject *ufunc);

// The letters of the operands of a compiled variant: inputs, then outputs. False with an exception set where the
// function returns something else than its outputs.
bool pa_ufunc_letters(const pa_ufunc_kernel *kernel, const pa_variant *variant, char *out_letters);

// A ufunc with one loop for each variant, tried in this order. New reference.
PyObject *pa_ufunc_make(pa_ufunc_kernel *kernel, const pa_variant *const *variants, Py_ssize_t count);

// The kernel behind a ufunc made here or a DUFunc, borrowed; NULL without an exception for everything else.
pa_ufunc_kernel *pa_ufunc_kernel_of(PyObject *object);
bool pa_put_ufunc(struct pa_hasher *to, PyObject *value); // into a fingerprint; false for what is none
// Type codes of the loops that were asked for, a list; of a DUFunc those given by signatures, since those made for the
// types of calls follow from the function. New reference.
PyObject *pa_ufunc_codes_of(PyObject *object);
// What _pyarray.ufunc_kernel returns.
PyObject *pa_ufunc_describe(PyObject *module, PyObject *object);
// What _pyarray.ufunc_dispatcher(object, signature, form) returns: the dispatcher of its loops, or of the copies of the
// form with this signature (None: the ufunc's own); None for objects that are no ufuncs made here.
PyObject *pa_ufunc_dispatcher(PyObject *module, PyObject *arguments);
// What _pyarray.ufunc_recipe returns: the kernel's recipe or None.
PyObject *pa_ufunc_recipe(PyObject *module, PyObject *object);

// What _pyarray.core_signature returns.
PyObject *pa_read_core_signature(PyObject *module, PyObject *text);

//===-- Loops -------------------------------------------------------------------------------------===//

enum { PA_MAX_FIXED_COPIES = 4, PA_MAX_FIXED_DIMENSIONS = 8 };

// A copy of the loop for some operands alone (lib/passes/arrays/wrap_ufunc.c), compiled when it would have been of use
// for long enough. Read and written by several threads.
typedef struct pa_loop_copy {
  const pa_variant *_Atomic variant;       // NULL while it is not compiled
  _Atomic int64_t work;                    // done without it; INT64_MIN: it cannot be had
  npy_intp sizes[PA_MAX_FIXED_DIMENSIONS]; // of the core dimensions, in a copy for these; of one for constant inputs
                                           // a bit for each; 0: the copy is free
  bool is_dense;                           // and for one point after the other
} pa_loop_copy;

typedef struct pa_ufunc_loop {
  const pa_variant *variant;
  pa_ufunc_kernel *kernel;    // borrowed
  const PyUFuncObject *ufunc; // borrowed from itself: it has the dimensions of the operands
  size_t slot_count;
  bool packs;            // |variant| is for contiguous operands alone
  bool carries;          // the first input has the type of the only output
  _Atomic bool is_cheap; // operands with other strides are better not copied; false until |variant| has been called
  pa_loop_copy strided, carried, fixed[PA_MAX_FIXED_COPIES], constant[PA_MAX_FIXED_COPIES];
  uint8_t item_shifts[PA_MAX_OPERANDS]; // log2 of the item sizes
} pa_ufunc_loop;

// NumPy's inner loop of every ufunc made here; |data| is a pa_ufunc_loop.
void pa_ufunc_run(char **pointers, const npy_intp *dimensions, const npy_intp *steps, void *data);

// Calls compiled code; false with an exception set. A kernel of numbers has computed the other points then, save where
// an output overlaps an input; all others do nothing until NumPy has taken the exception.
bool pa_ufunc_enter(const pa_ufunc_loop *loop, const pa_variant *variant, const uint64_t *slots, uint64_t *out_result);
// Any other failure: says that an exception is set.
void pa_ufunc_has_raised(void);
// Fills the slots of one operand without core dimensions: |count| points from |pointer| on, |step| in bytes.
uint64_t *pa_ufunc_put_elements(uint64_t *slot, const char *pointer, npy_intp count, npy_intp step, int shift);

static inline int pa_ufunc_rank(const pa_ufunc_loop *loop, int operand) {
  return loop->ufunc->core_enabled ? loop->ufunc->core_num_dims[operand] : 0;
}
// The byte steps of the core dimensions of an operand, which follow those of the loop dimension.
static inline const npy_intp *pa_ufunc_core_steps(const pa_ufunc_loop *loop, int operand, const npy_intp *steps) {
  const PyUFuncObject *ufunc = loop->ufunc;
  return steps + ufunc->nargs + (ufunc->core_enabled ? ufunc->core_offsets[operand] : 0);
}

// The loop, or its copy for the sizes of the core dimensions. An exception may be set.
const pa_variant *pa_ufunc_code_for_cores(pa_ufunc_loop *loop, const npy_intp *dimensions, const npy_intp *steps);
// An elementwise loop for contiguous operands, by blocks: the others are copied.
void pa_ufunc_run_packed(pa_ufunc_loop *loop, char **pointers, npy_intp count, const npy_intp *steps);

//===-- Copies of loops: ufunc_copies.c -----------------------------------------------------------===//

// Whether loops of the kernel's inputs and outputs can have it.
bool pa_ufunc_has_form(const pa_ufunc_kernel *kernel, const char *form);
// Each gives the copy's code, or NULL where there is none (yet): |work| is then added up, and decides when it is
// compiled.
const pa_variant *pa_ufunc_strided_copy(pa_ufunc_loop *loop, int64_t work);
const pa_variant *pa_ufunc_carried_copy(pa_ufunc_loop *loop, int64_t work);
// For contiguous operands, and constant ones: bit i of |constants| stands for input i.
const pa_variant *pa_ufunc_constant_copy(pa_ufunc_loop *loop, uint64_t constants, int64_t points);
// For contiguous cores of the dimensions |sizes|, one point after the other or not; |points| of the loop.
const pa_variant *pa_ufunc_fixed_copy(pa_ufunc_loop *loop, const npy_intp *sizes, int64_t points, bool is_dense);
// The dispatcher of the copies of a form (pyarray-c/Core.h) with this signature. Borrowed; NULL with an exception set.
pa_dispatcher *pa_ufunc_copies_of(pa_ufunc_kernel *kernel, const char *signature, const char *form);

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

//===-- Types of a key: lazy_types.c --------------------------------------------------------------===//

// NumPy 2 adapts Python's numbers to the other operands; its predecessors looked at their values. Set with the first
// DUFunc.
extern bool pa_has_weak_numbers;

static inline bool pa_lazy_is_weak(char letter) {
  return letter == PA_KEY_INT || letter == PA_KEY_FLOAT || letter == PA_KEY_COMPLEX;
}
// The type that a Python number has by itself; other letters stay.
char pa_lazy_letter_alone(char letter);
// Writes |key| with types for Python's numbers and absent outputs. 0, or the type that is no number.
char pa_lazy_make_exact(const pa_lazy_ufunc *self, const char *key, char *out_exact);
// Where NumPy would do otherwise, gives Python's numbers among the inputs the types that |key| leads to; ints that do
// not fit theirs become int64, in |key| too. As pa_lazy_put_inputs.
bool pa_lazy_harden(const pa_lazy_ufunc *self, PyObject **values, char *key, PyObject *kept);
// Writes |key| with Python's ints as int64; false where there are none.
bool pa_lazy_with_long_ints(const char *key, char *out_key);
// Whether Python's int |value| is one of the integers |letter|; true for floats and all that is no int.
bool pa_lazy_int_fits(PyObject *value, char letter);
// Whether an input of the letter |from| can be cast safely to the type |to|.
bool pa_lazy_can_cast(char from, char to);
// The type code of the arguments for operands of the types |exact|, with the result of functions that write outputs. A
// str.
PyObject *pa_lazy_code_for(const pa_ufunc_kernel *kernel, const char *exact);

//===-- __array_ufunc__: lazy_override.c ----------------------------------------------------------===//

// Whether the class of |value| defines __array_ufunc__ otherwise than numpy.ndarray.
bool pa_has_override(PyObject *value);
// Whether a positional argument, where= or an element of out= has one; |names| may be NULL.
bool pa_have_override(PyObject *const *values, Py_ssize_t count, PyObject *names);
// Calls the overrides that the arguments of |method| have.
PyObject *pa_call_override(pa_lazy_ufunc *self, const char *method, PyObject *const *values, Py_ssize_t count,
                           PyObject *names);

#endif // PYARRAY_PYTHON_EXT_UFUNC_H
