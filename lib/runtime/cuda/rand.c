// Generators of cuRAND: making, setting, calling, freeing.
//
// The state of a generator is on the device, so a call in another stream waits for the one before.
#include "rand.h"
#include "transfer.h"

//===-- Making and freeing ------------------------------------------------------------------------===//

static void destroy_generator(pa_cuda_resource *resource) { pa_curand.Destroy(((pa_cuda_rand *)resource)->handle); }

pa_status pa_cuda_rand_create(pa_cuda_context *context, int type, pa_cuda_rand *rand) {
  CUcontext previous;
  PA_TRY(pa_cuda_enter(context, &previous));
  pa_library_result result = pa_curand.Create(&rand->handle, type);
  pa_cuda_leave(context, previous);
  PA_TRY_LIBRARY(curand, result, "making a generator");
  rand->type = type;
  rand->stream = NULL;
  pthread_mutex_init(&rand->lock, NULL);
  rand->resource.destroy = destroy_generator;
  pa_cuda_resource_link(&rand->resource, context);
  pa_status status = pa_cuda_event_create(context, CU_EVENT_DISABLE_TIMING, &rand->done);
  if (status) pa_cuda_rand_destroy(rand);
  return status;
}

void pa_cuda_rand_destroy(pa_cuda_rand *rand) {
  if (!rand->resource.destroy) return;
  // |pair| is freed in the order of the default stream, for which the generator's stream need not wait.
  if (rand->stream) pa_status_free(pa_cuda_event_synchronize(&rand->done));
  pa_cuda_event_destroy(&rand->done);
  pa_cuda_resource_free(&rand->resource);
  pa_cuda_free(&rand->pair);
  pthread_mutex_destroy(&rand->lock);
  rand->resource.destroy = NULL;
}

//===-- Settings ----------------------------------------------------------------------------------===//

static pa_status set(pa_cuda_rand *rand, pa_rand_setting setting, uint64_t value) {
  switch (setting) {
  case PA_RAND_SEED:
    PA_TRY_LIBRARY(curand, pa_curand.SetSeed(rand->handle, value), "setting a generator's seed");
    break;
  case PA_RAND_OFFSET:
    PA_TRY_LIBRARY(curand, pa_curand.SetOffset(rand->handle, value), "setting a generator's offset");
    break;
  case PA_RAND_ORDERING:
    PA_TRY_LIBRARY(curand, pa_curand.SetOrdering(rand->handle, (int)value), "setting a generator's ordering");
    break;
  case PA_RAND_NDIM:
    PA_TRY_LIBRARY(curand, pa_curand.SetDimensions(rand->handle, (unsigned)value), "setting a generator's dimensions");
    break;
  }
  return PA_OK;
}

// With the context current and the lock held.
typedef pa_status action(pa_cuda_rand *rand, const void *arguments);

static pa_status enter(pa_cuda_rand *rand, action *act, const void *arguments) {
  PA_TRY(pa_cuda_resource_check(&rand->resource, "the generator"));
  pa_cuda_context *context = rand->resource.context;
  CUcontext previous;
  PA_TRY(pa_cuda_enter(context, &previous));
  pthread_mutex_lock(&rand->lock);
  pa_status status = act(rand, arguments);
  pthread_mutex_unlock(&rand->lock);
  pa_cuda_leave(context, previous);
  return status;
}

typedef struct setting_and_value {
  pa_rand_setting setting;
  uint64_t value;
} setting_and_value;

static pa_status act_set(pa_cuda_rand *rand, const void *arguments) {
  const setting_and_value *wanted = arguments;
  return set(rand, wanted->setting, wanted->value);
}

pa_status pa_cuda_rand_set(pa_cuda_rand *rand, pa_rand_setting setting, uint64_t value) {
  return enter(rand, act_set, &(setting_and_value){setting, value});
}

//===-- Numbers -----------------------------------------------------------------------------------===//

typedef struct call {
  pa_rand_kind kind;
  pa_rand_item item;
  CUdeviceptr out;
  size_t count;
  double a, b;
  CUstream stream;
} call;

