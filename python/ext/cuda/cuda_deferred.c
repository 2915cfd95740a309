// Device arrays whose elements are not computed yet: what operators on device arrays give (pyarray/cuda/_deferred.py).
//
//   Such an array has its shape and dtype, and no memory. Whoever is about to use the memory of any array asks
//   pa_device_array_ready, which computes it. Others may write to the arrays that it is made of, so that it computes
//   all that is deferred, before memory is given to anyone; only what reads says so (pa_device_array_readable).
#include "cuda.h"
#include "objects.h"

#include "cuda/device_arrays.h"

#include <string.h>

int pa_deferred_count;
static pa_device_array *first, *last;   // of those that are deferred, oldest first
static _Thread_local bool is_computing; // arrays are only read: what pyarray/cuda/_deferred.py calls

// Computes what is deferred; errors are kept for who reads the arrays.
static bool compute_all(void) {
  PyObject *done = pa_call_helper("cuda._deferred", "compute_all", "()");
  Py_XDECREF(done);
  return done;
}

bool pa_compute_deferred(void) { return !pa_deferred_count || is_computing || compute_all(); }

static PyObject *root_of(const pa_device_array *array) {
  PyObject *owner = array->owner;
  while (owner && pa_is_device_array(owner)) owner = ((const pa_device_array *)owner)->owner;
  return owner;
}

bool pa_device_array_settle(const pa_device_array *array, bool only_reads) {
  if (array->deferred) {
    PyObject *done = pa_call_helper("cuda._deferred", "compute", "(O)", (PyObject *)(uintptr_t)array);
    Py_XDECREF(done);
    if (!done) return false;
  }
  if (!pa_device_array_lives(array)) return pa_device_array_refuse_dead(array), false;
  if (pa_capture_count && !pa_graph_keeps(root_of(array))) return false;
  return only_reads || pa_compute_deferred();
}

//===-- Which arrays are deferred ---------------------------------------------------------------===//

static void remember(pa_device_array *array, PyObject *expression) {
  array->generation = PA_NO_GENERATION;
  array->deferred = Py_NewRef(expression);
  array->earlier = last;
  array->later = NULL;
  *(last ? &last->later : &first) = array;
  last = array;
  ++pa_deferred_count;
}

void pa_device_array_forget(pa_device_array *array) {
  *(array->earlier ? &array->earlier->later : &first) = array->later;
  *(array->later ? &array->later->earlier : &last) = array->earlier;
  --pa_deferred_count;
  Py_CLEAR(array->deferred);
}

// waiting(): the arrays that are deferred, oldest first.
static PyObject *waiting(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  PyObject *list = PyList_New(0);
  for (pa_device_array *at = first; list && at; at = at->later)
    if (PyList_Append(list, (PyObject *)at)) Py_CLEAR(list);
  return list;
}

//===-- Whose memory is known to others -------------------------------------------------------------===//

void pa_device_array_share(pa_device_array *array) {
  PyObject *root = root_of(array);
  if (root && Py_TYPE(root) == &pa_memory_type) ((pa_memory_object *)root)->is_shared = true;
  if (root && Py_TYPE(root) == &pa_array_owner_type) pa_device_memory_share(pa_array_owner_handle(root));
}

bool pa_device_array_is_near(const pa_device_array *array, const pa_cuda_context *context) {
  PyObject *root = root_of(array);
  int there = array->context->device->ordinal, here = context->device->ordinal;
  if (__atomic_load_n(&context->peers, __ATOMIC_RELAXED) >> (there & 63) & 1) return true;
  if (root && Py_TYPE(root) == &pa_memory_type && ((pa_memory_object *)root)->buffer.kind != PA_CUDA_DEVICE)
    return true; // of the host, or managed
  PyErr_Format(PyExc_ValueError,
               "an array is on device %d, which device %d does not reach\nhint: copy it (cuda.to_device within `with "
               "cuda.gpus[%d]:`), select device %d, or allow it: cuda.current_context().enable_peer_access(%d)",
               there, here, here, there, there);
  return false;
}

// Whether nobody else can write to the memory but by the arrays of this module.
static bool is_private(const pa_device_array *array) {
  PyObject *root = root_of(array);
  if (!root) return false;
  if (Py_TYPE(root) == &pa_array_owner_type) return !pa_device_memory_is_shared(pa_array_owner_handle(root));
  if (Py_TYPE(root) != &pa_memory_type) return false;
  const pa_memory_object *memory = (const pa_memory_object *)root;
  return !memory->is_shared && memory->buffer.kind == PA_CUDA_DEVICE && !memory->buffer.manager;
}

//===-- For pyarray/cuda/_deferred.py ---------------------------------------------------------------===//

// deferred(type, shape, dtype, like, expression): an array without memory, on the device of |like|.
static PyObject *deferred(PyObject *module, PyObject *arguments) {
  PyObject *type, *shape_object, *like, *expression;
  PyArray_Descr *dtype;
  PyArray_Dims shape = {NULL, -1};
  (void)module;
  if (!PyArg_ParseTuple(arguments, "O!OO!O!O", &PyType_Type, &type, &shape_object, &PyArrayDescr_Type, &dtype,
                        &pa_device_array_type, &like, &expression) ||
      !pa_extents_argument(shape_object, "the shape", &shape))
    return NULL;
  PyObject *made = pa_device_array_new((PyTypeObject *)type, ((pa_device_array *)like)->context, 0, shape.len,
                                       shape.ptr, NULL, dtype, false, NULL);
  PyDimMem_FREE(shape.ptr);
  if (!made) return NULL;
  remember((pa_device_array *)made, expression);
  return made;
}

