#include "pipelines.h"

#include <pthread.h>
#include <string.h>

#include "mlir-c/Conversion.h"
#include "mlir-c/Transforms.h"
#include "mlir/Dialect/Arith/Transforms/Passes.capi.h.inc"
#include "mlir/Dialect/Linalg/Passes.capi.h.inc"
#include "mlir/Dialect/MemRef/Transforms/Passes.capi.h.inc"
#include "pyarray-c/Passes.h"

static const pa_stage stages[] = {
#define PA_STAGE(level, summary, pipeline) {level, pipeline},
#include "stages.def"
#undef PA_STAGE
    {0},
};

const pa_stage *pa_stages(void) { return stages; }

static const pa_named_pipeline pipelines[] = {
    {"cpu", "pyarray-cpu", "From any level to the llvm dialect, for the CPU",
     &""  // without the first comma
#define PA_STAGE(level, summary, pipeline) "," pipeline
#include "stages.def"
#undef PA_STAGE
     [1]},
#define PA_STAGE(level, summary, pipeline) {level, "pyarray-to-" level, summary, pipeline},
#include "stages.def"
#undef PA_STAGE
    {0},
};

const pa_named_pipeline *pa_pipelines(void) { return pipelines; }

const pa_named_pipeline *pa_find_pipeline(const char *name) {
  for (const pa_named_pipeline *pipeline = pipelines; pipeline->name; pipeline++)
    if (strcmp(pipeline->name, name) == 0) return pipeline;
  return NULL;
}

static void register_all(void) {
  pyarrayRegisterPasses();
#define PA_UPSTREAM(name) mlirRegister##name();
#include "upstream_passes.def"
#undef PA_UPSTREAM
  for (const pa_named_pipeline *pipeline = pipelines; pipeline->name; pipeline++)
    pyarrayRegisterPipeline(pipeline->argument, pipeline->summary, pipeline->text);
}

void pa_register_pipelines(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_all);
}

void pyarrayRegisterPipelines(void) { pa_register_pipelines(); }
