// Instances of compiled classes on Python's side: an object that holds a handle, and descriptors of its fields. An
// instance has one such object at a time, which its owner points to, so that what goes into compiled code and comes
// back is the same object.
#include "objects.h"
#include "support/fork.h"

#include <stdlib.h>
#include <string.h>

typedef struct instance {
  PyObject_HEAD int64_t handle;
  PyObject *weak_references;
} instance;

static PyObject *classes; // "module:Class#0" -> class
static PyObject *proxies; // the same -> class of the objects that Python has of instances

//===-- Objects that instances hold ---------------------------------------------------------------===//

// Changes that threads without the interpreter lock have asked for. What is to be held is held by the call until it
// ends.
PA_FORK_LOCK(lock)
typedef struct change {
  PyObject *object;
  int by;
} change;
static change *waiting;
static size_t waiting_count, waiting_capacity;
volatile bool pa_references_wait;

void pa_references_catch_up(void) {
  pthread_mutex_lock(&lock);
  change *taken = waiting;
  size_t count = waiting_count;
  waiting = NULL;
  waiting_count = waiting_capacity = 0;
  pa_references_wait = false;
  pthread_mutex_unlock(&lock);
  for (size_t i = 0; i < count; ++i) // what is held first
    if (taken[i].by > 0) Py_INCREF(taken[i].object);
  for (size_t i = 0; i < count; ++i)
    if (taken[i].by < 0) Py_DECREF(taken[i].object);
  free(taken);
}

static void wait_for_lock(PyObject *object, int by) {
  pthread_mutex_lock(&lock);
  if (waiting_count == waiting_capacity) {
    size_t capacity = waiting_capacity ? 2 * waiting_capacity : 64;
    void *grown = realloc(waiting, capacity * sizeof *waiting);
    if (grown) waiting = grown, waiting_capacity = capacity;
  }
  if (waiting_count < waiting_capacity) waiting[waiting_count++] = (change){object, by};
  pa_references_wait = true;
  pthread_mutex_unlock(&lock);
}

static void change_reference(void *object, int by) {
  if (!PyGILState_Check())
    wait_for_lock(object, by);
  else if (by > 0)
    Py_INCREF(object);
  else
    Py_DECREF(object);
}

//===-- Instances ---------------------------------------------------------------------------------===//

// Takes the reference to |handle| over.
static PyObject *instance_for(PyTypeObject *type, int64_t handle) {
  instance *self = handle ? (instance *)type->tp_alloc(type, 0) : NULL;
  if (!self) {
    pyarray_rt_release(handle);
    return handle ? NULL : PyErr_NoMemory();
  }
  self->handle = handle;
  pa_owner_of(handle)->proxy = self;
  return (PyObject *)self;
}

static PyObject *instance_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  (void)arguments, (void)keywords;
  PyObject *layout = PyObject_GetAttrString((PyObject *)type, "__pyarray_layout__");
  void *class = layout ? PyLong_AsVoidPtr(layout) : NULL;
  Py_XDECREF(layout);
  if (!class) return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "%s has no instances", type->tp_name);
  return instance_for(type, pa_handle_of(pa_instance_new(class)));
}

static void instance_dealloc(PyObject *object) {
  instance *self = (instance *)object;
  if (self->weak_references) PyObject_ClearWeakRefs(object);
  if (self->handle) pa_owner_of(self->handle)->proxy = NULL;
  pyarray_rt_release(self->handle);
  Py_TYPE(object)->tp_free(object); // the class, which is never this one itself, is released by its own dealloc
}

static PyObject *refuse_pickling(PyObject *self, PyObject *unused) {
  (void)unused;
  return PyErr_Format(PyExc_TypeError,
                      "cannot pickle an instance of the compiled class '%s'; pickle its fields, and make it anew",
                      Py_TYPE(self)->tp_name);
}

static PyMethodDef instance_methods[] = {
    {"__reduce_ex__", refuse_pickling, METH_O, "Instances cannot be pickled or copied."},
    {NULL, NULL, 0, NULL},
};

PyTypeObject pa_instance_class = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.Instance",
    .tp_basicsize = sizeof(instance),
    .tp_weaklistoffset = offsetof(instance, weak_references),
    .tp_dealloc = instance_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_new = instance_new,
    .tp_methods = instance_methods,
    .tp_doc = "An instance of a compiled class.",
};

static const pa_instance_type *type_of(PyObject *object) {
  return (const pa_instance_type *)pa_type_of(pa_object_of(((instance *)object)->handle));
}

