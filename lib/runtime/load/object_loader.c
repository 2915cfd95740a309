// Reading order is the order of loading: read the tables, lay sections out, place them, resolve symbols, relocate,
// protect.
#include "frozen.h"
#include "object_internal.h"
#include "runtime.h"
#include "support/fork.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, STUB_SIZE = 8 };
static const uint64_t size_limit = 1u << 30; // any two places stay within reach of 32-bit displacements

typedef struct exported {
  const char *name;
  void *address;
  uint64_t size;
} exported;

struct pa_object {
  unsigned char *memory;
  size_t memory_size;
  exported *symbols; // one block of malloc's, with their names behind them
  size_t symbol_count;
  pa_debug_object *debug;  // NULL: no debugger knows of it
  uint64_t data, data_end; // the writable part, within |memory|
  pa_object *next;         // of those that are to be unloaded
};

#define REFUSE(...) pa_fail(PA_CODE_INVALID, NULL, "compiled object: " __VA_ARGS__)

//===-- Bounds ------------------------------------------------------------------------------------===//

static bool in_range(uint64_t offset, uint64_t length, uint64_t size) {
  return offset <= size && length <= size - offset;
}

static uint64_t align_up(uint64_t value, uint64_t alignment) { return (value + alignment - 1) & ~(alignment - 1); }

// A string table's entry, checked to end within the table.
static const char *string_at(const loader *load, const section *table, uint64_t at) {
  const Elf64_Shdr *header = &table->header;
  if (header->sh_type != SHT_STRTAB || at >= header->sh_size) return NULL;
  const char *text = (const char *)load->bytes + header->sh_offset + at;
  return memchr(text, '\0', header->sh_size - at) ? text : NULL;
}

//===-- Headers -----------------------------------------------------------------------------------===//

static pa_status read_file_header(const loader *load, Elf64_Ehdr *out_header) {
  Elf64_Ehdr header;
  if (load->size < sizeof header) return REFUSE("truncated: %zu bytes", load->size);
  memcpy(&header, load->bytes, sizeof header);
  if (memcmp(header.e_ident, ELFMAG, SELFMAG)) return REFUSE("not an ELF file");
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_type != ET_REL ||
      header.e_machine != EM_X86_64)
    return REFUSE("not an x86-64 relocatable object");
  if (!header.e_shnum || header.e_shentsize != sizeof(Elf64_Shdr) ||
      !in_range(header.e_shoff, (uint64_t)header.e_shnum * sizeof(Elf64_Shdr), load->size))
    return REFUSE("truncated or damaged section table");
  *out_header = header;
  return PA_OK;
}

static bool is_ignored(const char *name) { return !strcmp(name, ".eh_frame"); }

// Where a section goes; an error for what would have to run or be set up by a real linker.
static pa_status classify(section *section) {
  const char *name = section->name;
  const Elf64_Shdr *header = &section->header;
  section->segment = NOT_LOADED;
  if (!(header->sh_flags & SHF_ALLOC) || is_ignored(name)) return PA_OK;
  if (header->sh_flags & (SHF_TLS | SHF_COMPRESSED)) return REFUSE("section %s: unsupported flags", name);
  switch (header->sh_type) {
  case SHT_PROGBITS:
  case SHT_NOBITS: break;
  case SHT_NOTE: return PA_OK;
  default: return REFUSE("section %s: unsupported type %u", name, header->sh_type);
  }
  bool write = header->sh_flags & SHF_WRITE, execute = header->sh_flags & SHF_EXECINSTR;
  if (write && execute) return REFUSE("section %s is writable and executable", name);
  if (execute)
    section->segment = TEXT;
  else
    section->segment = write && strncmp(name, ".data.rel.ro", 12) ? DATA : RODATA;
  return PA_OK;
}

static pa_status read_sections(loader *load) {
  Elf64_Ehdr header = {0};
  PA_TRY(read_file_header(load, &header));
  load->section_count = header.e_shnum;
  load->sections = PA_NEW_ARRAY(&load->arena, section, header.e_shnum);
  for (size_t i = 0; i < load->section_count; ++i) {
    Elf64_Shdr *at = &load->sections[i].header;
    memcpy(at, load->bytes + header.e_shoff + i * sizeof *at, sizeof *at);
    if (at->sh_type != SHT_NOBITS && at->sh_type != SHT_NULL && !in_range(at->sh_offset, at->sh_size, load->size))
      return REFUSE("section %zu is truncated", i);
  }
  load->sections[0].segment = NOT_LOADED;
  if (header.e_shstrndx >= load->section_count) return REFUSE("damaged section names");
  const section *names = &load->sections[header.e_shstrndx];
  for (size_t i = 1; i < load->section_count; ++i) {
    section *at = &load->sections[i];
    at->name = string_at(load, names, at->header.sh_name);
    if (!at->name) return REFUSE("section %zu: damaged name", i);
    PA_TRY(classify(at));
    if (at->header.sh_type != SHT_SYMTAB) continue;
    if (load->symbol_table) return REFUSE("two symbol tables");
    load->symbol_table = i;
  }
  return PA_OK;
}

