// The pass of a planner: a dynamic pipeline, which is made for the module that it is run on.
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Utils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include "pyarray-c/Drivers.h"

using namespace mlir;

namespace {
class CPlanned : public OperationPass<ModuleOp> {
public:
  explicit CPlanned(const pyarray_planner *planner)
      : OperationPass(TypeID::getFromOpaquePointer(planner)), planner(planner),
        name(*this, planner->option, llvm::cl::desc(planner->help)) {}

  StringRef getName() const override { return planner->argument; }
  StringRef getArgument() const override { return planner->argument; }
  StringRef getDescription() const override { return planner->summary; }
  std::unique_ptr<Pass> clonePass() const override { return std::make_unique<CPlanned>(planner); }

  void getDependentDialects(DialectRegistry &registry) const override {
    OpPassManager all(ModuleOp::getOperationName());
    const char *passes = planner->all(name.getValue().c_str());
    if (passes && succeeded(parsePassPipeline(passes, all))) all.getDependentDialects(registry);
  }

  LogicalResult initializeOptions(StringRef options, function_ref<LogicalResult(const Twine &)> fail) override {
    // "--pyarray-pipeline=cpu" is short for "name=cpu"
    std::string given = options.contains('=') ? options.str() : (Twine(planner->option) + "=" + options).str();
    if (failed(Pass::initializeOptions(given, fail))) return failure();
    if (planner->all(name.getValue().c_str())) return success();
    return fail("no pipeline '" + Twine(name.getValue()) + "' (docs/passes.md has those that there are)");
  }

  void runOnOperation() override {
    const char *passes = planner->begin(name.getValue().c_str(), wrap(getOperation().getOperation()));
    OpPassManager needed(ModuleOp::getOperationName());
    if (*passes && (failed(parsePassPipeline(passes, needed)) || failed(runPipeline(needed, getOperation()))))
      signalPassFailure();
    planner->end();
  }

private:
  const pyarray_planner *planner;
  Option<std::string> name;
};
} // namespace

void pyarrayRegisterPlanner(const pyarray_planner *planner) {
  registerPass([planner] { return std::make_unique<CPlanned>(planner); });
}

MlirLogicalResult pyarrayReplacePasses(MlirPassManager manager, const char *passes, MlirStringCallback error,
                                       void *errorData) {
  mlir::detail::CallbackOstream out(error, errorData);
  unwrap(manager)->clear();
  return wrap(parsePassPipeline(passes, *unwrap(manager), out));
}
