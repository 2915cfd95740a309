// What the files cuda_*.c share: devices as Python sees them, arrays on them, and launches (docs/internals-cuda.md).
#ifndef PYARRAY_PYTHON_EXT_CUDA_H
#define PYARRAY_PYTHON_EXT_CUDA_H

#include "ext.h"

#include "cuda/buffer.h"
#include "cuda/device.h"
#include "cuda/driver.h"
#include "cuda/kernel.h"
#include "cuda/stream.h"
#include "cuda/transfer.h"

//===-- Errors: cuda_errors.c ---------------------------------------------------------------------===//

// Sets the Python exception for |status| and frees it. Always gives NULL.
PyObject *pa_cuda_raise(pa_status status);
// True, or false with an exception set.
static inline bool pa_cuda_ok(pa_status status) { return PA_LIKELY(!status) || pa_cuda_raise(status); }

// To be called after a wait in |context| that gave |status|, which it takes over: raises the error of a kernel, or
// |status|.
bool pa_cuda_waited(pa_cuda_context *context, pa_status status);

// For a dispatcher that is about to go: waits for its kernels, and keeps what they raised for the next wait in their
// context.
void pa_cuda_keep_failures(const pa_dispatcher *dispatcher);

// Opens the driver and warns once where the CPU stands in for a GPU. False with an exception set.
bool pa_cuda_ready(void);
// The context of this thread; NULL with an exception set.
pa_cuda_context *pa_cuda_here(void);

//===-- Compilation: cuda_variant.c ---------------------------------------------------------------===//

// What kernels are compiled for now.
typedef struct pa_cuda_target {
  pa_cuda_kind kind;
  int capability; // 90
  int driver_version;
  pa_cuda_context *context;
} pa_cuda_target;

static inline int pa_cuda_capability(const pa_cuda_context *context) {
  return 10 * context->device->capability[0] + context->device->capability[1];
}
bool pa_cuda_target_now(pa_cuda_target *out_target); // false with an exception set
void pa_cuda_put_target(struct pa_hasher *to);       // into a fingerprint
// 0 for a dispatcher of the CPU; -1 with an exception set.
int pa_cuda_wanted_capability(const pa_dispatcher *dispatcher);

bool pa_is_exiting(void); // the interpreter ends: Python code is not to be called any more
pa_status pa_cuda_variant_load(pa_dispatcher *dispatcher, const pa_image *image, pa_variant *variant);
// Links PTX: |*out_image| is then what the cache should keep, borrowed from the kernel. False with an exception set.
bool pa_cuda_variant_link(const pa_variant *variant, pa_image *image);

//===-- Streams and events: cuda_stream.c ---------------------------------------------------------===//

typedef struct pa_stream_object {
  PyObject_HEAD pa_cuda_stream own; // unused where |handle| is the driver's or another library's
  pa_cuda_context *context;
  CUstream handle;
  PyObject *keep; // what an external stream belongs to
  PyObject *weak_references;
} pa_stream_object;

extern PyTypeObject pa_stream_type, pa_event_type;

// The stream that an argument named stream stands for: None and 0, the default one; a Stream; an object with
// __cuda_stream__. False with an exception set.
bool pa_stream_argument(PyObject *object, CUstream *out_stream);
// Of attributes that are a stream: stores |value|, which is checked; NULL, as for del: the default one. As a setter.
int pa_stream_set(PyObject **slot, PyObject *value);

//===-- Memory: cuda_memory.c ---------------------------------------------------------------------===//

typedef struct pa_memory_object {
  PyObject_HEAD pa_cuda_buffer buffer;
  PyObject *keep; // whose memory a registered buffer is
  bool is_shared; // others than arrays of ours may write to it
} pa_memory_object;

extern PyTypeObject pa_memory_type;

// |object| as an int; NULL with an exception set, in which |what| names it.
PyObject *pa_int_argument(PyObject *object, const char *what);
// A number that is an address, or a handle of the driver's: an int from 0 to 2**64 - 1. False with an exception set, in
// which |what| names it.
bool pa_address_argument(PyObject *object, const char *what, uint64_t *out_address);

pa_memory_object *pa_memory_empty(void); // a new one, of no buffer
PyObject *pa_memory_new(pa_cuda_context *context, pa_cuda_memory kind, unsigned flags, size_t bytes);
// The memory object that |array|'s data lies in, along its chain of bases; NULL where there is none. Borrowed.
pa_memory_object *pa_memory_of(PyArrayObject *array);
bool pa_memory_lives(const pa_memory_object *memory); // false: a reset or close has taken it from the device
bool pa_memory_check(const pa_memory_object *memory); // false with an exception set: a reset or close has taken it away