static pa_status check_symbol(const loader *load, const symbol *symbol) {
  unsigned type = ELF64_ST_TYPE(symbol->entry.st_info), index = symbol->entry.st_shndx;
  if (type == STT_TLS || type == STT_GNU_IFUNC) return REFUSE("symbol %s: unsupported kind %u", symbol->name, type);
  if (index == SHN_UNDEF || index == SHN_ABS || index == SHN_COMMON) return PA_OK;
  if (index >= load->section_count) return REFUSE("symbol %s: damaged section number", symbol->name);
  if (symbol->entry.st_value > load->sections[index].header.sh_size)
    return REFUSE("symbol %s lies outside its section", symbol->name);
  return PA_OK;
}

static pa_status read_symbols(loader *load) {
  if (!load->symbol_table) return PA_OK;
  const Elf64_Shdr *table = &load->sections[load->symbol_table].header;
  if (table->sh_entsize != sizeof(Elf64_Sym) || table->sh_link >= load->section_count)
    return REFUSE("damaged symbol table");
  load->symbol_count = table->sh_size / sizeof(Elf64_Sym);
  load->symbols = PA_NEW_ARRAY(&load->arena, symbol, load->symbol_count);
  for (size_t i = 0; i < load->symbol_count; ++i) {
    symbol *at = &load->symbols[i];
    memcpy(&at->entry, load->bytes + table->sh_offset + i * sizeof at->entry, sizeof at->entry);
    at->name = string_at(load, &load->sections[table->sh_link], at->entry.st_name);
    if (!at->name) return REFUSE("symbol %zu: damaged name", i);
    PA_TRY(check_symbol(load, at));
  }
  return PA_OK;
}

//===-- Relocations, read twice: to lay out, and to apply ------------------------------------------===//

typedef pa_status (*relocation_visitor)(loader *load, const section *target, const Elf64_Rela *rela, symbol *symbol);

static pa_status visit_section(loader *load, const section *relocations, relocation_visitor visit) {
  const Elf64_Shdr *header = &relocations->header;
  if (header->sh_info >= load->section_count) return REFUSE("relocations of an unknown section");
  const section *target = &load->sections[header->sh_info];
  if (target->segment == NOT_LOADED) return PA_OK;
  if (header->sh_type == SHT_REL) return REFUSE("relocations without addends");
  if (header->sh_entsize != sizeof(Elf64_Rela) || !load->symbol_table || header->sh_link != load->symbol_table)
    return REFUSE("damaged relocation table");
  for (uint64_t at = 0; at + sizeof(Elf64_Rela) <= header->sh_size; at += sizeof(Elf64_Rela)) {
    Elf64_Rela rela;
    memcpy(&rela, load->bytes + header->sh_offset + at, sizeof rela);
    if (ELF64_R_SYM(rela.r_info) >= load->symbol_count) return REFUSE("relocation with a damaged symbol number");
    PA_TRY(visit(load, target, &rela, &load->symbols[ELF64_R_SYM(rela.r_info)]));
  }
  return PA_OK;
}

static pa_status visit_relocations(loader *load, relocation_visitor visit) {
  for (size_t i = 1; i < load->section_count; ++i) {
    uint32_t type = load->sections[i].header.sh_type;
    if (type == SHT_RELA || type == SHT_REL) PA_TRY(visit_section(load, &load->sections[i], visit));
  }
  return PA_OK;
}

