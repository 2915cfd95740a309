// Items of containers as Python values, and slots as items. Both walk a type code and lay parts out as the runtime
// does.
#include "objects.h"

#include <string.h>

typedef struct part_layout {
  int64_t size, alignment;
} part_layout;

static part_layout layout_of(const pa_type *type) {
  switch (type->kind) {
  case PA_TYPE_SCALAR: {
    int64_t size = pa_dtype_size(type->dtype);
    return (part_layout){size, pa_dtype_kind_of(type->dtype) == PA_DTYPE_COMPLEX ? size / 2 : size};
  }
  case PA_TYPE_ARRAY:
  case PA_TYPE_RECORD:
  case PA_TYPE_RECORDS: return (part_layout){8 * (4 + 2 * pa_type_axes(type)), 8};
  case PA_TYPE_OPTIONAL: return (part_layout){1, 1};
  case PA_TYPE_NONE: return (part_layout){0, 1};
  case PA_TYPE_RANGE: return (part_layout){24, 8};
  case PA_TYPE_SLICE: {
    int64_t parts = (type->elements[0] == 'q') + (type->elements[1] == 'q') + (type->elements[2] == 'q');
    return (part_layout){8 * parts, parts ? 8 : 1};
  }
  default: return (part_layout){8, 8};
  }
}

static const char *place_part(const pa_type *type, const char *item, int64_t *offset) {
  part_layout part = layout_of(type);
  int64_t at = (*offset + part.alignment - 1) & -part.alignment;
  *offset = at + part.size;
  return item + at;
}

// Moves over a type whose value is not there.
static void skip_item(const char **code, int64_t *offset) {
  pa_type type;
  const char *rest = pa_type_next(*code, &type);
  if (type.kind == PA_TYPE_TUPLE) {
    const char *at = type.elements;
    while (*at != ')') skip_item(&at, offset);
  } else {
    place_part(&type, NULL, offset);
    const char *at = type.elements;
    if (type.kind == PA_TYPE_OPTIONAL) skip_item(&at, offset);
  }
  *code = rest;
}

//===-- To Python ---------------------------------------------------------------------------------===//

static PyObject *box_tuple_item(const pa_type *type, const char *item, int64_t *offset, pa_boxing *boxing) {
  PyObject *tuple = PyTuple_New(pa_type_element_count(type));
  const char *at = type->elements;
  for (Py_ssize_t i = 0; tuple && *at != ')'; ++i) {
    PyObject *element = pa_box_item(&at, item, offset, boxing);
    if (element)
      PyTuple_SET_ITEM(tuple, i, element);
    else
      Py_CLEAR(tuple);
  }
  return pa_named_tuple_of(type, tuple);
}

static PyObject *box_slots(const char *code, const char *at, size_t size, pa_boxing *boxing) {
  uint64_t slots[4 + 2 * PA_TYPE_MAX_RANK] = {0};
  const uint64_t *slot = slots;
  memcpy(slots, at, size);
  return pa_box(&code, &slot, boxing);
}

PyObject *pa_box_item(const char **code, const char *item, int64_t *offset, pa_boxing *boxing) {
  pa_type type;
  const char *start = *code;
  *code = pa_type_next(start, &type);
  if (type.kind == PA_TYPE_TUPLE) return box_tuple_item(&type, item, offset, boxing);
  const char *at = place_part(&type, item, offset), *inner = type.elements;
  switch (type.kind) {
  case PA_TYPE_OPTIONAL:
    if (*at & 1) return pa_box_item(&inner, item, offset, boxing);
    skip_item(&inner, offset);
    return Py_NewRef(Py_None);
  case PA_TYPE_ARRAY:
  case PA_TYPE_RECORD:
  case PA_TYPE_RECORDS: {
    int64_t owner;
    memcpy(&owner, at + 8 * (3 + 2 * pa_type_axes(&type)), sizeof owner);
    pyarray_rt_retain(owner); // boxing takes a reference over
    return box_slots(start, at, (size_t)layout_of(&type).size, boxing);
  }
  case PA_TYPE_POINTER:
  case PA_TYPE_RANGE:
  case PA_TYPE_SLICE:
  case PA_TYPE_SCALAR: return box_slots(start, at, (size_t)layout_of(&type).size, boxing);
  case PA_TYPE_NONE: return Py_NewRef(Py_None);
  default: {
    int64_t handle;
    memcpy(&handle, at, sizeof handle);
    pyarray_rt_retain(handle);
    return box_slots(start, at, sizeof handle, boxing);
  }
  }
}

