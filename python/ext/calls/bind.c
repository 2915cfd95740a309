// Calls that are not plain: keyword arguments, defaults, *args, and the TypeErrors that CPython gives for bad ones.
#include "objects.h"

#include <string.h>

typedef struct parameters {
  PyObject *qualified_name; // borrowed from the code
  PyObject *names;          // tuple; owned
  Py_ssize_t positional, positional_only, keyword_only;
  bool has_rest;    // *args
  bool has_mapping; // **kwargs
} parameters;

static bool read_parameters(PyObject *function, parameters *out_parameters) {
  PyCodeObject *code = (PyCodeObject *)PyFunction_GET_CODE(function);
  PyObject *names = PyCode_GetVarnames(code);
  if (!names) return false;
  *out_parameters = (parameters){
      .qualified_name = ((PyFunctionObject *)function)->func_qualname,
      .names = names,
      .positional = code->co_argcount,
      .positional_only = code->co_posonlyargcount,
      .keyword_only = code->co_kwonlyargcount,
      .has_rest = code->co_flags & CO_VARARGS,
      .has_mapping = code->co_flags & CO_VARKEYWORDS,
  };
  return true;
}

Py_ssize_t pa_parameter_count(pa_dispatcher *dispatcher) {
  PyCodeObject *code = (PyCodeObject *)PyFunction_GET_CODE(dispatcher->function);
  return code->co_argcount + code->co_kwonlyargcount + (code->co_flags & CO_VARARGS ? 1 : 0) +
         (code->co_flags & CO_VARKEYWORDS ? 1 : 0);
}

//===-- Messages ----------------------------------------------------------------------------------===//

// "'a'", "'a' and 'b'", "'a', 'b', and 'c'": the parameters among [first, last) that have no value.
static PyObject *missing_names(const parameters *of, PyObject **bound, Py_ssize_t first, Py_ssize_t last,
                               Py_ssize_t *out_count) {
  Py_ssize_t count = 0, written = 0;
  for (Py_ssize_t i = first; i < last; ++i) count += !bound[i];
  PyObject *text = PyUnicode_FromString("");
  for (Py_ssize_t i = first; text && i < last; ++i) {
    if (bound[i]) continue;
    const char *before = !written ? "" : written + 1 < count ? ", " : count == 2 ? " and " : ", and ";
    PyObject *longer = PyUnicode_FromFormat("%U%s%R", text, before, PyTuple_GET_ITEM(of->names, i));
    Py_SETREF(text, longer);
    ++written;
  }
  *out_count = count;
  return text;
}

static void raise_missing(const parameters *of, PyObject **bound, Py_ssize_t first, Py_ssize_t last, const char *kind) {
  Py_ssize_t count;
  PyObject *names = missing_names(of, bound, first, last, &count);
  if (!names) return;
  PyErr_Format(PyExc_TypeError, "%U() missing %zd required %s argument%s: %U", of->qualified_name, count, kind,
               count == 1 ? "" : "s", names);
  Py_DECREF(names);
}

static void raise_too_many(const parameters *of, Py_ssize_t given, Py_ssize_t defaults) {
  Py_ssize_t most = of->positional;
  const char *verb = given == 1 ? "was" : "were";
  if (defaults)
    PyErr_Format(PyExc_TypeError, "%U() takes from %zd to %zd positional arguments but %zd %s given",
                 of->qualified_name, most - defaults, most, given, verb);
  else
    PyErr_Format(PyExc_TypeError, "%U() takes %zd positional argument%s but %zd %s given", of->qualified_name, most,
                 most == 1 ? "" : "s", given, verb);
}

//===-- Binding -----------------------------------------------------------------------------------===//

static Py_ssize_t parameter_named(const parameters *of, PyObject *name) {
  Py_ssize_t count = of->positional + of->keyword_only;
  for (Py_ssize_t i = of->positional_only; i < count; ++i)
    if (PyTuple_GET_ITEM(of->names, i) == name) return i;
  for (Py_ssize_t i = of->positional_only; i < count; ++i)
    if (PyUnicode_Compare(PyTuple_GET_ITEM(of->names, i), name) == 0) return i;
  return -1;
}

static void raise_unexpected(const parameters *of, PyObject *name) {
  for (Py_ssize_t i = 0; i < of->positional_only; ++i) {
    if (PyUnicode_Compare(PyTuple_GET_ITEM(of->names, i), name) != 0) continue;
    PyErr_Format(PyExc_TypeError, "%U() got some positional-only arguments passed as keyword arguments: '%U'",
                 of->qualified_name, name);
    return;
  }
  PyErr_Format(PyExc_TypeError, "%U() got an unexpected keyword argument '%U'", of->qualified_name, name);
}

// |others|: a list of names and one of values, of those that **kwargs takes.
static bool bind_keywords(const parameters *of, PyObject *const *values, PyObject *names, PyObject **bound,
                          PyObject *const *others) {
  for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names); ++i) {
    PyObject *name = PyTuple_GET_ITEM(names, i);
    Py_ssize_t index = parameter_named(of, name);
    if (index < 0 && of->has_mapping) {
      if (PyList_Append(others[0], name) < 0 || PyList_Append(others[1], values[i]) < 0) return false;
      continue;
    }
    if (index < 0) {
      raise_unexpected(of, name);
      return false;
    }
    if (bound[index]) {
      PyErr_Format(PyExc_TypeError, "%U() got multiple values for argument '%U'", of->qualified_name, name);
      return false;
    }
    bound[index] = values[i];
  }
  return true;
}

