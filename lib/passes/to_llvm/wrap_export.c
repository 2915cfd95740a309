// pyarray-wrap-export: a function that is called by name, from C or by an extension module.
//
// In:  a module of the llvm dialect with pyarray_entry, and what a request has said of it (pyarray-c/Core.h):
//
//   module attributes {pyarray.export = {name = "mean", form = "c", code = "[C1d>d", parameters = "a"}}
//
// Out: pyarray_entry is internal, and of the form "c" there is a function of the C calling convention. It gives 0, or
//      the code of an error; a pointer for each result comes behind the parameters (docs/ahead-of-time.md):
//
//   llvm.func @mean(%p0: !llvm.ptr, %r0: !llvm.ptr) -> i32 {
//     %c = llvm.call @pyarray_rt_export_array(%p0, slots, owner, "C1:3:a")        and return %c where it is not 0
//     %s = llvm.call @pyarray_entry(slots, results)            else store the result, or
//     %e = llvm.call @pyarray_rt_export_failed(the raise sites, their size)
//   }
//
//      Of the form "python" there is a record in the section pyarray_exports, which python/aot reads: names, type
//      code, raise sites, entry. Where it names a module, @PyInit_<name> makes it of all records.
//
// What it needs of the interpreter is refused with its name.
#include <string.h>

#include "export_text.h"
#include "mlir-c/Dialect/LLVM.h"
#include "pass.h"
#include "runtime/linear/numpy_loops.h"
#include "support/type_code.h"

//===-- What needs Python -------------------------------------------------------------------------===//

typedef struct needs_python {
  const char *prefix; // of what is called
  const char *what;
  bool in_modules; // an extension module has it not either
} needs_python;

static const needs_python of_python[] = {
    {"pyarray_rt_call_block", "a block of objmode(), which the interpreter runs", true},
    {"pyarray_rt_has_exception_parts", "the text or the arguments of an exception, which the interpreter makes", false},
    {"pyarray_rt_exception_part", "the text or the arguments of an exception, which the interpreter makes", false},
    {"pyarray_rt_handled_outside", "the exception that the interpreter handles", false},
    {"pyarray_rt_call_function", "a call of a FunctionType's value", true},
    {"random_", "a function of numpy.random.Generator", true},
};

// Loops of NumPy's that the runtime has none of its own for.
static const char *numpy_loop(int64_t key) {
  static const struct {
    const char *name, *types;
  } loops[] = {
#define PA_NUMPY_LOOP(name, module, ufunc, types) {ufunc, types},
#include "runtime/linear/numpy_loops.def"
#undef PA_NUMPY_LOOP
  };
  for (size_t i = 0; i < sizeof loops / sizeof *loops; ++i)
    if (pa_numpy_loop_key(loops[i].name, loops[i].types) == key) return loops[i].name;
  return NULL;
}

static const char *loop_called(pa_export *x, MlirOperation call) {
  MlirAttribute key = {NULL};
  MlirValue first = mlirOperationGetOperand(call, 0);
  if (mlirValueIsAOpResult(first)) key = pa_get_attr(mlirOpResultGetOwner(first), "value");
  const char *name = NULL;
  if (!mlirAttributeIsNull(key) && mlirAttributeIsAInteger(key)) name = numpy_loop(mlirIntegerAttrGetValueInt(key));
  return name ? pa_arena_format(x->arena, "NumPy's loop '%s', which comes with the interpreter", name) : NULL;
}

static MlirWalkResult look_at(MlirOperation op, void *data) {
  pa_export *x = data;
  MlirAttribute callee = pa_get_attr(op, "callee");
  if (mlirAttributeIsNull(callee) || !mlirAttributeIsAFlatSymbolRef(callee)) return MlirWalkResultAdvance;
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(callee);
  const char *what = NULL;
  for (size_t i = 0; !what && i < sizeof of_python / sizeof *of_python; ++i) {
    size_t length = strlen(of_python[i].prefix);
    if (name.length >= length && memcmp(name.data, of_python[i].prefix, length) == 0 &&
        (of_python[i].in_modules || !x->python))
      what = of_python[i].what;
  }
  if (!what && !x->python && pa_ref_equal(name, "pyarray_rt_numpy_loop")) what = loop_called(x, op);
  if (!what) return MlirWalkResultAdvance;
  x->failure = pa_fail_at(PA_CODE_UNSUPPORTED, mlirOperationGetLocation(op),
                          "%s cannot be compiled ahead of time: it needs %s", x->name, what);
  return MlirWalkResultInterrupt;
}

//===-- The form "python" -------------------------------------------------------------------------===//

static MlirOperation find(pa_export *x, const char *name) {
  PA_FOR_EACH_OP(op, pa_module_body(x->module)) {
    MlirAttribute symbol = pa_get_attr(op, "sym_name");
    if (!mlirAttributeIsNull(symbol) && pa_ref_equal(mlirStringAttrGetValue(symbol), name)) return op;
  }
  return (MlirOperation){NULL};
}

static void make_internal(pa_export *x, MlirOperation op) {
  pa_set_attr(op, "linkage", mlirLLVMLinkageAttrGet(x->context, MlirLLVMLinkageInternal));
}