PyObject *pa_box_whole_item(const char *code, const char *item, pa_boxing *boxing) {
  int64_t offset = 0, integer;
  double number;
  if (*code == 'q') {
    memcpy(&integer, item, sizeof integer);
    return PyLong_FromLongLong(integer);
  }
  if (*code != 'd') return pa_box_item(&code, item, &offset, boxing);
  memcpy(&number, item, sizeof number);
  return PyFloat_FromDouble(number);
}

// A tuple of int64, float64 and bool: where its parts lie is read once for all the items of a list.
typedef struct flat_tuple {
  Py_ssize_t count;
  struct {
    char letter;
    int offset;
  } parts[8];
} flat_tuple;

static bool read_flat_tuple(const char *code, flat_tuple *out) {
  pa_type type, part;
  int64_t offset = 0;
  pa_type_next(code, &type);
  if (type.kind != PA_TYPE_TUPLE || type.name) return false;
  out->count = 0;
  for (const char *at = type.elements; *at != ')'; ++out->count) {
    if (!strchr("qd?", *at) || out->count == (Py_ssize_t)(sizeof out->parts / sizeof *out->parts)) return false;
    out->parts[out->count].letter = *at;
    at = pa_type_next(at, &part);
    place_part(&part, NULL, &offset);
    out->parts[out->count].offset = (int)(offset - layout_of(&part).size);
  }
  return out->count > 0;
}

static PyObject *box_flat_tuple(const flat_tuple *flat, const char *item) {
  PyObject *tuple = PyTuple_New(flat->count);
  for (Py_ssize_t i = 0; tuple && i < flat->count; ++i) {
    const char *at = item + flat->parts[i].offset, letter = flat->parts[i].letter;
    int64_t integer = 0;
    double number;
    memcpy(&integer, at, letter == '?' ? 1 : sizeof integer);
    memcpy(&number, &integer, sizeof number);
    PyObject *part = letter == 'q'   ? PyLong_FromLongLong(integer)
                     : letter == 'd' ? PyFloat_FromDouble(number)
                                     : PyBool_FromLong((char)integer & 1);
    if (part)
      PyTuple_SET_ITEM(tuple, i, part);
    else
      Py_CLEAR(tuple);
  }
  if (tuple) PyObject_GC_UnTrack(tuple); // as the collector would: nothing in it leads back
  return tuple;
}

PyObject *pa_box_list_items(const char *code, const pa_list *list, pa_boxing *boxing) {
  PyObject *result = PyList_New(list->length);
  flat_tuple flat;
  bool is_flat = *code == '(' && read_flat_tuple(code, &flat);
  for (int64_t i = 0; result && i < list->length; ++i) {
    const char *item = pa_list_item(list, i);
    PyObject *value = is_flat ? box_flat_tuple(&flat, item) : pa_box_whole_item(code, item, boxing);
    if (value)
      PyList_SET_ITEM(result, i, value);
    else
      Py_CLEAR(result);
  }
  return result;
}

static PyObject *box_deque(const char *code, const pa_list *list, pa_boxing *boxing) {
  PyObject *class = pa_deque_class(), *items = class ? pa_box_list_items(code, list, boxing) : NULL, *made = NULL;
  if (items)
    made = list->limit == INT64_MAX ? PyObject_CallOneArg(class, items)
                                    : PyObject_CallFunction(class, "OL", items, (long long)list->limit);
  Py_XDECREF(items);
  return made;
}

// Generators need the code that made them, which a container that is shared does not know.
static bool holds_generators(const pa_type *type) {
  int parts = type->kind == PA_TYPE_DICT ? 2
                                         : type->kind == PA_TYPE_LIST || type->kind == PA_TYPE_SET ||
                                               type->kind == PA_TYPE_DEQUE || type->kind == PA_TYPE_OPTIONAL;
  const char *at = type->elements;
  for (int i = 0; type->kind == PA_TYPE_TUPLE ? *at != ')' : i < parts; ++i) {
    pa_type part;
    at = pa_type_next(at, &part);
    if (holds_generators(&part)) return true;
  }
  return type->kind == PA_TYPE_GENERATOR;
}

// Whether Python gets |container| as one of pyarray.typed.
static bool is_shared(const pa_type *type, const void *container, const pa_boxing *boxing) {
  if (type->kind != PA_TYPE_LIST && type->kind != PA_TYPE_DICT && type->kind != PA_TYPE_SET) return false;
  return boxing->containers == PA_BOX_SHARED ||
         (boxing->containers == PA_BOX_AS_MADE && pa_is_typed(container) && !holds_generators(type));
}

