// See nvvm_ir.h: types, constants and operands in the text of LLVM 7.
#include "nvvm_ir.h"

#include "libdevice.h"

#include <stdio.h>
#include <string.h>

#include "llvm-c/Core.h"

static void put(pa_nvvm_printer *p, const char *text) { pa_string_puts(p->text, text); }

//===-- Types -------------------------------------------------------------------------------------===//

static void put_space(pa_nvvm_printer *p, unsigned space) {
  if (space) pa_string_format(p->text, " addrspace(%u)", space);
  put(p, "*");
}

static void put_struct(pa_nvvm_printer *p, LLVMTypeRef type) {
  bool packed = LLVMIsPackedStruct(type);
  put(p, packed ? "<{ " : "{ ");
  for (unsigned i = 0; i < LLVMCountStructElementTypes(type); ++i) {
    if (i) put(p, ", ");
    pa_nvvm_type(p, LLVMStructGetTypeAtIndex(type, i));
  }
  put(p, packed ? " }>" : " }");
}

static void put_sequence(pa_nvvm_printer *p, const char *open, uint64_t count, LLVMTypeRef type, const char *close) {
  pa_string_format(p->text, "%s%llu x ", open, (unsigned long long)count);
  pa_nvvm_type(p, LLVMGetElementType(type));
  put(p, close);
}

void pa_nvvm_type(pa_nvvm_printer *p, LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMVoidTypeKind: return put(p, "void");
  case LLVMHalfTypeKind: return put(p, "half");
  case LLVMFloatTypeKind: return put(p, "float");
  case LLVMDoubleTypeKind: return put(p, "double");
  case LLVMIntegerTypeKind: return pa_string_format(p->text, "i%u", LLVMGetIntTypeWidth(type));
  case LLVMPointerTypeKind: return put(p, "i8"), put_space(p, LLVMGetPointerAddressSpace(type));
  case LLVMStructTypeKind: return put_struct(p, type);
  case LLVMArrayTypeKind: return put_sequence(p, "[", LLVMGetArrayLength2(type), type, "]");
  case LLVMVectorTypeKind: return put_sequence(p, "<", LLVMGetVectorSize(type), type, ">");
  case LLVMBFloatTypeKind: return pa_nvvm_refuse(p, "bfloat16");
  default: return pa_nvvm_refuse(p, "such types");
  }
}

void pa_nvvm_function_type(pa_nvvm_printer *p, LLVMTypeRef type) {
  enum { MOST = 1024 };
  LLVMTypeRef parameters[MOST];
  unsigned count = LLVMCountParamTypes(type);
  if (count > MOST || LLVMIsFunctionVarArg(type)) return pa_nvvm_refuse(p, "functions of so many parameters");
  LLVMGetParamTypes(type, parameters);
  put(p, "(");
  for (unsigned i = 0; i < count; ++i) {
    if (i) put(p, ", ");
    pa_nvvm_type(p, parameters[i]);
  }
  put(p, ")");
}

void pa_nvvm_address(pa_nvvm_printer *p, LLVMTypeRef type, unsigned space) {
  pa_nvvm_type(p, type);
  put_space(p, space);
}

unsigned pa_nvvm_space(LLVMTypeRef pointer) { return LLVMGetPointerAddressSpace(pointer); }

//===-- Constants ---------------------------------------------------------------------------------===//

// A variable or function, as an address like any other.
static void put_global(pa_nvvm_printer *p, LLVMValueRef global) {
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  unsigned space = LLVMIsAFunction(global) ? 0 : pa_nvvm_global_space(global);
  bool generic = !pa_nvvm_space(LLVMTypeOf(global));
  put(p, space && generic ? "addrspacecast (" : "bitcast (");
  pa_nvvm_type(p, LLVMIsAFunction(global) ? LLVMGetReturnType(type) : type);
  if (LLVMIsAFunction(global)) pa_nvvm_function_type(p, type);
  put_space(p, space);
  pa_string_format(p->text, " @%s to ", pa_function_name(global));
  pa_nvvm_type(p, LLVMTypeOf(global));
  put(p, ")");
}

// A number: as LLVM writes it, behind its type.
static void put_number(pa_nvvm_printer *p, LLVMValueRef value) {
  char *text = LLVMPrintValueToString(value);
  const char *space = strchr(text, ' ');
  put(p, space ? space + 1 : text);
  LLVMDisposeMessage(text);
}

static void put_elements(pa_nvvm_printer *p, LLVMValueRef value, uint64_t count, const char *open, const char *close) {
  put(p, open);
  for (unsigned i = 0; i < count; ++i) {
    if (i) put(p, ", ");
    pa_nvvm_typed(p, LLVMGetAggregateElement(value, i));
  }
  put(p, close);
}

