// Lists and the like as arguments and results: what the dispatcher keeps of them for the length of a call.
#ifndef PYARRAY_PYTHON_EXT_OBJECTS_H
#define PYARRAY_PYTHON_EXT_OBJECTS_H

#include "ext.h"
#include "runtime/base/objects.h"

// A container of Python that was copied for the call, or a typed container, whose handle was taken.
typedef struct pa_object_argument {
  PyObject *object; // held: compiled code may take it out of what contains it
  int64_t handle;   // one reference is ours
  char *before;     // a copy of its items as they were; NULL: a typed container, nothing is written back
  int64_t length;
  uint32_t code, code_length; // of its item type, in |codes|
} pa_object_argument;

typedef struct pa_object_arguments {
  pa_object_argument *items;
  int32_t count, capacity;
  char *codes;
  uint32_t codes_length, codes_capacity;
  int32_t
      *table; // numbers + 1 of |items| by their object, then by their handle: |table_size| (a power of two) places each
  int32_t table_size;
  int32_t depth; // of the containers that are being read
} pa_object_arguments;

// The argument that is |key|: an object, or a handle. NULL where there is none.
const pa_object_argument *pa_object_argument_find(const pa_object_arguments *objects, uint64_t key, bool by_handle);

enum { PA_ITEM_CODE = 512 }; // longest code of an item type

// "Lq" and a handle of a new list with the items of a Python list; "Xq" of a deque.
pa_refusal pa_unbox_list(PyObject *list, pa_arguments *arguments);
// A dtype or a class of NumPy's scalars; |*out_known|: it is one (dtype.c).
pa_refusal pa_unbox_dtype(PyObject *value, pa_arguments *arguments, bool *out_known);
PyObject *pa_box_dtype(const pa_type *type);
pa_refusal pa_unbox_bytearray(PyObject *value, pa_arguments *arguments); // "W" and a handle
PyObject *pa_function_numbered(int64_t value); // of an item that is one of several functions: a new reference (unbox.c)
PyObject *pa_deque_class(void);                // collections.deque, borrowed; NULL with an exception set
bool pa_is_deque(PyObject *value);
// What comes before "Kqd" of a Counter, an OrderedDict or a defaultdict; |*out_known|: it is one (dict_classes.c).
pa_refusal pa_put_dict_class(PyObject *object, pa_string *out, bool *out_known);
// One of that class, of a dict, whose reference it takes over; NULL stays NULL.
PyObject *pa_dict_of_class(const pa_type *type, PyObject *dict);
// "Kqd" and "Sq", of a Python dict or set; "c[counter]KUq" of a Counter.
pa_refusal pa_unbox_dict(PyObject *dict, pa_arguments *arguments);
// Of the code of a container or tuple, which may be None: that of its items; NULL where it does not start with
// |letter|.
const char *pa_like_items(const char *like, char letter);
// A new list of the items of a Python list, and the code of their type (room for PA_ITEM_CODE); |what|: "the items of a
// list", in messages. |arguments->like| is that of the items; an empty list needs one.
pa_refusal pa_items_of(PyObject *list, const char *what, pa_arguments *arguments, pa_list **out_items, char *code);
// The same of typed.List, typed.Dict and typed.Set, without a copy.
extern PyTypeObject pa_typed_list_type, pa_typed_dict_type, pa_typed_set_type, pa_typed_iterator_type;
int64_t pa_typed_handle(PyObject *object); // of a typed container, borrowed; 0: the type of its items is not known yet
const char *pa_typed_code(PyObject *object);
pa_refusal pa_unbox_typed(PyObject *container, pa_arguments *arguments);
// NumPy's Generators and BitGenerators (random.c). |*out_known|: it is one.
pa_refusal pa_unbox_random(PyObject *value, pa_arguments *arguments, bool *out_known);
PyObject *pa_box_random(const uint64_t **slots); // takes over the owner's reference
// "VB[c1B" and the slots of an array, of a memoryview or anything else that has a buffer (buffer.c).
pa_refusal pa_unbox_buffer(PyObject *value, pa_arguments *arguments);
pa_refusal pa_unbox_array_like(PyObject *value, pa_arguments *arguments);
// A memoryview of |array|, whose reference it takes over; NULL stays NULL.
PyObject *pa_memoryview_of(PyObject *array, char format);
// The bytearray, an argument, whose copy owns the memory of an array that a call gives, borrowed, and how far its own
// bytes are from there; or NULL.
PyObject *pa_exporting_argument(int64_t owner, const pa_object_arguments *objects, ptrdiff_t *out_moved);
// Keeps a typed container, text, or an array among items, for the call; takes a reference to |handle| over.
pa_refusal pa_keep_typed(pa_object_arguments *objects, PyObject *object, int64_t handle);
// An owner that holds an array, or a record, for the call; 0 with an exception set.
int64_t pa_keep_array(PyObject *array, pa_object_arguments *objects);
// Keeps a copy's handle, whose reference it takes over, and its items as they are now, so that changes can be written
// back to |object|.
pa_refusal pa_keep_copy(pa_object_arguments *objects, PyObject *object, int64_t handle, const char *items, size_t size,
                        int64_t count, const char *code);
