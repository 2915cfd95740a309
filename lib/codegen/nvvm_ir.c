// See nvvm_ir.h: the module, its variables and functions.
#include "nvvm_ir.h"

#include "libdevice.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "llvm-c/Core.h"

enum { FIRST_OF_NEW_IR = 100, KERNEL = 71, GENERIC = 0, GLOBAL = 1 };

static const char old_layout[] =
    "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-"
    "v64:64:64-v128:128:128-n16:32:64";
static const char new_layout[] =
    "e-p:64:64:64-p6:32:32:32-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-f128:128:"
    "128-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64-a:8:8";

void pa_nvvm_refuse(pa_nvvm_printer *p, const char *what) {
  if (!p->refused.length) pa_string_puts(&p->refused, what);
}

void pa_nvvm_declare(pa_nvvm_printer *p, const char *declaration) {
  if (!strstr(pa_string_text(&p->declarations), declaration)) pa_string_puts(&p->declarations, declaration);
}

//===-- Names -------------------------------------------------------------------------------------===//

static void set_name(LLVMValueRef value, const char *kind, unsigned number) {
  char name[24];
  snprintf(name, sizeof name, "%s%u", kind, number);
  LLVMSetValueName2(value, name, strlen(name));
}

static void name_values(LLVMValueRef function) {
  unsigned number = 0;
  for (LLVMValueRef v = LLVMGetFirstParam(function); v; v = LLVMGetNextParam(v)) set_name(v, "v", number++);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    set_name(LLVMBasicBlockAsValue(b), "b", number++);
    for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v))
      if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMVoidTypeKind) set_name(v, "v", number++);
  }
}

static bool is_local(LLVMValueRef global) {
  LLVMLinkage linkage = LLVMGetLinkage(global);
  return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

static bool is_plain(const char *name) {
  for (const char *c = name; *c; ++c)
    if (!isalnum((unsigned char)*c) && *c != '_' && *c != '$') return false;
  return *name && !isdigit((unsigned char)*name);
}

// What is seen from outside keeps its name, which is one of C.
static void name_globals(LLVMModuleRef module) {
  unsigned number = 0;
  for (LLVMValueRef v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v))
    if (is_local(v) && !is_plain(pa_function_name(v))) set_name(v, "pyarray_g", number++);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!LLVMIsDeclaration(f) && !is_plain(pa_function_name(f))) set_name(f, "pyarray_f", number++);
    if (!LLVMIsDeclaration(f)) name_values(f);
  }
}

//===-- Variables ---------------------------------------------------------------------------------===//

unsigned pa_nvvm_global_space(LLVMValueRef global) {
  unsigned space = pa_nvvm_space(LLVMTypeOf(global));
  return space == GENERIC ? GLOBAL : space;
}

static void put_used(pa_nvvm_printer *p, LLVMValueRef list) {
  pa_string_puts(p->text, "@llvm.used = appending global ");
  pa_nvvm_typed(p, LLVMGetInitializer(list));
  pa_string_puts(p->text, ", section \"llvm.metadata\"\n");
}

static void put_variable(pa_nvvm_printer *p, LLVMValueRef global) {
  LLVMValueRef value = LLVMGetInitializer(global);
  if (LLVMGetLinkage(global) == LLVMAppendingLinkage) return put_used(p, global);
  pa_string_format(p->text, "@%s = %s addrspace(%u) %s ", pa_function_name(global),
                   !value             ? "external"
                   : is_local(global) ? "internal"
                                      : "",
                   pa_nvvm_global_space(global), LLVMIsGlobalConstant(global) ? "constant" : "global");
  pa_nvvm_type(p, LLVMGlobalGetValueType(global));
  if (value) pa_string_puts(p->text, " ");
  if (value) pa_nvvm_value(p, value);
  if (LLVMGetAlignment(global)) pa_string_format(p->text, ", align %u", LLVMGetAlignment(global));
  pa_string_puts(p->text, "\n");
}

//===-- Functions ---------------------------------------------------------------------------------===//

static const char *const kept[] = {"convergent", "noinline", "alwaysinline", "nounwind"};

static void put_attributes(pa_nvvm_printer *p, LLVMValueRef function) {
  for (size_t i = 0; i < sizeof kept / sizeof *kept; ++i) {
    unsigned kind = LLVMGetEnumAttributeKindForName(kept[i], strlen(kept[i]));
    if (LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind))
      pa_string_format(p->text, " %s", kept[i]);
  }
}

