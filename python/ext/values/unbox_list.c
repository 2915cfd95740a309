// Lists, and containers in general, as arguments: copied item by item for the call, and what the call changed is
// written back.
#include "objects.h"

#include <string.h>

//===-- What is kept ------------------------------------------------------------------------------===//

static uint64_t key_of(const pa_object_argument *argument, bool by_handle) {
  return by_handle ? (uint64_t)argument->handle : (uint64_t)(uintptr_t)argument->object;
}

// The place of |key| in its half of the table: that of its argument, or an empty one.
static int32_t *find_place(const pa_object_arguments *objects, uint64_t key, bool by_handle) {
  int32_t *half = objects->table + (by_handle ? objects->table_size : 0);
  for (uint64_t at = key * 0x9E3779B97F4A7C15u >> 32;; ++at) {
    int32_t *place = &half[at & (uint64_t)(objects->table_size - 1)];
    if (!*place || key_of(&objects->items[*place - 1], by_handle) == key) return place;
  }
}

const pa_object_argument *pa_object_argument_find(const pa_object_arguments *objects, uint64_t key, bool by_handle) {
  if (!objects->table_size) { // few are looked through
    for (int32_t i = 0; i < objects->count; ++i)
      if (key_of(&objects->items[i], by_handle) == key) return &objects->items[i];
    return NULL;
  }
  int32_t number = *find_place(objects, key, by_handle);
  return number ? &objects->items[number - 1] : NULL;
}

static void enter(pa_object_arguments *objects, int32_t number) {
  for (int by_handle = 0; by_handle < 2; ++by_handle)
    *find_place(objects, key_of(&objects->items[number], by_handle), by_handle) = number + 1;
}

// After item |count - 1| has been filled in. False where memory is short.
static bool note(pa_object_arguments *objects) {
  enum { FEW = 16 };
  if (objects->count <= FEW) return true;
  if (2 * objects->count <= objects->table_size) return enter(objects, objects->count - 1), true;
  int32_t size = objects->table_size ? 2 * objects->table_size : 4 * FEW;
  int32_t *table = PyMem_Calloc(2 * (size_t)size, sizeof *table);
  if (!table) return false;
  PyMem_Free(objects->table);
  objects->table = table;
  objects->table_size = size;
  for (int32_t i = 0; i < objects->count; ++i) enter(objects, i);
  return true;
}

static bool keep_code(pa_object_arguments *objects, const char *code, uint32_t length) {
  if (objects->codes_length + length + 1 > objects->codes_capacity) {
    uint32_t capacity = 2 * objects->codes_capacity + length + 64;
    char *codes = PyMem_Realloc(objects->codes, capacity);
    if (!codes) return false;
    objects->codes = codes;
    objects->codes_capacity = capacity;
  }
  memcpy(objects->codes + objects->codes_length, code, length);
  objects->codes[objects->codes_length + length] = '\0';
  objects->codes_length += length + 1;
  return true;
}

static pa_object_argument *new_argument(pa_object_arguments *objects) {
  if (objects->count == objects->capacity) {
    int32_t capacity = objects->capacity ? 2 * objects->capacity : 4;
    pa_object_argument *items = PyMem_Realloc(objects->items, (size_t)capacity * sizeof *items);
    if (!items) return NULL;
    objects->items = items;
    objects->capacity = capacity;
  }
  return &objects->items[objects->count];
}

pa_refusal pa_keep_typed(pa_object_arguments *objects, PyObject *object, int64_t handle) {
  pa_object_argument *argument = new_argument(objects);
  if (!argument) {
    pyarray_rt_release(handle);
    return PyErr_NoMemory(), PA_RAISED;
  }
  *argument = (pa_object_argument){.object = Py_NewRef(object), .handle = handle};
  ++objects->count;
  return note(objects) ? PA_ACCEPTED : (PyErr_NoMemory(), PA_RAISED);
}

