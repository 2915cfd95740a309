#include "format_value.h"

//===-- What a value is ---------------------------------------------------------------------------===//

#define LOAD(type, at) (*(const type *)(const void *)(at))

static const void *description_of(const pa_value_part *v) {
  return pa_value_code(v) == 'o' ? pa_description_of(pa_object_of(LOAD(int64_t, pa_place_of(v)))) : NULL;
}

// An optional value stands for what it holds, or for None, whose part is -1.
pa_value_part pa_value_present(pa_value_part v) {
  if (pa_value_code(&v) != 'O') return v;
  bool some = *pa_place_of(&v) & 1;
  return (pa_value_part){v.type, some ? v.part + 1 : -1, v.item};
}

bool pa_value_int(const pa_value_part *v, uint64_t *out_magnitude, bool *out_negative) {
  const char *at = pa_place_of(v);
  int64_t number;
  switch (pa_value_code(v)) {
  case 'o':
    if (!description_of(v) || !pa_description_number(description_of(v), &number)) return false;
    break;
  case '?': number = *at & 1; break;
  case 'b': number = LOAD(int8_t, at); break;
  case 'h': number = LOAD(int16_t, at); break;
  case 'i': number = LOAD(int32_t, at); break;
  case 'q': number = LOAD(int64_t, at); break;
  case 'B': number = LOAD(uint8_t, at); break;
  case 'H': number = LOAD(uint16_t, at); break;
  case 'I': number = LOAD(uint32_t, at); break;
  case 'Q': return *out_magnitude = LOAD(uint64_t, at), *out_negative = false, true;
  default: return false;
  }
  *out_negative = number < 0;
  *out_magnitude = number < 0 ? -(uint64_t)number : (uint64_t)number;
  return true;
}

bool pa_value_float(const pa_value_part *v, double *out) {
  const char *at = pa_place_of(v);
  switch (pa_value_code(v)) {
  case 'e': return *out = (double)LOAD(_Float16, at), true;
  case 'f': return *out = LOAD(float, at), true;
  case 'd': return *out = LOAD(double, at), true;
  default: return false;
  }
}

bool pa_value_complex(const pa_value_part *v, double out[2]) {
  const char *at = pa_place_of(v);
  switch (pa_value_code(v)) {
  case 'F': return out[0] = LOAD(float, at), out[1] = LOAD(float, at + 4), true;
  case 'D': return out[0] = LOAD(double, at), out[1] = LOAD(double, at + 8), true;
  default: return false;
  }
}

const pa_str *pa_value_str(const pa_value_part *v) {
  return pa_value_code(v) == 'U' ? pa_object_of(LOAD(int64_t, pa_place_of(v))) : NULL;
}

//===-- Conversions -------------------------------------------------------------------------------===//

void pa_value_repr(pa_value_part v, pa_string *out) {
  v = pa_value_present(v);
  if (v.part < 0)
    pa_string_puts(out, "None");
  else
    pa_item_part_repr(v.type, v.part, v.item, out);
}

void pa_value_to_str(pa_value_part v, pa_string *out) {
  v = pa_value_present(v);
  const pa_str *str = v.part < 0           ? NULL
                      : description_of(&v) ? pa_description_text(description_of(&v))
                                           : pa_value_str(&v);
  if (str)
    pa_str_to_utf8(str, out);
  else
    pa_value_repr(v, out);
}

// repr() with everything beyond ASCII escaped.
void pa_value_ascii(pa_value_part v, pa_string *out) {
  pa_string shown = {0};
  pa_value_repr(v, &shown);
  pa_str *text = pa_str_take(&shown);
  if (!text) return pa_string_fail(out);
  for (int64_t i = 0; text && i < text->length; ++i) {
    uint32_t code = pa_str_code(text, i);
    pa_string_format(out, code < 128 ? "%c" : code < 0x100 ? "\\x%02x" : code < 0x10000 ? "\\u%04x" : "\\U%08x", code);
  }
  pyarray_rt_release(pa_handle_of(text));
}

const char *pa_value_type_name(const pa_value_part *v) {
  uint64_t magnitude;
  bool negative;
  double parts[2];
  char code = pa_value_code(v);
  if (code == 'n') return "NoneType";
  if (code == '(') return "tuple";
  if (code == 'U') return "str";
  if (code == 'Y') return "bytes";
  if (code == '[') return "numpy.ndarray";
  if (code == 'o') return pa_type_of(pa_object_of(LOAD(int64_t, pa_place_of(v))))->name;
  if (pa_value_int(v, &magnitude, &negative)) return code == '?' ? "bool" : "int";
  if (pa_value_float(v, &parts[0])) return "float";
  return pa_value_complex(v, parts) ? "complex" : "object";
}

static pa_dict *as_dict(const pa_value_part *v) {
  void *object = pa_value_code(v) == 'o' ? pa_object_of(LOAD(int64_t, pa_place_of(v))) : NULL;
  return object && pa_type_of(object) == &pa_dict_type ? object : NULL;
}

bool pa_value_has_keys(const pa_value_part *v, char code) {
  const pa_dict *dict = as_dict(v);
  return dict && *dict->key->code == code;
}

const pa_str *pa_value_bytes(const pa_value_part *v) {
  return pa_value_code(v) == 'Y' ? pa_object_of(LOAD(int64_t, pa_place_of(v))) : NULL;
}

const pa_list *pa_value_bytearray(const pa_value_part *v) {
  const void *object = pa_value_code(v) == 'o' ? pa_object_of(LOAD(int64_t, pa_place_of(v))) : NULL;
  return object && pa_type_of(object) == &pa_bytearray_type ? object : NULL;
}

bool pa_value_lookup(const pa_value_part *v, const pa_str *key, pa_value_part *out) {
  pa_dict *dict = as_dict(v);
  int64_t handle = pa_handle_of(key), entry = pa_dict_find(dict, &handle);
  if (entry >= 0) *out = (pa_value_part){dict->value, 0, pa_dict_value(dict, entry)};
  return entry >= 0;
}

bool pa_value_format(pa_value_part v, const pa_str *spec, pa_string *out) {
  pa_format_spec read;
  uint64_t magnitude;
  bool negative;
  double number, parts[2];
  if (!spec || !spec->length) return pa_value_to_str(v, out), true;
  v = pa_value_present(v);
  if (v.part >= 0 && pa_value_str(&v))
    return pa_read_format_spec(spec, "str", &read) && pa_format_str(pa_value_str(&v), &read, out);
  if (v.part >= 0 && pa_value_int(&v, &magnitude, &negative)) {
    const char *name = pa_value_type_name(&v);
    return pa_read_format_spec(spec, name, &read) && pa_format_int(magnitude, negative, &read, name, out);
  }
  if (v.part >= 0 && pa_value_float(&v, &number))
    return pa_read_format_spec(spec, "float", &read) && pa_format_float(number, &read, "float", out);
  if (v.part >= 0 && pa_value_complex(&v, parts))
    return pa_read_format_spec(spec, "complex", &read) && pa_format_complex(parts[0], parts[1], &read, out);
  const pa_str *name = description_of(&v) ? pa_description_name(description_of(&v)) : NULL;
  if (name && !name->length)
    return pa_read_format_spec(spec, "str", &read) &&
           pa_format_str(pa_description_text(description_of(&v)), &read, out);
  if (name)
    return pa_record_failure(PA_TYPE_ERROR, "unsupported format string passed to %.*s.__format__", (int)name->length,
                             pa_str_data(name)),
           false;
  return pa_record_failure(PA_TYPE_ERROR, "unsupported format string passed to %s.__format__", pa_value_type_name(&v)),
         false;
}
