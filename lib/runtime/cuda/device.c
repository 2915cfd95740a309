// Devices and contexts.
#include "context.h"

#include <stdio.h>
#include <string.h>

static pa_cuda_device devices[PA_CUDA_MAX_DEVICES];
static pa_cuda_context contexts[PA_CUDA_MAX_DEVICES];
static pa_cuda_context_parts parts[PA_CUDA_MAX_DEVICES];
static int32_t device_count;                             // atomic; 0 until they are listed
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // of listing devices, making and closing contexts

//===-- Devices -----------------------------------------------------------------------------------===//

static void format_uuid(const CUuuid *uuid, pa_cuda_device *device) {
  const unsigned char *b = (const unsigned char *)uuid->bytes;
  snprintf(device->uuid, sizeof device->uuid,
           "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1], b[2], b[3], b[4],
           b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
}

static pa_status read_device(int32_t ordinal, pa_cuda_device *device) {
  CUuuid uuid;
  int pools = 0;
  device->ordinal = ordinal;
  PA_TRY_CU(pa_cuda.DeviceGet(&device->handle, ordinal), "looking at device %d", ordinal);
  CUdevice handle = device->handle;
  PA_TRY_CU(pa_cuda.DeviceGetName(device->name, sizeof device->name, handle), "reading the name of device %d", ordinal);
  PA_TRY_CU(pa_cuda.DeviceGetUuid(&uuid, handle), "reading the UUID of device %d", ordinal);
  format_uuid(&uuid, device);
  PA_TRY_CU(pa_cuda.DeviceGetPCIBusId(device->pci_bus_id, sizeof device->pci_bus_id, handle),
            "reading the PCI bus id of device %d", ordinal);
  PA_TRY_CU(pa_cuda.DeviceTotalMem(&device->memory, handle), "reading the memory size of device %d", ordinal);
  for (int i = 0; i < 2; ++i)
    PA_TRY_CU(
        pa_cuda.DeviceGetAttribute(&device->capability[i], CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR + i, handle),
        "reading the compute capability of device %d", ordinal);
  // Drivers older than pools do not know the attribute.
  device->has_memory_pools =
      !pa_cuda.DeviceGetAttribute(&pools, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, handle) && pools;
  return PA_OK;
}

static pa_status list_devices_locked(void) {
  int count = 0;
  PA_TRY_CU(pa_cuda.DeviceGetCount(&count), "counting devices");
  if (count > PA_CUDA_MAX_DEVICES) count = PA_CUDA_MAX_DEVICES;
  for (int32_t i = 0; i < count; ++i) {
    PA_TRY(read_device(i, &devices[i]));
    contexts[i].device = &devices[i];
    contexts[i].parts = &parts[i];
    contexts[i].generation = 1;
    parts[i].lock = parts[i].staging.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    parts[i].resources.next = parts[i].resources.previous = &parts[i].resources;
  }
  __atomic_store_n(&device_count, count, __ATOMIC_RELEASE);
  return PA_OK;
}

pa_status pa_cuda_device_count(int32_t *out_count) {
  PA_TRY(pa_cuda_open());
  int32_t count = __atomic_load_n(&device_count, __ATOMIC_ACQUIRE);
  if (!count) {
    pthread_mutex_lock(&lock);
    pa_status status = device_count ? PA_OK : list_devices_locked();
    count = device_count;
    pthread_mutex_unlock(&lock);
    PA_TRY(status);
  }
  *out_count = count;
  return PA_OK;
}

pa_status pa_cuda_device_get(int32_t ordinal, const pa_cuda_device **out_device) {
  int32_t count = 0;
  PA_TRY(pa_cuda_device_count(&count));
  if (ordinal < 0 || ordinal >= count)
    return pa_fail(PA_CODE_INVALID, NULL, "there is no device %d: devices are 0 to %d", ordinal, count - 1);
  *out_device = &devices[ordinal];
  return PA_OK;
}

pa_status pa_cuda_device_attribute(int32_t ordinal, CUdevice_attribute attribute, int *out_value) {
  const pa_cuda_device *device = NULL;
  int value = 0;
  PA_TRY(pa_cuda_device_get(ordinal, &device));
  PA_TRY_CU(pa_cuda.DeviceGetAttribute(&value, attribute, device->handle), "reading attribute %d of device %d",
            (int)attribute, ordinal);
  *out_value = value;
  return PA_OK;
}

pa_status pa_cuda_device_can_access_peer(int32_t ordinal, int32_t peer, bool *out_can) {
  const pa_cuda_device *device = NULL, *other = NULL;
  int can = 0;
  PA_TRY(pa_cuda_device_get(ordinal, &device));
  PA_TRY(pa_cuda_device_get(peer, &other));
  PA_TRY_CU(pa_cuda.DeviceCanAccessPeer(&can, device->handle, other->handle), "asking whether device %d sees device %d",
            ordinal, peer);
  *out_can = can;
  return PA_OK;
}

static const struct {
  const char *name;
  int number;
} attributes[] = {
#define PA_CU_ATTRIBUTE(name, number, emulated) {#name, number},
#include "device_attributes.def"
#undef PA_CU_ATTRIBUTE
};

enum { ATTRIBUTE_COUNT = sizeof attributes / sizeof *attributes };

int pa_cuda_attribute_by_name(const char *name) {
  for (size_t i = 0; i < ATTRIBUTE_COUNT; ++i)
    if (!strcmp(attributes[i].name, name)) return attributes[i].number;
  return -1;
}

const char *pa_cuda_attribute_name(size_t position) {
  return position < ATTRIBUTE_COUNT ? attributes[position].name : NULL;
}

//===-- Current for the driver --------------------------------------------------------------------===//

pa_status pa_cuda_enter(pa_cuda_context *context, CUcontext *out_previous) {
  CUcontext now = NULL, handle = __atomic_load_n(&context->handle, __ATOMIC_ACQUIRE);
  if (__builtin_expect(!handle, 0)) {
    PA_TRY(pa_cuda_open()); // in a child process, this is what is wrong
    return pa_fail(PA_CODE_INVALID, NULL, "the context of device %d was closed", context->device->ordinal);
  }
  if (pa_cuda.CtxGetCurrent(&now)) now = NULL;
  if (__builtin_expect(now != handle, 0))
    PA_TRY_CU(pa_cuda.CtxSetCurrent(handle), "making the context of device %d current", context->device->ordinal);
  *out_previous = now;
  return PA_OK;
}

void pa_cuda_leave(pa_cuda_context *context, CUcontext previous) {
  if (previous != context->handle) pa_cuda.CtxSetCurrent(previous);
}

//===-- Making ------------------------------------------------------------------------------------===//

static pa_status make_context_locked(pa_cuda_context *context) {
  const pa_cuda_device *device = context->device;
  CUcontext handle = NULL, previous = NULL;
  PA_TRY_CU(pa_cuda.DevicePrimaryCtxRetain(&handle, device->handle), "making the context of device %d (%s)",
            device->ordinal, device->name);
  __atomic_store_n(&context->handle, handle, __ATOMIC_RELEASE);
  pa_status status = pa_cuda_enter(context, &previous);
  if (!status) status = pa_cuda_memory_start(context);
  if (!status) {
    pa_cuda_leave(context, previous);
    return PA_OK;
  }
  __atomic_store_n(&context->handle, NULL, __ATOMIC_RELEASE);
  pa_cuda.CtxSetCurrent(previous);
  pa_cuda.DevicePrimaryCtxRelease(device->handle);
  return status;
}

pa_status pa_cuda_context_of(int32_t ordinal, pa_cuda_context **out_context) {
  const pa_cuda_device *device = NULL;
  PA_TRY(pa_cuda_device_get(ordinal, &device));
  pa_cuda_context *context = &contexts[ordinal];
  pthread_mutex_lock(&lock);
  pa_status status = context->handle ? PA_OK : make_context_locked(context);
  pthread_mutex_unlock(&lock);
  PA_TRY(status);
  *out_context = context;
  return PA_OK;
}

//===-- Selecting ---------------------------------------------------------------------------------===//

enum { STACK_DEPTH = 16 };

typedef struct selection {
  pa_cuda_context *context; // NULL: none
  CUcontext driver;         // below the top: what was current for the driver
} selection;

static __thread struct {
  selection stack[STACK_DEPTH + 1]; // stack[depth] is the selected one
  int depth;
  uint64_t epoch;
} selected __attribute__((tls_model("initial-exec")));

static uint64_t epoch; // atomic; rises when everything is closed

// What was current for the driver may be gone too, and must not be put back by pa_cuda_leave.
static void forget_closed(void) {
  uint64_t now = __atomic_load_n(&epoch, __ATOMIC_RELAXED);
  if (__builtin_expect(selected.epoch == now, 1)) return;
  if (selected.depth || selected.stack[0].context) pa_cuda.CtxSetCurrent(NULL);
  memset(&selected, 0, sizeof selected);
  selected.epoch = now;
}

// The device whose context another library has made current in this thread, else 0.
static int32_t current_ordinal(void) {
  CUcontext now = NULL;
  CUdevice handle = 0;
  if (pa_cuda.CtxGetCurrent(&now) || !now || pa_cuda.CtxGetDevice(&handle)) return 0;
  for (int32_t i = 0; i < device_count; ++i)
    if (devices[i].handle == handle) return i;
  return 0;
}

pa_status pa_cuda_context_current(pa_cuda_context **out_context) {
  forget_closed();
  selection *top = &selected.stack[selected.depth];
  if (__builtin_expect(!top->context, 0)) {
    int32_t count = 0;
    pa_cuda_context *context = NULL;
    PA_TRY(pa_cuda_device_count(&count));
    PA_TRY(pa_cuda_context_of(current_ordinal(), &context));
    PA_TRY(pa_cuda_context_select(context));
  }
  *out_context = top->context;
  return PA_OK;
}

pa_status pa_cuda_context_select(pa_cuda_context *context) {
  forget_closed();
  PA_TRY(pa_cuda_context_of(context->device->ordinal, &context)); // it may have been closed
  PA_TRY_CU(pa_cuda.CtxSetCurrent(context->handle), "selecting device %d", context->device->ordinal);
  selected.stack[selected.depth].context = context;
  return PA_OK;
}

pa_status pa_cuda_context_push(pa_cuda_context *context) {
  forget_closed();
  if (selected.depth == STACK_DEPTH)
    return pa_fail(PA_CODE_INVALID, NULL, "contexts are nested more than %d deep", STACK_DEPTH);
  CUcontext before = NULL;
  PA_TRY(pa_cuda_context_of(context->device->ordinal, &context));
  PA_TRY_CU(pa_cuda.CtxGetCurrent(&before), "asking for the current context");
  PA_TRY_CU(pa_cuda.CtxSetCurrent(context->handle), "selecting device %d", context->device->ordinal);
  selected.stack[selected.depth++].driver = before;
  selected.stack[selected.depth].context = context;
  return PA_OK;
}

pa_status pa_cuda_context_pop(void) {
  forget_closed();
  if (!selected.depth) return pa_fail(PA_CODE_INVALID, NULL, "no context was pushed in this thread");
  selected.stack[selected.depth--].context = NULL;
  PA_TRY_CU(pa_cuda.CtxSetCurrent(selected.stack[selected.depth].driver), "selecting the context before");
  return PA_OK;
}

//===-- What a context knows ----------------------------------------------------------------------===//

pa_status pa_cuda_context_synchronize(pa_cuda_context *context) {
  PA_TRY_IN(context, pa_cuda.CtxSynchronize(), "waiting for device %d", context->device->ordinal);
  return PA_OK;
}

pa_status pa_cuda_memory_info(pa_cuda_context *context, size_t *out_free, size_t *out_total) {
  size_t free_bytes = 0, total = 0;
  PA_TRY_IN(context, pa_cuda.MemGetInfo(&free_bytes, &total), "asking for the memory of device %d",
            context->device->ordinal);
  *out_free = free_bytes;
  *out_total = total;
  return PA_OK;
}

pa_status pa_cuda_enable_peer_access(pa_cuda_context *context, pa_cuda_context *peer) {
  CUcontext previous = NULL;
  PA_TRY(pa_cuda_enter(context, &previous));
  int own = context->device->ordinal, other = peer->device->ordinal;
  CUresult result = pa_cuda.CtxEnablePeerAccess(peer->handle, 0);
  if (result == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED) result = CUDA_SUCCESS;
  const CUmemAccessDesc access = {CU_MEM_LOCATION_DEVICE, context->device->handle, CU_MEM_ACCESS_READWRITE};
  if (!result && peer->parts->pool) result = pa_cuda.MemPoolSetAccess(peer->parts->pool, &access, 1);
  pa_cuda_leave(context, previous);
  PA_TRY_CU(result, "giving device %d access to device %d", own, other);
  __atomic_fetch_or(&context->peers, (uint64_t)1 << (other & 63), __ATOMIC_RELAXED);
  return PA_OK;
}

//===-- What belongs to a context -----------------------------------------------------------------===//

void pa_cuda_resource_link(pa_cuda_resource *resource, pa_cuda_context *context) {
  pa_cuda_resource *head = &context->parts->resources;
  pthread_mutex_lock(&context->parts->lock);
  resource->context = context;
  resource->previous = head->previous;
  resource->next = head;
  head->previous->next = resource;
  head->previous = resource;
  // Last: launches, which take no lock, look at it first.
  __atomic_store_n(&resource->generation, context->generation, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&context->parts->lock);
}

static bool unlink_locked(pa_cuda_resource *resource) {
  if (!resource->next) return false;
  resource->previous->next = resource->next;
  resource->next->previous = resource->previous;
  resource->previous = resource->next = NULL;
  return true;
}

void pa_cuda_resource_free(pa_cuda_resource *resource) {
  pa_cuda_context *context = resource->context;
  if (!context) return;
  pthread_mutex_lock(&context->parts->lock);
  bool is_ours = resource->generation == context->generation && unlink_locked(resource);
  pthread_mutex_unlock(&context->parts->lock);
  CUcontext previous = NULL;
  if (is_ours) {
    pa_status status = pa_cuda_enter(context, &previous);
    resource->destroy(resource);
    if (!status) pa_cuda_leave(context, previous);
    pa_status_free(status);
  }
  resource->context = NULL;
}

pa_status pa_cuda_resource_check(const pa_cuda_resource *resource, const char *what) {
  const pa_cuda_context *context = resource->context;
  if (!context) return pa_fail(PA_CODE_INVALID, NULL, "%s was freed", what);
  if (resource->generation == __atomic_load_n(&context->generation, __ATOMIC_RELAXED)) return PA_OK;
  return pa_fail(PA_CODE_INVALID, NULL, "%s is gone: the context of device %d was reset or closed", what,
                 context->device->ordinal);
}

//===-- Resetting ---------------------------------------------------------------------------------===//

static pa_cuda_resource *unlink_first(pa_cuda_context *context) {
  pthread_mutex_lock(&context->parts->lock);
  pa_cuda_resource *first = context->parts->resources.next;
  bool is_ours = first != &context->parts->resources && unlink_locked(first);
  pthread_mutex_unlock(&context->parts->lock);
  return is_ours ? first : NULL;
}

// Its memory goes with the context, and NumPy arrays lie over it.
static pa_status refuse_managed(pa_cuda_context *context, const char *doing) {
  pthread_mutex_lock(&context->parts->lock);
  long long count = context->parts->managed;
  pthread_mutex_unlock(&context->parts->lock);
  if (!count) return PA_OK;
  return pa_fail(PA_CODE_INVALID, NULL,
                 "%s the context of device %d would free %lld managed array%s in use: delete %s first", doing,
                 context->device->ordinal, count, count > 1 ? "s" : "", count > 1 ? "them" : "it");
}

static pa_status reset_entered(pa_cuda_context *context) {
  CUresult result = pa_cuda.CtxSynchronize();
  pa_cuda_resource *resource;
  while ((resource = unlink_first(context))) resource->destroy(resource);
  pa_cuda_staging_stop(context);
  pa_cuda_numbers_stop(context);
  pa_kernel_errors_stop(context);
  pa_cuda_memory_stop(context);
  __atomic_fetch_add(&context->generation, 1, __ATOMIC_RELEASE);
  PA_TRY_CU(result, "waiting for device %d", context->device->ordinal);
  return PA_OK;
}

pa_status pa_cuda_context_reset(pa_cuda_context *context) {
  CUcontext previous = NULL;
  PA_TRY(refuse_managed(context, "resetting"));
  PA_TRY(pa_cuda_enter(context, &previous));
  pa_status status = reset_entered(context);
  if (!status) status = pa_cuda_memory_start(context);
  pa_cuda_leave(context, previous);
  return status;
}

static pa_status close_context_locked(pa_cuda_context *context) {
  CUcontext previous = NULL, handle = context->handle;
  if (!handle) return PA_OK;
  pa_status status = pa_cuda_enter(context, &previous);
  if (!status) status = reset_entered(context);
  pa_cuda.CtxSetCurrent(previous == handle ? NULL : previous);
  __atomic_store_n(&context->handle, NULL, __ATOMIC_RELEASE);
  __atomic_store_n(&context->peers, 0, __ATOMIC_RELAXED);
  CUresult result = pa_cuda.DevicePrimaryCtxRelease(context->device->handle);
  if (result && !status) status = pa_fail_cu(result, "closing the context of device %d", context->device->ordinal);
  return status;
}

pa_status pa_cuda_close(void) {
  pa_status first = PA_OK;
  pthread_mutex_lock(&lock);
  for (int32_t i = 0; i < device_count && !first; ++i) first = refuse_managed(&contexts[i], "closing");
  if (first) {
    pthread_mutex_unlock(&lock);
    return first;
  }
  for (int32_t i = 0; i < device_count; ++i) {
    pa_status status = close_context_locked(&contexts[i]);
    if (first)
      pa_status_free(status);
    else
      first = status;
  }
  __atomic_fetch_add(&epoch, 1, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&lock);
  return first;
}

// Any lock may have been held, and any list half changed, by a thread that the child does not have.
void pa_cuda_contexts_forget(void) {
  lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  for (int32_t i = 0; i < PA_CUDA_MAX_DEVICES; ++i) {
    memset(&parts[i], 0, sizeof parts[i]);
    parts[i].lock = parts[i].staging.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    parts[i].resources.next = parts[i].resources.previous = &parts[i].resources;
    contexts[i].handle = NULL;
    contexts[i].peers = 0;
    ++contexts[i].generation;
  }
  ++epoch;
}
