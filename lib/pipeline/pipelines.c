#include "pipelines.h"

#include <pthread.h>
#include <string.h>

#include "mlir-c/Conversion.h"
#include "mlir-c/Transforms.h"
#include "mlir/Dialect/Arith/Transforms/Passes.capi.h.inc"
#include "mlir/Dialect/Linalg/Passes.capi.h.inc"
#include "mlir/Dialect/MemRef/Transforms/Passes.capi.h.inc"
#include "planner.h"
#include "pyarray-c/Passes.h"

// A row of stages.def for the target that is being listed, and nothing for other targets.
#define FOR_CPU_ANY(row, ...) row(__VA_ARGS__)
#define FOR_CPU_CPU(row, ...) row(__VA_ARGS__)
#define FOR_CPU_HOST(row, ...) row(__VA_ARGS__)
#define FOR_CPU_ON_CPU(row, ...)
#define FOR_CPU_CUDA(row, ...)
#define FOR_ON_CPU_ANY(row, ...) row(__VA_ARGS__)
#define FOR_ON_CPU_CPU(row, ...)
#define FOR_ON_CPU_HOST(row, ...) row(__VA_ARGS__)
#define FOR_ON_CPU_ON_CPU(row, ...) row(__VA_ARGS__)
#define FOR_ON_CPU_CUDA(row, ...)
#define FOR_CUDA_ANY(row, ...) row(__VA_ARGS__)
#define FOR_CUDA_CPU(row, ...)
#define FOR_CUDA_HOST(row, ...)
#define FOR_CUDA_ON_CPU(row, ...)
#define FOR_CUDA_CUDA(row, ...) row(__VA_ARGS__)

#define ROW(level, summary, pipeline) {level, pipeline},
static const pa_stage cpu_stages[] = {
#define PA_STAGE(target, ...) FOR_CPU_##target(ROW, __VA_ARGS__)
#include "stages.def"
#undef PA_STAGE
    {0},
};
static const pa_stage on_cpu_stages[] = {
#define PA_STAGE(target, ...) FOR_ON_CPU_##target(ROW, __VA_ARGS__)
#include "stages.def"
#undef PA_STAGE
    {0},
};
static const pa_stage cuda_stages[] = {
#define PA_STAGE(target, ...) FOR_CUDA_##target(ROW, __VA_ARGS__)
#include "stages.def"
#undef PA_STAGE
    {0},
};

const pa_stage *pa_stages(const char *target) {
  if (target && strcmp(target, "cuda") == 0) return cuda_stages;
  return target && strcmp(target, "cuda-on-cpu") == 0 ? on_cpu_stages : cpu_stages;
}

#define ELEMENTS(level, summary, pipeline) "," pipeline
#define NAMED_ANY(level, summary, pipeline) {level, "pyarray-to-" level, summary, pipeline, "cpu", level},
#define NAMED_CPU NAMED_ANY
#define NAMED_HOST NAMED_ANY
#define NAMED_ON_CPU(level, summary, pipeline)                                                                         \
  {"cuda-on-cpu-" level, "pyarray-to-cuda-on-cpu-" level, summary, pipeline, "cuda-on-cpu", level},
#define NAMED_CUDA(level, summary, pipeline)                                                                           \
  {"cuda-" level, "pyarray-to-cuda-" level, summary, pipeline, "cuda", level},
static const pa_named_pipeline pipelines[] = {
    {"cpu", "pyarray-cpu", "From any level to the llvm dialect, for the CPU",
     &"" // without the first comma
#define PA_STAGE(target, ...) FOR_CPU_##target(ELEMENTS, __VA_ARGS__)
#include "stages.def"
#undef PA_STAGE
         [1],
     "cpu", NULL},
    {"cuda-on-cpu", "pyarray-cuda-on-cpu", "From any level to the llvm dialect, for kernels that the CPU runs",
     &""
#define PA_STAGE(target, ...) FOR_ON_CPU_##target(ELEMENTS, __VA_ARGS__)
#include "stages.def"
#undef PA_STAGE
         [1],
     "cuda-on-cpu", NULL},
    {"cuda", "pyarray-cuda", "From any level to the llvm and nvvm dialects, for NVIDIA's GPUs",
     &""
#define PA_STAGE(target, ...) FOR_CUDA_##target(ELEMENTS, __VA_ARGS__)
#include "stages.def"
#undef PA_STAGE
         [1],
     "cuda", NULL},
#define PA_STAGE(target, ...) NAMED_##target(__VA_ARGS__)
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
  pa_register_planner();
}

void pa_register_pipelines(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_all);
}

void pyarrayRegisterPipelines(void) { pa_register_pipelines(); }
