// Memory: the pool, the list that stands in for it, deferred frees, statistics.
#include "buffer.h"
#include "context.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef pa_cuda_context_parts context_parts;

static void lock_parts(context_parts *parts) { pthread_mutex_lock(&parts->lock); }
static void unlock_parts(context_parts *parts) { pthread_mutex_unlock(&parts->lock); }

//===-- Lists -------------------------------------------------------------------------------------===//

// False where there is no memory for it.
static bool append(pa_cuda_kept_list *list, const pa_cuda_kept *item) {
  if (list->count == list->capacity) {
    size_t capacity = list->capacity ? 2 * list->capacity : 16;
    pa_cuda_kept *items = realloc(list->items, capacity * sizeof *items);
    if (!items) return false;
    list->items = items;
    list->capacity = capacity;
  }
  list->items[list->count++] = *item;
  return true;
}

static bool append_locked(context_parts *parts, pa_cuda_kept_list *list, const pa_cuda_kept *item) {
  lock_parts(parts);
  bool appended = append(list, item);
  unlock_parts(parts);
  return appended;
}

static pa_cuda_kept_list take_all(context_parts *parts, pa_cuda_kept_list *list) {
  lock_parts(parts);
  pa_cuda_kept_list all = *list;
  *list = (pa_cuda_kept_list){0};
  unlock_parts(parts);
  return all;
}

//===-- The list in place of a pool ---------------------------------------------------------------===//

// So that blocks fit again. Small ones: powers of two; large ones: whole 2 MiB.
static size_t rounded(size_t bytes) {
  const size_t large = (size_t)2 << 20;
  if (bytes >= large / 2) return (bytes + large - 1) & ~(large - 1);
  size_t size = 256;
  while (size < bytes) size *= 2;
  return size;
}

// Takes the smallest block that is large enough, if it is not more than a quarter too large.
static bool take_kept(context_parts *parts, size_t size, pa_cuda_kept *out_item) {
  lock_parts(parts);
  pa_cuda_kept_list *list = &parts->free_list;
  pa_cuda_kept *best = NULL;
  for (pa_cuda_kept *at = list->items; at < list->items + list->count; ++at)
    if (at->capacity >= size && at->capacity - size <= size / 4 && (!best || at->capacity < best->capacity)) best = at;
  if (best) {
    *out_item = *best;
    *best = list->items[--list->count];
  }
  unlock_parts(parts);
  return best != NULL;
}

// The default stream waits for all others, so an event in it is behind every use of the block.
static bool keep(context_parts *parts, pa_cuda_kept *item) {
  if (pa_cuda.EventCreate(&item->ready, CU_EVENT_DISABLE_TIMING)) return false;
  if (!pa_cuda.EventRecord(item->ready, NULL) && append_locked(parts, &parts->free_list, item)) return true;
  pa_cuda.EventDestroy(item->ready);
  return false;
}

static void drop_kept(context_parts *parts) {
  pa_cuda_small_drop(parts);
  pa_cuda_kept_list all = take_all(parts, &parts->free_list);
  for (size_t i = 0; i < all.count; ++i) {
    pa_cuda.EventDestroy(all.items[i].ready);
    pa_cuda.MemFree(all.items[i].device); // waits for the device
  }
  free(all.items);
}

static CUresult allocate_from_list(context_parts *parts, pa_cuda_buffer *buffer) {
  size_t size = rounded(buffer->bytes);
  if (size < buffer->bytes) return CUDA_ERROR_OUT_OF_MEMORY;
  pa_cuda_kept item;
  if (!take_kept(parts, size, &item)) {
    buffer->capacity = size;
    return pa_cuda.MemAlloc(&buffer->device, size);
  }
  CUresult result = pa_cuda.EventSynchronize(item.ready);
  pa_cuda.EventDestroy(item.ready);
  if (result) {
    pa_cuda.MemFree(item.device);
    return result;
  }
  buffer->device = item.device;
  buffer->capacity = item.capacity;
  return CUDA_SUCCESS;
}

//===-- Allocating --------------------------------------------------------------------------------===//

static bool is_unordered(const context_parts *parts) {
  return __atomic_load_n(&parts->has_unordered_streams, __ATOMIC_RELAXED);
}

static const pa_cuda_memory_manager *manager; // atomic

void pa_cuda_set_memory_manager(const pa_cuda_memory_manager *chosen) {
  __atomic_store_n(&manager, chosen, __ATOMIC_RELEASE);
}

