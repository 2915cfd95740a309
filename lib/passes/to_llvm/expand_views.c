// pyarray-expand-views: views of memory become a base, an offset and strides.
//
//   %v = memref.subview %a[%i, 0] [1, %n] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
// becomes
//   %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %a
//   %at = affine.apply affine_map<()[s0, s1] -> (s0 * s1)>()[%i, %strides#0]
//   %v = memref.reinterpret_cast %base to offset: [%at], sizes: [%n], strides: [1]
//
// The upstream pass expand-strided-metadata without what it does to blocks (pyarray-c/Rewrites.h).
#include "ir/ir.h"
#include "pass.h"
#include "pyarray-c/Rewrites.h"

static pa_status run(pa_pass_context *context, MlirOperation module) {
  (void)context;
  if (pyarrayExpandStridedMetadata(module)) return PA_OK;
  return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(module), "views of memory cannot be taken apart");
}

const pa_pass pa_pass_expand_views = {
    .argument = "pyarray-expand-views",
    .summary = "Take views of memory apart into bases, offsets and strides",
    .dependent_dialects = (const char *const[]){"linalg", "arith", "memref", NULL}, // linalg brings affine
    .run = run,
};
