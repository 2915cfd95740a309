#include "pyarray-c/Target.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

bool pyarrayTargetHasFeatures(LLVMTargetMachineRef machine, const char *features) {
  return reinterpret_cast<llvm::TargetMachine *>(machine)->getMCSubtargetInfo()->checkFeatures(features);
}

void pyarrayTargetAlignLoops(LLVMTargetMachineRef machine, unsigned bytes) {
  reinterpret_cast<llvm::TargetMachine *>(machine)->Options.LoopAlignment = bytes;
}