pa_refusal pa_keep_copy(pa_object_arguments *objects, PyObject *object, int64_t handle, const char *items, size_t size,
                        int64_t count, const char *code) {
  uint32_t length = (uint32_t)strlen(code), at = objects->codes_length;
  pa_object_argument *argument = new_argument(objects);
  char *before = PyMem_Malloc(size + 1);
  if (!argument || !before || !keep_code(objects, code, length)) {
    PyMem_Free(before);
    pyarray_rt_release(handle);
    return PyErr_NoMemory(), PA_RAISED;
  }
  if (size) memcpy(before, items, size); // an empty bytearray may have no memory
  *argument = (pa_object_argument){Py_NewRef(object), handle, before, count, at, length};
  ++objects->count;
  return note(objects) ? PA_ACCEPTED : (PyErr_NoMemory(), PA_RAISED);
}

void pa_objects_discard(pa_object_arguments *objects) {
  for (int32_t i = 0; i < objects->count; ++i) {
    pyarray_rt_release(objects->items[i].handle);
    PyMem_Free(objects->items[i].before);
    Py_DECREF(objects->items[i].object);
  }
  PyMem_Free(objects->items);
  PyMem_Free(objects->codes);
  PyMem_Free(objects->table);
  *objects = (pa_object_arguments){0};
}

//===-- Items of one number type ------------------------------------------------------------------===//

static pa_list *make_list(const char *code, int64_t capacity) {
  pa_string item = {0};
  pa_item_code_of(code, &item);
  pa_list *list = pa_list_new(pa_item_type_get(pa_string_text(&item)), capacity);
  pa_string_free(&item);
  if (!list) PyErr_NoMemory();
  return list;
}

// 'd' or 'q' where all items are floats and ints, else 0.
static char number_code(PyObject *list) {
  bool floats = false;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); ++i) {
    PyObject *item = PyList_GET_ITEM(list, i);
    if (PyFloat_CheckExact(item))
      floats = true;
    else if (!PyLong_CheckExact(item))
      return 0;
  }
  return floats ? 'd' : 'q';
}

static pa_list *list_of_floats(PyObject *list) {
  Py_ssize_t count = PyList_GET_SIZE(list);
  pa_list *made = make_list("d", count);
  for (Py_ssize_t i = 0; made && i < count; ++i) {
    PyObject *item = PyList_GET_ITEM(list, i);
    double number = PyFloat_CheckExact(item) ? PyFloat_AS_DOUBLE(item) : PyLong_AsDouble(item);
    if (number == -1 && PyErr_Occurred()) {
      pyarray_rt_release(pa_handle_of(made));
      return NULL;
    }
    ((double *)made->items)[made->length++] = number;
  }
  return made;
}

static pa_list *list_of_ints(PyObject *list) {
  Py_ssize_t count = PyList_GET_SIZE(list);
  pa_list *made = make_list("q", count);
  for (Py_ssize_t i = 0; made && i < count; ++i) {
    int overflow = 0;
    int64_t number = PyLong_AsLongLongAndOverflow(PyList_GET_ITEM(list, i), &overflow);
    if (overflow) {
      PyErr_SetString(PyExc_OverflowError,
                      "an int in a list is too large: items of compiled lists are 64-bit integers");
      pyarray_rt_release(pa_handle_of(made));
      return NULL;
    }
    ((int64_t *)made->items)[made->length++] = number;
  }
  return made;
}

//===-- Items of any type -------------------------------------------------------------------------===//

enum { ITEM_SLOTS = 256 };

// An item that does not fit the type of those before it.
static pa_refusal differ(const char *what, PyObject *item, Py_ssize_t index, const char *first, const char *code) {
  PyObject *known = pa_call_helper("types", "from_code", "(s)", first),
           *other = known ? pa_call_helper("types", "from_code", "(s)", code) : NULL;
  if (other)
    PyErr_Format(PyExc_TypeError, "%s must have one type: item %zd is %.200s, of type %S, those before it have type %S",
                 what, index, Py_TYPE(item)->tp_name, other, known);
  Py_XDECREF(known);
  Py_XDECREF(other);
  return PA_RAISED;
}

