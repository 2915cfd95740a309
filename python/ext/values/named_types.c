// Classes of named tuples and enums, by class and by name: what their values have in type codes, and which members
// numbers mean. Classes that were met are kept.
#include "objects.h"

#include <string.h>

typedef struct pa_named_type {
  PyTypeObject *class; // NULL: an empty place of the table
  char *code;          // "N[module:Point#0]", "E+[module:Color#0]"; NULL: the class is none of these
  size_t length;       // of |code|
  PyObject *members;   // of an enum whose members are known by number: a list; else NULL
  PyObject *numbers;   // their numbers, by address
} pa_named_type;

static struct {
  pa_named_type *places; // open addressing by class, |capacity| a power of two
  size_t count, capacity;
} table;

static pa_named_type *find_place(PyTypeObject *class) {
  size_t at = ((uintptr_t)class >> 4) * 0x9E3779B97F4A7C15u >> 32;
  while (table.places[at & (table.capacity - 1)].class && table.places[at & (table.capacity - 1)].class != class) ++at;
  return &table.places[at & (table.capacity - 1)];
}

static bool grow(void) {
  size_t old_capacity = table.capacity, capacity = old_capacity ? 2 * old_capacity : 16;
  pa_named_type *old = table.places, *places = PyMem_Calloc(capacity, sizeof *places);
  if (!places) return PyErr_NoMemory(), false;
  table.places = places;
  table.capacity = capacity;
  for (size_t i = 0; i < old_capacity; ++i)
    if (old[i].class) *find_place(old[i].class) = old[i];
  PyMem_Free(old);
  return true;
}

// "E+[module:Color#0]"
static bool read_code(PyObject *description, pa_named_type *type) {
  PyObject *kind = PyObject_GetAttrString(description, "kind"),
           *name = kind ? PyObject_GetAttrString(description, "name") : NULL;
  const char *text = name && PyUnicode_Check(kind) ? PyUnicode_AsUTF8(kind) : NULL;
  if (text) {
    const char *letters = strcmp(text, "namedtuple") == 0 ? "N"
                          : strcmp(text, "int enum") == 0 ? "E+"
                          : strcmp(text, "flag") == 0     ? "E|"
                                                          : "E";
    PyObject *code = PyUnicode_FromFormat("%s[%U]", letters, name);
    Py_ssize_t length;
    const char *bytes = code ? PyUnicode_AsUTF8AndSize(code, &length) : NULL;
    if (bytes && (type->code = PyMem_Malloc((size_t)length + 1))) {
      memcpy(type->code, bytes, (size_t)length + 1);
      type->length = (size_t)length;
    }
    Py_XDECREF(code);
  }
  Py_XDECREF(kind);
  Py_XDECREF(name);
  return !PyErr_Occurred();
}

static bool read_members(pa_named_type *type) {
  type->members = PySequence_List((PyObject *)type->class);
  type->numbers = type->members ? PyDict_New() : NULL;
  bool done = type->numbers != NULL;
  for (Py_ssize_t i = 0; done && i < PyList_GET_SIZE(type->members); ++i) {
    PyObject *key = PyLong_FromVoidPtr(PyList_GET_ITEM(type->members, i)), *number = PyLong_FromSsize_t(i);
    done = key && number && PyDict_SetItem(type->numbers, key, number) == 0;
    Py_XDECREF(key);
    Py_XDECREF(number);
  }
  return done;
}

// The type of the values of |class|, whose |code| may be NULL; NULL with an exception set on failure.
static const pa_named_type *type_of_class(PyTypeObject *class) {
  if (2 * table.count >= table.capacity && !grow()) return NULL;
  pa_named_type *place = find_place(class);
  if (place->class) return place;
  PyObject *description = pa_call_helper("_named", "describe", "(O)", class);
  if (!description) return NULL;
  pa_named_type made = {.class = class};
  bool done = description == Py_None || read_code(description, &made);
  Py_DECREF(description);
  if (done && made.code && made.code[0] == 'E' && made.code[1] == '[') done = read_members(&made);
  if (!done) {
    PyMem_Free(made.code);
    Py_XDECREF(made.members);
    Py_XDECREF(made.numbers);
    return NULL;
  }
  if (2 * table.count >= table.capacity && !grow()) return NULL; // the helper may have come here too
  place = find_place(class);
  if (place->class) return place;
  Py_INCREF(class);
  *place = made;
  ++table.count;
  return place;
}

