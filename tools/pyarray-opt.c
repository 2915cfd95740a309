// pyarray-opt: reads IR of any level, runs passes over it, writes what comes out.
#include <stdlib.h>
#include <string.h>

#include "mlir-c/Pass.h"
#include "passes/passes.h"
#include "pipeline/path.h"
#include "pyarray-c/Dialect.h"
#include "pyarray-c/Drivers.h"
#include "pyarray-c/Passes.h"
#include "tool.h"

static const char tool[] = "pyarray-opt";

static const char usage[] =
    "usage: pyarray-opt [options] [file | -]\n"
    "Runs passes over the IR of a file or of standard input.\n"
    "\n"
    "What to run, in the order given:\n"
    "  --pass-pipeline='builtin.module(...)'  a textual pipeline: passes of pyarray and MLIR, with options\n"
    "  --pyarray-pipeline=NAME                a pipeline of the compiler (see --list-pipelines)\n"
    "  --PASS, --PASS='option=value ...'      one pass (see --list-passes)\n"
    "\n"
    "Input and output:\n"
    "  -o FILE                          write there instead of standard output\n"
    "  --split-input-file               treat parts between lines '// -----' as files of their own\n"
    "  --verify-diagnostics             compare diagnostics with comments 'expected-error@+1 {{text}}'\n"
    "  --allow-unregistered-dialect     accept operations of unknown dialects\n"
    "  --emit-bytecode                  write MLIR bytecode instead of text\n"
    "  --no-verify                      do not verify the input\n"
    "  --verify-each=false              do not verify after each pass\n"
    "  (PYARRAY_VERIFY=1 in the environment: check the contract of each level, too)\n"
    "\n"
    "Printing:\n"
    "  --mlir-print-debuginfo           print locations\n"
    "  --mlir-print-op-generic          print the generic form of every operation\n"
    "  --mlir-print-local-scope         print types and attributes without aliases\n"
    "  --mlir-print-ir-before-all       print the IR before each pass, to standard error\n"
    "  --mlir-print-ir-after-all        print it after each pass\n"
    "  --mlir-print-ir-after-change     print it after each pass that changed it\n"
    "  --mlir-print-ir-after-failure    print it after a pass that failed\n"
    "  --mlir-print-ir-module-scope     print the whole module even for passes on functions\n"
    "  --mlir-print-ir-tree-dir=DIR     print into files below a folder\n"
    "  --mlir-timing                    print the time that each pass took\n"
    "  --dump-pass-pipeline             print the pipeline before running it\n"
    "\n"
    "Options of mlir-opt's own are taken by its driver, as that has them: --mlir-pass-statistics, "
    "--mlir-print-ir-after=PASS,\n"
    "--mlir-pass-pipeline-crash-reproducer=FILE, --run-reproducer, --verify-roundtrip, --show-dialects, "
    "--load-pass-plugin,\n"
    "--load-dialect-plugin, --transform-interpreter, --remarks-filter, --debug-only, --mlir-help and so on.\n"
    "\n"
    "  --list-passes, --list-pipelines, --pass-reference (Markdown), --version, --help\n";

//===-- Options -----------------------------------------------------------------------------------===//

typedef struct opt_options {
  const char *input, *output;
  const char *pipeline;           // of --pass-pipeline
  const char **elements;          // of the other flags: textual pipeline elements
  const pa_named_pipeline *named; // the last one of them, if it is a pipeline of the compiler
  size_t element_count, element_capacity;
  const char *tree_folder;
  bool split, verify_diagnostics, allow_unregistered, bytecode, no_verify, verify_each;
  bool debug_info, generic, local_scope;
  bool print_before, print_after, print_change, print_failure, module_scope;
  bool timing, dump_pipeline;
  bool list_passes, list_pipelines, pass_reference, version, help;
} opt_options;

typedef struct flag {
  const char *name;
  size_t offset; // of the bool in opt_options
} flag;

