// codegen: the llvm dialect to LLVM IR, assembly, and an object that the loader takes and that runs.
#include "codegen/codegen.h"

#include <elf.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "mlir-c/IR.h"
#include "pyarray-c/Dialect.h"
#include "runtime/load/object_loader.h"

// results[0] = args[0] * 2 + 1
static const char affine[] = "llvm.func @pyarray_entry(%args: !llvm.ptr, %results: !llvm.ptr) -> i32 {\n"
                             "  %ok = llvm.mlir.constant(0 : i32) : i32\n"
                             "  %one = llvm.mlir.constant(1.0 : f64) : f64\n"
                             "  %x = llvm.load %args : !llvm.ptr -> f64\n"
                             "  %double = llvm.fadd %x, %x : f64\n"
                             "  %y = llvm.fadd %double, %one : f64\n"
                             "  llvm.store %y, %results : f64, !llvm.ptr\n"
                             "  llvm.return %ok : i32\n"
                             "}\n";

// results[0] = fib(args[0]), by a function that calls itself and a helper that is inlined.
static const char fibonacci[] =
    "llvm.func internal @less(%n: i64) -> i1 attributes {no_unwind} {\n"
    "  %two = llvm.mlir.constant(2 : i64) : i64\n"
    "  %c = llvm.icmp \"slt\" %n, %two : i64\n"
    "  llvm.return %c : i1\n"
    "}\n"
    "llvm.func internal @fib(%n: i64) -> i64 attributes {no_unwind} {\n"
    "  %c = llvm.call @less(%n) : (i64) -> i1\n"
    "  llvm.cond_br %c, ^small, ^large\n"
    "^small:\n"
    "  llvm.return %n : i64\n"
    "^large:\n"
    "  %one = llvm.mlir.constant(1 : i64) : i64\n"
    "  %two = llvm.mlir.constant(2 : i64) : i64\n"
    "  %a = llvm.sub %n, %one : i64\n"
    "  %b = llvm.sub %n, %two : i64\n"
    "  %x = llvm.call @fib(%a) : (i64) -> i64\n"
    "  %y = llvm.call @fib(%b) : (i64) -> i64\n"
    "  %z = llvm.add %x, %y : i64\n"
    "  llvm.return %z : i64\n"
    "}\n"
    "llvm.func @pyarray_entry(%args: !llvm.ptr, %results: !llvm.ptr) -> i32 attributes {no_unwind} {\n"
    "  %ok = llvm.mlir.constant(0 : i32) : i32\n"
    "  %n = llvm.load %args : !llvm.ptr -> i64\n"
    "  %r = llvm.call @fib(%n) : (i64) -> i64\n"
    "  llvm.store %r, %results : i64, !llvm.ptr\n"
    "  llvm.return %ok : i32\n"
    "}\n";

// for i in range(args[1]): args[0][i] = 2 * args[0][i]; the slot at byte 8 is an extent.
static const char loop[] = "llvm.func @pyarray_entry(%args: !llvm.ptr, %results: !llvm.ptr) -> i32 attributes "
                           "{pyarray.extents = array<i32: 8>} {\n"
                           "  %ok = llvm.mlir.constant(0 : i32) : i32\n"
                           "  %zero = llvm.mlir.constant(0 : i64) : i64\n"
                           "  %one = llvm.mlir.constant(1 : i64) : i64\n"
                           "  %data = llvm.load %args : !llvm.ptr -> !llvm.ptr\n"
                           "  %at = llvm.getelementptr %args[8] : (!llvm.ptr) -> !llvm.ptr, i8\n"
                           "  %n = llvm.load %at : !llvm.ptr -> i64\n"
                           "  llvm.br ^head(%zero : i64)\n"
                           "^head(%i: i64):\n"
                           "  %more = llvm.icmp \"slt\" %i, %n : i64\n"
                           "  llvm.cond_br %more, ^body, ^end\n"
                           "^body:\n"
                           "  %p = llvm.getelementptr %data[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f64\n"
                           "  %x = llvm.load %p : !llvm.ptr -> f64\n"
                           "  %y = llvm.fadd %x, %x : f64\n"
                           "  llvm.store %y, %p : f64, !llvm.ptr\n"
                           "  %next = llvm.add %i, %one : i64\n"
                           "  llvm.br ^head(%next : i64)\n"
                           "^end:\n"
                           "  llvm.return %ok : i32\n"
                           "}\n";

typedef int32_t (*entry_function)(const void *args, void *results);

typedef struct input {
  MlirContext context;
  MlirModule module;
} input;

static input open_module(const char *text) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  pyarrayRegisterDialects(registry);
  input in = {.context = mlirContextCreateWithRegistry(registry, false)};
  mlirContextLoadAllAvailableDialects(in.context);
  mlirDialectRegistryDestroy(registry);
  in.module = pyarrayParseModule(in.context, text, strlen(text), "test.mlir", true);
  CHECK(!mlirModuleIsNull(in.module));
  return in;
}

static void close_module(input in) {
  mlirModuleDestroy(in.module);
  mlirContextDestroy(in.context);
}

static pa_object *compile(const char *text, pa_codegen_options options) {
  input in = open_module(text);
  char *bytes = NULL;
  size_t size = 0;
  pa_status status = pa_codegen_object(mlirModuleGetOperation(in.module), &options, &bytes, &size);
  pa_object *object = NULL;
  if (!status) status = pa_object_load(bytes, size, &object);
  if (status) fprintf(stderr, "%s\n", pa_status_message(status));
  CHECK(!status);
  pa_status_free(status);
  free(bytes);
  close_module(in);
  return object;
}

