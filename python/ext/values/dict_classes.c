// Counter, OrderedDict and defaultdict of the module collections: dicts with a class in front of their code.
//
//   Counter("ab")                  c[counter]KUq
//   defaultdict(list, {1: [0.5]})  c[builtins.list]KqLd        the factory, a class of Python's
#include "objects.h"

#include <string.h>

// Borrowed; NULL with an exception set.
static PyObject *class_of_collections(const char *name) {
  PyObject *module = PyImport_ImportModule("collections"),
           *class = module ? PyObject_GetAttrString(module, name) : NULL;
  Py_XDECREF(module);
  Py_XDECREF(class); // the module holds it
  return class;
}

// Classes that compiled code makes an empty value of.
static PyTypeObject *const factories[] = {&PyLong_Type,    &PyFloat_Type, &PyComplex_Type,   &PyBool_Type,
                                          &PyUnicode_Type, &PyBytes_Type, &PyByteArray_Type, &PyList_Type,
                                          &PyDict_Type,    &PySet_Type};

static pa_refusal put_factory(PyObject *object, pa_string *out) {
  PyObject *factory = PyObject_GetAttrString(object, "default_factory");
  size_t i = 0, count = sizeof factories / sizeof *factories;
  while (factory && i < count && (PyObject *)factories[i] != factory) ++i;
  Py_XDECREF(factory); // the dict holds it
  if (!factory) return PA_RAISED;
  if (factory == Py_None) return PA_ACCEPTED; // it makes nothing, as a dict
  if (i == count)
    return PyErr_Format(
               PyExc_TypeError,
               "the factory of a defaultdict that is an argument is %R; it must be a class such as int or list",
               factory),
           PA_RAISED;
  return pa_string_format(out, "c[builtins.%s]", factories[i]->tp_name), PA_ACCEPTED;
}

pa_refusal pa_put_dict_class(PyObject *object, pa_string *out, bool *out_known) {
  static const struct {
    const char *name, *code;
  } rows[] = {{"Counter", "c[counter]"}, {"OrderedDict", "c[ordereddict]"}, {"defaultdict", NULL}};
  *out_known = false;
  for (size_t i = 0; i < sizeof rows / sizeof *rows && !*out_known; ++i) {
    const char *name = strrchr(Py_TYPE(object)->tp_name, '.');
    if (strcmp(name ? name + 1 : Py_TYPE(object)->tp_name, rows[i].name) != 0)
      continue; // so that nothing is imported in vain
    PyObject *class = class_of_collections(rows[i].name);
    if (!class) return PA_RAISED;
    *out_known = (PyObject *)Py_TYPE(object) == class;
    if (*out_known && !rows[i].code) return put_factory(object, out);
    if (*out_known) pa_string_puts(out, rows[i].code);
  }
  return PA_ACCEPTED;
}

PyObject *pa_dict_of_class(const pa_type *type, PyObject *dict) {
  if (!dict || !type->name) return dict;
  size_t length = strcspn(type->name, "]");
  char name[32] = {0};
  memcpy(name, type->name, length < sizeof name ? length : sizeof name - 1);
  bool counter = strcmp(name, "counter") == 0, ordered = strcmp(name, "ordereddict") == 0;
  PyObject *class = class_of_collections(counter ? "Counter" : ordered ? "OrderedDict" : "defaultdict"), *made = NULL;
  if (class && (counter || ordered)) made = PyObject_CallOneArg(class, dict);
  for (size_t i = 0; class && !made && !counter && !ordered && i < sizeof factories / sizeof *factories; ++i)
    if (strcmp(name + strlen("builtins."), factories[i]->tp_name) == 0)
      made = PyObject_CallFunctionObjArgs(class, factories[i], dict, NULL);
  Py_DECREF(dict);
  return made;
}
