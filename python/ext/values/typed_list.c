// TypedList, TypedDict and TypedSet: containers of the runtime that Python holds by their handles. pyarray.typed adds
// the methods.
#include "objects.h"

#include <string.h>

typedef struct typed {
  PyObject_HEAD int64_t handle; // 0: the type of its items is not known yet
  char *code;                   // of the items; of a dict that of its keys and that of its values
} typed;

static char letter_of(PyObject *self) {
  return PyObject_TypeCheck(self, &pa_typed_list_type)   ? 'L'
         : PyObject_TypeCheck(self, &pa_typed_dict_type) ? 'K'
                                                         : 'S';
}

int64_t pa_typed_handle(PyObject *object) { return ((const typed *)object)->handle; }
const char *pa_typed_code(PyObject *object) { return ((const typed *)object)->code; }

static void typed_dealloc(PyObject *self) {
  pyarray_rt_release(((typed *)self)->handle);
  PyMem_Free(((typed *)self)->code);
  Py_TYPE(self)->tp_free(self);
}

static const pa_item_type *item_type(const char *code, size_t length) {
  pa_string item = {0}, part = {0};
  pa_string_append(&part, code, length);
  pa_item_code_of(pa_string_text(&part), &item);
  const pa_item_type *type = pa_item_type_get(pa_string_text(&item));
  pa_string_free(&part);
  pa_string_free(&item);
  return type;
}

static int64_t new_container(char letter, const char *code, Py_ssize_t capacity) {
  size_t first = (size_t)(pa_type_next(code, NULL) - code);
  const pa_item_type *item = item_type(code, first),
                     *value = letter == 'K' ? item_type(code + first, strlen(code + first)) : NULL;
  if (!item || (letter == 'K' && !value)) return 0;
  return letter == 'L' ? pa_handle_of(pa_list_new(item, capacity)) : pa_handle_of(pa_dict_new(item, value, capacity));
}

static bool has_item_types(char letter, const char *code) {
  size_t first = (size_t)(pa_type_next(code, NULL) - code);
  return item_type(code, first) && (letter != 'K' || item_type(code + first, strlen(code + first)));
}

static bool is_type_of(char letter, const char *code) {
  pa_string whole = {0};
  pa_string_append(&whole, &letter, 1);
  pa_string_puts(&whole, code);
  bool valid = pa_type_is_valid(pa_string_text(&whole));
  pa_string_free(&whole);
  return valid;
}

static PyObject *refuse_items(char letter, const char *code) {
  if (!is_type_of(letter, code))
    return PyErr_Format(PyExc_TypeError, "values of this type cannot be in a typed container");
  size_t first = (size_t)(pa_type_next(code, NULL) - code);
  bool second = letter == 'K' && item_type(code, first);
  PyObject *type = pa_call_helper("types", "from_code", "(s#)", second ? code + first : code,
                                  (Py_ssize_t)(second ? strlen(code + first) : first));
  if (type) PyErr_Format(PyExc_TypeError, "values of type %S cannot be in a typed container", type);
  Py_XDECREF(type);
  return NULL;
}

static PyObject *make(PyObject *object, PyObject *arguments) {
  typed *self = (typed *)object;
  const char *code;
  Py_ssize_t length, capacity;
  char letter = letter_of(object);
  if (!PyArg_ParseTuple(arguments, "s#n", &code, &length, &capacity)) return NULL;
  if (self->handle) return PyErr_Format(PyExc_TypeError, "the container has items of a type already");
  if (!is_type_of(letter, code)) return refuse_items(letter, code);
  int64_t handle = new_container(letter, code, capacity);
  if (!handle && !has_item_types(letter, code)) return refuse_items(letter, code);
  char *copy = handle ? PyMem_Malloc((size_t)length + 1) : NULL;
  if (!copy) {
    if (handle) pyarray_rt_release(handle);
    return PyErr_NoMemory();
  }
  self->code = memcpy(copy, code, (size_t)length + 1);
  self->handle = handle;
  pa_set_typed(pa_object_of(handle), true);
  Py_RETURN_NONE;
}

