// NumPy's Generators and BitGenerators as arguments and results.
//
//   np.random.default_rng(1)     -> "rg"   the slots of an array over the words of its bitgen_t
//
// Whoever holds the array holds the object, so that a result is the object itself.
#include "objects.h"

enum { WORDS = 5 }; // of NumPy's bitgen_t: its state and four functions

// The class if its module has been imported: else no object of it is there. Borrowed, NULL without an exception.
static PyTypeObject *class_of(PyTypeObject **kept, const char *module_name, const char *name) {
  if (*kept) return *kept;
  PyObject *text = PyUnicode_FromString(module_name), *module = text ? PyImport_GetModule(text) : NULL;
  PyObject *found = module ? PyObject_GetAttrString(module, name) : NULL;
  Py_XDECREF(text);
  Py_XDECREF(module);
  if (found && PyType_Check(found))
    *kept = (PyTypeObject *)found; // never let go
  else
    Py_XDECREF(found);
  PyErr_Clear();
  return *kept;
}

static char letter_of(PyObject *value) {
  static PyTypeObject *generator, *bits;
  PyTypeObject *class = class_of(&generator, "numpy.random._generator", "Generator");
  if (class && PyObject_TypeCheck(value, class)) return 'g';
  class = class_of(&bits, "numpy.random.bit_generator", "BitGenerator");
  return class && PyObject_TypeCheck(value, class) ? 'b' : 0;
}

// NULL with an exception set. It lives as long as the object.
static void *bitgen_of(PyObject *value, char letter) {
  PyObject *bits = letter == 'g' ? PyObject_GetAttrString(value, "bit_generator") : Py_NewRef(value);
  PyObject *capsule = bits ? PyObject_GetAttrString(bits, "capsule") : NULL;
  void *bitgen = capsule ? PyCapsule_GetPointer(capsule, "BitGenerator") : NULL;
  Py_XDECREF(capsule);
  Py_XDECREF(bits);
  return bitgen;
}

pa_refusal pa_unbox_random(PyObject *value, pa_arguments *arguments, bool *out_known) {
  char letter = arguments->objects ? letter_of(value) : 0; // a kernel has none
  *out_known = letter != 0;
  if (!letter) return PA_ACCEPTED;
  bool is_item = !arguments->record && arguments->objects; // of a container, which may outlive the call
  uint64_t *slot = arguments->slot;
  if (slot + 6 > arguments->slot_end || (!is_item && arguments->record == arguments->record_end)) return PA_NO_ROOM;
  void *bitgen = bitgen_of(value, letter);
  if (!bitgen) return PA_RAISED;
  int64_t owner = is_item ? pa_keep_array(value, arguments->objects) : pa_owner_borrow(arguments->record++, value);
  if (!owner) return PA_RAISED;
  slot[0] = slot[1] = (uint64_t)(uintptr_t)bitgen;
  slot[2] = 0;
  slot[3] = WORDS;
  slot[4] = 1;
  slot[5] = (uint64_t)owner;
  arguments->slot = slot + 6;
  *arguments->code++ = 'r';
  *arguments->code++ = letter;
  return PA_ACCEPTED;
}

PyObject *pa_box_random(const uint64_t **slots) {
  int64_t owner = (int64_t)(*slots)[5];
  *slots += 6;
  PyObject *object = pa_kept_object(owner);
  if (!object) {
    PyErr_SetString(PyExc_SystemError, "pyarray: a Generator without its object");
    return NULL;
  }
  Py_INCREF(object);
  if (pa_owner_of(owner)->kind != PA_OWNER_BORROWED) pyarray_rt_release(owner);
  return object;
}