#define FLAG(name, member) {name, offsetof(opt_options, member)}
static const flag flags[] = {
    FLAG("split-input-file", split),
    FLAG("verify-diagnostics", verify_diagnostics),
    FLAG("allow-unregistered-dialect", allow_unregistered),
    FLAG("emit-bytecode", bytecode),
    FLAG("no-verify", no_verify),
    FLAG("verify-each", verify_each),
    FLAG("mlir-print-debuginfo", debug_info),
    FLAG("mlir-print-op-generic", generic),
    FLAG("mlir-print-local-scope", local_scope),
    FLAG("mlir-print-ir-before-all", print_before),
    FLAG("mlir-print-ir-after-all", print_after),
    FLAG("mlir-print-ir-after-change", print_change),
    FLAG("mlir-print-ir-after-failure", print_failure),
    FLAG("mlir-print-ir-module-scope", module_scope),
    FLAG("mlir-timing", timing),
    FLAG("dump-pass-pipeline", dump_pipeline),
    FLAG("list-passes", list_passes),
    FLAG("list-pipelines", list_pipelines),
    FLAG("pass-reference", pass_reference),
    FLAG("version", version),
    FLAG("help", help),
};
#undef FLAG

static const flag *find_flag(const char *name, size_t length) {
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (strlen(flags[i].name) == length && memcmp(flags[i].name, name, length) == 0) return &flags[i];
  return NULL;
}

static pa_status set_flag(opt_options *options, const flag *flag, const char *value) {
  bool on = !value || strcmp(value, "true") == 0 || strcmp(value, "1") == 0;
  if (!on && strcmp(value, "false") && strcmp(value, "0"))
    return pa_fail(PA_CODE_INVALID, NULL, "--%s takes true or false, not '%s'", flag->name, value);
  *(bool *)((char *)options + flag->offset) = on;
  return PA_OK;
}

static void add_element(pa_arena *arena, opt_options *options, const char *element) {
  options->elements = pa_arena_grow(arena, options->elements, options->element_count, &options->element_capacity,
                                    sizeof *options->elements);
  options->elements[options->element_count++] = element;
}

// With the checks of levels around it, where those are asked for: the IR of a single pass holds the contract of its
// stage.
static void add_pass_element(pa_arena *arena, opt_options *options, const char *name, const char *value) {
  const char *before = NULL, *behind = NULL;
  if (pa_checks_levels() && strncmp(name, "pyarray-check-", 14) != 0) pa_checks_around(arena, name, &before, &behind);
  if (before && !options->element_count) add_element(arena, options, before);
  add_element(arena, options, value ? pa_arena_format(arena, "%s{%s}", name, value) : name);
  if (behind) add_element(arena, options, behind);
}

static pa_status add_named_pipeline(pa_arena *arena, opt_options *options, const char *name) {
  const pa_named_pipeline *pipeline = pa_find_pipeline(name);
  if (!pipeline) return pa_fail(PA_CODE_INVALID, NULL, "no pipeline '%s' (see --list-pipelines)", name);
  add_element(arena, options, pipeline->text);
  options->named = pipeline;
  return PA_OK;
}

// |argument| without its dashes: "name" or "name=value".
static pa_status read_long_option(pa_arena *arena, opt_options *options, const char *argument) {
  size_t length = strcspn(argument, "=");
  const char *value = argument[length] ? argument + length + 1 : NULL;
  const char *name = pa_arena_copy(arena, argument, length);
  const flag *flag = find_flag(name, length);
  if (flag) return set_flag(options, flag, value);
  if (strcmp(name, "pass-pipeline") == 0 && value) return options->pipeline = value, PA_OK;
  if (strcmp(name, "mlir-print-ir-tree-dir") == 0 && value) return options->tree_folder = value, PA_OK;
  if (strcmp(name, "pyarray-pipeline") == 0 && value) return add_named_pipeline(arena, options, value);
  add_pass_element(arena, options, name, value);
  return PA_OK;
}

