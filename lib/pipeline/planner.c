#include "planner.h"

#include <string.h>

#include "path.h"
#include "pyarray-c/Drivers.h"

// The pipeline that is being run. Passes of pipelines are run on the thread that began them, and none begins another.
typedef struct progress {
  pa_arena arena;
  pa_path path;
  int passed;
} progress;

static _Thread_local progress current;

static const char *all(const char *name) {
  const pa_named_pipeline *named = pa_find_pipeline(name);
  return named ? named->text : NULL;
}

// A pipeline to one level begins at the level before it; the others at the beginning.
static const char *begin(const char *name, MlirOperation module) {
  const pa_named_pipeline *named = pa_find_pipeline(name);
  progress *p = &current;
  pa_arena_init(&p->arena);
  p->path = pa_path_of(&p->arena, named->target);
  const pa_stage *stage = pa_stages(named->target);
  while (named->level && strcmp(stage->level, named->level) != 0) ++stage;
  int from = named->level ? pa_path_begin(&p->path, stage) : 0,
      end = named->level ? pa_path_begin(&p->path, stage + 1) : p->path.count,
      before = pa_path_passed(&p->arena, &p->path, module);
  p->passed = before > from ? before : from;
  return pa_path_rest(&p->arena, &p->path, module, from, end);
}

static void end(void) {
  pa_arena_free(&current.arena);
  current = (progress){.passed = 0};
}

void pa_planner_note(const char *pass, MlirOperation op, void *unused) {
  (void)unused;
  bool whole = current.path.count && mlirOperationIsNull(mlirOperationGetParentOperation(op));
  int passed = whole ? pa_path_find(&current.path, pass, current.passed) : -1;
  if (passed > 0) pa_path_mark(&current.path, op, current.passed = passed);
}

void pa_register_planner(void) {
  static const pyarray_planner planner = {
      .argument = "pyarray-pipeline",
      .summary = "Run what the module has not been through of a pipeline of the compiler",
      .option = "name",
      .help = "cpu, cuda, cuda-on-cpu, typed, ... (docs/passes.md)",
      .all = all,
      .begin = begin,
      .end = end,
  };
  pyarrayRegisterPlanner(&planner);
}