// Writes "Lq" and the handle.
pa_refusal pa_put_container(pa_arguments *arguments, PyObject *object, char letter, const char *code, int64_t handle);
// Changes that were made to the copies are made to the containers; false with an exception set where one cannot be.
bool pa_objects_write_back(const pa_object_arguments *objects, pa_boxing *boxing);
bool pa_write_back_dict(const pa_object_arguments *objects, const pa_object_argument *argument,
                        pa_boxing *boxing); // of one
void pa_objects_discard(pa_object_arguments *objects);

// Items in memory (items.c of the runtime lays them out) as Python values, and back. |*code| moves on over the type.
PyObject *pa_box_item(const char **code, const char *item, int64_t *offset, pa_boxing *boxing);
PyObject *pa_box_whole_item(const char *code, const char *item, pa_boxing *boxing); // of one type, at its start
// A new list with the items of |list|, whose item type is |code|.
PyObject *pa_box_list_items(const char *code, const pa_list *list, pa_boxing *boxing);
// Calls of dispatchers: decorator.c raises why a declared signature was refused; fallback.c has the real Numba do it.
PyObject *pa_refuse_call(PyObject *callable, PyObject *const *values, size_t flags, PyObject *names);
// Where the settings say so, the refusal of a declared signature, which is the exception that is set, becomes a
// warning, and |dispatcher| has it from then on. False with the exception set where it stays one.
bool pa_put_off(pa_dispatcher *dispatcher);
bool pa_falls_back(void);
// After the exception of a call of |method| of |object|, whose function |self| has: the result of the real Numba's, or
// NULL with the exception where that stands. |object| is the dispatcher, a DUFunc or a launcher.
PyObject *pa_fall_back(pa_dispatcher *self, PyObject *object, const char *method, PyObject *const *values,
                       Py_ssize_t count, PyObject *names);
PyObject *pa_call_or_fall_back(PyObject *callable, PyObject *const *values, size_t flags, PyObject *names);
PyObject *pa_set_falls_back(PyObject *module, PyObject *flag); // _set_falls_back
// The list, dict or set of pyarray.typed that holds what |handle| is, which is retained.
PyObject *pa_share_container(const pa_type *type, int64_t handle);
PyObject *pa_share_results(PyObject *module, PyObject *dispatcher); // _share_results
// The same of a dict or set; |code|: that of its keys and of its values.
PyObject *pa_box_dict(const char *code, const pa_dict *dict, pa_boxing *boxing);
// A str or bytes with the contents of that handle's, which stays as it is.
PyObject *pa_box_text(int64_t handle);
// A new handle with the contents of a str or bytes, or 0.
int64_t pa_unbox_text(PyObject *value);
// 'U' or 'Y' and a handle, kept for the call.
pa_refusal pa_unbox_text_argument(PyObject *value, pa_arguments *arguments);
// Of a handle of type |type|; takes over its reference.
PyObject *pa_box_handle(const pa_type *type, int64_t handle, pa_boxing *boxing);
// The item code (lib/runtime/base/objects.h) of a type code.
void pa_item_code_of(const char *code, pa_string *out);
// Appends the bytes of an item from its slots.
void pa_store_item(const char **code, const uint64_t **slots, char *item, int64_t *offset);