static pa_status read_options(pa_arena *arena, int count, char **arguments, opt_options *out_options) {
  opt_options options = {.verify_each = true};
  for (int i = 1; i < count; i++) {
    const char *argument = arguments[i];
    if (*argument != '-' || !argument[1]) {
      if (options.input) return pa_fail(PA_CODE_INVALID, NULL, "more than one input file: '%s'", argument);
      options.input = argument;
    } else if (strcmp(argument, "-o") == 0) {
      if (++i == count) return pa_fail(PA_CODE_INVALID, NULL, "-o needs a file name");
      options.output = arguments[i];
    } else {
      PA_TRY(read_long_option(arena, &options, argument + strspn(argument, "-")));
    }
  }
  if (options.pipeline && options.element_count)
    return pa_fail(PA_CODE_INVALID, NULL, "--pass-pipeline cannot be mixed with other passes ('%s')",
                   options.elements[0]);
  if (!options.input) options.input = "-";
  *out_options = options;
  return PA_OK;
}

//===-- Pipeline ----------------------------------------------------------------------------------===//

static pa_status bad_pass(const char *element, const char *reason) {
  if (strstr(reason, "does not refer to a registered pass"))
    return pa_fail(PA_CODE_INVALID, NULL, "no option or pass '--%s' (see --help, --list-passes)", element);
  return pa_fail(PA_CODE_INVALID, NULL, "cannot run pass '%s': %s", element, reason);
}

// A pass on functions given as a flag is nested: "--affine-loop-tile" means func.func(affine-loop-tile).
static pa_status add_pass(pa_arena *arena, MlirOpPassManager manager, const char *element) {
  pa_string first = {0}, second = {0};
  MlirStringRef text = mlirStringRefCreateFromCString(element);
  bool added = mlirLogicalResultIsSuccess(mlirOpPassManagerAddPipeline(manager, text, tool_append, &first));
  if (!added && first.data && strstr(first.data, "restricted to 'func.func'")) {
    text = mlirStringRefCreateFromCString(pa_arena_format(arena, "func.func(%s)", element));
    added = mlirLogicalResultIsSuccess(mlirOpPassManagerAddPipeline(manager, text, tool_append, &second));
  }
  pa_status failure = added ? PA_OK : bad_pass(element, pa_string_text(second.data ? &second : &first));
  pa_string_free(&first);
  pa_string_free(&second);
  return failure;
}

static pa_status add_passes(pa_arena *arena, const opt_options *options, MlirOpPassManager manager) {
  for (size_t i = 0; i < options->element_count; i++) PA_TRY(add_pass(arena, manager, options->elements[i]));
  if (!options->pipeline) return PA_OK;
  pa_string errors = {0};
  MlirStringRef text = mlirStringRefCreateFromCString(options->pipeline);
  bool parsed = mlirLogicalResultIsSuccess(mlirParsePassPipeline(manager, text, tool_append, &errors));
  pa_status failure = parsed ? PA_OK : pa_fail(PA_CODE_INVALID, NULL, "bad pass pipeline: %s", pa_string_text(&errors));
  pa_string_free(&errors);
  return failure;
}

static void print_part(MlirStringRef part, void *stream) { fwrite(part.data, 1, part.length, stream); }

static MlirOpPrintingFlags printing_flags(const opt_options *options) {
  MlirOpPrintingFlags printing = mlirOpPrintingFlagsCreate();
  if (options->debug_info) mlirOpPrintingFlagsEnableDebugInfo(printing, true, /*prettyForm=*/false);
  if (options->generic) mlirOpPrintingFlagsPrintGenericOpForm(printing);
  if (options->local_scope) mlirOpPrintingFlagsUseLocalScope(printing);
  return printing;
}

