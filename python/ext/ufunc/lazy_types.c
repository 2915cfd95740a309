// What types the key of a call leads to, and the code of a loop for them. Python's own numbers take the type of the
// other operands (NEP 50); what those have in common is NumPy's promotion.
#include "ufunc.h"

#include <stdlib.h>
#include <string.h>

bool pa_has_weak_numbers;

bool pa_lazy_int_fits(PyObject *value, char letter) {
  static const struct {
    char letter;
    long long least, most;
  } ranges[] = {{'b', INT8_MIN, INT8_MAX}, {'h', INT16_MIN, INT16_MAX}, {'i', INT32_MIN, INT32_MAX},
                {'B', 0, UINT8_MAX},       {'H', 0, UINT16_MAX},        {'I', 0, UINT32_MAX},
                {'Q', 0, INT64_MAX}};
  int overflow;
  if (!PyLong_CheckExact(value)) return true;
  long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
  if (overflow) return letter == 'Q' ? overflow > 0 : pa_dtype_kind_of(letter) > PA_DTYPE_UNSIGNED;
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; ++i)
    if (ranges[i].letter == letter) return number >= ranges[i].least && number <= ranges[i].most;
  return true;
}

static bool is_number(char letter) { return pa_ufunc_type_number(letter) >= 0; }

// The type that a Python number takes beside others of the type |common|, or alone (0).
static char adopt(char weak, char common) {
  pa_dtype_kind kind = common ? pa_dtype_kind_of(common) : PA_DTYPE_BOOL;
  bool is_single = common == 'e' || common == 'f' || common == 'F';
  switch (weak) {
  case PA_KEY_INT: return kind == PA_DTYPE_BOOL ? 'q' : common;
  case PA_KEY_FLOAT: return kind >= PA_DTYPE_FLOAT ? common : 'd';
  default: return is_single ? 'F' : 'D';
  }
}

char pa_lazy_letter_alone(char letter) { return pa_lazy_is_weak(letter) ? adopt(letter, '\0') : letter; }

static char promote(char a, char b) {
  if (!a || a == b) return b;
  PyArray_Descr *first = pa_ufunc_descr(a), *second = pa_ufunc_descr(b);
  PyArray_Descr *both = first && second ? PyArray_PromoteTypes(first, second) : NULL;
  char letter = both ? pa_ufunc_letter(both) : '\0';
  Py_XDECREF(both);
  Py_XDECREF(first);
  Py_XDECREF(second);
  PyErr_Clear(); // a time and a float have no common type
  return letter;
}

char pa_lazy_make_exact(const pa_lazy_ufunc *self, const char *key, char *out_exact) {
  int nin = self->kernel->nin;
  char common = '\0';
  for (const char *at = key; *at; ++at)
    if (!is_number(*at) && !pa_lazy_is_weak(*at) && *at != PA_KEY_ABSENT) return *at;
  for (int i = 0; i < nin; ++i)
    if (is_number(key[i]) && !pa_ufunc_is_time(key[i])) common = promote(common, key[i]);
  for (int i = 0; i < nin; ++i) out_exact[i] = pa_lazy_is_weak(key[i]) ? adopt(key[i], common) : key[i];
  common = '\0';
  for (int i = 0; i < nin; ++i) common = promote(common, out_exact[i]); // what outputs have by default
  for (Py_ssize_t i = nin; key[i]; ++i) {
    out_exact[i] = key[i] == PA_KEY_ABSENT ? common : key[i];
    if (!out_exact[i]) return key[i];
  }
  return '\0';
}

PyObject *pa_lazy_code_for(const pa_ufunc_kernel *kernel, const char *exact) {
  enum { LONGEST = 4 + PA_SPARE }; // "[A32d", "[A32M[25s]"
  char code[PA_MAX_OPERANDS * LONGEST + 3], *end = code;
  for (int i = 0; exact[i]; ++i) {
    int rank = (unsigned char)PyBytes_AS_STRING(kernel->ranks)[i];
    if (rank == 0 && i >= kernel->nin) rank = 1; // a single element, which the function writes
    if (rank) end += sprintf(end, "[A%d", rank);
    end = pa_ufunc_put_code(end, exact[i]);
  }
  strcpy(end, kernel->writes_outputs ? ">n" : ">");
  return PyUnicode_FromString(code);
}

bool pa_lazy_with_long_ints(const char *key, char *out_key) {
  bool any = false;
  for (size_t i = 0; (out_key[i] = key[i]); ++i)
    if (key[i] == PA_KEY_INT) any = true, out_key[i] = 'q';
  return any;
}

bool pa_lazy_harden(const pa_lazy_ufunc *self, PyObject **values, char *key, PyObject *kept) {
  char exact[PA_MAX_OPERANDS + 1] = "";
  if (pa_has_weak_numbers || pa_lazy_make_exact(self, key, exact)) return true;
  for (int i = 0; i < self->kernel->nin; ++i) {
    if (!pa_lazy_is_weak(key[i])) continue;
    if (key[i] == PA_KEY_INT && !pa_lazy_int_fits(values[i], exact[i])) key[i] = exact[i] = 'q';
    PyArray_Descr *descr = PyArray_DescrFromType(pa_ufunc_type_number(exact[i])); // the array takes it over
    PyObject *array = PyArray_FromAny(values[i], descr, 0, 0, 0, NULL);
    if (!array || PyList_Append(kept, array) < 0) return Py_XDECREF(array), false;
    values[i] = array;
    Py_DECREF(array);
  }
  return true;
}

bool pa_lazy_can_cast(char from, char to) {
  pa_dtype_kind kind = pa_dtype_kind_of(pa_ufunc_shown_letter(to));
  switch (from) {
  case PA_KEY_ABSENT: return true;
  case PA_KEY_FOREIGN: return false;
  case PA_KEY_INT: return kind != PA_DTYPE_BOOL && kind != PA_DTYPE_DATETIME;
  case PA_KEY_FLOAT: return kind == PA_DTYPE_FLOAT || kind == PA_DTYPE_COMPLEX;
  case PA_KEY_COMPLEX: return kind == PA_DTYPE_COMPLEX;
  }
  PyArray_Descr *source = is_number(from) ? pa_ufunc_descr(from) : PyArray_DescrFromType(from);
  PyArray_Descr *target = pa_ufunc_descr(to);
  bool can = source && target && PyArray_CanCastTypeTo(source, target, NPY_SAFE_CASTING);
  Py_XDECREF(source);
  Py_XDECREF(target);
  PyErr_Clear();
  return can;
}
