// The emulator's table, its devices and contexts.
#include "emulator_internal.h"
#include "error_texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const pa_cuda_driver pa_cuda_emulator = {
#define PA_CU(name, symbol, parameters, arguments) pa_emulated_##name,
#include "driver.def"
#undef PA_CU
};

static emulated_device devices[EMULATED_DEVICES];
static int device_count;                                 // 0: not initialised
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // of references and |abandoned|
static __thread emulated_device *current;

//===-- Devices -----------------------------------------------------------------------------------===//

// 0: the environment asks for what is no number of devices.
static int wanted_devices(void) {
  const char *text = getenv("PYARRAY_CUDA_EMULATED_DEVICES");
  if (!text || !*text) return 1;
  char *end;
  long count = strtol(text, &end, 10);
  return *end || count < 1 || count > EMULATED_DEVICES ? 0 : (int)count;
}

static void initialise(void) {
  for (int i = 0; i < EMULATED_DEVICES; ++i)
    devices[i] = (emulated_device){.ordinal = i, .running = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};
  device_count = wanted_devices();
}

CUresult pa_emulated_Init(unsigned flags) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (flags) return CUDA_ERROR_INVALID_VALUE;
  pthread_once(&once, initialise);
  return device_count ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static bool is_device(CUdevice device) { return device >= 0 && device < device_count; }

emulated_device *pa_emulated_device(CUdevice device) { return is_device(device) ? &devices[device] : NULL; }

CUresult pa_emulated_DriverGetVersion(int *version) {
  *version = 12000;
  return CUDA_SUCCESS;
}

CUresult pa_emulated_DeviceGetCount(int *count) {
  if (!device_count) return CUDA_ERROR_NOT_INITIALIZED;
  *count = device_count;
  return CUDA_SUCCESS;
}

CUresult pa_emulated_DeviceGet(CUdevice *device, int ordinal) {
  if (!is_device(ordinal)) return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}

CUresult pa_emulated_DeviceGetName(char *name, int size, CUdevice device) {
  if (!is_device(device) || size < 1) return CUDA_ERROR_INVALID_VALUE;
  snprintf(name, (size_t)size, "pyarray emulator");
  return CUDA_SUCCESS;
}

CUresult pa_emulated_DeviceGetUuid(CUuuid *uuid, CUdevice device) {
  if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
  memcpy(uuid->bytes, "pyarray emulator", sizeof uuid->bytes);
  uuid->bytes[15] = (char)device;
  return CUDA_SUCCESS;
}

size_t pa_emulated_memory(void) {
  size_t installed = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE), most = (size_t)80 << 30;
  return installed < most ? installed : most;
}

CUresult pa_emulated_DeviceTotalMem(size_t *bytes, CUdevice device) {
  if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
  *bytes = pa_emulated_memory();
  return CUDA_SUCCESS;
}

static const struct {
  int number, value;
} attributes[] = {
#define PA_CU_ATTRIBUTE(name, number, emulated) {number, emulated},
#include "device_attributes.def"
#undef PA_CU_ATTRIBUTE
};

int pa_emulated_attribute(CUdevice_attribute attribute) {
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; ++i)
    if (attributes[i].number == (int)attribute) return attributes[i].value;
  return -1;
}

CUresult pa_emulated_DeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
  int found = pa_emulated_attribute(attribute);
  if (found < 0) return CUDA_ERROR_INVALID_VALUE;
  *value = attribute == CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID ? device : found;
  return CUDA_SUCCESS;
}

CUresult pa_emulated_DeviceGetPCIBusId(char *id, int size, CUdevice device) {
  if (!is_device(device) || size < 1) return CUDA_ERROR_INVALID_VALUE;
  snprintf(id, (size_t)size, "0000:00:%02x.0", device);
  return CUDA_SUCCESS;
}

CUresult pa_emulated_DeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  if (!is_device(device) || !is_device(peer)) return CUDA_ERROR_INVALID_DEVICE;
  *can = device != peer;
  return CUDA_SUCCESS;
}

CUresult pa_emulated_ProfilerStart(void) { return CUDA_SUCCESS; }
CUresult pa_emulated_ProfilerStop(void) { return CUDA_SUCCESS; }