// The driver puts small allocations side by side, and shares all that is in its 2 MiB.
static CUresult allocate_shareable(pa_cuda_buffer *buffer) {
  const size_t unit = (size_t)2 << 20;
  buffer->capacity = (buffer->bytes + unit - 1) / unit * unit;
  if (buffer->capacity < buffer->bytes) return CUDA_ERROR_OUT_OF_MEMORY;
  buffer->is_shareable = true;
  return pa_cuda.MemAlloc(&buffer->device, buffer->capacity);
}

static CUresult allocate_device(pa_cuda_context *context, unsigned flags, pa_cuda_buffer *buffer) {
  context_parts *parts = context->parts;
  if (flags & PA_CUDA_SHAREABLE) return allocate_shareable(buffer);
  buffer->manager = __atomic_load_n(&manager, __ATOMIC_ACQUIRE);
  if (buffer->manager) return buffer->manager->allocate(context, buffer->bytes, &buffer->device, &buffer->managed);
  if (!parts->pool) return allocate_from_list(parts, buffer);
  if (flags & PA_CUDA_IN_ORDER && pa_cuda_small_take(parts, buffer)) return CUDA_SUCCESS;
  CUresult result = pa_cuda.MemAllocAsync(&buffer->device, buffer->capacity, NULL);
  if (result || !is_unordered(parts)) return result;
  result = pa_cuda.StreamSynchronize(NULL);
  if (result) pa_cuda.MemFreeAsync(buffer->device, NULL);
  return result;
}

static CUresult register_host(unsigned flags, void *host, size_t bytes, CUdeviceptr *out_device) {
  unsigned driver_flags = (flags & PA_CUDA_PORTABLE ? CU_MEMHOSTREGISTER_PORTABLE : 0) |
                          (flags & PA_CUDA_MAP ? CU_MEMHOSTREGISTER_DEVICEMAP : 0);
  CUresult result = pa_cuda.MemHostRegister(host, bytes, driver_flags);
  if (result || !(flags & PA_CUDA_MAP)) return result;
  result = pa_cuda.MemHostGetDevicePointer(out_device, host, 0);
  if (result) pa_cuda.MemHostUnregister(host);
  return result;
}

// Pages of their own, as the driver pins pages.
static size_t page_bytes(size_t bytes) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  return (bytes + page - 1) / page * page;
}

