#include "pyarray-c/Target.h"

#include "llvm/IR/DiagnosticInfo.h"
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

//===-- Remarks and times -------------------------------------------------------------------------===//

namespace {
// All remarks are made; what is no remark goes to the handler of the C API.
struct Remarks : DiagnosticHandler {
  void (*note)(const pyarray_remark *, void *);
  void *data;
  Remarks(void (*note)(const pyarray_remark *, void *), void *data) : note(note), data(data) {}
  bool isAnalysisRemarkEnabled(StringRef) const override { return true; }
  bool isMissedOptRemarkEnabled(StringRef) const override { return true; }
  bool isPassedOptRemarkEnabled(StringRef) const override { return true; }
  bool isAnyRemarkEnabled() const override { return true; }

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    const auto *remark = dyn_cast<DiagnosticInfoOptimizationBase>(&info);
    if (!remark) return DiagnosticHandler::handleDiagnostics(info);
    std::string pass = remark->getPassName().str(), text = remark->getMsg();
    std::string function = remark->getFunction().getName().str(), file;
    unsigned line = 0, column = 0;
    if (remark->isLocationAvailable()) {
      file = remark->getAbsolutePath();
      line = remark->getLocation().getLine();
      column = remark->getLocation().getColumn();
    }
    const char *kind = remark->isPassed() ? "passed" : remark->isMissed() ? "missed" : "analysis";
    pyarray_remark noted = {kind, pass.c_str(), function.c_str(), file.empty() ? nullptr : file.c_str(), text.c_str(),
                            line, column};
    note(&noted, data);
    return true;
  }
};

struct PassNote {
  void (*note)(const char *, size_t, bool, void *) = nullptr;
  void *data = nullptr;
  void operator()(StringRef pass, bool begins) const { note(pass.data(), pass.size(), begins, data); }
};
} // namespace

static thread_local PassNote passNote;

void pyarrayNoteRemarks(LLVMContextRef context, void (*note)(const pyarray_remark *, void *), void *data) {
  unwrap(context)->setDiagnosticHandler(std::make_unique<Remarks>(note, data));
}

void pyarrayNoteLLVMPasses(void (*note)(const char *, size_t, bool, void *), void *data) { passNote = {note, data}; }

static void addNotes(PassInstrumentationCallbacks &callbacks) {
  if (!passNote.note) return;
  callbacks.registerBeforeNonSkippedPassCallback([](StringRef pass, Any) { passNote(pass, true); });
  callbacks.registerAfterPassCallback([](StringRef pass, Any, const PreservedAnalyses &) { passNote(pass, false); });
  callbacks.registerAfterPassInvalidatedCallback(
      [](StringRef pass, const PreservedAnalyses &) { passNote(pass, false); });
}

//===-- Running passes ----------------------------------------------------------------------------===//

// As LLVMRunPasses does, with one callback more.
LLVMErrorRef pyarrayRunPasses(LLVMModuleRef moduleRef, const char *passes, LLVMTargetMachineRef machine,
                              bool (*stop)(void)) {
  PassInstrumentationCallbacks callbacks;
  callbacks.registerShouldRunOptionalPassCallback([stop](StringRef, Any) { return !stop(); });
  addNotes(callbacks);
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
