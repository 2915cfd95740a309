// Private to lib/codegen: the target machines.
#ifndef PYARRAY_LIB_CODEGEN_TARGET_H
#define PYARRAY_LIB_CODEGEN_TARGET_H

#include "codegen.h"
#include "llvm-c/TargetMachine.h"

typedef struct pa_target {
  struct pa_target *next;
  LLVMTargetMachineRef machine;
  char *layout; // data layout as text
  char *cpu, *features;
  int opt_level;
} pa_target;

extern const char pa_target_triple[];

// Before the first machine of any target is made: what it generates must not depend on who came first.
void pa_target_set_llvm_options(void);

// A target machine for the options that no other thread uses, made or taken from those handed back.
pa_status pa_target_acquire(const pa_codegen_options *options, pa_target **out_target);
void pa_target_release(pa_target *target); // NULL is allowed

#endif // PYARRAY_LIB_CODEGEN_TARGET_H
