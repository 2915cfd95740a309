// Types of pyarray.types, as values and where they are put together in compiled code: they are known when the function
// is imported.
//
//   types.ListType(types.int64)          pyarray.callable "type:Lq", by its type code
//   types.float64[:]                     pyarray.callable "type:[A1d"
//   Node.class_type.instance_type        pyarray.callable "type:J[m:Node#0]"
#include <Python.h>

#include "emitter.h"
#include "objects.h"

// Whether |object| is a type; |class|: a class of types, such as types.ListType.
static pa_status is_type(pa_emitter *e, PyObject *object, bool class, bool *out_is) {
  PyObject *base = e->importer->type_class;
  int is = !base || !object ? 0
           : class          ? PyType_Check(object) && PyObject_IsSubclass(object, base)
                            : PyObject_IsInstance(object, base);
  return *out_is = is > 0, is < 0 ? pa_python_failure() : PA_OK;
}

pa_status pa_type_attribute(pa_emitter *e, PyObject *object, const char *name, PyObject **out_object) {
  bool is, of_class = PyType_Check(object) && strcmp(name, "class_type") == 0;
  PA_TRY(is_type(e, object, false, &is));
  if (!is && !of_class && strcmp(name, "instance_type") != 0) return PA_OK;
  PyObject *value = pa_adopt(e->importer, PyObject_GetAttrString(object, name));
  if (!value && !PyErr_ExceptionMatches(PyExc_AttributeError)) return pa_python_failure();
  PyErr_Clear();
  if (value && !of_class) PA_TRY(is_type(e, value, false, &is));
  if (value && (is || of_class)) *out_object = value;
  return PA_OK;
}

//===-- Arguments ---------------------------------------------------------------------------------===//

static pa_status argument(pa_emitter *e, const pa_expression *x, PyObject **out_object);

// |*out_objects|: a tuple of them all, or NULL.
static pa_status arguments(pa_emitter *e, pa_expression *const *operands, int count, PyObject **out_objects) {
  PyObject *tuple = pa_adopt(e->importer, PyTuple_New(count)), *object = tuple;
  if (!tuple) return pa_python_failure();
  for (int i = 0; i < count && object; ++i) {
    PA_TRY(argument(e, operands[i], &object));
    if (object && PyTuple_SetItem(tuple, i, Py_NewRef(object)) < 0) return pa_python_failure();
  }
  return *out_objects = object ? tuple : NULL, PA_OK;
}

// A number, text or None.
static PyObject *constant(pa_emitter *e, MlirAttribute value) {
  if (mlirAttributeIsAUnit(value)) return Py_None;
  if (mlirAttributeIsAInteger(value))
    return pa_adopt(e->importer, PyLong_FromLongLong(mlirIntegerAttrGetValueSInt(value)));
  if (mlirAttributeIsAString(value)) return pa_adopt(e->importer, PyUnicode_FromString(pa_attr_text(e->arena, value)));
  return NULL;
}

// What is no variable, in a borrowed reference; |*out_object| is NULL for all else.
static pa_status argument(pa_emitter *e, const pa_expression *x, PyObject **out_object) {
  PyObject *parts = NULL;
  *out_object = NULL;
  switch (x->kind) {
  case PA_CONSTANT:
    *out_object = mlirAttributeIsAInteger(x->constant.value) &&
                          !pa_is_signed(pa_scalar_of(mlirAttributeGetType(x->constant.value)))
                      ? NULL
                      : constant(e, x->constant.value);
    return PyErr_Occurred() ? pa_python_failure() : PA_OK;
  case PA_TUPLE:
  case PA_LIST: return arguments(e, x->operands, x->count, out_object);
  case PA_SLICE:
    PA_TRY(arguments(e, x->operands, 3, &parts));
    if (parts)
      *out_object = pa_adopt(
          e->importer, PySlice_New(PyTuple_GetItem(parts, 0), PyTuple_GetItem(parts, 1), PyTuple_GetItem(parts, 2)));
    return parts && !*out_object ? pa_python_failure() : PA_OK;
  default: return pa_resolve(e, x, out_object);
  }
}

//===-- Types that are put together -----------------------------------------------------------------===//