//===-- Arrays on devices: cuda_array.c -----------------------------------------------------------===//

typedef struct pa_device_array {
  PyObject_HEAD pa_cuda_context *context;
  uint64_t generation; // of the context when the memory was there
  PyObject *owner;     // of the memory: a Memory, another library's object, ...
  PyArray_Descr *dtype;
  PyObject *stream; // that copies use where none is given; NULL: the default one
  PyObject *attributes, *weak_references;
  int rank;
  bool readonly;
  bool is_exported;                        // another library was told its address
  PyObject *deferred;                      // what it is to be computed of, and it has no memory yet; else NULL
  struct pa_device_array *earlier, *later; // others that are deferred
  char layout;                             // 'C', 'F' or 'A'
  uint8_t code_length;                     // 0: kernels cannot take it
  char code[PA_SPARE];                     // "[C2d"; of records "[C2", which |item| follows
  char *item;        // the code of a record or of text, whose bytes are one more axis; NULL: a number
  uint64_t *slots;   // as kernels take it: data, shape[rank], strides[rank] in elements, of records in bytes
  npy_intp *strides; // in bytes
} pa_device_array;

extern PyTypeObject pa_device_array_type;
static inline bool pa_is_device_array(PyObject *object) { return PyObject_TypeCheck(object, &pa_device_array_type); }
static inline int pa_device_array_axes(const pa_device_array *array) { return array->rank + (array->item != NULL); }
static inline CUdeviceptr pa_device_array_data(const pa_device_array *array) { return array->slots[0]; }
static inline const npy_intp *pa_device_array_shape(const pa_device_array *array) {
  return (const npy_intp *)(const void *)(array->slots + 1);
}

// |strides| in bytes, or NULL for C order. References to |dtype| and |owner| are taken, not stolen. ValueError or
// TypeError for shapes that no array has, and for elements that are Python objects.
PyObject *pa_device_array_new(PyTypeObject *type, pa_cuda_context *context, CUdeviceptr data, int rank,
                              const npy_intp *shape, const npy_intp *strides, PyArray_Descr *dtype, bool readonly,
                              PyObject *owner);
size_t pa_device_array_bytes(const pa_device_array *array); // of its elements
// An int or ints; |out->ptr| is to be freed by PyDimMem_FREE. False with an exception set, in which |what| names it.
bool pa_extents_argument(PyObject *object, const char *what, PyArray_Dims *out);
// False where a reset or close has taken the memory away, or it was given back (pa_cuda_free) while the array lived.
static inline bool pa_device_array_lives(const pa_device_array *array) {
  if (array->generation != __atomic_load_n(&array->context->generation, __ATOMIC_RELAXED)) return false;
  return !array->owner || Py_TYPE(array->owner) != &pa_memory_type ||
         !((const pa_memory_object *)array->owner)->buffer.is_freed;
}
// Of arrays that are deferred (cuda_deferred.c): a context has fewer.
#define PA_NO_GENERATION UINT64_MAX
extern int pa_deferred_count; // how many arrays are
extern int pa_capture_count;  // how many graphs are being captured (cuda_graph.c)
extern PyTypeObject pa_graph_type;
bool pa_graph_keeps(PyObject *object); // for the graph that this thread captures, if any; false with an exception set
// To be asked before |array|'s memory is used. False with an exception set, where it is gone too. Only what does not
// write, nor tells anybody who may, asks for _readable.
bool pa_device_array_settle(const pa_device_array *array, bool only_reads);
static inline bool pa_device_array_ready(const pa_device_array *array) {
  return PA_LIKELY(pa_device_array_lives(array) && !(pa_deferred_count | pa_capture_count)) ||
         pa_device_array_settle(array, false);
}
static inline bool pa_device_array_readable(const pa_device_array *array) {
  return PA_LIKELY(pa_device_array_lives(array) && !pa_capture_count) || pa_device_array_settle(array, true);
}
// Whether kernels in |context| reach the memory. _in sets an exception where they do not.
bool pa_device_array_is_near(const pa_device_array *array, const pa_cuda_context *context);
static inline bool pa_device_array_in(const pa_device_array *array, const pa_cuda_context *context) {
  return PA_LIKELY(array->context == context) || pa_device_array_is_near(array, context);
}
bool pa_compute_deferred(void);                      // all arrays; false with an exception set
void pa_device_array_forget(pa_device_array *array); // that it is deferred
void pa_device_array_share(pa_device_array *array);  // others can write to its memory from now on
// False with an exception set where elements of an array that is written lie over each other.
bool pa_device_array_check_output(const pa_device_array *array, const char *what);
PyObject *pa_device_array_refuse_dead(const pa_device_array *array); // sets the exception of one that does not