// Notes which symbols need a GOT entry or a stub, and refuses what apply_relocation does not know.
static pa_status survey_relocation(loader *load, const section *target, const Elf64_Rela *rela, symbol *symbol) {
  uint64_t width = 4;
  switch (ELF64_R_TYPE(rela->r_info)) {
  case R_X86_64_NONE: return PA_OK;
  case R_X86_64_64:
  case R_X86_64_PC64: width = 8; break;
  case R_X86_64_32:
  case R_X86_64_32S: load->wants_low_memory = true; break;
  case R_X86_64_PC32: break;
  case R_X86_64_PLT32: symbol->wants_stub |= symbol->entry.st_shndx == SHN_UNDEF; break;
  case R_X86_64_GOTPCREL:
  case R_X86_64_GOTPCRELX:
  case R_X86_64_REX_GOTPCRELX: symbol->wants_got = true; break;
  default:
    return REFUSE("unsupported relocation type %u against %s", (unsigned)ELF64_R_TYPE(rela->r_info), symbol->name);
  }
  if (target->header.sh_type == SHT_NOBITS || !in_range(rela->r_offset, width, target->header.sh_size))
    return REFUSE("relocation outside its section");
  return PA_OK;
}

//===-- Layout ------------------------------------------------------------------------------------===//

// Takes |size| bytes of |segment|; |*out_offset| counts from its start.
static pa_status reserve(loader *load, enum segment segment, uint64_t size, uint64_t alignment, uint64_t *out_offset) {
  if (!alignment) alignment = 1;
  if (alignment & (alignment - 1) || alignment > PAGE)
    return REFUSE("unsupported alignment %llu", (unsigned long long)alignment);
  uint64_t offset = align_up(load->segment_size[segment], alignment);
  if (size > size_limit || offset + size > size_limit) return REFUSE("larger than 1 GiB");
  load->segment_size[segment] = offset + size;
  *out_offset = offset;
  return PA_OK;
}

static pa_status lay_out_symbol(loader *load, symbol *symbol) {
  if (symbol->wants_stub) {
    PA_TRY(reserve(load, TEXT, STUB_SIZE, STUB_SIZE, &symbol->stub));
    symbol->wants_got = true; // the stub jumps through it
  }
  if (symbol->wants_got) PA_TRY(reserve(load, RODATA, 8, 8, &symbol->got));
  if (symbol->entry.st_shndx == SHN_COMMON) // its value is its alignment
    PA_TRY(reserve(load, DATA, symbol->entry.st_size, symbol->entry.st_value, &symbol->address));
  return PA_OK;
}

// After this all offsets count from the start of the memory.
static pa_status lay_out(loader *load) {
  for (size_t i = 1; i < load->section_count; ++i) {
    section *at = &load->sections[i];
    if (at->segment == NOT_LOADED) continue;
    PA_TRY(reserve(load, at->segment, at->header.sh_size, at->header.sh_addralign, &at->offset));
  }
  for (size_t i = 0; i < load->symbol_count; ++i) PA_TRY(lay_out_symbol(load, &load->symbols[i]));
  for (int i = 0; i < SEGMENTS; ++i)
    load->segment_start[i + 1] = load->segment_start[i] + align_up(load->segment_size[i], PAGE);
  if (load->segment_start[SEGMENTS] > size_limit) return REFUSE("larger than 1 GiB");
  for (size_t i = 1; i < load->section_count; ++i)
    if (load->sections[i].segment != NOT_LOADED)
      load->sections[i].offset += load->segment_start[load->sections[i].segment];
  for (size_t i = 0; i < load->symbol_count; ++i) {
    load->symbols[i].stub += load->segment_start[TEXT];
    load->symbols[i].got += load->segment_start[RODATA];
  }
  return PA_OK;
}

static pa_status place_sections(loader *load) {
  uint64_t size = load->segment_start[SEGMENTS];
  if (!size) return REFUSE("nothing to load");
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | (load->wants_low_memory ? MAP_32BIT : 0);
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (memory == MAP_FAILED) return pa_fail(PA_CODE_MEMORY, NULL, "no memory for compiled code: %s", strerror(errno));
  load->memory = memory;
  for (size_t i = 1; i < load->section_count; ++i) {
    const section *at = &load->sections[i];
    if (at->segment == NOT_LOADED || at->header.sh_type == SHT_NOBITS || !at->header.sh_size) continue;
    memcpy(load->memory + at->offset, load->bytes + at->header.sh_offset, at->header.sh_size);
  }
  return PA_OK;
}

//===-- Symbols -----------------------------------------------------------------------------------===//

