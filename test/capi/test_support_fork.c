#include "support/fork.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "support/stop.h"

enum { CHILDREN = 50 };

static bool ended, half_done, half_written; // atomic
static int rounds;

static void wait_a_little(void) { nanosleep(&(struct timespec){.tv_nsec = 100 * 1000}, NULL); }
static void set(bool *flag, bool value) { __atomic_store_n(flag, value, __ATOMIC_SEQ_CST); }
static bool is_set(bool *flag) { return __atomic_load_n(flag, __ATOMIC_SEQ_CST); }

static int exit_status_of(pid_t child) {
  int status;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// |looks| is asked in children that are forked while |thread| runs.
static void fork_beside(void *(*thread)(void *), bool (*looks)(void)) {
  pthread_t other;
  set(&ended, false);
  CHECK(pthread_create(&other, NULL, thread, NULL) == 0);
  for (int i = 0; i < CHILDREN; ++i) {
    pid_t child = fork();
    if (child == 0) {
      alarm(60);
      _exit(looks() ? 0 : 1);
    }
    CHECK(exit_status_of(child) == 0);
  }
  set(&ended, true);
  pthread_join(other, NULL);
}

//===-- Sections ----------------------------------------------------------------------------------===//

static void do_half_then_all(void) {
  set(&half_done, true);
  wait_a_little();
  set(&half_done, false);
}

static void *begins_again_and_again(void *unused) {
  while (!is_set(&ended)) {
    pa_fork_begin();
    do_half_then_all();
    pa_fork_end();
  }
  return unused;
}

static void *rests_where_it_is_asked(void *unused) {
  pa_fork_begin();
  while (!is_set(&ended)) {
    do_half_then_all();
    CHECK(!pa_must_stop());
  }
  pa_fork_end();
  return unused;
}

// Nobody is inside in a child, not even the thread that had gone there.
static bool nothing_is_half_done(void) {
  pa_fork_begin();
  pa_fork_end();
  return !is_set(&half_done);
}

//===-- What takes the lock of another ------------------------------------------------------------===//

// Stands for the GIL, which the thread that forks holds.
static pthread_mutex_t everybodys = PTHREAD_MUTEX_INITIALIZER;

static void *calls_back(void *unused) {
  pa_fork_begin();
  while (!is_set(&ended)) {
    do_half_then_all();
    bool was_inside = pa_fork_rest();
    CHECK(was_inside);
    pthread_mutex_lock(&everybodys);
    wait_a_little();
    pthread_mutex_unlock(&everybodys);
    pa_fork_go_on(was_inside);
  }
  pa_fork_end();
  return unused;
}

static bool took_the_lock_before(void) { return !is_set(&half_done); }

static void fork_with_the_lock(void) {
  pthread_t other;
  set(&ended, false);
  CHECK(pthread_create(&other, NULL, calls_back, NULL) == 0);
  for (int i = 0; i < CHILDREN; ++i) {
    pthread_mutex_lock(&everybodys);
    pid_t child = fork();
    if (child == 0) _exit(took_the_lock_before() ? 0 : 1);
    pthread_mutex_unlock(&everybodys);
    CHECK(exit_status_of(child) == 0);
  }
  set(&ended, true);
  pthread_join(other, NULL);
}

// A call back may fork as well: it is not inside then.
static void fork_at_rest(void) {
  pa_fork_begin();
  bool was_inside = pa_fork_rest();
  pid_t child = fork();
  if (child == 0) {
    pa_fork_go_on(was_inside);
    pa_fork_end();
    _exit(0);
  }
  pa_fork_go_on(was_inside);
  pa_fork_end();
  pa_fork_end(); // as after a jump out of a rest
  CHECK(!pa_fork_rest());
  CHECK(exit_status_of(child) == 0);
}

//===-- Locks -------------------------------------------------------------------------------------===//

PA_FORK_LOCK(outer)
PA_FORK_LOCK(inner)

static void *writes_under_locks(void *unused) {
  while (!is_set(&ended)) {
    pthread_mutex_lock(++rounds % 2 ? &outer : &inner);
    pthread_mutex_lock(rounds % 2 ? &inner : &outer); // in any order
    set(&half_written, true);
    wait_a_little();
    set(&half_written, false);
    pthread_mutex_unlock(&outer);
    pthread_mutex_unlock(&inner);
    wait_a_little();
  }
  return unused;
}

static bool nothing_is_half_written(void) {
  pthread_mutex_lock(&outer);
  pthread_mutex_lock(&inner);
  return !is_set(&half_written);
}

int main(void) {
  fork_beside(begins_again_and_again, nothing_is_half_done);
  fork_beside(rests_where_it_is_asked, nothing_is_half_done);
  fork_with_the_lock();
  fork_at_rest();
  fork_beside(writes_under_locks, nothing_is_half_written);
  return CHECK_RESULT();
}