static PyObject *box_items(PyObject *object, bool shares) {
  typed *self = (typed *)object;
  pa_boxing boxing = {.dispatcher = object, .containers = shares ? PA_BOX_SHARED : PA_BOX_COPIED};
  char letter = letter_of(object);
  if (!self->handle) return letter == 'L' ? PyList_New(0) : letter == 'K' ? PyDict_New() : PySet_New(NULL);
  if (letter == 'L') return pa_box_list_items(self->code, pa_object_of(self->handle), &boxing);
  return pa_box_dict(self->code, pa_object_of(self->handle), &boxing);
}

static PyObject *copy_items(PyObject *object, PyObject *unused) { return (void)unused, box_items(object, false); }
static PyObject *share_items(PyObject *object, PyObject *unused) { return (void)unused, box_items(object, true); }

PyObject *pa_share_container(const pa_type *type, int64_t handle) {
  const char *name = type->kind == PA_TYPE_LIST   ? "List"
                     : type->kind == PA_TYPE_DICT ? "Dict"
                                                  : "Set",
             *end = pa_type_next(type->elements, NULL);
  if (type->kind == PA_TYPE_DICT) end = pa_type_next(end, NULL);
  size_t length = (size_t)(end - type->elements);
  PyObject *module = PyImport_ImportModule("pyarray.typed"),
           *made = module ? PyObject_CallMethod(module, name, NULL) : NULL;
  typed *self = (typed *)made;
  Py_XDECREF(module);
  if (!self) return NULL;
  self->code = PyMem_Malloc(length + 1);
  if (!self->code) {
    Py_DECREF(made);
    return PyErr_NoMemory();
  }
  memcpy(self->code, type->elements, length);
  self->code[length] = '\0';
  pyarray_rt_retain(self->handle = handle);
  return made;
}

static PyObject *get_code(PyObject *object, void *unused) {
  (void)unused;
  typed *self = (typed *)object;
  return self->code ? PyUnicode_FromString(self->code) : Py_NewRef(Py_None);
}

static PyMethodDef methods[] = {
    {"_make", make, METH_VARARGS, "Makes the container: type code of its items, room for how many."},
    {"_copy", copy_items, METH_NOARGS, "The items as a container of Python, and so are containers among them."},
    {"_share", share_items, METH_NOARGS,
     "The items as a container of Python; containers among them are the same ones."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
    {"_code", get_code, NULL, "Type code of the items, or None.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

#define TYPED(variable, python_name, doc)                                                                              \
  PyTypeObject variable = {                                                                                            \
      PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pyarray._pyarray." python_name,                                        \
      .tp_basicsize = sizeof(typed),                                                                                   \
      .tp_dealloc = typed_dealloc,                                                                                     \
      .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,                                                            \
      .tp_new = PyType_GenericNew,                                                                                     \
      .tp_methods = methods,                                                                                           \
      .tp_getset = attributes,                                                                                         \
      .tp_doc = doc,                                                                                                   \
  }

TYPED(pa_typed_list_type, "TypedList", "A list of the runtime.");
TYPED(pa_typed_dict_type, "TypedDict", "A dict of the runtime.");
TYPED(pa_typed_set_type, "TypedSet", "A set of the runtime.");

pa_refusal pa_unbox_typed(PyObject *object, pa_arguments *arguments) {
  const typed *self = (const typed *)object;
  char letter = letter_of(object);
  if (!self->handle) {
    PyErr_Format(PyExc_TypeError, "the items of an empty typed.%s have no type; make it by typed.%s",
                 letter == 'L'   ? "List"
                 : letter == 'K' ? "Dict"
                                 : "Set",
                 letter == 'L'   ? "List.empty_list(item_type)"
                 : letter == 'K' ? "Dict.empty(key_type, value_type)"
                                 : "Set.empty(item_type)");
    return PA_RAISED;
  }
  pyarray_rt_retain(self->handle);
  pa_refusal refusal = pa_keep_typed(arguments->objects, object, self->handle);
  return refusal ? refusal : pa_put_container(arguments, object, letter, self->code, self->handle);
}
