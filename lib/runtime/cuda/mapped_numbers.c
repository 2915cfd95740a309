// Numbers that kernels write for the host: places in memory of the host that the device writes to, so that who has
// waited has the number. A copy from the device would begin only then, and takes as long as a launch.
//
// A place that is given back may still be written to by what runs in the default stream. Who takes it next has it
// written by what comes behind that.
#include "context.h"

enum { PLACES = 64 };

typedef struct pa_cuda_numbers_page {
  char places[PLACES][PA_NUMBER_BYTES];
} page;

static bool make_page(pa_cuda_context_parts *parts) {
  void *memory = NULL;
  CUdeviceptr device = 0;
  if (pa_cuda.MemHostAlloc(&memory, sizeof(page), CU_MEMHOSTALLOC_DEVICEMAP)) return false;
  bool made = !pa_cuda.MemHostGetDevicePointer(&device, memory, 0);
  pthread_mutex_lock(&parts->lock);
  bool first = made && !parts->numbers.page;
  if (first) parts->numbers = (pa_cuda_numbers){memory, device, 0};
  pthread_mutex_unlock(&parts->lock);
  if (!first) pa_cuda.MemFreeHost(memory);
  return made;
}

static bool take(pa_cuda_numbers *numbers, CUdeviceptr *out_address) {
  if (!numbers->page || !~numbers->taken) return false;
  int place = __builtin_ctzll(~numbers->taken);
  numbers->taken |= (uint64_t)1 << place;
  *out_address = numbers->device + (CUdeviceptr)place * PA_NUMBER_BYTES;
  return true;
}

static bool take_locked(pa_cuda_context_parts *parts, CUdeviceptr *out_address, bool *out_has_page) {
  pthread_mutex_lock(&parts->lock);
  bool taken = take(&parts->numbers, out_address);
  *out_has_page = parts->numbers.page;
  pthread_mutex_unlock(&parts->lock);
  return taken;
}

bool pa_cuda_number_take(pa_cuda_context *context, CUdeviceptr *out_address) {
  pa_cuda_context_parts *parts = context->parts;
  CUcontext previous = NULL;
  bool has_page = false;
  if (take_locked(parts, out_address, &has_page)) return true;
  pa_status status = has_page ? PA_OK : pa_cuda_enter(context, &previous);
  bool made = !has_page && !status && make_page(parts);
  if (!has_page && !status) pa_cuda_leave(context, previous);
  pa_status_free(status);
  return made && take_locked(parts, out_address, &has_page);
}

void pa_cuda_number_give(pa_cuda_context *context, CUdeviceptr address) {
  pa_cuda_context_parts *parts = context->parts;
  pthread_mutex_lock(&parts->lock);
  uint64_t place = (address - parts->numbers.device) / PA_NUMBER_BYTES;
  if (parts->numbers.page && place < PLACES) parts->numbers.taken &= ~((uint64_t)1 << place);
  pthread_mutex_unlock(&parts->lock);
}

const void *pa_cuda_number_at(pa_cuda_context *context, CUdeviceptr address) {
  const pa_cuda_numbers *numbers = &context->parts->numbers;
  bool within = numbers->page && address - numbers->device < sizeof(page);
  return within ? (const char *)numbers->page + (address - numbers->device) : NULL;
}

void pa_cuda_numbers_stop(pa_cuda_context *context) {
  pa_cuda_numbers *numbers = &context->parts->numbers;
  if (numbers->page) pa_cuda.MemFreeHost(numbers->page);
  *numbers = (pa_cuda_numbers){0};
}
