// The LLVM pass pipelines. Each choice is measured: docs/performance.md, "LLVM pipeline"; repeat the measurement with
// benchmarks/compile_pipeline.c before changing one.
#include "pipeline.h"

#define SIMPLIFY "simplifycfg<>"
// After the loop passes: switches, hoisting and sinking may now be used.
#define SIMPLIFY_LATE                                                                                                  \
  "simplifycfg<bonus-inst-threshold=1;forward-switch-cond;switch-range-to-icmp;switch-to-lookup;no-keep-loops;"        \
  "hoist-common-insts;sink-common-insts>"
#define COMBINE "instcombine<max-iterations=1;no-verify-fixpoint>"

// Branches on states, wrapped indices and checks that can be decided go first: jump threading needs the raw branches.
#define SCALAR                                                                                                         \
  "sroa<modify-cfg>,early-cse<>," SIMPLIFY ",jump-threading,correlated-propagation," COMBINE ",constraint-elimination"
// Unswitching moves loop-invariant bounds checks out; without it they keep inner loops from being vectorised.
#define LOOPS                                                                                                          \
  "loop-mssa(loop-instsimplify,licm<no-allowspeculation>,loop-rotate<header-duplication;no-prepare-for-lto>,"          \
  "licm<allowspeculation>,simple-loop-unswitch<nontrivial;trivial>)," SIMPLIFY "," COMBINE                             \
  ",loop(loop-idiom,indvars,loop-unroll-full),gvn<>,bdce," COMBINE                                                     \
  ",adce,dse,loop-mssa(licm<allowspeculation>)," SIMPLIFY "," COMBINE
// Only loops that lowering has marked are unrolled here: unrolling at run time made others slower.
#define VECTORS                                                                                                        \
  "loop-vectorize<no-interleave-forced-only;no-vectorize-forced-only;>," COMBINE "," SIMPLIFY_LATE                     \
  ",loop-unroll<O2;no-partial;no-runtime;no-upperbound>"
#define LAST COMBINE ",loop-mssa(licm<allowspeculation>),div-rem-pairs," SIMPLIFY

// Callees first, each simplified before its callers are looked at.
#define INLINE                                                                                                         \
  "cgscc(inline,function-attrs,function<eager-inv;no-rerun>(sroa<modify-cfg>,early-cse<>," SIMPLIFY "," COMBINE        \
  ")),globaldce,"

#define LEVEL_0 "always-inline,function(mem2reg)"
#define LEVEL_1 "function<eager-inv>(" SCALAR ",loop-mssa(loop-rotate<header-duplication>,licm<allowspeculation>))"
#define LEVEL_2 "function<eager-inv>(" SCALAR "," LOOPS "," VECTORS "," LAST ")"
// Everything that LLVM has, and the strength reduction that emission leaves out (target.c).
#define LEVEL_3 "default<O3>,function(loop(loop-reduce))"

static const char *const pipelines[][2] = {
    {LEVEL_0, LEVEL_0},
    {LEVEL_1, INLINE LEVEL_1},
    {LEVEL_2, INLINE LEVEL_2},
    {LEVEL_3, LEVEL_3},
};

const char *pa_llvm_pipeline(int opt_level, bool several) {
  int level = opt_level < 0 ? 0 : opt_level > 3 ? 3 : opt_level;
  return pipelines[level][several];
}