extern PyMethodDef pa_device_array_methods[];
extern PyGetSetDef pa_device_array_attributes[];

//===-- Arrays of other libraries: cuda_foreign.c -------------------------------------------------===//

typedef enum pa_found { PA_FOUND_NOTHING, PA_FOUND, PA_FOUND_ERROR } pa_found;

// An array over |object|'s memory, where it offers __cuda_array_interface__ or DLPack; work in |stream| then waits for
// what the other library has enqueued. |type|: of the array.
pa_found pa_foreign_array(PyObject *object, PyTypeObject *type, pa_cuda_context *context, CUstream stream,
                          PyObject **out_array);
PyObject *pa_device_array_interface(PyObject *self, void *unused);
PyObject *pa_device_array_dlpack(PyObject *self, PyObject *arguments, PyObject *keywords);
PyObject *pa_device_array_dlpack_device(PyObject *self, PyObject *unused);

//===-- Copies: cuda_copy.c -----------------------------------------------------------------------===//

// Memory with strides in bytes, on the host or on a device.
typedef struct pa_strided {
  bool on_device;
  uint64_t address;
  const npy_intp *strides;
} pa_strided;

// Items of |item| bytes, of the same shape on both sides. Waits with |wait|, and where host memory is pageable and
// written to.
pa_status pa_cuda_copy_strided(pa_cuda_context *context, const pa_strided *to, const pa_strided *from, int rank,
                               const npy_intp *shape, size_t item, CUstream stream, bool wait);

//===-- Functions whose arrays are a GPU's: cuda_offload.c ------------------------------------------===//

void pa_cuda_offload_initialize(void);
PyObject *pa_cuda_call_offloaded(PyObject *callable, PyObject *const *values, size_t flags, PyObject *names);
void pa_cuda_request_offload(const pa_dispatcher *dispatcher, pyarray_compile_request *out_request);
pa_status pa_cuda_load_kernels(const pa_image *image, pa_variant *variant);
bool pa_cuda_link_kernels(const pa_variant *variant, pa_image *image, char **out_linked);
void pa_cuda_free_kernels(pa_variant *variant);
pa_refusal pa_cuda_unbox(PyObject *value, pa_arguments *arguments, bool *out_known);
PyObject *pa_cuda_box(PyObject *base, void *data, int rank, const npy_intp *shape, const npy_intp *strides,
                      PyArray_Descr *dtype, bool readonly, void *context);
// cuda_variant.c: where libdevice is, and the architecture of devices of that capability.
void pa_cuda_put_architecture(int capability, pyarray_compile_request *out_request);

//===-- Launches: cuda_launch.c, cuda_arguments.c, cuda_transfers.c -------------------------------===//

typedef struct pa_cuda_configuration {
  uint32_t grid[3], block[3];
  uint32_t shared_bytes;
  CUstream stream;
  uint32_t cluster; // blocks of one, x + 256 y + 65536 z; 0: not said
  int64_t points;   // of a ufunc: a grid that suits them, instead of |grid| and |block|; else 0
} pa_cuda_configuration;

// What `kernel[grid, block]` gives.
typedef struct pa_cuda_launcher {
  PyObject_HEAD vectorcallfunc vectorcall;
  pa_cuda_configuration configuration;
  pa_dispatcher *dispatcher;
  PyObject *stream; // NULL for the default one
} pa_cuda_launcher;

typedef struct pa_cuda_dispatcher {
  pa_dispatcher base;
  pa_cuda_launcher **launchers; // kept, latest first
  int launcher_count;
} pa_cuda_dispatcher;

extern PyTypeObject pa_cuda_dispatcher_type;
extern PyTypeObject pa_cuda_launcher_type;
extern PyMethodDef pa_cuda_dispatcher_methods[];

