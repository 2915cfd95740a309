// What is alive on emulated devices, and their memory.
#include "emulator_internal.h"

#include <stdlib.h>
#include <string.h>

//===-- What is alive -----------------------------------------------------------------------------===//

// Sorted by address, without overlaps.
static struct {
  pthread_mutex_t lock;
  object *items;
  size_t count, capacity;
} registry = {.lock = PTHREAD_MUTEX_INITIALIZER};

// The position of the first object that begins behind |address|.
static size_t behind(uintptr_t address) {
  size_t low = 0, high = registry.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (registry.items[middle].address > address)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

static bool overlaps(size_t position, const object *object) {
  if (position && registry.items[position - 1].address + registry.items[position - 1].bytes > object->address)
    return true;
  return position < registry.count && object->address + object->bytes > registry.items[position].address;
}

static CUresult insert_locked(const object *new) {
  size_t position = behind(new->address);
  if (overlaps(position, new)) return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  if (registry.count == registry.capacity) {
    size_t capacity = registry.capacity ? 2 * registry.capacity : 64;
    object *items = realloc(registry.items, capacity * sizeof *items);
    if (!items) return CUDA_ERROR_OUT_OF_MEMORY;
    registry.items = items;
    registry.capacity = capacity;
  }
  memmove(registry.items + position + 1, registry.items + position, (registry.count - position) * sizeof *new);
  registry.items[position] = *new;
  ++registry.count;
  return CUDA_SUCCESS;
}

static void remove_locked(size_t position) {
  --registry.count;
  memmove(registry.items + position, registry.items + position + 1,
          (registry.count - position) * sizeof *registry.items);
  if (registry.count) return;
  free(registry.items);
  registry.items = NULL;
  registry.capacity = 0;
}

CUresult pa_emulated_add(object object) {
  pthread_mutex_lock(&registry.lock);
  CUresult result = insert_locked(&object);
  pthread_mutex_unlock(&registry.lock);
  return result;
}

bool pa_emulated_find(uintptr_t address, size_t bytes, unsigned kinds, object *out_object) {
  pthread_mutex_lock(&registry.lock);
  size_t position = behind(address);
  bool found = position > 0;
  if (found) *out_object = registry.items[position - 1];
  pthread_mutex_unlock(&registry.lock);
  return found && out_object->kind & kinds && address - out_object->address <= out_object->bytes &&
         bytes <= out_object->bytes - (address - out_object->address);
}

bool pa_emulated_remove(uintptr_t address, unsigned kinds, object *out_object) {
  pthread_mutex_lock(&registry.lock);
  size_t position = behind(address);
  bool found = position && registry.items[position - 1].address == address && registry.items[position - 1].kind & kinds;
  if (found) {
    *out_object = registry.items[position - 1];
    remove_locked(position - 1);
  }
  pthread_mutex_unlock(&registry.lock);
  return found;
}

void pa_emulated_set_flags(uintptr_t address, unsigned flags) {
  pthread_mutex_lock(&registry.lock);
  size_t position = behind(address);
  if (position && registry.items[position - 1].address == address) registry.items[position - 1].flags = flags;
  pthread_mutex_unlock(&registry.lock);
}

void pa_emulated_free_memory(const object *object) {
  if (object->kind == DEVICE_MEMORY && object->flags & OWN_PAGES)
    pa_emulated_free_pages(object);
  else
    free((void *)object->address);
}

// What was taken out of the registry.
static void free_object(const object *object) {
  void *memory = (void *)object->address;
  if (object->kind & (DEVICE_MEMORY | MANAGED_MEMORY))
    __atomic_fetch_sub(&object->device->used, object->bytes, __ATOMIC_RELAXED);
  if (object->kind == MODULE) pa_emulated_module_close(memory);
  if (object->kind == LINK) pa_emulated_link_close(memory);
  if (!(object->kind & (REGISTERED_MEMORY | VARIABLES)) && !pa_emulated_keeps(object)) pa_emulated_free_memory(object);
}

static bool take_one_of(const emulated_device *device, object *out_object) {
  bool found = false;
  pthread_mutex_lock(&registry.lock);
  for (size_t i = 0; i < registry.count && !found; ++i) {
    if (registry.items[i].device != device) continue;
    *out_object = registry.items[i];
    remove_locked(i);
    found = true;
  }
  pthread_mutex_unlock(&registry.lock);
  return found;
}

void pa_emulated_remove_all(const emulated_device *device) {
  object object;
  while (take_one_of(device, &object)) free_object(&object);
}

pa_emulator_counts pa_emulated_count_objects(void) {
  pa_emulator_counts counts = {0};
  pthread_mutex_lock(&registry.lock);
  for (size_t i = 0; i < registry.count; ++i) {
    switch (registry.items[i].kind) {
    case DEVICE_MEMORY:
    case MANAGED_MEMORY: ++counts.device_memory; break;
    case HOST_MEMORY: ++counts.host_memory; break;
    case REGISTERED_MEMORY: ++counts.registered_memory; break;
    case STREAM: ++counts.streams; break;
    case EVENT: ++counts.events; break;
    case MODULE: ++counts.modules; break;
    case LINK: ++counts.links; break;
    case VARIABLES:
    case SEEN_BY_DEVICE: break;
    }
  }
  pthread_mutex_unlock(&registry.lock);
  return counts;
}

//===-- Objects of the driver's own ---------------------------------------------------------------===//

void *pa_emulated_new(size_t bytes, enum object_kind kind) {
  void *made = calloc(1, bytes);
  object object = {.address = (uintptr_t)made, .bytes = bytes, .kind = kind, .device = pa_emulated_current()};
  if (!made || !pa_emulated_add(object)) return made;
  free(made);
  return NULL;
}

void *pa_emulated_check(const void *handle, enum object_kind kind) {
  object object;
  bool found = handle && pa_emulated_find((uintptr_t)handle, 1, kind, &object) && object.address == (uintptr_t)handle;
  return found ? (void *)object.address : NULL;
}

CUresult pa_emulated_delete(void *handle, enum object_kind kind) {
  object object;
  if (!handle || !pa_emulated_remove((uintptr_t)handle, kind, &object)) return CUDA_ERROR_INVALID_HANDLE;
  free_object(&object);
  return CUDA_SUCCESS;
}

//===-- Allocating --------------------------------------------------------------------------------===//

static void note_high(emulated_device *device, size_t used) {
  size_t high = __atomic_load_n(&device->used_high, __ATOMIC_RELAXED);
  while (used > high &&
         !__atomic_compare_exchange_n(&device->used_high, &high, used, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    continue;
}

static void *take_memory(size_t bytes, bool has_pages) {
  void *memory = NULL;
  if (has_pages) return pa_emulated_new_pages(bytes);
  return posix_memalign(&memory, 4096, bytes) ? NULL : memory;
}

static void give_memory(void *memory, size_t bytes, bool has_pages) {
  if (has_pages)
    pa_emulated_free_pages(&(object){.address = (uintptr_t)memory, .bytes = bytes, .flags = OWN_PAGES});
  else
    free(memory);
}

static CUresult allocate(size_t bytes, enum object_kind kind, unsigned flags, void **out_address) {
  emulated_device *device = pa_emulated_current();
  void *memory = NULL;
  if (!device) return CUDA_ERROR_INVALID_CONTEXT;
  if (!bytes) return CUDA_ERROR_INVALID_VALUE;
  bool counts = kind & (DEVICE_MEMORY | MANAGED_MEMORY);
  size_t used = counts ? __atomic_add_fetch(&device->used, bytes, __ATOMIC_RELAXED) : 0;
  CUresult result = CUDA_ERROR_OUT_OF_MEMORY;
  bool has_pages = kind == DEVICE_MEMORY && flags & OWN_PAGES;
  if (used <= pa_emulated_memory() && used >= (counts ? bytes : 0) && (memory = take_memory(bytes, has_pages)))
    result = pa_emulated_add((object){(uintptr_t)memory, bytes, kind, device, flags});
  if (result) {
    if (counts) __atomic_fetch_sub(&device->used, bytes, __ATOMIC_RELAXED);
    if (memory) give_memory(memory, bytes, has_pages);
    return result;
  }
  note_high(device, used);
  *out_address = memory;
  return CUDA_SUCCESS;
}

static CUresult release(uintptr_t address, unsigned kinds) {
  object object;
  if (!pa_emulated_current()) return CUDA_ERROR_INVALID_CONTEXT;
  if (!pa_emulated_remove(address, kinds, &object)) return CUDA_ERROR_INVALID_VALUE;
  free_object(&object);
  return CUDA_SUCCESS;
}

static CUresult allocate_device(CUdeviceptr *address, size_t bytes, enum object_kind kind, unsigned flags) {
  void *memory = NULL;
  CUresult result = allocate(bytes, kind, flags, &memory);
  if (!result) *address = (CUdeviceptr)(uintptr_t)memory;
  return result;
}

CUresult pa_emulated_MemAlloc(CUdeviceptr *address, size_t bytes) {
  return allocate_device(address, bytes, DEVICE_MEMORY, OWN_PAGES);
}

CUresult pa_emulated_MemFree(CUdeviceptr address) {
  return address ? release((uintptr_t)address, DEVICE_MEMORY | MANAGED_MEMORY) : CUDA_SUCCESS;
}

CUresult pa_emulated_MemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream) {
  return pa_emulated_is_stream(stream) ? allocate_device(address, bytes, DEVICE_MEMORY, 0) : CUDA_ERROR_INVALID_HANDLE;
}

CUresult pa_emulated_MemFreeAsync(CUdeviceptr address, CUstream stream) {
  return pa_emulated_is_stream(stream) ? release((uintptr_t)address, DEVICE_MEMORY) : CUDA_ERROR_INVALID_HANDLE;
}

CUresult pa_emulated_MemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags) {
  if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST) return CUDA_ERROR_INVALID_VALUE;
  return allocate_device(address, bytes, MANAGED_MEMORY, 0);
}

