// Functions of other code: declared by cuda.declare_device, defined by bitcode that clang has made of CUDA C++, or by
// what the driver links later.
//
//   declare i32 @linked.twice(ptr, float) "pyarray.linked"="twice"
//
// In the module their names are no C names, so that a kernel, a function of libm or a device function may be called the
// same. In bitcode that is linked all names get the same prefix, those that it defines and those that it does not: so
// files meet each other and the declared functions, and nothing else. What none of them defines has its own name again
// in the end.
#include "linked.h"

#include "libdevice.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "support/linked.h"
#include "llvm-c/BitReader.h"
#include "llvm-c/Comdat.h"
#include "llvm-c/Core.h"
#include "llvm-c/Linker.h"
#include "llvm-c/Target.h"

static const char prefix[] = PA_LINKED_PREFIX;

const char *pa_linked_name(LLVMValueRef function) { return pa_linked_attribute(function, PA_LINKED); }

const char *pa_linked_attribute(LLVMValueRef function, const char *name) {
  LLVMAttributeRef found =
      LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
  unsigned length; // its text has a NUL behind it
  return found ? LLVMGetStringAttributeValue(found, &length) : NULL;
}

static const char *name_of(LLVMValueRef value) {
  size_t length;
  return LLVMGetValueName2(value, &length);
}

static bool has_prefix(LLVMValueRef value) { return strncmp(name_of(value), prefix, sizeof prefix - 1) == 0; }

static bool is_local(LLVMValueRef value) {
  return LLVMGetLinkage(value) == LLVMInternalLinkage || LLVMGetLinkage(value) == LLVMPrivateLinkage;
}

//===-- What files say of names -------------------------------------------------------------------===//

// Of a name with its prefix.
typedef struct note {
  const char *name, *file;
  bool defined;
} note;

typedef struct joint {
  pa_llvm_module *llvm;
  const pa_codegen_options *options;
  bool host; // for the CPU, which nobody links anything more with
  pa_arena arena;
  note *notes;
  size_t count, capacity;
  uint64_t bytes; // of all variables
} joint;

static void take_note(joint *j, const char *name, const char *file, bool defined) {
  j->notes = pa_arena_grow(&j->arena, j->notes, j->count, &j->capacity, sizeof *j->notes);
  j->notes[j->count++] = (note){pa_arena_copy(&j->arena, name, strlen(name)), file, defined};
}

// The file that defines a name, or one that uses it; "the kernel" where no file does.
static const char *file_of(const joint *j, const char *name, bool defined) {
  for (size_t i = 0; i < j->count; ++i)
    if (j->notes[i].defined == defined && strcmp(j->notes[i].name, name) == 0) return j->notes[i].file;
  return "the kernel";
}

//===-- Reading a file ----------------------------------------------------------------------------===//

// A definition that no other one may stand beside.
static bool is_strong(LLVMValueRef value) {
  return !LLVMIsDeclaration(value) && LLVMGetLinkage(value) == LLVMExternalLinkage;
}

static pa_status check_only_one(const joint *j, LLVMValueRef value, const char *file) {
  const char *name = name_of(value);
  LLVMValueRef other = LLVMGetNamedFunction(j->llvm->module, name);
  if (!other) other = LLVMGetNamedGlobal(j->llvm->module, name);
  if (!other || !is_strong(value) || !is_strong(other)) return PA_OK;
  return pa_fail(PA_CODE_LINK, NULL, "%s is defined in %s and in %s\nhint: link one of them, or make it static",
                 name + sizeof prefix - 1, file_of(j, name, true), file);
}

// Puts the prefix in front of the name, for those that have one outside of the file.
static pa_status rename_value(joint *j, LLVMValueRef value, const char *file) {
  const char *name = name_of(value);
  if (is_local(value) || strncmp(name, "llvm.", 5) == 0) return PA_OK;
  const char *text = pa_arena_format(&j->arena, "%s%s", prefix, name);
  LLVMSetValueName2(value, text, strlen(text));
  PA_TRY(check_only_one(j, value, file));
  take_note(j, text, file, !LLVMIsDeclaration(value));
  return PA_OK;
}

static bool is_thread_local(LLVMValueRef value) { return LLVMIsAGlobalVariable(value) && LLVMIsThreadLocal(value); }

