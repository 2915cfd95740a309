// The embedded libraries: C for the GPU, and what instructions of a GPU are on the CPU (host/nvvm.c).
#ifndef PYARRAY_LIB_DEVICE_LIBRARY_H
#define PYARRAY_LIB_DEVICE_LIBRARY_H

#include <stddef.h>

extern const unsigned char pa_device_library[]; // LLVM bitcode for NVPTX, followed by a NUL
extern const size_t pa_device_library_size;
extern const unsigned char pa_device_names[]; // of what the library defines, each followed by a line feed; then a NUL
extern const size_t pa_device_names_size;
extern const unsigned char pa_host_library[];
extern const size_t pa_host_library_size;
extern const unsigned char pa_device_division[]; // division.c as PTX, followed by a NUL
extern const size_t pa_device_division_size;

#endif // PYARRAY_LIB_DEVICE_LIBRARY_H
