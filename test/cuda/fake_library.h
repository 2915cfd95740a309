// What the stand-ins for CUDA's libraries share (fake_cufft.c, fake_cublas.c). They are used where the fake driver
// stands in for the driver (fake_driver.c), whose devices' memory is the host's; PYARRAY_CUDA_LIBRARIES names their
// folder.
//
//   PYARRAY_FAKE_LIBRARY_FAIL    "cufftExecC2C=6": the call gives 6
#ifndef PYARRAY_TEST_CUDA_FAKE_LIBRARY_H
#define PYARRAY_TEST_CUDA_FAKE_LIBRARY_H

#include "../../lib/runtime/cuda/libraries.h"

#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define FAIL(name)                                                                                                     \
  do {                                                                                                                 \
    int planned = planned_result(name);                                                                                \
    if (planned) return planned;                                                                                       \
  } while (0)

static inline int planned_result(const char *name) {
  const char *text = getenv("PYARRAY_FAKE_LIBRARY_FAIL");
  size_t length = strlen(name);
  return text && !strncmp(text, name, length) && text[length] == '=' ? atoi(text + length + 1) : 0;
}

#endif // PYARRAY_TEST_CUDA_FAKE_LIBRARY_H