// A container that was an argument is that argument.
static PyObject *find_argument(int64_t handle, const pa_boxing *boxing) {
  const pa_object_argument *found =
      boxing->objects ? pa_object_argument_find(boxing->objects, (uint64_t)handle, true) : NULL;
  return found ? found->object : NULL;
}

PyObject *pa_box_handle(const pa_type *type, int64_t handle, pa_boxing *boxing) {
  if (type->kind == PA_TYPE_STR || type->kind == PA_TYPE_BYTES) {
    PyObject *text = pa_box_text(handle);
    pyarray_rt_release(handle);
    return text;
  }
  if (type->kind == PA_TYPE_INSTANCE) return pa_box_instance(type, handle);
  if (type->kind == PA_TYPE_GENERATOR) return pa_box_generator(type, handle, boxing);
  PyObject *result = find_argument(handle, boxing);
  const pa_list *bytes = pa_object_of(handle);
  if (result)
    Py_INCREF(result);
  else if (type->kind == PA_TYPE_BYTEARRAY)
    result = PyByteArray_FromStringAndSize(bytes->items, bytes->length);
  else if (Py_EnterRecursiveCall(" while making a container") == 0) {
    bool list = type->kind == PA_TYPE_LIST;
    result = is_shared(type, pa_object_of(handle), boxing) ? pa_share_container(type, handle)
             : type->kind == PA_TYPE_DEQUE                 ? box_deque(type->elements, pa_object_of(handle), boxing)
             : list ? pa_box_list_items(type->elements, pa_object_of(handle), boxing)
                    : pa_dict_of_class(type, pa_box_dict(type->elements, pa_object_of(handle), boxing));
    Py_LeaveRecursiveCall();
  }
  pyarray_rt_release(handle);
  return result;
}

//===-- From slots --------------------------------------------------------------------------------===//

void pa_store_item(const char **code, const uint64_t **slots, char *item, int64_t *offset) {
  pa_type type;
  const char *start = *code, *at = NULL;
  *code = pa_type_next(start, &type);
  if (type.kind == PA_TYPE_TUPLE) {
    at = type.elements;
    while (*at != ')') pa_store_item(&at, slots, item, offset);
    return;
  }
  char *place = (char *)place_part(&type, item, offset);
  memcpy(place, *slots, (size_t)layout_of(&type).size);
  if (type.kind == PA_TYPE_OPTIONAL) {
    ++*slots;
    at = type.elements;
    pa_store_item(&at, slots, item, offset);
  } else {
    *slots += pa_type_slots(start);
  }
}

static const char NO_ITEM[] = "!"; // which no item type reads

void pa_item_code_of(const char *code, pa_string *out) {
  while (*code) {
    if (*code == 'P') return pa_string_puts(out, NO_ITEM); // a function that is not one of several
    if (*code == 'W' || *code == 'L' || *code == 'X' || *code == 'S' || *code == 'T' || *code == 'K' || *code == 'G' ||
        *code == 'J') {
      pa_string_puts(out, "o");
      code = pa_type_next(code, NULL);
    } else if (*code == 'R' || *code == 'l') {
      pa_string_puts(out, *code == 'R' ? "(qqq" : "(");
      for (int i = 1; *code == 'l' && i < 4; ++i)
        if (code[i] == 'q') pa_string_puts(out, "q");
      pa_string_puts(out, ")");
      code += *code == 'R' ? 1 : 4;
    } else if (*code == 'r') {
      pa_string_puts(out, "[C1Q");
      code += 2;
    } else if (*code == 'N' || *code == 'k' || *code == 'c') {
      code = strchr(code, ']') + 1;
    } else if (*code == 'E' || *code == 'p' || (code[0] == '*' && code[1] == ':')) {
      pa_string_puts(out, *code == '*' ? "Q" : "q");
      code = pa_type_next(code, NULL);
    } else if (strchr("[{vMm", *code)) {
      pa_type type;
      const char *rest = pa_type_next(code, &type);
      if (!rest) return pa_string_puts(out, NO_ITEM);
      if (type.kind == PA_TYPE_RECORD || type.kind == PA_TYPE_RECORDS)
        pa_string_format(out, "[A%dB", pa_type_axes(&type));
      else
        pa_string_append(out, code, (size_t)(rest - code));
      code = rest;
    } else {
      pa_string_append(out, code++, 1);
    }
  }
}
