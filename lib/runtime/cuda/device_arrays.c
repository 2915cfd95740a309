// Arrays on a device, in compiled code of the host. What fails is kept for the thread until the code asks for it.
#include "device_arrays.h"

#include "context.h"
#include "graph.h"
#include "kernel.h"
#include "objects.h"
#include "transfer.h"

#include <stdlib.h>
#include <string.h>

static int64_t (*check)(void *context, pa_status status, bool waited);
static _Thread_local int64_t failure; // a handle

void pa_set_device_check(int64_t (*function)(void *context, pa_status status, bool waited)) { check = function; }

int64_t pyarray_rt_device_failure(void) {
  int64_t handle = failure;
  failure = 0;
  return handle;
}

// The first failure is told.
static bool note(pa_cuda_context *context, pa_status status, bool waited) {
  if (!status && !waited) return true;
  if (!check) return pa_status_free(status), !status;
  int64_t handle = check(context, status, waited);
  if (!handle) return true;
  if (failure)
    pyarray_rt_release(handle & ~(int64_t)1);
  else
    failure = handle;
  return false;
}

static pa_cuda_context *here(void) {
  pa_cuda_context *context = NULL;
  return note(NULL, pa_cuda_context_current(&context), false) ? context : NULL;
}

struct pa_cuda_context *pa_device_here(void) { return here(); }
void pa_device_note(struct pa_cuda_context *context, pa_status status) { note(context, status, false); }

//===-- Memory ------------------------------------------------------------------------------------===//

typedef struct device_memory {
  int64_t address; // the first word: compiled code may read it
  pa_cuda_context *context;
  pa_cuda_buffer buffer;
  uint64_t generation; // of the context, where it is a place for a number: it has no buffer
  bool is_shared;      // others than compiled code may write to it
} device_memory;

static uint64_t generation_of(const pa_cuda_context *context) {
  return __atomic_load_n(&context->generation, __ATOMIC_RELAXED);
}

static void destroy(void *object) {
  device_memory *memory = object;
  if (memory->generation && memory->generation == generation_of(memory->context))
    pa_cuda_number_give(memory->context, (CUdeviceptr)memory->address);
  pa_cuda_free(&memory->buffer);
}

static const pa_object_type device_memory_type = {.name = "memory on a device", .destroy = destroy};

static bool take_number(pa_cuda_context *context, int64_t bytes, device_memory *memory) {
  CUdeviceptr address = 0;
  if (bytes > PA_NUMBER_BYTES || !pa_cuda_number_take(context, &address)) return false;
  memory->address = (int64_t)address;
  memory->generation = generation_of(context);
  return true;
}

int64_t pyarray_rt_device_allocate(int64_t bytes, int32_t contents) {
  pa_cuda_context *context = here();
  device_memory *memory = context ? pa_object_new(&device_memory_type, sizeof *memory) : NULL;
  if (context && !memory) note(context, pa_fail(PA_CODE_MEMORY, NULL, "out of memory"), false);
  if (!memory) return 0;
  memory->context = context;
  if (contents == PA_DEVICE_NUMBER && take_number(context, bytes, memory)) return pa_handle_of(memory);
  pa_status status =
      pa_cuda_allocate(context, PA_CUDA_DEVICE, PA_CUDA_IN_ORDER, bytes < 0 ? 0 : (size_t)bytes, &memory->buffer);
  memory->address = (int64_t)memory->buffer.device;
  if (!status && contents == PA_DEVICE_ZEROED && bytes > 0)
    status = pa_cuda_fill(context, memory->buffer.device, 0, 1, (size_t)bytes, NULL);
  if (note(context, status, false)) return pa_handle_of(memory);
  return pyarray_rt_release(pa_handle_of(memory)), 0;
}

int64_t pyarray_rt_device_address(int64_t handle) {
  return handle ? ((const device_memory *)pa_object_of(handle))->address : 0;
}

static device_memory *memory_of(int64_t handle) {
  const pa_owner *owner = handle ? pa_owner_of(handle) : NULL;
  if (!owner || owner->kind != PA_OWNER_HEAP || owner->type != &device_memory_type) return NULL;
  return pa_object_of(handle);
}

