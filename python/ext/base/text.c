// str and bytes as arguments and results, and what compiled code prints.
#include "objects.h"

#include <string.h>

PyObject *pa_box_text(int64_t handle) {
  const pa_str *str = pa_object_of(handle);
  if (str->flags & PA_STR_BYTES) return PyBytes_FromStringAndSize(pa_str_content(str), str->length);
  return PyUnicode_FromKindAndData(str->kind, pa_str_content(str), str->length);
}

int64_t pa_unbox_text(PyObject *value) {
  if (PyBytes_Check(value))
    return pa_handle_of(pa_str_copy(PyBytes_AS_STRING(value), 1, PyBytes_GET_SIZE(value), PA_STR_BYTES));
  if (PyUnicode_READY(value) < 0) return 0;
  pa_str *str = pa_str_copy(PyUnicode_DATA(value), PyUnicode_KIND(value), PyUnicode_GET_LENGTH(value), 0);
  Py_hash_t known = ((PyASCIIObject *)value)->hash;
  if (str && known != -1) str->hash = known;
  return pa_handle_of(str);
}

//===-- print -------------------------------------------------------------------------------------===//

static bool print_to_stdout(const char *text, size_t length, bool flush) {
  PyObject *file = PySys_GetObject("stdout"); // borrowed
  if (!file || file == Py_None) return true;
  Py_INCREF(file);
  PyObject *str = PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "surrogatepass");
  bool done = str && PyFile_WriteObject(str, file, Py_PRINT_RAW) == 0;
  Py_XDECREF(str);
  if (done && flush) {
    PyObject *result = PyObject_CallMethod(file, "flush", NULL);
    done = result != NULL;
    Py_XDECREF(result);
  }
  Py_DECREF(file);
  return done;
}

// The exception becomes one of compiled code.
static void fail_to_print(void) {
  bool is_value_error = PyErr_ExceptionMatches(PyExc_ValueError);
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyObject *text = value ? PyObject_Str(value) : NULL;
  const char *message = text ? PyUnicode_AsUTF8(text) : NULL;
  pa_print_failed(is_value_error, message ? message : "print() failed");
  PyErr_Clear();
  Py_XDECREF(text);
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
}

// Called by compiled code, with or without the GIL.
static bool print(const char *text, size_t length, bool flush) {
  PyGILState_STATE state = PyGILState_Ensure();
  bool done = print_to_stdout(text, length, flush);
  if (!done) fail_to_print();
  PyGILState_Release(state);
  return done;
}

// NumPy has not always written exponents where a float32 has no more exact digits.
static int follow_numpy(void) {
  PyObject *number = PyObject_CallFunction((PyObject *)&PyFloatArrType_Type, "d", 1e6),
           *text = number ? PyObject_Str(number) : NULL;
  const char *digits = text ? PyUnicode_AsUTF8(text) : NULL;
  if (digits && !strchr(digits, 'e')) pa_set_scientific(1e16, 1e16);
  Py_XDECREF(number);
  Py_XDECREF(text);
  return digits ? 0 : -1;
}

// Those of this process: PYTHONHASHSEED, and where None lies, are in them.
static int follow_hashes(void) {
  Py_hash_t none = PyObject_Hash(Py_None);
  if (none == -1) return -1;
  pa_set_hashes(PyHash_GetFuncDef()->hash, none);
  return 0;
}

int pa_text_initialize(void) {
  pa_set_print(print);
  return follow_hashes() < 0 ? -1 : follow_numpy();
}
