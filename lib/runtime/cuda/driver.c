// Opening the driver, and its failures as statuses.
#include "driver.h"
#include "context.h"
#include "emulator.h"
#include "error_texts.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===-- Tables ------------------------------------------------------------------------------------===//

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define PA_CU(name, symbol, parameters, arguments)                                                                     \
  static CUresult closed_##name parameters { return CUDA_ERROR_NOT_INITIALIZED; }
#include "driver.def"
#undef PA_CU
#define PA_CU(name, symbol, parameters, arguments)
#define PA_CU_OPTIONAL(name, symbol, parameters, arguments)                                                            \
  static CUresult missing_##name parameters { return CUDA_ERROR_NOT_SUPPORTED; }
#include "driver.def"
#undef PA_CU_OPTIONAL
#undef PA_CU
#pragma GCC diagnostic pop

#define PA_CU(name, symbol, parameters, arguments) closed_##name,
static const pa_cuda_driver closed = {
#include "driver.def"
};
pa_cuda_driver pa_cuda = {
#include "driver.def"
};
#undef PA_CU

//===-- State -------------------------------------------------------------------------------------===//

enum state { UNOPENED, OPENING, OPEN, FAILED, FORKED };

static int state = UNOPENED; // atomic
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pa_cuda_kind kind;
static bool is_fallback;
static char problem[512];
static pa_code problem_code;
static int version;

static const char *const fork_problem =
    "this process was forked from one that had used CUDA, which does not survive that: start it with "
    "multiprocessing.get_context(\"spawn\"), or use CUDA in one of the two alone";

//===-- libcuda -----------------------------------------------------------------------------------===//

__attribute__((format(printf, 1, 2))) static bool explain(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(problem, sizeof problem, format, arguments);
  va_end(arguments);
  return false;
}

