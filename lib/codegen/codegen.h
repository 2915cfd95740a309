// The llvm dialect to LLVM IR, assembly or an object file for the CPU.
//
//   pa_codegen_object: a module of the llvm dialect (after pyarray-emit-entry) -> an x86-64 ELF relocatable object,
//   position independent, small code model, without unwind tables: what lib/runtime/load/object_loader.c places in
//   memory. With DWARF, .debug_frame included, where the module has been through pyarray-debug-info and has
//   pyarray.debug.
//
// All functions may be called from several threads at once, each with a module of its own.
#ifndef PYARRAY_LIB_CODEGEN_CODEGEN_H
#define PYARRAY_LIB_CODEGEN_CODEGEN_H

#include "mlir-c/IR.h"
#include "support/support.h"

// Seconds of this thread's CPU time.
typedef struct pa_codegen_timing {
  double translate; // MLIR to LLVM IR
  double optimize;  // the LLVM pass pipeline
  double emit;      // instruction selection to object bytes
} pa_codegen_timing;

// What clang has made of code that others wrote.
typedef struct pa_codegen_bitcode {
  const char *name; // of the source, for messages
  const char *bytes;
  size_t size;
} pa_codegen_bitcode;

// Zero-initialised is valid but does not optimise: see PA_CODEGEN_DEFAULTS.
typedef struct pa_codegen_options {
  const char *cpu;      // LLVM CPU name; NULL: pa_codegen_host_cpu()
  const char *features; // LLVM feature string "+avx2,-fma"; NULL: the host's, or none if |cpu| is given
  int opt_level;        // 0: compile fast and keep everything; 1 to 3: the measured pipeline, emission at that level
  bool fastmath;        // all fast-math flags on every floating-point operation
  bool accurate_math;   // functions of libm within 1 ULP, for each element; else loops call vector functions, within 4
  bool verify;          // keep value names and verify the LLVM IR
  // For NVIDIA's GPUs:
  bool no_fma;                       // products and sums are not contracted
  int max_registers;                 // of a thread; 0: any
  int max_threads, min_blocks;       // of a block; blocks that a multiprocessor shall hold; 0: not said
  int max_cluster, cluster;          // blocks of a cluster, at most; exactly, x + 256 y + 65536 z; 0: not said
  const char *libdevice;             // a place to look for libdevice.10.bc besides the usual ones, or NULL
  const char *passes;                // an LLVM pipeline in text to run in place of ours; NULL: ours
  const pa_codegen_bitcode *bitcode; // that is linked into the module (linked.h)
  size_t bitcode_count;
  pa_codegen_timing *timing; // where to add the time spent; NULL: nowhere
  pa_string *pass_times;     // where to add rows of LLVM's passes, "llvm-passes<TAB>name<TAB>seconds"; NULL: nowhere
  pa_string *remarks; // and of what they said, "kind<TAB>pass<TAB>function<TAB>line<TAB>column<TAB>file<TAB>text"
} pa_codegen_options;

#define PA_CODEGEN_DEFAULTS ((pa_codegen_options){.opt_level = 2})

// The level for code that a debugger is to step through: from the first on, lines are moved out of loops and vanish.
enum { PA_CODEGEN_DEBUG_LEVEL = 0 };

// A module with more operations of the llvm dialect than this, or a block with more, is compiled at level 0, so that
// the time stays in proportion to its length.
enum { PA_CODEGEN_LARGE_MODULE = 30000, PA_CODEGEN_LARGE_BLOCK = 8000 };

// A block of LLVM IR with more instructions than this is emitted in parts.
enum { PA_CODEGEN_LONG_BLOCK = 768, PA_CODEGEN_BLOCK_PART = 256 };

// Where one value is compared more often than this, instcombine gives way to a pass that looks at one instruction at a
// time.
enum { PA_CODEGEN_MANY_CHECKS = 400 };
// And where it is one with values that are not known, a loop has that many exits: indvars is left out.
enum { PA_CODEGEN_MANY_BOUNDS = 100 };

// At that level a function with more blocks than this gets its loops outlined.
enum { PA_CODEGEN_LONG_FUNCTION = 400, PA_CODEGEN_OUTLINE_LEVEL = 2 };

// The lowest level at which loops are vectorised.
enum { PA_CODEGEN_VECTOR_LEVEL = 2 };

// All three set the attributes llvm.data_layout and llvm.target_triple of |module|.
// |*out_bytes| is released by the caller with free().
pa_status pa_codegen_object(MlirOperation module, const pa_codegen_options *options, char **out_bytes,
                            size_t *out_size);
pa_status pa_codegen_assembly(MlirOperation module, const pa_codegen_options *options, pa_string *out_text);
// As translated, or as the pass pipeline leaves it; of a module with a gpu.module, that one's.
pa_status pa_codegen_llvm_ir(MlirOperation module, const pa_codegen_options *options, bool optimized,
                             pa_string *out_text);

//===-- NVIDIA's GPUs (nvptx.c) -------------------------------------------------------------------===//

typedef struct pa_codegen_kernel {
  char *name;           // in the PTX; released by the caller with free()
  int64_t shared_bytes; // what a launch must add in front of the user's dynamic shared memory
  int64_t points;       // of a ufunc: how many a thread takes at a time
} pa_codegen_kernel;

// PTX of the module's one gpu.module, which is in the nvvm dialect, for options->cpu ("sm_90"). |out_kernels| are as
// many as it has functions with pyarray.exported, in their order; it may be NULL.
pa_status pa_codegen_ptx(MlirOperation module, const pa_codegen_options *options, pa_codegen_kernel *out_kernels,
                         pa_string *out_text);
// The same in two steps: the first is done with the module when it returns, the second is for any thread. What
// |options| point at lives until then. Without |out_text| the second frees the job, and does nothing else.
typedef struct pa_codegen_ptx_job pa_codegen_ptx_job;
pa_status pa_codegen_ptx_begin(MlirOperation module, const pa_codegen_options *options, pa_codegen_ptx_job **out_job);
pa_status pa_codegen_ptx_end(pa_codegen_ptx_job *job, pa_codegen_kernel *out_kernels, pa_string *out_text);
// The same as the LLVM IR that NVIDIA's libNVVM takes for that device (nvvm_ir.h). PA_CODE_UNSUPPORTED: it cannot be
// said there.
pa_status pa_codegen_nvvm_ir(MlirOperation module, const pa_codegen_options *options, pa_string *out_text);
// Where libdevice.10.bc is (libdevice.c), in a buffer of PATH_MAX bytes; false where it is nowhere. |hint| may be NULL.
bool pa_find_libdevice(const char *hint, char *out_path);

// The CPU that is compiled for by default: the environment's PYARRAY_CPU_NAME and PYARRAY_CPU_FEATURES, else the host's
// as LLVM detects it. Read once per process; static storage. With only PYARRAY_CPU_NAME set there are no features.
const char *pa_codegen_host_cpu(void);
const char *pa_codegen_host_features(void);

#endif // PYARRAY_LIB_CODEGEN_CODEGEN_H
