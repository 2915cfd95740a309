// What the files of python/ext share: the dispatcher, its compiled variants, and what moves values in and out of them.
#ifndef PYARRAY_PYTHON_EXT_EXT_H
#define PYARRAY_PYTHON_EXT_EXT_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>
#include <stdint.h>

#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL pa_numpy_api
#define PY_UFUNC_UNIQUE_SYMBOL pa_numpy_ufunc_api
#ifndef PA_IMPORTS_NUMPY // numpy_tables.c alone fills the tables
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#endif
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>
#include <numpy/ufuncobject.h>

#include "disk_cache.h"
#include "object_loader.h"
#include "pyarray-c/Core.h"
#include "runtime.h"
#include "type_code.h"

#define PA_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define PA_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

//===-- Variants ----------------------------------------------------------------------------------===//

// The compiled code of one tuple of argument types. Published variants never change and live as long as their
// dispatcher, so that a caller may use one without a lock.
typedef struct pa_image {
  const void *bytes;
  size_t size;
  const char *entry;    // of a kernel: its name; else ""
  int64_t shared_bytes; // of a kernel: what every launch adds
  int64_t points;       // of a ufunc's kernel: how many a thread takes at a time
  const char *linked;   // of a kernel: what it is linked with, as in pyarray_compile_result; or NULL
  size_t linked_size;
  bool cooperative;    // a kernel whose blocks wait for each other
  bool fixed;          // a kernel that has addresses of device arrays in it
  const char *kernels; // of the host's code whose arrays are a GPU's, as in pyarray_compile_result; or NULL
  size_t kernels_size;
  uint64_t written;
} pa_image;

typedef struct pa_variant {
  struct pa_variant *next;
  int32_t (*entry)(const uint64_t *arguments, uint64_t *results); // pyarray_entry
  void *c_entry;           // pyarray_cfunc, where the dispatcher serves a cfunc; |entry| is NULL then
  char *code;              // "dq>d"
  size_t arguments_length; // of the part before '>': what a call's key is compared with
  const char *result;      // the part after '>'
  size_t result_slots;
  size_t argument_slots;
  // A conversion: calls with |code|'s arguments are passed to |target|, whose declared arguments they convert to. All
  // other fields are the target's. NULL for real variants.
  const struct pa_variant *target;
  // Types for which values of arguments are asked for: '1' for each such parameter, '0' for others. |target| is itself,
  // and calls are passed to variants whose keys have the values.
  char *wanted;
  pa_object *object;
  PyObject *modules; // of a kernel: what is told of the modules that it is loaded into (pyarray/cuda/_link.py); or NULL
  struct pa_kernel *kernel;   // instead of |entry| and |object|, where the dispatcher makes kernels
  struct pa_kernel **kernels; // that |object| launches
  int kernel_count;
  uint64_t written;                 // arguments that |object| may write to, of a dispatcher with |offload|
  int capability;                   // of the devices that |kernel| is for: 90; 0 for the CPU's code
  struct pa_dispatcher *dispatcher; // borrowed: whose errors its errors are
  char *sites;                      // as in pyarray_compile_result, but an empty file stands for the dispatcher's own
  size_t sites_size;
  bool from_cache;
  bool has_result; // it was asked for with that result
  bool is_lent;    // code and sites are those of another dispatcher's variant
  bool has_source; // of a ufunc's loops: |source| tells whether later copies would be of the same function
  pa_cache_key source;
  double seconds[4];
} pa_variant;

// Of dispatchers whose functions run on a GPU, or on the CPU in its place (cuda.h).
typedef struct pa_cuda_options {
  bool device; // called by other such functions, never launched
  bool lineinfo, no_fma, no_opt, lto;
  bool extended;   // arguments go through `extensions`
  int boundscheck; // -1: as debug and the target have it
  int max_registers, max_threads, min_blocks;
  int carveout;             // percent, plus 1; 0: not said
  int max_cluster, cluster; // x + 256 y + 65536 z; 0: not said
} pa_cuda_options;

