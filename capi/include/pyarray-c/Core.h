// What libpyarray_core.so offers to the Python extension: compile a Python function, or show its IR.
// The extension opens the library with dlopen when something must be compiled, and calls pyarray_core().
#ifndef PYARRAY_C_CORE_H
#define PYARRAY_C_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PYARRAY_CORE_VERSION 1

// The outcome of a call; the values of pa_code (lib/support/support.h) follow PYARRAY_OK.
typedef enum pyarray_outcome {
  PYARRAY_OK = 0,
  PYARRAY_TYPING,      // pyarray.TypingError
  PYARRAY_UNSUPPORTED, // pyarray.UnsupportedError
  PYARRAY_INVALID,     // malformed IR, options or signature
  PYARRAY_MEMORY,
  PYARRAY_IO,
  PYARRAY_INTERNAL,    // a defect of pyarray
  PYARRAY_PYTHON,      // a Python exception is set in this thread
  PYARRAY_INTERRUPTED, // Ctrl-C: KeyboardInterrupt is set
  PYARRAY_OVERFLOW,    // a literal does not fit the type that it has: OverflowError
  PYARRAY_ENDLESS,     // types grow without an end: pyarray.errors.NumbaTypeError
  PYARRAY_NO_DEVICE,   // not of a compilation
  PYARRAY_LINK,        // code to be linked is missing, or does not fit: pyarray.cuda.LinkerError
} pyarray_outcome;

// Of PTX of kernel |name|, which ends with a NUL that |size| counts, what a driver loads: malloc's; NULL where it is no
// use, and the PTX is left. Called from threads of the compiler's, without the GIL.
typedef char *pyarray_assemble(void *data, const char *name, const char *ptx, size_t size, size_t *out_size);

typedef struct pyarray_compile_request {
  void *function;            // PyObject *: the plain Python function; the GIL is held by the caller
  const char *type_code;     // argument types "dq>", or with a declared result "dq>d" (lib/support/type_code.h)
  const char *target;        // NULL or "cpu"; "cuda": PTX for a GPU; "cuda-on-cpu": an object that emulates one
  const char *cpu;           // LLVM CPU name, NULL for the host's; of target "cuda" the architecture, "sm_90"
  const char *features;      // LLVM feature string, NULL for the host's
  const char *error_model;   // "python", "numpy" or "strict"
  const char *inline_policy; // "auto", "always" or "never"
  void *locals;      // PyObject *, a dict: names of local variables that are numbers -> "numpy.float32"; or NULL
  void *declared;    // PyObject *, a tuple of type codes: the signatures that calls of it convert to; or NULL
  const char *ufunc; // NULL, or a gufunc signature "(m),(m)->()": compile NumPy's inner loop of the function.
                     // The entry's arguments are then arrays, inputs and outputs, with one loop dimension more;
                     // result type_code stays the function's own.
  const char
      *loop_form;       // of |ufunc|: NULL, operands of any strides; "contiguous", "constant vc", "strided", "carried",
                        // "fixed", "dense": a copy of the loop for some operands alone (lib/passes/arrays/wrap_ufunc.c)
  const char *operands; // of |ufunc| for a GPU: type code of the operands, "d[C1f[C1f>", inputs and outputs with all
                        // their loop dimensions. The result's type_code is this.
  bool cfunc;           // instead of pyarray_entry make pyarray_cfunc, which has the C calling convention of the whole
                        // |type_code|; an error in it is reported to pyarray_rt_report_unraisable, and 0 returned
  // What is called by name instead of pyarray_entry (pyarray-wrap-export): NULL; "c", the C function |export_name|;
  // "python", a record for an extension module. Then also the names of the parameters, "x,n"; the signature, as text;
  // and the module that this object makes
  // importable, or the prefix of the runtime's functions in a shared library (Runtime.h); or NULL.
  const char *export_form, *export_parameters, *export_signature, *export_module;
  bool by_value; // literally() may fail the compilation, and be told of as |wanted|: it is for one call
  bool boundscheck;
  bool fastmath;
  const char *fastmath_flags; // some of LLVM's, "reassoc,nsz", where not all are meant; or NULL
  bool accurate_math;         // functions of libm within 1 ULP, for each element, instead of vector functions (4 ULP)
  bool parallel;              // prange and ufuncs may use threads
  bool offload;               // whole arrays are a GPU's, and kernels are made of what is done with them
  const char *kernel_target;  // of these kernels: "cuda" or "cuda-on-cpu"
  const char *kernel_cpu;     // "sm_90"
  pyarray_assemble *assemble; // or NULL
  void *assemble_data;
  bool debug;            // DWARF for the Python source, at a level of optimisation where lines are meaningful
  const char *opt_level; // "0" to "3"; NULL: the level whose code was measured best
  bool verify;           // verify between passes and before code generation; |debug| does so too
  // Of the targets "cuda" and "cuda-on-cpu":
  bool device;       // a device function with the C calling convention instead of a kernel
  bool lineinfo;     // line tables, of optimised code too
  bool no_fma;       // a * b + c is rounded twice
  bool no_opt;       // not optimised, as with |debug|
  int max_registers; // of a thread; 0: any number
  int max_threads;   // of a block, and how many blocks a multiprocessor shall hold at least; 0: not said
  int min_blocks;
  int max_cluster;         // blocks of a cluster, at most; 0: not said
  int cluster;             // exactly, x + 256 y + 65536 z; 0: not said
  const char *export_name; // name in the PTX; NULL: the Python name
  const char *libdevice;   // NVIDIA's libdevice.10.bc where it was found, or NULL
  void *link;              // PyObject *, a tuple of code of others to link with (pyarray/cuda/_link.py); or NULL
  bool lto;                // such code is inlined where it can be
  // The precompiled part of the Python library (lib/support/precompiled.h), which stays where it is; NULL: nothing of
  // it is called. |precompiled_number|: of the instance that is made for it, counted from 1; 0: the function is
  // compiled.
  const void *precompiled;
  size_t precompiled_size;
  uint32_t precompiled_number;
} pyarray_compile_request;