pa_refusal pa_unbox_instance(PyObject *object, pa_arguments *arguments) {
  const pa_instance_type *type = type_of(object);
  if (arguments->code + type->code_length >= arguments->code_end) return PA_NO_ROOM;
  memcpy(arguments->code, type->code, (size_t)type->code_length);
  arguments->code += type->code_length;
  *arguments->slot++ = (uint64_t)((instance *)object)->handle;
  return PA_ACCEPTED;
}

// What |table| has for the name of a class; NULL, also without an exception. Types of structs are made when they are
// first asked for.
static PyObject *find_in(PyObject **table, PyObject *name) {
  PyObject *found = *table ? PyDict_GetItemWithError(*table, name) : NULL;
  if (found || PyErr_Occurred() || PyUnicode_FindChar(name, '(', 0, PyUnicode_GetLength(name), 1) < 0) return found;
  PyObject *type = pa_call_helper("_types_structs", "find", "(O)", name);
  Py_XDECREF(type);
  return type && *table ? PyDict_GetItemWithError(*table, name) : NULL;
}

PyObject *pa_class_named(const char *name, size_t length) {
  PyObject *key = PyUnicode_FromStringAndSize(name, (Py_ssize_t)length);
  PyObject *class = key ? find_in(&classes, key) : NULL;
  if (!class && key && !PyErr_Occurred())
    PyErr_Format(PyExc_TypeError, "there is no jitclass '%U' in this process", key);
  Py_XDECREF(key);
  return class;
}

bool pa_compares_by_identity(const pa_type *type) {
  PyObject *name = PyUnicode_FromStringAndSize(type->elements, (Py_ssize_t)strcspn(type->elements, "]"));
  PyObject *class = name ? find_in(&proxies, name) : NULL;
  Py_XDECREF(name);
  PyErr_Clear();
  return class && ((PyTypeObject *)class)->tp_richcompare == PyBaseObject_Type.tp_richcompare;
}

PyObject *pa_box_instance(const pa_type *type, int64_t handle) {
  PyObject *proxy = handle ? pa_owner_of(handle)->proxy : NULL;
  if (proxy) {
    Py_INCREF(proxy);
    pyarray_rt_release(handle);
    return proxy;
  }
  PyObject *name = PyUnicode_FromStringAndSize(type->elements, (Py_ssize_t)strcspn(type->elements, "]"));
  PyObject *class = name ? find_in(&proxies, name) : NULL;
  if (!class && name && !PyErr_Occurred())
    PyErr_Format(PyExc_TypeError,
                 "instances of '%U' have no class in Python; structref.define_boxing() gives structs one", name);
  Py_XDECREF(name);
  if (class) return instance_for((PyTypeObject *)class, handle);
  pyarray_rt_release(handle);
  return NULL;
}

//===-- Fields ------------------------------------------------------------------------------------===//

typedef struct field {
  PyObject_HEAD PyObject *name;
  char *code;
  int64_t offset, end; // in the instance
} field;

static void field_dealloc(PyObject *object) {
  Py_XDECREF(((field *)object)->name);
  PyMem_Free(((field *)object)->code);
  Py_TYPE(object)->tp_free(object);
}

// Whether it holds an object, an array or text, and was never set.
static bool is_unset(const field *self, const char *at) {
  pa_type type;
  int64_t word;
  pa_type_next(self->code, &type);
  if (!pa_type_is_array(&type) && !pa_type_is_handle(&type)) return false;
  memcpy(&word, at + self->offset, sizeof word);
  return !word;
}

static PyObject *field_get(PyObject *descriptor, PyObject *object, PyObject *type) {
  (void)type;
  const field *self = (field *)descriptor;
  if (!object) return Py_NewRef(descriptor);
  const char *at = pa_object_of(((instance *)object)->handle), *code = self->code;
  int64_t offset = self->offset, integer;
  double number;
  if (*code == 'd') return memcpy(&number, at + offset, sizeof number), PyFloat_FromDouble(number);
  if (*code == 'q') return memcpy(&integer, at + offset, sizeof integer), PyLong_FromLongLong(integer);
  if (is_unset(self, at))
    return PyErr_Format(PyExc_AttributeError, "'%s' object has no attribute '%U'", Py_TYPE(object)->tp_name,
                        self->name);
  pa_boxing boxing = {.dispatcher = object};
  return pa_box_item(&code, at, &offset, &boxing);
}