void *pa_device_memory_context(int64_t handle) {
  const device_memory *memory = memory_of(handle);
  return memory ? memory->context : NULL;
}

void pa_device_memory_share(int64_t handle) {
  device_memory *memory = memory_of(handle);
  if (memory) memory->is_shared = true;
}

bool pa_device_memory_is_shared(int64_t handle) {
  const device_memory *memory = memory_of(handle);
  return !memory || memory->is_shared;
}

//===-- Copies ------------------------------------------------------------------------------------===//

static pa_status wait(pa_cuda_context *context) {
  PA_TRY_IN(context, pa_cuda.StreamSynchronize(NULL), "waiting for device %d", context->device->ordinal);
  return PA_OK;
}

static pa_status read(pa_cuda_context *context, CUdeviceptr address, void *out, size_t bytes) {
  const void *number = pa_cuda_number_at(context, address);
  if (!number) return pa_cuda_copy_to_host(context, out, address, bytes, NULL, true);
  PA_TRY(wait(context));
  memcpy(out, number, bytes);
  return PA_OK;
}

void pyarray_rt_device_read(int64_t address, int64_t host, int64_t bytes) {
  pa_cuda_context *context = here();
  if (!context) return;
  pa_status status = read(context, (CUdeviceptr)address, (void *)(uintptr_t)host, (size_t)bytes);
  if (!note(context, status, true)) memset((void *)(uintptr_t)host, 0, (size_t)bytes);
}

void pyarray_rt_device_write(int64_t address, int64_t host, int64_t bytes) {
  pa_cuda_context *context = here();
  if (context)
    note(context,
         pa_cuda_copy_to_device(context, (CUdeviceptr)address, (const void *)(uintptr_t)host, (size_t)bytes, NULL,
                                false),
         false);
}

// |shape|, and the strides of one side.
typedef struct layout {
  int64_t rank, bytes;
  const int64_t *shape, *strides;
} layout;

static bool is_contiguous(const layout *l) {
  int64_t step = 1;
  for (int64_t d = l->rank - 1; d >= 0; --d) {
    if (l->shape[d] != 1 && l->strides[d] != step) return false;
    step *= l->shape[d];
  }
  return true;
}

static bool is_same_order(const layout *a, const layout *b) {
  return a->rank == 1 ? a->strides[0] == 1 && b->strides[0] == 1
                      : memcmp(a->strides, b->strides, (size_t)a->rank * sizeof *a->strides) == 0;
}

static int64_t count_of(const layout *l) {
  int64_t count = 1;
  for (int64_t d = 0; d < l->rank; ++d) count *= l->shape[d];
  return count;
}

// The bytes, from the first element on, between which all elements lie.
static void reach_of(const layout *l, int64_t *out_low, int64_t *out_high) {
  *out_low = 0;
  *out_high = 1;
  for (int64_t d = 0; d < l->rank; ++d) {
    int64_t reach = l->strides[d] * (l->shape[d] - 1);
    *(reach < 0 ? out_low : out_high) += reach;
  }
  *out_low *= l->bytes;
  *out_high *= l->bytes;
}

// Whether all memory between the first and the last element is the array's: in C or in another order of dimensions.
static bool has_no_gaps(const layout *l) {
  int64_t low, high;
  reach_of(l, &low, &high);
  return high - low == count_of(l) * l->bytes;
}

static pa_status move(pa_cuda_context *context, bool to_device, int64_t device, void *host, int64_t bytes) {
  return to_device ? pa_cuda_copy_to_device(context, (CUdeviceptr)device, host, (size_t)bytes, NULL, true)
                   : pa_cuda_copy_to_host(context, host, (CUdeviceptr)device, (size_t)bytes, NULL, true);
}

// The device's array by way of all the memory that it lies in.
static pa_status copy_range(pa_cuda_context *context, bool to_device, const int64_t *numbers, const layout *device,
                            int64_t device_address, int64_t host_address) {
  int64_t low, high;
  reach_of(device, &low, &high);
  char *range = malloc((size_t)(high - low));
  if (!range) return pa_fail(PA_CODE_MEMORY, NULL, "out of memory");
  int64_t within = (int64_t)(uintptr_t)range - low;
  pa_status status =
      pa_cuda_copy_to_host(context, range, (CUdeviceptr)(device_address + low), (size_t)(high - low), NULL, true);
  if (!status)
    pyarray_rt_copy_array(device->rank, device->bytes, (int64_t)(uintptr_t)numbers, to_device ? within : host_address,
                          to_device ? host_address : within);
  if (!status && to_device) status = move(context, true, device_address + low, range, high - low);
  free(range);
  return status;
}

