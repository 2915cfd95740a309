// Literal attributes as Python text: the arguments of exceptions travel in this form (lib/pipeline/sites.c).
//
//   3 : si64  ->  3        "it's"  ->  'it\'s'        unit  ->  None        2.5 : f64  ->  2.5e+00
#include <math.h>

#include "ir.h"
#include "mlir-c/Dialect/Complex.h"
#include "number_text/number_text.h"

// Of bytes everything but printable ASCII is escaped.
static void append_string(pa_string *out, MlirStringRef text, bool bytes) {
  pa_string_puts(out, bytes ? "b'" : "'");
  for (size_t i = 0; i < text.length; ++i) {
    unsigned char byte = (unsigned char)text.data[i];
    if (byte == '\'' || byte == '\\')
      pa_string_format(out, "\\%c", byte);
    else if (byte < 0x20 || byte == 0x7f || (bytes && byte > 0x7f))
      pa_string_format(out, "\\x%02x", byte);
    else
      pa_string_append(out, &text.data[i], 1);
  }
  pa_string_puts(out, "'");
}

static void append_integer(pa_string *out, MlirAttribute value) {
  MlirType type = mlirAttributeGetType(value);
  if (mlirIntegerTypeIsUnsigned(type))
    pa_string_format(out, "%llu", (unsigned long long)mlirIntegerAttrGetValueUInt(value));
  else if (mlirIntegerTypeIsSigned(type))
    pa_string_format(out, "%lld", (long long)mlirIntegerAttrGetValueSInt(value));
  else
    pa_string_format(out, "%lld", (long long)mlirIntegerAttrGetValueInt(value));
}

// An exponent keeps an integral value a float; whoever evaluates the text knows the names nan and complex.
static void append_real(pa_string *out, double number) {
  char text[PA_SHORTEST_SIZE];
  if (isfinite(number))
    pa_string_append(out, text, pa_shortest_f64(number, text));
  else
    pa_string_puts(out, isnan(number) ? "nan" : number > 0 ? "1e999" : "-1e999");
}

// A sum of both parts would lose the signs of zeros, and make a NaN of an infinity.
static void append_complex(pa_string *out, MlirAttribute value) {
  pa_string_puts(out, "complex(");
  append_real(out, mlirComplexAttrGetRealDouble(value));
  pa_string_puts(out, ",");
  append_real(out, mlirComplexAttrGetImagDouble(value));
  pa_string_puts(out, ")");
}

void pa_python_literal(pa_string *out, MlirAttribute value) {
  if (mlirAttributeIsAString(value) && mlirTypeIsATuple(mlirAttributeGetType(value))) {
    MlirStringRef text = mlirStringAttrGetValue(value); // such a string is the tuple's text already
    pa_string_append(out, text.data, text.length);
  } else if (mlirAttributeIsAString(value)) {
    append_string(out, mlirStringAttrGetValue(value), pyarrayTypeIsBytes(mlirAttributeGetType(value)));
  } else if (mlirAttributeIsABool(value)) {
    pa_string_puts(out, mlirBoolAttrGetValue(value) ? "True" : "False");
  } else if (mlirAttributeIsAInteger(value)) {
    append_integer(out, value);
  } else if (mlirAttributeIsAFloat(value)) {
    append_real(out, mlirFloatAttrGetValueDouble(value));
  } else if (mlirAttributeIsAComplex(value)) {
    append_complex(out, value);
  } else {
    pa_string_puts(out, "None");
  }
}
