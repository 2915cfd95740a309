// lib/runtime/threads/parallel.c, openmp.c: parts, errors, nesting, several callers, fork. `make tsan` runs it with
// ThreadSanitizer, to which Archer explains OpenMP.
#include "../../lib/runtime/runtime.h"
#include "../../lib/runtime/threads/openmp.h"
#include "../../lib/runtime/threads/parallel.h"
#include "test_runtime_check.h"

#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __SANITIZE_THREAD__
enum { CAN_FORK = 0 }; // ThreadSanitizer does not follow a fork of several threads
#else
enum { CAN_FORK = 1 };
#endif
#ifdef __SANITIZE_ADDRESS__
enum { CAN_FORK_ALLOCATING = 0 }; // GCC's AddressSanitizer leaves the locks of its malloc as another thread held them
#else
enum { CAN_FORK_ALLOCATING = CAN_FORK };
#endif

enum { MAX_COUNT = 2048, THREADS = 4, CALLERS = 6 };

typedef int32_t chunk_function(void *context, int64_t begin, int64_t end, int64_t part);

static int32_t run(chunk_function *chunk, void *context, int64_t count, int64_t grain) {
  return pyarray_rt_parallel_for((int64_t)(uintptr_t)chunk, (int64_t)(uintptr_t)context, count, grain);
}

//===-- Coverage ----------------------------------------------------------------------------------===//

typedef struct coverage {
  int64_t visits[MAX_COUNT], part_of[MAX_COUNT], calls_of_part[MAX_COUNT];
  int64_t largest; // atomic
} coverage;

// Not atomic: ThreadSanitizer sees whether two threads have one index.
static int32_t cover(void *context, int64_t begin, int64_t end, int64_t part) {
  coverage *covered = context;
  ++covered->calls_of_part[part];
  for (int64_t i = begin; i < end; ++i) {
    ++covered->visits[i];
    covered->part_of[i] = part;
  }
  return 0;
}

static bool is_covered_once(const coverage *covered, int64_t count, int64_t parts) {
  for (int64_t i = 0; i < MAX_COUNT; ++i)
    if (covered->visits[i] != (i < count) || covered->calls_of_part[i] != (i < parts)) return false;
  for (int64_t i = 1; i < count; ++i)
    if (covered->part_of[i] < covered->part_of[i - 1]) return false;
  return true;
}

static void check_coverage(int64_t count, int64_t grain) {
  static coverage covered;
  memset(&covered, 0, sizeof covered);
  int64_t parts = pyarray_rt_parallel_parts(count, grain);
  CHECK(run(cover, &covered, count, grain) == 0);
  CHECK(is_covered_once(&covered, count, parts));
}

static void test_coverage(void) {
  static const int64_t counts[] = {-1, 0, 1, 2, 3, 4, 5, 7, 8, 63, 64, 65, 1000, MAX_COUNT};
  static const int64_t grains[] = {-5, 0, 1, 2, 3, 32, 1000, INT64_MAX};
  for (int64_t threads = 1; threads <= THREADS; ++threads)
    for (int64_t size = 0; size <= 9; size += 3) {
      CHECK(!pyarray_rt_set_num_threads(threads));
      pyarray_rt_set_parallel_chunksize(size);
      for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
        for (size_t j = 0; j < sizeof grains / sizeof *grains; ++j) {
          check_coverage(counts[i], grains[j]);
          check_coverage(counts[i], pyarray_rt_uneven_grain(grains[j]));
        }
    }
  pyarray_rt_set_parallel_chunksize(0);
}

//===-- Timed loops -------------------------------------------------------------------------------===//

typedef struct timed {
  int64_t visits[MAX_COUNT], work;
  bool nests;
} timed;

static int32_t do_nothing(void *context, int64_t begin, int64_t end, int64_t part) {
  (void)context, (void)begin, (void)end, (void)part;
  return 0;
}

static int32_t visit(void *context, int64_t begin, int64_t end, int64_t part) {
  (void)part;
  timed *loop = context;
  for (int64_t i = begin; i < end; ++i) {
    ++loop->visits[i];
    for (volatile int64_t k = 0; k < loop->work;) k = k + 1;
    if (loop->nests && run(do_nothing, NULL, 100, 1)) return 1;
  }
  return 0;
}

