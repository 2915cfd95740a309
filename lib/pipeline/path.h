// How far a module is on the path of a target. What is printed within a pipeline says so in an attribute of the module,
//   pyarray.path = {count = 15 : i64, pass = "cse", target = "cpu"}
// and the tools go on behind that pass: passes of MLIR that have been run, such as cse, would change what came after
// them.
#ifndef PYARRAY_LIB_PIPELINE_PATH_H
#define PYARRAY_LIB_PIPELINE_PATH_H

#include "mlir-c/IR.h"
#include "pipelines.h"
#include "support/support.h"

typedef struct pa_path {
  const char *target;
  const char *const *elements; // of the textual pipeline: passes, with their options
  int count;
} pa_path;

pa_path pa_path_of(pa_arena *arena, const char *target);
// How many elements the stages before |stage| have; of the end of the table: all.
int pa_path_begin(const pa_path *path, const pa_stage *stage);

// How many of its elements |module| has been through; 0 where it does not say, or another version of the compiler has
// said it.
int pa_path_passed(pa_arena *arena, const pa_path *path, MlirOperation module);
// Elements |from| up to |end| of the path that |module| has not been through, as a textual pipeline; "" where there is
// none.
const char *pa_path_rest(pa_arena *arena, const pa_path *path, MlirOperation module, int from, int end);

// Says that |module| has been through |count| elements; 0 takes back what it says.
void pa_path_mark(const pa_path *path, MlirOperation module, int count);
// The number of elements up to and with the first one behind |from| that is the pass |name|; -1 where there is none.
int pa_path_find(const pa_path *path, const char *name, int from);

// Whether the module is verified, and the contract of its level checked, behind each stage: PYARRAY_VERIFY=1, which
// tests set.
bool pa_checks_levels(void);
// Whether it is verified behind each pass too: PYARRAY_VERIFY=passes, which takes a tenth of a small compilation and
// half of a long one.
bool pa_checks_passes(void);
// The pass that checks it; NULL where the stage itself ends in that.
const char *pa_level_check(pa_arena *arena, const char *level);
// |elements| of a textual pipeline with these checks: of the level from which the stage of the first pass begins in
// front of it, of the level that is reached behind the last pass of a stage.
const char *pa_with_checks(pa_arena *arena, const char *elements);

#endif // PYARRAY_LIB_PIPELINE_PATH_H