typedef struct item_reader {
  pa_object_arguments *objects;
  char code[PA_ITEM_CODE], wanted[PA_ITEM_CODE]; // of the item that was read; of all so far
  uint64_t slots[ITEM_SLOTS], fitted[2 * ITEM_SLOTS];
  const char *like; // as that of pa_arguments, of items
} item_reader;

static pa_refusal read_item(item_reader *reader, PyObject *item, PyObject **out_culprit) {
  pa_arguments arguments = {.code = reader->code,
                            .code_end = reader->code + PA_ITEM_CODE - PA_SPARE - 8,
                            .slot = reader->slots,
                            .slot_end = reader->slots + ITEM_SLOTS - PA_SPARE - 2,
                            .objects = reader->objects,
                            .like = *reader->wanted ? reader->wanted : reader->like};
  pa_refusal refusal = pa_unbox(item, &arguments);
  *arguments.code = '\0';
  *out_culprit = refusal == PA_NO_ROOM ? item : arguments.culprit;
  return refusal == PA_NO_ROOM ? PA_REFUSED_TYPE : refusal;
}

// Whether the type of all items so far, which becomes |wanted|, is another one with the item that was read. False as
// well where there is none.
static bool widen(item_reader *reader) {
  pa_string joined = {0};
  bool wider = pa_join_codes(reader->wanted, reader->code, &joined) && joined.length < PA_ITEM_CODE &&
               strcmp(pa_string_text(&joined), reader->wanted) != 0;
  int64_t slots = wider ? pa_type_slots(pa_string_text(&joined)) : -1; // -1: None among items has made a type too deep
  wider = slots >= 0 && slots <= 2 * ITEM_SLOTS;
  if (wider) memcpy(reader->wanted, pa_string_text(&joined), joined.length + 1);
  pa_string_free(&joined);
  return wider;
}

// The slots of the item in the wanted type; NULL where it does not fit.
static const uint64_t *fit(item_reader *reader) {
  const char *from = reader->code, *to = reader->wanted;
  const uint64_t *slots = reader->slots;
  uint64_t *out = reader->fitted;
  if (strcmp(from, to) == 0) return slots;
  return pa_fit_slots(&from, &slots, &to, &out) ? reader->fitted : NULL;
}

// Whether items have not said their type yet.
static bool is_open(const item_reader *reader) {
  return !reader->like && (!*reader->wanted || strcmp(reader->wanted, "n") == 0);
}

// Whether the type of an item is not known, because of empty containers in it. |*visits|: how many values it may look
// at, since some may be there many times.
static bool is_untyped(PyObject *item, int depth, int *visits) {
  bool list = PyList_Check(item), dict = PyDict_Check(item), tuple = PyTuple_Check(item);
  if (PyAnySet_Check(item)) return PySet_GET_SIZE(item) == 0;
  if (!list && !dict && !tuple) return pa_is_deque(item) && PyObject_Size(item) == 0;
  Py_ssize_t next = 0;
  PyObject *key, *value;
  if (depth == 0 || --*visits < 0) return false;
  if (dict) {
    while (PyDict_Next(item, &next, &key, &value))
      if (!is_untyped(value, depth - 1, visits)) return false;
    return true;
  }
  for (; next < PySequence_Fast_GET_SIZE(item); ++next)
    if (is_untyped(PySequence_Fast_GET_ITEM(item, next), depth - 1, visits) == tuple) return tuple;
  return list;
}

// |*out_again|: an item does not have the type of those before it, but one type fits all of them; or those before the
// first item that says their type were left out.
static pa_refusal add_item(item_reader *reader, PyObject *item, const char *what, Py_ssize_t index, Py_ssize_t count,
                           pa_list **made, bool *out_again, PyObject **out_culprit) {
  pa_refusal refusal = read_item(reader, item, out_culprit);
  if (refusal) return refusal;
  if (!*reader->wanted) memcpy(reader->wanted, reader->code, PA_ITEM_CODE);
  if (strcmp(reader->wanted, reader->code) != 0 && widen(reader)) return *out_again = true, PA_ACCEPTED;
  if (!*made && !(*made = make_list(reader->wanted, count))) return PA_RAISED;
  const char *code = reader->wanted;
  const uint64_t *slots = fit(reader);
  if (!slots) return PyErr_Occurred() ? PA_RAISED : differ(what, item, index, reader->wanted, reader->code);
  int64_t offset = 0;
  char *place = pa_list_item(*made, (*made)->length++);
  memset(place, 0, (size_t)(*made)->type->size);
  pa_store_item(&code, &slots, place, &offset);
  pa_items_retain((*made)->type, place, 1);
  return PA_ACCEPTED;
}