// The object loader takes objects of 1 GiB at most.
static pa_status check_sizes(joint *j, LLVMModuleRef library, const char *file) {
  enum { MOST_MIB = 768 };
  uint64_t most = 0;
  const char *largest = "";
  for (LLVMValueRef v = LLVMGetFirstGlobal(library); v; v = LLVMGetNextGlobal(v)) {
    if (LLVMIsDeclaration(v)) continue;
    uint64_t size = LLVMABISizeOfType(LLVMGetModuleDataLayout(library), LLVMGlobalGetValueType(v));
    j->bytes = size > INT64_MAX - j->bytes ? INT64_MAX : j->bytes + size;
    if (size > most) most = size, largest = name_of(v);
  }
  if (j->bytes >> 20 <= MOST_MIB) return PA_OK;
  return pa_fail(PA_CODE_LINK, NULL,
                 "%s: the variables of linked code are larger than %d MiB: %s has %llu\nhint: make it an array on the "
                 "device, and pass a pointer to it",
                 file, MOST_MIB, largest, (unsigned long long)(most >> 20));
}

// What a program would set up before main(), or in each of its threads.
static pa_status check_variables(LLVMModuleRef library, const char *file) {
  for (LLVMValueRef v = LLVMGetFirstGlobal(library); v; v = LLVMGetNextGlobal(v))
    if (is_thread_local(v))
      return pa_fail(PA_CODE_LINK, NULL,
                     "%s: the variable %s is thread_local, and threads of a kernel have no such variables\nhint: pass "
                     "a pointer to memory of cuda.local.array()",
                     file, name_of(v));
  LLVMValueRef setup = LLVMGetNamedGlobal(library, "llvm.global_ctors");
  if (setup && !LLVMIsDeclaration(setup) && !LLVMIsNull(LLVMGetInitializer(setup)))
    return pa_fail(PA_CODE_LINK, NULL,
                   "%s: a variable is initialised by code that would run before main(), and nothing runs it\nhint: "
                   "give it a constant, or set it by a function that the kernel calls",
                   file);
  LLVMValueRef chosen = LLVMGetFirstGlobalIFunc(library);
  if (!chosen) return PA_OK;
  return pa_fail(PA_CODE_LINK, NULL, "%s: %s is an ifunc, which is chosen when a program is loaded; kernels are not",
                 file, name_of(chosen));
}

// There is no assembler for the CPU's instructions, nor for a GPU's there.
static pa_status refuse_assembly(const char *file, const char *name) {
  return pa_fail(PA_CODE_LINK, NULL,
                 "%s: %s has inline assembly, which the CPU, which runs kernels where there is no GPU, cannot run\n"
                 "hint: put it behind #ifdef __CUDA_ARCH__, with C for the CPU beside it",
                 file, name);
}

// An empty one only keeps the compiler from moving things.
static bool is_assembly(LLVMValueRef op) {
  LLVMValueRef callee = LLVMIsACallInst(op) || LLVMIsACallBrInst(op) ? LLVMGetCalledValue(op) : NULL;
  size_t length = 0;
  if (callee && LLVMIsAInlineAsm(callee)) LLVMGetInlineAsmAsmString(callee, &length);
  return length;
}

int64_t pa_bytes_by_value(LLVMValueRef call, LLVMTargetDataRef layout) {
  static const char name[] = "byval";
  unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
  int64_t bytes = 0;
  for (unsigned i = 0; LLVMIsACallInst(call) && i < LLVMGetNumArgOperands(call); ++i) {
    LLVMAttributeRef by_value = LLVMGetCallSiteEnumAttribute(call, i + 1, kind);
    if (by_value) bytes += (int64_t)LLVMABISizeOfType(layout, LLVMGetTypeAttributeValue(by_value));
  }
  return bytes;
}

// What the CPU cannot do, in the code of a file: assembly; and structs that calls copy to the stack, where nothing can
// be checked in front (linked_guards.c).
static pa_status check_code(const joint *j, LLVMValueRef function) {
  enum { MOST_BY_VALUE = 8 * 1024 };
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(j->llvm->module);
  const char *file = pa_linked_attribute(function, PA_LINKED_CODE), *name = name_of(function);
  if (has_prefix(function)) name += sizeof prefix - 1;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); file && block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op)) {
      if (is_assembly(op)) return refuse_assembly(file, name);
      if (pa_bytes_by_value(op, layout) > MOST_BY_VALUE)
        return pa_fail(PA_CODE_LINK, NULL,
                       "%s: a call in %s() passes structs of %lld bytes by value, more than %d\nhint: pass a pointer",
                       file, name, (long long)pa_bytes_by_value(op, layout), MOST_BY_VALUE);
    }
  return PA_OK;
}

