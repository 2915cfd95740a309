// The LLVM pass pipelines. Each choice is measured: docs/performance.md, "LLVM pipeline"; repeat the measurement with
// benchmarks/compile_pipeline.c before changing one.
#include "pipeline.h"

#define SIMPLIFY "simplifycfg<>"
// After the loop passes: switches, hoisting and sinking may now be used.
#define SIMPLIFY_LATE                                                                                                  \
  "simplifycfg<bonus-inst-threshold=1;forward-switch-cond;switch-range-to-icmp;switch-to-lookup;no-keep-loops;"        \
  "hoist-common-insts;sink-common-insts>"
#define COMBINE "instcombine<max-iterations=1;no-verify-fixpoint>"
#define INDUCTION "indvars," // of each exit of a loop it asks how often the loop runs until there
// In its place where it would look at all conditions that hold at each of thousands of comparisons.
#define SIMPLIFY_VALUES "instsimplify"

// Branches on states, wrapped indices and checks that can be decided go first: jump threading needs the raw branches,
// not selections.
#define SIMPLIFY_BRANCHES "simplifycfg<no-speculate-blocks>"
#define SCALAR(COMBINE)                                                                                                \
  "sroa<modify-cfg>,early-cse<>," SIMPLIFY_BRANCHES ",jump-threading,correlated-propagation," COMBINE                  \
  ",constraint-elimination"
// Unswitching moves loop-invariant bounds checks out; without it they keep inner loops from being vectorised.
#define LOOPS(COMBINE, INDUCTION)                                                                                      \
  "loop-mssa(loop-instsimplify,licm<no-allowspeculation>,loop-rotate<header-duplication;no-prepare-for-lto>,"          \
  "licm<allowspeculation>,simple-loop-unswitch<nontrivial;trivial>)," SIMPLIFY ",loop(loop-idiom," INDUCTION           \
  "loop-unroll-full),gvn<>,bdce,adce,dse,loop-mssa(licm<allowspeculation>)," SIMPLIFY "," COMBINE
// Only loops that lowering has marked are unrolled here: unrolling at run time made others slower.
#define VECTORS                                                                                                        \
  "loop-vectorize<no-interleave-forced-only;no-vectorize-forced-only;>," SIMPLIFY_LATE                                 \
  ",loop-unroll<O2;no-partial;no-runtime;no-upperbound>"
#define LAST(COMBINE) COMBINE ",loop-mssa(licm<allowspeculation>),div-rem-pairs," SIMPLIFY

// Callees first, each simplified before its callers are looked at. A callee that never fails leaves a status of 0 in a
// struct, which only sccp looks into; else instruction combination would move all that follows past each check of it.
#define INLINE(COMBINE)                                                                                                \
  "cgscc(inline,function-attrs,function<eager-inv;no-rerun>(sroa<modify-cfg>,early-cse<>,sccp," SIMPLIFY "," COMBINE   \
  ")),globaldce,"

// Frames of coroutines hold what lives across a suspension: stack memory that can be values goes first.
#define COROUTINES(COMBINE)                                                                                            \
  "coro-early,cgscc(function(sroa<modify-cfg>,early-cse<>," SIMPLIFY "," COMBINE "),coro-split),coro-cleanup,"         \
  "globaldce,"

#define LEVEL_0 "always-inline,function(mem2reg)"
#define LEVEL_1(COMBINE)                                                                                               \
  "function<eager-inv>(" SCALAR(COMBINE) ",loop-mssa(loop-rotate<header-duplication>,licm<allowspeculation>))"
#define BEFORE_LOOPS(COMBINE) "function<eager-inv>(" SCALAR(COMBINE) ")"
#define AFTER_LOOPS(COMBINE, INDUCTION)                                                                                \
  "function<eager-inv>(" LOOPS(COMBINE, INDUCTION) "," VECTORS "," LAST(COMBINE) ")"
#define LEVEL_2(COMBINE, INDUCTION)                                                                                    \
  "function<eager-inv>(" SCALAR(COMBINE) "," LOOPS(COMBINE, INDUCTION) "," VECTORS "," LAST(COMBINE) ")"
// Everything that LLVM has, and the strength reduction that emission leaves out (target.c).
#define LEVEL_3 "default<O3>,function(loop(loop-reduce))"

// Of one function, of several, and of coroutines among them, which LLVM's own pipeline sees to itself.
#define LEVELS(COMBINE, INDUCTION)                                                                                     \
  {                                                                                                                    \
      {LEVEL_0, LEVEL_0, COROUTINES(COMBINE) LEVEL_0},                                                                 \
      {LEVEL_1(COMBINE), INLINE(COMBINE) LEVEL_1(COMBINE), COROUTINES(COMBINE) INLINE(COMBINE) LEVEL_1(COMBINE)},      \
      {LEVEL_2(COMBINE, INDUCTION), INLINE(COMBINE) LEVEL_2(COMBINE, INDUCTION),                                       \
       COROUTINES(COMBINE) INLINE(COMBINE) LEVEL_2(COMBINE, INDUCTION)},                                               \
      {LEVEL_3, LEVEL_3, LEVEL_3},                                                                                     \
  }

// ORDER CHECKS
static const char *const pipelines[][4][3] = {LEVELS(COMBINE, INDUCTION), LEVELS(COMBINE, ), LEVELS(SIMPLIFY_VALUES, )};

const char *pa_llvm_pipeline(int opt_level, pa_module_shape shape, pa_checks checks) {
  int level = opt_level < 0 ? 0 : opt_level > 3 ? 3 : opt_level;
  return pipelines[checks][level][shape];
}

#define PARTS(COMBINE, INDUCTION)                                                                                      \
  {                                                                                                                    \
      {BEFORE_LOOPS(COMBINE), INLINE(COMBINE) BEFORE_LOOPS(COMBINE),                                                   \
       COROUTINES(COMBINE) INLINE(COMBINE) BEFORE_LOOPS(COMBINE)},                                                     \
      {AFTER_LOOPS(COMBINE, INDUCTION), AFTER_LOOPS(COMBINE, INDUCTION), AFTER_LOOPS(COMBINE, INDUCTION)},             \
  }

static const char *const parts[][2][3] = {PARTS(COMBINE, INDUCTION), PARTS(COMBINE, ),
                                          PARTS(SIMPLIFY_VALUES, )}; // ORDER CHECKS

const char *pa_llvm_pipeline_part(bool loops, pa_module_shape shape, pa_checks checks) {
  return parts[checks][loops][shape];
}
