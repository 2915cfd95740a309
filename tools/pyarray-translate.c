// pyarray-translate: a Python function, or IR of any level, to any later level, LLVM IR, assembly or an object file.
#include <stdlib.h>
#include <string.h>

#include "codegen/codegen.h"
#include "import_python.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Pass.h"
#include "pipeline/path.h"
#include "pyarray-c/Dialect.h"
#include "tool.h"

static const char tool[] = "pyarray-translate";

static const char usage[] =
    "usage: pyarray-translate [options] [file | -]\n"
    "       pyarray-translate --import-python FILE.py:FUNCTION --signature 'float64(float64[:])' [options]\n"
    "       pyarray-translate --export 'FUNCTION:SIGNATURE' [--export ...] FILE.py -o FILE [--header FILE.h] "
    "[options]\n"
    "Takes IR of any level, or a Python function, to a later level; or functions of a Python file to a library for C.\n"
    "\n"
    "  --to LEVEL          untyped, typed, optimized, linalg, target, llvm (MLIR); llvm-ir, llvm-ir-optimized, asm,\n"
    "                      object; types (of a Python function: its source with the types inferred).\n"
    "                      Default: untyped for a Python function, else llvm-ir\n"
    "  -o FILE             write there instead of standard output\n"
    "  --export F:SIG      C function F; FILE of -o ends in .o, .a, .so, .ptx or .ltoir. Default of --cpu: x86-64\n"
    "  --header FILE       of --export: the C header\n"
    "  --target NAME       cpu, cuda (asm is PTX then) or cuda-on-cpu; default: cpu. IR must have been made for it\n"
    "  --device, --lineinfo, --libdevice FILE\n"
    "                      of cuda: a device function instead of a kernel (Python only), line tables, where "
    "libdevice.10.bc is\n"
    "  --cpu NAME, --features +A,-B\n"
    "                      what to generate code for, as LLVM names it; default: this machine; of cuda: sm_75\n"
    "  --opt-level N       0 to 3 (IR only)\n"
    "  --error-model NAME  python or numpy (Python only)\n"
    "  --inline NAME       auto, always or never (Python only)\n"
    "  --fastmath, --accurate-math, --no-boundscheck\n"
    "  --debug             debug information for the source; not optimised unless --opt-level is given\n"
    "  --help\n"
    "\n"
    "The environment variable PYARRAY_PYTHON names the interpreter whose packages are seen.\n";

//===-- Options -----------------------------------------------------------------------------------===//

typedef struct translate_options {
  const char *input, *output, *level, *source, *signature, *header;
  const char **exports; // as many as there are arguments, at most
  int export_count;
  const char *target, *libdevice;
  const char *cpu, *features, *error_model, *inline_policy, *opt_level;
  bool fastmath, accurate_math, no_boundscheck, debug, device, lineinfo, help;
} translate_options;

typedef struct option_row {
  const char *name;
  size_t offset;
  bool takes_value;
} option_row;

#define VALUE(name, member) {name, offsetof(translate_options, member), true}
#define FLAG(name, member) {name, offsetof(translate_options, member), false}
static const option_row rows[] = {
    VALUE("-o", output),
    VALUE("--to", level),
    VALUE("--import-python", source),
    VALUE("--signature", signature),
    VALUE("--header", header),
    VALUE("--target", target),
    VALUE("--libdevice", libdevice),
    VALUE("--cpu", cpu),
    VALUE("--features", features),
    VALUE("--error-model", error_model),
    VALUE("--inline", inline_policy),
    VALUE("--opt-level", opt_level),
    FLAG("--fastmath", fastmath),
    FLAG("--accurate-math", accurate_math),
    FLAG("--no-boundscheck", no_boundscheck),
    FLAG("--debug", debug),
    FLAG("--device", device),
    FLAG("--lineinfo", lineinfo),
    FLAG("--help", help),
};
#undef VALUE
#undef FLAG

static const option_row *find_row(const char *argument, size_t length) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strlen(rows[i].name) == length && memcmp(rows[i].name, argument, length) == 0) return &rows[i];
  return NULL;
}

// Reads "--name", "--name=value" or "--name value" at |*index|, which is left at the last argument used.
static pa_status read_option(int count, char **arguments, int *index, translate_options *options) {
  const char *argument = arguments[*index];
  size_t length = strcspn(argument, "=");
  if (strncmp(argument, "--export", length) == 0 && length == strlen("--export")) { // may be given more than once
    if (!argument[length] && *index + 1 == count) return pa_fail(PA_CODE_INVALID, NULL, "--export needs a value");
    options->exports[options->export_count++] = argument[length] ? argument + length + 1 : arguments[++*index];
    return PA_OK;
  }
  const option_row *row = find_row(argument, length);
  if (!row) return pa_fail(PA_CODE_INVALID, NULL, "no option '%s' (see --help)", argument);
  char *member = (char *)options + row->offset;
  if (!row->takes_value) {
    if (argument[length]) return pa_fail(PA_CODE_INVALID, NULL, "%s takes no value", row->name);
    *(bool *)member = true;
  } else if (argument[length]) {
    *(const char **)member = argument + length + 1;
  } else if (*index + 1 < count) {
    *(const char **)member = arguments[++*index];
  } else {
    return pa_fail(PA_CODE_INVALID, NULL, "%s needs a value", row->name);
  }
  return PA_OK;
}

