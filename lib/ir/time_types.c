// Datetimes and timedeltas as types: their units, names and type codes.
#include <string.h>

#include "ir.h"

bool pa_time_of(MlirType type, pa_time *out_time) {
  if (mlirTypeIsNull(type)) return false;
  bool delta = pyarrayTypeIsTimedelta(type);
  if (!delta && !pyarrayTypeIsDatetime(type)) return false;
  MlirStringRef text = pyarrayTimeTypeGetUnit(type);
  out_time->delta = delta;
  return pa_time_unit_parse(text.data, text.length, &out_time->unit) == text.length;
}

bool pa_is_time(MlirType type) { return pa_time_of(type, &(pa_time){0}); }

MlirType pa_time_type(MlirContext context, pa_time time) {
  char unit[PA_TIME_UNIT_SIZE];
  pa_time_unit_print(time.unit, unit);
  return time.delta ? pyarrayTimedeltaTypeGet(context, pa_ref(unit)) : pyarrayDatetimeTypeGet(context, pa_ref(unit));
}

void pa_time_name(pa_string *out, pa_time time) {
  char unit[PA_TIME_UNIT_SIZE];
  pa_time_unit_print(time.unit, unit);
  pa_string_puts(out, time.delta ? "timedelta64" : "datetime64");
  if (time.unit.base != PA_TIME_GENERIC) pa_string_format(out, "[%s]", unit);
}

void pa_time_to_code(pa_string *out, pa_time time) {
  char unit[PA_TIME_UNIT_SIZE];
  pa_time_unit_print(time.unit, unit);
  pa_string_format(out, "%c[%s]", time.delta ? 'm' : 'M', unit);
}

bool pa_time_from_code(const char **code, pa_time *out_time) {
  if ((**code != 'M' && **code != 'm') || (*code)[1] != '[') return false;
  const char *unit = *code + 2;
  size_t length = pa_time_unit_parse(unit, strlen(unit), &out_time->unit);
  if (!length || unit[length] != ']') return false;
  out_time->delta = **code == 'm';
  *code = unit + length + 1;
  return true;
}

bool pa_time_from_dtype(MlirStringRef text, pa_time *out_time) {
  static const struct {
    const char *name;
    bool delta;
  } names[] = {{"datetime64", false}, {"timedelta64", true}, {"M8", false}, {"m8", true}};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    size_t length = strlen(names[i].name), rest = text.length - length;
    if (text.length < length || memcmp(text.data, names[i].name, length) != 0) continue;
    const char *unit = text.data + length;
    *out_time = (pa_time){names[i].delta, {PA_TIME_GENERIC, 1}};
    if (rest == 0) return true;
    if (rest > 2 && *unit == '[' && unit[rest - 1] == ']')
      return pa_time_unit_parse(unit + 1, rest - 2, &out_time->unit) == rest - 2;
  }
  return false;
}