// Its fields are those of a record in python/aot/aot.c.
static pa_status write_record(pa_export *x) {
  const char *const texts[] = {x->name, x->code, x->parameters, x->signature};
  MlirOperation owner = find(x, "pyarray_owner");
  pa_string *out = &x->text;
  for (int i = 0; i < 4; ++i)
    pa_export_global(x, pa_arena_format(x->arena, "pyarray_export_%d", i), texts[i], strlen(texts[i]));
  if (!mlirOperationIsNull(owner)) {
    make_internal(x, owner);
    pa_string_puts(out, "llvm.mlir.global internal @pyarray_owner(0 : i64) : i64\n");
  }
  static const char type[] = "!llvm.struct<(ptr, ptr, ptr, ptr, ptr, i64, ptr, ptr)>";
  pa_string_format(out,
                   "llvm.mlir.global external hidden constant @\"pyarray_export_record.%s.%s\"() {section = "
                   "\"pyarray_exports\", alignment = 8 : i64} : %s {\n  %%r0 = llvm.mlir.poison : %s\n",
                   x->name, x->code, type, type);
  const char *const fields[] = {"@pyarray_export_0", "@pyarray_export_1",     "@pyarray_export_2",
                                "@pyarray_export_3", "@pyarray_export_sites", NULL,
                                "@pyarray_entry",    "@pyarray_owner"};
  for (int i = 0; i < 8; ++i) {
    if (i == 5)
      pa_string_format(out, "  %%v%d = llvm.mlir.constant(%zu : i64) : i64\n", i, x->sites.length);
    else if (i == 7 && mlirOperationIsNull(owner))
      pa_string_format(out, "  %%v%d = llvm.mlir.zero : !llvm.ptr\n", i);
    else
      pa_string_format(out, "  %%v%d = llvm.mlir.addressof %s : !llvm.ptr\n", i, fields[i]);
    pa_string_format(out, "  %%r%d = llvm.insertvalue %%v%d, %%r%d[%d] : %s\n", i + 1, i, i, i, type);
  }
  pa_string_format(out, "  llvm.return %%r8 : %s\n}\n", type);
  if (x->importable)
    pa_string_format(
        out,
        "llvm.func @pyarray_aot_definition() -> !llvm.ptr\n"
        "llvm.func @\"PyInit_%s\"() -> !llvm.ptr attributes {pyarray.by_name, no_unwind} {\n"
        "  %%d = llvm.call @pyarray_aot_definition() : () -> !llvm.ptr\n  llvm.return %%d : !llvm.ptr\n}\n",
        x->importable);
  return PA_OK;
}

//===-- The pass ----------------------------------------------------------------------------------===//

// Takes the operations of the text over, except those that stand for what is there.
static pa_status take_text(pa_export *x) {
  MlirModule made = mlirModuleCreateParse(x->context, pa_ref(pa_string_text(&x->text)));
  if (mlirModuleIsNull(made)) return pa_fail(PA_CODE_INTERNAL, NULL, "an export could not be read:\n%s", x->text.data);
  MlirBlock from = mlirModuleGetBody(made), to = pa_module_body(x->module);
  for (MlirOperation op = mlirBlockGetFirstOperation(from), next; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    const char *name = pa_attr_text(x->arena, pa_get_attr(op, "sym_name"));
    if (!name || !mlirOperationIsNull(find(x, name))) continue;
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(to, op);
  }
  mlirModuleDestroy(made);
  return PA_OK;
}

static pa_status wrap(pa_export *x, MlirOperation entry) {
  PA_TRY(pa_raise_sites_blob(x->module, &x->sites));
  mlirOperationWalk(x->module, look_at, x, MlirWalkPreOrder);
  PA_TRY(x->failure);
  pa_export_global(x, "pyarray_export_sites", pa_string_text(&x->sites), x->sites.length);
  pa_string_puts(&x->text, "llvm.func @pyarray_entry(!llvm.ptr, !llvm.ptr) -> i32\n");
  PA_TRY(x->python ? write_record(x) : pa_export_c(x));
  PA_TRY(take_text(x));
  make_internal(x, entry);
  // Loads of slots are invariant, which those of a caller in sight are not.
  if (!x->python) pa_set_attr(entry, "no_inline", pa_unit_attr(x->context));
  pa_set_attr(entry, "pyarray.by_name", pa_unit_attr(x->context));
  mlirOperationRemoveAttributeByName(x->module, pa_ref("pyarray.export"));
  return PA_OK;
}

static const char *text_of(pa_export *x, MlirAttribute wanted, const char *name) {
  return pa_attr_text(x->arena, mlirDictionaryAttrGetElementByName(wanted, pa_ref(name)));
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  pa_export x = {.arena = context->arena, .context = context->context, .module = module};
  MlirAttribute wanted = pa_get_attr(module, "pyarray.export");
  if (mlirAttributeIsNull(wanted) || !mlirAttributeIsADictionary(wanted)) return PA_OK;
  const char *form = text_of(&x, wanted, "form");
  if (!form) form = "";
  x.name = text_of(&x, wanted, "name");
  x.code = text_of(&x, wanted, "code");
  x.parameters = text_of(&x, wanted, "parameters");
  x.signature = text_of(&x, wanted, "signature");
  x.importable = text_of(&x, wanted, "module");
  if (!x.parameters) x.parameters = "";
  if (!x.signature) x.signature = "";
  x.python = strcmp(form, "python") == 0;
  if (!x.name || !x.code || !pa_signature_result(x.code) || (!x.python && strcmp(form, "c") != 0))
    return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(module),
                      "an export has a form, \"c\" or \"python\", a name, and a type code with a result");
  MlirOperation entry = find(&x, "pyarray_entry");
  if (mlirOperationIsNull(entry))
    return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(module), "there is no pyarray_entry to export");
  pa_status status = wrap(&x, entry);
  pa_string_free(&x.text);
  pa_string_free(&x.sites);
  return status;
}

const pa_pass pa_pass_wrap_export = {
    .argument = "pyarray-wrap-export",
    .summary = "Add the function, or the record, by which the entry is called by name",
    .dependent_dialects = (const char *const[]){"llvm", NULL},
    .run = run,
};