typedef struct pa_function_value pa_function_value; // function_value.c

typedef struct pa_dispatcher {
  PyObject_HEAD vectorcallfunc vectorcall;
  pa_variant *last;       // the variant of the latest call, NULL before the first
  Py_ssize_t plain_count; // the argument count with which a call needs no binding; -1: every call needs it
  bool nogil;
  bool can_compile; // false: only the declared variants, to which arguments are converted
  bool cache;
  bool fastmath;
  bool parallel;
  bool offload; // whole arrays are a GPU's
  bool boundscheck;
  const char *error_model; // "python", "numpy" or "strict": static text
  bool accurate_math;      // accuracy="high"
  bool debug;
  bool shares_results;       // of a method of pyarray.typed: containers among its results are shared, not copied
  const char *inline_policy; // static text
  char *ufunc;               // NULL, or the signature "(m)->()" of a ufunc whose inner loops are the variants: such a
                             // dispatcher cannot be called
  char *loop_types; // of a ufunc for GPUs: the function's type code, "ff>f"; its variants have those of the operands
  const char *loop_form; // which copy of the loops (pyarray-c/Core.h); NULL, static text, or behind the end of |ufunc|
  bool cfunc;            // its one variant is a C callback: it cannot be called either
  pa_cuda_options *cuda; // NULL for functions of the CPU
  PyObject *function;    // the plain Python function; NULL only while the garbage collector takes it apart
  PyObject *options;     // dict: every option with its value
  PyObject *target_options; // dict: as the user gave them
  PyObject *shown_options;  // NULL until somebody has |target_options|, and may change them; then what they were when
                            // |options| were read of them
  PyObject *declared;   // tuple: type codes of the signatures that it was made with, to which calls from compiled code
                        // convert too; or NULL
  PyObject *refusal;    // why a declared signature was not compiled, which every call raises; or NULL
  PyObject *twin;       // the real Numba's function, which does all calls from Python (calls/fallback.c); or NULL
  PyObject *attributes; // __dict__, NULL until something is set
  PyObject *weak_references;
  PyObject *lender; // the dispatcher whose variant it calls, or NULL
  int64_t number;   // as an argument of other functions, its type is P[number]; 0: it was none yet. Never used again
  pa_function_value *values; // what it is as a value of a FunctionType, one for each
  pa_variant *variants;      // newest first
  int value_count;           // of those whose keys have values
  pa_variant *retired;       // replaced by recompile(); may still be running
} pa_dispatcher;

extern PyTypeObject pa_dispatcher_type;
extern PyTypeObject pa_decorator_type;
extern PyTypeObject pa_array_owner_type;
int64_t pa_array_owner_handle(PyObject *owner);
extern PyTypeObject pa_omitted_type;

int pa_import_numpy(void); // numpy_tables.c; -1 with an exception set

//===-- What is further on: module.c --------------------------------------------------------------===//

struct pa_hasher;

typedef enum pa_refusal {
  PA_ACCEPTED,
  PA_NO_ROOM,      // call again with larger buffers
  PA_RAISED,       // a Python exception is set
  PA_REFUSED_TYPE, // here and below: |culprit| is no value of the compiled subset
  PA_REFUSED_DTYPE,
  PA_REFUSED_BYTE_ORDER,
  PA_REFUSED_ALIGNMENT,
  PA_REFUSED_STRIDES,
  PA_REFUSED_MASKED,
  PA_REFUSED_DEPTH,
  PA_REFUSED_LENGTH,
  PA_REFUSED_FORMAT, // of a buffer
  PA_REFUSED_DEVICE, // an array of the host in a container, where arrays are on a device
} pa_refusal;

