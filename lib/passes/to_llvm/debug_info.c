// pyarray-debug-info: scopes for the locations of a module that has the attribute pyarray.debug, so that code
// generation writes DWARF: functions by their Python names, and the file and line of every instruction.
//
// In and out: a module of the llvm dialect, after pyarray-emit-entry. With pyarray.line_tables alone, only lines
// are written. Without these attributes nothing happens. A
// location within a function needs no scope of its own; one that inlining made gets the scope of the function that was
// inlined, since LLVM would take it for the caller's:
//
//   llvm.func @pyarray_entry(...) attributes {pyarray.qualname = "f"} loc("f.py":3:1)
//     llvm.fmul %x, %x loc(callsite("g"("f.py":2:5) at "f.py":4:9))
//
// becomes
//
//   llvm.func @pyarray_entry(...) attributes {frame_pointer = all, ...} loc(fused<#di_subprogram_f>["f.py":3:1])
//     llvm.fmul %x, %x loc(callsite(fused<#di_subprogram_g>["g"("f.py":2:5)] at "f.py":4:9))
#include <string.h>

#include "ir/ir.h"
#include "mlir-c/Dialect/LLVM.h"
#include "pass.h"

enum { LANGUAGE_C = 2, LOCAL_DEFINITION = 1 << 2 | 1 << 3 }; // DW_LANG_C, DISPFlags

// A function that was inlined, possibly in many places.
typedef struct inlined_function {
  MlirIdentifier name;
  MlirAttribute file;
  MlirAttribute subprogram;
} inlined_function;

typedef struct debugger {
  pa_arena *arena;
  MlirContext context;
  MlirIdentifier function_name; // llvm.func
  MlirAttribute unit;           // null until a function with a place is found
  bool lines_only;              // pyarray.line_tables without pyarray.debug: code is optimised as ever
  inlined_function *inlined;
  size_t inlined_count, inlined_capacity;
} debugger;

//===-- Scopes ------------------------------------------------------------------------------------===//

static MlirAttribute text(debugger *d, const char *bytes, size_t length) {
  return mlirStringAttrGet(d->context, mlirStringRefCreate(bytes, length));
}

static MlirAttribute unique_id(debugger *d) { return mlirDisctinctAttrCreate(pa_unit_attr(d->context)); }

static MlirAttribute file_attribute(debugger *d, const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  return mlirLLVMDIFileAttrGet(d->context, text(d, name, strlen(name)),
                               text(d, path, slash ? (size_t)(slash - path) : 0));
}

static MlirAttribute compile_unit(debugger *d, MlirAttribute file) {
  if (mlirAttributeIsNull(d->unit))
    d->unit = mlirLLVMDICompileUnitAttrGet(d->context, unique_id(d), LANGUAGE_C, file, text(d, "pyarray", 7), false,
                                           d->lines_only ? MlirLLVMDIEmissionKindDebugDirectivesOnly
                                                         : MlirLLVMDIEmissionKindFull,
                                           MlirLLVMDINameTableKindNone, text(d, "", 0));
  return d->unit;
}

// |name| may be qualified, "outer.<locals>.f"; debuggers get the last part, as tracebacks do. No linkage name: gdb
// would show pyarray_entry.
static MlirAttribute subprogram(debugger *d, MlirStringRef name, MlirAttribute file, int line) {
  const char *dot = memrchr(name.data, '.', name.length);
  const char *start = dot ? dot + 1 : name.data;
  MlirAttribute type = mlirLLVMDISubroutineTypeAttrGet(d->context, 0, 0, NULL);
  return mlirLLVMDISubprogramAttrGet(d->context, unique_id(d), false, unique_id(d), compile_unit(d, file), file,
                                     text(d, start, (size_t)(name.data + name.length - start)), text(d, "", 0), file,
                                     (unsigned)line, (unsigned)line, LOCAL_DEFINITION, type, 0, NULL, 0, NULL);
}

static MlirLocation with_scope(MlirLocation location, MlirAttribute scope) {
  return mlirLocationFusedGet(mlirLocationGetContext(location), 1, &location, scope);
}

//===-- Locations ---------------------------------------------------------------------------------===//

static MlirAttribute inlined_scope(debugger *d, MlirIdentifier name, MlirAttribute file) {
  for (size_t i = 0; i < d->inlined_count; i++)
    if (mlirIdentifierEqual(d->inlined[i].name, name) && mlirAttributeEqual(d->inlined[i].file, file))
      return d->inlined[i].subprogram;
  d->inlined = pa_arena_grow(d->arena, d->inlined, d->inlined_count, &d->inlined_capacity, sizeof *d->inlined);
  // The line of its definition is not known here.
  inlined_function made = {name, file, subprogram(d, mlirIdentifierStr(name), file, 0)};
  return (d->inlined[d->inlined_count++] = made).subprogram;
}

// |callee| of a call-site location: "g"("f.py":2:5).
static MlirLocation scoped_callee(debugger *d, MlirLocation callee) {
  pa_location place = pa_source_location(d->arena, callee);
  if (!mlirLocationIsAName(callee) || !place.file) return callee;
  return with_scope(callee, inlined_scope(d, mlirLocationNameGetName(callee), file_attribute(d, place.file)));
}

static MlirLocation scoped(debugger *d, MlirLocation location) {
  if (!mlirLocationIsACallSite(location)) return location;
  return mlirLocationCallSiteGet(scoped_callee(d, mlirLocationCallSiteGetCallee(location)),
                                 scoped(d, mlirLocationCallSiteGetCaller(location)));
}