static pa_status resolve_external(const loader *load, symbol *symbol) {
  if (!*symbol->name) return PA_OK; // symbol 0 stands for the address 0
  symbol->address = (uint64_t)(uintptr_t)pa_find_external(load->lookup, symbol->name);
  if (!symbol->address && ELF64_ST_BIND(symbol->entry.st_info) != STB_WEAK)
    return pa_fail(PA_CODE_INTERNAL, NULL,
                   "compiled code calls %s, which is neither in the runtime nor in any loaded library", symbol->name);
  return PA_OK;
}

static pa_status resolve(loader *load, symbol *symbol) {
  if (symbol->resolved) return PA_OK;
  uint64_t base = (uint64_t)(uintptr_t)load->memory;
  switch (symbol->entry.st_shndx) {
  case SHN_UNDEF: PA_TRY(resolve_external(load, symbol)); break;
  case SHN_ABS: symbol->address = symbol->entry.st_value; break;
  case SHN_COMMON: symbol->address += base + load->segment_start[DATA]; break;
  default: {
    const section *section = &load->sections[symbol->entry.st_shndx];
    if (section->segment == NOT_LOADED) return REFUSE("symbol %s is in a section that is not loaded", symbol->name);
    symbol->address = base + section->offset + symbol->entry.st_value;
  }
  }
  symbol->resolved = true;
  return PA_OK;
}

// Fills the symbol's GOT entry, and its stub: jmp *entry(%rip).
static pa_status fill_tables(loader *load, symbol *symbol) {
  if (!symbol->wants_got) return PA_OK;
  PA_TRY(resolve(load, symbol));
  memcpy(load->memory + symbol->got, &symbol->address, 8);
  if (!symbol->wants_stub) return PA_OK;
  unsigned char code[STUB_SIZE] = {0xff, 0x25, 0, 0, 0, 0, 0xcc, 0xcc};
  int32_t distance = (int32_t)(symbol->got - (symbol->stub + 6));
  memcpy(code + 2, &distance, 4);
  memcpy(load->memory + symbol->stub, code, sizeof code);
  return PA_OK;
}

//===-- Relocation --------------------------------------------------------------------------------===//

// Values are computed modulo 2^64, as the ELF supplement for x86-64 says: S symbol, A addend, P place, G GOT entry.
static pa_status apply_relocation(loader *load, const section *target, const Elf64_Rela *rela, symbol *symbol) {
  unsigned type = ELF64_R_TYPE(rela->r_info);
  if (type == R_X86_64_NONE) return PA_OK;
  PA_TRY(resolve(load, symbol));
  unsigned char *field = load->memory + target->offset + rela->r_offset;
  uint64_t base = (uint64_t)(uintptr_t)load->memory, place = (uint64_t)(uintptr_t)field;
  uint64_t value = symbol->address;
  if (symbol->wants_stub && type == R_X86_64_PLT32) value = base + symbol->stub;
  if (type == R_X86_64_GOTPCREL || type == R_X86_64_GOTPCRELX || type == R_X86_64_REX_GOTPCRELX)
    value = base + symbol->got;
  value += (uint64_t)rela->r_addend;
  bool fits = true;
  switch (type) {
  case R_X86_64_64: break;
  case R_X86_64_PC64: value -= place; break;
  case R_X86_64_32: fits = value <= UINT32_MAX; break;
  case R_X86_64_32S: fits = (uint64_t)(int32_t)value == value; break;
  default: value -= place; fits = (uint64_t)(int32_t)value == value;
  }
  if (!fits)
    return REFUSE("%s is out of reach of a 32-bit relocation (type %u); compile with the PIC relocation model",
                  *symbol->name ? symbol->name : "a section", type);
  memcpy(field, &value, type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4);
  return PA_OK;
}

static pa_status protect(const loader *load) {
  static const int access[SEGMENTS] = {[TEXT] = PROT_READ | PROT_EXEC, [RODATA] = PROT_READ};
  for (int i = 0; i < DATA; ++i) {
    uint64_t start = load->segment_start[i], size = load->segment_start[i + 1] - start;
    if (size && mprotect(load->memory + start, size, access[i]))
      return pa_fail(errno == ENOMEM ? PA_CODE_MEMORY : PA_CODE_INVALID, NULL,
                     "the system refuses to make compiled code executable: %s", strerror(errno));
  }
  return PA_OK;
}

//===-- The loaded object -------------------------------------------------------------------------===//

static bool is_exported(const symbol *symbol) {
  unsigned binding = ELF64_ST_BIND(symbol->entry.st_info);
  return symbol->entry.st_shndx != SHN_UNDEF && (binding == STB_GLOBAL || binding == STB_WEAK);
}

