#include "runtime.h"

#include <string.h>

typedef struct runtime_symbol {
  const char *name;
  void *address;
} runtime_symbol;

#define PA_RUNTIME(name, result, parameters) {#name, (void *)(uintptr_t)&name},
#define PA_DEVICE_RUNTIME(name, result, parameters) // of a room behind this one
static const runtime_symbol runtime_symbols[] = {
#include "runtime.def"
};
#undef PA_RUNTIME

void *pa_runtime_lookup(const char *name) {
  for (size_t i = 0; i < sizeof runtime_symbols / sizeof *runtime_symbols; ++i)
    if (!strcmp(runtime_symbols[i].name, name)) return runtime_symbols[i].address;
  return NULL;
}
