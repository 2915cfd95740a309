// Outputs of a generalized ufunc that are cast. NumPy gives the kernel memory that holds nothing and casts it to the
// output afterwards; but a kernel need not store all of an output, and what it does not store stays. So such a call has
// a copy of the output instead (_ufunc_outputs.py).
#include "ufunc.h"

static vectorcallfunc plain_call; // NumPy's, of all ufuncs

// The output |number| among arguments and keywords, borrowed; NULL where none is given.
static PyObject *output_of(const PyUFuncObject *ufunc, PyObject *const *values, Py_ssize_t count, PyObject *out,
                           int number) {
  if (ufunc->nin + number < count) return values[ufunc->nin + number];
  if (!out || !PyTuple_Check(out)) return number ? NULL : out;
  return number < PyTuple_GET_SIZE(out) ? PyTuple_GET_ITEM(out, number) : NULL;
}

static bool has_letter(PyObject *value, char letter) {
  return !value || !PyArray_Check(value) || pa_ufunc_letter(PyArray_DESCR((PyArrayObject *)value)) == letter;
}

// Whether the given outputs have the types of loop |number|; |inputs|: and the inputs.
static bool fits(PyUFuncObject *ufunc, PyObject *const *values, Py_ssize_t count, PyObject *out, int number,
                 bool inputs) {
  bool fitting = true;
  for (int i = inputs ? 0 : ufunc->nin; fitting && i < ufunc->nargs; ++i) {
    PyObject *value = i >= ufunc->nin ? output_of(ufunc, values, count, out, i - ufunc->nin)
                      : i < count     ? values[i]
                                      : NULL;
    fitting = has_letter(value, pa_ufunc_loop_letter((PyObject *)ufunc, number, i));
  }
  return fitting;
}

// Whether no output is cast, whatever loop NumPy takes: one with the very types of all operands, or any.
static bool casts_nothing(PyUFuncObject *ufunc, PyObject *const *values, Py_ssize_t count, PyObject *out) {
  bool all = true;
  for (int number = 0; number < ufunc->ntypes; ++number) {
    if (fits(ufunc, values, count, out, number, true)) return true;
    all = all && fits(ufunc, values, count, out, number, false);
  }
  return all;
}

static PyObject *find_keyword(PyObject *const *values, Py_ssize_t count, PyObject *names, const char *name) {
  for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names); ++i)
    if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, i), name) == 0) return values[count + i];
  return NULL;
}

static PyObject *keywords_of(PyObject *const *values, Py_ssize_t count, PyObject *names) {
  PyObject *keywords = PyDict_New();
  for (Py_ssize_t i = 0; keywords && names && i < PyTuple_GET_SIZE(names); ++i)
    if (PyDict_SetItem(keywords, PyTuple_GET_ITEM(names, i), values[count + i]) < 0) Py_CLEAR(keywords);
  return keywords;
}

// None where NumPy is to make the call after all.
static PyObject *call_with_copies(PyObject *ufunc, PyObject *const *values, Py_ssize_t count, PyObject *names) {
  PyObject *arguments = PyTuple_New(count), *keywords = keywords_of(values, count, names), *result = NULL;
  for (Py_ssize_t i = 0; arguments && i < count; ++i) PyTuple_SET_ITEM(arguments, i, Py_NewRef(values[i]));
  if (arguments && keywords) result = pa_call_helper("_ufunc_outputs", "call", "(OOO)", ufunc, arguments, keywords);
  Py_XDECREF(arguments);
  Py_XDECREF(keywords);
  return result;
}

static PyObject *call(PyObject *object, PyObject *const *values, size_t flags, PyObject *names) {
  PyUFuncObject *ufunc = (PyUFuncObject *)object;
  Py_ssize_t count = PyVectorcall_NARGS(flags);
  PyObject *out = find_keyword(values, count, names, "out");
  bool plain = (count <= ufunc->nin && !out) || count > ufunc->nargs || casts_nothing(ufunc, values, count, out);
  PyObject *result = plain ? Py_NewRef(Py_None) : call_with_copies(object, values, count, names);
  if (result != Py_None) return result;
  Py_DECREF(result);
  return plain_call(object, values, flags, names);
}

void pa_ufunc_keep_outputs(PyObject *object) {
  PyUFuncObject *ufunc = (PyUFuncObject *)object;
  if (!ufunc->core_enabled) return;
  plain_call = ufunc->vectorcall;
  ufunc->vectorcall = call;
}