static pa_library_result generate(const pa_cuda_rand *rand, const call *call, CUdeviceptr out, size_t count) {
  void *handle = rand->handle, *to = (void *)(uintptr_t)out;
  bool is_double = call->item == PA_RAND_F64;
  float mean = (float)call->a, sigma = (float)call->b;
  switch (call->kind) {
  case PA_RAND_BITS:
    if (call->item == PA_RAND_U32) return pa_curand.Generate(handle, to, count);
    // Pseudo generators have 32 bits at a time.
    return rand->type < PA_RAND_QUASI_DEFAULT ? pa_curand.Generate(handle, to, 2 * count)
                                              : pa_curand.GenerateLongLong(handle, to, count);
  case PA_RAND_UNIFORM:
    return is_double ? pa_curand.GenerateUniformDouble(handle, to, count)
                     : pa_curand.GenerateUniform(handle, to, count);
  case PA_RAND_NORMAL:
    return is_double ? pa_curand.GenerateNormalDouble(handle, to, count, call->a, call->b)
                     : pa_curand.GenerateNormal(handle, to, count, mean, sigma);
  case PA_RAND_LOGNORMAL:
    return is_double ? pa_curand.GenerateLogNormalDouble(handle, to, count, call->a, call->b)
                     : pa_curand.GenerateLogNormal(handle, to, count, mean, sigma);
  default: return pa_curand.GeneratePoisson(handle, to, count, call->a);
  }
}

// Of an odd count, by pairs: the last pair goes through memory of its own.
static pa_status generate_pairs(pa_cuda_rand *rand, const call *call) {
  size_t item = call->item == PA_RAND_F64 ? 8 : 4, most = call->count - 1;
  pa_cuda_context *context = rand->resource.context;
  if (!rand->pair.device) PA_TRY(pa_cuda_allocate(context, PA_CUDA_DEVICE, 0, 16, &rand->pair));
  if (most) PA_TRY_LIBRARY(curand, generate(rand, call, call->out, most), "generating %zu numbers", most);
  PA_TRY_LIBRARY(curand, generate(rand, call, rand->pair.device, 2), "generating 2 numbers");
  PA_TRY_CU(pa_cuda.MemcpyDtoDAsync(call->out + most * item, rand->pair.device, item, call->stream),
            "copying a random number");
  return PA_OK;
}

static pa_status change_stream(pa_cuda_rand *rand, CUstream stream) {
  if (!rand->stream) PA_TRY(pa_cuda_event_record(&rand->done, NULL));
  PA_TRY(pa_cuda_event_wait(&rand->done, stream));
  PA_TRY_LIBRARY(curand, pa_curand.SetStream(rand->handle, stream), "choosing the stream of a generator");
  rand->stream = stream;
  return PA_OK;
}

static pa_status act_generate(pa_cuda_rand *rand, const void *arguments) {
  const call *call = arguments;
  if (call->stream != rand->stream) PA_TRY(change_stream(rand, call->stream));
  bool is_normal = call->kind == PA_RAND_NORMAL || call->kind == PA_RAND_LOGNORMAL;
  pa_library_result result = generate(rand, call, call->out, call->count);
  if (result == PA_RAND_LENGTH_NOT_MULTIPLE && is_normal && call->count % 2 && rand->type < PA_RAND_QUASI_DEFAULT)
    PA_TRY(generate_pairs(rand, call));
  else
    PA_TRY_LIBRARY(curand, result, "generating %zu numbers", call->count);
  return call->stream ? pa_cuda_event_record(&rand->done, call->stream) : PA_OK;
}

pa_status pa_cuda_rand_generate(pa_cuda_rand *rand, pa_rand_kind kind, pa_rand_item item, CUdeviceptr out, size_t count,
                                double a, double b, CUstream stream) {
  if (!count) return pa_cuda_resource_check(&rand->resource, "the generator");
  return enter(rand, act_generate, &(call){kind, item, out, count, a, b, stream});
}
