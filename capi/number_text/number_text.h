// Digits of floats from the C++ library: correctly rounded, the same in every locale. Without a zero at the end.
#ifndef PYARRAY_CAPI_NUMBER_TEXT_H
#define PYARRAY_CAPI_NUMBER_TEXT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PA_SHORTEST_SIZE = 32 };

// "2.5e-07": the fewest digits that read back as |value|, which is finite. The count of characters.
size_t pa_shortest_f64(double value, char to[PA_SHORTEST_SIZE]);
size_t pa_shortest_f32(float value, char to[PA_SHORTEST_SIZE]);
// |precision| digits behind the point: "2.50e-07" of |style| 'e', "0.00" of 'f'. 0: |size| is too small.
size_t pa_rounded_f64(double value, char style, int precision, char *to, size_t size);

#ifdef __cplusplus
}
#endif

#endif // PYARRAY_CAPI_NUMBER_TEXT_H
