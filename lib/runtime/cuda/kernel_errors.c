// The error records of a context's kernels: pages of mapped host memory, each cut into records.
#include "context.h"
#include "kernel_internal.h"

#include <stdlib.h>
#include <string.h>

enum { RECORD_BYTES = 256, RECORDS = 16 }; // a page of 4 KiB
_Static_assert(sizeof(pa_device_error) <= RECORD_BYTES, "a record has room for an error");

typedef struct pa_error_page {
  struct pa_error_page *next;
  char *host;
  CUdeviceptr device;
  pa_kernel *users[RECORDS]; // NULL: the record is free
} error_page;

static pa_device_error *record_of(const error_page *page, int index) {
  return (pa_device_error *)(void *)(page->host + (size_t)index * RECORD_BYTES);
}

static pa_status add_page(pa_cuda_context *context) {
  error_page *page = calloc(1, sizeof *page);
  void *host = NULL;
  if (!page) return pa_fail(PA_CODE_MEMORY, NULL, "out of memory for the errors of kernels");
  CUresult result = pa_cuda.MemHostAlloc(&host, RECORD_BYTES * RECORDS, CU_MEMHOSTALLOC_DEVICEMAP);
  if (!result) {
    result = pa_cuda.MemHostGetDevicePointer(&page->device, host, 0);
    if (result) pa_cuda.MemFreeHost(host);
  }
  if (result) {
    free(page);
    return pa_fail_cu(result, "allocating memory for the errors of kernels on device %d", context->device->ordinal);
  }
  page->host = host;
  pthread_mutex_lock(&context->parts->lock);
  page->next = context->parts->error_pages;
  context->parts->error_pages = page;
  pthread_mutex_unlock(&context->parts->lock);
  return PA_OK;
}

static bool take_record(pa_cuda_context *context, pa_kernel *kernel, pa_device_error **out_error,
                        CUdeviceptr *out_device) {
  bool found = false;
  pthread_mutex_lock(&context->parts->lock);
  for (error_page *page = context->parts->error_pages; page && !found; page = page->next) {
    int index = 0;
    while (index < RECORDS && page->users[index]) ++index;
    found = index < RECORDS;
    if (!found) continue;
    page->users[index] = kernel;
    *out_error = memset(record_of(page, index), 0, RECORD_BYTES);
    *out_device = page->device + (CUdeviceptr)index * RECORD_BYTES;
  }
  pthread_mutex_unlock(&context->parts->lock);
  return found;
}

pa_status pa_kernel_error_allocate(pa_cuda_context *context, pa_kernel *kernel, pa_device_error **out_error,
                                   CUdeviceptr *out_device) {
  while (!take_record(context, kernel, out_error, out_device)) PA_TRY(add_page(context));
  return PA_OK;
}

void pa_kernel_error_free(pa_cuda_context *context, pa_device_error *error) {
  pthread_mutex_lock(&context->parts->lock);
  for (error_page *page = context->parts->error_pages; page && error; page = page->next) {
    ptrdiff_t offset = (char *)error - page->host;
    if (offset >= 0 && offset < RECORD_BYTES * RECORDS) page->users[offset / RECORD_BYTES] = NULL;
  }
  pthread_mutex_unlock(&context->parts->lock);
}

void pa_kernel_errors_stop(pa_cuda_context *context) {
  pthread_mutex_lock(&context->parts->lock);
  error_page *pages = context->parts->error_pages;
  context->parts->error_pages = NULL;
  pthread_mutex_unlock(&context->parts->lock);
  for (error_page *next; pages; pages = next) {
    next = pages->next;
    pa_cuda.MemFreeHost(pages->host);
    free(pages);
  }
}

// |kernel|: NULL for any.
static bool take_from_page(const error_page *page, const pa_kernel *kernel, pa_kernel_failure *out_failure) {
  for (int i = 0; i < RECORDS; ++i) {
    pa_device_error *error = record_of(page, i);
    if (!page->users[i] || (kernel && page->users[i] != kernel) ||
        __atomic_load_n(&error->state, __ATOMIC_ACQUIRE) != PA_DEVICE_ERROR_COMPLETE)
      continue;
    out_failure->kernel = page->users[i];
    // Not |state|, at which kernels look while this goes on.
    out_failure->error.state = PA_DEVICE_ERROR_COMPLETE;
    memcpy(&out_failure->error.site, &error->site, sizeof *error - offsetof(pa_device_error, site));
    __atomic_store_n(&error->state, PA_DEVICE_ERROR_NONE, __ATOMIC_RELEASE);
    return true;
  }
  return false;
}

static bool take_failure(pa_cuda_context *context, const pa_kernel *kernel, pa_kernel_failure *out_failure) {
  bool found = false;
  pthread_mutex_lock(&context->parts->lock);
  for (const error_page *page = context->parts->error_pages; page && !found; page = page->next)
    found = take_from_page(page, kernel, out_failure);
  pthread_mutex_unlock(&context->parts->lock);
  return found;
}

bool pa_kernel_take_failure(pa_cuda_context *context, pa_kernel_failure *out_failure) {
  return take_failure(context, NULL, out_failure);
}

bool pa_kernel_take_last_failure(pa_kernel *kernel, pa_cuda_context **out_context, pa_kernel_failure *out_failure) {
  for (int i = 0; i < PA_CUDA_MAX_DEVICES; ++i) {
    pa_loaded_kernel *loaded = __atomic_load_n(&kernel->loaded[i], __ATOMIC_ACQUIRE);
    pa_cuda_context *context = loaded ? loaded->resource.context : NULL;
    if (!context || loaded->resource.generation != __atomic_load_n(&context->generation, __ATOMIC_RELAXED)) continue;
    pa_status_free(pa_cuda_context_synchronize(context));
    if (!take_failure(context, kernel, out_failure)) continue;
    *out_context = context;
    return true;
  }
  return false;
}
