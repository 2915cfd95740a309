// What Unicode says of a code point. Tables from Python's unicodedata (tools/unicode_tables.py). Private to
// lib/runtime.
#ifndef PYARRAY_LIB_RUNTIME_UNICODE_H
#define PYARRAY_LIB_RUNTIME_UNICODE_H

#include <stdbool.h>
#include <stdint.h>

// ORDER PROPERTY (tools/unicode_tables.py)
typedef enum pa_property {
  PA_ALPHA = 1 << 0,
  PA_DECIMAL = 1 << 1,
  PA_DIGIT = 1 << 2,
  PA_NUMERIC = 1 << 3,
  PA_LOWER = 1 << 4,
  PA_UPPER = 1 << 5,
  PA_TITLE = 1 << 6,
  PA_SPACE = 1 << 7,
  PA_PRINTABLE = 1 << 8,
  PA_ID_START = 1 << 9,
  PA_ID_CONTINUE = 1 << 10,
  PA_CASE_IGNORABLE = 1 << 11,
  PA_LINE_BREAK = 1 << 12,
  PA_CASED = PA_LOWER | PA_UPPER | PA_TITLE,
} pa_property;

typedef enum pa_case { PA_TO_UPPER, PA_TO_LOWER, PA_TO_TITLE, PA_TO_FOLD } pa_case;

int pa_properties(uint32_t code);
int pa_decimal(uint32_t code); // its value; -1: it is no decimal digit
// Writes what |code| becomes, 1 to 3 code points, and returns how many. Final sigma is the caller's affair.
int pa_map_case(uint32_t code, pa_case mapping, uint32_t out[3]);

#endif // PYARRAY_LIB_RUNTIME_UNICODE_H