static CUresult allocate_host(unsigned flags, pa_cuda_buffer *buffer) {
  buffer->capacity = page_bytes(buffer->bytes);
  if (buffer->capacity < buffer->bytes) return CUDA_ERROR_OUT_OF_MEMORY;
  void *host = mmap(NULL, buffer->capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (host == MAP_FAILED) return CUDA_ERROR_OUT_OF_MEMORY;
  CUresult result = register_host(flags, host, buffer->capacity, &buffer->device);
  if (result)
    munmap(host, buffer->capacity);
  else
    buffer->host = host;
  return result;
}

static CUresult allocate_managed(unsigned flags, pa_cuda_buffer *buffer) {
  unsigned attach = flags & PA_CUDA_ATTACH_HOST ? CU_MEM_ATTACH_HOST : CU_MEM_ATTACH_GLOBAL;
  CUresult result = pa_cuda.MemAllocManaged(&buffer->device, buffer->bytes, attach);
  if (!result) buffer->host = (void *)(uintptr_t)buffer->device;
  return result;
}

static CUresult try_allocate(pa_cuda_context *context, unsigned flags, pa_cuda_buffer *buffer) {
  buffer->capacity = buffer->bytes;
  switch (buffer->kind) {
  case PA_CUDA_DEVICE: return allocate_device(context, flags, buffer);
  case PA_CUDA_PINNED: return allocate_host(flags & ~(unsigned)PA_CUDA_MAP, buffer);
  case PA_CUDA_MAPPED: return allocate_host(flags | PA_CUDA_MAP, buffer);
  case PA_CUDA_MANAGED: return allocate_managed(flags, buffer);
  case PA_CUDA_REGISTERED:
  case PA_CUDA_IMPORTED: break;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

static const char *const kind_names[] = {"device", "pinned", "mapped", "managed", "registered", "imported"};

static pa_status fail_allocation(pa_cuda_context *context, const pa_cuda_buffer *buffer, CUresult result) {
  const pa_cuda_device *device = context->device;
  size_t unused = 0, total = 0;
  if (result != CUDA_ERROR_OUT_OF_MEMORY || pa_cuda.MemGetInfo(&unused, &total))
    return pa_fail_cu(result, "allocating %zu bytes of %s memory on device %d", buffer->bytes, kind_names[buffer->kind],
                      device->ordinal);
  return pa_fail_cu(result, "allocating %zu bytes of %s memory on device %d (%s), where %zu of %zu bytes are unused",
                    buffer->bytes, kind_names[buffer->kind], device->ordinal, device->name, unused, total);
}

//===-- Freeing -----------------------------------------------------------------------------------===//

static void free_device(context_parts *parts, pa_cuda_kept *item) {
  if (item->is_small && pa_cuda_small_keep(parts, item)) return;
  if (is_unordered(parts) && !item->is_shareable) pa_cuda.CtxSynchronize();
  if (item->is_shareable)
    pa_cuda.MemFree(item->device); // waits for the device
  else if (parts->pool)
    pa_cuda.MemFreeAsync(item->device, NULL);
  else if (!keep(parts, item))
    pa_cuda.MemFree(item->device);
}

// Unlike freeing, unpinning and closing do not wait for copies and kernels.
static void release(pa_cuda_kept *item) {
  pa_cuda.CtxSynchronize();
  if (item->kind == PA_CUDA_IMPORTED)
    pa_cuda.IpcCloseMemHandle(item->device);
  else
    pa_cuda.MemHostUnregister(item->host);
  if (item->with_memory) munmap(item->host, item->capacity);
}

static void free_now(context_parts *parts, pa_cuda_kept *item) {
  if (item->manager) {
    item->manager->release(item->managed);
    return;
  }
  switch (item->kind) {
  case PA_CUDA_DEVICE: free_device(parts, item); break;
  case PA_CUDA_MANAGED: pa_cuda.MemFree(item->device); break;
  case PA_CUDA_PINNED:
  case PA_CUDA_MAPPED:
  case PA_CUDA_REGISTERED:
  case PA_CUDA_IMPORTED: release(item); break;
  }
}

static void flush_deferred(context_parts *parts) {
  pa_cuda_kept_list all = take_all(parts, &parts->deferred);
  for (size_t i = 0; i < all.count; ++i) free_now(parts, &all.items[i]);
  free(all.items);
}

static bool is_own_host_memory(const pa_cuda_buffer *buffer) {
  return !buffer->manager && (buffer->kind == PA_CUDA_PINNED || buffer->kind == PA_CUDA_MAPPED);
}
static bool is_on_device(pa_cuda_memory kind) { return kind == PA_CUDA_DEVICE || kind == PA_CUDA_MANAGED; }

static void count(context_parts *parts, const pa_cuda_buffer *buffer, int sign) {
  pa_cuda_statistics *now = &parts->statistics;
  int64_t change = sign * (int64_t)buffer->bytes;
  *(sign > 0 ? &now->allocations : &now->frees) += 1;
  if (buffer->kind == PA_CUDA_MANAGED) parts->managed += sign;
  if (is_on_device(buffer->kind))
    now->device_bytes += change;
  else if (buffer->kind != PA_CUDA_REGISTERED && buffer->kind != PA_CUDA_IMPORTED)
    now->host_bytes += change;
  if (now->device_bytes > now->device_bytes_high) now->device_bytes_high = now->device_bytes;
}

static void destroy_buffer(pa_cuda_resource *resource) {
  pa_cuda_buffer *buffer = (pa_cuda_buffer *)resource;
  context_parts *parts = resource->context->parts;
  pa_cuda_kept item = {.kind = buffer->kind,
                       .bytes = buffer->bytes,
                       .capacity = buffer->capacity,
                       .device = buffer->device,
                       .host = buffer->host,
                       .with_memory = buffer->is_freed && is_own_host_memory(buffer),
                       .is_shareable = buffer->is_shareable,
                       .is_small = buffer->is_small,
                       .manager = buffer->manager,
                       .managed = buffer->managed};
  if (item.with_memory) buffer->host = NULL;
  // A manager's memory of the host, which a reset does not take away.
  bool stays = buffer->manager && buffer->kind != PA_CUDA_DEVICE && !buffer->is_freed;
  if (!stays) buffer->managed = NULL;
  lock_parts(parts);
  count(parts, buffer, -1);
  if (stays) {
    unlock_parts(parts);
    return;
  }
  bool is_deferred = parts->defer_depth && buffer->is_freed && append(&parts->deferred, &item);
  unlock_parts(parts);
  if (!is_deferred) free_now(parts, &item);
}

void pa_cuda_free(pa_cuda_buffer *buffer) {
  buffer->is_freed = true;
  pa_cuda_resource_free(&buffer->resource);
  if (buffer->host && is_own_host_memory(buffer)) munmap(buffer->host, buffer->capacity); // a reset has unpinned it
  if (buffer->managed) buffer->manager->release(buffer->managed);
  buffer->managed = NULL;
  buffer->device = 0;
  buffer->host = NULL;
}

void pa_cuda_defer_begin(pa_cuda_context *context) {
  lock_parts(context->parts);
  ++context->parts->defer_depth;
  unlock_parts(context->parts);
}

void pa_cuda_defer_end(pa_cuda_context *context) {
  lock_parts(context->parts);
  bool is_outermost = context->parts->defer_depth && --context->parts->defer_depth == 0;
  unlock_parts(context->parts);
  CUcontext previous = NULL;
  if (!is_outermost) return;
  pa_status status = pa_cuda_enter(context, &previous);
  flush_deferred(context->parts);
  if (!status) pa_cuda_leave(context, previous);
  pa_status_free(status);
}

//===-- Buffers -----------------------------------------------------------------------------------===//

// Gives back all that is kept unused; false where the device is beyond that.
static bool make_room(context_parts *parts) {
  lock_parts(parts);
  bool may_flush = !parts->defer_depth;
  unlock_parts(parts);
  if (may_flush) flush_deferred(parts);
  if (pa_cuda.CtxSynchronize()) return false;
  drop_kept(parts);
  return !parts->pool || !pa_cuda.MemPoolTrimTo(parts->pool, 0);
}

static pa_status allocate_entered(pa_cuda_context *context, unsigned flags, pa_cuda_buffer *buffer) {
  CUresult result = try_allocate(context, flags, buffer);
  if (result == CUDA_ERROR_OUT_OF_MEMORY && make_room(context->parts)) result = try_allocate(context, flags, buffer);
  return result ? fail_allocation(context, buffer, result) : PA_OK;
}

static void link_buffer(pa_cuda_context *context, pa_cuda_buffer *buffer) {
  buffer->resource.destroy = destroy_buffer;
  lock_parts(context->parts);
  count(context->parts, buffer, 1);
  unlock_parts(context->parts);
  pa_cuda_resource_link(&buffer->resource, context);
}

pa_status pa_cuda_allocate(pa_cuda_context *context, pa_cuda_memory kind, unsigned flags, size_t bytes,
                           pa_cuda_buffer *buffer) {
  pa_cuda_buffer made = {.kind = kind, .bytes = bytes};
  CUcontext previous = NULL;
  if (bytes) {
    PA_TRY(pa_cuda_enter(context, &previous));
    pa_status status = allocate_entered(context, flags, &made);
    pa_cuda_leave(context, previous);
    PA_TRY(status);
  }
  *buffer = made;
  if (bytes) link_buffer(context, buffer);
  return PA_OK;
}

void pa_cuda_import(pa_cuda_context *context, CUdeviceptr address, size_t bytes, pa_cuda_buffer *buffer) {
  *buffer = (pa_cuda_buffer){.kind = PA_CUDA_IMPORTED, .bytes = bytes, .capacity = bytes, .device = address};
  link_buffer(context, buffer);
}

void pa_cuda_adopt(pa_cuda_context *context, pa_cuda_memory kind, void *host, CUdeviceptr device, size_t bytes,
                   const pa_cuda_memory_manager *owner, void *managed, pa_cuda_buffer *buffer) {
  *buffer = (pa_cuda_buffer){.kind = kind, .bytes = bytes, .capacity = bytes, .device = device, .host = host};
  buffer->manager = owner;
  buffer->managed = managed;
  link_buffer(context, buffer);
}

pa_status pa_cuda_register(pa_cuda_context *context, unsigned flags, void *host, size_t bytes, pa_cuda_buffer *buffer) {
  pa_cuda_buffer made = {.kind = PA_CUDA_REGISTERED, .bytes = bytes, .host = host};
  CUcontext previous = NULL;
  if (bytes) {
    PA_TRY(pa_cuda_enter(context, &previous));
    CUresult result = register_host(flags, host, bytes, &made.device);
    pa_cuda_leave(context, previous);
    PA_TRY_CU(result, "pinning %zu bytes of host memory", bytes);
  }
  *buffer = made;
  if (bytes) link_buffer(context, buffer);
  return PA_OK;
}

//===-- The pool ----------------------------------------------------------------------------------===//

// The pool keeps up to half of the device's memory while nobody waits for it; by default it would give everything back
// at each synchronisation, and take it again page by page.
pa_status pa_cuda_memory_start(pa_cuda_context *context) {
  const pa_cuda_device *device = context->device;
  uint64_t threshold = device->memory / 2, now = 0;
  CUmemoryPool pool = NULL;
  if (!device->has_memory_pools || context->parts->pool) return PA_OK;
  PA_TRY_CU(pa_cuda.DeviceGetDefaultMemPool(&pool, device->handle), "asking for the memory pool of device %d",
            device->ordinal);
  PA_TRY_CU(pa_cuda.MemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &now),
            "looking at the memory pool of device %d", device->ordinal);
  if (now < threshold)
    PA_TRY_CU(pa_cuda.MemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold),
              "setting up the memory pool of device %d", device->ordinal);
  context->parts->pool = pool;
  return PA_OK;
}

void pa_cuda_memory_stop(pa_cuda_context *context) {
  context_parts *parts = context->parts;
  flush_deferred(parts);
  drop_kept(parts);
  if (parts->pool && !pa_cuda.CtxSynchronize()) pa_cuda.MemPoolTrimTo(parts->pool, 0);
  parts->pool = NULL;
  parts->statistics = (pa_cuda_statistics){0};
}

pa_status pa_cuda_trim(pa_cuda_context *context) {
  CUcontext previous = NULL;
  PA_TRY(pa_cuda_enter(context, &previous));
  CUresult result = pa_cuda.CtxSynchronize();
  if (!result) {
    drop_kept(context->parts);
    if (context->parts->pool) result = pa_cuda.MemPoolTrimTo(context->parts->pool, 0);
  }
  pa_cuda_leave(context, previous);
  PA_TRY_CU(result, "giving unused memory back to device %d", context->device->ordinal);
  return PA_OK;
}

//===-- What there is -----------------------------------------------------------------------------===//

pa_status pa_cuda_statistics_now(pa_cuda_context *context, pa_cuda_statistics *out_statistics) {
  context_parts *parts = context->parts;
  uint64_t reserved = 0;
  if (parts->pool) {
    PA_TRY_IN(context, pa_cuda.MemPoolGetAttribute(parts->pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &reserved),
              "looking at the memory pool of device %d", context->device->ordinal);
  }
  lock_parts(parts);
  *out_statistics = parts->statistics;
  out_statistics->deferred = (int64_t)parts->deferred.count;
  for (size_t i = 0; i < parts->free_list.count; ++i) reserved += parts->free_list.items[i].capacity;
  unlock_parts(parts);
  if (!parts->pool) reserved += (uint64_t)out_statistics->device_bytes;
  out_statistics->reserved_bytes = (int64_t)reserved;
  return PA_OK;
}

static CUresult read_address(uint64_t address, pa_cuda_address *info) {
  unsigned type = 0, managed = 0;
  int ordinal = -1;
  CUresult result = pa_cuda.PointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address);
  if (result == CUDA_ERROR_INVALID_VALUE) return CUDA_SUCCESS;
  if (!result) result = pa_cuda.PointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address);
  if (!result && type == CU_MEMORYTYPE_DEVICE)
    result = pa_cuda.PointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address);
  if (result) return result;
  *info = (pa_cuda_address){
      .known = true, .on_device = type == CU_MEMORYTYPE_DEVICE || managed, .managed = managed, .ordinal = ordinal};
  return CUDA_SUCCESS;
}

pa_status pa_cuda_device_address(pa_cuda_context *context, void *host, CUdeviceptr *out_address) {
  CUcontext previous = NULL;
  PA_TRY(pa_cuda_enter(context, &previous));
  CUresult result = pa_cuda.MemHostGetDevicePointer(out_address, host, 0);
  pa_cuda_leave(context, previous);
  PA_TRY_CU(result, "asking where the device sees memory of the host");
  return PA_OK;
}

pa_status pa_cuda_address_info(pa_cuda_context *context, uint64_t address, pa_cuda_address *out_info) {
  pa_cuda_address info = {.ordinal = -1};
  PA_TRY_IN(context, read_address(address, &info), "looking at address 0x%llx", (unsigned long long)address);
  *out_info = info;
  return PA_OK;
}
