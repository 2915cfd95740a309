// Datetimes and timedeltas: NumPy's descriptors of them and their units.
#include "ext.h"

#include <string.h>

_Static_assert((int)NPY_FR_Y == PA_TIME_YEAR && (int)NPY_FR_D == PA_TIME_DAY && (int)NPY_FR_as == PA_TIME_ATTOSECOND &&
                   (int)NPY_FR_GENERIC == PA_TIME_GENERIC,
               "units have NumPy's numbers");

#if NPY_ABI_VERSION < 0x02000000
#define PyDataType_C_METADATA(descr) ((descr)->c_metadata)
#endif

char pa_time_dtype(int type_number) {
  return type_number == NPY_DATETIME ? 'M' : type_number == NPY_TIMEDELTA ? 'm' : '\0';
}

static pa_time_unit unit_of_metadata(const PyArray_DatetimeMetaData *meta) {
  return (pa_time_unit){(pa_time_base)meta->base, meta->num};
}

pa_time_unit pa_time_descr_unit(const PyArray_Descr *descr) {
  const PyArray_DatetimeDTypeMetaData *data = (const PyArray_DatetimeDTypeMetaData *)PyDataType_C_METADATA(descr);
  return unit_of_metadata(&data->meta);
}

bool pa_time_scalar(PyObject *value, char *out_dtype, pa_time_unit *out_unit, int64_t *out_count) {
  const PyTypeObject *type = Py_TYPE(value);
  if (type != &PyDatetimeArrType_Type && type != &PyTimedeltaArrType_Type) return false;
  const PyDatetimeScalarObject *scalar = (const PyDatetimeScalarObject *)value; // both have this form
  *out_dtype = type == &PyDatetimeArrType_Type ? 'M' : 'm';
  *out_unit = unit_of_metadata(&scalar->obmeta);
  *out_count = scalar->obval;
  return true;
}

char *pa_time_put_code(char *code, char dtype, pa_time_unit unit) {
  *code++ = dtype;
  *code++ = '[';
  pa_time_unit_print(unit, code);
  code += strlen(code);
  *code++ = ']';
  *code = '\0';
  return code;
}

// NumPy makes such descriptors only of text; each is made once.
PyArray_Descr *pa_time_descr(char dtype, pa_time_unit unit) {
  static PyObject *known; // dict: "M8[D]" to descriptor
  char unit_text[PA_TIME_UNIT_SIZE];
  pa_time_unit_print(unit, unit_text);
  bool is_generic = unit.base == PA_TIME_GENERIC;
  PyObject *text = PyUnicode_FromFormat(is_generic ? "%c8" : "%c8[%s]", dtype, unit_text);
  if (!known) known = PyDict_New();
  PyArray_Descr *descr = text && known ? (PyArray_Descr *)PyDict_GetItemWithError(known, text) : NULL;
  Py_XINCREF(descr);
  if (!descr && !PyErr_Occurred() && PyArray_DescrConverter(text, &descr) &&
      PyDict_SetItem(known, text, (PyObject *)descr) < 0)
    Py_CLEAR(descr);
  Py_XDECREF(text);
  return descr;
}

PyObject *pa_time_box(char dtype, pa_time_unit unit, int64_t count) {
  PyArray_Descr *descr = pa_time_descr(dtype, unit);
  PyObject *value = descr ? PyArray_Scalar(&count, descr, NULL) : NULL;
  Py_XDECREF(descr);
  return value;
}

static bool scale(int64_t *count, pa_time_unit from, pa_time_unit to) {
  int64_t num, den;
  if (!pa_time_unit_factor(from, to, &num, &den)) return false;
  int64_t product = (int64_t)((uint64_t)*count * (uint64_t)num);
  *count = product / den - (product % den < 0);
  return true;
}

bool pa_time_convert(int64_t *count, char dtype, pa_time_unit from, pa_time_unit to) {
  const pa_time_unit month = {PA_TIME_MONTH, 1}, day = {PA_TIME_DAY, 1};
  if (*count == PA_NAT || scale(count, from, to)) return true;
  bool widens = pa_time_unit_is_calendar(from);
  if (dtype == 'm' || !scale(count, from, widens ? month : day)) return false;
  *count = widens ? pyarray_rt_months_to_days(*count) : pyarray_rt_days_to_months(*count);
  return scale(count, widens ? day : month, to);
}