// cuda_kernel_facts.c
PyObject *pa_kernel_attributes_of(PyObject *dispatcher, PyObject *code);
PyObject *pa_kernel_block_for(PyObject *dispatcher, PyObject *arguments);
PyObject *pa_kernel_active_blocks_of(PyObject *dispatcher, PyObject *arguments);
PyObject *pa_kernel_cooperative_blocks_of(PyObject *dispatcher, PyObject *arguments);
PyObject *pa_kernel_binary_of(PyObject *dispatcher, PyObject *code);
PyObject *pa_kernel_argument_codes(PyObject *dispatcher, PyObject *values);

// A kernel of a ufunc, on a grid that suits that many |points|; |code| and |slots| are of its operands.
bool pa_cuda_launch_points(pa_dispatcher *dispatcher, pa_cuda_context *context, int64_t points, CUstream stream,
                           const char *code, size_t code_length, const uint64_t *slots, size_t slot_count);
PyObject *pa_cuda_launch(PyObject *callable, PyObject *const *values, size_t flags, PyObject *names);
// The same of kernels that were refused, or that the real Numba may launch.
PyObject *pa_cuda_launch_or_fall_back(PyObject *callable, PyObject *const *values, size_t flags, PyObject *names);

// How a host array is copied around a launch.
typedef enum pa_transfer_mode { PA_TRANSFER_IN = 1, PA_TRANSFER_OUT = 2, PA_TRANSFER_BOTH = 3 } pa_transfer_mode;
extern PyTypeObject pa_transfer_type; // what cuda.In, Out and InOut make: value, mode

// A host array among the arguments of a launch.
typedef struct pa_transfer {
  struct pa_transfer *next;
  PyArrayObject *array;
  pa_transfer_mode mode;
  bool is_odd; // not aligned, or with strides that are no multiples of the elements' size: it cannot lie as it does on
               // the host
  char *code;  // of the array in the type code, and its slots: rewritten when it gets its place
  uint64_t *slots;
  struct pa_transfer *image; // whose copy on the device it lies in: its own, or that of an array that it overlaps
  // Where |image| is this one:
  pa_transfer_mode moved; // what any array in the copy asks for
  enum { PA_HOST_IS_ARRAY, PA_HOST_IS_COPY, PA_HOST_IS_BYTES } form;
  PyArrayObject *host; // what is copied: an array that holds all others, a contiguous copy of the only one, or bytes
                       // that hold several
  pa_cuda_buffer buffer;
  CUdeviceptr device; // where |host| begins
} pa_transfer;

typedef struct pa_kernel_arguments {
  pa_arguments to; // its records are not used
  pa_cuda_context *context;
  CUstream stream;
  pa_transfer *transfers;
  PyObject *keep; // list of what must live until the launch is enqueued, or NULL
} pa_kernel_arguments;

pa_refusal pa_kernel_unbox(PyObject *value, pa_kernel_arguments *arguments);
bool pa_transfers_place(
    const pa_kernel_arguments *arguments); // allocates copies, and writes where they are; all arguments are there
bool pa_transfers_begin(const pa_kernel_arguments *arguments); // copies to the device
bool pa_transfers_end(const pa_kernel_arguments *arguments);   // copies back and waits
void pa_transfers_free(pa_transfer *first);
void pa_kernel_arguments_free(pa_kernel_arguments *arguments);
// As pa_convert_slots, for the slots of kernels.
bool pa_kernel_convert(const char *from, const uint64_t *slots, const char *to, uint64_t *out_slots, size_t *out_count);

// Fills the fields of |out_request| that only kernels have.
// A copy of the options of kernels, to be freed by PyMem_Free. NULL with an exception set.
pa_cuda_options *pa_cuda_read_options(PyObject *options);
void pa_cuda_request(pa_dispatcher *dispatcher, pyarray_compile_request *out_request);

//===-- The module _pyarray.cuda: cuda_module.c, cuda_device.c ------------------------------------===//

int pa_cuda_initialize(PyObject *module); // -1 with an exception set
extern PyMethodDef pa_cuda_device_functions[];
extern PyMethodDef pa_cuda_memory_functions[];
extern PyMethodDef pa_cuda_stream_functions[];
extern PyMethodDef pa_cuda_array_functions[];
extern PyMethodDef pa_cuda_deferred_functions[];
extern PyMethodDef pa_cuda_product_functions[];
extern PyMethodDef pa_cuda_ipc_functions[];
extern PyTypeObject pa_host_block_type;

#endif // PYARRAY_PYTHON_EXT_CUDA_H
