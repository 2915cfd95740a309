// Items of arrays between memory that is contiguous and memory that is not.
#include "runtime.h"

#include <string.h>

#define PA_COPY_ITEMS(size)                                                                                            \
  case size:                                                                                                           \
    for (int64_t i = 0; i < count; ++i) memcpy(to + i * target_step, from + i * source_step, size);                    \
    return

void pyarray_rt_copy_items(int64_t target, int64_t target_step, int64_t source, int64_t source_step, int64_t bytes,
                           int64_t count) {
  char *to = (char *)(intptr_t)target;
  const char *from = (const char *)(intptr_t)source;
  switch (bytes) {
    PA_COPY_ITEMS(1);
    PA_COPY_ITEMS(2);
    PA_COPY_ITEMS(4);
    PA_COPY_ITEMS(8);
    PA_COPY_ITEMS(16);
  default:
    for (int64_t i = 0; i < count; ++i) memcpy(to + i * target_step, from + i * source_step, (size_t)bytes);
  }
}
