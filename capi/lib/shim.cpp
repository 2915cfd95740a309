// What the MLIR C API lacks: passes written in C in the global registry, with textual options. No logic of pyarray.
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/ErrorHandling.h"

#include <new>

#include "PyArray.h"
#include "passes/passes.h"
#include "pyarray-c/Dialect.h"
#include "pyarray-c/Passes.h"

using namespace mlir;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(PyArray, pyarray, ::pyarray::PyArrayDialect)

//===-- Passes ------------------------------------------------------------------------------------===//

namespace {

// One option of a descriptor; exactly one of the three is set.
struct COption {
  std::unique_ptr<Pass::Option<bool>> boolean;
  std::unique_ptr<Pass::Option<int64_t>> integer;
  std::unique_ptr<Pass::Option<std::string>> string;

  pa_option_value value() const {
    return {boolean && boolean->getValue(), integer ? integer->getValue() : 0,
            string ? string->getValue().c_str() : nullptr};
  }
};

// The pass of a descriptor.
class CPass : public OperationPass<ModuleOp> {
public:
  explicit CPass(const pa_pass *descriptor)
      : OperationPass(TypeID::getFromOpaquePointer(descriptor)), descriptor(descriptor) {
    for (const pa_pass_option *o = descriptor->options; o && o->name; o++) addOption(*o);
  }

  StringRef getName() const override { return descriptor->argument; }
  StringRef getArgument() const override { return descriptor->argument; }
  StringRef getDescription() const override { return descriptor->summary; }
  std::unique_ptr<Pass> clonePass() const override { return std::make_unique<CPass>(descriptor); }

  void getDependentDialects(DialectRegistry &registry) const override {
    mlirDialectHandleInsertDialect(mlirGetDialectHandle__pyarray__(), wrap(&registry));
    for (const char *const *name = descriptor->dependent_dialects; name && *name; name++)
      mlirDialectHandleInsertDialect(pyarrayDialectHandle(*name), wrap(&registry));
  }

  void runOnOperation() override {
    SmallVector<pa_option_value> values;
    for (const COption &option : options) values.push_back(option.value());
    if (!pa_pass_execute(descriptor, values.data(), wrap(getOperation().getOperation()))) signalPassFailure();
  }

private:
  void addOption(const pa_pass_option &o) {
    StringRef otherwise(o.otherwise);
    auto help = llvm::cl::desc(o.help);
    COption &option = options.emplace_back();
    if (o.kind == PA_OPTION_BOOL) {
      option.boolean = std::make_unique<Option<bool>>(*this, o.name, help, llvm::cl::init(otherwise == "true"));
    } else if (o.kind == PA_OPTION_INT) {
      int64_t value = strtoll(o.otherwise, nullptr, 10);
      option.integer = std::make_unique<Option<int64_t>>(*this, o.name, help, llvm::cl::init(value));
    } else {
      option.string = std::make_unique<Option<std::string>>(*this, o.name, help, llvm::cl::init(otherwise.str()));
    }
  }

  const pa_pass *descriptor;
  SmallVector<COption> options;
};

} // namespace

void pyarrayRegisterPasses(void) {
  for (const pa_pass_row *row = pa_passes; row->pass; row++)
    registerPass([descriptor = row->pass] { return std::make_unique<CPass>(descriptor); });
}

void pyarrayRegisterPipeline(const char *name, const char *summary, const char *text) {
  auto build = [text](OpPassManager &manager, StringRef options, function_ref<LogicalResult(const Twine &)> fail) {
    if (!options.empty()) return fail("a named pipeline of pyarray takes no options");
    return parsePassPipeline(text, manager);
  };
  registerPassPipeline(name, summary, build, [](function_ref<void(const detail::PassOptions &)>) {});
}

void pyarrayForEachSymbol(MlirOperation operation, void (*visit)(MlirStringRef, void *), void *data) {
  Operation *op = unwrap(operation);
  AttrTypeWalker walker;
  walker.addWalk([&](SymbolRefAttr symbol) { visit(wrap(symbol.getRootReference().getValue()), data); });
  walker.walk(op->getAttrDictionary());
  for (Type type : op->getResultTypes()) walker.walk(type);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Type type : block.getArgumentTypes()) walker.walk(type);
}

namespace {
struct PassNotes : PassInstrumentation {
  void (*note)(const char *, MlirOperation, void *);
  void *data;
  PassNotes(void (*note)(const char *, MlirOperation, void *), void *data) : note(note), data(data) {}
  void runAfterPass(Pass *pass, Operation *op) override { note(pass->getArgument().str().c_str(), wrap(op), data); }
};
} // namespace

void pyarrayNotePasses(MlirPassManager manager, void (*note)(const char *, MlirOperation, void *), void *data) {
  unwrap(manager)->addInstrumentation(std::make_unique<PassNotes>(note, data));
}

void pyarrayPrintRegisteredPasses(void) { printRegisteredPasses(); }

//===-- Memory ------------------------------------------------------------------------------------===//

static void (*memoryHandler)(void);

void pyarrayInstallMemoryHandler(void (*handler)(void)) {
  memoryHandler = handler;
  std::set_new_handler(handler);
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { memoryHandler(); });
}

//===-- Parsing -----------------------------------------------------------------------------------===//

MlirModule pyarrayParseModule(MlirContext context, const char *text, size_t length, const char *name, bool verify) {
  ParserConfig config(unwrap(context), verify);
  return wrap(parseSourceString<ModuleOp>(StringRef(text, length), config, name).release());
}
