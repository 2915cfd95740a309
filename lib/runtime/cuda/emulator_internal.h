// Parts of the emulator.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_EMULATOR_INTERNAL_H
#define PYARRAY_LIB_RUNTIME_CUDA_EMULATOR_INTERNAL_H

#include "emulator.h"

#include <pthread.h>

//===-- Devices -----------------------------------------------------------------------------------===//

enum { EMULATED_DEVICES = 16 };

// As CUcontext: its primary context.
typedef struct emulated_device {
  int ordinal;
  int references; // to the context
  size_t used;    // bytes of device memory
  size_t used_high;
  uint64_t threshold;      // of its pool, stored and not used
  pthread_mutex_t running; // recursive; held by the one thread that does the device's work
} emulated_device;

emulated_device *pa_emulated_device(CUdevice device); // NULL: there is none
emulated_device *pa_emulated_current(void);           // of this thread; NULL: none, or its context is gone
size_t pa_emulated_memory(void);                      // bytes of each device
int pa_emulated_attribute(CUdevice_attribute attribute);

// What GetErrorString says of |result| in this thread until another result is explained.
void pa_emulated_explain(CUresult result, const char *format, ...) __attribute__((format(printf, 2, 3)));

//===-- What is alive -----------------------------------------------------------------------------===//

enum object_kind {
  DEVICE_MEMORY = 1,
  MANAGED_MEMORY = 2,
  HOST_MEMORY = 4,
  REGISTERED_MEMORY = 8,
  STREAM = 16,
  EVENT = 32,
  MODULE = 64, // with its variable
  LINK = 128,
  VARIABLES = 256, // of linked code, in a module's object
  SEEN_BY_DEVICE = DEVICE_MEMORY | MANAGED_MEMORY | HOST_MEMORY | REGISTERED_MEMORY | MODULE | VARIABLES,
};

// Memory of the host and what it is to the driver.
typedef struct object {
  uintptr_t address;
  size_t bytes;
  enum object_kind kind;
  emulated_device *device;
  unsigned flags; // of MemAlloc: OWN_PAGES, and the number of the file that has them, and 1 more (emulator_ipc.c)
} object;

enum { OWN_PAGES = 1 << 30 };
void *pa_emulated_new_pages(size_t bytes); // NULL where there is no memory
void pa_emulated_free_pages(const object *object);
void pa_emulated_free_memory(const object *object); // of one that is the driver's own
bool pa_emulated_keeps(const object *object);       // whether |object|, freed now, has memory that the host still sees
void pa_emulated_set_flags(uintptr_t address, unsigned flags); // of the object that begins there

CUresult pa_emulated_add(object object); // refuses overlaps
// The object that holds all of these bytes.
bool pa_emulated_find(uintptr_t address, size_t bytes, unsigned kinds, object *out_object);
bool pa_emulated_remove(uintptr_t address, unsigned kinds, object *out_object); // which begins there
void pa_emulated_remove_all(const emulated_device *device);                     // and frees
pa_emulator_counts pa_emulated_count_objects(void);

// For a zeroed object of the driver's own; NULL where there is no memory.
void *pa_emulated_new(size_t bytes, enum object_kind kind);
void *pa_emulated_check(const void *handle, enum object_kind kind); // |handle|, or NULL if it is none
CUresult pa_emulated_delete(void *handle, enum object_kind kind);

bool pa_emulated_is_stream(CUstream stream);

//===-- Kernels -----------------------------------------------------------------------------------===//

enum { PA_EMULATED_CLUSTER = 16 }; // blocks of a cluster, at most

void pa_emulated_module_close(void *module); // what it holds besides itself
void pa_emulated_link_close(void *link);
void pa_emulated_workspaces_free(void);

//===-- The table's functions ---------------------------------------------------------------------===//

#define PA_CU(name, symbol, parameters, arguments) CUresult pa_emulated_##name parameters;
#include "driver.def"
#undef PA_CU

#endif // PYARRAY_LIB_RUNTIME_CUDA_EMULATOR_INTERNAL_H