static entry_function entry_of(const pa_object *object) {
  return (entry_function)(uintptr_t)pa_object_symbol(object, "pyarray_entry");
}

static void test_elf(void) {
  input in = open_module(affine);
  pa_codegen_options options = PA_CODEGEN_DEFAULTS;
  char *bytes = NULL;
  size_t size = 0;
  CHECK(!pa_codegen_object(mlirModuleGetOperation(in.module), &options, &bytes, &size));
  CHECK(size > sizeof(Elf64_Ehdr) && memcmp(bytes, ELFMAG, SELFMAG) == 0);
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)bytes;
  CHECK(header->e_type == ET_REL && header->e_machine == EM_X86_64);
  free(bytes);
  close_module(in);
}

static void test_levels_run(void) {
  for (int level = 0; level <= 3; level++) {
    pa_object *object = compile(affine, (pa_codegen_options){.opt_level = level});
    double x = 20.5, y = 0;
    CHECK(entry_of(object)(&x, &y) == 0 && y == 42);
    pa_object_unload(object);
    object = compile(fibonacci, (pa_codegen_options){.opt_level = level});
    int64_t n = 20, result = 0;
    CHECK(entry_of(object)(&n, &result) == 0 && result == 6765);
    pa_object_unload(object);
    object = compile(loop, (pa_codegen_options){.opt_level = level});
    double data[37];
    for (int i = 0; i < 37; i++) data[i] = i;
    int64_t args[] = {(int64_t)(uintptr_t)data, 36};
    CHECK(entry_of(object)(args, NULL) == 0 && data[0] == 0 && data[35] == 70 && data[36] == 36);
    pa_object_unload(object);
  }
}

static pa_string assembly(const char *text, pa_codegen_options options) {
  input in = open_module(text);
  pa_string out = {0};
  CHECK(!pa_codegen_assembly(mlirModuleGetOperation(in.module), &options, &out));
  close_module(in);
  return out;
}

static pa_string llvm_ir(const char *text, pa_codegen_options options, bool optimized) {
  input in = open_module(text);
  pa_string out = {0};
  CHECK(!pa_codegen_llvm_ir(mlirModuleGetOperation(in.module), &options, optimized, &out));
  close_module(in);
  return out;
}

static bool has(const pa_string *string, const char *part) { return strstr(pa_string_text(string), part) != NULL; }

static void test_vectors(void) {
  pa_string text = assembly(loop, (pa_codegen_options){.opt_level = 2, .cpu = "x86-64-v3"});
  CHECK(has(&text, "pyarray_entry:") && has(&text, "%ymm0"));
  CHECK(!has(&text, ".cfi_")); // nothing unwinds
  pa_string_free(&text);
  text = assembly(loop, (pa_codegen_options){.opt_level = 2, .cpu = "x86-64"});
  CHECK(!has(&text, "%ymm0"));
  pa_string_free(&text);
}

static void test_llvm_ir(void) {
  pa_string text = llvm_ir(fibonacci, PA_CODEGEN_DEFAULTS, false);
  CHECK(has(&text, "call i1 @less") && has(&text, "x86_64-unknown-linux-gnu"));
  pa_string_free(&text);
  text = llvm_ir(fibonacci, PA_CODEGEN_DEFAULTS, true);
  CHECK(!has(&text, "@less"));
  pa_string_free(&text);
  text = llvm_ir(loop, PA_CODEGEN_DEFAULTS, false);
  CHECK(has(&text, "!range"));
  pa_string_free(&text);
}

static void test_fast_math(void) {
  pa_string text = llvm_ir(affine, (pa_codegen_options){.fastmath = true}, false);
  CHECK(has(&text, "fadd fast double"));
  pa_string_free(&text);
  text = llvm_ir(affine, PA_CODEGEN_DEFAULTS, false);
  CHECK(!has(&text, "fast"));
  pa_string_free(&text);
}

static void test_unknown_pass(void) {
  input in = open_module(affine);
  pa_codegen_options options = {.passes = "no-such-pass"};
  char *bytes = NULL;
  size_t size = 0;
  pa_status status = pa_codegen_object(mlirModuleGetOperation(in.module), &options, &bytes, &size);
  CHECK(status && pa_status_code(status) == PA_CODE_INVALID && strstr(pa_status_message(status), "no-such-pass"));
  CHECK(!bytes);
  pa_status_free(status);
  close_module(in);
}

static void *compile_often(void *unused) {
  for (int i = 0; i < 5; i++) {
    pa_object *object = compile(loop, PA_CODEGEN_DEFAULTS);
    CHECK(entry_of(object) != NULL);
    pa_object_unload(object);
  }
  return unused;
}

static void test_threads(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) CHECK(!pthread_create(&threads[i], NULL, compile_often, NULL));
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
}

static void test_host(void) {
  CHECK(strcmp(pa_codegen_host_cpu(), "x86-64-v2") == 0);
  CHECK(strcmp(pa_codegen_host_features(), "+popcnt") == 0);
}

int main(void) {
  setenv("PYARRAY_CPU_NAME", "x86-64-v2", 1);
  setenv("PYARRAY_CPU_FEATURES", "+popcnt", 1);
  test_host();
  test_elf();
  test_levels_run();
  test_vectors();
  test_llvm_ir();
  test_fast_math();
  test_unknown_pass();
  test_threads();
  return CHECK_RESULT();
}