// In order or not, each iteration is run once, in the first call and in those that know how long it takes.
static void test_timed_loops(void) {
  static const int64_t counts[] = {-1, 0, 1, 2, 3, 5, 64, 1000, MAX_COUNT}, works[] = {0, 100, 10000};
  static timed loop;
  for (int64_t threads = 1; threads <= THREADS; threads += 3)
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
      for (size_t j = 0; j < sizeof works / sizeof *works; ++j)
        for (int nests = 0; nests < 2; ++nests) {
          memset(&loop, 0, sizeof loop);
          loop.work = works[j] / (counts[i] > 100 ? 100 : 1), loop.nests = nests;
          CHECK(!pyarray_rt_set_num_threads(threads));
          for (int call = 0; call < 40; ++call) CHECK(run(visit, &loop, counts[i], INT64_MIN) == 0);
          for (int64_t k = 0; k < MAX_COUNT; ++k) CHECK(loop.visits[k] == (k < counts[i] ? 40 : 0));
        }
  CHECK(!pyarray_rt_set_num_threads(THREADS));
}

static void test_parts(void) {
  CHECK(!pyarray_rt_set_num_threads(THREADS));
  CHECK(pyarray_rt_parallel_parts(0, 1) == 0 && pyarray_rt_parallel_parts(-3, 1) == 0);
  CHECK(pyarray_rt_parallel_parts(100, 1) == THREADS && pyarray_rt_parallel_parts(3, 1) == 3);
  CHECK(pyarray_rt_parallel_parts(100, 100) == 1 && pyarray_rt_parallel_parts(199, 100) == 1);
  CHECK(pyarray_rt_parallel_parts(200, 100) == 2 && pyarray_rt_parallel_parts(INT64_MAX, 1) == THREADS);
  int64_t one = pyarray_rt_uneven_grain(1), ten = pyarray_rt_uneven_grain(10);
  CHECK(pyarray_rt_parallel_parts(1000, one) == 16 * THREADS && pyarray_rt_parallel_parts(100, ten) == 10);
  CHECK(pyarray_rt_parallel_parts(19, ten) == 1 && pyarray_rt_parallel_parts(3, one) == 3);
  CHECK(pyarray_rt_uneven_grain(-10) == -10 && pyarray_rt_private_grain(1000000, ten, 64) == -10);
  pyarray_rt_set_parallel_chunksize(10);
  CHECK(pyarray_rt_parallel_parts(100, ten) == 10 && pyarray_rt_parallel_parts(1000, ten) == 100);
  CHECK(pyarray_rt_parallel_parts(100, 1000) == 10 && pyarray_rt_parallel_parts(101, 1) == 11);
  CHECK(pyarray_rt_parallel_parts(10, 1) == 1);
  pyarray_rt_set_parallel_chunksize(1);
  CHECK(pyarray_rt_parallel_parts(INT64_MAX, 1) == 65536);
  pyarray_rt_set_parallel_chunksize(0);
  CHECK(!pyarray_rt_set_num_threads(1) && pyarray_rt_parallel_parts(100, 1) == 1);
  CHECK(!pyarray_rt_set_num_threads(THREADS));
}

// Ranges of loops that are too long to visit.
static int32_t note_largest(void *context, int64_t begin, int64_t end, int64_t part) {
  (void)part;
  if (end == INT64_MAX) __atomic_store_n((int64_t *)context, begin, __ATOMIC_RELAXED);
  return begin >= end;
}

static void test_longest(void) {
  int64_t last_begin = 0;
  CHECK(run(note_largest, &last_begin, INT64_MAX, 1) == 0);
  CHECK(last_begin == INT64_MAX - INT64_MAX / THREADS);
}

//===-- Threads -----------------------------------------------------------------------------------===//

typedef struct thread_ids {
  int64_t id[THREADS];
  pthread_t thread[THREADS];
} thread_ids;

static int32_t note_thread(void *context, int64_t begin, int64_t end, int64_t part) {
  (void)begin, (void)end;
  thread_ids *ids = context;
  ids->id[part] = pyarray_rt_get_num_threads() == THREADS ? pyarray_rt_get_thread_id() : -1;
  ids->thread[part] = pthread_self();
  return 0;
}