static pa_refusal raise_changed(void) {
  return PyErr_SetString(PyExc_RuntimeError, "a container changed while it was read"), PA_RAISED;
}

// Reading an item may run an __index__ or other code of the user's, which may change the list.
static pa_refusal add_held_item(item_reader *reader, PyObject *item, const char *what, Py_ssize_t index,
                                Py_ssize_t count, pa_list **made, bool *out_again, PyObject **out_culprit) {
  Py_INCREF(item);
  pa_refusal refusal = add_item(reader, item, what, index, count, made, out_again, out_culprit);
  if (refusal > PA_RAISED && Py_REFCNT(item) == 1) refusal = raise_changed(); // what is refused goes with the item
  Py_DECREF(item);
  return refusal;
}

static pa_refusal fill_list(PyObject *list, const char *what, item_reader *reader, pa_list **made, bool *out_again,
                            PyObject **out_culprit) {
  Py_ssize_t count = PyList_GET_SIZE(list), left_out = -1;
  int visits = 1 << 20;
  for (Py_ssize_t i = 0; i < count && i < PyList_GET_SIZE(list) && !*out_again; ++i) {
    if (is_open(reader) && is_untyped(PyList_GET_ITEM(list, i), PA_TYPE_MAX_DEPTH, &visits)) {
      left_out = i;
      continue;
    }
    pa_refusal refusal = add_held_item(reader, PyList_GET_ITEM(list, i), what, i, count, made, out_again, out_culprit);
    if (refusal) return refusal;
  }
  if (*out_again) return PA_ACCEPTED;
  if (is_open(reader) && left_out >= 0 && left_out < PyList_GET_SIZE(list)) // says what is wrong with it
    return add_held_item(reader, PyList_GET_ITEM(list, left_out), what, left_out, count, made, out_again, out_culprit);
  *out_again = left_out >= 0 && !is_open(reader);
  return *made || *out_again ? PA_ACCEPTED : raise_changed();
}

static pa_refusal list_of_any(PyObject *list, const char *what, pa_arguments *arguments, pa_list **out_list,
                              char *code) {
  item_reader *reader = PyMem_Malloc(sizeof *reader);
  if (!reader) return PyErr_NoMemory(), PA_RAISED;
  reader->objects = arguments->objects;
  reader->like = arguments->like;
  *reader->wanted = '\0';
  PyObject *culprit = NULL;
  pa_list *made = NULL;
  pa_refusal refusal = PA_RAISED;
  if (reader->objects->depth == PA_TYPE_MAX_DEPTH) {
    culprit = PyList_GET_ITEM(list, 0); // the list itself may be one that was made here
    refusal = PA_REFUSED_DEPTH;
  } else if (Py_EnterRecursiveCall(" in an argument") == 0) {
    ++reader->objects->depth;
    for (bool again = true; again;) {
      again = false;
      if (made) pyarray_rt_release(pa_handle_of(made));
      made = NULL;
      refusal = fill_list(list, what, reader, &made, &again, &culprit);
    }
    --reader->objects->depth;
    Py_LeaveRecursiveCall();
  }
  memcpy(code, reader->wanted, PA_ITEM_CODE);
  PyMem_Free(reader);
  if (refusal) {
    arguments->culprit = culprit;
    if (made) pyarray_rt_release(pa_handle_of(made));
    return refusal;
  }
  return *out_list = made, PA_ACCEPTED;
}

