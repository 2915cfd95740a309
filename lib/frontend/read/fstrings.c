// f-strings: a call of str.format, whose template has their text and specifications.
//
//   f"{x:>{w}} of {n!r}"     "{:>{}} of {}".format(x, w, repr(n))
#include <Python.h>

#include "reader.h"

typedef struct fstring {
  pa_reader *reader;
  pa_string template;
  pa_expression **values;
  size_t count, capacity;
} fstring;

static pa_status read_parts(fstring *f, PyObject *joined);

static pa_status put_constant(fstring *f, PyObject *node) {
  PyObject *value = pa_field_of(f->reader, node, PA_FIELD_value);
  Py_ssize_t length;
  const char *text = value ? PyUnicode_AsUTF8AndSize(value, &length) : NULL;
  if (!text) return pa_python_failure();
  for (Py_ssize_t i = 0; i < length; ++i) {
    if (text[i] == '{' || text[i] == '}') pa_string_append(&f->template, &text[i], 1);
    pa_string_append(&f->template, &text[i], 1);
  }
  return PA_OK;
}

// Calls str, repr or ascii of the latest value.
static void convert(fstring *f, char letter) {
  pa_expression *value = f->values[f->count - 1], *call = pa_new_expression(f->reader, PA_INTERNAL, value->place, 1);
  call->text = letter == 'r' ? "builtins.repr" : letter == 's' ? "builtins.str" : "builtins.ascii";
  call->operands[0] = value;
  call->binds = value->binds;
  f->values[f->count - 1] = call;
}

static pa_status put_field(fstring *f, PyObject *node) {
  PyObject *value = pa_field_of(f->reader, node, PA_FIELD_value),
           *conversion = pa_field_of(f->reader, node, PA_FIELD_conversion);
  PyObject *specification = pa_field_of(f->reader, node, PA_FIELD_format_spec);
  if (!value || !conversion || !specification) return pa_python_failure();
  f->values = pa_arena_grow(f->reader->importer->arena, f->values, f->count, &f->capacity, sizeof *f->values);
  PA_TRY(pa_read_expression(f->reader, value, &f->values[f->count++]));
  long letter = PyLong_AsLong(conversion);
  if (letter > 0) convert(f, (char)letter);
  pa_string_puts(&f->template, "{");
  if (!Py_IsNone(specification)) {
    pa_string_puts(&f->template, ":");
    PA_TRY(read_parts(f, specification));
  }
  return pa_string_puts(&f->template, "}"), PA_OK;
}

static pa_status read_parts(fstring *f, PyObject *joined) {
  PyObject *parts = pa_field_of(f->reader, joined, PA_FIELD_values);
  Py_ssize_t count = parts ? PyList_Size(parts) : -1;
  if (count < 0) return pa_python_failure();
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject *part = PyList_GetItem(parts, i);
    pa_class class;
    PA_TRY(pa_class_of(f->reader, part, &class));
    PA_TRY(class == PA_CLASS_Constant ? put_constant(f, part) : put_field(f, part));
  }
  return PA_OK;
}

pa_status pa_read_fstring(pa_reader *reader, PyObject *node, pa_place place, pa_expression **out_expression) {
  fstring f = {.reader = reader};
  pa_status status = read_parts(&f, node);
  pa_expression *template = pa_new_expression(reader, PA_CONSTANT, place, 0);
  template->constant.value =
      mlirStringAttrGet(reader->importer->context, mlirStringRefCreate(pa_string_text(&f.template), f.template.length));
  template->constant.truth = f.template.length > 0;
  pa_string_free(&f.template);
  if (status) return status;
  pa_expression *method = pa_new_expression(reader, PA_ATTRIBUTE, place, 1);
  method->text = "format";
  method->operands[0] = template;
  pa_expression *call = *out_expression = pa_new_expression(reader, PA_CALL, place, 1 + (int)f.count);
  call->capacity = call->count;
  call->operands[0] = method;
  for (size_t i = 0; i < f.count; ++i) call->operands[1 + i] = f.values[i];
  return PA_OK;
}