static void test_part_of_a_thread_stays(void) {
  thread_ids first, again;
  CHECK(run(note_thread, &first, THREADS, 1) == 0);
  for (int i = 0; i < 20; ++i) {
    CHECK(run(note_thread, &again, THREADS, 1) == 0);
    for (int k = 0; k < THREADS; ++k) CHECK(again.id[k] == k && pthread_equal(again.thread[k], first.thread[k]));
  }
  CHECK(pthread_equal(first.thread[0], pthread_self()));
  CHECK(pyarray_rt_get_thread_id() == 0 && pyarray_rt_get_num_threads() == THREADS);
}

// Loops each of whose parts fills memory: the chunk size does not count, and they stay serial where that is dear.
static void test_private_grain(void) {
  CHECK(pyarray_rt_private_grain(1000000, 100, 64) == -100);
  CHECK(pyarray_rt_private_grain(1000000, 0, 64) == -1);
  CHECK(pyarray_rt_private_grain(1000, 100, 1 << 20) == -1000);
  CHECK(pyarray_rt_private_grain(1000, 100, -1) == -1000);
  CHECK(pyarray_rt_private_grain(1000, 100, INT64_MAX) == -1000);
  CHECK(pyarray_rt_private_grain(INT64_MAX, 1, 4096) == -1);
  CHECK(pyarray_rt_parallel_parts(1000000, -100) == THREADS);
  CHECK(pyarray_rt_parallel_parts(1000, -1000) == 1 && pyarray_rt_parallel_parts(1000, INT64_MIN) == 1);
  CHECK(pyarray_rt_set_parallel_chunksize(7) == 0);
  CHECK(pyarray_rt_parallel_parts(700, -100) == THREADS && pyarray_rt_parallel_parts(700, 100) == 100);
  CHECK(pyarray_rt_parallel_parts(700, -700) == 1);
  CHECK(pyarray_rt_set_parallel_chunksize(0) == 7);
}

static void *settings_of_new_thread(void *unused) {
  (void)unused;
  CHECK(pyarray_rt_get_num_threads() == pyarray_rt_max_threads() && pyarray_rt_get_parallel_chunksize() == 0);
  CHECK(!pyarray_rt_set_num_threads(1));
  return NULL;
}

static void test_settings(void) {
  CHECK(pyarray_rt_max_threads() == THREADS && !strcmp(pa_threading_layer(), "omp"));
  CHECK(pyarray_rt_set_num_threads(0) == 1 && pyarray_rt_set_num_threads(THREADS + 1) == 1);
  CHECK(!pyarray_rt_set_num_threads(2) && pyarray_rt_get_num_threads() == 2);
  CHECK(pyarray_rt_set_parallel_chunksize(8) == 0 && pyarray_rt_set_parallel_chunksize(-1) == -1);
  CHECK(pyarray_rt_get_parallel_chunksize() == 8);
  pthread_t thread;
  REQUIRE(!pthread_create(&thread, NULL, settings_of_new_thread, NULL));
  pthread_join(thread, NULL);
  CHECK(pyarray_rt_get_num_threads() == 2 && pyarray_rt_set_parallel_chunksize(0) == 8);
  CHECK(!pyarray_rt_set_num_threads(THREADS));
}

typedef struct draws {
  double value[THREADS];
} draws;

static int32_t draw(void *context, int64_t begin, int64_t end, int64_t part) {
  (void)begin, (void)end;
  ((draws *)context)->value[part] = pyarray_rt_np_random_random();
  return 0;
}

static void test_generators_differ(void) {
  draws drawn;
  pyarray_rt_np_random_seed(42);
  CHECK(run(draw, &drawn, THREADS, 1) == 0);
  CHECK(drawn.value[0] == 0x1.7f8771e5f51ecp-2);
  for (int i = 1; i < THREADS; ++i) CHECK(drawn.value[i] != drawn.value[i - 1]);
}

//===-- Errors ------------------------------------------------------------------------------------===//

typedef struct failures {
  int64_t from;  // iterations from here on fail
  int64_t begun; // atomic
} failures;

static int32_t fail(void *context, int64_t begin, int64_t end, int64_t part) {
  failures *failing = context;
  __atomic_fetch_add(&failing->begun, 1, __ATOMIC_RELAXED);
  for (int64_t i = begin; i < end; ++i)
    if (i >= failing->from) {
      pyarray_rt_raise_values((int32_t)part, i, 2, 3);
      pyarray_rt_propagate(77);
      return 1;
    }
  return 0;
}

