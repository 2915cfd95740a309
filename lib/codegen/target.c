// The host's CPU, and a pool of target machines: making one costs more than emitting a small function, and one machine
// serves one thread at a time.
#include "target.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "llvm-c/Core.h"
#include "llvm-c/Support.h"
#include "llvm-c/Target.h"

#include "pyarray-c/Target.h"
#include "support/fork.h"

const char pa_target_triple[] = "x86_64-unknown-linux-gnu";

//===-- The host ----------------------------------------------------------------------------------===//

static char *host_cpu, *host_features;

static void detect_host(void) {
  const char *cpu = getenv("PYARRAY_CPU_NAME");
  const char *features = getenv("PYARRAY_CPU_FEATURES");
  if (cpu && !*cpu) cpu = NULL;
  host_cpu = cpu ? strdup(cpu) : LLVMGetHostCPUName();
  host_features = features ? strdup(features) : cpu ? strdup("") : LLVMGetHostCPUFeatures();
}

static void need_host(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, detect_host);
}

const char *pa_codegen_host_cpu(void) { return need_host(), host_cpu; }
const char *pa_codegen_host_features(void) { return need_host(), host_features; }

//===-- Making ------------------------------------------------------------------------------------===//

// Loop strength reduction took 30% of emission (65% in a stencil) and gained next to nothing on x86:
// docs/performance.md. LLVM has no other switch for it than its command line, which in our static copy nobody else
// sees.
//
// The last elements of a loop of eight lanes, up to seven, would be computed one by one: of vector functions that takes
// longer than all others of a row. From sixteen on LLVM makes a loop of fewer lanes for them by itself.
static const char *const llvm_options[] = {"pyarray", "-disable-lsr", "-epilogue-vectorization-minimum-VF=8"};

static void set_llvm_options(void) {
  LLVMParseCommandLineOptions((int)(sizeof llvm_options / sizeof *llvm_options), llvm_options, NULL);
}

void pa_target_set_llvm_options(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, set_llvm_options);
}

static void initialize_x86(void) {
  pa_target_set_llvm_options();
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
}

static LLVMCodeGenOptLevel emission_level(int opt_level) {
  switch (opt_level) {
  case 0: return LLVMCodeGenLevelNone;
  case 1: return LLVMCodeGenLevelLess;
  case 2: return LLVMCodeGenLevelDefault;
  default: return LLVMCodeGenLevelAggressive;
  }
}

// A cache line. At 16, which LLVM prefers, a short loop lies across two by chance: docs/performance.md.
enum { loop_alignment = 64 }; // bytes

static pa_status make_target(const char *cpu, const char *features, int opt_level, pa_target **out_target) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initialize_x86);
  LLVMTargetRef x86;
  char *message = NULL;
  if (LLVMGetTargetFromTriple(pa_target_triple, &x86, &message)) {
    pa_status status = pa_fail(PA_CODE_INTERNAL, NULL, "LLVM has no target %s: %s", pa_target_triple, message);
    LLVMDisposeMessage(message);
    return status;
  }
  char *all; // without instructions that take subnormal bfloat16 for zero
  if (asprintf(&all, "%s%s-avx512bf16,-avxneconvert", features, *features ? "," : "") < 0)
    return pa_fail(PA_CODE_MEMORY, NULL, "out of memory");
  LLVMTargetMachineRef machine = LLVMCreateTargetMachine(x86, pa_target_triple, cpu, all, emission_level(opt_level),
                                                         LLVMRelocPIC, LLVMCodeModelSmall);
  free(all);
  if (!machine) return pa_fail(PA_CODE_INVALID, NULL, "LLVM cannot compile for CPU '%s' with '%s'", cpu, features);
  pyarrayTargetAlignLoops(machine, loop_alignment);
  pa_target *target = calloc(1, sizeof *target);
  if (!target) return LLVMDisposeTargetMachine(machine), pa_fail(PA_CODE_MEMORY, NULL, "out of memory");
  LLVMTargetDataRef data = LLVMCreateTargetDataLayout(machine);
  *target = (pa_target){NULL, machine, LLVMCopyStringRepOfTargetData(data), strdup(cpu), strdup(features), opt_level};
  LLVMDisposeTargetData(data);
  return *out_target = target, PA_OK;
}

//===-- The pool ----------------------------------------------------------------------------------===//

PA_FORK_LOCK(pool_lock)
static pa_target *pool;

static bool fits(const pa_target *target, const char *cpu, const char *features, int opt_level) {
  return target->opt_level == opt_level && !strcmp(target->cpu, cpu) && !strcmp(target->features, features);
}

pa_status pa_target_acquire(const pa_codegen_options *options, pa_target **out_target) {
  const char *cpu = options->cpu ? options->cpu : pa_codegen_host_cpu();
  const char *features = options->features ? options->features : options->cpu ? "" : pa_codegen_host_features();
  pthread_mutex_lock(&pool_lock);
  pa_target **link = &pool;
  while (*link && !fits(*link, cpu, features, options->opt_level)) link = &(*link)->next;
  pa_target *found = *link;
  if (found) *link = found->next;
  pthread_mutex_unlock(&pool_lock);
  if (!found) return make_target(cpu, features, options->opt_level, out_target);
  return *out_target = found, PA_OK;
}

// As many are kept as were ever in use at once.
void pa_target_release(pa_target *target) {
  if (!target) return;
  pthread_mutex_lock(&pool_lock);
  target->next = pool;
  pool = target;
  pthread_mutex_unlock(&pool_lock);
}