static void note_file(const joint *j, LLVMValueRef function, const char *file) {
  LLVMAttributeRef mark = LLVMCreateStringAttribute(j->llvm->context, PA_LINKED_CODE, sizeof PA_LINKED_CODE - 1, file,
                                                    (unsigned)strlen(file));
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, mark);
}

static pa_status link_one(joint *j, const pa_codegen_bitcode *code) {
  pa_llvm_module *llvm = j->llvm;
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(code->bytes, code->size, code->name);
  LLVMModuleRef library;
  if (LLVMGetBitcodeModuleInContext2(llvm->context, buffer, &library)) {
    LLVMDisposeMemoryBuffer(buffer);
    return pa_fail(PA_CODE_LINK, NULL,
                   "%s: clang is newer than this compiler's LLVM, which cannot read its bitcode: %s\nhint: "
                   "PYARRAY_CLANG names another clang",
                   code->name, pa_string_text(&llvm->errors));
  }
  LLVMSetTarget(library, LLVMGetTarget(llvm->module)); // the same, written otherwise
  LLVMSetDataLayout(library, LLVMGetDataLayoutStr(llvm->module));
  pa_status status = check_variables(library, code->name);
  if (!status && j->host) status = check_sizes(j, library, code->name);
  size_t assembly;
  LLVMGetModuleInlineAsm(library, &assembly);
  if (!status && j->host && assembly) status = refuse_assembly(code->name, "the file");
  for (LLVMValueRef f = LLVMGetFirstFunction(library); f && !status; f = LLVMGetNextFunction(f)) {
    if (j->host && !LLVMIsDeclaration(f)) note_file(j, f, code->name);
    pa_drop_target_attributes(f);
    status = rename_value(j, f, code->name);
  }
  for (LLVMValueRef v = LLVMGetFirstGlobal(library); v && !status; v = LLVMGetNextGlobal(v))
    status = rename_value(j, v, code->name);
  for (LLVMValueRef a = LLVMGetFirstGlobalAlias(library); a && !status; a = LLVMGetNextGlobalAlias(a))
    status = rename_value(j, a, code->name);
  if (status) return LLVMDisposeModule(library), status;
  if (!LLVMLinkModules2(llvm->module, library)) return PA_OK;
  return pa_fail(PA_CODE_LINK, NULL, "%s cannot be linked: %s", code->name, pa_string_text(&llvm->errors));
}

//===-- When all are there ------------------------------------------------------------------------===//

// Another name for a function is that function.
static void drop_aliases(LLVMModuleRef module) {
  for (LLVMValueRef a = LLVMGetFirstGlobalAlias(module); a; a = LLVMGetNextGlobalAlias(a)) {
    if (!has_prefix(a)) continue;
    LLVMReplaceAllUsesWith(a, LLVMAliasGetAliasee(a));
    LLVMSetLinkage(a, LLVMInternalLinkage);
  }
}

// Variables on the CPU stay visible to who loads the code, as they are on a GPU (Module.get_global_symbol).
static void hide(const joint *j, LLVMValueRef value) {
  if (LLVMIsDeclaration(value) || !has_prefix(value)) return;
  bool shown = j->host && LLVMIsAGlobalVariable(value) && is_strong(value) && !LLVMIsGlobalConstant(value);
  LLVMSetVisibility(value, LLVMDefaultVisibility);
  LLVMSetComdat(value, NULL);
  if (!shown) LLVMSetLinkage(value, LLVMInternalLinkage);
}

// Whether who passes one finds the other: C++'s bool is i1, and addresses are passed as numbers, too.
static bool is_passed_alike(LLVMTypeRef a, LLVMTypeRef b) {
  if (a == b) return true;
  LLVMTypeKind kinds[] = {LLVMGetTypeKind(a), LLVMGetTypeKind(b)};
  unsigned bits[2];
  for (int i = 0; i < 2; ++i) {
    if (kinds[i] != LLVMIntegerTypeKind && kinds[i] != LLVMPointerTypeKind) return false;
    bits[i] = kinds[i] == LLVMPointerTypeKind ? 64 : LLVMGetIntTypeWidth(i ? b : a);
    if (bits[i] == 1) bits[i] = 8;
  }
  return bits[0] == bits[1];
}

