// All that libpyarray_core.so itself asks of malloc, calloc and realloc comes here (--wrap in CMakeLists.txt): MLIR
// does not look at what they give in its C API and in its tables of interfaces.
#include <stdlib.h>

#include "support/support.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static void *checked(void *memory, size_t size) {
  if (!memory && size && pa_can_abandon()) pa_abandon_for_memory();
  return memory;
}

void *__wrap_malloc(size_t size) { return checked(__real_malloc(size), size); }
void *__wrap_calloc(size_t count, size_t size) { return checked(__real_calloc(count, size), count && size); }
void *__wrap_realloc(void *memory, size_t size) { return checked(__real_realloc(memory, size), size); }
