// wave.sine %t amplitude 2.0   becomes   pyarray.binary mul 2.0, (pyarray.builtin "math.sin"(%t))
#include "Wave.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "pyarray/PyArray.h"

using namespace mlir;

namespace {

struct LowerSine : OpRewritePattern<wave::SineOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(wave::SineOp op, PatternRewriter &rewriter) const override {
    Location location = op.getLoc();
    Type type = op.getType();
    // By name, as pyarray's C code makes its operations; pyarray/PyArray.h has their classes too.
    OperationState sine(location, "pyarray.builtin");
    sine.addOperands(op.getTime());
    sine.addTypes(type);
    sine.addAttribute("name", rewriter.getStringAttr("math.sin"));
    Value value = rewriter.create(sine)->getResult(0);
    Value amplitude = arith::ConstantOp::create(rewriter, location, op.getAmplitudeAttr());
    auto product = pyarray::BinaryOp::create(rewriter, location, type, pyarray::BinaryKind::Mul, amplitude, value);
    rewriter.replaceOp(op, product->getResult(0));
    return success();
  }
};

struct LowerWave : PassWrapper<LowerWave, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerWave)
  StringRef getArgument() const override { return "lower-wave"; }
  StringRef getDescription() const override { return "Lower waves to the pyarray dialect"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, pyarray::PyArrayDialect>();
  }
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<LowerSine>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns)))) signalPassFailure();
  }
};

} // namespace

void wave::registerLowerWave() { PassRegistration<LowerWave>(); }
