// What Debian's static libraries take from glibc 2.35 and 2.36, so that wheels run on glibc 2.34: Red Hat 9, Ubuntu
// 22.04. They find these functions here, before they look into glibc.
#include <dlfcn.h>
#include <link.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#define HIDDEN __attribute__((visibility("hidden")))

#ifdef PYARRAY_IN_CORE

// LLVM's random numbers, for names of temporary files (glibc 2.36).
HIDDEN uint32_t arc4random(void) {
  uint32_t number;
  while (getrandom(&number, sizeof number, 0) != sizeof number) usleep(1000);
  return number;
}

typedef struct search {
  uintptr_t address;
  struct dl_find_object *result;
} search;

static int look(struct dl_phdr_info *object, size_t size, void *data) {
  (void)size;
  search *wanted = data;
  const ElfW(Phdr) *frames = NULL;
  uintptr_t start = UINTPTR_MAX, end = 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) *header = &object->dlpi_phdr[i];
    uintptr_t from = object->dlpi_addr + header->p_vaddr, to = from + header->p_memsz;
    if (header->p_type == PT_GNU_EH_FRAME) frames = header;
    if (header->p_type != PT_LOAD) continue;
    if (from < start) start = from;
    if (to > end) end = to;
  }
  if (!frames || wanted->address < start || wanted->address >= end) return 0;
  *wanted->result = (struct dl_find_object){.dlfo_map_start = (void *)start,
                                            .dlfo_map_end = (void *)end,
                                            .dlfo_eh_frame = (void *)(object->dlpi_addr + frames->p_vaddr)};
  return 1;
}

// Where the unwinder finds the frames of an address (glibc 2.35). Exceptions of C++ come from nowhere but LLVM's and
// MLIR's rarest places.
HIDDEN int _dl_find_object(void *address, struct dl_find_object *out_result) {
  search wanted = {(uintptr_t)address, out_result};
  return dl_iterate_phdr(look, &wanted) ? 0 : -1;
}

#else

// The same function without the errno of its version of glibc 2.35.
#define OLD(type, name)                                                                                                \
  __asm__(".symver old_" #name ", " #name "@GLIBC_2.2.5");                                                             \
  extern type old_##name(type, type);                                                                                  \
  HIDDEN type name(type x, type y) { return old_##name(x, y); }

OLD(double, hypot)
OLD(float, hypotf)

#endif
