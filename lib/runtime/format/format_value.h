// Values that become text: parts of an item, which is a tuple of all arguments. Private to lib/runtime.
#ifndef PYARRAY_LIB_RUNTIME_FORMAT_VALUE_H
#define PYARRAY_LIB_RUNTIME_FORMAT_VALUE_H

#include "format_spec.h"

typedef struct pa_value_part {
  const pa_item_type *type;
  int32_t part; // -1: None
  const char *item;
} pa_value_part;

static inline const pa_item_part *pa_part_of(const pa_value_part *v) { return &v->type->parts[v->part]; }
static inline const char *pa_place_of(const pa_value_part *v) {
  return v->part < 0 ? NULL : v->item + pa_part_of(v)->offset;
}
// The code of the value's type, 'n' for None.
static inline char pa_value_code(const pa_value_part *v) { return v->part < 0 ? 'n' : pa_part_of(v)->code; }

// An optional value stands for what it holds, or for None.
pa_value_part pa_value_present(pa_value_part v);
// The value as a number or text; false, or NULL, where it is none. None has no such value.
bool pa_value_int(const pa_value_part *v, uint64_t *out_magnitude, bool *out_negative);
bool pa_value_float(const pa_value_part *v, double *out);
bool pa_value_complex(const pa_value_part *v, double out[2]);
const pa_str *pa_value_str(const pa_value_part *v);
const char *pa_value_type_name(const pa_value_part *v); // as Python says it: "int"
// Of a dict with keys like |key|: the value of it. False where there is none.
bool pa_value_lookup(const pa_value_part *dict, const pa_str *key, pa_value_part *out);
bool pa_value_has_keys(const pa_value_part *v, char code); // a dict whose keys are 'U' str or 'Y' bytes
const pa_str *pa_value_bytes(const pa_value_part *v);      // NULL where it is none, as here:
const pa_list *pa_value_bytearray(const pa_value_part *v);

// They append UTF-8.
void pa_value_repr(pa_value_part v, pa_string *out);
void pa_value_to_str(pa_value_part v, pa_string *out);
void pa_value_ascii(pa_value_part v, pa_string *out);
// format(v, spec); false with the failure recorded.
bool pa_value_format(pa_value_part v, const pa_str *spec, pa_string *out);

#endif // PYARRAY_LIB_RUNTIME_FORMAT_VALUE_H