// LLVM refuses calls without a place where functions have scopes; |otherwise| is the function's.
static void place_operation(debugger *d, MlirOperation op, MlirLocation otherwise) {
  MlirLocation location = mlirOperationGetLocation(op);
  bool is_known = pa_source_location(d->arena, location).file != NULL;
  mlirOperationSetLocation(op, is_known ? scoped(d, location) : otherwise);
}

//===-- Variables ---------------------------------------------------------------------------------===//

enum { TAG_BASE_TYPE = 0x24 };

// |code|: of a real number (lower_shown.c).
static MlirAttribute basic_type(debugger *d, char code) {
  pa_scalar scalar = pa_scalar_from_code(code);
  const char *name = pa_scalar_name(scalar);
  MlirLLVMTypeEncoding encoding = scalar == PA_BOOL        ? MlirLLVMTypeEncodingBoolean
                                  : pa_is_float(scalar)    ? MlirLLVMTypeEncodingFloatT
                                  : pa_is_unsigned(scalar) ? MlirLLVMTypeEncodingUnsigned
                                                           : MlirLLVMTypeEncodingSigned;
  return mlirLLVMDIBasicTypeAttrGet(d->context, TAG_BASE_TYPE, text(d, name, strlen(name)),
                                    8 * (uint64_t)pa_scalar_bytes(scalar), encoding);
}

// The scope of a location that has been placed, |otherwise| being the function's.
static MlirAttribute scope_of(MlirLocation location, MlirAttribute otherwise) {
  if (mlirLocationIsACallSite(location)) location = mlirLocationCallSiteGetCallee(location);
  return mlirLocationIsAFused(location) ? mlirLocationFusedGetMetadata(location) : otherwise;
}

// A slot with pyarray.variable is what the debugger finds the variable in.
static void declare_variable(debugger *d, MlirOperation slot, MlirAttribute function_scope) {
  MlirAttribute variable = pa_get_attr(slot, "pyarray.variable");
  if (mlirAttributeIsNull(variable)) return;
  MlirStringRef name = mlirStringAttrGetValue(variable);
  MlirLocation location = mlirOperationGetLocation(slot);
  pa_location place = pa_source_location(d->arena, location);
  MlirAttribute type = basic_type(d, name.data[0]), scope = scope_of(location, function_scope);
  mlirOperationRemoveAttributeByName(slot, pa_ref("pyarray.variable"));
  if (!place.file) return;
  MlirAttribute info =
      mlirLLVMDILocalVariableAttrGet(d->context, scope, text(d, name.data + 2, name.length - 2),
                                     file_attribute(d, place.file), (unsigned)place.line, 0, 0, type, 0);
  pa_builder at = {.context = d->context,
                   .location = location,
                   .block = mlirOperationGetBlock(slot),
                   .before = mlirOperationGetNextInBlock(slot)};
  pa_op(&at, "llvm.intr.dbg.declare", PA_OPERANDS(mlirOperationGetResult(slot, 0)),
        PA_ATTRS({"varInfo", info}, {"locationExpr", mlirLLVMDIExpressionAttrGet(d->context, 0, NULL)}));
  pa_status_free(at.failure);
}

//===-- Functions ---------------------------------------------------------------------------------===//

static MlirStringRef function_name(MlirOperation function) {
  MlirAttribute name = pa_get_attr(function, "pyarray.qualname");
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name)) name = pa_get_attr(function, "sym_name");
  return mlirStringAttrGetValue(name);
}

static void place_function(debugger *d, MlirOperation function) {
  MlirLocation location = mlirOperationGetLocation(function);
  pa_location place = pa_source_location(d->arena, location);
  if (!place.file) return;
  MlirAttribute scope = subprogram(d, function_name(function), file_attribute(d, place.file), place.line);
  for (MlirBlock block = pa_body(function, 0); !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    PA_FOR_EACH_OP(op, block) place_operation(d, op, location);
  for (MlirBlock block = pa_body(function, 0); !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    PA_FOR_EACH_OP(op, block) declare_variable(d, op, scope);
  mlirOperationSetLocation(function, with_scope(location, scope));
  if (d->lines_only) return;
  // Profilers follow frame pointers.
  MlirAttribute all = mlirAttributeParseGet(d->context, pa_ref("#llvm.framePointerKind<all>"));
  pa_set_attr(function, "frame_pointer", all);
}

static bool has_scope(MlirOperation function) {
  MlirLocation location = mlirOperationGetLocation(function);
  return mlirLocationIsAFused(location) && !mlirAttributeIsNull(mlirLocationFusedGetMetadata(location));
}

// |module| is the module or a gpu.module in it.
static void place_functions(debugger *d, MlirOperation module) {
  PA_FOR_EACH_OP(op, pa_body(module, 0)) {
    if (pa_ref_equal(mlirIdentifierStr(mlirOperationGetName(op)), "gpu.module")) place_functions(d, op);
    bool is_function = mlirIdentifierEqual(mlirOperationGetName(op), d->function_name);
    if (is_function && !mlirBlockIsNull(pa_body(op, 0)) && !has_scope(op)) place_function(d, op);
  }
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  bool debug = !mlirAttributeIsNull(pa_get_attr(module, "pyarray.debug"));
  if (!debug && mlirAttributeIsNull(pa_get_attr(module, "pyarray.line_tables"))) return PA_OK;
  debugger d = {.arena = context->arena, .context = context->context, .lines_only = !debug};
  d.function_name = mlirIdentifierGet(d.context, pa_ref("llvm.func"));
  place_functions(&d, module);
  return PA_OK;
}

const pa_pass pa_pass_debug_info = {
    .argument = "pyarray-debug-info",
    .summary = "Give locations the scopes of which debug information is made, if the module has pyarray.debug",
    .dependent_dialects = (const char *const[]){"llvm", NULL},
    .run = run,
};
