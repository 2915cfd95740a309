// What debuggers and profilers are told of loaded objects.
//
// GDB's JIT interface: gdb (and lldb) set a breakpoint in __jit_debug_register_code and read, through
// __jit_debug_descriptor, a list of ELF files in memory. Ours are the objects as LLVM wrote them with the addresses of
// their sections filled in; debuggers apply the relocations of debug sections themselves.
#include "object_internal.h"
#include "support/fork.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

//===-- GDB's interface: names, layouts and values are fixed ---------------------------------------===//

typedef struct jit_code_entry {
  struct jit_code_entry *next_entry;
  struct jit_code_entry *prev_entry;
  const char *symfile_addr;
  uint64_t symfile_size;
} jit_code_entry;

typedef struct jit_descriptor {
  uint32_t version;
  uint32_t action_flag;
  jit_code_entry *relevant_entry;
  jit_code_entry *first_entry;
} jit_descriptor;

enum { JIT_REGISTER = 1, JIT_UNREGISTER = 2 };

// Debuggers look the names up, so they are exported; protected, since another compiler in the process has its own.
#define PA_FOR_DEBUGGERS __attribute__((visibility("protected")))

PA_FOR_DEBUGGERS extern jit_descriptor __jit_debug_descriptor;
PA_FOR_DEBUGGERS void __jit_debug_register_code(void);

jit_descriptor __jit_debug_descriptor = {.version = 1};

__attribute__((noinline)) void __jit_debug_register_code(void) { __asm__ volatile("" ::: "memory"); }

//===-- Registration ------------------------------------------------------------------------------===//

struct pa_debug_object {
  jit_code_entry entry;
  char image[];
};

PA_FORK_LOCK(lock) // of the descriptor and the list

static void announce(uint32_t action, jit_code_entry *entry) {
  __jit_debug_descriptor.relevant_entry = entry;
  __jit_debug_descriptor.action_flag = action;
  __jit_debug_register_code();
}

static bool has_debug_sections(const loader *load) {
  for (size_t i = 1; i < load->section_count; ++i)
    if (!strcmp(load->sections[i].name, ".debug_info")) return true;
  return false;
}

static void fill_in_addresses(const loader *load, char *image) {
  Elf64_Ehdr header;
  memcpy(&header, image, sizeof header);
  for (size_t i = 1; i < load->section_count; ++i) {
    if (load->sections[i].segment == NOT_LOADED) continue;
    uint64_t address = (uint64_t)(uintptr_t)load->memory + load->sections[i].offset;
    size_t at = header.e_shoff + i * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_addr);
    memcpy(image + at, &address, sizeof address);
  }
}

pa_debug_object *pa_debug_object_register(const loader *load) {
  pa_debug_object *object = has_debug_sections(load) ? malloc(sizeof *object + load->size) : NULL;
  if (!object) return NULL;
  memcpy(object->image, load->bytes, load->size);
  fill_in_addresses(load, object->image);
  pthread_mutex_lock(&lock);
  jit_code_entry *first = __jit_debug_descriptor.first_entry;
  object->entry = (jit_code_entry){first, NULL, object->image, load->size};
  if (first) first->prev_entry = &object->entry;
  __jit_debug_descriptor.first_entry = &object->entry;
  announce(JIT_REGISTER, &object->entry);
  pthread_mutex_unlock(&lock);
  return object;
}

void pa_debug_object_unregister(pa_debug_object *object) {
  if (!object) return;
  jit_code_entry *entry = &object->entry;
  pthread_mutex_lock(&lock);
  if (entry->next_entry) entry->next_entry->prev_entry = entry->prev_entry;
  *(entry->prev_entry ? &entry->prev_entry->next_entry : &__jit_debug_descriptor.first_entry) = entry->next_entry;
  announce(JIT_UNREGISTER, entry);
  pthread_mutex_unlock(&lock);
  free(object);
}

//===-- perf --------------------------------------------------------------------------------------===//

static bool is_function(const loader *load, const Elf64_Sym *entry) {
  return ELF64_ST_TYPE(entry->st_info) == STT_FUNC && entry->st_shndx != SHN_UNDEF &&
         entry->st_shndx < load->section_count && load->sections[entry->st_shndx].segment == TEXT;
}

void pa_perf_map_write(const loader *load) {
  const char *wanted = getenv("PYARRAY_PERF");
  if (!wanted || strcmp(wanted, "1")) return;
  char path[64];
  snprintf(path, sizeof path, "/tmp/perf-%ld.map", (long)getpid());
  int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return;
  for (size_t i = 0; i < load->symbol_count; ++i) {
    const Elf64_Sym *entry = &load->symbols[i].entry;
    if (!is_function(load, entry)) continue;
    uint64_t address = (uint64_t)(uintptr_t)load->memory + load->sections[entry->st_shndx].offset + entry->st_value;
    dprintf(file, "%llx %llx %s\n", (unsigned long long)address, (unsigned long long)entry->st_size,
            load->symbols[i].name);
  }
  close(file);
}
