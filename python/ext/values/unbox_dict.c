// Dicts and sets as arguments: their keys and values are lists of items first, as those of lists are (unbox_list.c).
#include "objects.h"

#include <string.h>

//===-- To items ----------------------------------------------------------------------------------===//

static pa_dict *make_dict(const pa_list *keys, const pa_list *values) {
  pa_dict *dict = pa_dict_new(keys->type, values ? values->type : NULL, keys->length);
  bool done = dict != NULL;
  for (int64_t i = 0; done && i < keys->length; ++i)
    done = pa_dict_set(dict, pa_list_item(keys, i), values ? pa_list_item(values, i) : NULL);
  if (done) return dict;
  if (dict) pyarray_rt_release(pa_handle_of(dict));
  return PyErr_NoMemory(), NULL;
}

// |parts|: the keys, and the values of a dict.
static pa_refusal dict_of_parts(PyObject *const *parts, int count, pa_arguments *arguments, char *code,
                                pa_dict **out_dict) {
  static const char *const whats[] = {"the keys of a dict", "the values of a dict", "the items of a set"};
  pa_list *lists[2] = {NULL};
  pa_refusal refusal = PA_ACCEPTED;
  const char *like = arguments->like;
  for (int i = 0; i < count && !refusal; ++i) {
    arguments->like = like;
    like = like ? pa_type_next(like, NULL) : NULL;
    refusal = pa_items_of(parts[i], count == 1 ? whats[2] : whats[i], arguments, &lists[i], code);
    code += strlen(code);
  }
  if (!refusal && count > 1 && lists[0]->length != lists[1]->length) {
    PyErr_SetString(PyExc_RuntimeError, "a dict changed while it was read");
    refusal = PA_RAISED;
  }
  if (!refusal && !(*out_dict = make_dict(lists[0], lists[1]))) refusal = PA_RAISED;
  for (int i = 0; i < 2; ++i)
    if (lists[i]) pyarray_rt_release(pa_handle_of(lists[i]));
  return refusal;
}

static bool is_hashable(const char *code) {
  pa_type type;
  pa_type_next(code, &type);
  if (type.kind == PA_TYPE_ARRAY || type.kind == PA_TYPE_LIST || type.kind == PA_TYPE_DICT ||
      type.kind == PA_TYPE_SET || type.kind == PA_TYPE_DEQUE || type.kind == PA_TYPE_BYTEARRAY)
    return false;
  bool hashable = true;
  if (type.kind == PA_TYPE_INSTANCE) return pa_compares_by_identity(&type);
  if (type.kind == PA_TYPE_TUPLE)
    for (const char *at = type.elements; *at != ')'; at = pa_type_next(at, NULL))
      hashable = hashable && is_hashable(at);
  return hashable;
}

// Keys that are equal as items, though not as Python's, cannot be there twice.
static pa_refusal check_keys(const pa_dict *dict, Py_ssize_t count, const char *code) {
  if (!is_hashable(code))
    PyErr_SetString(PyExc_TypeError, "keys of this type are not hashable in compiled code");
  else if (dict->length != count)
    PyErr_SetString(PyExc_TypeError, "keys that differ become one: ints and floats together are float64");
  else
    return PA_ACCEPTED;
  return PA_RAISED;
}

static pa_refusal unbox_dict(PyObject *object, pa_arguments *arguments) {
  bool is_dict = PyDict_Check(object), frozen = PyFrozenSet_CheckExact(object);
  char letter = is_dict ? 'K' : frozen ? 'T' : 'S';
  char code[2 * PA_ITEM_CODE] = {0};
  const pa_object_argument *known = pa_object_argument_find(arguments->objects, (uint64_t)(uintptr_t)object, false);
  if (known) return pa_put_container(arguments, object, letter, arguments->objects->codes + known->code, known->handle);
  arguments->like = pa_like_items(arguments->like, letter);
  if (!PyObject_Size(object) && !arguments->like) {
    PyErr_SetString(
        PyExc_TypeError,
        is_dict
            ? "the keys and values of an empty dict have no type; pass pyarray.typed.Dict.empty(key_type, value_type)"
        : frozen ? "the items of an empty frozenset have no type; declare the argument, or pass a set of "
                   "pyarray.typed.Set.empty(item_type)"
                 : "the items of an empty set have no type; pass pyarray.typed.Set.empty(item_type)");
    return PA_RAISED;
  }
  PyObject *parts[2] = {is_dict ? PyMapping_Keys(object) : PySequence_List(object),
                        is_dict ? PyMapping_Values(object) : NULL};
  pa_dict *dict = NULL;
  pa_refusal refusal = PA_RAISED;
  if (parts[0] && (parts[1] || !is_dict)) refusal = dict_of_parts(parts, 1 + is_dict, arguments, code, &dict);
  if (!refusal && (refusal = check_keys(dict, PyList_GET_SIZE(parts[0]), code))) pyarray_rt_release(pa_handle_of(dict));
  if (!refusal)
    refusal = pa_keep_copy(arguments->objects, object, pa_handle_of(dict), dict->entries,
                           (size_t)(dict->used * dict->entry_size), dict->length, code);
  Py_XDECREF(parts[0]);
  Py_XDECREF(parts[1]);
  if (!refusal && frozen) pa_owner_of(pa_handle_of(dict))->type = &pa_frozenset_type;
  return refusal ? refusal : pa_put_container(arguments, object, letter, code, pa_handle_of(dict));
}