static bool is_called_alike(joint *j, LLVMTypeRef a, LLVMTypeRef b) {
  unsigned count = LLVMCountParamTypes(a);
  if (LLVMIsFunctionVarArg(a) || LLVMIsFunctionVarArg(b)) return LLVMIsFunctionVarArg(a) && LLVMIsFunctionVarArg(b);
  if (count != LLVMCountParamTypes(b)) return false;
  if (!is_passed_alike(LLVMGetReturnType(a), LLVMGetReturnType(b))) return false;
  LLVMTypeRef *parameters = PA_NEW_ARRAY(&j->arena, LLVMTypeRef, 2 * count + 1);
  LLVMGetParamTypes(a, parameters);
  LLVMGetParamTypes(b, parameters + count);
  for (unsigned i = 0; i < count; ++i)
    if (!is_passed_alike(parameters[i], parameters[count + i])) return false;
  return true;
}

static pa_status refuse_call(const joint *j, LLVMValueRef function, LLVMTypeRef called) {
  char *types[] = {LLVMPrintTypeToString(called), LLVMPrintTypeToString(LLVMGlobalGetValueType(function))};
  pa_status status = pa_fail(
      PA_CODE_LINK, NULL,
      "%s() is called as %s, and %s defines it as %s\nhint: the signature of cuda.declare_device, or of a declaration "
      "in another file, does not fit; with abi=\"numba\" the function returns an int, and its first parameter is a "
      "pointer to its result",
      name_of(function) + sizeof prefix - 1, types[0], file_of(j, name_of(function), true), types[1]);
  for (int i = 0; i < 2; ++i) LLVMDisposeMessage(types[i]);
  return status;
}

// LLVM takes a call whose types are not those of the function for one that is never reached.
static pa_status check_calls(joint *j, LLVMValueRef function) {
  if (LLVMIsDeclaration(function) || !has_prefix(function)) return PA_OK;
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != function) continue;
    LLVMTypeRef called = LLVMGetCalledFunctionType(call);
    if (!is_called_alike(j, called, LLVMGlobalGetValueType(function))) return refuse_call(j, function, called);
  }
  return PA_OK;
}

// What would end the process is an error of the kernel's (lib/runtime/cuda/linked_code.c).
static const char *const ending[][2] = {
    {"abort", "pyarray_rt_linked_abort"},           {"exit", "pyarray_rt_linked_abort"},
    {"_exit", "pyarray_rt_linked_abort"},           {"_Exit", "pyarray_rt_linked_abort"},
    {"quick_exit", "pyarray_rt_linked_abort"},      {"__cxa_pure_virtual", "pyarray_rt_linked_abort"},
    {"_ZSt9terminatev", "pyarray_rt_linked_abort"}, {"__assert_fail", "pyarray_rt_linked_assert"},
};

// The name by which the loader finds what no file defines, or NULL. (libdevice's functions are linked later.)
static const char *external_name(const char *name) {
  for (size_t i = 0; i < sizeof ending / sizeof *ending; ++i)
    if (strcmp(name, ending[i][0]) == 0) return ending[i][1];
  if (strncmp(name, "__nv_", 5) == 0 || dlsym(RTLD_DEFAULT, name)) return name;
  static const char *const libraries[] = {"libm.so.6", "libc.so.6"};
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; ++i) {
    void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_LOCAL);
    bool found = library && dlsym(library, name);
    if (library) dlclose(library);
    if (found) return name;
  }
  return NULL;
}

// In the C++ library, which LLVM has.
char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

// "g(int), _Z1gi" of a function in C++; "g()" of one in C, "x" of a variable.
pa_status pa_fail_undefined(const char *file, const char *name, bool function) {
  int failed;
  char *plain = strncmp(name, "_Z", 2) == 0 ? __cxa_demangle(name, NULL, NULL, &failed) : NULL;
  pa_status status = pa_fail(PA_CODE_LINK, NULL,
                             "%s uses %s%s%s, which nothing that is linked defines\nhint: name the file with it in "
                             "link=[...]; C++ needs extern \"C\" on both sides, or on neither",
                             file, plain ? plain : name,
                             plain      ? ", "
                             : function ? "()"
                                        : "",
                             plain ? name : "");
  free(plain);
  return status;
}