static pa_status finish(pa_emitter *e, const pa_expression *x, PyObject *made, PyObject **out_object) {
  pa_location location = pa_locate(e->function, x->place);
  *out_object = pa_adopt(e->importer, made);
  return made                                      ? PA_OK
         : PyErr_ExceptionMatches(PyExc_Exception) ? pa_python_refusal(e->importer, &location)
                                                   : pa_python_failure();
}

// types.UniTuple(types.int64, count=2)
static pa_status call(pa_emitter *e, const pa_expression *x, PyObject *class, PyObject **out_object) {
  int named = x->keywords.count, given = x->count - 1;
  for (int i = 1; i < x->count; ++i)
    if (x->operands[i]->kind == PA_STARRED) return PA_OK;
  PyObject *values, *keywords = pa_adopt(e->importer, PyDict_New());
  if (!keywords) return pa_python_failure();
  PA_TRY(arguments(e, x->operands + 1, given, &values));
  if (!values) return PA_OK;
  for (int i = 0; i < named; ++i)
    if (PyDict_SetItemString(keywords, x->keywords.names[i], PyTuple_GetItem(values, given - named + i)) < 0)
      return pa_python_failure();
  PyObject *positional = pa_adopt(e->importer, PyTuple_GetSlice(values, 0, given - named));
  return positional ? finish(e, x, PyObject_Call(class, positional, keywords), out_object) : pa_python_failure();
}

// types.float64[:, ::1]
static pa_status subscript(pa_emitter *e, const pa_expression *x, PyObject *type, PyObject **out_object) {
  PyObject *indices;
  PA_TRY(arguments(e, x->operands + 1, x->count - 1, &indices));
  if (!indices) return PA_OK;
  return finish(e, x, PyObject_GetItem(type, x->count == 2 ? PyTuple_GetItem(indices, 0) : indices), out_object);
}

pa_status pa_resolve_type(pa_emitter *e, const pa_expression *x, PyObject **out_object) {
  bool is;
  *out_object = NULL;
  if (x->kind != PA_CALL && x->kind != PA_SUBSCRIPT) return PA_OK;
  PyObject *base = pa_peek(e, x->operands[0]);
  if (!base) return PA_OK;
  PA_TRY(is_type(e, base, x->kind == PA_CALL, &is));
  if (!is) return PA_OK;
  return x->kind == PA_CALL ? call(e, x, base, out_object) : subscript(e, x, base, out_object);
}

MlirValue pa_emit_made_type(pa_emitter *e, const pa_expression *x) {
  PyObject *object;
  pa_status failure = pa_resolve_type(e, x, &object);
  if (failure) pa_set_failure(e, failure);
  if (failure || !object) return (MlirValue){NULL};
  pa_at(e, x->place);
  return pa_emit_object(e, x, object);
}

pa_status pa_emit_type(pa_emitter *e, const pa_expression *x, PyObject *object, MlirValue *out_value) {
  bool is;
  PA_TRY(is_type(e, object, false, &is));
  if (!is) return PA_OK;
  PyObject *module = pa_adopt(e->importer, PyImport_ImportModule("pyarray._types_containers"));
  PyObject *text = module ? pa_adopt(e->importer, PyObject_CallMethod(module, "_without_deferred", "N",
                                                                      PyObject_GetAttrString(object, "code")))
                          : NULL;
  const char *code = text ? pa_python_text(e->importer, text) : NULL;
  if (!code) return pa_python_failure();
  pa_status failure = pa_request_classes(e->importer, code);
  pa_location location = pa_locate(e->function, x->place);
  if (failure && pa_status_code(failure) == PA_CODE_PYTHON &&
      PyErr_ExceptionMatches(PyExc_Exception)) // a type of structs that cannot be
    return pa_status_free(failure), pa_python_refusal(e->importer, &location);
  PA_TRY(failure);
  MlirAttribute name = pa_string_attr(e->importer->context, pa_arena_format(e->arena, "type:%s", code));
  return *out_value = pa_value(&e->builder, PA_OP_NAME(CALLABLE), PA_RESULTS(e->any), PA_ATTRS({"name", name})), PA_OK;
}
