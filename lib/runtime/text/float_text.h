// Text of floats and floats of text, in every locale those of C. Private to lib/runtime.
#ifndef PYARRAY_LIB_RUNTIME_FLOAT_TEXT_H
#define PYARRAY_LIB_RUNTIME_FLOAT_TEXT_H

#include "objects.h"

// The shortest text that reads back as |value|, which is of the type that the code of an item says: 'd' as CPython
// writes it, 'e' and 'f' as NumPy does. Of complex numbers: 'D', and 'F' as NumPy.
void pa_float_repr(double value, char code, pa_string *out);
void pa_complex_repr(double real, double imag, char code, pa_string *out);
// |value| with |precision| digits behind the point, rounded once: of |style| 'e' or 'f'. To be freed; NULL where memory
// is short.
char *pa_float_digits(double value, char style, int64_t precision);
// As strtod.
double pa_read_double(const char *text, char **out_end);

#endif // PYARRAY_LIB_RUNTIME_FLOAT_TEXT_H