// Where unboxing writes: the type code of the arguments and their slots (docs/internals.md). A scalar always fits,
// since the buffers reach PA_SPARE entries beyond their ends; whatever takes more looks first.
typedef struct pa_arguments {
  char *code, *code_end;
  uint64_t *slot, *slot_end;
  pa_owner *record, *record_end;       // for arrays; NULL: they are items of containers, and |objects| keeps them
  PyObject *culprit;                   // of a refusal, borrowed
  struct pa_object_arguments *objects; // where lists are kept (objects.h); NULL: lists are refused
  const char *like; // of an item of a container: the code of other items, whose type an empty container has; NULL where
                    // there is none
  bool device;      // arrays are on a device, and NumPy's are refused
} pa_arguments;

// How a room reaches those that it may not call (docs/rooms.md). The module fills it in before anything is called.
typedef struct pa_forward_calls {
  PyTypeObject *dispatcher_type, *cuda_dispatcher_type;
  // Of modules that were compiled ahead of time, in place of the helpers in Python, which they do without; else NULL.
  PyObject *(*help)(const char *function, PyObject *arguments);
  // calls/function_value.c
  bool (*becomes_function_value)(const char *from, const pa_type *source, const char *to, const pa_type *target);
  bool (*put_function_value)(const char *from, const uint64_t *slots, const char *to, uint64_t *out_slot);
  PyObject *(*box_function_value)(uint64_t slot);
  // ufunc/ufunc.c
  bool (*put_ufunc)(struct pa_hasher *to, PyObject *value);
  // cuda/cuda_dispatcher.c, cuda/cuda_variant.c
  pa_cuda_options *(*read_cuda_options)(PyObject *options);
  void (*request_kernel)(pa_dispatcher *dispatcher, pyarray_compile_request *out_request);
  void (*put_cuda_target)(struct pa_hasher *to);
  int (*wanted_capability)(const pa_dispatcher *dispatcher);
  pa_status (*load_kernel)(pa_dispatcher *dispatcher, const pa_image *image, pa_variant *variant);
  bool (*link_kernel)(const pa_variant *variant, pa_image *image);
  // cuda/cuda_offload.c
  PyObject *(*call_offloaded)(PyObject *callable, PyObject *const *values, size_t flags, PyObject *names);
  void (*request_offload)(const pa_dispatcher *dispatcher, pyarray_compile_request *out_request);
  pa_status (*load_kernels)(const pa_image *image, pa_variant *variant);
  // Gives |image| the linked kernels, in memory that the caller frees; false with an exception.
  bool (*link_kernels)(const pa_variant *variant, pa_image *image, char **out_linked);
  void (*free_kernels)(pa_variant *variant);
  // lib/runtime/cuda, which modules that were compiled ahead of time do without
  void (*destroy_kernel)(struct pa_kernel *kernel);
  void *(*find_device_function)(const char *name);
  void *(*device_memory_context)(int64_t owner);
  pa_refusal (*unbox_on_device)(PyObject *value, pa_arguments *arguments, bool *out_known);
  // |context|: of memory that compiled code made, else NULL; |base|: its owner, or the argument.
  PyObject *(*box_on_device)(PyObject *base, void *data, int rank, const npy_intp *shape, const npy_intp *strides,
                             PyArray_Descr *dtype, bool readonly, void *context);
} pa_forward_calls;

extern pa_forward_calls pa_forward;

static inline bool pa_is_dispatcher(PyObject *object) {
  return Py_TYPE(object) == pa_forward.dispatcher_type || Py_TYPE(object) == pa_forward.cuda_dispatcher_type;
}

#define PA_KEYWORDS(function) ((PyCFunction)(void (*)(void))function), METH_VARARGS | METH_KEYWORDS

extern PyMethodDef pa_dispatcher_methods[];
extern PyGetSetDef pa_dispatcher_attributes[];

PyObject *pa_passed_function(PyObject *module, PyObject *number); // _passed_function
void pa_forget_passed(pa_dispatcher *dispatcher);

// A new dispatcher; |options| as decorators.py makes them. |target_options| are those the user gave.
PyObject *pa_dispatcher_new(PyObject *function, PyObject *options, PyObject *target_options);
//===-- Options: options.c ------------------------------------------------------------------------===//

