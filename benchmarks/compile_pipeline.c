// Compares pass pipelines: compile time of each step, and run time of the code that comes out.
//
//   compile_pipeline [options] FILE...      FILEs as benchmarks/level4_kernels.py writes them
//     --lowering TEXT   MLIR passes from level 4 to the llvm dialect (default: the compiler's)
//     --pipelines FILE  LLVM pipelines to compare, one a line: NAME LEVEL TEXT (LEVEL: of emission; TEXT "-": ours)
//     --repeat N        compile N times, report the fastest (default 15)
//     --no-run          compile only
//     --llvm OPTION     a command-line option of LLVM, as opt or llc take it (repeatable)
//     --cpu NAME        and no features; default: the host
//     --lowering-only   time the MLIR passes, with a pass manager made once and one made for each run
//
// All times are in milliseconds, minima of the repetitions; code size in bytes of the object.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "codegen/codegen.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"
#include "pipeline/pipelines.h"
#include "pyarray-c/Dialect.h"
#include "runtime/load/object_loader.h"
#include "llvm-c/Support.h"

enum { MAX_PIPELINES = 64, MAX_SLOTS = 128 };

typedef struct pipeline {
  char name[32];
  int level;
  char *text; // NULL: the compiler's own
} pipeline;

typedef struct settings {
  const char *lowering;
  const char *cpu;
  int repeat;
  bool run, lowering_only;
  pipeline pipelines[MAX_PIPELINES];
  int count;
} settings;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void fail(const char *what, const char *why) {
  fprintf(stderr, "compile_pipeline: %s: %s\n", what, why);
  exit(1);
}

static double least(double a, double b) { return a < b ? a : b; }

//===-- Running -----------------------------------------------------------------------------------===//

typedef int32_t (*entry_function)(const int64_t *args, int64_t *results);

// "a30x30": a C-ordered float64 array with values in [1, 2), in slots.
static void add_array(const char *spec, int64_t *slots, int *count) {
  int64_t sizes[8], total = 1;
  int rank = 0;
  for (char *end = (char *)spec; *end == 'a' || *end == 'x'; total *= sizes[rank++])
    sizes[rank] = strtoll(end + 1, &end, 10);
  double *data = aligned_alloc(64, ((size_t)total * 8 + 63) / 64 * 64);
  for (int64_t i = 0; i < total; i++) data[i] = 1.0 + (double)(i * 7919 % 1000) / 1000;
  slots[(*count)++] = (int64_t)data;
  slots[(*count)++] = (int64_t)data;
  slots[(*count)++] = 0;
  for (int i = 0; i < rank; i++) slots[*count + i] = sizes[i];
  for (int64_t i = rank - 1, stride = 1; i >= 0; stride *= sizes[i--]) slots[*count + rank + i] = stride;
  *count += 2 * rank;
  slots[(*count)++] = 0;
}

static int read_arguments(const char *text, int64_t *slots) {
  int count = 0;
  char line[512];
  sscanf(text, "// args: %511[^\n]", line);
  for (char *word = strtok(line, " "); word; word = strtok(NULL, " ")) {
    if (*word == 'a')
      add_array(word, slots, &count);
    else if (*word == 'i')
      slots[count++] = strtoll(word + 1, NULL, 10);
    else {
      double value = strtod(word + 1, NULL);
      memcpy(&slots[count++], &value, sizeof value);
    }
  }
  return count;
}

// The least time of a call in milliseconds.
static double time_calls(const char *bytes, size_t size, const int64_t *slots) {
  pa_object *object = NULL;
  pa_status status = pa_object_load(bytes, size, &object);
  if (status) fail("object", pa_status_message(status));
  entry_function entry = (entry_function)(uintptr_t)pa_object_symbol(object, "pyarray_entry");
  int64_t results[MAX_SLOTS];
  double best = 1e9;
  if (entry(slots, results) != 0) fail("kernel", "it raised");
  for (int round = 0; round < 15; round++) {
    double start = now();
    int calls = 0;
    while (calls++ < 3 || now() - start < 0.01) entry(slots, results);
    best = least(best, (now() - start) / (calls - 1));
  }
  pa_object_unload(object);
  return 1e3 * best;
}

//===-- Compiling ---------------------------------------------------------------------------------===//

static MlirModule parse(MlirContext context, const char *text, const char *path) {
  MlirModule module = pyarrayParseModule(context, text, strlen(text), path, true);
  if (mlirModuleIsNull(module)) fail(path, "does not parse");
  return module;
}

static MlirPassManager make_lowering(MlirContext context, const char *passes) {
  MlirPassManager manager = mlirPassManagerCreate(context);
  mlirPassManagerEnableVerifier(manager, false);
  MlirOpPassManager all = mlirPassManagerGetAsOpPassManager(manager);
  if (mlirLogicalResultIsFailure(mlirOpPassManagerAddPipeline(all, mlirStringRefCreateFromCString(passes), NULL, NULL)))
    fail(passes, "is no pipeline");
  return manager;
}

static void lower(MlirPassManager manager, MlirModule module, const char *path) {
  if (mlirLogicalResultIsFailure(mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module))))
    fail(path, "could not be lowered");
}