static void put_aggregate(pa_nvvm_printer *p, LLVMValueRef value, LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMArrayTypeKind: return put_elements(p, value, LLVMGetArrayLength2(type), "[", "]");
  case LLVMVectorTypeKind: return put_elements(p, value, LLVMGetVectorSize(type), "<", ">");
  case LLVMStructTypeKind: {
    bool packed = LLVMIsPackedStruct(type);
    return put_elements(p, value, LLVMCountStructElementTypes(type), packed ? "<{ " : "{ ", packed ? " }>" : " }");
  }
  default: return pa_nvvm_refuse(p, "such constants");
  }
}

LLVMTypeRef pa_nvvm_gep_element(LLVMValueRef gep) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  for (unsigned i = 2; i < (unsigned)LLVMGetNumOperands(gep); ++i) {
    LLVMValueRef index = LLVMGetOperand(gep, i);
    type = LLVMGetTypeKind(type) == LLVMStructTypeKind
               ? LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index))
               : LLVMGetElementType(type);
  }
  return type;
}

void pa_nvvm_gep(pa_nvvm_printer *p, LLVMValueRef gep) {
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); ++i) {
    put(p, ", ");
    pa_nvvm_typed(p, LLVMGetOperand(gep, i));
  }
}

static void put_constant_gep(pa_nvvm_printer *p, LLVMValueRef gep) {
  LLVMValueRef base = LLVMGetOperand(gep, 0);
  LLVMTypeRef from = LLVMGetGEPSourceElementType(gep);
  unsigned space = pa_nvvm_space(LLVMTypeOf(base));
  put(p, "bitcast (");
  pa_nvvm_address(p, pa_nvvm_gep_element(gep), space);
  put(p, LLVMIsInBounds(gep) ? " getelementptr inbounds (" : " getelementptr (");
  pa_nvvm_type(p, from);
  put(p, ", ");
  pa_nvvm_address(p, from, space);
  put(p, " bitcast (");
  pa_nvvm_typed(p, base);
  put(p, " to ");
  pa_nvvm_address(p, from, space);
  put(p, ")");
  pa_nvvm_gep(p, gep);
  put(p, ") to ");
  pa_nvvm_type(p, LLVMTypeOf(gep));
  put(p, ")");
}

static void put_conversion(pa_nvvm_printer *p, LLVMValueRef value, const char *name) {
  pa_string_format(p->text, "%s (", name);
  pa_nvvm_typed(p, LLVMGetOperand(value, 0));
  put(p, " to ");
  pa_nvvm_type(p, LLVMTypeOf(value));
  put(p, ")");
}

static void put_operation(pa_nvvm_printer *p, LLVMValueRef value, const char *name) {
  pa_string_format(p->text, "%s (", name);
  pa_nvvm_typed(p, LLVMGetOperand(value, 0));
  put(p, ", ");
  pa_nvvm_typed(p, LLVMGetOperand(value, 1));
  put(p, ")");
}

static void put_expression(pa_nvvm_printer *p, LLVMValueRef value) {
  switch (LLVMGetConstOpcode(value)) {
  case LLVMGetElementPtr: return put_constant_gep(p, value);
  case LLVMAddrSpaceCast: return put_conversion(p, value, "addrspacecast");
  case LLVMBitCast: return put_conversion(p, value, "bitcast");
  case LLVMPtrToInt: return put_conversion(p, value, "ptrtoint");
  case LLVMIntToPtr: return put_conversion(p, value, "inttoptr");
  case LLVMTrunc: return put_conversion(p, value, "trunc");
  case LLVMAdd: return put_operation(p, value, "add");
  case LLVMSub: return put_operation(p, value, "sub");
  case LLVMXor: return put_operation(p, value, "xor");
  default: return pa_nvvm_refuse(p, "such constant expressions");
  }
}

static bool is_scalar(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMIntegerTypeKind || kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind ||
         kind == LLVMDoubleTypeKind;
}

static void put_constant(pa_nvvm_printer *p, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (LLVMIsUndef(value)) return put(p, "undef"); // poison too
  if (LLVMIsAGlobalObject(value)) return put_global(p, value);
  if (LLVMIsAConstantExpr(value)) return put_expression(p, value);
  if (LLVMIsAConstantPointerNull(value)) return put(p, "null");
  if (is_scalar(type)) return put_number(p, value);
  if (LLVMIsNull(value)) return put(p, "zeroinitializer");
  put_aggregate(p, value, type);
}

//===-- Operands ----------------------------------------------------------------------------------===//

void pa_nvvm_value(pa_nvvm_printer *p, LLVMValueRef value) {
  if (LLVMIsConstant(value)) return put_constant(p, value);
  pa_string_format(p->text, "%%%s", pa_function_name(value));
}

void pa_nvvm_typed(pa_nvvm_printer *p, LLVMValueRef value) {
  pa_nvvm_type(p, LLVMTypeOf(value));
  put(p, " ");
  pa_nvvm_value(p, value);
}