pa_refusal pa_unbox_dict(PyObject *object, pa_arguments *arguments) {
  if (!PyDict_Check(object) || PyDict_CheckExact(object)) return unbox_dict(object, arguments);
  bool known;
  pa_string class = {0};
  pa_refusal refusal = pa_put_dict_class(object, &class, &known);
  if (!refusal && arguments->code + class.length >= arguments->code_end) refusal = PA_NO_ROOM;
  if (!refusal && !known) refusal = PA_REFUSED_TYPE;
  if (!refusal && class.length)
    arguments->code = (char *)mempcpy(arguments->code, pa_string_text(&class), class.length);
  pa_string_free(&class);
  return refusal ? refusal : unbox_dict(object, arguments);
}

//===-- To Python ---------------------------------------------------------------------------------===//

// The objects that are dict or set |old|, in order, where an entry still is what it was.
typedef struct former {
  PyObject *keys, *values;
  const pa_object_argument *argument;
} former;

static bool is_former(const former *f, const pa_dict *dict, int64_t i, size_t first, size_t size) {
  if (!f->argument || i >= f->argument->length || i >= PyList_GET_SIZE(f->keys) ||
      (f->values && i >= PyList_GET_SIZE(f->values)))
    return false;
  size_t at = (size_t)(i * dict->entry_size) + first;
  return memcmp(dict->entries + at, f->argument->before + at, size) == 0;
}

static bool add_entry(PyObject *made, const char *code, const pa_dict *dict, int64_t i, const former *f,
                      pa_boxing *boxing) {
  int64_t key_offset = 0, value_offset = 0;
  bool same = is_former(f, dict, i, PA_DICT_KEY, (size_t)dict->key->size);
  const char *at = code;
  PyObject *key =
      same ? Py_NewRef(PyList_GET_ITEM(f->keys, i)) : pa_box_item(&at, pa_dict_key(dict, i), &key_offset, boxing);
  if (!key || !dict->value) {
    bool done = key && PySet_Add(made, key) == 0;
    return Py_XDECREF(key), done;
  }
  at = pa_type_next(code, NULL);
  same = is_former(f, dict, i, (size_t)dict->value_offset, (size_t)dict->value->size);
  PyObject *value =
      same ? Py_NewRef(PyList_GET_ITEM(f->values, i)) : pa_box_item(&at, pa_dict_value(dict, i), &value_offset, boxing);
  bool done = value && PyDict_SetItem(made, key, value) == 0;
  Py_XDECREF(value);
  Py_DECREF(key);
  return done;
}

static PyObject *box_entries(const char *code, const pa_dict *dict, const former *f, pa_boxing *boxing) {
  bool frozen = pa_type_of(dict) == &pa_frozenset_type;
  PyObject *made = dict->value ? PyDict_New() : frozen ? PyFrozenSet_New(NULL) : PySet_New(NULL);
  for (int64_t i = pa_dict_next(dict, 0); made && i >= 0; i = pa_dict_next(dict, i + 1))
    if (!add_entry(made, code, dict, i, f, boxing)) Py_CLEAR(made);
  return made;
}

PyObject *pa_box_dict(const char *code, const pa_dict *dict, pa_boxing *boxing) {
  return box_entries(code, dict, &(former){0}, boxing);
}

// An OrderedDict notes its order in methods of its own.
static bool replace_items(PyObject *dict, PyObject *items) {
  PyObject *none = PyObject_CallMethod(dict, "clear", NULL), *key, *value;
  bool done = none != NULL;
  Py_XDECREF(none);
  for (Py_ssize_t i = 0; done && PyDict_Next(items, &i, &key, &value);) done = PyObject_SetItem(dict, key, value) == 0;
  return done;
}

bool pa_write_back_dict(const pa_object_arguments *objects, const pa_object_argument *argument, pa_boxing *boxing) {
  const pa_dict *dict = pa_object_of(argument->handle);
  PyObject *object = argument->object;
  bool is_dict = dict->value != NULL;
  size_t size = (size_t)(dict->used * dict->entry_size);
  if (dict->used == argument->length && (!size || memcmp(dict->entries, argument->before, size) == 0)) return true;
  former f = {is_dict ? PyMapping_Keys(object) : PySequence_List(object), is_dict ? PyMapping_Values(object) : NULL,
              argument};
  PyObject *made =
      f.keys && (f.values || !is_dict) ? box_entries(objects->codes + argument->code, dict, &f, boxing) : NULL;
  bool done = made != NULL;
  if (done && is_dict) {
    done = replace_items(object, made);
  } else if (done) {
    PyObject *none = PySet_Clear(object) == 0 ? PyObject_CallMethod(object, "update", "O", made) : NULL;
    done = none != NULL;
    Py_XDECREF(none);
  }
  Py_XDECREF(made);
  Py_XDECREF(f.keys);
  Py_XDECREF(f.values);
  return done;
}