void pyarray_rt_device_copy(int32_t to_device, int64_t rank, int64_t bytes, int64_t numbers, int64_t to, int64_t from) {
  pa_cuda_context *context = here();
  const int64_t *shape = (const int64_t *)(uintptr_t)numbers;
  layout target = {rank, bytes, shape, shape + rank}, source = {rank, bytes, shape, shape + 2 * rank};
  const layout *device = to_device ? &target : &source;
  int64_t on_device = to_device ? to : from, on_host = to_device ? from : to;
  if (!context || !count_of(&target)) return;
  pa_status status;
  if ((is_contiguous(&target) && is_contiguous(&source)) || (is_same_order(&target, &source) && has_no_gaps(device))) {
    int64_t low, high;
    reach_of(device, &low, &high);
    status = move(context, to_device, on_device + low, (char *)(uintptr_t)on_host + low, high - low);
  } else {
    status = copy_range(context, to_device, shape, device, on_device, on_host);
  }
  note(context, status, true);
}

//===-- Kernels -----------------------------------------------------------------------------------===//

static pa_kernel *kernel_of(int64_t kernels, int64_t number) {
  return kernels ? ((pa_kernel *const *)(uintptr_t)kernels)[number] : NULL;
}

int64_t pyarray_rt_device_grid(int64_t kernels, int64_t number, int64_t points, int64_t fold) {
  enum { MOST_BLOCKS = 1 << 11, FEW_ROWS = 256 }; // blocks without a tile cost as much as ones with few elements
  uint32_t grid = 0, block = 1;
  if (fold) {
    block = fold == PA_LAUNCH_ROWS && points < FEW_ROWS ? PA_ROW_BLOCK : PA_FOLD_BLOCK;
    grid = (uint32_t)(points < MOST_BLOCKS ? points : MOST_BLOCKS);
  } else if (points > 0) {
    pa_cuda_context *context = here();
    if (!context ||
        !note(context, pa_kernel_fit_grid(kernel_of(kernels, number), context, points, &grid, &block), false))
      grid = 0;
  }
  return (int64_t)((uint64_t)block << 32 | grid);
}

void pyarray_rt_device_launch(int64_t kernels, int64_t number, int64_t grid, int64_t slots, int64_t count,
                              int64_t arrays, int64_t written) {
  uint32_t blocks = (uint32_t)grid, threads = (uint32_t)((uint64_t)grid >> 32);
  pa_cuda_context *context = blocks && !failure ? here() : NULL;
  if (!context) return;
  pa_launch launch = {.slots = (const void *)(uintptr_t)slots,
                      .slot_bytes = (size_t)count * 8,
                      .grid = {blocks, 1, 1},
                      .block = {threads, 1, 1}};
  pa_graph_access access = {launch.slots, (uint64_t)arrays, (uint64_t)written};
  bool captures = pa_cuda_graph_is_capturing();
  if (captures) pa_cuda_graph_expect(&access);
  note(context, pa_kernel_launch(kernel_of(kernels, number), context, &launch), false);
  if (captures) pa_cuda_graph_expect(NULL);
}

//===-- For the loader ----------------------------------------------------------------------------===//

typedef struct device_symbol {
  const char *name;
  void *address;
} device_symbol;

#define PA_RUNTIME(name, result, parameters)
#define PA_DEVICE_RUNTIME(name, result, parameters) {#name, (void *)(uintptr_t)&name},
static const device_symbol device_symbols[] = {
#include "runtime/runtime.def"
};
#undef PA_RUNTIME

void *pa_device_runtime_lookup(const char *name) {
  for (size_t i = 0; i < sizeof device_symbols / sizeof *device_symbols; ++i)
    if (!strcmp(device_symbols[i].name, name)) return device_symbols[i].address;
  return NULL;
}