static pa_status name_undefined(joint *j, LLVMValueRef value) {
  const char *own = name_of(value) + sizeof prefix - 1, *name = j->host ? external_name(own) : own;
  bool function = LLVMIsAFunction(value);
  const char *file = file_of(j, name_of(value), false);
  if (!name) return pa_fail_undefined(file, own, function);
  if (!j->host && function) note_file(j, value, file); // GPUs' own functions are looked for later
  LLVMValueRef there = LLVMGetNamedFunction(j->llvm->module, name);
  if (!there) there = LLVMGetNamedGlobal(j->llvm->module, name);
  if (!there || !LLVMIsDeclaration(there)) {                         // no function of ours is meant
    const char *copy = pa_arena_copy(&j->arena, name, strlen(name)); // |name| may be a part of what is replaced
    return LLVMSetValueName2(value, copy, strlen(copy)), PA_OK;
  }
  LLVMReplaceAllUsesWith(value, there);
  function ? LLVMDeleteFunction(value) : LLVMDeleteGlobal(value);
  return PA_OK;
}

// Declared functions are seen to by pa_name_linked.
static bool is_undefined_in_files(LLVMValueRef value) {
  return LLVMIsDeclaration(value) && has_prefix(value) && !(LLVMIsAFunction(value) && pa_linked_name(value));
}

static pa_status join(joint *j) {
  LLVMModuleRef module = j->llvm->module;
  for (size_t i = 0; i < j->options->bitcode_count; ++i) PA_TRY(link_one(j, &j->options->bitcode[i]));
  drop_aliases(module);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    PA_TRY(check_code(j, f));
    PA_TRY(check_calls(j, f));
    hide(j, f);
  }
  for (LLVMValueRef v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v)) hide(j, v);
  for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    if (!is_undefined_in_files(f)) continue;
    if (LLVMGetFirstUse(f))
      PA_TRY(name_undefined(j, f));
    else
      LLVMDeleteFunction(f);
  }
  for (LLVMValueRef v = LLVMGetFirstGlobal(module), next; v; v = next) {
    next = LLVMGetNextGlobal(v);
    if (!is_undefined_in_files(v)) continue;
    if (LLVMGetFirstUse(v))
      PA_TRY(name_undefined(j, v));
    else
      LLVMDeleteGlobal(v);
  }
  return PA_OK;
}

pa_status pa_link_bitcode(pa_llvm_module *llvm, const pa_codegen_options *options, bool host) {
  joint j = {.llvm = llvm, .options = options, .host = host};
  pa_status status = options->bitcode_count ? join(&j) : PA_OK;
  pa_arena_free(&j.arena);
  return status;
}

static pa_status refuse_undefined(const pa_codegen_options *options, const char *name) {
  pa_string files = {0};
  for (size_t i = 0; i < options->bitcode_count; ++i)
    pa_string_format(&files, "%s%s", i ? ", " : "", options->bitcode[i].name);
  pa_status status = pa_fail(PA_CODE_LINK, NULL,
                             "the declared function %s() is in nothing that is linked (%s)\nhint: name the file with "
                             "it in link=[...]; C++ needs extern \"C\" in front of it",
                             name, files.length ? pa_string_text(&files) : "there is no file");
  pa_string_free(&files);
  return status;
}

pa_status pa_name_linked(pa_llvm_module *llvm, const pa_codegen_options *options, bool host) {
  for (LLVMValueRef f = LLVMGetFirstFunction(llvm->module), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    const char *name = LLVMIsDeclaration(f) ? pa_linked_name(f) : NULL;
    if (!name) continue;
    if (!LLVMGetFirstUse(f)) {
      LLVMDeleteFunction(f);
      continue;
    }
    if (host) return refuse_undefined(options, name);
    if (LLVMGetNamedFunction(llvm->module, name) || LLVMGetNamedGlobal(llvm->module, name))
      return pa_fail(PA_CODE_LINK, NULL,
                     "the declared function %s() has the name of a function that the kernel has itself", name);
    LLVMSetValueName2(f, name, strlen(name));
  }
  return PA_OK;
}