// Times of the MLIR passes alone: with a manager for each run, and with one for all.
static void time_lowering(const settings *set, MlirContext context, const char *text, const char *path) {
  double fresh = 1e9, kept = 1e9;
  MlirPassManager keep = make_lowering(context, set->lowering);
  for (int i = 0; i < 2 * set->repeat; i++) {
    MlirModule module = parse(context, text, path);
    double start = now();
    MlirPassManager manager = i % 2 ? keep : make_lowering(context, set->lowering);
    lower(manager, module, path);
    if (i % 2)
      kept = least(kept, now() - start);
    else {
      mlirPassManagerDestroy(manager);
      fresh = least(fresh, now() - start);
    }
    mlirModuleDestroy(module);
  }
  mlirPassManagerDestroy(keep);
  printf("%-20s fresh manager %7.3f ms, kept manager %7.3f ms\n", strrchr(path, '/') ? strrchr(path, '/') + 1 : path,
         1e3 * fresh, 1e3 * kept);
}

static void compare(const settings *set, MlirContext context, const char *text, const char *path) {
  MlirModule module = parse(context, text, path);
  MlirPassManager manager = make_lowering(context, set->lowering);
  double start = now();
  lower(manager, module, path);
  double mlir = now() - start;
  mlirPassManagerDestroy(manager);
  int64_t slots[MAX_SLOTS];
  read_arguments(text, slots);
  const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  for (int p = 0; p < set->count; p++) {
    const pipeline *line = &set->pipelines[p];
    pa_codegen_timing best = {1e9, 1e9, 1e9};
    char *object = NULL;
    size_t size = 0;
    for (int i = 0; i < set->repeat; i++) {
      pa_codegen_timing timing = {0};
      pa_codegen_options options = {.opt_level = line->level, .passes = line->text, .timing = &timing, .cpu = set->cpu};
      free(object);
      pa_status status = pa_codegen_object(mlirModuleGetOperation(module), &options, &object, &size);
      if (status) fail(path, pa_status_message(status));
      best.translate = least(best.translate, timing.translate);
      best.optimize = least(best.optimize, timing.optimize);
      best.emit = least(best.emit, timing.emit);
    }
    double run = set->run ? time_calls(object, size, slots) : 0;
    printf("%-18.*s %-14s mlir %6.2f  translate %6.2f  optimize %7.2f  emit %7.2f  llvm %7.2f  size %6zu  run %9.4f\n",
           (int)strcspn(base, "."), base, line->name, 1e3 * mlir, 1e3 * best.translate, 1e3 * best.optimize,
           1e3 * best.emit, 1e3 * (best.translate + best.optimize + best.emit), size, run);
    fflush(stdout);
    free(object);
  }
  mlirModuleDestroy(module);
}

//===-- Command line ------------------------------------------------------------------------------===//

static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) fail(path, "cannot be opened");
  pa_string text = {0};
  char chunk[4096];
  for (size_t got; (got = fread(chunk, 1, sizeof chunk, file)) > 0;) pa_string_append(&text, chunk, got);
  fclose(file);
  return text.data ? text.data : strdup("");
}

static void read_pipelines(settings *set, const char *path) {
  set->count = 0;
  for (char *line = strtok(read_file(path), "\n"); line; line = strtok(NULL, "\n")) {
    pipeline *next = &set->pipelines[set->count];
    int used = 0;
    if (*line == '#' || sscanf(line, "%31s %d %n", next->name, &next->level, &used) < 2) continue;
    next->text = strcmp(line + used, "-") ? line + used : NULL;
    if (++set->count == MAX_PIPELINES) return;
  }
}

int main(int argc, char **argv) {
  pa_register_pipelines();
  const pa_named_pipeline *lowering = pa_find_pipeline("llvm");
  settings set = {.lowering = lowering ? lowering->text : NULL,
                  .repeat = 15,
                  .run = true,
                  .pipelines = {{"ours", 2, NULL}, {"O3", 3, "default<O3>"}},
                  .count = 2};
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  pyarrayRegisterDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirContextLoadAllAvailableDialects(context);
  for (int i = 1; i < argc; i++) {
    const char *option = argv[i];
    if (!strcmp(option, "--no-run"))
      set.run = false;
    else if (!strcmp(option, "--lowering-only"))
      set.lowering_only = true;
    else if (!strcmp(option, "--lowering") && i + 1 < argc)
      set.lowering = argv[++i];
    else if (!strcmp(option, "--llvm") && i + 1 < argc) {
      const char *words[] = {"compile_pipeline", argv[++i]};
      LLVMParseCommandLineOptions(2, words, NULL);
    } else if (!strcmp(option, "--cpu") && i + 1 < argc)
      set.cpu = argv[++i];
    else if (!strcmp(option, "--repeat") && i + 1 < argc)
      set.repeat = atoi(argv[++i]);
    else if (!strcmp(option, "--pipelines") && i + 1 < argc)
      read_pipelines(&set, argv[++i]);
    else {
      char *text = read_file(option);
      (set.lowering_only ? time_lowering : compare)(&set, context, text, option);
      free(text);
    }
  }
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return 0;
}