//===-- Types that values share: join_types.c ------------------------------------------------------===//

// Appends the code of the type that values of the first types of |a| and |b| both fit. False where there is none.
bool pa_join_codes(const char *a, const char *b, pa_string *out);
// Slots of one type as those of another: a value where it may be None, tuples by their elements. False where there is
// no conversion, with an exception where the value does not fit.
bool pa_fit_slots(const char **from, const uint64_t **slots, const char **to, uint64_t **out);

//===-- Generators: generator.c -------------------------------------------------------------------===//

extern PyTypeObject pa_generator_type;
// The iterator for a generator; takes the reference to |handle| over. |type|: PA_TYPE_GENERATOR.
PyObject *pa_box_generator(const pa_type *type, int64_t handle, const pa_boxing *boxing);

// Keyword arguments, lists of names and values, as the one argument that a parameter **kwargs gets (keywords.c).
extern PyTypeObject pa_keywords_type;
PyObject *pa_keywords_new(PyObject *names, PyObject *values);
pa_refusal pa_put_keywords_code(PyObject *mapping, pa_arguments *arguments,
                                PyObject **out_values);         // "k[names]"; |*out_values|: a tuple, borrowed
PyObject *pa_keywords_of(const pa_type *type, PyObject *tuple); // a dict; takes over the reference to |tuple|

PyObject *pa_freeze_container(PyObject *module, PyObject *value); // _freeze (freeze.c)

//===-- Named tuples and enums: named_types.c -----------------------------------------------------===//

// The code of the type of a class's values, without the elements of a tuple: "N[module:Point#0]"; "" where the class is
// none of these. NULL with an exception set.
const char *pa_named_code(PyObject *class);
// Writes that of the class of |value|; |*out_known|: there is one.
pa_refusal pa_put_named_code(PyObject *value, pa_arguments *arguments, bool *out_known);
pa_refusal pa_unbox_member(PyObject *value, pa_arguments *arguments, bool *out_known); // of an enum
PyObject *pa_box_member(const pa_type *type, int64_t number);
// |tuple|, whose reference it takes over, as a named tuple if |type| is one. NULL stays NULL.
PyObject *pa_named_tuple_of(const pa_type *type, PyObject *tuple);

// References of their own for the owners in slots.
void pa_hold_slots(const char **code, uint64_t **slots);
void pa_objmode_initialize(void); // blocks run in the interpreter (objmode.c)
int64_t pa_keep_exception(void);  // a handle that holds the exception that is set
// Slots of |value| as the type |declared|, with references of their own: 1, 0 where it is of another type, -1 with an
// exception set.
int pa_unbox_as(PyObject *value, const char *declared, uint64_t *results);
// Compiled code can have the text of exceptions (exception_parts.c).
void pa_exception_parts_initialize(void);

//===-- Instances of classes: instance.c ----------------------------------------------------------===//

extern PyTypeObject pa_instance_class;                     // base of all compiled classes
PyObject *pa_class_named(const char *name, size_t length); // borrowed; NULL with an exception set
pa_refusal pa_unbox_instance(PyObject *object, pa_arguments *arguments);
// The object of Python for an instance; takes the reference to |handle| over. |type|: PA_TYPE_INSTANCE.
PyObject *pa_box_instance(const pa_type *type, int64_t handle);
bool pa_compares_by_identity(const pa_type *type); // whether the class of such instances has no __eq__
// Threads without the interpreter lock asked to hold or let go objects of Python; pa_references_catch_up does that.
extern volatile bool pa_references_wait;
void pa_references_catch_up(void);
int pa_instance_initialize(PyObject *module); // -1 with an exception set

#endif // PYARRAY_PYTHON_EXT_OBJECTS_H