static void set_instrumentation(const opt_options *o, MlirPassManager manager, MlirOpPrintingFlags printing) {
  mlirPassManagerEnableVerifier(manager, o->verify_each);
  if (o->timing) mlirPassManagerEnableTiming(manager);
  bool after = o->print_after || o->print_change || o->print_failure;
  if (!o->print_before && !after) return;
  MlirStringRef folder = o->tree_folder ? mlirStringRefCreateFromCString(o->tree_folder) : mlirStringRefCreate(NULL, 0);
  mlirPassManagerEnableIRPrinting(manager, o->print_before, after, o->module_scope, o->print_change, o->print_failure,
                                  printing, folder);
}

//===-- How far the module is ---------------------------------------------------------------------===//

// Of a pipeline of the compiler: passes that the module has been through are left out, and it says after each how far
// it is (pipeline/path.h).
typedef struct progress {
  pa_path path;
  int passed;
} progress;

static void note_pass(const char *name, MlirOperation op, void *data) {
  progress *p = data;
  int passed = mlirOperationIsNull(mlirOperationGetParentOperation(op)) ? pa_path_find(&p->path, name, p->passed) : -1;
  if (passed > 0) pa_path_mark(&p->path, op, p->passed = passed);
}

static const char *rest_of(pa_arena *arena, const pa_named_pipeline *named, MlirOperation module, progress *p) {
  const pa_stage *stage = pa_stages(named->target);
  p->path = pa_path_of(arena, named->target);
  while (named->level && strcmp(stage->level, named->level) != 0) ++stage;
  p->passed = named->level ? pa_path_begin(&p->path, stage) : 0;
  int end = named->level ? pa_path_begin(&p->path, stage + 1) : p->path.count, from = p->passed,
      before = pa_path_passed(arena, &p->path, module);
  if (before > from) p->passed = before;
  return pa_path_rest(arena, &p->path, module, from, end);
}

// Reports a malformed pipeline on standard error.
static bool run_passes(pa_arena *arena, const opt_options *options, MlirOperation module,
                       MlirOpPrintingFlags printing) {
  MlirStringRef anchor = mlirIdentifierStr(mlirOperationGetName(module));
  MlirPassManager manager = mlirPassManagerCreateOnOperation(mlirOperationGetContext(module), anchor);
  MlirOpPassManager nested = mlirPassManagerGetAsOpPassManager(manager);
  bool named = options->named && options->element_count == 1;
  progress progress = {.passed = 0};
  const char *rest = named ? rest_of(arena, options->named, module, &progress) : "";
  pa_status failure = named ? *rest ? add_pass(arena, nested, rest) : PA_OK : add_passes(arena, options, nested);
  bool succeeded = !failure;
  if (succeeded) {
    set_instrumentation(options, manager, printing);
    if (named) pyarrayNotePasses(manager, note_pass, &progress); // before what was set prints
    if (options->dump_pipeline) {
      mlirPrintPassPipeline(nested, print_part, stderr);
      fputc('\n', stderr);
    }
    succeeded = mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, module));
  } else {
    tool_fail(tool, failure);
  }
  mlirPassManagerDestroy(manager);
  return succeeded;
}

//===-- Processing --------------------------------------------------------------------------------===//

static void print_module(const opt_options *options, MlirOperation module, MlirOpPrintingFlags printing,
                         pa_string *output) {
  if (options->bytecode) {
    mlirOperationWriteBytecode(module, tool_append, output);
  } else {
    mlirOperationPrintWithFlags(module, printing, tool_append, output);
  }
}

static bool process_module(pa_arena *arena, const opt_options *options, MlirModule module, pa_string *output) {
  MlirOperation op = mlirModuleGetOperation(module);
  MlirOpPrintingFlags printing = printing_flags(options);
  bool succeeded = run_passes(arena, options, op, printing);
  if (succeeded) print_module(options, op, printing, output);
  mlirOpPrintingFlagsDestroy(printing);
  mlirModuleDestroy(module);
  return succeeded;
}

