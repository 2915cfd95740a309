// bfloat16: NumPy has it by the package ml_dtypes, which is not needed for anything else. Its numbers of types are
// given at run time.
#include "objects.h"

#include <string.h>

bool pa_is_bfloat16(const PyArray_Descr *descr) {
  static int number; // NumPy's, once it is known
  if (PA_LIKELY(descr->type_num < NPY_USERDEF)) return false;
  if (descr->type_num == number) return true;
  const char *name = descr->typeobj->tp_name, *dot = strrchr(name, '.');
  if (strcmp(dot ? dot + 1 : name, "bfloat16") != 0 || PyDataType_ELSIZE(descr) != 2) return false;
  return number = descr->type_num, true;
}

PyArray_Descr *pa_bfloat16_descr(void) { return (PyArray_Descr *)pa_call_helper("records", "bfloat16_dtype", "()"); }

float pa_bfloat16_value(uint16_t bits) {
  uint32_t wide = (uint32_t)bits << 16;
  float value;
  return memcpy(&value, &wide, sizeof value), value;
}

// Rounded to odd on the way, so that it is rounded to the nearest once.
uint16_t pa_bfloat16_bits(double value) {
  float single = (float)value;
  uint32_t bits;
  memcpy(&bits, &single, sizeof bits);
  if (value != value) return (uint16_t)(bits >> 16 | 0x40);
  double back = single, size = value < 0 ? -value : value, size_back = back < 0 ? -back : back;
  if (size_back > size) --bits; // towards zero; from infinity to the greatest float32
  if (back != value) bits |= 1;
  return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

// A scalar of ml_dtypes, which |*out_known| says it is.
pa_refusal pa_unbox_bfloat16(PyObject *value, pa_arguments *arguments, bool *out_known) {
  const char *name = Py_TYPE(value)->tp_name, *dot = strrchr(name, '.');
  *out_known = PyObject_TypeCheck(value, &PyGenericArrType_Type) && strcmp(dot ? dot + 1 : name, "bfloat16") == 0;
  if (!*out_known) return PA_ACCEPTED;
  PyObject *number = PyNumber_Float(value);
  if (!number) return PA_RAISED;
  *arguments->code++ = 'g';
  *arguments->slot++ = pa_bfloat16_bits(PyFloat_AS_DOUBLE(number));
  Py_DECREF(number);
  return PA_ACCEPTED;
}
