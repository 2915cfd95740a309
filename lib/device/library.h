// The embedded library of C for the GPU: LLVM bitcode for NVPTX.
#ifndef PYARRAY_LIB_DEVICE_LIBRARY_H
#define PYARRAY_LIB_DEVICE_LIBRARY_H

#include <stddef.h>

extern const unsigned char pa_device_library[]; // followed by a NUL
extern const size_t pa_device_library_size;

#endif // PYARRAY_LIB_DEVICE_LIBRARY_H
