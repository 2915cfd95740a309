// Global lists, dicts and sets, for the compiler: their type code, and the bytes that compiled code has of them.
#include "objects.h"

#include <string.h>

#include "runtime/objects/frozen.h"

// |code| and the slot of |value|, which is a list, dict or set, as bytes.
static PyObject *freeze(PyObject *value, const char *code, const uint64_t *slots) {
  pa_string bytes = {0};
  PyObject *frozen = NULL;
  pa_string_append(&bytes, code, strlen(code) + 1);
  if (pa_freeze((int64_t)slots[0], &bytes))
    frozen = PyBytes_FromStringAndSize(bytes.data, (Py_ssize_t)bytes.length);
  else
    PyErr_Format(
        PyExc_TypeError,
        "a %s that holds arrays or instances of classes cannot be a constant of compiled code; pass it as an argument",
        Py_TYPE(value)->tp_name);
  pa_string_free(&bytes);
  return frozen;
}

PyObject *pa_freeze_container(PyObject *module, PyObject *value) {
  (void)module;
  char code[2 * PA_ITEM_CODE + PA_SPARE];
  uint64_t slots[1 + PA_SPARE];
  pa_owner record;
  pa_object_arguments objects = {0};
  pa_arguments arguments = {code, code + 2 * PA_ITEM_CODE, slots, slots + 1, &record, &record, NULL, &objects, NULL,
                            false};
  pa_refusal refusal = pa_unbox(value, &arguments);
  PyObject *frozen = NULL;
  *arguments.code = '\0';
  if (!refusal)
    frozen = freeze(value, code, slots);
  else if (refusal > PA_RAISED)
    pa_raise_refusal(NULL, -1, value, arguments.culprit, refusal);
  else if (refusal == PA_NO_ROOM)
    PyErr_SetString(PyExc_TypeError, "the type of its items is too long");
  pa_objects_discard(&objects);
  return frozen;
}
