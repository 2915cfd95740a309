// Private to the object loader's files: an object while it is loaded.
#ifndef PYARRAY_LIB_RUNTIME_OBJECT_INTERNAL_H
#define PYARRAY_LIB_RUNTIME_OBJECT_INTERNAL_H

#include <elf.h>

#include "object_loader.h"

enum segment { TEXT, RODATA, DATA, SEGMENTS, NOT_LOADED = SEGMENTS };

typedef struct section {
  const char *name; // NUL-terminated, within the object's bytes
  Elf64_Shdr header;
  enum segment segment;
  uint64_t offset; // within its segment, later within the whole memory
} section;

typedef struct symbol {
  Elf64_Sym entry;
  const char *name; // NUL-terminated, within the object's bytes
  uint64_t address; // valid once resolved
  bool resolved;
  bool wants_got, wants_stub;
  uint64_t got, stub; // offsets within the whole memory
} symbol;

typedef struct loader {
  const unsigned char *bytes;
  size_t size;
  void *(*lookup)(const char *name); // what the object may refer to beside the runtime, or NULL
  pa_arena arena;
  section *sections;
  size_t section_count;
  size_t symbol_table; // section number, 0 when there is none
  symbol *symbols;
  size_t symbol_count;
  bool wants_low_memory;                // a 32-bit absolute relocation occurs
  uint64_t segment_size[SEGMENTS];      // bytes used
  uint64_t segment_start[SEGMENTS + 1]; // page-aligned offsets within the whole memory
  unsigned char *memory;
} loader;

//===-- What debuggers and profilers are told: debug_objects.c ------------------------------------===//

typedef struct pa_debug_object pa_debug_object;

// Lists the functions in /tmp/perf-PID.map if PYARRAY_PERF=1. Best effort: where it cannot be written, nothing happens.
void pa_perf_map_write(const loader *load);

// Tells debuggers of a loaded object that has debug sections. NULL if it has none, or memory is short.
pa_debug_object *pa_debug_object_register(const loader *load);
void pa_debug_object_unregister(pa_debug_object *object); // NULL is allowed

// external_symbols.c. The address of |name|: by |lookup| too, where that is not NULL; else NULL.
void *pa_find_external(void *(*lookup)(const char *name), const char *name);

#endif // PYARRAY_LIB_RUNTIME_OBJECT_INTERNAL_H
