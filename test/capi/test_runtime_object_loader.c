// lib/runtime/load/object_loader.c, on objects that the system's C compiler makes; CC names another one.
#include "../../lib/runtime/load/object_loader.h"
#include "../../lib/runtime/runtime.h"
#include "test_runtime_check.h"

#include <elf.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct blob {
  unsigned char *bytes;
  size_t size;
} blob;

static char folder[] = "/tmp/pyarray-loader-XXXXXX";

static blob read_blob(const char *path) {
  FILE *file = fopen(path, "rb");
  REQUIRE(file);
  fseek(file, 0, SEEK_END);
  blob result = {.size = (size_t)ftell(file)};
  rewind(file);
  result.bytes = malloc(result.size);
  REQUIRE(result.bytes && fread(result.bytes, 1, result.size, file) == result.size);
  fclose(file);
  return result;
}

static blob compile(const char *source, const char *options) {
  char path[128], command[512];
  snprintf(path, sizeof path, "%s/code.c", folder);
  FILE *file = fopen(path, "w");
  REQUIRE(file);
  fputs(source, file);
  fclose(file);
  const char *compiler = getenv("CC");
  snprintf(command, sizeof command, "cd %s && %s -w -fcf-protection=none -O2 %s -c code.c -o code.o", folder,
           compiler && *compiler ? compiler : "cc", options);
  REQUIRE(system(command) == 0);
  snprintf(path, sizeof path, "%s/code.o", folder);
  return read_blob(path);
}

// The message of the error that loading must end in; empty where it does not.
static const char *refusal(const void *bytes, size_t size) {
  static char text[512];
  pa_object *object = NULL;
  pa_status status = pa_object_load(bytes, size, &object);
  snprintf(text, sizeof text, "%s", status ? pa_status_message(status) : "");
  pa_status_free(status);
  pa_object_unload(object);
  return text;
}

static pa_object *load(blob code) {
  pa_object *object = NULL;
  pa_status status = pa_object_load(code.bytes, code.size, &object);
  if (status) fprintf(stderr, "%s\n", pa_status_message(status));
  REQUIRE(!status);
  return object;
}

static const char *const everything =
    "#include <math.h>\n"
    "#include <string.h>\n"
    "extern long pyarray_rt_checked_multiply(long, long);\n"
    "extern char **environ;\n"
    "static const char *const names[] = {\"zero\", \"one\", \"two\"};\n"
    "static long table[4] = {10, 20, 30, 40};\n"
    "long *pointer = &table[2];\n"
    "static long zeros[10000];\n"
    "long common_variable;\n"
    "static _Alignas(64) const double aligned[8] = {1, 2, 3, 4, 5, 6, 7, 8};\n"
    "__attribute__((noinline)) static double helper(double x) { return sin(x) + aligned[(int)x & 7]; }\n"
    "double call_libm(double x) { return helper(x) * 2; }\n"
    "long call_runtime(long a, long b) { return pyarray_rt_checked_multiply(a, b); }\n"
    "void *address_of_runtime(void) { return (void *)&pyarray_rt_checked_multiply; }\n"
    "const char *name(int i) { return names[i]; }\n"
    "long through_pointer(void) { return *pointer; }\n"
    "long count(int i) { ++common_variable; return ++zeros[i] + common_variable; }\n"
    "int has_environment(void) { return environ != 0; }\n"
    "int jump(int i) { switch (i) { case 0: return strlen(names[1]); case 1: return 17; case 2: return call_runtime(2, "
    "3);\n"
    "  case 3: return 99; case 4: return -5; case 5: return zeros[3]; case 6: return 1234; default: return -1; } }\n"
    "int data_is_aligned(void) { return ((unsigned long)aligned & 63) == 0; }\n";

