// What LLVM's C API lacks about target machines.
#ifndef PYARRAY_C_TARGET_H
#define PYARRAY_C_TARGET_H

#include <stdbool.h>

#include "llvm-c/Error.h"
#include "llvm-c/TargetMachine.h"

#ifdef __cplusplus
extern "C" {
#endif

// Whether the machine has all of |features|, "+avx2,+fma", those that its CPU's name implies included.
bool pyarrayTargetHasFeatures(LLVMTargetMachineRef machine, const char *features);

// Has loops start at multiples of |bytes|, a power of two, instead of those that the target prefers.
void pyarrayTargetAlignLoops(LLVMTargetMachineRef machine, unsigned bytes);

// What LLVM's passes say of what they did and did not do. Texts are valid during the call; |file| is NULL where the
// place is not known.
typedef struct pyarray_remark {
  const char *kind; // "passed", "missed" or "analysis"
  const char *pass, *function, *file, *text;
  unsigned line, column;
} pyarray_remark;

// Has |note| called with each remark on code of |context|. To be called before LLVMContextSetDiagnosticHandler.
void pyarrayNoteRemarks(LLVMContextRef context, void (*note)(const pyarray_remark *remark, void *data), void *data);

// Has |note| called, as this thread runs passes of LLVM, as each begins and ends; NULL: no more.
void pyarrayNoteLLVMPasses(void (*note)(const char *pass, size_t length, bool begins, void *data), void *data);

// LLVMRunPasses and LLVMTargetMachineEmitToMemoryBuffer for work that may be given up: |stop|, the same function for
// all, is asked before each pass over each function. Once it says yes what may be left out is: the module is of no use
// then, but can be disposed of.
LLVMErrorRef pyarrayRunPasses(LLVMModuleRef module, const char *passes, LLVMTargetMachineRef machine,
                              bool (*stop)(void));
bool pyarrayEmitToBuffer(LLVMTargetMachineRef machine, LLVMModuleRef module, LLVMCodeGenFileType kind,
                         bool (*stop)(void), LLVMMemoryBufferRef *out_buffer);

#ifdef __cplusplus
}
#endif

#endif // PYARRAY_C_TARGET_H