static pa_status collect_exported(loader *load, pa_object *object) {
  size_t count = 0, text = 0;
  for (size_t i = 0; i < load->symbol_count; ++i)
    if (is_exported(&load->symbols[i])) ++count, text += strlen(load->symbols[i].name) + 1;
  object->symbols = malloc(count * sizeof *object->symbols + text + 1);
  if (!object->symbols) return pa_fail(PA_CODE_MEMORY, NULL, "no memory for compiled code");
  char *name = (char *)(object->symbols + count);
  for (size_t i = 0; i < load->symbol_count; ++i) {
    symbol *at = &load->symbols[i];
    if (!is_exported(at)) continue;
    PA_TRY(resolve(load, at));
    object->symbols[object->symbol_count++] = (exported){name, (void *)(uintptr_t)at->address, at->entry.st_size};
    name = stpcpy(name, at->name) + 1;
  }
  return PA_OK;
}

static pa_status load_all(loader *load, pa_object *object) {
  PA_TRY(read_sections(load));
  PA_TRY(read_symbols(load));
  PA_TRY(visit_relocations(load, survey_relocation));
  PA_TRY(lay_out(load));
  PA_TRY(place_sections(load));
  for (size_t i = 0; i < load->symbol_count; ++i) PA_TRY(fill_tables(load, &load->symbols[i]));
  PA_TRY(visit_relocations(load, apply_relocation));
  PA_TRY(collect_exported(load, object));
  PA_TRY(protect(load));
  pa_perf_map_write(load);
  object->debug = pa_debug_object_register(load);
  return PA_OK;
}

pa_status pa_object_load(const void *bytes, size_t size, pa_object **out_object) {
  return pa_object_load_with(bytes, size, NULL, out_object);
}

pa_status pa_object_load_with(const void *bytes, size_t size, void *(*lookup)(const char *name),
                              pa_object **out_object) {
  loader load = {.bytes = bytes, .size = size, .lookup = lookup};
  pa_object *object = calloc(1, sizeof *object);
  if (!object) return pa_fail(PA_CODE_MEMORY, NULL, "no memory for compiled code");
  pa_status status = load_all(&load, object);
  object->memory = load.memory;
  object->memory_size = load.segment_start[SEGMENTS];
  object->data = load.segment_start[DATA];
  object->data_end = object->data + load.segment_size[DATA];
  pa_arena_free(&load.arena);
  if (status)
    pa_object_unload(object);
  else
    *out_object = object;
  return status;
}

void *pa_object_symbol(const pa_object *object, const char *name) {
  size_t size;
  return pa_object_variable(object, name, &size);
}

void *pa_object_variable(const pa_object *object, const char *name, size_t *out_size) {
  for (size_t i = 0; i < object->symbol_count; ++i)
    if (!strcmp(object->symbols[i].name, name)) return *out_size = object->symbols[i].size, object->symbols[i].address;
  return NULL;
}

void *pa_object_data(const pa_object *object, size_t *out_size) {
  *out_size = object->data_end - object->data;
  return object->memory + object->data;
}

//===-- Unloading ---------------------------------------------------------------------------------===//

// Whether something outside of the code holds one of its literals, which lie at multiples of their alignment.
static bool is_held(const pa_object *object) {
  for (uint64_t at = object->data; object->memory && at + sizeof(pa_owner) <= object->data_end;
       at += sizeof(pa_owner)) {
    const pa_owner *owner = (const pa_owner *)(const void *)(object->memory + at);
    if (owner->kind == PA_OWNER_LITERAL && owner->reserved == PA_LITERAL_MARK &&
        __atomic_load_n(&owner->references, __ATOMIC_ACQUIRE) > 1)
      return true;
  }
  return false;
}

// Objects to be unloaded as soon as nothing holds their literals any more.
static pa_object *waiting;
PA_FORK_LOCK(waiting_lock)

void pa_object_unload(pa_object *object) {
  if (!object) return;
  pa_debug_object_unregister(object->debug);
  free(object->symbols);
  pthread_mutex_lock(&waiting_lock);
  object->next = waiting;
  waiting = object;
  for (pa_object **at = &waiting; *at;) {
    pa_object *other = *at;
    if (is_held(other)) {
      at = &other->next;
      continue;
    }
    *at = other->next;
    if (other->memory)
      pa_frozen_forget(other->memory, other->memory + other->memory_size), munmap(other->memory, other->memory_size);
    free(other);
  }
  pthread_mutex_unlock(&waiting_lock);
}