// What the fields of |self| say is read of |options|. False with an exception set.
// The flags that the option names, "nsz, reassoc", where it means some of them; or NULL. Lives as the options do.
const char *pa_fastmath_flags(const pa_dispatcher *self);
bool pa_options_read(pa_dispatcher *self, PyObject *options);
// The dict of targetoptions, a new reference.
PyObject *pa_options_given(pa_dispatcher *self);
int pa_options_give(pa_dispatcher *self, PyObject *given); // as a setter
// Reads them again where they were changed. False with an exception set: there is no such option.
bool pa_options_refresh(pa_dispatcher *self);

// What calls that one variant of |lender| and converts its arguments to it: a new reference.
PyObject *pa_dispatcher_of_variant(pa_dispatcher *lender, const pa_variant *variant);
PyObject *pa_dispatcher_call(PyObject *callable, PyObject *const *values, size_t flags,
                             PyObject *names); // as vectorcall
// Of subclasses: fills |self|, zeroed but for its head, and tracks it. On failure it releases |self|.
bool pa_dispatcher_init(pa_dispatcher *self, PyObject *function, PyObject *options, PyObject *target_options);

//===-- Arguments: unbox.c ------------------------------------------------------------------------===//

enum { PA_SPARE = 32, PA_MAX_ARGUMENTS_ON_STACK = PA_SPARE };

pa_refusal pa_unbox(PyObject *value, pa_arguments *arguments);
// Writes "[C2d" and gives the place behind it; NULL where no compiled code has arrays of |descr|. At most PA_SPARE
// characters.
char *pa_array_code(char *code, char layout, int rank, const PyArray_Descr *descr);
//===-- Records and text of a fixed length: records.c ---------------------------------------------===//

bool pa_has_bytes_code(const PyArray_Descr *descr); // whether items of that kind may lie in memory as bytes
// The code of an item of |descr|, at any address where |data| and |strides| are not aligned. NULL where there is none,
// or with an exception set. Borrowed, until it is asked for another dtype.
const char *pa_bytes_code(PyArray_Descr *descr, const void *data, const npy_intp *strides, int rank);
// An array of such items, |letter| 0; or of numbers whose code is |letter| at any address.
pa_refusal pa_unbox_bytes_array(PyObject *value, char letter, pa_arguments *arguments);
pa_refusal pa_unbox_void(PyObject *value, pa_arguments *arguments); // a numpy.void
// bfloat.c: a new reference, NULL with an exception set where ml_dtypes is not installed.
bool pa_is_bfloat16(const PyArray_Descr *descr);
PyArray_Descr *pa_bfloat16_descr(void);
float pa_bfloat16_value(uint16_t bits);
uint16_t pa_bfloat16_bits(double value);
pa_refusal pa_unbox_bfloat16(PyObject *value, pa_arguments *arguments, bool *out_known);
PyObject *pa_box_vector(const char *code, const uint64_t **slots); // a vector of CUDA's, of its elements
PyArray_Descr *
pa_bytes_descr(const char *code); // of the item that |code| starts with: a new reference, NULL with an exception set
PyTypeObject *pa_bytes_array_type(const char *code); // of arrays of it: numpy.ndarray, or numpy.recarray

// Stands for an argument that was left out and whose default is a str. Not seen by users.
extern PyObject *const pa_omitted;
int pa_sources_initialize(void); // texts that are compiled from now on are remembered (sources.c)
PyObject *pa_sources_seen(PyObject *module, PyObject *file);
bool pa_hold_source(PyObject *function); // the tree that its code was made of stays; false with an exception set
PyObject *pa_standard_input(PyObject *module, PyObject *unused);
int pa_text_initialize(void);   // compiled code prints to sys.stdout (text.c)
void pa_unbox_initialize(void); // looks NumPy's scalar types up
// A str, or NULL with an exception set.
PyObject *pa_type_code_of(PyObject *value);

