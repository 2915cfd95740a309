// Finding, opening and calling the OpenMP runtime. It is never linked: programs without parallel loops do not load it.
//
// Two runtimes of this family in one process end it ("OMP: Error #15"), hence the search begins with what is loaded.
#include "openmp.h"
#include "runtime.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The source location of a parallel region, as compilers pass it (ident_t of LLVM's kmp.h).
typedef struct location {
  int32_t reserved_1, flags, reserved_2, reserved_3;
  const char *source;
} location;

static location here = {.flags = 2 /* from a compiler */, .source = ";unknown;pyarray;0;0;;"};

typedef struct interface {
  void (*fork_call)(location *, int32_t argument_count, pa_team_body *, ...);
  void (*push_num_threads)(location *, int32_t global, int32_t threads);
  int32_t (*global_thread_num)(location *);
  int32_t (*get_num_threads)(void);
  void (*set_defaults)(const char *); // may be absent
} interface;

// UNCONFIGURED: a fork took libomp back to its defaults.
enum state { UNKNOWN, OPENING, MISSING, UNCONFIGURED, READY };

static interface openmp;
static bool is_ours; // opened by us, not by another part of the program
static char problem[512];
static void (*notify_missing)(void);
static int state = UNKNOWN; // atomic
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

//===-- Finding -----------------------------------------------------------------------------------===//

static bool read_symbol(void *library, const char *name, void *out_function) {
  void *symbol = dlsym(library, name);
  memcpy(out_function, &symbol, sizeof symbol);
  return symbol != NULL;
}

static bool read_interface(void *library) {
  read_symbol(library, "kmp_set_defaults", &openmp.set_defaults);
  return read_symbol(library, "__kmpc_fork_call", &openmp.fork_call) &&
         read_symbol(library, "__kmpc_push_num_threads", &openmp.push_num_threads) &&
         read_symbol(library, "__kmpc_global_thread_num", &openmp.global_thread_num) &&
         read_symbol(library, "omp_get_num_threads", &openmp.get_num_threads);
}

static bool try_library(const char *path, int flags) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | flags);
  if (library && read_interface(library)) return true;
  const char *why = library ? NULL : dlerror();
  snprintf(problem, sizeof problem, "%s", why ? why : "not LLVM's OpenMP runtime");
  if (library) dlclose(library);
  return false;
}

enum { PATH_SIZE = 4096 };

// Copies the name of the first loaded library that is called like an OpenMP runtime; wheels rename theirs
// ("libomp-1f2e3d.so.5").
static int note_loaded(struct dl_phdr_info *info, size_t size, void *out_path) {
  (void)size;
  const char *slash = strrchr(info->dlpi_name, '/');
  const char *name = slash ? slash + 1 : info->dlpi_name;
  bool is_runtime = !strncmp(name, "libomp.", 7) || !strncmp(name, "libomp-", 7) || !strncmp(name, "libomp5", 7) ||
                    !strncmp(name, "libiomp5", 8);
  if (!is_runtime) return 0;
  return snprintf(out_path, PATH_SIZE, "%s", info->dlpi_name) < PATH_SIZE;
}

static bool try_loaded(void) {
  char path[PATH_SIZE];
  return dl_iterate_phdr(note_loaded, path) && try_library(path, RTLD_NOLOAD);
}

static bool try_beside_this_code(const char *name) {
  char path[PATH_SIZE];
  Dl_info info;
  if (!dladdr((void *)(uintptr_t)&pa_openmp_open, &info) || !info.dli_fname) return false;
  const char *slash = strrchr(info.dli_fname, '/');
  int length = slash ? (int)(slash - info.dli_fname) : 0;
  if (snprintf(path, sizeof path, "%.*s/%s", length, info.dli_fname, name) >= (int)sizeof path) return false;
  return slash && try_library(path, 0);
}

static bool find_library(void) {
  const char *named = getenv("PYARRAY_OPENMP_LIBRARY");
  if (named && *named) return is_ours = try_library(named, 0);
  if (try_loaded()) return true;
  is_ours = try_beside_this_code("libomp.so.5") || try_library("libomp.so.5", 0) || try_library("libiomp5.so", 0);
  if (!is_ours) snprintf(problem, sizeof problem, "there is neither libomp.so.5 nor libiomp5.so");
  return is_ours;
}

//===-- Calling -----------------------------------------------------------------------------------===//

void pa_openmp_run(int64_t threads, pa_team_body *body, void *argument) {
  pa_references_shared();
  openmp.push_num_threads(&here, openmp.global_thread_num(&here), (int32_t)threads);
  openmp.fork_call(&here, 1, body, argument);
}

int32_t pa_openmp_team_size(void) { return openmp.get_num_threads(); }

//===-- Configuring -------------------------------------------------------------------------------===//

static bool is_set(const char *name) {
  const char *value = getenv(name);
  return value && *value;
}

static void do_nothing(int32_t *global, int32_t *number, void *argument) { (void)global, (void)number, (void)argument; }

// libomp lets idle threads spin for 200 ms, at full load on every core. 5 ms are enough for launches that follow each
// other closely, and waking a thread costs little beside longer pauses. docs/parallel.md tells what was measured.
//
// The empty loop makes libomp initialise itself: only then has it fork handlers.
static void configure(void) {
  if (is_ours && openmp.set_defaults && !is_set("KMP_BLOCKTIME") && !is_set("OMP_WAIT_POLICY") &&
      !is_set("KMP_LIBRARY"))
    openmp.set_defaults("KMP_BLOCKTIME=5");
  pa_openmp_run(2, do_nothing, NULL);
}

// Called with |lock| held.
static bool open_and_configure(void) {
  if (state == UNKNOWN) {
    __atomic_store_n(&state, OPENING, __ATOMIC_RELAXED);
    if (!find_library()) {
      __atomic_store_n(&state, MISSING, __ATOMIC_RELEASE);
      if (notify_missing) notify_missing();
    }
  }
  if (state == MISSING) return false;
  configure();
  problem[0] = 0;
  __atomic_store_n(&state, READY, __ATOMIC_RELEASE);
  return true;
}

bool pa_openmp_open(void) {
  int now = __atomic_load_n(&state, __ATOMIC_ACQUIRE);
  if (__builtin_expect(now == READY, 1)) return true;
  if (now == MISSING) return false;
  pthread_mutex_lock(&lock);
  bool found = open_and_configure();
  pthread_mutex_unlock(&lock);
  return found;
}

const char *pa_openmp_problem(void) { return problem; }

void pa_openmp_on_missing(void (*notify)(void)) { notify_missing = notify; }

//===-- Fork --------------------------------------------------------------------------------------===//

static int state_before_fork; // atomic

static void before_fork(void) {
  __atomic_store_n(&state_before_fork, __atomic_load_n(&state, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
}

// The child has none of the parent's other threads, so nobody holds the lock. libomp's own handler lets it start
// afresh, but not where it was opened while this process forked: glibc runs the handlers that there were when the fork
// began. Such a child, rare as it is, runs its loops serially.
static void after_fork_in_child(void) {
  lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  if (state == UNKNOWN || state == MISSING) return;
  bool was_open = state_before_fork == READY || state_before_fork == UNCONFIGURED;
  if (!was_open) snprintf(problem, sizeof problem, "this process was forked while another thread opened it");
  state = was_open ? UNCONFIGURED : MISSING;
}

// Before any thread can be opening the library.
__attribute__((constructor)) static void register_fork_handlers(void) {
  pthread_atfork(before_fork, NULL, after_fork_in_child);
}