static pa_status check(const translate_options *options) {
  static const char *const levels[] = {"untyped", "typed",   "optimized",         "linalg", "target", "llvm",
                                       "types",   "llvm-ir", "llvm-ir-optimized", "asm",    "object"};
  static const char *const targets[] = {"cpu", "cuda", "cuda-on-cpu"};
  size_t target = 0;
  while (options->target && target < 3 && strcmp(targets[target], options->target)) target++;
  if (target == 3) return pa_fail(PA_CODE_INVALID, NULL, "no target '%s' (see --help)", options->target);
  if (options->export_count && (options->source || options->level || options->target))
    return pa_fail(PA_CODE_INVALID, NULL, "--export goes with none of --import-python, --to and --target");
  if (options->header && !options->export_count) return pa_fail(PA_CODE_INVALID, NULL, "--header goes with --export");
  if (options->export_count) return PA_OK;
  if (options->source && options->input)
    return pa_fail(PA_CODE_INVALID, NULL, "both a Python function and an input file");
  if (options->source && !options->signature)
    return pa_fail(PA_CODE_INVALID, NULL, "--import-python needs --signature");
  if (options->opt_level && (strlen(options->opt_level) != 1 || !strchr("0123", *options->opt_level)))
    return pa_fail(PA_CODE_INVALID, NULL, "--opt-level takes 0 to 3, not '%s'", options->opt_level);
  for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
    if (strcmp(levels[i], options->level) == 0) return PA_OK;
  return pa_fail(PA_CODE_INVALID, NULL, "no level '%s' (see --help)", options->level);
}

static pa_status read_options(pa_arena *arena, int count, char **arguments, translate_options *out_options) {
  translate_options options = {.exports = PA_NEW_ARRAY(arena, const char *, count)};
  for (int i = 1; i < count; i++) {
    if (arguments[i][0] == '-' && arguments[i][1]) {
      PA_TRY(read_option(count, arguments, &i, &options));
    } else {
      if (options.input) return pa_fail(PA_CODE_INVALID, NULL, "more than one input file: '%s'", arguments[i]);
      options.input = arguments[i];
    }
  }
  if (!options.level && !options.export_count) options.level = options.source ? "untyped" : "llvm-ir";
  PA_TRY(check(&options));
  if (!options.input && !options.export_count) options.input = "-";
  *out_options = options;
  return PA_OK;
}

//===-- From IR -----------------------------------------------------------------------------------===//

static pa_status run_passes(MlirOperation module, const pa_stage *stage, const char *passes) {
  pa_string errors = {0};
  MlirStringRef anchor = mlirIdentifierStr(mlirOperationGetName(module));
  MlirPassManager manager = mlirPassManagerCreateOnOperation(mlirOperationGetContext(module), anchor);
  MlirLogicalResult result = mlirOpPassManagerAddPipeline(mlirPassManagerGetAsOpPassManager(manager),
                                                          mlirStringRefCreateFromCString(passes), tool_append, &errors);
  if (mlirLogicalResultIsSuccess(result)) result = mlirPassManagerRunOnOp(manager, module);
  mlirPassManagerDestroy(manager);
  pa_status failure = PA_OK;
  if (mlirLogicalResultIsFailure(result))
    failure = pa_fail(PA_CODE_INVALID, NULL, "cannot reach level '%s'%s%s", stage->level, errors.length ? ": " : "",
                      pa_string_text(&errors));
  pa_string_free(&errors);
  return failure;
}

// Runs the stages up to the one that leads to |level|; all of them for what comes after MLIR.
static pa_status run_stages(pa_arena *arena, const translate_options *options, MlirOperation module,
                            const char *level) {
  if (strcmp(level, "untyped") == 0) return PA_OK;
  pa_path path = pa_path_of(arena, options->target);
  int passed = pa_path_passed(arena, &path, module);
  for (const pa_stage *stage = pa_stages(options->target); stage->level; stage++) {
    int end = pa_path_begin(&path, stage + 1);
    const char *rest = pa_path_rest(arena, &path, module, pa_path_begin(&path, stage), end);
    if (*rest) PA_TRY(run_passes(module, stage, rest));
    if (end > passed) pa_path_mark(&path, module, end);
    if (strcmp(stage->level, level) == 0) break;
  }
  return PA_OK;
}

static pa_status emit_object(MlirOperation module, const pa_codegen_options *codegen, pa_string *out) {
  char *bytes;
  size_t size;
  PA_TRY(pa_codegen_object(module, codegen, &bytes, &size));
  pa_string_append(out, bytes, size);
  free(bytes);
  return PA_OK;
}

