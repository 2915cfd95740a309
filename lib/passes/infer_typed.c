// The containers of pyarray.typed that compiled code makes, in pyarray-infer-types. They are the lists, dicts and sets that [] and {} make, with a
// mark by which Python gets them as typed.List, Dict or Set; where types are declared, the items have those.
//
//   %d = pyarray.apply %Dict.empty(%int64, %float64)      %d = pyarray.dict : !pyarray.dict<si64, f64>
//                                                         pyarray.builtin "object.mark_typed"(%d)
//
//   %s = pyarray.apply %structref.new(%T)             %s = pyarray.new "m:T#0.1f" : !pyarray.object<"m:T#0.1f">
//
// A type is the value `!pyarray.callable<"type:Lq">`, by its type code; of a number it is its dtype too.
#include "infer_emit.h"
#include "support/type_code.h"
#include "typing_rules.h"

bool pa_makes_typed(const pa_builtin *builtin) { return strncmp(builtin->name, "pyarray.typed.", 14) == 0; }

//===-- Types -------------------------------------------------------------------------------------===//

static const char prefix[] = "type:";

// Argument |i|, a type that items of a container may have.
static pa_status item_type(const pa_rule_call *call, int i, MlirType *out_type) {
  static const char expected[] = "a type such as types.int64";
  MlirType type = call->arguments[i].type;
  if (pa_dtype_of(call->typing, call->arguments[i], out_type)) return PA_OK;
  MlirAttribute name = pyarrayTypeIsCallable(type) ? pyarrayCallableTypeGetName(type) : mlirAttributeGetNull();
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name)) return wrong_type(call, i, expected);
  const char *text = pa_attr_text(call->typing->arena, name);
  if (strncmp(text, prefix, sizeof prefix - 1) != 0) return wrong_type(call, i, expected);
  const char *code = text + sizeof prefix - 1, *list = pa_arena_format(call->typing->arena, "L%s", code);
  if (pa_type_is_valid(list)) *out_type = pa_type_from_code(call->typing->context, &code);
  if (!pa_type_is_valid(list) || mlirTypeIsNull(*out_type))
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "%s(): values of this type cannot be in a container", call->builtin->name);
  return PA_OK;
}

//===-- Typing ------------------------------------------------------------------------------------===//

// List.empty_list(item_type, allocated=0), Dict.empty(key_type, value_type, n_keys=0), Set.empty(item_type, n_items=0). How many there will be
// is asked for as Numba does; containers grow so that it makes no difference.
static pa_status type_empty(pa_rule_call *call) {
  MlirType types[2] = {{NULL}, {NULL}};
  bool dict = strcmp(call->builtin->name, "pyarray.typed.Dict.empty") == 0;
  int count = dict ? 2 : 1;
  for (int i = 0; i < count; ++i) PA_TRY(item_type(call, i, &types[i]));
  if (given(call, count)) PA_TRY(need_integer(call, count));
  bool list = strcmp(call->builtin->name, "pyarray.typed.List.empty_list") == 0;
  MlirType made = list ? pyarrayListTypeGet(types[0]) : dict ? pyarrayDictTypeGet(types[0], types[1]) : pyarraySetTypeGet(types[0]);
  PA_TRY(pa_container_put(call->typing, pa_fact_of(made), 0, pa_fact_of(types[0]))); // that keys can be hashed
  return finish(call, made);
}

// structref.new(T)
static pa_status type_struct(pa_rule_call *call) {
  MlirType type;
  PA_TRY(item_type(call, 0, &type));
  return pyarrayTypeIsObject(type) ? finish(call, type) : wrong_type(call, 0, "a type of structs, a types.StructRef");
}

const pa_typing_rule_row pa_typed_typing[] = {{"EMPTY", type_empty}, {"STRUCT", type_struct}, {NULL, NULL}};

//===-- Emission ----------------------------------------------------------------------------------===//

bool pa_emit_typed_empty(pa_instance_emitter *e, MlirOperation op, const pa_resolved_call *call) {
  if (!call->plan.builtin || strcmp(call->plan.builtin->lowering, "EMPTY") != 0) return false;
  MlirType type = pa_erased_type(call->plan.result);
  bool object = pyarrayTypeIsObject(type);
  const char *name = object ? "pyarray.new" : pyarrayTypeIsList(type) ? "pyarray.list" : pyarrayTypeIsSet(type) ? "pyarray.set" : "pyarray.dict";
  MlirAttribute of = object ? mlirStringAttrGet(pa_emitter_context(e), pyarrayObjectTypeGetName(type)) : mlirAttributeGetNull();
  pa_emitter_map(e, mlirOperationGetResult(op, 0), pa_value(e->builder, name, PA_RESULTS(type), PA_ATTRS({"name", of})));
  return true;
}

void pa_emit_typed_mark(pa_instance_emitter *e, MlirOperation op, const pa_resolved_call *call) {
  if (!call->typed) return;
  MlirContext context = pa_emitter_context(e);
  pa_value(e->builder, "pyarray.builtin", PA_OPERANDS(pa_emitter_use(e, mlirOperationGetResult(op, 0))), PA_RESULTS(pyarrayNoneTypeGet(context)),
           PA_ATTRS({"name", pa_string_attr(context, "object.mark_typed")}));
}