// With --verify-diagnostics success means that the diagnostics are those expected, errors or not.
static bool process_chunk(pa_arena *arena, const opt_options *options, const tool_chunk *chunk, pa_string *output) {
  MlirContext context = tool_context(options->allow_unregistered);
  tool_diagnostics diagnostics;
  tool_diagnostics_attach(&diagnostics, context, arena, chunk, options->verify_diagnostics);
  MlirModule module = pyarrayParseModule(context, chunk->text, chunk->length, chunk->file, !options->no_verify);
  bool succeeded = !mlirModuleIsNull(module) && process_module(arena, options, module, output);
  bool matched = tool_diagnostics_finish(&diagnostics);
  mlirContextDestroy(context);
  return options->verify_diagnostics ? matched : succeeded;
}

static bool process_chunks(pa_arena *arena, const opt_options *options, const tool_chunk *whole, pa_string *output) {
  size_t count = 1;
  const tool_chunk *chunks = options->split ? tool_split(arena, whole, &count) : whole;
  bool succeeded = true;
  for (size_t i = 0; i < count; i++) {
    if (i) pa_string_puts(output, "// -----\n");
    succeeded = process_chunk(arena, options, &chunks[i], output) && succeeded;
  }
  return succeeded;
}

static int process_file(pa_arena *arena, const opt_options *options) {
  tool_chunk whole;
  pa_status failure = tool_read(arena, options->input, &whole);
  if (failure) return tool_fail(tool, failure);
  pa_string output = {0};
  bool succeeded = process_chunks(arena, options, &whole, &output);
  if (succeeded || options->split) failure = tool_write(options->output, pa_string_text(&output), output.length);
  pa_string_free(&output);
  if (failure) return tool_fail(tool, failure);
  return succeeded ? 0 : 1;
}

//===-- Lists -------------------------------------------------------------------------------------===//

static int list_pipelines(void) {
  for (const pa_named_pipeline *pipeline = pa_pipelines(); pipeline->name; pipeline++)
    printf("%s - %s\n  %s\n", pipeline->name, pipeline->summary, pipeline->text);
  return 0;
}

static void print_pass_reference(const pa_pass_row *row) {
  const pa_pass *pass = row->pass;
  printf("\n## `%s`\n\n%s (`%s`).\n", pass->argument, pass->summary, row->file);
  if (!pass->options || !pass->options->name) return;
  puts("\n| option | default | meaning |\n|---|---|---|");
  for (const pa_pass_option *option = pass->options; option->name; option++)
    printf("| `%s` | `%s` | %s |\n", option->name, option->otherwise, option->help);
}

// One pass a line: the commas outside braces end lines.
static void print_pipeline(const char *text) {
  int depth = 0;
  for (; *text; text++) {
    depth += (*text == '{') - (*text == '}');
    putchar(*text);
    if (*text == ',' && depth == 0) putchar('\n');
  }
}

// docs/passes.md.
static int print_reference(void) {
  puts(
      "# Passes\n\nGenerated by `make docs` from lib/passes/passes.def and lib/pipeline/stages.def, in pipeline order. "
      "Every pass works on\n`builtin.module`; what a pass does to the IR is shown at the head of its file in "
      "`lib/passes`.");
  for (const pa_pass_row *row = pa_passes; row->pass; row++) print_pass_reference(row);
  puts("\n# Pipelines\n\n`pyarray-opt --pyarray-pipeline=<name>`");
  for (const pa_named_pipeline *pipeline = pa_pipelines(); pipeline->name; pipeline++) {
    printf("\n## `%s`\n\n%s.\n\n```\n", pipeline->name, pipeline->summary);
    print_pipeline(pipeline->text);
    puts("\n```");
  }
  return 0;
}

static int run(pa_arena *arena, const opt_options *options) {
  if (options->help) return fputs(usage, stdout), 0;
  if (options->version) return puts("pyarray-opt " PYARRAY_VERSION " (LLVM " PYARRAY_LLVM_VERSION ")"), 0;
  if (options->list_pipelines) return list_pipelines();
  if (options->pass_reference) return print_reference();
  tool_register_passes();
  if (options->list_passes) return pyarrayPrintRegisteredPasses(), 0;
  return process_file(arena, options);
}

