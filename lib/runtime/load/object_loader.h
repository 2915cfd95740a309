// Places an x86-64 ELF relocatable object in memory: the only way compiled code, fresh or cached, gets into the
// process.
//
// Understands what LLVM emits for one module (small code model, PIC): allocated sections, .bss and COMMON, a GOT, stubs
// for far functions. Ignores .eh_frame and everything not allocated; debuggers are told of objects with debug sections
// (GDB's JIT interface), until they are unloaded. Memory is never writable and executable at once.
// Truncated or damaged objects are refused with PA_CODE_INVALID; they cannot make the loader crash.
#ifndef PYARRAY_LIB_RUNTIME_OBJECT_LOADER_H
#define PYARRAY_LIB_RUNTIME_OBJECT_LOADER_H

#include "support.h"

typedef struct pa_object pa_object;

// Copies what it needs of |bytes|. Undefined symbols are looked up in runtime.def and vector_math.def, then by dlsym in
// the process, then in libm and libmvec; one that is found nowhere is an error naming it. The caller owns
// |*out_object|. PYARRAY_PERF=1 in the environment lists the functions in /tmp/perf-PID.map for `perf report`.
pa_status pa_object_load(const void *bytes, size_t size, pa_object **out_object);
// The same for code that may refer to more: |lookup| gives the address of a name, or NULL, after the runtime's own.
pa_status pa_object_load_with(const void *bytes, size_t size, void *(*lookup)(const char *name),
                              pa_object **out_object);

// The address of a global symbol that the object defines, or NULL. Borrowed from the object.
void *pa_object_symbol(const pa_object *object, const char *name);
void *pa_object_data(const pa_object *object, size_t *out_size); // where all its variables lie; 0 bytes: it has none
void *pa_object_variable(const pa_object *object, const char *name, size_t *out_size); // the same, with its bytes

// No code of the object may be running or run later. NULL is allowed. Its memory stays as long as a container, an
// instance or an array holds one of its literals; that is looked at again whenever an object is unloaded.
void pa_object_unload(pa_object *object);

#endif // PYARRAY_LIB_RUNTIME_OBJECT_LOADER_H