//===-- Lists -------------------------------------------------------------------------------------===//

pa_refusal pa_put_container(pa_arguments *arguments, PyObject *object, char letter, const char *code, int64_t handle) {
  size_t length = strlen(code);
  if (arguments->code + length + 1 >= arguments->code_end) return PA_NO_ROOM;
  *arguments->code++ = letter;
  arguments->code = (char *)memcpy(arguments->code, code, length + 1) + length;
  *arguments->slot++ = (uint64_t)handle;
  if (length < PA_TYPE_MAX_DEPTH || pa_type_is_valid(arguments->code - length - 1)) return PA_ACCEPTED;
  arguments->culprit = object;
  return PA_REFUSED_DEPTH;
}

const char *pa_like_items(const char *like, char letter) {
  if (like && *like == 'O') ++like;
  if (like && *like == 'N') like = strchr(like, ']') + 1; // a named tuple
  return like && *like == letter ? like + 1 : NULL;
}

pa_refusal pa_items_of(PyObject *list, const char *what, pa_arguments *arguments, pa_list **out_items, char *code) {
  if (!PyList_GET_SIZE(list)) {
    size_t length = (size_t)(pa_type_next(arguments->like, NULL) - arguments->like);
    memcpy(code, arguments->like, length);
    code[length] = '\0';
    return (*out_items = make_list(code, 0)) ? PA_ACCEPTED : PA_RAISED;
  }
  char number = number_code(list);
  if (!number) return list_of_any(list, what, arguments, out_items, code);
  code[0] = number;
  code[1] = '\0';
  *out_items = number == 'd' ? list_of_floats(list) : list_of_ints(list);
  return *out_items ? PA_ACCEPTED : PA_RAISED;
}

PyObject *pa_deque_class(void) {
  static PyObject *class;
  PyObject *module = class ? NULL : PyImport_ImportModule("collections");
  if (module) class = PyObject_GetAttrString(module, "deque");
  Py_XDECREF(module);
  return class;
}

// By its name first, so that nothing is imported in vain.
bool pa_is_deque(PyObject *value) {
  return strcmp(Py_TYPE(value)->tp_name, "collections.deque") == 0 && (PyObject *)Py_TYPE(value) == pa_deque_class();
}

// The list is released where it cannot be one.
static bool become_deque(pa_list *list, PyObject *deque) {
  PyObject *limit = PyObject_GetAttrString(deque, "maxlen");
  if (limit && limit != Py_None) list->limit = PyLong_AsLongLong(limit);
  pa_owner_of(pa_handle_of(list))->type = &pa_deque_type;
  Py_XDECREF(limit);
  if (limit && !PyErr_Occurred()) return true;
  pyarray_rt_release(pa_handle_of(list));
  return false;
}

pa_refusal pa_unbox_list(PyObject *object, pa_arguments *arguments) {
  char item_code[PA_ITEM_CODE] = {0};
  pa_list *list = NULL;
  const pa_object_argument *known = pa_object_argument_find(arguments->objects, (uint64_t)(uintptr_t)object, false);
  bool deque = !PyList_Check(object);
  char letter = deque ? 'X' : 'L';
  if (known) return pa_put_container(arguments, object, letter, arguments->objects->codes + known->code, known->handle);
  PyObject *items = deque ? PySequence_List(object) : Py_NewRef(object);
  arguments->like = pa_like_items(arguments->like, letter);
  if (!items || (!PyList_GET_SIZE(items) && !arguments->like)) {
    if (items)
      PyErr_SetString(PyExc_TypeError,
                      deque ? "the items of an empty deque have no type; make it in the compiled function"
                            : "the items of an empty list have no type; pass pyarray.typed.List.empty_list(item_type)");
    Py_XDECREF(items);
    return PA_RAISED;
  }
  pa_refusal refusal =
      pa_items_of(items, deque ? "the items of a deque" : "the items of a list", arguments, &list, item_code);
  Py_DECREF(items);
  if (!refusal && deque && !become_deque(list, object)) refusal = PA_RAISED;
  if (!refusal)
    refusal = pa_keep_copy(arguments->objects, object, pa_handle_of(list), list->items,
                           (size_t)(list->length * list->type->size), list->length, item_code);
  return refusal ? refusal : pa_put_container(arguments, object, letter, item_code, pa_handle_of(list));
}