//===-- MLIR's own driver -------------------------------------------------------------------------===//

// What only mlir-opt has. Where one of these is given, it reads all options: --pyarray-pipeline=cpu is the pass
// pipeline
// --pyarray-cpu there, and IR that is on its way begins at its beginning.
static const char *const of_driver[] = {
    "mlir-pass-statistics",
    "mlir-pass-statistics-display",
    "mlir-print-ir-after",
    "mlir-print-ir-before",
    "mlir-pass-pipeline-crash-reproducer",
    "mlir-pass-pipeline-local-reproducer",
    "mlir-generate-reproducer",
    "run-reproducer",
    "verify-roundtrip",
    "show-dialects",
    "load-pass-plugin",
    "load-dialect-plugin",
    "transform-interpreter",
    "transform-preload-library",
    "transform-dialect-check-uses",
    "transform-infer-effects",
    "debug",
    "debug-only",
    "mlir-debug-counter",
    "mlir-print-debug-counter",
    "log-actions-to",
    "profile-actions-to",
    "log-mlir-actions-filter",
    "mlir-enable-debugger-hook",
    "remark-format",
    "remark-policy",
    "remarks-filter",
    "remarks-filter-passed",
    "remarks-filter-missed",
    "remarks-filter-failed",
    "remarks-filter-analyse",
    "remarks-output-file",
    "emit-bytecode-version",
    "emit-bytecode-producer",
    "irdl-file",
    "mlir-disable-threading",
    "mlir-timing-display",
    "mlir-output-format",
    "mlir-print-op-on-diagnostic",
    "mlir-print-stacktrace-on-diagnostic",
    "mlir-print-value-users",
    "mlir-print-unique-ssa-ids",
    "mlir-use-nameloc-as-prefix",
    "mlir-elide-elementsattrs-if-larger",
    "mlir-elide-resource-strings-if-larger",
    "mlir-print-elementsattrs-with-hex-if-larger",
    "mlir-very-unsafe-disable-verifier-on-parsing",
    "no-implicit-module",
    "output-split-marker",
};

static bool is_of_driver(const char *argument) {
  if (*argument != '-') return false;
  argument += strspn(argument, "-");
  size_t length = strcspn(argument, "=");
  for (size_t i = 0; i < sizeof of_driver / sizeof *of_driver; ++i)
    if (strlen(of_driver[i]) == length && strncmp(of_driver[i], argument, length) == 0) return true;
  return false;
}

static bool goes_to_driver(int count, char **arguments) {
  for (int i = 1; i < count; ++i)
    if (is_of_driver(arguments[i]) || strcmp(arguments[i], "--mlir-help") == 0) return true;
  return false;
}

static int run_driver(pa_arena *arena, int count, char **arguments) {
  static const char pipeline[] = "--pyarray-pipeline=";
  char **given = PA_NEW_ARRAY(arena, char *, count + 1);
  for (int i = 0; i < count; ++i) {
    given[i] = arguments[i];
    if (strncmp(arguments[i], pipeline, sizeof pipeline - 1) == 0) {
      const pa_named_pipeline *named = pa_find_pipeline(arguments[i] + sizeof pipeline - 1);
      if (named) given[i] = (char *)pa_arena_format(arena, "--%s", named->argument);
    } else if (strcmp(arguments[i], "--mlir-help") == 0) {
      given[i] = "--help";
    }
  }
  given[count] = NULL;
  tool_register_passes();
  return pyarrayOptMain(count, given);
}

int main(int count, char **arguments) {
  pa_arena arena;
  pa_arena_init(&arena);
  opt_options options = {0};
  int code;
  if (goes_to_driver(count, arguments)) {
    code = run_driver(&arena, count, arguments);
  } else {
    pa_status failure = read_options(&arena, count, arguments, &options);
    code = failure ? tool_fail(tool, failure) : run(&arena, &options);
  }
  pa_arena_free(&arena);
  return code;
}
