// Of compile.c: machine code of an instance of the Python library, for other compilations to call
// (support/precompiled.h). The request's function calls it.
//
//   func.func @program$0(%a) { %0 = func.call @numpy.quantiles.median$0(%a) ... }      is left out
//   func.func private @numpy.quantiles.median$0(%a)          func.func @pyarray.library.17(%a)
#include <string.h>

#include "compilation.h"
#include "support/precompiled.h"

typedef struct call_search {
  MlirOperation module, found;
} call_search;

static MlirWalkResult find_call(MlirOperation op, void *data) {
  call_search *search = data;
  if (!pa_op_is(op, PA_OP_NAME(CALL))) return MlirWalkResultAdvance;
  MlirOperation function = pa_lookup(search->module, mlirFlatSymbolRefAttrGetValue(pa_get_attr(op, "callee")));
  if (mlirOperationIsNull(function) || !pa_has_attr(function, "pyarray.precompiled")) return MlirWalkResultAdvance;
  return search->found = function, MlirWalkResultInterrupt;
}

// Values without identity: what is known of containers is no part of a type.
static bool can_be_given(MlirType type) {
  if (pa_is_tagged(type, "namedtuple")) type = pyarrayTaggedTypeGetItem(type);
  for (intptr_t i = 0; mlirTypeIsATuple(type) && i < mlirTupleTypeGetNumTypes(type); ++i)
    if (!can_be_given(mlirTupleTypeGetType(type, i))) return false;
  return mlirTypeIsATuple(type) || pyarrayTypeIsArray(type) || pyarrayTypeIsNone(type) ||
         pa_scalar_of(type) != PA_NOT_SCALAR;
}

pa_status pa_leave_instance(pa_compilation *c) {
  MlirOperation module = mlirModuleGetOperation(c->module), entry = pa_entry_of(c);
  MlirContext context = c->session->context;
  call_search search = {module, {NULL}};
  bool tries = pa_holds_try(module);
  mlirOperationWalk(entry, find_call, &search, MlirWalkPreOrder);
  MlirOperation function = search.found;
  if (mlirOperationIsNull(function) || tries)
    return pa_fail_at(PA_CODE_UNSUPPORTED, mlirOperationGetLocation(entry),
                      tries ? "what handles exceptions is not precompiled"
                            : "the function calls no function of the library that can be precompiled");
  MlirAttribute signature = pa_get_attr(function, "pyarray.signature");
  MlirType type =
      mlirTypeAttrGetValue(mlirAttributeIsNull(signature) ? pa_get_attr(function, "function_type") : signature);
  MlirType result = mlirFunctionTypeGetResult(type, 0);
  const char *key = pa_attr_text(&c->arena, pa_get_attr(function, "pyarray.precompiled"));
  if (!can_be_given(result))
    return pa_fail_at(PA_CODE_UNSUPPORTED, mlirOperationGetLocation(entry),
                      "%s: a result of type %s is not precompiled", key, pa_type_text(&c->arena, result));
  pa_string keys = {0}, types = {0};
  pa_string_puts(&keys, key);
  mlirTypePrint(result, pa_append_text, &types);
  c->result.key = pa_take_result_text(&keys, NULL);
  c->result.result_type = pa_take_result_text(&types, NULL);
  mlirOperationDestroy(entry);
  const char *symbol =
      pa_arena_format(&c->arena, PA_PRECOMPILED_SYMBOL "%u", (unsigned)c->request.precompiled_number - 1);
  pa_set_attr(function, "sym_name", pa_string_attr(context, symbol));
  mlirOperationRemoveAttributeByName(function, pa_ref("sym_visibility"));
  mlirOperationRemoveAttributeByName(module, pa_ref("pyarray.precompiled"));
  PA_FOR_EACH_OP(op, pa_module_body(module))
  if (!mlirOperationEqual(op, function)) mlirOperationRemoveAttributeByName(op, pa_ref("pyarray.precompiled"));
  return PA_OK;
}
