// Whether NumPy's PCG64 is the one of numpy_pcg64.h: where it keeps its state, and what it draws, is tried on an
// object.
#include "numpy_pcg64.h"

#include "ext.h"

uint64_t (*pa_pcg64_next_word)(void *state);

static bool lies_within(const void *address, size_t size, PyObject *object) {
  const char *at = address, *start = (const char *)object;
  return at >= start && at + size <= start + Py_TYPE(object)->tp_basicsize;
}

// A copy of its state draws what it draws.
static bool agrees(bit_generator *bits, PyObject *object) {
  enum { TRIALS = 1000 };
  if (!lies_within(bits->state, sizeof(void *), object)) return false;
  const pa_pcg64 *theirs = *(pa_pcg64 **)bits->state;
  if (!lies_within(theirs, sizeof *theirs, object)) return false;
  pa_pcg64 ours = *theirs;
  for (int i = 0; i < TRIALS; ++i) {
    double number = (double)(pa_pcg64_step(&ours) >> 11) * 0x1p-53;
    if (bits->next_double(bits->state) != number || bits->next_word(bits->state) != pa_pcg64_step(&ours) ||
        memcmp(theirs, &ours, sizeof ours))
      return false;
  }
  return true;
}

void pa_pcg64_learn(void) {
  PyObject *module = PyImport_ImportModule("numpy.random._pcg64");
  PyObject *object = module ? PyObject_CallMethod(module, "PCG64", "i", 1) : NULL;
  PyObject *capsule = object ? PyObject_GetAttrString(object, "capsule") : NULL;
  bit_generator *bits = capsule ? PyCapsule_GetPointer(capsule, "BitGenerator") : NULL;
  if (bits && agrees(bits, object)) pa_pcg64_next_word = bits->next_word;
  Py_XDECREF(capsule);
  Py_XDECREF(object);
  Py_XDECREF(module);
  PyErr_Clear(); // NumPy's functions are called then
}