static bool is_place(CUdevice device) { return device == CU_DEVICE_CPU || pa_emulated_device(device); }

// All of it is where everything is.
CUresult pa_emulated_MemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream) {
  object object;
  if (!pa_emulated_is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  if (!is_place(device)) return CUDA_ERROR_INVALID_DEVICE;
  return pa_emulated_find((uintptr_t)address, bytes, MANAGED_MEMORY, &object) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult pa_emulated_MemAdvise(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUdevice device) {
  object object;
  if (advice < CU_MEM_ADVISE_SET_READ_MOSTLY || advice > CU_MEM_ADVISE_UNSET_ACCESSED_BY)
    return CUDA_ERROR_INVALID_VALUE;
  if (!is_place(device)) return CUDA_ERROR_INVALID_DEVICE;
  return pa_emulated_find((uintptr_t)address, bytes, MANAGED_MEMORY, &object) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult pa_emulated_MemHostAlloc(void **address, size_t bytes, unsigned flags) {
  return allocate(bytes, HOST_MEMORY, flags, address);
}

CUresult pa_emulated_MemFreeHost(void *address) { return release((uintptr_t)address, HOST_MEMORY); }

CUresult pa_emulated_MemHostRegister(void *address, size_t bytes, unsigned flags) {
  emulated_device *device = pa_emulated_current();
  if (!device) return CUDA_ERROR_INVALID_CONTEXT;
  if (!address || !bytes) return CUDA_ERROR_INVALID_VALUE;
  return pa_emulated_add((object){(uintptr_t)address, bytes, REGISTERED_MEMORY, device, flags});
}

CUresult pa_emulated_MemHostUnregister(void *address) {
  CUresult result = release((uintptr_t)address, REGISTERED_MEMORY);
  return result == CUDA_ERROR_INVALID_VALUE ? CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED : result;
}

CUresult pa_emulated_MemHostGetDevicePointer(CUdeviceptr *address, void *host, unsigned flags) {
  object object;
  if (flags || !pa_emulated_find((uintptr_t)host, 1, HOST_MEMORY | REGISTERED_MEMORY, &object))
    return CUDA_ERROR_INVALID_VALUE;
  *address = (CUdeviceptr)(uintptr_t)host;
  return CUDA_SUCCESS;
}

//===-- Pools -------------------------------------------------------------------------------------===//
// A device stands for its pool, which keeps nothing.

CUresult pa_emulated_DeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
  *pool = (CUmemoryPool)pa_emulated_device(device);
  return *pool ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult pa_emulated_MemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
  const emulated_device *device = (const emulated_device *)pool;
  uint64_t number = 0;
  switch (attribute) {
  case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: number = __atomic_load_n(&device->threshold, __ATOMIC_RELAXED); break;
  case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
  case CU_MEMPOOL_ATTR_USED_MEM_CURRENT: number = __atomic_load_n(&device->used, __ATOMIC_RELAXED); break;
  case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
  case CU_MEMPOOL_ATTR_USED_MEM_HIGH: number = __atomic_load_n(&device->used_high, __ATOMIC_RELAXED); break;
  }
  memcpy(value, &number, sizeof number);
  return CUDA_SUCCESS;
}

CUresult pa_emulated_MemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
  if (attribute != CU_MEMPOOL_ATTR_RELEASE_THRESHOLD) return CUDA_ERROR_INVALID_VALUE;
  __atomic_store_n(&((emulated_device *)pool)->threshold, *(const uint64_t *)value, __ATOMIC_RELAXED);
  return CUDA_SUCCESS;
}

CUresult pa_emulated_MemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *accesses, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (!pool || !pa_emulated_device(accesses[i].id)) return CUDA_ERROR_INVALID_DEVICE;
  return CUDA_SUCCESS;
}

CUresult pa_emulated_MemPoolTrimTo(CUmemoryPool pool, size_t bytes_kept) {
  (void)pool, (void)bytes_kept;
  return CUDA_SUCCESS;
}

//===-- Asking ------------------------------------------------------------------------------------===//

CUresult pa_emulated_PointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr address) {
  object object;
  if (!pa_emulated_find((uintptr_t)address, 1, SEEN_BY_DEVICE, &object)) return CUDA_ERROR_INVALID_VALUE;
  bool is_host = object.kind & (HOST_MEMORY | REGISTERED_MEMORY), is_managed = object.kind == MANAGED_MEMORY;
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT: *(CUcontext *)value = (CUcontext)object.device; return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    *(unsigned *)value = is_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: *(CUdeviceptr *)value = address; return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    if (!is_host && !is_managed) return CUDA_ERROR_INVALID_VALUE;
    *(void **)value = (void *)(uintptr_t)address;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_IS_MANAGED: *(unsigned *)value = is_managed; return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)value = object.device->ordinal; return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}