// The value of an int that takes one digit, else false.
static inline bool pa_small_int(PyObject *value, int64_t *out_value) {
#if PY_VERSION_HEX >= 0x030c0000
  if (!PyUnstable_Long_IsCompact((PyLongObject *)value)) return false;
  *out_value = PyUnstable_Long_CompactValue((PyLongObject *)value);
  return true;
#else
  Py_ssize_t size = Py_SIZE(value);
  if (size < -1 || size > 1) return false;
  *out_value = (int64_t)size * ((PyLongObject *)value)->ob_digit[0]; // the digit of 0 is 0
  return true;
#endif
}

//===-- Datetimes and timedeltas: times.c ---------------------------------------------------------===//

char pa_time_dtype(int type_number); // 'M', 'm', or 0 for all others
pa_time_unit pa_time_descr_unit(const PyArray_Descr *descr);
// False where |value| is neither a numpy.datetime64 nor a numpy.timedelta64.
bool pa_time_scalar(PyObject *value, char *out_dtype, pa_time_unit *out_unit, int64_t *out_count);
// Writes "M[D]" and a NUL, at most PA_SPARE characters; returns the place of the NUL.
char *pa_time_put_code(char *code, char dtype, pa_time_unit unit);
PyArray_Descr *pa_time_descr(char dtype, pa_time_unit unit); // a new reference, NULL with an exception set
PyObject *pa_time_box(char dtype, pa_time_unit unit, int64_t count);
// False without an exception where there is no conversion.
bool pa_time_convert(int64_t *count, char dtype, pa_time_unit from, pa_time_unit to);

//===-- Results: box.c ----------------------------------------------------------------------------===//

enum { PA_MAX_MADE = 16 };

typedef struct pa_boxing {
  PyObject *dispatcher;                      // keeps the arrays alive that are part of the compiled code
  const pa_variant *variant;                 // of which the generators are; NULL where there can be none
  const struct pa_object_arguments *objects; // of the call, or NULL
  // Lists, dicts and sets become those of pyarray.typed, which hold the same, or copies: each as it was made, all of
  // them shared, or all copied.
  enum { PA_BOX_AS_MADE, PA_BOX_SHARED, PA_BOX_COPIED } containers;
  int made_count;
  struct {
    int64_t owner;
    PyObject *array;   // borrowed
  } made[PA_MAX_MADE]; // the arrays of this result so far
} pa_boxing;

// Makes the Python value of the type |*code| from |*slots| and moves both on. Takes over the references to array
// owners, also when it fails (NULL with an exception set).
PyObject *pa_box(const char **code, const uint64_t **slots, pa_boxing *boxing);

//===-- Conversions to declared types: convert.c --------------------------------------------------===//

// How far |from| (argument types, |length| characters) is from the declared |to|, as Numba counts; smaller is better.
// -1: no conversion.
int64_t pa_conversion_distance(const char *from, size_t length, const char *to);

// Converts slots of types |from| (up to '>') to types |to|. False with an exception set where a value does not fit.
bool pa_convert_slots(const char *from, const uint64_t *slots, const char *to, uint64_t *out_slots);

//===-- Values of a FunctionType: function_value.c ------------------------------------------------===//

// Whether a function, of the type at |from|, is one of a call for a parameter of the type at |to|. The types decoded
// are |source| and |target|.
bool pa_becomes_function_value(const char *from, const pa_type *source, const char *to, const pa_type *target);
// Compiles it, and writes what it is as such a value. False with an exception set.
bool pa_put_function_value(const char *from, const uint64_t *slots, const char *to, uint64_t *out_slot);
PyObject *pa_box_function_value(uint64_t slot); // the function that was given
PyObject *pa_function_value_of(PyObject *module,
                               PyObject *arguments); // _function_value: (function, type code) -> the value, an int
void pa_function_values_initialize(void);

//===-- Variants: variant.c -----------------------------------------------------------------------===//