static void check_failure(int64_t count, int64_t from, int64_t grain) {
  failures failing = {.from = from};
  pa_raised_clear();
  CHECK(run(fail, &failing, count, grain) == 1);
  pa_raised *raised = pa_raised_current();
  CHECK(raised->count == 2 && raised->site[1] == 77 && raised->value_count == 3);
  CHECK(raised->values[0] == from && raised->values[2] == 3);
}

static void test_first_error_wins(void) {
  for (int64_t size = 0; size <= 3; size += 3) {
    pyarray_rt_set_parallel_chunksize(size);
    for (int64_t count = 1; count <= 40; ++count)
      for (int64_t from = 0; from < count; ++from) {
        check_failure(count, from, 1);
        check_failure(count, from, INT64_MIN);
      }
  }
  pyarray_rt_set_parallel_chunksize(0);
  failures none = {.from = 100};
  CHECK(run(fail, &none, 40, 1) == 0 && none.begun == THREADS);
}

static void test_nothing_begins_after_an_error(void) {
  failures failing = {.from = 0};
  pyarray_rt_set_parallel_chunksize(1);
  CHECK(run(fail, &failing, 10000, 1) == 1);
  CHECK(failing.begun <= THREADS + 1 && pa_raised_current()->values[0] == 0);
  pyarray_rt_set_parallel_chunksize(0);
}

// A worker's error must not be seen by a later loop.
static void test_errors_leave_nothing_behind(void) {
  check_failure(THREADS, THREADS - 1, 1);
  pa_raised_clear();
  static coverage covered;
  CHECK(run(cover, &covered, 100, 1) == 0 && pa_raised_current()->count == 0);
}

//===-- Nesting -----------------------------------------------------------------------------------===//

static int32_t add_range(void *context, int64_t begin, int64_t end, int64_t part) {
  for (int64_t i = begin; i < end; ++i) *(int64_t *)context += i; // races unless it is serial
  return part != 0;
}

static int32_t nest(void *context, int64_t begin, int64_t end, int64_t part) {
  (void)part;
  int64_t id = pyarray_rt_get_thread_id();
  for (int64_t i = begin; i < end; ++i) {
    int64_t sum = 0;
    if (pyarray_rt_parallel_parts(1000, 1) != 1 || run(add_range, &sum, 1000, 1)) return 1;
    ((int64_t *)context)[i] = sum;
    if (pyarray_rt_get_thread_id() != id) return 1;
  }
  return 0;
}

static void test_nested_loops_are_serial(void) {
  int64_t sums[50] = {0};
  CHECK(run(nest, sums, 50, 1) == 0);
  for (int i = 0; i < 50; ++i) CHECK(sums[i] == 499500);
  pyarray_rt_set_parallel_chunksize(2);
  CHECK(run(nest, sums, 50, 1) == 0);
  pyarray_rt_set_parallel_chunksize(0);
}

static int32_t nest_failure(void *context, int64_t begin, int64_t end, int64_t part) {
  (void)end, (void)part;
  failures failing = {.from = 5};
  return begin >= *(int64_t *)context ? run(fail, &failing, 10, 1) : 0;
}

static void test_error_of_a_nested_loop(void) {
  int64_t from = 1;
  pa_raised_clear();
  CHECK(run(nest_failure, &from, 100, 1) == 1 && pa_raised_current()->values[0] == 5);
}

//===-- Several callers ---------------------------------------------------------------------------===//

static void *call_often(void *argument) {
  int64_t own = (int64_t)(uintptr_t)argument, wrong = 0;
  pyarray_rt_set_num_threads(1 + own % THREADS);
  for (int64_t i = 0; i < 300; ++i) {
    failures failing = {.from = (own + i) % 50};
    pa_raised_clear();
    wrong += run(fail, &failing, 50, 1) != 1 || pa_raised_current()->values[0] != failing.from;
    int64_t sums[8] = {0};
    wrong += run(nest, sums, 8, 1) != 0 || sums[7] != 499500;
  }
  return (void *)(uintptr_t)wrong;
}

