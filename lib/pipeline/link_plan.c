// What a kernel is linked with: pyarray.cuda._link.plan says it, for what the module declares.
#include <Python.h>

#include <string.h>

#include "ir/ir.h"
#include "link_plan.h"
#include "support/linked.h"

static pa_status python_failure(void) { return pa_fail(PA_CODE_PYTHON, NULL, "a Python exception was raised"); }

static bool add_number(PyObject *numbers, MlirAttribute number) {
  PyObject *value = PyLong_FromLongLong(mlirIntegerAttrGetValueInt(number));
  bool done = value && PyList_Append(numbers, value) == 0;
  Py_XDECREF(value);
  return done;
}

// A list of the numbers of the objects that declare what the module calls, and that its device functions are linked
// with; a new reference.
static PyObject *declared_in(MlirOperation module) {
  PyObject *numbers = PyList_New(0);
  MlirAttribute links = pa_get_attr(module, PA_LINKS);
  bool done = numbers;
  PA_FOR_EACH_OP(op, pa_module_body(module)) {
    MlirAttribute number = pa_get_attr(op, PA_DECLARED);
    bool linked = !mlirAttributeIsNull(pa_get_attr(op, PA_LINKED)); // other functions have signatures under that name
    if (done && linked && !mlirAttributeIsNull(number)) done = add_number(numbers, number);
  }
  for (intptr_t i = 0; done && !mlirAttributeIsNull(links) && i < mlirArrayAttrGetNumElements(links); ++i)
    done = add_number(numbers, mlirArrayAttrGetElement(links, i));
  if (!done) Py_CLEAR(numbers);
  return numbers;
}

static PyObject *ask(PyObject *numbers, const pyarray_compile_request *request) {
  PyObject *module = PyImport_ImportModule("pyarray.cuda._link");
  PyObject *plan =
      module ? PyObject_CallMethod(module, "plan", "OOsziiiii", request->link ? (PyObject *)request->link : Py_None,
                                   numbers, request->target, request->cpu, request->lto, request->debug,
                                   request->lineinfo, request->fastmath, !request->no_fma)
             : NULL;
  Py_XDECREF(module);
  return plan;
}

// Of a pair (name, bytes); false with an exception set.
static bool read_pair(PyObject *name, PyObject *bytes, const char **out_name, const char **out_bytes,
                      size_t *out_size) {
  Py_ssize_t size = 0;
  char *data = NULL;
  *out_name = PyUnicode_AsUTF8AndSize(name, NULL);
  if (!*out_name || PyBytes_AsStringAndSize(bytes, &data, &size) < 0) return false;
  *out_bytes = data;
  *out_size = (size_t)size;
  return true;
}

static bool read_bitcode(PyObject *list, pa_arena *arena, pa_link_plan *plan) {
  Py_ssize_t count = PyList_Size(list);
  plan->bitcode = PA_NEW_ARRAY(arena, pa_codegen_bitcode, count + 1);
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject *pair = PyList_GetItem(list, i);
    pa_codegen_bitcode *to = &plan->bitcode[i];
    if (!read_pair(PyTuple_GetItem(pair, 0), PyTuple_GetItem(pair, 1), &to->name, &to->bytes, &to->size)) return false;
    to->name = pa_arena_copy(arena, to->name, strlen(to->name));
    to->bytes = pa_arena_copy(arena, to->bytes, to->size);
  }
  plan->bitcode_count = (size_t)count;
  return true;
}

// The numbers, "0,3", in a record of their own: the extension finds callbacks by them.
static bool put_numbers(PyObject *numbers, pa_link_plan *plan) {
  pyarray_linked_code header = {PYARRAY_LINKED_NUMBERS, 0};
  pa_string_append(&plan->inputs, (const char *)&header, sizeof header);
  for (Py_ssize_t i = 0; i < PyList_Size(numbers); ++i)
    pa_string_format(&plan->inputs, i ? ",%ld" : "%ld", PyLong_AsLong(PyList_GetItem(numbers, i)));
  pa_string_append(&plan->inputs, "", 1);
  return true;
}

// An input of the kind PYARRAY_LINKED_NVVM_IR stands for the kernel itself.
static bool read_inputs(PyObject *list, pa_arena *arena, pa_link_plan *plan) {
  for (Py_ssize_t i = 0; i < PyList_Size(list); ++i) {
    PyObject *input = PyList_GetItem(list, i);
    const char *name, *bytes;
    size_t size;
    if (!read_pair(PyTuple_GetItem(input, 1), PyTuple_GetItem(input, 2), &name, &bytes, &size)) return false;
    pyarray_linked_code header = {PyLong_AsLongLong(PyTuple_GetItem(input, 0)), (int64_t)size};
    if (header.kind == PYARRAY_LINKED_NVVM_IR) {
      plan->nvvm_options = pa_arena_copy(arena, name, strlen(name));
      continue;
    }
    pa_string_append(&plan->inputs, (const char *)&header, sizeof header);
    pa_string_append(&plan->inputs, name, strlen(name) + 1);
    pa_string_append(&plan->inputs, bytes, size);
  }
  return true;
}

static bool read_plan(PyObject *answer, pa_arena *arena, pa_link_plan *plan) {
  const char *shown = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(answer, 2), NULL);
  if (!shown || !read_bitcode(PyTuple_GetItem(answer, 0), arena, plan) ||
      !read_inputs(PyTuple_GetItem(answer, 1), arena, plan))
    return false;
  plan->shown = pa_arena_copy(arena, shown, strlen(shown));
  return true;
}

pa_status pa_plan_links(MlirOperation module, const pyarray_compile_request *request, pa_arena *arena,
                        pa_link_plan *out_plan) {
  PyObject *numbers = declared_in(module);
  if (!numbers) return python_failure();
  bool any = PyList_Size(numbers) || (request->link && PyObject_Size(request->link));
  PyObject *answer = any ? ask(numbers, request) : NULL;
  bool done = !any || (answer && put_numbers(numbers, out_plan) && read_plan(answer, arena, out_plan));
  Py_XDECREF(answer);
  Py_DECREF(numbers);
  return done ? PA_OK : python_failure();
}