static pa_status emit(const translate_options *options, MlirOperation module, pa_string *out) {
  pa_codegen_options codegen = PA_CODEGEN_DEFAULTS;
  codegen.cpu = options->cpu;
  codegen.features = options->features;
  codegen.fastmath = options->fastmath;
  codegen.accurate_math = options->accurate_math;
  codegen.libdevice = options->libdevice;
  if (options->debug) codegen.opt_level = PA_CODEGEN_DEBUG_LEVEL;
  if (options->opt_level) codegen.opt_level = *options->opt_level - '0';
  bool ptx = options->target && strcmp(options->target, "cuda") == 0;
  if (ptx && (strcmp(options->level, "asm") == 0 || strcmp(options->level, "object") == 0))
    return pa_codegen_ptx(module, &codegen, NULL, out);
  if (strcmp(options->level, "object") == 0) return emit_object(module, &codegen, out);
  if (strcmp(options->level, "asm") == 0) return pa_codegen_assembly(module, &codegen, out);
  if (strcmp(options->level, "llvm-ir") == 0) return pa_codegen_llvm_ir(module, &codegen, false, out);
  if (strcmp(options->level, "llvm-ir-optimized") == 0) return pa_codegen_llvm_ir(module, &codegen, true, out);
  mlirOperationPrint(module, tool_append, out);
  return PA_OK;
}

static void mark(MlirOperation module, const char *name) {
  MlirAttribute unit = mlirUnitAttrGet(mlirOperationGetContext(module));
  mlirOperationSetDiscardableAttributeByName(module, mlirStringRefCreateFromCString(name), unit);
}

static pa_status translate_module(pa_arena *arena, const translate_options *options, MlirOperation module,
                                  pa_string *out) {
  if (strcmp(options->level, "types") == 0)
    return pa_fail(PA_CODE_INVALID, NULL, "level 'types' is only for Python functions");
  tool_register_passes();
  if (options->debug) mark(module, "pyarray.debug");
  if (options->lineinfo) mark(module, "pyarray.line_tables");
  PA_TRY(run_stages(arena, options, module, options->level));
  return emit(options, module, out);
}

static bool translate_ir(pa_arena *arena, const translate_options *options, pa_string *out) {
  tool_chunk chunk;
  pa_status failure = tool_read(arena, options->input, &chunk);
  if (failure) return tool_fail(tool, failure), false;
  MlirContext context = tool_context();
  tool_diagnostics diagnostics;
  tool_diagnostics_attach(&diagnostics, context, arena, &chunk);
  MlirModule module = pyarrayParseModule(context, chunk.text, chunk.length, chunk.file, /*verify=*/true);
  bool succeeded = !mlirModuleIsNull(module);
  if (succeeded) {
    failure = translate_module(arena, options, mlirModuleGetOperation(module), out);
    mlirModuleDestroy(module);
  }
  mlirContextDestroy(context);
  if (failure) return tool_fail(tool, failure), false;
  return succeeded;
}

//===-- From Python -------------------------------------------------------------------------------===//

static bool translate_python(pa_arena *arena, const translate_options *options, pa_string *out) {
  tool_import import = {.source = options->source, .signature = options->signature, .level = options->level};
  bool gpu = options->target && strncmp(options->target, "cuda", 4) == 0;
  import.request = (pyarray_compile_request){
      .target = options->target,
      .device = options->device,
      .lineinfo = options->lineinfo,
      .libdevice = options->libdevice,
      .cpu = options->cpu,
      .features = options->features,
      .error_model = options->error_model ? options->error_model
                     : gpu                ? "numpy"
                                          : "python",
      .inline_policy = options->inline_policy ? options->inline_policy : "auto",
      .boundscheck = !options->no_boundscheck && !gpu,
      .fastmath = options->fastmath,
      .accurate_math = options->accurate_math,
      .debug = options->debug,
      .verify = true,
  };
  return tool_import_python(arena, &import, out);
}

static bool export_functions(pa_arena *arena, const translate_options *options) {
  return tool_export(arena, &(tool_exports){.functions = options->exports,
                                            .count = options->export_count,
                                            .file = options->input,
                                            .output = options->output,
                                            .header = options->header,
                                            .cpu = options->cpu,
                                            .features = options->features,
                                            .error_model = options->error_model,
                                            .inline_policy = options->inline_policy,
                                            .fastmath = options->fastmath,
                                            .accurate_math = options->accurate_math,
                                            .no_boundscheck = options->no_boundscheck,
                                            .debug = options->debug});
}

static int run(pa_arena *arena, const translate_options *options) {
  if (options->help) return fputs(usage, stdout), 0;
  if (options->export_count) return !export_functions(arena, options);
  pa_string out = {0};
  bool succeeded = options->source ? translate_python(arena, options, &out) : translate_ir(arena, options, &out);
  pa_status failure = succeeded ? tool_write(options->output, pa_string_text(&out), out.length) : PA_OK;
  pa_string_free(&out);
  if (failure) return tool_fail(tool, failure);
  return succeeded ? 0 : 1;
}

int main(int count, char **arguments) {
  pa_arena arena;
  pa_arena_init(&arena);
  translate_options options = {0};
  pa_status failure = read_options(&arena, count, arguments, &options);
  int code = failure ? tool_fail(tool, failure) : run(&arena, &options);
  pa_arena_free(&arena);
  return code;
}
