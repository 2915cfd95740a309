#include "fork.h"

#include <errno.h>
#include <sched.h>
#include <time.h>

static const time_t PATIENCE = 10; // seconds. A child of a fork that waited so long has what there is

static struct timespec latest(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  time.tv_sec += PATIENCE;
  return time;
}

//===-- Sections ----------------------------------------------------------------------------------===//

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t fewer_inside = PTHREAD_COND_INITIALIZER, fewer_forks = PTHREAD_COND_INITIALIZER;
static int inside, forks; // under the mutex; |forks| is also read without
static __thread bool is_inside;

void pa_fork_begin(void) {
  pthread_mutex_lock(&mutex);
  while (forks) pthread_cond_wait(&fewer_forks, &mutex);
  ++inside;
  pthread_mutex_unlock(&mutex);
  is_inside = true;
}

void pa_fork_end(void) {
  if (!is_inside) return;
  is_inside = false;
  pthread_mutex_lock(&mutex);
  --inside;
  pthread_cond_broadcast(&fewer_inside);
  pthread_mutex_unlock(&mutex);
}

void pa_fork_rest_if_asked(void) {
  if (!is_inside || !__atomic_load_n(&forks, __ATOMIC_RELAXED)) return;
  pa_fork_end();
  pa_fork_begin();
}

bool pa_fork_rest(void) {
  bool was_inside = is_inside;
  pa_fork_end();
  return was_inside;
}

void pa_fork_go_on(bool was_inside) {
  if (was_inside) pa_fork_begin();
}

static void wait_for_sections(const struct timespec *until) {
  pthread_mutex_lock(&mutex);
  __atomic_store_n(&forks, forks + 1, __ATOMIC_RELAXED);
  while (inside > is_inside && pthread_cond_clockwait(&fewer_inside, &mutex, CLOCK_MONOTONIC, until) != ETIMEDOUT) {
  }
  pthread_mutex_unlock(&mutex); // none begins while there are forks
}

//===-- Locks -------------------------------------------------------------------------------------===//

static pa_fork_lock *locks; // as libraries are loaded

static bool try_to_take_all(void) {
  for (pa_fork_lock *at = locks; at; at = at->next) {
    if (pthread_mutex_trylock(at->mutex) == 0) continue;
    for (pa_fork_lock *taken = locks; taken != at; taken = taken->next) pthread_mutex_unlock(taken->mutex);
    return false;
  }
  return true;
}

// Not one by one: some are taken while others are held.
static bool take_all(const struct timespec *until) {
  struct timespec now;
  while (!try_to_take_all()) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec > until->tv_sec) return false;
    sched_yield();
  }
  return true;
}

//===-- Fork --------------------------------------------------------------------------------------===//

static __thread bool has_taken_all;

static void before_fork(void) {
  struct timespec until = latest();
  wait_for_sections(&until);
  has_taken_all = take_all(&until);
}

static void after_fork_in_parent(void) {
  for (pa_fork_lock *at = has_taken_all ? locks : NULL; at; at = at->next) pthread_mutex_unlock(at->mutex);
  pthread_mutex_lock(&mutex);
  __atomic_store_n(&forks, forks - 1, __ATOMIC_RELAXED);
  pthread_cond_broadcast(&fewer_forks);
  pthread_mutex_unlock(&mutex);
}

static void after_fork_in_child(void) {
  for (pa_fork_lock *at = locks; at; at = at->next) pthread_mutex_init(at->mutex, NULL);
  pthread_mutex_init(&mutex, NULL);
  pthread_cond_init(&fewer_inside, NULL);
  pthread_cond_init(&fewer_forks, NULL);
  inside = is_inside;
  forks = 0;
}

void pa_fork_takes(pa_fork_lock *lock) {
  static bool has_handlers;
  if (!has_handlers) pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  has_handlers = true;
  lock->next = locks;
  locks = lock;
}
