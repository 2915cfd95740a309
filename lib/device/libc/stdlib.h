// The part of <stdlib.h> that our C uses on the GPU.
#ifndef PYARRAY_LIB_DEVICE_LIBC_STDLIB_H
#define PYARRAY_LIB_DEVICE_LIBC_STDLIB_H

#define abs(x) __builtin_abs(x)

#endif // PYARRAY_LIB_DEVICE_LIBC_STDLIB_H
