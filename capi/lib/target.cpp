#include "pyarray-c/Target.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

static TargetMachine *machineOf(LLVMTargetMachineRef machine) { return reinterpret_cast<TargetMachine *>(machine); }

bool pyarrayTargetHasFeatures(LLVMTargetMachineRef machine, const char *features) {
  return machineOf(machine)->getMCSubtargetInfo()->checkFeatures(features);
}

void pyarrayTargetAlignLoops(LLVMTargetMachineRef machine, unsigned bytes) {
  machineOf(machine)->Options.LoopAlignment = bytes;
}

// As LLVMRunPasses does, with one callback more.
LLVMErrorRef pyarrayRunPasses(LLVMModuleRef moduleRef, const char *passes, LLVMTargetMachineRef machine,
                              bool (*stop)(void)) {
  PassInstrumentationCallbacks callbacks;
  callbacks.registerShouldRunOptionalPassCallback([stop](StringRef, Any) { return !stop(); });
  PassBuilder builder(machineOf(machine), PipelineTuningOptions(), std::nullopt, &callbacks);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager graph;
  ModuleAnalysisManager modules;
  builder.registerLoopAnalyses(loops);
  builder.registerFunctionAnalyses(functions);
  builder.registerCGSCCAnalyses(graph);
  builder.registerModuleAnalyses(modules);
  builder.crossRegisterProxies(loops, functions, graph, modules);
  ModulePassManager manager;
  if (Error error = builder.parsePassPipeline(manager, passes)) return wrap(std::move(error));
  manager.run(*unwrap(moduleRef), modules);
  return LLVMErrorSuccess;
}

namespace {
// Of code generation, which needs most of its passes: what is left out are the others.
struct Gate : OptPassGate {
  bool (*stop)(void) = nullptr;
  bool isEnabled() const override { return stop(); }
  bool shouldRunPass(StringRef, StringRef) const override { return false; }
};
} // namespace

bool pyarrayEmitToBuffer(LLVMTargetMachineRef machine, LLVMModuleRef moduleRef, LLVMCodeGenFileType kind,
                         bool (*stop)(void), LLVMMemoryBufferRef *out_buffer) {
  static Gate gate;
  gate.stop = stop; // always the same one
  unwrap(moduleRef)->getContext().setOptPassGate(gate);
  SmallString<0> code;
  raw_svector_ostream stream(code);
  legacy::PassManager manager;
  Module &module = *unwrap(moduleRef);
  module.setDataLayout(machineOf(machine)->createDataLayout());
  if (machineOf(machine)->addPassesToEmitFile(manager, stream, nullptr,
                                              kind == LLVMAssemblyFile ? CodeGenFileType::AssemblyFile
                                                                       : CodeGenFileType::ObjectFile))
    return false;
  manager.run(module);
  *out_buffer = wrap(MemoryBuffer::getMemBufferCopy(code.str(), "").release());
  return true;
}
