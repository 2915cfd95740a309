// lib/runtime/base/memory.c, errors.c, thread.c and runtime.c
#include "../../lib/runtime/runtime.h"
#include "test_runtime_check.h"

#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int64_t live(void) {
  pa_allocation_counts counts = pa_allocation_counts_now();
  return counts.allocated - counts.freed;
}

static int64_t handle_of(void *data) { return (int64_t)(uintptr_t)data; }

static void test_allocation(void) {
  int64_t before = live();
  size_t sizes[] = {0, 1, 8, 63, 64, 65, 1000, 3984, 3985, 4096, 100000, (size_t)5 << 20};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    unsigned char *data = _mlir_memref_to_llvm_alloc(sizes[i]);
    REQUIRE(data);
    CHECK((uintptr_t)data % 64 == 0);
    pa_owner *owner = pa_owner_of(handle_of(data));
    CHECK(owner->references == 1 && owner->kind == PA_OWNER_HEAP && owner->bytes == (int64_t)sizes[i]);
    memset(data, 0xab, sizes[i]);
    CHECK(live() == before + 1);
    pyarray_rt_release(handle_of(data));
  }
  CHECK(live() == before);
}

static void test_counting(void) {
  int64_t before = live();
  int64_t handle = pyarray_rt_allocate(100);
  pyarray_rt_retain(handle);
  pyarray_rt_retain(handle);
  CHECK(pa_owner_of(handle)->references == 3);
  pyarray_rt_release(handle);
  pyarray_rt_release(handle);
  CHECK(live() == before + 1);
  _mlir_memref_to_llvm_free((void *)(uintptr_t)handle);
  CHECK(live() == before);
  pyarray_rt_retain(0);
  pyarray_rt_release(0);
  _mlir_memref_to_llvm_free(NULL);
}

enum { ROUNDS = 200000, COUNTERS = 4 };

static void *count_up_and_down(void *handle) {
  for (int i = 0; i < ROUNDS; ++i) pyarray_rt_retain((int64_t)(uintptr_t)handle);
  for (int i = 0; i < ROUNDS; ++i) pyarray_rt_release((int64_t)(uintptr_t)handle);
  return NULL;
}

// Alone and shared again: threads beside each other lose no count.
static void test_counts_alone_and_shared(void) {
  int64_t before = live(), handle = pyarray_rt_allocate(100);
  pa_references_alone();
  pyarray_rt_retain(handle);
  CHECK(pa_owner_of(handle)->references == 2);
  pyarray_rt_release(handle);
  pa_references_shared();
  pthread_t threads[COUNTERS];
  for (int i = 0; i < COUNTERS; ++i)
    REQUIRE(!pthread_create(&threads[i], NULL, count_up_and_down, (void *)(uintptr_t)handle));
  for (int i = 0; i < COUNTERS; ++i) pthread_join(threads[i], NULL);
  CHECK(pa_owner_of(handle)->references == 1);
  pyarray_rt_release(handle);
  CHECK(live() == before);
}

static void test_borrowed(void) {
  int64_t before = live();
  int object;
  pa_owner record;
  int64_t handle = pa_owner_borrow(&record, &object);
  CHECK(pa_owner_of(handle) == &record && record.object == &object && record.kind == PA_OWNER_BORROWED);
  for (int i = 0; i < 5; ++i) pyarray_rt_release(handle);
  pyarray_rt_retain(handle);
  CHECK(record.object == &object && live() == before);
}

static void test_absurd_sizes(void) {
  pa_allocation_counts before = pa_allocation_counts_now();
  CHECK(!_mlir_memref_to_llvm_alloc(SIZE_MAX));
  CHECK(!_mlir_memref_to_llvm_alloc(SIZE_MAX - 64));
  CHECK(!_mlir_memref_to_llvm_alloc((size_t)PTRDIFF_MAX));
  CHECK(!_mlir_memref_to_llvm_alloc((size_t)PTRDIFF_MAX - 4096));
  CHECK(!_mlir_memref_to_llvm_aligned_alloc(128, 8));
  CHECK(!pyarray_rt_allocate(-1) && !pyarray_rt_allocate(INT64_MIN) && !pyarray_rt_allocate_zeroed(INT64_MAX));
  pa_allocation_counts after = pa_allocation_counts_now();
  CHECK(before.allocated == after.allocated && before.freed == after.freed);
}

static void test_zeroed(void) {
  for (int64_t bytes = 1; bytes < 1 << 20; bytes = 3 * bytes + 1) {
    int64_t dirty = pyarray_rt_allocate(bytes);
    memset((void *)(uintptr_t)dirty, 0xff, (size_t)bytes);
    pyarray_rt_release(dirty);
    int64_t handle = pyarray_rt_allocate_zeroed(bytes);
    const unsigned char *data = (const unsigned char *)(uintptr_t)handle;
    int64_t zeros = 0;
    while (zeros < bytes && !data[zeros]) ++zeros;
    CHECK(zeros == bytes);
    pyarray_rt_release(handle);
  }
}