// Finds the variant for the argument types |key|, compiling it if that is allowed. NULL with an exception set.
// Borrowed.
const pa_variant *pa_variant_for(pa_dispatcher *dispatcher, const char *key, size_t length);
// Whether a call with |code|, |length| characters, is one of |variant|'s, which may be NULL.
static inline bool pa_variant_fits(const pa_variant *variant, const char *code, size_t length) {
  if (!variant || variant->arguments_length != length) return false;
  for (size_t i = 0; i < length; ++i)
    if (variant->code[i] != code[i]) return false;
  return true;
}
// Loads from the cache or compiles "dq>" or "dq>d", and publishes.
// variant_values.c: what says that calls with the argument types of |code| are for variants by value, or NULL where
// memory is short.
pa_variant *pa_variant_by_value(pa_dispatcher *dispatcher, const char *code, const char *wanted);
// Which of them is for |slots|; NULL: an exception is set.
const pa_variant *pa_variant_for_values(pa_dispatcher *dispatcher, const pa_variant *variant, const uint64_t *slots);
const pa_variant *pa_variant_compile(pa_dispatcher *dispatcher, const char *code);
// Compiles every variant again, with the values that globals have now.
bool pa_variants_recompile(pa_dispatcher *dispatcher);
void pa_variants_free(pa_variant *first);
// A copy that uses the code of |variant|, whose dispatcher has to be kept. NULL with an exception set.
pa_variant *pa_variant_lent(const pa_variant *variant);
// Whether the function and all that it refers to are what |variant|, a loop of a ufunc, was compiled of. No exception
// is set.
bool pa_variant_is_current(pa_dispatcher *dispatcher, const pa_variant *variant);
// The disk cache, opened on first use; never NULL.
pa_cache *pa_cache_of_process(void);
// Functions of the module, for pickles: (key, bytes) puts machine code where variants are looked for, before the disk;
// the other gives what the disk has for a key, or None.
PyObject *pa_receive_code(PyObject *module, PyObject *arguments);
PyObject *pa_cached_code(PyObject *module, PyObject *key);

//===-- C callbacks: cfunc.c ----------------------------------------------------------------------===//

// Tells the runtime who reports the errors of callbacks.
void pa_cfunc_initialize(void);
// Errors of the callback in |variant|, not published yet, are reported as those of |dispatcher|'s function.
void pa_cfunc_bind(pa_dispatcher *dispatcher, pa_variant *variant);

//===-- The compiler: core.c ----------------------------------------------------------------------===//

// The core library, loaded on first use. NULL with an exception set.
const pyarray_core_api *pa_core_load(void);
PyObject *pa_compile_device(PyObject *module, PyObject *arguments, PyObject *keywords); // cuda_compile.c
// Where the core library is; static text, NULL with an exception set.
char *pa_path_beside_this_module(const char *name); // the caller frees it; NULL where memory is short
const char *pa_core_path(void);
// precompiled_library.c. The file of lib/support/precompiled.h, where there is one for this processor; the address of a
// function in it, NULL where it has none of this name. The GIL is held.
bool pa_precompiled_open(const void **out_bytes, size_t *out_size);
void *pa_precompiled_lookup(const char *name);
const char *pa_opt_level(void); // that the environment asks for, or NULL
void pa_core_request(pa_dispatcher *dispatcher, const char *code, pyarray_compile_request *out_request);
// Sets the Python exception for a failed result.
void pa_core_raise(const pyarray_compile_result *result);
// Shows the warnings of a compilation; false with an exception set where a filter makes one an error.
bool pa_core_warn(const pyarray_compile_result *result);

//===-- Cache key: fingerprint.c ------------------------------------------------------------------===//

// 1: written; 0: the function refers to something whose value has no fingerprint, so it cannot be cached; -1:
// exception.
int pa_fingerprint_of(pa_dispatcher *dispatcher, const char *code, pa_cache_key *out_key);

//===-- Parallel loops: parallel.c ----------------------------------------------------------------===//

// Adds its functions to the module; -1 with an exception set.
int pa_parallel_initialize(PyObject *module);

//===-- Calls: bind.c -----------------------------------------------------------------------------===//