// References of their own for the owners in slots; what is None has none.
void pa_hold_slots(const char **code, uint64_t **slots) {
  pa_type type;
  const char *start = *code, *at;
  *code = pa_type_next(start, &type);
  at = type.elements;
  if (type.kind == PA_TYPE_TUPLE) {
    while (*at != ')') pa_hold_slots(&at, slots);
    return;
  }
  if (type.kind == PA_TYPE_OPTIONAL) {
    bool some = *(*slots)++ & 1;
    if (some)
      pa_hold_slots(&at, slots);
    else
      *slots += pa_type_slots(at);
    return;
  }
  int owner = 3 + 2 * pa_type_axes(&type);
  if (pa_type_is_array(&type)) (*slots)[owner] = (uint64_t)pyarray_rt_keep((int64_t)(*slots)[owner]);
  if (pa_type_is_handle(&type)) pyarray_rt_retain((int64_t)**slots);
  *slots += pa_type_slots(start);
}

// The old value goes when the new one is in its place: its end may run Python code.
static bool replace(const field *self, PyObject *object, uint64_t *slots) {
  char *at = pa_object_of(((instance *)object)->handle);
  const pa_item_type *type = type_of(object)->fields;
  int64_t *old = PyMem_Malloc(((size_t)type->handle_count + 1) * sizeof *old), offset = self->offset;
  const char *code = self->code;
  uint64_t *held = slots;
  const uint64_t *stored = slots;
  int count = 0;
  if (!old) return PyErr_NoMemory(), false;
  for (int i = 0; i < type->handle_count; ++i)
    if (type->handles[i] >= self->offset && type->handles[i] < self->end)
      memcpy(&old[count++], at + type->handles[i], sizeof *old);
  pa_hold_slots(&code, &held);
  code = self->code;
  pa_store_item(&code, &stored, at, &offset);
  while (count) pyarray_rt_release(old[--count]);
  PyMem_Free(old);
  return true;
}

static bool set_unboxed(const field *self, PyObject *object, PyObject *value, const char *from, const uint64_t *slots) {
  uint64_t on_stack[64], *fitting = on_stack;
  int64_t count = pa_type_slots(self->code);
  const char *to = self->code;
  if (count > 64) fitting = PyMem_Malloc((size_t)count * sizeof *fitting);
  if (!fitting) return PyErr_NoMemory(), false;
  uint64_t *out = fitting;
  bool done = pa_fit_slots(&from, &slots, &to, &out);
  if (!done && !PyErr_Occurred()) {
    PyObject *expected = pa_call_helper("types", "from_code", "(s)", self->code);
    PyObject *given = expected ? pa_call_helper("_report", "given_type", "(O)", value) : NULL;
    if (given)
      PyErr_Format(PyExc_TypeError, "field '%U' of '%s' is %S; a value of type %S does not fit", self->name,
                   Py_TYPE(object)->tp_name, expected, given);
    Py_XDECREF(given);
    Py_XDECREF(expected);
  }
  done = done && replace(self, object, fitting);
  if (fitting != on_stack) PyMem_Free(fitting);
  return done;
}

static void say_which_field(const field *self, PyObject *object) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyObject *where = PyUnicode_FromFormat("field '%U' of '%s'", self->name, Py_TYPE(object)->tp_name);
  PyErr_Restore(type, value, traceback);
  pa_say_where(where);
}

static int field_set(PyObject *descriptor, PyObject *object, PyObject *value) {
  const field *self = (field *)descriptor;
  if (!value)
    return PyErr_Format(PyExc_AttributeError, "field '%U' of '%s' cannot be deleted", self->name,
                        Py_TYPE(object)->tp_name),
           -1;
  for (size_t room = 256;; room *= 4) {
    char *memory = PyMem_Malloc(room * (1 + 8 + sizeof(pa_owner)));
    if (!memory) return PyErr_NoMemory(), -1;
    pa_owner *records = (pa_owner *)memory;
    uint64_t *slots = (uint64_t *)(records + room);
    char *code = (char *)(slots + room);
    pa_object_arguments objects = {0};
    pa_arguments arguments = {
        code, code + room - PA_SPARE, slots, slots + room - PA_SPARE, records, records + room, NULL, &objects, NULL,
        false};
    pa_refusal refusal = pa_unbox(value, &arguments);
    bool done = false;
    if (!refusal) *arguments.code = '\0', done = set_unboxed(self, object, value, code, slots);
    if (refusal > PA_RAISED) pa_raise_refusal(NULL, -1, value, arguments.culprit, refusal);
    if (refusal == PA_RAISED) say_which_field(self, object);
    pa_objects_discard(&objects);
    PyMem_Free(memory);
    if (refusal != PA_NO_ROOM) return done ? 0 : -1;
  }
}

static PyObject *field_type(PyObject *object, void *unused) {
  (void)unused;
  return pa_call_helper("types", "from_code", "(s)", ((field *)object)->code);
}

static PyObject *field_name(PyObject *object, void *unused) {
  (void)unused;
  return Py_NewRef(((field *)object)->name);
}