static void check_everything(const char *options) {
  blob code = compile(everything, options);
  pa_object *object = load(code);
  free(code.bytes);
  double (*call_libm)(double) = (double (*)(double))(uintptr_t)pa_object_symbol(object, "call_libm");
  long (*call_runtime)(long, long) = (long (*)(long, long))(uintptr_t)pa_object_symbol(object, "call_runtime");
  void *(*address)(void) = (void *(*)(void))(uintptr_t)pa_object_symbol(object, "address_of_runtime");
  const char *(*name)(int) = (const char *(*)(int))(uintptr_t)pa_object_symbol(object, "name");
  long (*through_pointer)(void) = (long (*)(void))(uintptr_t)pa_object_symbol(object, "through_pointer");
  long (*count)(int) = (long (*)(int))(uintptr_t)pa_object_symbol(object, "count");
  int (*has_environment)(void) = (int (*)(void))(uintptr_t)pa_object_symbol(object, "has_environment");
  int (*jump)(int) = (int (*)(int))(uintptr_t)pa_object_symbol(object, "jump");
  int (*data_is_aligned)(void) = (int (*)(void))(uintptr_t)pa_object_symbol(object, "data_is_aligned");
  CHECK(call_libm(0) == 2 && call_libm(1) > 5.68 && call_libm(1) < 5.69);
  CHECK(call_runtime(6, 7) == 42 && call_runtime(-1, 7) == -1);
  CHECK(address() == (void *)(uintptr_t)&pyarray_rt_checked_multiply);
  CHECK(!strcmp(name(0), "zero") && !strcmp(name(2), "two"));
  CHECK(through_pointer() == 30 && count(9999) == 2 && count(9999) == 4 && has_environment() && data_is_aligned());
  CHECK(jump(0) == 3 && jump(1) == 17 && jump(2) == 6 && jump(4) == -5 && jump(6) == 1234 && jump(100) == -1);
  CHECK(!pa_object_symbol(object, "helper") && !pa_object_symbol(object, "nothing"));
  pa_object_unload(object);
}

static void test_programs(void) {
  check_everything("-fPIC");
  check_everything("-fPIC -fcommon -ffunction-sections -fdata-sections -g");
  check_everything("-fPIC -O0");
  check_everything("-fPIC -fno-plt");
}

// Every mapping that holds |address|, in the format of /proc/self/maps.
static int mapping_has(const void *address, const char *access) {
  FILE *maps = fopen("/proc/self/maps", "r");
  REQUIRE(maps);
  char line[512], rights[8];
  int found = 0;
  unsigned long first, last;
  while (fgets(line, sizeof line, maps))
    if (sscanf(line, "%lx-%lx %7s", &first, &last, rights) == 3 && first <= (uintptr_t)address &&
        (uintptr_t)address < last)
      found = !strncmp(rights, access, 3);
  fclose(maps);
  return found;
}

static void test_protection(void) {
  blob code =
      compile("int v = 1; const int c = 2; int f(void) { return v; } const int *const relocated = &c;", "-fPIC");
  pa_object *object = load(code);
  CHECK(mapping_has(pa_object_symbol(object, "f"), "r-x"));
  CHECK(mapping_has(pa_object_symbol(object, "c"), "r--"));
  CHECK(mapping_has(pa_object_symbol(object, "relocated"), "r--"));
  CHECK(mapping_has(pa_object_symbol(object, "v"), "rw-"));
  CHECK(**(const int *const *)pa_object_symbol(object, "relocated") == 2);
  pa_object_unload(object);
  free(code.bytes);
}

static void test_lookup_order(void) {
  blob code = compile(
      "typedef double v4 __attribute__((vector_size(32)));\n"
      "extern v4 _ZGVdN4v_sin(v4); __attribute__((target(\"avx2\"))) void *vector_sine(void) { return _ZGVdN4v_sin; }\n"
      "extern double __powidf2(double, int); double cube(double x) { return __powidf2(x, 3); }\n"
      "float half(double x) { return (_Float16)x; }\n"
      "__int128 divide(__int128 a, __int128 b) { return a / b; }\n"
      "extern int nowhere_at_all(void) __attribute__((weak)); int present(void) { return nowhere_at_all != 0; }\n",
      "-fPIC");
  pa_object *object = load(code);
  CHECK(((void *(*)(void))(uintptr_t)pa_object_symbol(object, "vector_sine"))());
  CHECK(((double (*)(double))(uintptr_t)pa_object_symbol(object, "cube"))(3) == 27);
  CHECK(((float (*)(double))(uintptr_t)pa_object_symbol(object, "half"))(2049) == 2048);
  __int128 big = (__int128)1 << 100;
  CHECK(((__int128 (*)(__int128, __int128))(uintptr_t)pa_object_symbol(object, "divide"))(big, 1 << 20) == (__int128)1
                                                                                                               << 80);
  CHECK(((int (*)(void))(uintptr_t)pa_object_symbol(object, "present"))() == 0);
  pa_object_unload(object);
  free(code.bytes);
}