static void test_sizes_and_bytes(void) {
  CHECK(pyarray_rt_checked_multiply(6, 7) == 42 && pyarray_rt_checked_multiply(0, INT64_MAX) == 0);
  CHECK(pyarray_rt_checked_multiply(INT64_MAX, 1) == INT64_MAX);
  CHECK(pyarray_rt_checked_multiply(INT64_MAX, 2) == -1 &&
        pyarray_rt_checked_multiply((int64_t)1 << 32, (int64_t)1 << 31) == -1);
  CHECK(pyarray_rt_checked_multiply(-1, 3) == -1 && pyarray_rt_checked_multiply(3, -1) == -1);
  CHECK(pyarray_rt_checked_multiply(-1, -1) == -1);
  char text[] = "abcdef";
  pyarray_rt_copy((int64_t)(uintptr_t)(text + 1), (int64_t)(uintptr_t)text, 4);
  CHECK(!strcmp(text, "aabcdf"));
  pyarray_rt_fill_zero((int64_t)(uintptr_t)text, 6);
  CHECK(!memcmp(text, "\0\0\0\0\0\0", 7));
  pyarray_rt_fill_zero(0, 0);
  pyarray_rt_copy(0, 0, 0);
}

// Arrays made by one thread and freed by another, through both threads' free lists.
enum { HANDED = 4000 };
static int64_t handed[HANDED];

static void *make_arrays(void *unused) {
  (void)unused;
  for (int i = 0; i < HANDED; ++i) {
    int64_t handle = pyarray_rt_allocate(i % 700);
    pyarray_rt_release(pyarray_rt_allocate(i % 300));
    memset((void *)(uintptr_t)handle, i, (size_t)(i % 700));
    pyarray_rt_retain(handle);
    __atomic_store_n(&handed[i], handle, __ATOMIC_RELEASE);
    pyarray_rt_release(handle); // races with the other thread's release
  }
  return NULL;
}

static void *drop_arrays(void *unused) {
  (void)unused;
  for (int i = 0; i < HANDED; ++i) {
    int64_t handle;
    while (!(handle = __atomic_load_n(&handed[i], __ATOMIC_ACQUIRE))) sched_yield();
    pyarray_rt_release(handle);
  }
  return NULL;
}

static void test_threads(void) {
  int64_t before = live();
  for (int round = 0; round < 3; ++round) {
    pthread_t maker, dropper;
    memset(handed, 0, sizeof handed);
    REQUIRE(!pthread_create(&maker, NULL, make_arrays, NULL) && !pthread_create(&dropper, NULL, drop_arrays, NULL));
    pthread_join(maker, NULL);
    pthread_join(dropper, NULL);
    CHECK(live() == before);
  }
}

static void test_errors(void) {
  pa_raised_clear();
  pa_raised *raised = pa_raised_current();
  CHECK(raised->count == 0);
  pyarray_rt_raise_values(7, 10, -20, 30);
  CHECK(raised->count == 1 && raised->site[0] == 7 && raised->value_count == 3);
  CHECK(raised->values[0] == 10 && raised->values[1] == -20 && raised->values[2] == 30);
  for (int i = 0; i < 1000; ++i) pyarray_rt_propagate(100 + i);
  CHECK(raised->count == PA_MAX_FRAMES && raised->site[1] == 100 && raised->site[63] == 162);
  pyarray_rt_raise(9);
  CHECK(raised->count == 1 && raised->site[0] == 9 && raised->value_count == 0);
  pa_raised_clear();
  CHECK(raised->count == 0);
}

static void *error_of_thread(void *out) {
  *(int32_t *)out = pa_raised_current()->count;
  pyarray_rt_raise(1);
  return NULL;
}

static void test_errors_are_per_thread(void) {
  pthread_t thread;
  int32_t count = -1;
  pyarray_rt_raise(5);
  REQUIRE(!pthread_create(&thread, NULL, error_of_thread, &count));
  pthread_join(thread, NULL);
  CHECK(count == 0 && pa_raised_current()->site[0] == 5);
  pa_raised_clear();
}

// How far the limit lies above the end of the thread's stack.
static void *reserve_of_thread(void *out) {
  pthread_attr_t attributes;
  void *lowest = NULL;
  size_t size = 0;
  REQUIRE(!pthread_getattr_np(pthread_self(), &attributes) && !pthread_attr_getstack(&attributes, &lowest, &size));
  pthread_attr_destroy(&attributes);
  *(int64_t *)out = pyarray_rt_stack_limit() - (int64_t)(uintptr_t)lowest;
  return NULL;
}

static void test_stack_limit(void) {
  int64_t here = (int64_t)(uintptr_t)__builtin_frame_address(0), limit = pyarray_rt_stack_limit();
  CHECK(limit > 0 && limit < here && limit == pyarray_rt_stack_limit());
  pthread_t thread;
  int64_t reserve = 0;
  REQUIRE(!pthread_create(&thread, NULL, reserve_of_thread, &reserve));
  pthread_join(thread, NULL);
  CHECK(reserve == 256 * 1024);
}

static void test_fork(void) {
  int64_t handle = pyarray_rt_allocate(50);
  pid_t child = fork();
  REQUIRE(child >= 0);
  if (!child) {
    pyarray_rt_release(handle);
    pyarray_rt_release(pyarray_rt_allocate(60));
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  pyarray_rt_release(handle);
}

static void test_lookup(void) {
  CHECK(pa_runtime_lookup("pyarray_rt_retain") == (void *)(uintptr_t)&pyarray_rt_retain);
  CHECK(pa_runtime_lookup("_mlir_memref_to_llvm_alloc") == (void *)(uintptr_t)&_mlir_memref_to_llvm_alloc);
  CHECK(!pa_runtime_lookup("pyarray_rt_") && !pa_runtime_lookup(""));
}

int main(void) {
  test_allocation();
  test_counting();
  test_counts_alone_and_shared();
  test_borrowed();
  test_absurd_sizes();
  test_zeroed();
  test_sizes_and_bytes();
  test_threads();
  test_errors();
  test_errors_are_per_thread();
  test_stack_limit();
  test_fork();
  test_lookup();
  return report_checks();
}
