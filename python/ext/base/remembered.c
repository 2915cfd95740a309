// What raises need again and again: arguments of exceptions, code objects of frames.
#include "ext.h"

enum { MOST_REMEMBERED = 1024 };

PyObject *pa_recall(PyObject *memory, PyObject *key) {
  PyObject *known = memory && key ? PyDict_GetItemWithError(memory, key) : NULL;
  if (!known) PyErr_Clear();
  return known;
}

void pa_remember(PyObject **memory, PyObject *key, PyObject *value) {
  if (!*memory) *memory = PyDict_New();
  if (*memory && PyDict_GET_SIZE(*memory) >= MOST_REMEMBERED) PyDict_Clear(*memory);
  if (!*memory || !key || PyDict_SetItem(*memory, key, value) < 0) PyErr_Clear();
}