static void check_refused(const char *source, const char *options, const char *message) {
  blob code = compile(source, options);
  const char *text = refusal(code.bytes, code.size);
  if (!strstr(text, message)) fprintf(stderr, "expected \"%s\", got \"%s\"\n", message, text);
  CHECK(strstr(text, message));
  free(code.bytes);
}

static void test_refusals(void) {
  check_refused("extern int not_to_be_found(int); int f(void) { return not_to_be_found(1) + 1; }", "-fPIC",
                "not_to_be_found");
  check_refused("__thread int t; int f(void) { return t; }", "-fPIC", "unsupported");
  check_refused("volatile int v; __attribute__((constructor)) void f(void) { v = 1; }", "-fPIC", "unsupported type");
  check_refused("int x[1 << 28], y[1 << 28]; int *f(int i) { return i ? x : y; }", "-fPIC", "1 GiB");
  check_refused("extern char **environ; char ***f(void) { return &environ; }", "-fno-pic -mcmodel=small",
                "PIC relocation model");
  check_refused("int f(void) { return 1; }", "-fPIC -m32 -ffreestanding", "not an x86-64 relocatable object");
  CHECK(strstr(refusal("", 0), "truncated"));
  CHECK(strstr(refusal("#!/bin/sh\necho this is certainly no object file of any kind at all, only text\n", 76),
               "not an ELF"));
}

// 32-bit absolute addresses of its own data are honoured by loading low.
static void test_low_memory(void) {
  blob code =
      compile("static int t[100]; int *f(long i) { return &t[i]; } int g(int i) { return t[i]++; }", "-fno-pic");
  pa_object *object = load(code);
  CHECK((uintptr_t)((int *(*)(long))(uintptr_t)pa_object_symbol(object, "f"))(0) < UINT32_MAX);
  pa_object_unload(object);
  free(code.bytes);
}

static void test_perf_map(void) {
  char path[64], line[256];
  int found = 0;
  blob code = compile("__attribute__((noinline)) int profiled_function(int x) { return x + 1; }", "-fPIC");
  setenv("PYARRAY_PERF", "1", 1);
  pa_object_unload(load(code));
  unsetenv("PYARRAY_PERF");
  snprintf(path, sizeof path, "/tmp/perf-%ld.map", (long)getpid());
  FILE *file = fopen(path, "r");
  REQUIRE(file);
  while (fgets(line, sizeof line, file)) found |= strstr(line, " profiled_function") != NULL;
  fclose(file);
  unlink(path);
  CHECK(found);
  free(code.bytes);
}

// GDB's JIT interface, as a debugger reads it.
typedef struct debug_entry {
  struct debug_entry *next, *previous;
  const char *image;
  uint64_t size;
} debug_entry;

extern struct {
  uint32_t version, action;
  debug_entry *relevant, *first;
} __jit_debug_descriptor;

static uint64_t address_of_section(const debug_entry *entry, unsigned type, uint64_t flags) {
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)entry->image;
  const Elf64_Shdr *section = (const Elf64_Shdr *)(entry->image + header->e_shoff);
  for (int i = 0; i < header->e_shnum; ++i)
    if (section[i].sh_type == type && section[i].sh_flags == flags && section[i].sh_size) return section[i].sh_addr;
  return 0;
}

static void test_debug_objects(void) {
  static const char source[] = "int f(int x) { return x + 1; }";
  blob plain = compile(source, "-fPIC"), code = compile(source, "-fPIC -g");
  pa_object *unknown = load(plain);
  CHECK(!__jit_debug_descriptor.first);
  pa_object *first = load(code), *second = load(code);
  debug_entry *entry = __jit_debug_descriptor.first;
  CHECK(__jit_debug_descriptor.version == 1 && __jit_debug_descriptor.action == 1);
  CHECK(entry == __jit_debug_descriptor.relevant && entry->size == code.size);
  CHECK(address_of_section(entry, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR) ==
        (uint64_t)(uintptr_t)pa_object_symbol(second, "f"));
  CHECK(entry->next->previous == entry && !entry->next->next && !entry->previous);
  pa_object_unload(first);
  CHECK(__jit_debug_descriptor.action == 2 && __jit_debug_descriptor.first == entry && !entry->next);
  pa_object_unload(second);
  CHECK(!__jit_debug_descriptor.first);
  pa_object_unload(unknown);
  free(plain.bytes);
  free(code.bytes);
}

//===-- Damage ------------------------------------------------------------------------------------===//

static uint64_t random_state = 88172645463325252u;

