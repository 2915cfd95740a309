// The record of a kernel's error: written by the GPU (lib/device/errors.c) or the emulator, read by the host.
#ifndef PYARRAY_LIB_DEVICE_ERROR_H
#define PYARRAY_LIB_DEVICE_ERROR_H

#include <stdint.h>

enum { PA_DEVICE_ERROR_VALUES = 8, PA_DEVICE_ERROR_FRAMES = 23 };
enum { PA_DEVICE_ERROR_NONE, PA_DEVICE_ERROR_WRITING, PA_DEVICE_ERROR_COMPLETE };

// Only the thread that changes |state| from NONE to WRITING fills the record; it sets COMPLETE after a fence that the
// host sees. Afterwards only |frames| grow, by that thread on its way out of the kernel.
typedef struct pa_device_error {
  int32_t state;
  int32_t site;                           // a number in the compiled object's own site table
  int64_t values[PA_DEVICE_ERROR_VALUES]; // of the raise, the first ones (on a GPU, three); else 0
  int32_t thread[3], block[3];
  int32_t frame_count;
  int32_t frames[PA_DEVICE_ERROR_FRAMES]; // sites of the callers that it passed through, innermost first; further ones
                                          // are left out
} pa_device_error;

_Static_assert(sizeof(pa_device_error) == 192, "the GPU and the host agree");

#endif // PYARRAY_LIB_DEVICE_ERROR_H
