// The containers of pyarray.typed and structs that compiled code makes: what their types are declared to be. A type is
// the value
// `!pyarray.callable<"type:Lq">`, by its type code; of a number it is its dtype too.
#include <string.h>

#include "support/type_code.h"
#include "typing_rules.h"

static const char prefix[] = "type:";

// Argument |i|, a type that items of a container may have.
static pa_status item_type(const pa_rule_call *call, int i, MlirType *out_type) {
  static const char expected[] = "a type such as types.int64";
  MlirType type = call->arguments[i].type;
  if (pa_dtype_of(call->typing, call->arguments[i], out_type)) return PA_OK;
  bool example = pyarrayTypeIsList(type) || pyarrayTypeIsDict(type) || pyarrayTypeIsSet(type);
  if (example) return *out_type = type, PA_OK; // an empty container, as Numba's programs write its type
  MlirAttribute name = pyarrayTypeIsCallable(type) ? pyarrayCallableTypeGetName(type) : mlirAttributeGetNull();
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name)) return pa_rule_wrong_type(call, i, expected);
  const char *text = pa_attr_text(call->typing->arena, name);
  if (strncmp(text, prefix, sizeof prefix - 1) != 0) return pa_rule_wrong_type(call, i, expected);
  const char *code = text + sizeof prefix - 1, *list = pa_arena_format(call->typing->arena, "L%s", code);
  if (pa_type_is_valid(list)) *out_type = pa_type_from_code(call->typing->context, &code);
  if (!pa_type_is_valid(list) || mlirTypeIsNull(*out_type))
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "%s(): values of this type cannot be in a container",
                          call->builtin->name);
  return PA_OK;
}

//===-- Typing ------------------------------------------------------------------------------------===//

// List.empty_list(item_type, allocated=0), Dict.empty(key_type, value_type, n_keys=0), Set.empty(item_type, n_items=0).
// How many there will be is asked for as Numba does; containers grow so that it makes no difference.
static pa_status type_empty(pa_rule_call *call) {
  MlirType types[2] = {{NULL}, {NULL}};
  bool dict = strcmp(call->builtin->name, "pyarray.typed.Dict.empty") == 0;
  int count = dict ? 2 : 1;
  for (int i = 0; i < count; ++i) PA_TRY(item_type(call, i, &types[i]));
  if (pa_rule_given(call, count)) PA_TRY(pa_rule_need_integer(call, count));
  bool list = strcmp(call->builtin->name, "pyarray.typed.List.empty_list") == 0;
  MlirType made = list   ? pyarrayListTypeGet(types[0])
                  : dict ? pyarrayDictTypeGet(types[0], types[1])
                         : pyarraySetTypeGet(types[0]);
  PA_TRY(pa_container_put(call->typing, pa_fact_of(made), 0, pa_fact_of(types[0]))); // that keys can be hashed
  return pa_rule_finish(call, made);
}

// structref.new(T)
static pa_status type_struct(pa_rule_call *call) {
  MlirType type;
  PA_TRY(item_type(call, 0, &type));
  return pyarrayTypeIsObject(type) ? pa_rule_finish(call, type)
                                   : pa_rule_wrong_type(call, 0, "a type of structs, a types.StructRef");
}

const pa_typing_rule_row pa_typed_typing[] = {
    {PA_TYPING_EMPTY, type_empty}, {PA_TYPING_STRUCT, type_struct}, {0, NULL}};