const char *pa_named_code(PyObject *class) {
  const pa_named_type *type = type_of_class((PyTypeObject *)class);
  return type ? type->code ? type->code : "" : NULL;
}

// By the name in a type code, which ends at "]". NULL with an exception set where this process does not know it.
static const pa_named_type *type_of_name(const char *name) {
  size_t length = strcspn(name, "]") + 1;
  for (size_t i = 0; i < table.capacity; ++i) {
    const pa_named_type *type = &table.places[i];
    if (type->code && type->length > length && memcmp(type->code + type->length - length, name, length) == 0 &&
        type->code[type->length - length - 1] == '[')
      return type;
  }
  PyObject *class = pa_call_helper("_named", "find", "(s#)", name, (Py_ssize_t)length - 1);
  const pa_named_type *type = class ? type_of_class((PyTypeObject *)class) : NULL;
  Py_XDECREF(class); // the module holds it
  return type;
}

//===-- Values ------------------------------------------------------------------------------------===//

pa_refusal pa_put_named_code(PyObject *value, pa_arguments *arguments, bool *out_known) {
  const pa_named_type *type = type_of_class(Py_TYPE(value));
  if (!type) return PA_RAISED;
  *out_known = type->code != NULL;
  if (!type->code) return PA_ACCEPTED;
  if (arguments->code + type->length >= arguments->code_end) return PA_NO_ROOM;
  arguments->code = (char *)memcpy(arguments->code, type->code, type->length) + type->length;
  return PA_ACCEPTED;
}

pa_refusal pa_unbox_member(PyObject *value, pa_arguments *arguments, bool *out_known) {
  pa_refusal refusal = pa_put_named_code(value, arguments, out_known);
  if (refusal || !*out_known) return refusal;
  const pa_named_type *type = type_of_class(Py_TYPE(value));
  PyObject *number = NULL;
  if (type->numbers) {
    PyObject *key = PyLong_FromVoidPtr(value);
    number = key ? Py_XNewRef(PyDict_GetItemWithError(type->numbers, key)) : NULL;
    Py_XDECREF(key);
    if (!number && !PyErr_Occurred()) PyErr_Format(PyExc_TypeError, "%R is not among the members of its class", value);
  } else {
    number = PyObject_GetAttrString(value, "_value_");
  }
  int64_t integer = number ? PyLong_AsLongLong(number) : -1;
  Py_XDECREF(number);
  if (integer == -1 && PyErr_Occurred()) return PA_RAISED;
  *arguments->slot++ = (uint64_t)integer;
  return PA_ACCEPTED;
}

PyObject *pa_box_member(const pa_type *type, int64_t number) {
  const pa_named_type *named = type_of_name(type->name);
  if (!named) return NULL;
  if (!named->members) return PyObject_CallFunction((PyObject *)named->class, "L", (long long)number);
  if (number >= 0 && number < PyList_GET_SIZE(named->members))
    return Py_NewRef(PyList_GET_ITEM(named->members, number));
  return PyErr_Format(PyExc_SystemError, "pyarray: '%s' has no member number %lld", named->class->tp_name,
                      (long long)number);
}

PyObject *pa_named_tuple_of(const pa_type *type, PyObject *tuple) {
  if (!tuple || !type->name) return tuple;
  if (type->name[-2] == 'k') return pa_keywords_of(type, tuple);
  const pa_named_type *named = type_of_name(type->name);
  PyObject *arguments = named ? PyTuple_Pack(1, tuple) : NULL,
           *made = arguments ? PyTuple_Type.tp_new(named->class, arguments, NULL) : NULL;
  Py_XDECREF(arguments);
  Py_DECREF(tuple);
  return made;
}