// fulfil(array, computed): |array|, which was deferred, is the same as |computed| from now on.
static PyObject *fulfil(PyObject *module, PyObject *arguments) {
  pa_device_array *array, *computed;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "O!O!", &pa_device_array_type, &array, &pa_device_array_type, &computed))
    return NULL;
  if (!array->deferred || array->item || computed->item || array->rank != computed->rank ||
      memcmp(array->slots + 1, computed->slots + 1, (size_t)array->rank * sizeof *array->slots) ||
      !PyArray_EquivTypes(array->dtype, computed->dtype))
    return PyErr_Format(PyExc_RuntimeError,
                        "what was computed is not of the shape and dtype that were foreseen: "
                        "%S instead of %S",
                        (PyObject *)computed->dtype, (PyObject *)array->dtype);
  int words = 1 + 3 * array->rank; // as pa_device_array_new has them
  memcpy(array->slots, computed->slots, (size_t)words * sizeof *array->slots);
  memcpy(array->code, computed->code, sizeof array->code);
  array->code_length = computed->code_length;
  array->layout = computed->layout;
  array->readonly = computed->readonly;
  array->context = computed->context;
  array->generation = computed->generation;
  Py_XSETREF(array->owner, Py_XNewRef(computed->owner));
  pa_device_array_forget(array);
  Py_RETURN_NONE;
}

// expression_of(array): what a deferred array is made of, or None.
static PyObject *expression_of(PyObject *module, PyObject *object) {
  (void)module;
  if (!pa_is_device_array(object)) Py_RETURN_NONE;
  PyObject *expression = ((pa_device_array *)object)->deferred;
  return Py_NewRef(expression ? expression : Py_None);
}

// set_expression(array, expression): of an array that is deferred.
static PyObject *set_expression(PyObject *module, PyObject *arguments) {
  pa_device_array *array;
  PyObject *expression;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "O!O", &pa_device_array_type, &array, &expression)) return NULL;
  if (!array->deferred) return PyErr_Format(PyExc_ValueError, "the array is not deferred");
  Py_SETREF(array->deferred, Py_NewRef(expression));
  Py_RETURN_NONE;
}

// Whether compiled functions take it.
static bool has_numbers(const pa_device_array *array) {
  return array->deferred || (array->code_length && !array->item && PyTypeNum_ISNUMBER(array->dtype->type_num)) ||
         (array->code_length && PyTypeNum_ISBOOL(array->dtype->type_num));
}

// deferrable(array): whether what is made of it may be computed later.
static PyObject *deferrable(PyObject *module, PyObject *object) {
  (void)module;
  const pa_device_array *array = (const pa_device_array *)object;
  return PyBool_FromLong(pa_is_device_array(object) && has_numbers(array) && (array->deferred || is_private(array)));
}

// takes_code(array): whether its elements are where compiled code can read them.
static PyObject *takes_code(PyObject *module, PyObject *object) {
  (void)module;
  const pa_device_array *array = (const pa_device_array *)object;
  return PyBool_FromLong(pa_is_device_array(object) && (array->deferred || array->code_length));
}

// shape_of(array, other): that of both where they have one, are on one device, and what is made of them may be computed
// later; else None. |other| may be None.
static PyObject *shape_of(PyObject *module, PyObject *const *values, Py_ssize_t count) {
  (void)module;
  const pa_device_array *array = (const pa_device_array *)values[0],
                        *other = (const pa_device_array *)values[count - 1];
  if (count != 2 || !pa_is_device_array(values[0])) Py_RETURN_NONE;
  if (!array->rank || !has_numbers(array) || !(array->deferred || is_private(array))) Py_RETURN_NONE;
  if (values[1] != Py_None) {
    if (!pa_is_device_array(values[1]) || array->rank != other->rank || array->context != other->context ||
        memcmp(array->slots + 1, other->slots + 1, (size_t)array->rank * sizeof *array->slots) || !has_numbers(other) ||
        !(other->deferred || is_private(other)))
      Py_RETURN_NONE;
  }
  return PyObject_GetAttrString(values[0], "shape");
}

// deferred_count(): how many arrays are.
static PyObject *deferred_count(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  return PyLong_FromLong(pa_deferred_count);
}

// call_reading(function, *arguments): of a function that writes to none of its arguments, or to ones of which nothing
// is made that is deferred.
static PyObject *call_reading(PyObject *module, PyObject *const *values, Py_ssize_t count) {
  (void)module;
  if (count < 1) return PyErr_Format(PyExc_TypeError, "a function is missing");
  bool before = is_computing;
  is_computing = true;
  PyObject *result = PyObject_Vectorcall(values[0], values + 1, (size_t)count - 1, NULL);
  is_computing = before;
  return result;
}

PyMethodDef pa_cuda_deferred_functions[] = {
    {"deferred", deferred, METH_VARARGS, NULL},
    {"fulfil", fulfil, METH_VARARGS, NULL},
    {"expression_of", expression_of, METH_O, NULL},
    {"set_expression", set_expression, METH_VARARGS, NULL},
    {"deferrable", deferrable, METH_O, NULL},
    {"takes_code", takes_code, METH_O, NULL},
    {"deferred_count", deferred_count, METH_NOARGS, NULL},
    {"waiting", waiting, METH_NOARGS, NULL},
    {"shape_of", (PyCFunction)(void (*)(void))shape_of, METH_FASTCALL, NULL},
    {"call_reading", (PyCFunction)(void (*)(void))call_reading, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
