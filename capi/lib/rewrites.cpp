// The C face of MLIR's rewrites: wrapping only.
#include "pyarray-c/Rewrites.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

bool pyarrayExpandStridedMetadata(MlirOperation op) {
  Operation *root = unwrap(op);
  RewritePatternSet patterns(root->getContext());
  memref::populateExpandStridedMetadataPatterns(patterns);
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  return succeeded(applyPatternsGreedily(root, std::move(patterns), config));
}
