// getattr, hasattr and setattr with names that are known when the function is compiled.
//
//   getattr(x, "size")          x.size, also where it is called
//   getattr(x, "size", 0)       if hasattr(x, "size"): x.size else 0; the branch is decided when the function is
//   compiled hasattr(x, "size")          pyarray.getattr %x "size" {pyarray.probe}: a bool, known by the type of x
//   setattr(x, "size", 3)       pyarray.setattr %x "size" = %c3; its value is None
#include <Python.h>

#include "emit.h"

typedef enum access_kind { NO_ACCESS, GET, HAS, SET } access_kind;

// Which of the functions |x| calls.
static access_kind access_of(pa_emitter *e, const pa_expression *x) {
  static const char *const names[] = {[GET] = "getattr", [HAS] = "hasattr", [SET] = "setattr"};
  if (x->kind != PA_CALL || x->count < 3 || x->count > 4 || x->keywords.count) return NO_ACCESS;
  for (int i = 1; i < x->count; ++i)
    if (x->operands[i]->kind == PA_STARRED) return NO_ACCESS;
  PyObject *callee = pa_peek(e, x->operands[0]);
  for (int i = GET; callee && i <= SET; ++i)
    if (callee == PyDict_GetItemString(PyEval_GetBuiltins(), names[i]))
      return i == GET || (x->count == 3) == (i == HAS) ? (access_kind)i : NO_ACCESS;
  return NO_ACCESS;
}

// The name that |x| is; NULL, with a failure, where it is not known.
static const char *name_of(pa_emitter *e, const pa_expression *x) {
  bool literal = x->kind == PA_CONSTANT && mlirAttributeIsAString(x->constant.value) &&
                 !pyarrayTypeIsBytes(mlirAttributeGetType(x->constant.value));
  if (literal) return pa_attr_text(e->arena, x->constant.value);
  PyObject *object = NULL;
  pa_status failure = pa_resolve(e, x, &object);
  if (!failure && object && PyUnicode_Check(object)) return pa_python_text(e->importer, object);
  pa_location location = pa_locate(e->function, x->place);
  if (!failure)
    failure = pa_fail(PA_CODE_TYPING, &location,
                      "the name of an attribute must be known when the function is compiled\nhint: write it as a "
                      "literal, or make it a global variable");
  return pa_set_failure(e, failure), NULL;
}

static pa_expression *attribute(pa_emitter *e, const pa_expression *x, const char *name) {
  pa_expression *made = PA_NEW(e->arena, pa_expression);
  *made = (pa_expression){.kind = PA_ATTRIBUTE,
                          .place = x->place,
                          .operands = &x->operands[1],
                          .count = 1,
                          .binds = x->binds,
                          .text = name};
  return made;
}

const pa_expression *pa_plain_attribute(pa_emitter *e, const pa_expression *x) {
  if (access_of(e, x) != GET || x->count != 3) return x;
  const char *name = name_of(e, x->operands[2]);
  return name ? attribute(e, x, name) : x;
}

static MlirValue getattr_of(pa_emitter *e, MlirValue object, const char *name, bool probe) {
  return pa_value(&e->builder, PA_OP_NAME(GETATTR), PA_OPERANDS(object), PA_RESULTS(e->any),
                  PA_ATTRS({"name", pa_string_attr(e->importer->context, name)},
                           {"pyarray.probe", probe ? pa_unit_attr(e->importer->context) : mlirAttributeGetNull()}));
}

// Of a module or class, which Python knows. |*out_has|: whether it has such an attribute.
static bool is_known(pa_emitter *e, const pa_expression *x, const char *name, bool *out_has) {
  PyObject *object = pa_peek(e, x);
  if (!object || !(PyModule_Check(object) || PyType_Check(object))) return false;
  return *out_has = PyObject_HasAttrString(object, name), true;
}

static MlirValue emit_set(pa_emitter *e, const pa_expression *x, const char *name) {
  MlirValue object = pa_emit(e, x->operands[1]), value = pa_emit(e, x->operands[3]);
  pa_at(e, x->place);
  pa_op(&e->builder, PA_OP_NAME(SETATTR), PA_OPERANDS(object, value),
        PA_ATTRS({"name", pa_string_attr(e->importer->context, name)}));
  return pa_emit_constant(e, pa_unit_attr(e->importer->context));
}

static MlirValue emit_default(pa_emitter *e, const pa_expression *x, const char *name) {
  MlirValue object = pa_emit(e, x->operands[1]), other = pa_emit(e, x->operands[3]);
  if (pa_is_dead(e)) return pa_emit_unbound(e, e->any);
  pa_branch then, otherwise;
  pa_at(e, x->place);
  MlirValue has = pa_emit_truth(e, getattr_of(e, object, name, true));
  pa_branch_begin(e, &then, 0);
  MlirValue value = getattr_of(e, object, name, false);
  pa_branch_end(e, &then);
  pa_branch_begin(e, &otherwise, 0);
  pa_branch_end(e, &otherwise);
  return pa_join_values(e, has, &then, value, &otherwise, other, e->any);
}

MlirValue pa_emit_attribute_call(pa_emitter *e, const pa_expression *x) {
  access_kind kind = access_of(e, x);
  const char *name = kind ? name_of(e, x->operands[2]) : NULL;
  bool has = false, known = false;
  if (!name) return (MlirValue){NULL};
  if (kind == SET) return emit_set(e, x, name);
  known = is_known(e, x->operands[1], name, &has);
  if (kind == GET && (x->count == 3 || (known && has))) return pa_emit(e, attribute(e, x, name));
  if (kind == GET) return known ? pa_emit(e, x->operands[3]) : emit_default(e, x, name);
  if (known) return pa_emit_bool(e, has);
  MlirValue object = pa_emit(e, x->operands[1]);
  pa_at(e, x->place);
  return getattr_of(e, object, name, true);
}
