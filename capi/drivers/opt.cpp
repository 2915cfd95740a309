// MlirOptMain with pyarray's dialects.
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Linalg/TransformOps/DialectExtension.h"
#include "mlir/Dialect/SCF/TransformOps/SCFTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

#include "pyarray-c/Drivers.h"
#include "registry.h"

static mlir::LogicalResult run(llvm::StringRef input, llvm::StringRef output, mlir::DialectRegistry &registry,
                               const mlir::MlirOptMainConfig &config) {
  std::string error;
  auto from = mlir::openInputFile(input, &error);
  auto to = from ? mlir::openOutputFile(output, &error) : nullptr;
  if (!to) {
    llvm::errs() << "pyarray-opt: " << error << '\n';
    return mlir::failure();
  }
  if (failed(mlir::MlirOptMain(to->os(), std::move(from), registry, config))) return mlir::failure();
  to->keep();
  return mlir::success();
}

// Registered as long as it lives.
using Action = llvm::cl::opt<bool>;

static std::vector<std::unique_ptr<Action>> addActions(const pyarray_opt_action *row) {
  std::vector<std::unique_ptr<Action>> options;
  for (; row->option; ++row)
    options.push_back(std::make_unique<Action>(llvm::StringRef(row->option), llvm::cl::desc(row->help)));
  return options;
}

int pyarrayOptMain(int count, char **arguments, const pyarray_opt_driver *driver) {
  llvm::InitLLVM atExit(count, arguments);
  mlir::DialectRegistry registry;
  pyarray::fillRegistry(registry);
  registry.insert<mlir::transform::TransformDialect>();
  mlir::linalg::registerTransformDialectExtension(registry);
  mlir::scf::registerTransformDialectExtension(registry);
  mlir::transform::registerTransformPasses();
  llvm::cl::SetVersionPrinter([driver](llvm::raw_ostream &out) { out << driver->version << '\n'; });
  auto actions = addActions(driver->actions);
  auto [input, output] = mlir::registerAndParseCLIOptions(count, arguments, "pyarray-opt\n", registry);
  for (size_t i = 0; i < actions.size(); ++i)
    if (*actions[i]) return driver->actions[i].run(), EXIT_SUCCESS;
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::asMainReturnCode(mlir::MlirOptMain(count, arguments, input, output, registry));
  auto given = config;
  config.setPassPipelineSetupFn([given, driver](mlir::PassManager &manager) {
    if (failed(given.setupPassPipeline(manager))) return mlir::failure();
    return unwrap(driver->set_up(wrap(&manager)));
  });
  return mlir::asMainReturnCode(run(input, output, registry, config));
}