pa_refusal pa_unbox_bytearray(PyObject *value, pa_arguments *arguments) {
  const pa_object_argument *known = pa_object_argument_find(arguments->objects, (uint64_t)(uintptr_t)value, false);
  if (known) return pa_put_container(arguments, value, 'W', "", known->handle);
  pa_list *list = pa_bytearray_new(PyByteArray_AS_STRING(value), PyByteArray_GET_SIZE(value));
  if (!list) return PyErr_NoMemory(), PA_RAISED;
  pa_refusal refusal =
      pa_keep_copy(arguments->objects, value, pa_handle_of(list), list->items, (size_t)list->length, list->length, "");
  return refusal ? refusal : pa_put_container(arguments, value, 'W', "", pa_handle_of(list));
}

//===-- Writing back ------------------------------------------------------------------------------===//

static bool refill_deque(PyObject *deque, PyObject *items) {
  PyObject *none = PyObject_CallMethod(deque, "clear", NULL),
           *done = none ? PyObject_CallMethod(deque, "extend", "O", items) : NULL;
  Py_XDECREF(none);
  Py_XDECREF(done);
  return done != NULL;
}

// Items that did not change stay the objects that they are.
static bool write_back_list(const pa_object_arguments *objects, const pa_object_argument *argument, pa_boxing *boxing) {
  const pa_list *list = pa_object_of(argument->handle);
  size_t size = (size_t)list->type->size;
  bool unchanged = list->length == argument->length &&
                   (list->length == 0 || memcmp(list->items, argument->before, size * (size_t)list->length) == 0);
  if (unchanged) return true;
  bool deque = !PyList_Check(argument->object);
  PyObject *former = deque ? PySequence_List(argument->object) : Py_NewRef(argument->object),
           *changed = former ? PyList_New(list->length) : NULL;
  for (int64_t i = 0; changed && i < list->length; ++i) {
    const char *code = objects->codes + argument->code, *item = pa_list_item(list, i);
    int64_t offset = 0;
    bool same = i < argument->length && i < PyList_GET_SIZE(former) &&
                memcmp(item, argument->before + size * (size_t)i, size) == 0;
    PyObject *value = same ? Py_NewRef(PyList_GET_ITEM(former, i)) : pa_box_item(&code, item, &offset, boxing);
    if (value)
      PyList_SET_ITEM(changed, i, value);
    else
      Py_CLEAR(changed);
  }
  bool done =
      changed && (deque ? refill_deque(argument->object, changed)
                        : PyList_SetSlice(argument->object, 0, PyList_GET_SIZE(argument->object), changed) == 0);
  Py_XDECREF(changed);
  Py_XDECREF(former);
  return done;
}

static bool write_back_bytearray(const pa_object_argument *argument) {
  const pa_list *list = pa_object_of(argument->handle);
  if (list->length == argument->length &&
      (!list->length || memcmp(list->items, argument->before, (size_t)list->length) == 0))
    return true;
  if (PyByteArray_Resize(argument->object, list->length) < 0) return false;
  if (list->length) memcpy(PyByteArray_AS_STRING(argument->object), list->items, (size_t)list->length);
  return true;
}

bool pa_objects_write_back(const pa_object_arguments *objects, pa_boxing *boxing) {
  bool done = true;
  for (int32_t i = 0; i < objects->count; ++i) {
    const pa_object_argument *argument = &objects->items[i];
    bool list = argument->before && (PyList_Check(argument->object) || pa_is_deque(argument->object));
    if (!argument->before) continue;
    if (PyByteArray_Check(argument->object))
      done = write_back_bytearray(argument) && done;
    else
      done = (list ? write_back_list : pa_write_back_dict)(objects, argument, boxing) && done;
  }
  return done;
}