//===-- Texts -------------------------------------------------------------------------------------===//

static __thread struct {
  CUresult result;
  char text[256];
} explained;

void pa_emulated_explain(CUresult result, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(explained.text, sizeof explained.text, format, arguments);
  va_end(arguments);
  explained.result = result;
}

CUresult pa_emulated_GetErrorName(CUresult result, const char **name) {
  *name = pa_cu_known_name(result);
  return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult pa_emulated_GetErrorString(CUresult result, const char **text) {
  bool is_explained = explained.result && explained.result == result;
  *text = is_explained ? explained.text : pa_cu_known_text(result);
  return CUDA_SUCCESS;
}

//===-- Contexts ----------------------------------------------------------------------------------===//

static int64_t abandoned;

emulated_device *pa_emulated_current(void) { return current && current->references ? current : NULL; }

CUresult pa_emulated_DevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
  pthread_mutex_lock(&lock);
  ++devices[device].references;
  pthread_mutex_unlock(&lock);
  *context = (CUcontext)&devices[device];
  return CUDA_SUCCESS;
}

pa_emulator_counts pa_emulator_counts_now(void) {
  pa_emulator_counts counts = pa_emulated_count_objects();
  for (int i = 0; i < device_count; ++i) counts.contexts += devices[i].references;
  counts.abandoned = abandoned;
  return counts;
}

static int64_t alive(pa_emulator_counts counts) {
  return counts.device_memory + counts.host_memory + counts.registered_memory + counts.streams + counts.events +
         counts.modules + counts.links;
}

static void end_context(emulated_device *device) {
  int64_t before = alive(pa_emulator_counts_now());
  pa_emulated_remove_all(device);
  abandoned += before - alive(pa_emulator_counts_now());
  for (int i = 0; i < device_count; ++i)
    if (devices[i].references) return;
  pa_emulated_workspaces_free();
}

CUresult pa_emulated_DevicePrimaryCtxRelease(CUdevice device) {
  if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
  pthread_mutex_lock(&lock);
  bool is_held = devices[device].references > 0;
  if (is_held && --devices[device].references == 0) end_context(&devices[device]);
  pthread_mutex_unlock(&lock);
  return is_held ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult pa_emulated_CtxGetCurrent(CUcontext *context) {
  *context = (CUcontext)current;
  return CUDA_SUCCESS;
}

CUresult pa_emulated_CtxSetCurrent(CUcontext context) {
  emulated_device *device = (emulated_device *)context;
  if (device && (device < devices || device >= devices + device_count || !device->references))
    return CUDA_ERROR_INVALID_CONTEXT;
  current = device;
  return CUDA_SUCCESS;
}

CUresult pa_emulated_CtxGetDevice(CUdevice *device) {
  if (!pa_emulated_current()) return CUDA_ERROR_INVALID_CONTEXT;
  *device = current->ordinal;
  return CUDA_SUCCESS;
}

CUresult pa_emulated_CtxSynchronize(void) {
  emulated_device *device = pa_emulated_current();
  if (!device) return CUDA_ERROR_INVALID_CONTEXT;
  pthread_mutex_lock(&device->running);
  pthread_mutex_unlock(&device->running);
  return CUDA_SUCCESS;
}

CUresult pa_emulated_CtxGetStreamPriorityRange(int *least, int *greatest) {
  *least = 0;
  *greatest = -5;
  return CUDA_SUCCESS;
}

CUresult pa_emulated_CtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  emulated_device *device = (emulated_device *)peer;
  if (!pa_emulated_current() || device == current || flags) return CUDA_ERROR_INVALID_VALUE;
  if (device < devices || device >= devices + device_count || !device->references) return CUDA_ERROR_INVALID_CONTEXT;
  return CUDA_SUCCESS;
}

CUresult pa_emulated_MemGetInfo(size_t *free, size_t *total) {
  emulated_device *device = pa_emulated_current();
  if (!device) return CUDA_ERROR_INVALID_CONTEXT;
  size_t used = __atomic_load_n(&device->used, __ATOMIC_RELAXED);
  *total = pa_emulated_memory();
  *free = used < *total ? *total - used : 0;
  return CUDA_SUCCESS;
}