static int64_t call_from_threads(int count) {
  pthread_t threads[CALLERS];
  int64_t wrong = 0;
  for (int i = 0; i < count; ++i) REQUIRE(!pthread_create(&threads[i], NULL, call_often, (void *)(uintptr_t)i));
  for (int i = 0; i < count; ++i) {
    void *result;
    pthread_join(threads[i], &result);
    wrong += (int64_t)(uintptr_t)result;
  }
  return wrong;
}

static void test_several_callers(void) {
  CHECK(call_from_threads(CALLERS) == 0);
  CHECK(call_from_threads(CALLERS) == 0);
}

static void *call_once(void *unused) {
  failures none = {.from = 100};
  (void)unused;
  return (void *)(uintptr_t)run(fail, &none, 40, 1);
}

static void test_threads_that_come_and_go(void) {
  for (int i = 0; i < 100; ++i) {
    pthread_t thread;
    void *result = NULL;
    REQUIRE(!pthread_create(&thread, NULL, call_once, NULL));
    pthread_join(thread, &result);
    CHECK(!result);
  }
}

//===-- Fork --------------------------------------------------------------------------------------===//

static int exit_code_of(pid_t child) {
  int status = 0;
  REQUIRE(child > 0 && waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool works_now(void) {
  static coverage covered;
  memset(&covered, 0, sizeof covered);
  failures failing = {.from = 30};
  if (pyarray_rt_parallel_parts(100, 1) != THREADS || run(cover, &covered, 100, 1)) return false;
  if (!is_covered_once(&covered, 100, THREADS)) return false;
  return run(fail, &failing, 100, 1) == 1 && pa_raised_current()->values[0] == 30;
}

static int loops_done; // of work_until

static void *work_until(void *stop) {
  int64_t sums[THREADS];
  while (!__atomic_load_n((int *)stop, __ATOMIC_RELAXED)) {
    run(nest, sums, THREADS, 1);
    __atomic_fetch_add(&loops_done, 1, __ATOMIC_RELAXED);
  }
  return NULL;
}

// A child that works, and has a child itself; |leave| ends both.
static void check_fork(void (*leave)(int)) {
  pid_t child = fork();
  if (!child) {
    alarm(60); // a hang ends it with a signal
    bool right = works_now();
    pid_t grandchild = fork();
    if (!grandchild) leave(!works_now());
    leave(!right || exit_code_of(grandchild));
  }
  CHECK(exit_code_of(child) == 0);
  CHECK(works_now());
}

static void leave_by_exit(int code) { exit(code); }
static void leave_at_once(int code) { _exit(code); }

static void test_fork(void) {
  check_fork(leave_at_once);
  check_fork(leave_by_exit);
}

static void test_fork_while_others_run(void) {
  pthread_t threads[2];
  int stop = 0;
  for (int i = 0; i < 2; ++i) REQUIRE(!pthread_create(&threads[i], NULL, work_until, &stop));
  for (int i = 0; i < 20; ++i) check_fork(i % 2 ? leave_at_once : leave_by_exit);
  __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}

//===-- Exit --------------------------------------------------------------------------------------===//

// The process ends while another thread is in a loop.
static void test_exit_while_running(void) {
  pid_t child = fork();
  if (!child) {
    static int never;
    pthread_t thread;
    alarm(60);
    REQUIRE(!pthread_create(&thread, NULL, work_until, &never));
    int before = __atomic_load_n(&loops_done, __ATOMIC_RELAXED);
    while (__atomic_load_n(&loops_done, __ATOMIC_RELAXED) == before) sched_yield();
    exit(0);
  }
  CHECK(exit_code_of(child) == 0);
}

// Forks while another thread's first loop opens the library: the child may run serially, but runs.
static int run_early_fork(void) {
  enum { CHILDREN = 20 };
  pid_t children[CHILDREN];
  pthread_t thread;
  int stop = 0;
  REQUIRE(!pthread_create(&thread, NULL, work_until, &stop));
  for (int i = 0; i < CHILDREN; ++i) {
    children[i] = fork();
    if (children[i]) continue;
    static coverage covered;
    alarm(60);
    _exit(run(cover, &covered, 100, 1) != 0);
  }
  for (int i = 0; i < CHILDREN; ++i) CHECK(exit_code_of(children[i]) == 0);
  __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
  pthread_join(thread, NULL);
  return report_checks();
}

//===-- Without a runtime -------------------------------------------------------------------------===//

static int notifications;

static void notify(void) { ++notifications; }

static int run_without_openmp(void) {
  pa_openmp_on_missing(notify);
  static coverage covered;
  CHECK(pyarray_rt_parallel_parts(100, 1) == 1 && notifications == 1);
  CHECK(run(cover, &covered, 100, 1) == 0 && is_covered_once(&covered, 100, 1));
  CHECK(!strcmp(pa_threading_layer(), "serial") && strstr(pa_openmp_problem(), "no-such-library"));
  check_failure(100, 30, 1);
  CHECK(notifications == 1);
  return report_checks();
}

// Exit code of this program run with |mode|, which main explains.
static int exit_code_of_mode(const char *program, const char *mode) {
  pid_t child = fork();
  if (!child) {
    if (!strcmp(mode, "without-openmp")) setenv("PYARRAY_OPENMP_LIBRARY", "no-such-library.so", 1);
    execl(program, program, mode, (char *)NULL);
    _exit(127);
  }
  return exit_code_of(child);
}

//===-- A race ------------------------------------------------------------------------------------===//

static int32_t add_without_care(void *context, int64_t begin, int64_t end, int64_t part) {
  (void)part;
  for (int64_t i = begin; i < end; ++i) *(volatile int64_t *)context += i;
  return 0;
}

// Run in a process of its own: ThreadSanitizer must report it, else `make tsan` proves nothing.
static int run_race(void) {
  int64_t sum = 0;
  return run(add_without_care, &sum, 1000, 1);
}

static void test_library(void) {
  REQUIRE(pa_openmp_open());
  CHECK(!*pa_openmp_problem());
}

// Some tests need a process that has not opened the library.
static int run_mode(const char *mode) {
  if (!strcmp(mode, "race")) return run_race();
  if (!strcmp(mode, "early-fork")) return run_early_fork();
  return run_without_openmp();
}

static void test_modes(const char *program) {
  CHECK(exit_code_of_mode(program, "without-openmp") == 0);
  for (int i = 0; CAN_FORK_ALLOCATING && i < 5; ++i) CHECK(exit_code_of_mode(program, "early-fork") == 0);
}

static void test_forks(void) {
  test_fork();
  test_fork_while_others_run();
  test_exit_while_running();
}

//===-- Floating-point exceptions -----------------------------------------------------------------===//

static int32_t raise_in_part(void *context, int64_t begin, int64_t end, int64_t part) {
  (void)begin, (void)end;
  if (part == *(int64_t *)context) feraiseexcept(part ? FE_DIVBYZERO : FE_INVALID);
  return 0;
}

// Flags of the caller stay, those of its threads are added, and none is left over for the next loop.
static void test_exceptions_of_all_threads(void) {
  for (int64_t part = -1; part < THREADS; ++part) {
    int wanted = part < 0 ? 0 : part ? FE_DIVBYZERO : FE_INVALID;
    feclearexcept(FE_ALL_EXCEPT);
    CHECK(run(raise_in_part, &part, THREADS, 1) == 0 && fetestexcept(FE_DIVBYZERO | FE_INVALID) == wanted);
    int64_t none = -1;
    CHECK(run(raise_in_part, &none, THREADS, 1) == 0 && fetestexcept(FE_DIVBYZERO | FE_INVALID) == wanted);
    feclearexcept(FE_ALL_EXCEPT);
    CHECK(run(raise_in_part, &none, THREADS, 1) == 0 && fetestexcept(FE_DIVBYZERO | FE_INVALID) == 0);
  }
}

int main(int count, char **arguments) {
  setenv("PYARRAY_NUM_THREADS", "4", 1);
  if (count > 1) return run_mode(arguments[1]);
  test_library();
  test_private_grain();
  test_settings();
  test_parts();
  test_coverage();
  test_timed_loops();
  test_longest();
  test_part_of_a_thread_stays();
  test_generators_differ();
  test_first_error_wins();
  test_nothing_begins_after_an_error();
  test_errors_leave_nothing_behind();
  test_nested_loops_are_serial();
  test_error_of_a_nested_loop();
  test_several_callers();
  test_exceptions_of_all_threads();
  test_threads_that_come_and_go();
  if (CAN_FORK) test_forks();
  test_modes(arguments[0]);
  return report_checks();
}
