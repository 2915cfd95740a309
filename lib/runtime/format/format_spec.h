// Format specifications: [[fill]align][sign]["z"]["#"]["0"][width][grouping]["." precision][type]. Private to
// lib/runtime.
#ifndef PYARRAY_LIB_RUNTIME_FORMAT_SPEC_H
#define PYARRAY_LIB_RUNTIME_FORMAT_SPEC_H

#include "text.h"

enum { PA_MOST_DIGITS = INT32_MAX - 8 }; // of printf, to which a few are added

typedef struct pa_format_spec {
  uint32_t fill;
  char align; // '<', '>', '^', '='; 0: the type's own
  char sign;  // '+', '-', ' '; 0: none given
  bool no_negative_zero, alternate, zero_padded;
  int64_t width, precision; // -1: none given
  char grouping;            // ',', '_', 0
  uint32_t type;            // 0: none given, or, where |zero_type|, the character NUL, which means the same to floats
  bool zero_type;
} pa_format_spec;

// Not of NUL, which ends |set|.
static inline bool pa_is_one_of(uint32_t code, const char *set) { return code && code < 128 && strchr(set, (int)code); }

// As messages show a character: "d", "\\x7f".
enum { PA_SHOWN_CODE = 16 };
const char *pa_show_code(uint32_t code, char shown[PA_SHOWN_CODE]);

// False, with the failure recorded, where |text| is malformed; |type_name| is for the message.
bool pa_read_format_spec(const pa_str *text, const char *type_name, pa_format_spec *out_spec);
// |count| code points of one kind; none where |count| is negative.
void pa_put_many(uint32_t code, int64_t count, pa_string *out);
// Appends the formatted value as UTF-8; false with the failure recorded.
bool pa_format_int(uint64_t magnitude, bool negative, const pa_format_spec *spec, const char *type_name,
                   pa_string *out);
bool pa_format_float(double value, const pa_format_spec *spec, const char *type_name, pa_string *out);
bool pa_format_complex(double real, double imag, const pa_format_spec *spec, pa_string *out);
bool pa_format_str(const pa_str *str, const pa_format_spec *spec, pa_string *out);

#endif // PYARRAY_LIB_RUNTIME_FORMAT_SPEC_H
