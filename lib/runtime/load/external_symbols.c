// What compiled code calls and no object defines: the runtime, functions of several elements, libgcc, libm.
#include "object_internal.h"
#include "runtime.h"
#include "vector_math.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

// What LLVM calls for operations that no instruction does; in libgcc, not in libc.
double __powidf2(double, int);
float __powisf2(float, int);
float __extendhfsf2(_Float16);
_Float16 __truncsfhf2(float);
_Float16 __truncdfhf2(double);
__int128 __divti3(__int128, __int128);
__int128 __modti3(__int128, __int128);
unsigned __int128 __udivti3(unsigned __int128, unsigned __int128);
unsigned __int128 __umodti3(unsigned __int128, unsigned __int128);

// To bfloat16, to the nearest: libgcc has it since GCC 13. Its bits are where those of a float16 are returned.
static _Float16 round_to_bfloat(float x) {
  uint32_t bits;
  _Float16 result;
  memcpy(&bits, &x, sizeof bits);
  uint16_t rounded = (uint16_t)(x != x ? bits >> 16 | 0x40 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  return memcpy(&result, &rounded, sizeof result), result;
}

static void *find_in_libgcc(const char *name) {
  if (!strcmp(name, "__truncsfbf2")) return (void *)(uintptr_t)&round_to_bfloat;
#define PA_LIBGCC(function)                                                                                            \
  if (!strcmp(name, #function)) return (void *)(uintptr_t)&function;
  PA_LIBGCC(__powidf2)
  PA_LIBGCC(__powisf2)
  PA_LIBGCC(__extendhfsf2)
  PA_LIBGCC(__truncsfhf2)
  PA_LIBGCC(__truncdfhf2)
  PA_LIBGCC(__divti3)
  PA_LIBGCC(__modti3)
  PA_LIBGCC(__udivti3)
  PA_LIBGCC(__umodti3)
#undef PA_LIBGCC
  return NULL;
}

static void *math_libraries[2]; // never closed

static void open_math_libraries(void) {
  math_libraries[0] = dlopen("libm.so.6", RTLD_LAZY | RTLD_LOCAL);
  math_libraries[1] = dlopen("libmvec.so.1", RTLD_LAZY | RTLD_LOCAL);
}

void *pa_find_external(void *(*lookup)(const char *name), const char *name) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  void *address = pa_runtime_lookup(name);
  if (!address) address = pa_vector_math_lookup(name);
  if (!address && lookup) address = lookup(name);
  if (!address) address = find_in_libgcc(name);
  if (!address) address = dlsym(RTLD_DEFAULT, name);
  if (address) return address;
  pthread_once(&once, open_math_libraries);
  for (int i = 0; i < 2 && !address; ++i)
    if (math_libraries[i]) address = dlsym(math_libraries[i], name);
  return address;
}
