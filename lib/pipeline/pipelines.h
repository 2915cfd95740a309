// The named pipelines: textual, so that pyarray-opt runs exactly what the compiler runs.
#ifndef PYARRAY_LIB_PIPELINE_PIPELINES_H
#define PYARRAY_LIB_PIPELINE_PIPELINES_H

typedef struct pa_named_pipeline {
  const char *name;     // "cpu"; NULL ends the table
  const char *argument; // "pyarray-cpu": what a textual pipeline calls it
  const char *summary;  // one line
  const char *text;     // elements of a pipeline on builtin.module
  const char *target;   // whose path it is of
  const char *level;    // that it leads to from the one before; NULL: from any level to the last one
} pa_named_pipeline;

// A step from one level of IR to the next (stages.def).
typedef struct pa_stage {
  const char *level;    // that it leads to; NULL ends the table
  const char *pipeline; // elements of a pipeline on builtin.module
} pa_stage;

// In order. |target| is that of a compile request: NULL and "cpu" for the CPU, "cuda", "cuda-on-cpu".
const pa_stage *pa_stages(const char *target);

const pa_named_pipeline *pa_pipelines(void);
const pa_named_pipeline *pa_find_pipeline(const char *name); // NULL if there is none

// Registers our passes, the upstream passes that the pipelines name, each pipeline by its argument, and the pass that
// runs them (planner.h). Repeating it does nothing.
void pa_register_pipelines(void);

#endif // PYARRAY_LIB_PIPELINE_PIPELINES_H
