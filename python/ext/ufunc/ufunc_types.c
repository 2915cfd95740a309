// Types of the operands of ufuncs, one letter each, and how NumPy learns which units the loops of datetimes and
// timedeltas take.
//
// NumPy finds loops by type numbers, which do not tell units. So a ufunc with such loops has a type resolver, which
// names the exact types of the first loop to which all inputs can be cast safely; NumPy then casts to these. Of loops
// that differ in units alone, NumPy knows the first one only: it is the only one that the resolver names.
#include "ufunc.h"

#include <string.h>

//===-- Letters -----------------------------------------------------------------------------------===//

static const char letters_by_number[NPY_HALF + 1] = "?bBhHiIqQqQfd\0FD\0\0\0\0\0\0\0e";

// Times with their units have the letters from 128 on, in the order in which this process met them.
enum { FIRST_TIME = 0x80, MOST_TIMES = 0x80 };
static struct {
  char dtype;
  pa_time_unit unit;
} times[MOST_TIMES];
static int time_count;

bool pa_ufunc_is_time(char letter) { return (unsigned char)letter >= FIRST_TIME; }

char pa_ufunc_time_letter(char dtype, pa_time_unit unit) {
  int i = 0;
  while (i < time_count && !(times[i].dtype == dtype && pa_time_unit_equal(times[i].unit, unit))) ++i;
  if (i == MOST_TIMES) return '\0';
  times[i].dtype = dtype;
  times[i].unit = unit;
  if (i == time_count) ++time_count;
  return (char)(unsigned char)(FIRST_TIME + i);
}

static int time_index(char letter) { return (unsigned char)letter - FIRST_TIME; }

char pa_ufunc_letter(const PyArray_Descr *descr) {
  char dtype = pa_time_dtype(descr->type_num);
  if (dtype) return pa_ufunc_time_letter(dtype, pa_time_descr_unit(descr));
  return (unsigned)descr->type_num <= NPY_HALF ? letters_by_number[descr->type_num] : '\0';
}

char pa_ufunc_letter_of_type(const pa_type *type) {
  return pa_dtype_is_time(type->dtype) ? pa_ufunc_time_letter(type->dtype, type->unit) : type->dtype;
}

int pa_ufunc_type_number(char letter) {
  if (pa_ufunc_is_time(letter)) return times[time_index(letter)].dtype == 'M' ? NPY_DATETIME : NPY_TIMEDELTA;
  const char *found = letter ? memchr(letters_by_number, letter, sizeof letters_by_number) : NULL;
  return found ? (int)(found - letters_by_number) : -1;
}

PyArray_Descr *pa_ufunc_descr(char letter) {
  if (!pa_ufunc_is_time(letter)) return PyArray_DescrFromType(pa_ufunc_type_number(letter));
  return pa_time_descr(times[time_index(letter)].dtype, times[time_index(letter)].unit);
}

int pa_ufunc_item_size(char letter) { return pa_ufunc_is_time(letter) ? 8 : pa_dtype_size(letter); }

char *pa_ufunc_put_code(char *code, char letter) {
  if (pa_ufunc_is_time(letter))
    return pa_time_put_code(code, times[time_index(letter)].dtype, times[time_index(letter)].unit);
  *code++ = letter;
  return code;
}

char pa_ufunc_shown_letter(char letter) { return pa_ufunc_is_time(letter) ? times[time_index(letter)].dtype : letter; }

//===-- Loops -------------------------------------------------------------------------------------===//

static const char *types_of(const PyUFuncObject *ufunc, int number) { return ufunc->types + number * ufunc->nargs; }

static bool is_found(const PyUFuncObject *ufunc, int number) {
  for (int earlier = 0; earlier < number; ++earlier)
    if (memcmp(types_of(ufunc, earlier), types_of(ufunc, number), (size_t)ufunc->nargs) == 0) return false;
  return true;
}

static bool has_times(const PyUFuncObject *ufunc, int number) {
  bool times = false;
  for (int i = 0; i < ufunc->nargs; ++i) times |= pa_time_dtype(types_of(ufunc, number)[i]) != '\0';
  return times;
}

int pa_ufunc_hidden_loop(PyObject *object) {
  const PyUFuncObject *ufunc = (const PyUFuncObject *)object;
  for (int number = 0; number < ufunc->ntypes; ++number)
    if (!is_found(ufunc, number) && has_times(ufunc, number)) return number;
  return -1;
}

// What signature= or dtype= asks of an operand: its type number, or -1.
static int asked_number(PyObject *type_tuple, int i) {
  PyObject *asked = type_tuple && PyTuple_Check(type_tuple) && i < PyTuple_GET_SIZE(type_tuple)
                        ? PyTuple_GET_ITEM(type_tuple, i)
                        : NULL;
  return asked && PyArray_DescrCheck(asked) ? ((PyArray_Descr *)asked)->type_num : -1;
}

static bool takes(const PyUFuncObject *ufunc, int number, PyArrayObject **operands, PyObject *type_tuple) {
  for (int i = 0; i < ufunc->nargs; ++i) {
    int asked = asked_number(type_tuple, i);
    if (asked >= 0 && asked != types_of(ufunc, number)[i]) return false;
    if (i >= ufunc->nin || !operands[i]) continue;
    PyArray_Descr *descr = pa_ufunc_descr(pa_ufunc_loop_letter((PyObject *)ufunc, number, i));
    bool can = descr && PyArray_CanCastArrayTo(operands[i], descr, NPY_SAFE_CASTING);
    Py_XDECREF(descr);
    if (!can) return false;
  }
  return true;
}

static int refuse(PyArray_Descr **out_descrs, int count) {
  for (int i = 0; i < count; ++i) Py_CLEAR(out_descrs[i]);
  return -1;
}

static int resolve(struct _tagPyUFuncObject *ufunc, NPY_CASTING casting, PyArrayObject **operands, PyObject *type_tuple,
                   PyArray_Descr **out_descrs) {
  int number = 0;
  memset(out_descrs, 0, (size_t)ufunc->nargs * sizeof *out_descrs);
  while (number < ufunc->ntypes && !(is_found(ufunc, number) && takes(ufunc, number, operands, type_tuple))) ++number;
  if (number == ufunc->ntypes) {
    if (!PyErr_Occurred())
      PyErr_Format(
          PyExc_TypeError,
          "ufunc '%s' not supported for the input types, and the inputs could not be safely coerced to any supported "
          "types and units according to the casting rule ''safe''",
          ufunc->name);
    return -1;
  }
  for (int i = 0; i < ufunc->nargs; ++i) {
    out_descrs[i] = pa_ufunc_descr(pa_ufunc_loop_letter((PyObject *)ufunc, number, i));
    if (!out_descrs[i]) return refuse(out_descrs, ufunc->nargs);
  }
  return PyUFunc_ValidateCasting(ufunc, casting, operands, out_descrs) < 0 ? refuse(out_descrs, ufunc->nargs) : 0;
}

void pa_ufunc_set_resolver(PyObject *object) {
  PyUFuncObject *ufunc = (PyUFuncObject *)object;
  for (int number = 0; number < ufunc->ntypes; ++number)
    if (has_times(ufunc, number)) ufunc->type_resolver = resolve;
}