static void put_name(pa_nvvm_printer *p, LLVMValueRef function) {
  if (LLVMGetIntrinsicID(function))
    pa_nvvm_intrinsic_name(p, pa_function_name(function));
  else
    pa_string_puts(p->text, pa_function_name(function));
}

void pa_nvvm_declare_function(pa_nvvm_printer *p, LLVMValueRef function) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  pa_string text = {0}, *rest = p->text;
  p->text = &text;
  pa_string_puts(p->text, "declare ");
  pa_nvvm_type(p, LLVMGetReturnType(type));
  pa_string_puts(p->text, " @");
  put_name(p, function);
  pa_nvvm_function_type(p, type);
  put_attributes(p, function);
  pa_string_puts(p->text, "\n");
  p->text = rest;
  pa_nvvm_declare(p, pa_string_text(&text));
  pa_string_free(&text);
}

static void put_parameters(pa_nvvm_printer *p, LLVMValueRef function) {
  pa_string_puts(p->text, "(");
  for (LLVMValueRef v = LLVMGetFirstParam(function); v; v = LLVMGetNextParam(v)) {
    if (v != LLVMGetFirstParam(function)) pa_string_puts(p->text, ", ");
    pa_nvvm_typed(p, v);
  }
  pa_string_puts(p->text, ")");
}

static void put_function(pa_nvvm_printer *p, LLVMValueRef function) {
  pa_string_format(p->text, "\ndefine %s", is_local(function) ? "internal " : "");
  pa_nvvm_type(p, LLVMGetReturnType(LLVMGlobalGetValueType(function)));
  pa_string_format(p->text, " @%s", pa_function_name(function));
  put_parameters(p, function);
  put_attributes(p, function);
  pa_string_puts(p->text, " {\n");
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    pa_string_format(p->text, "%s:\n", LLVMGetBasicBlockName(b));
    for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v)) pa_nvvm_instruction(p, v);
  }
  pa_string_puts(p->text, "}\n");
}

//===-- What is said of kernels -------------------------------------------------------------------===//

static void annotate(pa_nvvm_printer *p, LLVMValueRef kernel, const char *what, unsigned value, unsigned *count) {
  pa_string_format(p->text, "!%u = !{", 100 + (*count)++);
  LLVMTypeRef type = LLVMGlobalGetValueType(kernel);
  pa_nvvm_type(p, LLVMGetReturnType(type));
  pa_nvvm_function_type(p, type);
  pa_string_format(p->text, "* @%s, !\"%s\", i32 %u}\n", pa_function_name(kernel), what, value);
}

static void annotate_kernel(pa_nvvm_printer *p, LLVMValueRef kernel, unsigned *count) {
  // The numbers of an attribute of LLVM 22, parted by commas, and what NVVM calls them.
  static const char *const rows[][4] = {
      {"nvvm.maxntid", "maxntidx", "maxntidy", "maxntidz"},
      {"nvvm.minctasm", "minctasm", NULL, NULL},
      {"nvvm.maxnreg", "maxnreg", NULL, NULL},
      {"nvvm.maxclusterrank", "cluster_max_blocks", NULL, NULL},
      {"nvvm.cluster_dim", "cluster_dim_x", "cluster_dim_y", "cluster_dim_z"},
  };
  annotate(p, kernel, "kernel", 1, count);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    unsigned length = 0;
    LLVMAttributeRef found =
        LLVMGetStringAttributeAtIndex(kernel, LLVMAttributeFunctionIndex, rows[i][0], (unsigned)strlen(rows[i][0]));
    const char *at = found ? LLVMGetStringAttributeValue(found, &length) : "";
    for (int k = 1; k < 4 && rows[i][k] && *at; ++k) {
      char *rest;
      annotate(p, kernel, rows[i][k], (unsigned)strtoul(at, &rest, 10), count);
      at = *rest == ',' ? rest + 1 : "";
    }
  }
}

static void put_metadata(pa_nvvm_printer *p, LLVMModuleRef module) {
  unsigned count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (LLVMGetFunctionCallConv(f) == KERNEL) annotate_kernel(p, f, &count);
  pa_string_puts(p->text, "!nvvm.annotations = !{");
  for (unsigned i = 0; i < count; ++i) pa_string_format(p->text, "%s!%u", i ? ", " : "", 100 + i);
  pa_string_puts(p->text, "}\n!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0}\n");
}