// Tells the names of symbols that must be there and are not.
static bool read_table(void *library, const char *path, pa_cuda_driver *out_table) {
  const char *missing = NULL;
  void *symbol;
#define PA_CU(name, text, parameters, arguments)                                                                       \
  symbol = dlsym(library, #text);                                                                                      \
  if (!symbol) missing = #text;                                                                                        \
  memcpy(&out_table->name, &symbol, sizeof symbol);
#define PA_CU_OPTIONAL(name, text, parameters, arguments)                                                              \
  symbol = dlsym(library, #text);                                                                                      \
  memcpy(&out_table->name, &symbol, sizeof symbol);                                                                    \
  if (!symbol) out_table->name = missing_##name;
#include "driver.def"
#undef PA_CU_OPTIONAL
#undef PA_CU
  return !missing ||
         explain("%s has no function %s: the NVIDIA driver is too old; CUDA 11 or later is needed", path, missing);
}

static bool explain_result(const char *call, CUresult result) {
  const char *name = pa_cu_known_name(result), *advice = pa_cu_advice(result);
  char number[32];
  snprintf(number, sizeof number, "CUDA error %d", (int)result);
  return explain("%s: %s (%s)%s%s", call, name ? name : number, pa_cu_known_text(result), advice ? "; " : "",
                 advice ? advice : "");
}

static bool start_gpu(const pa_cuda_driver *table) {
  CUresult result = table->Init(0);
  if (result) return explain_result("cuInit", result);
  int count = 0;
  result = table->DeviceGetCount(&count);
  if (result) return explain_result("cuDeviceGetCount", result);
  if (!count) return explain_result("cuDeviceGetCount", CUDA_ERROR_NO_DEVICE);
  return true;
}

static bool open_gpu(pa_cuda_driver *out_table) {
  const char *named = getenv("PYARRAY_CUDA_DRIVER");
  const char *path = named && *named ? named : "libcuda.so.1";
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) return explain("%s", dlerror());
  if (read_table(library, path, out_table) && start_gpu(out_table)) return true;
  dlclose(library);
  return false;
}

//===-- Opening -----------------------------------------------------------------------------------===//

// The table is filled at once and last: until then its slots refuse.
static int open_table(void) {
  const char *choice = getenv("PYARRAY_CUDA");
  bool is_set = choice && *choice, wants_gpu = is_set && !strcmp(choice, "gpu"),
       wants_cpu = is_set && !strcmp(choice, "cpu");
  pa_cuda_driver table;
  problem_code = is_set && !wants_gpu && !wants_cpu ? PA_CODE_INVALID : PA_CODE_NO_DEVICE;
  if (problem_code == PA_CODE_INVALID) {
    explain("PYARRAY_CUDA is '%s': it is gpu, cpu, or unset", choice);
    return FAILED;
  }
  if (wants_cpu) explain("PYARRAY_CUDA=cpu: kernels run on the CPU");
  if (!wants_cpu && open_gpu(&table)) {
    kind = PA_CUDA_GPU;
    problem[0] = 0;
  } else if (wants_gpu) {
    return FAILED;
  } else if (pa_cuda_emulator.Init(0)) {
    problem_code = PA_CODE_INVALID;
    explain("PYARRAY_CUDA_EMULATED_DEVICES is '%s': it is a number from 1 to 16, or unset",
            getenv("PYARRAY_CUDA_EMULATED_DEVICES"));
    return FAILED;
  } else {
    kind = PA_CUDA_EMULATOR;
    is_fallback = !wants_cpu;
    table = pa_cuda_emulator;
  }
  pa_cuda = table;
  pa_cuda.DriverGetVersion(&version);
  return OPEN;
}

static pa_status open_failure(int now) {
  if (now == FORKED) return pa_fail(PA_CODE_NO_DEVICE, NULL, "CUDA cannot be used: %s", fork_problem);
  if (problem_code == PA_CODE_INVALID) return pa_fail(problem_code, NULL, "%s", problem);
  return pa_fail(problem_code, NULL, "there is no GPU that can be used: %s", problem);
}

pa_status pa_cuda_open(void) {
  int now = __atomic_load_n(&state, __ATOMIC_ACQUIRE);
  if (__builtin_expect(now == OPEN, 1)) return PA_OK;
  pthread_mutex_lock(&lock);
  if (state == UNOPENED) {
    __atomic_store_n(&state, OPENING, __ATOMIC_RELAXED);
    __atomic_store_n(&state, open_table(), __ATOMIC_RELEASE);
  }
  now = state;
  pthread_mutex_unlock(&lock);
  return now == OPEN ? PA_OK : open_failure(now);
}

pa_cuda_kind pa_cuda_kind_opened(void) {
  pa_status status = pa_cuda_open();
  if (!status) return kind;
  pa_status_free(status);
  return PA_CUDA_NONE;
}

const char *pa_cuda_problem(void) {
  return __atomic_load_n(&state, __ATOMIC_ACQUIRE) == FORKED ? fork_problem : problem;
}

bool pa_cuda_is_fallback(void) { return is_fallback; }

int pa_cuda_driver_version(void) { return version; }

//===-- Fork --------------------------------------------------------------------------------------===//

// The driver's threads and mappings are not in the child. The emulator, which could go on, refuses as the driver does,
// so that a program that runs without a GPU also runs with one.
static void after_fork_in_child(void) {
  lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  if (state == UNOPENED || state == FAILED) return;
  state = FORKED;
  pa_cuda = closed;
  pa_cuda_contexts_forget();
}

__attribute__((constructor)) static void register_fork_handler(void) {
  pthread_atfork(NULL, NULL, after_fork_in_child);
}

//===-- Failures ----------------------------------------------------------------------------------===//

static __thread CUresult last_result;

CUresult pa_cuda_last_result(void) { return last_result; }

void pa_cuda_set_last_result(CUresult result) { last_result = result; }

const char *pa_cu_result_name(CUresult result) {
  const char *name = NULL;
  if (pa_cuda.GetErrorName(result, &name) || !name) name = pa_cu_known_name(result);
  return name ? name : "CUDA_ERROR";
}

pa_status pa_fail_cu(CUresult result, const char *format, ...) {
  char doing[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(doing, sizeof doing, format, arguments);
  va_end(arguments);
  last_result = result;
  const char *text = NULL, *advice = pa_cu_advice(result);
  if (pa_cuda.GetErrorString(result, &text) || !text) text = pa_cu_known_text(result);
  if (__atomic_load_n(&state, __ATOMIC_RELAXED) == FORKED) advice = fork_problem;
  return pa_fail(PA_CODE_DRIVER, NULL, "%s: %s (%s)%s%s", doing, pa_cu_result_name(result), text, advice ? "; " : "",
                 advice ? advice : "");
}