static PyGetSetDef field_attributes[] = {
    {"__name__", field_name, NULL, "Name of the field.", NULL},
    {"type", field_type, NULL, "Type of the field.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyTypeObject field_class = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray.Field",
    .tp_basicsize = sizeof(field),
    .tp_dealloc = field_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_descr_get = field_get,
    .tp_descr_set = field_set,
    .tp_getset = field_attributes,
    .tp_doc = "A field of the instances of a compiled class.",
};

static PyObject *new_field(PyObject *name, const char *code, const pa_item_type *type, int32_t part) {
  size_t length = (size_t)(pa_type_next(code, NULL) - code);
  field *made = PyObject_New(field, &field_class);
  if (!made) return NULL;
  made->name = Py_NewRef(name);
  made->code = PyMem_Calloc(1, length + 1);
  if (!made->code) return Py_DECREF(made), PyErr_NoMemory();
  memcpy(made->code, code, length);
  int32_t next = type->parts[part].end;
  made->offset = type->parts[part].offset;
  made->end = next < type->part_count ? type->parts[next].offset : type->size;
  return (PyObject *)made;
}

//===-- Classes -----------------------------------------------------------------------------------===//

static PyObject *register_class(PyObject *module, PyObject *arguments) {
  (void)module;
  PyObject *name, *class, *proxy;
  if (!PyArg_ParseTuple(arguments, "UO!O", &name, &PyType_Type, &class, &proxy)) return NULL;
  if (!classes && !(classes = PyDict_New())) return NULL;
  if (!proxies && !(proxies = PyDict_New())) return NULL;
  if (!Py_IsNone(proxy) && (!PyType_Check(proxy) || !PyType_IsSubtype((PyTypeObject *)proxy, &pa_instance_class)))
    return PyErr_Format(PyExc_TypeError, "%R is no class of instances", proxy);
  if (PyDict_SetItem(classes, name, class) < 0 || (!Py_IsNone(proxy) && PyDict_SetItem(proxies, name, proxy) < 0))
    return NULL;
  Py_RETURN_NONE;
}

static PyObject *find_class(PyObject *module, PyObject *arguments) {
  (void)module;
  const char *name;
  Py_ssize_t length;
  if (!PyArg_ParseTuple(arguments, "s#", &name, &length)) return NULL;
  return Py_XNewRef(pa_class_named(name, (size_t)length));
}

// (name, names of fields, code of their tuple) -> (layout, descriptors of the fields)
static PyObject *class_layout(PyObject *module, PyObject *arguments) {
  (void)module;
  const char *name, *code;
  PyObject *names;
  if (!PyArg_ParseTuple(arguments, "sO!s", &name, &PyTuple_Type, &names, &code)) return NULL;
  if (!pa_type_is_valid(code) || *code != '(')
    return PyErr_Format(PyExc_TypeError,
                        "'%s' is not the type of fields: malformed, or nested more than %d levels deep", code,
                        PA_TYPE_MAX_DEPTH);
  pa_string text = {0}, item = {0};
  pa_item_code_of(code, &item);
  pa_string_format(&text, "%s=%s", name, pa_string_text(&item));
  const pa_instance_type *type = pa_instance_type_get(pa_string_text(&text));
  pa_string_free(&text);
  pa_string_free(&item);
  if (!type)
    return PyErr_Format(PyExc_TypeError, "values of the types of the fields of '%s' cannot be in an instance", name);
  PyObject *fields = PyList_New(0);
  const char *at = code + 1;
  for (int32_t part = 1, i = 0; fields && *at != ')';
       part = type->fields->parts[part].end, at = pa_type_next(at, NULL), ++i) {
    PyObject *made = new_field(PyTuple_GET_ITEM(names, i), at, type->fields, part);
    if (!made || PyList_Append(fields, made) < 0) Py_CLEAR(fields);
    Py_XDECREF(made);
  }
  return fields ? Py_BuildValue("(NN)", PyLong_FromVoidPtr((void *)type), fields) : NULL;
}

static PyMethodDef functions[] = {
    {"register_class", register_class, METH_VARARGS,
     "Note that a name, 'module:Class#0', is that of a compiled class, and which class its instances have in Python."},
    {"find_class", find_class, METH_VARARGS, "The compiled class of that name."},
    {"class_layout", class_layout, METH_VARARGS,
     "Layout of the instances of a class, and descriptors of their fields."},
    {NULL, NULL, 0, NULL},
};

int pa_instance_initialize(PyObject *module) {
  pa_set_reference_change(change_reference);
  if (PyType_Ready(&field_class) < 0 || PyModule_AddType(module, &pa_instance_class) < 0) return -1;
  return PyModule_AddFunctions(module, functions);
}
