// hasattr() in pyarray-infer-types: whether a value has an attribute or a method is known by its type.
//
//   %0 = pyarray.getattr %x "size" {pyarray.probe}          true or false, a literal
#include <string.h>

#include "infer_calls.h"
#include "infer_classes.h"
#include "ir/classes.h"
#include "ir/overloads.h"

// Python's class of values of |type|; NULL for what has a class of its own.
static const char *python_class(pa_arena *arena, MlirType type) {
  pa_scalar scalar = pa_scalar_of(type);
  if (scalar == PA_BOOL) return "builtins.bool";
  if (scalar == PA_I64) return "builtins.int";
  if (scalar == PA_F64) return "builtins.float";
  if (scalar == PA_C128) return "builtins.complex";
  if (scalar != PA_NOT_SCALAR) return pa_arena_format(arena, "numpy.%s", pa_scalar_name(scalar));
  switch (pa_container_of(type)) {
  case PA_LIST: return "builtins.list";
  case PA_DICT: return "builtins.dict";
  case PA_SET: return "builtins.set";
  case PA_FROZENSET: return "builtins.frozenset";
  case PA_DEQUE: return "collections.deque";
  default: break;
  }
  return pyarrayTypeIsArray(type)       ? "numpy.ndarray"
         : pyarrayTypeIsStr(type)       ? "builtins.str"
         : pyarrayTypeIsBytes(type)     ? "builtins.bytes"
         : pyarrayTypeIsBytearray(type) ? "builtins.bytearray"
         : mlirTypeIsATuple(type)       ? "builtins.tuple"
         : pyarrayTypeIsRange(type)     ? "builtins.range"
         : pyarrayTypeIsSlice(type)     ? "builtins.slice"
         : pyarrayTypeIsNone(type)      ? "types.NoneType"
                                        : NULL;
}

// What Python's class says of a number and of names with underscores, which what is compiled answers for all types
// alike.
static bool answers_by_class(pa_inference *inference, MlirType type, const char *name, bool *out_has) {
  const char *class = pa_python_class_has ? python_class(inference->arena, type) : NULL;
  if (!class || (strncmp(name, "__", 2) != 0 && pa_scalar_of(type) == PA_NOT_SCALAR)) return false;
  return *out_has = pa_python_class_has(class, name), true;
}

static pa_status has_overload(pa_inference *inference, pa_instance *instance, MlirOperation op, const char *name,
                              bool *out_has) {
  const char *kinds[] = {"method", "attribute"}, *symbol = NULL;
  PA_TRY(pa_take_operands(inference, instance, op));
  for (int i = 0; i < 2 && !symbol; ++i)
    PA_TRY(pa_overload_symbol(inference, instance, op, pa_arena_format(inference->arena, "%s:%s", kinds[i], name), 0,
                              &symbol));
  return *out_has = symbol != NULL, PA_OK;
}

pa_status pa_walk_probe(pa_inference *inference, pa_instance *instance, MlirOperation op,
                        pa_status (*walk)(pa_inference *, pa_instance *, MlirOperation)) {
  pa_value_entry *entry = pa_value_entry_of(inference, instance, mlirOperationGetOperand(op, 0));
  if (pa_is_bottom(entry->fact)) return PA_OK;
  pa_typing typing = pa_typing_at(inference, op);
  if (pyarrayTypeIsOptional(entry->fact.type))
    return pa_typing_fail(&typing, PA_CODE_UNSUPPORTED,
                          "whether a value that may be None has an attribute is not known when the function is "
                          "compiled\nhint: compare with None first: x is not None");
  bool has;
  const char *name = pa_attr_text(inference->arena, pa_get_attr(op, "name"));
  if (!answers_by_class(inference, entry->fact.type, name, &has)) {
    pa_status failure = walk(inference, instance, op);
    has = !failure;
    pa_status_free(failure);
    if (!has) PA_TRY(pa_find_method(inference, instance, op, &has));
  } else if (!has) {
    PA_TRY(has_overload(inference, instance, op, name, &has));
  }
  pa_fact fact = pa_literal_fact(inference->context, mlirBoolAttrGet(inference->context, has));
  return pa_value_entry_of(inference, instance, mlirOperationGetResult(op, 0))->fact = fact, PA_OK;
}