static bool is_uint64(PyObject *value) {
  return PyArray_IsScalar(value, UInt64) ||
         (PyArray_Check(value) && PyArray_TYPE((PyArrayObject *)value) == NPY_UINT64);
}

// Compiled code takes a str that is known, and an int beside a uint64, whose sign decides, as the literal that the
// parameter's default is.
static PyObject *default_argument(PyObject *value, bool with_uint64) {
  bool omitted = value && (PyUnicode_Check(value) || (with_uint64 && PyLong_CheckExact(value)));
  return omitted ? pa_omitted : value;
}

static bool has_omitted(const pa_variant *variant) {
  const char *code = variant->code;
  while (code && *code && *code != '>' && *code != PA_TYPE_OMITTED) code = pa_argument_next(code);
  return code && *code == PA_TYPE_OMITTED;
}

// Declared variants have all arguments.
static bool may_omit(const pa_dispatcher *dispatcher) {
  if (dispatcher->can_compile) return true;
  for (const pa_variant *variant = dispatcher->variants; variant; variant = variant->next)
    if (has_omitted(variant)) return true;
  return false;
}

static void fill_defaults(const pa_dispatcher *dispatcher, const parameters *of, PyObject **bound) {
  PyObject *function = dispatcher->function;
  bool with_uint64 = false, omits = may_omit(dispatcher);
  for (Py_ssize_t i = 0; omits && i < of->positional + of->keyword_only; ++i)
    with_uint64 = with_uint64 || (bound[i] && is_uint64(bound[i]));
  PyObject *defaults = PyFunction_GET_DEFAULTS(function);
  Py_ssize_t count = defaults ? PyTuple_GET_SIZE(defaults) : 0;
  // __defaults__ can be assigned, and may then be longer than the parameters are many: the last ones count.
  for (Py_ssize_t i = count > of->positional ? count - of->positional : 0; i < count; ++i) {
    PyObject **place = &bound[of->positional - count + i];
    if (!*place) *place = default_argument(PyTuple_GET_ITEM(defaults, i), with_uint64);
  }
  PyObject *named = PyFunction_GET_KW_DEFAULTS(function);
  for (Py_ssize_t i = of->positional; named && i < of->positional + of->keyword_only; ++i)
    if (!bound[i])
      bound[i] = default_argument(PyDict_GetItemWithError(named, PyTuple_GET_ITEM(of->names, i)), with_uint64);
}

static bool check_complete(const parameters *of, PyObject **bound) {
  Py_ssize_t last = of->positional + of->keyword_only;
  for (Py_ssize_t i = 0; i < last; ++i) {
    if (bound[i]) continue;
    if (i < of->positional)
      raise_missing(of, bound, 0, of->positional, "positional");
    else
      raise_missing(of, bound, of->positional, last, "keyword-only");
    return false;
  }
  return true;
}

static PyObject *rest_of(PyObject *const *values, Py_ssize_t count, Py_ssize_t taken) {
  PyObject *rest = PyTuple_New(count > taken ? count - taken : 0);
  for (Py_ssize_t i = taken; rest && i < count; ++i) PyTuple_SET_ITEM(rest, i - taken, Py_NewRef(values[i]));
  return rest;
}

bool pa_bind(pa_dispatcher *dispatcher, PyObject *const *values, Py_ssize_t count, PyObject *names, PyObject **bound,
             PyObject **out_rest) {
  PyObject *function = dispatcher->function;
  PyObject *rest = NULL;
  parameters of;
  bool done = false;
  if (!read_parameters(function, &of)) return false;
  Py_ssize_t total = of.positional + of.keyword_only;
  PyObject *defaults = PyFunction_GET_DEFAULTS(function);
  Py_ssize_t taken = count < of.positional ? count : of.positional;

  PyObject *others[2] = {of.has_mapping ? PyList_New(0) : NULL, of.has_mapping ? PyList_New(0) : NULL};
  if (of.has_mapping && (!others[0] || !others[1])) goto done;
  memset(bound, 0, (size_t)total * sizeof *bound);
  for (Py_ssize_t i = 0; i < taken; ++i) bound[i] = values[i];
  if (!bind_keywords(&of, values + count, names, bound, others)) goto done;
  if (count > of.positional && !of.has_rest) {
    raise_too_many(&of, count, defaults ? PyTuple_GET_SIZE(defaults) : 0);
    goto done;
  }
  fill_defaults(dispatcher, &of, bound);
  if (!check_complete(&of, bound)) goto done;
  if (of.has_rest) {
    rest = rest_of(values, count, taken);
    if (!rest) goto done;
    bound[total] = rest;
  }
  if (of.has_mapping) {
    PyObject *mapping = pa_keywords_new(others[0], others[1]),
             *both = mapping ? PyTuple_Pack(2, mapping, rest ? rest : Py_None) : NULL;
    bound[total + of.has_rest] = mapping;
    Py_XDECREF(mapping);
    Py_XDECREF(rest);
    rest = both;
    if (!rest) goto done;
  }
  done = true;

done:
  Py_XDECREF(others[0]);
  Py_XDECREF(others[1]);
  Py_DECREF(of.names);
  if (done) *out_rest = rest;
  return done;
}