// A kernel of a function with |offload|.
typedef struct pyarray_kernel_code {
  int64_t size;         // of the image
  int64_t shared_bytes; // as in pyarray_compile_result
  int64_t points;
} pyarray_kernel_code;

// One file of code.
typedef struct pyarray_linked_code {
  int64_t kind; // the driver's number: CUjitInputType; or one of those below
  int64_t size; // of the bytes
} pyarray_linked_code;

enum {
  PYARRAY_LINKED_NUMBERS = -1, // no code, its name is the numbers of the functions that are declared, "0,3"
  PYARRAY_LINKED_NVVM_IR = -2, // the kernel itself as libNVVM's IR, its name are options of libNVVM and nvJitLink
};

typedef struct pyarray_compile_result {
  pyarray_outcome outcome;
  // On success; owned by the result.
  char *object; // ELF relocatable object with one external function, pyarray_entry or pyarray_cfunc; or PTX
  size_t object_size;
  char *entry;          // name of the kernel or device function in the PTX; NULL for the CPU
  int64_t shared_bytes; // what a launch must add in front of the user's dynamic shared memory
  int64_t points;       // of a ufunc for the GPU: how many a thread takes at a time
  bool cooperative;     // a kernel whose blocks wait for each other: all of them must run at once
  bool fixed;           // a kernel that has addresses of device arrays in it
  char *linked; // what the driver shall link the PTX with, records of pyarray_linked_code, each followed by its name, a
                // NUL and its bytes; or NULL
  size_t linked_size;
  // With |offload|: the kernels, by the numbers that end their names: pyarray_kernel_code, its name in the image, a
  // NUL, the image. |written|: bit i says that argument i may be written to; the last bit stands for all from 63 on.
  char *kernels;
  size_t kernels_size;
  uint64_t written;
  char *type_code; // complete type of the compiled variant, "dq>d"
  char *sites;     // the raise sites, by number, each six NUL-terminated fields:
                   //   exception ("ValueError" or "module:qualname"), arguments (a Python tuple literal, in which
                   //   _0, _1, ... are computed numbers), their type codes, file, line, function
  size_t sites_size;
  char *warnings; // each four NUL-terminated fields: kind ("overflow", "unreachable", "performance"), text, file, line
  size_t warnings_size;
  char *key, *result_type; // of what was made with a |precompiled_number|
  double seconds[4];       // frontend, passes, LLVM, whole
  // On failure; owned by the result. |message| holds the whole text, without the place.
  char *message;
  char *file;       // of the user's source, or NULL
  int line, column; // from 1; 0 when unknown
  char *more;       // failures to be told with it, each four NUL-terminated fields: message, file, line, column
  size_t more_size;
  char *wanted; // where |by_value| was asked for: a '1' for each parameter whose value literally() asks for, '0' for
                // others; or NULL
} pyarray_compile_result;

typedef struct pyarray_core_api {
  uint32_t version;
  // Both fill |out_result|, which the caller passes to free_result whatever the outcome.
  void (*compile)(const pyarray_compile_request *request, pyarray_compile_result *out_result);
  // |level|: "type" (of the function, "dq>d"), "untyped", "typed", "optimized", "linalg", "target", "llvm", "llvm-ir",
  // "llvm-ir-optimized", "nvvm-ir" (for a GPU, as libNVVM takes it), "asm", or "types" (the source annotated with
  // inferred types), "parallel" (rows line, file, text, with tabs between them: what runs on several threads and what
  // does not). The text is in |out_result->object|.
  void (*inspect)(const pyarray_compile_request *request, const char *level, pyarray_compile_result *out_result);
  void (*free_result)(pyarray_compile_result *result);
  // Canonical names of all builtins the compiler knows ("math.sqrt", "numpy.zeros", "builtins.abs"), NULL at the end.
  const char *const *(*builtin_names)(void);
  // Host CPU name and features as LLVM detects them; static storage.
  const char *(*host_cpu)(void);
  const char *(*host_features)(void);
} pyarray_core_api;

__attribute__((visibility("default"))) const pyarray_core_api *pyarray_core(void);

#ifdef __cplusplus
}
#endif

#endif // PYARRAY_C_CORE_H