static uint64_t next_random(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  return random_state ^= random_state << 17;
}

// Loads a copy whose end coincides with the end of its memory, so that a sanitizer sees every byte read too far.
static void load_copy(const unsigned char *bytes, size_t size, int *loaded, int *refused) {
  unsigned char *copy = malloc(size ? size : 1);
  REQUIRE(copy);
  memcpy(copy, bytes, size);
  pa_object *object = NULL;
  pa_status status = pa_object_load(copy, size, &object);
  ++*(status ? refused : loaded);
  pa_status_free(status);
  pa_object_unload(object);
  free(copy);
}

static void test_truncation(blob code) {
  int loaded = 0, refused = 0;
  for (size_t size = 0; size < code.size; size += 1 + size / 512) load_copy(code.bytes, size, &loaded, &refused);
  CHECK(loaded == 0 && refused > 100);
}

static void test_flipped_bits(blob code) {
  int loaded = 0, refused = 0;
  for (int round = 0; round < 30000; ++round) {
    size_t at[4];
    unsigned char kept[4];
    int flips = 1 + (int)(next_random() % 4);
    for (int i = 0; i < flips; ++i) {
      at[i] = next_random() % code.size;
      kept[i] = code.bytes[at[i]];
      code.bytes[at[i]] ^= (unsigned char)(1u << next_random() % 8);
    }
    load_copy(code.bytes, code.size, &loaded, &refused);
    for (int i = flips - 1; i >= 0; --i) code.bytes[at[i]] = kept[i];
  }
  CHECK(loaded > 0 && refused > 0);
}

// Words that are likely to break bounds, everywhere in the file and so in all tables.
static void test_extreme_words(blob code) {
  static const uint64_t extremes[] = {0, 1, 0x7fffffff, 0xffffffff, INT64_MAX, UINT64_MAX, UINT64_MAX - 7, 1u << 30};
  int loaded = 0, refused = 0;
  for (size_t at = 0; at + 8 <= code.size; at += 4) {
    uint64_t kept;
    memcpy(&kept, code.bytes + at, 8);
    for (size_t i = 0; i < sizeof extremes / sizeof *extremes; ++i) {
      memcpy(code.bytes + at, &extremes[i], at % 8 ? 4 : 8);
      load_copy(code.bytes, code.size, &loaded, &refused);
      memcpy(code.bytes + at, &kept, 8);
    }
  }
  CHECK(loaded > 0 && refused > 0);
}

static void test_damage(void) {
  blob code = compile(everything, "-fPIC -fcommon");
  test_truncation(code);
  test_flipped_bits(code);
  test_extreme_words(code);
  pa_object_unload(load(code)); // it is whole again
  free(code.bytes);
}

static bool is_mapped(const void *address) {
  return msync((void *)((uintptr_t)address & ~(uintptr_t)4095), 1, MS_ASYNC) == 0;
}

// Code stays as long as something holds one of its literals; that is looked at again when another object is unloaded.
static void test_literals(void) {
  blob code = compile(
      "struct { long references; int kind, class; void *object; long bytes; void *rest[3]; long mark; long value; } "
      "literal __attribute__((aligned(64))) = {1, 2, 0, 0, 0, {0}, 0x6c61726574696c70, 42};\n"
      "long *place(void) { return &literal.value; }\n",
      "-fPIC");
  pa_object *held = load(code), *other = load(code);
  long *(*place)(void), *value;
  void *symbol = pa_object_symbol(held, "place");
  memcpy(&place, &symbol, sizeof symbol);
  value = place();
  int64_t handle = (int64_t)(uintptr_t)value;
  CHECK(pa_owner_of(handle)->kind == PA_OWNER_LITERAL);
  pyarray_rt_retain(handle);
  CHECK(pa_owner_of(handle)->references == 2);
  pa_object_unload(held);
  CHECK(is_mapped(value) && *value == 42);
  pyarray_rt_release(handle);
  CHECK(is_mapped(value) && pa_owner_of(handle)->references == 1);
  pa_object_unload(other);
  CHECK(!is_mapped(value));
  free(code.bytes);
}

int main(void) {
  REQUIRE(mkdtemp(folder));
  test_programs();
  test_protection();
  test_lookup_order();
  test_refusals();
  test_low_memory();
  test_literals();
  test_debug_objects();
  test_perf_map();
  test_damage();
  char command[128];
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK(system(command) == 0);
  return report_checks();
}