// Brings arguments into the order of the parameters: positional, keyword-only, *args as a tuple; |bound| has room for
// every parameter and holds borrowed references; |*out_rest|, which the caller releases, holds what *args and **kwargs
// are, or is NULL.
bool pa_bind(pa_dispatcher *dispatcher, PyObject *const *values, Py_ssize_t count, PyObject *names, PyObject **bound,
             PyObject **out_rest);
Py_ssize_t pa_parameter_count(pa_dispatcher *dispatcher);

//===-- Errors: raise.c ---------------------------------------------------------------------------===//

// Turns the error that compiled code left in this thread into a Python exception with traceback.
// Fields of a raise site in a variant's |sites| (lib/pipeline/sites.c): exception, arguments, values, file, line,
// function.
enum { PA_SITE_FILE = 3, PA_SITE_FIELDS = 6 };
void pa_raise_from_native(const pa_dispatcher *dispatcher, const pa_variant *variant);
// The same for |raised|, an error of other threads.
void pa_raise_recorded(const pa_dispatcher *dispatcher, const pa_variant *variant, const pa_raised *raised);
// The exception object of |raised|: a new reference, NULL with an exception set.
PyObject *pa_make_exception(const pa_dispatcher *dispatcher, const pa_variant *variant, const pa_raised *raised);
// Argument |index| of a call is outside the compiled subset.
void pa_raise_refusal(const pa_dispatcher *dispatcher, Py_ssize_t index, PyObject *value, PyObject *culprit,
                      pa_refusal refusal);
// Puts |where|, a str that it takes over, before the message of the TypeError or OverflowError that is set; other
// exceptions stay.
void pa_say_where(PyObject *where);
void pa_say_which_argument(const pa_dispatcher *dispatcher, Py_ssize_t index);
// The same where nothing more is compiled: the error that no declared signature fits the |count| arguments.
void pa_raise_no_definition(const pa_dispatcher *dispatcher, PyObject *const *values, Py_ssize_t count,
                            Py_ssize_t index, PyObject *culprit, pa_refusal refusal);
// Calls pyarray.|module|.|function|; a new reference or NULL with an exception set. |format| as for Py_BuildValue, a
// tuple.
// The traceback of what the helper raises does not begin with frames of ours.
PyObject *pa_call_helper(const char *module, const char *function, const char *format, ...);
// remembered.c: what was made of |key| before, borrowed, or NULL without an exception; and that |value| is what was
// made of it. |memory| is a dict, made when it is needed and emptied when it has grown large.
PyObject *pa_recall(PyObject *memory, PyObject *key);
void pa_remember(PyObject **memory, PyObject *key, PyObject *value);
// The same, for |function|(self, *arguments, **keywords). |keywords| may be NULL.
PyObject *pa_call_as_method(const char *module, const char *function, PyObject *self, PyObject *arguments,
                            PyObject *keywords);
// Raises the exception instance |exception| and releases it; NULL is allowed where one is set already.
void pa_raise_instance(PyObject *exception);
// Takes the outermost frames that are ours out of the set exception's traceback: they are no help to a user.
void pa_drop_own_frames(void);

//===-- NumPy's inner loops: numpy_loops.c ---------------------------------------------------------===//

// Fetches those of modules that have been imported since the last call, and imports those whose loops |object| calls
// (compiled code, or NULL); -1 with an exception.
int pa_numpy_loops_fetch(const void *object, size_t size);
// The library of NumPy's functions of random numbers, where |object| calls them (numpy_random.c); -1 with an exception.
int pa_numpy_random_fetch(const void *object, size_t size);
void *pa_numpy_random_lookup(const char *name); // a function of that library; NULL: it has none of this name
// A function of ours that does what the one of that name in NumPy's library does (numpy_ziggurat.c); or NULL.
void *pa_numpy_ziggurat_lookup(void *of_numpy, const char *name);
// Hands the sorts of NumPy's dtypes to the runtime; -1 with an exception.
int pa_numpy_sorts_fetch(void);

#endif // PYARRAY_PYTHON_EXT_EXT_H