//===-- What stays --------------------------------------------------------------------------------===//

// nvJitLink keeps what other code calls, and what is used in a way that it does not see, as kernels are, and variables
// that the host writes.
static bool stays(LLVMValueRef global) {
  if (LLVMIsDeclaration(global) || is_local(global)) return false;
  return LLVMIsAFunction(global) ? LLVMGetFunctionCallConv(global) == KERNEL : true;
}

static void keep(pa_llvm_module *llvm) {
  enum { MOST = 16 };
  LLVMValueRef kept_values[MOST];
  LLVMTypeRef pointer = LLVMPointerTypeInContext(llvm->context, GENERIC);
  unsigned count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(llvm->module); f && count < MOST; f = LLVMGetNextFunction(f))
    if (stays(f)) kept_values[count++] = f;
  for (LLVMValueRef v = LLVMGetFirstGlobal(llvm->module); v && count < MOST; v = LLVMGetNextGlobal(v))
    if (stays(v)) kept_values[count++] = LLVMConstPointerCast(v, pointer);
  if (!count) return;
  LLVMValueRef used = LLVMAddGlobal(llvm->module, LLVMArrayType2(pointer, count), "llvm.used");
  LLVMSetInitializer(used, LLVMConstArray2(pointer, kept_values, count));
  LLVMSetLinkage(used, LLVMAppendingLinkage);
  LLVMSetSection(used, "llvm.metadata");
}

//===-- Modules -----------------------------------------------------------------------------------===//

static void drop_unused_functions(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    if (LLVMIsDeclaration(f) && !LLVMGetFirstUse(f)) LLVMDeleteFunction(f);
  }
}

static pa_status print_old(pa_llvm_module *llvm, pa_string *out_text) {
  LLVMContextSetDiscardValueNames(llvm->context, false);
  pa_nvvm_printer p = {out_text, {0}, {0}};
  name_globals(llvm->module);
  pa_string_format(out_text, "target datalayout = \"%s\"\ntarget triple = \"nvptx64-nvidia-cuda\"\n\n", old_layout);
  for (LLVMValueRef v = LLVMGetFirstGlobal(llvm->module); v; v = LLVMGetNextGlobal(v)) put_variable(&p, v);
  for (LLVMValueRef f = LLVMGetFirstFunction(llvm->module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      put_function(&p, f);
    else if (!LLVMGetIntrinsicID(f)) // those of intrinsics come with calls: many are written otherwise
      pa_nvvm_declare_function(&p, f);
  pa_string_puts(out_text, pa_string_text(&p.declarations));
  put_metadata(&p, llvm->module);
  pa_status status =
      p.refused.length ? pa_fail(PA_CODE_UNSUPPORTED, NULL, "NVVM IR 2.0 has no %s", p.refused.data) : PA_OK;
  pa_string_free(&p.declarations);
  pa_string_free(&p.refused);
  return status;
}

// Without a size since LLVM 22.
static void drop_lifetimes(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    LLVMUseRef use = strncmp(pa_function_name(f), "llvm.lifetime.", 14) == 0 ? LLVMGetFirstUse(f) : NULL;
    while (use) {
      LLVMValueRef call = LLVMGetUser(use);
      use = LLVMGetNextUse(use);
      LLVMInstructionEraseFromParent(call);
    }
  }
}

// Flags of modules have to be those of the code that it is linked with: only the version is said.
static void print_new(pa_llvm_module *llvm, pa_string *out_text) {
  LLVMSetDataLayout(llvm->module, new_layout);
  pa_string text = {0};
  pa_llvm_print(llvm, &text);
  for (const char *line = pa_string_text(&text); *line;) {
    size_t length = strcspn(line, "\n") + 1;
    if (line[length - 1] != '\n') --length;
    if (strncmp(line, "!llvm.module.flags", 18) != 0) pa_string_append(out_text, line, length);
    line += length;
  }
  pa_string_puts(out_text, "\n!nvvmir.version = !{!999999999}\n!999999999 = !{i32 2, i32 0, i32 3, i32 2}\n");
  pa_string_free(&text);
}

pa_status pa_print_nvvm_ir(pa_llvm_module *llvm, int architecture, pa_string *out_text) {
  drop_lifetimes(llvm->module);
  drop_unused_functions(llvm->module);
  keep(llvm);
  if (architecture < FIRST_OF_NEW_IR) return print_old(llvm, out_text);
  print_new(llvm, out_text);
  return PA_OK;
}
