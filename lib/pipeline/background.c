// Neither MLIR nor LLVM can be interrupted within a pass. So the main thread, the one whose signal handlers Python
// runs, has them work on another thread and waits, looking for signals every few milliseconds; other threads do the
// work themselves. Work that was left alone goes on to its next question whether it is wanted, or to the end of the
// process.
#include <Python.h>

#include "background.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "support/fork.h"

enum { STACK = 64 << 20, MILLISECOND = 1000 * 1000, LOOK = 20 * MILLISECOND };

typedef struct job {
  void (*work)(void *), (*drop)(void *);
  void *data;
  atomic_bool stop;
  bool ended, left_alone; // under the mutex
  pthread_mutex_t mutex;
  pthread_cond_t end;
} job;

//===-- Jobs that were left alone -----------------------------------------------------------------===//

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t fewer = PTHREAD_COND_INITIALIZER;
static int alone;

static struct timespec from_now(long nanoseconds) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  time.tv_nsec += nanoseconds;
  time.tv_sec += time.tv_nsec / (1000 * MILLISECOND);
  time.tv_nsec %= 1000 * MILLISECOND;
  return time;
}

// Destructors of libraries must not run beside them: those that do not end soon end with the process, without any.
static void end_all(int status, void *unused) {
  (void)unused;
  struct timespec until = from_now(LOOK);
  pthread_mutex_lock(&mutex);
  while (alone && pthread_cond_clockwait(&fewer, &mutex, CLOCK_MONOTONIC, &until) == 0) {
  }
  bool ended = !alone;
  pthread_mutex_unlock(&mutex);
  if (ended) return;
  fflush(NULL);
  _exit(status);
}

// A child of fork has only the forking thread.
static void forget_all(void) {
  pthread_mutex_init(&mutex, NULL);
  pthread_cond_init(&fewer, NULL);
  alone = 0;
}

static void register_handlers(void) {
  pthread_atfork(NULL, NULL, forget_all);
  on_exit(end_all, NULL);
}

static void count_alone(int change) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_handlers);
  pthread_mutex_lock(&mutex);
  alone += change;
  pthread_cond_broadcast(&fewer);
  pthread_mutex_unlock(&mutex);
}

//===-- One job -----------------------------------------------------------------------------------===//

static void free_job(job *each) {
  pthread_cond_destroy(&each->end);
  pthread_mutex_destroy(&each->mutex);
  free(each);
}

static bool is_stopped(void *data) { return atomic_load_explicit(&((job *)data)->stop, memory_order_relaxed); }

static void *run(void *data) {
  job *own = data;
  pa_stop_listen((pa_stop_listener){is_stopped, own});
  pa_fork_begin();
  own->work(own->data);
  pa_fork_end();
  pthread_mutex_lock(&own->mutex);
  own->ended = true;
  bool left_alone = own->left_alone;
  pthread_cond_signal(&own->end);
  pthread_mutex_unlock(&own->mutex);
  if (!left_alone) return NULL; // the other thread frees it
  own->drop(own->data);
  free_job(own);
  count_alone(-1);
  return NULL;
}

// Signals are for the threads of the program.
static bool start(job *own) {
  pthread_t thread;
  pthread_attr_t attributes;
  sigset_t all, before;
  static const int of_the_thread[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGPROF};
  sigfillset(&all);
  for (size_t i = 0; i < sizeof of_the_thread / sizeof *of_the_thread; ++i) sigdelset(&all, of_the_thread[i]);
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, STACK);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  bool started = pthread_create(&thread, &attributes, run, own) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return started;
}

// Whether it ended within that time.
static bool wait_for(job *own, long nanoseconds) {
  struct timespec until = from_now(nanoseconds);
  pthread_mutex_lock(&own->mutex);
  while (!own->ended && pthread_cond_clockwait(&own->end, &own->mutex, CLOCK_MONOTONIC, &until) == 0) {
  }
  bool ended = own->ended;
  pthread_mutex_unlock(&own->mutex);
  return ended;
}

// The job is freed by its thread, or here where that has ended.
static void leave(job *own) {
  atomic_store(&own->stop, true);
  pthread_mutex_lock(&own->mutex);
  bool ended = own->ended;
  own->left_alone = !ended;
  if (!ended) count_alone(1);
  pthread_mutex_unlock(&own->mutex);
  if (!ended) return;
  own->drop(own->data);
  free_job(own);
}

// True: it ended. A handler that forks leaves its child without the job's thread.
static bool see_to_signals(job *own, pa_progress *progress) {
  pid_t process = getpid();
  for (;;) {
    bool ended;
    Py_BEGIN_ALLOW_THREADS ended = wait_for(own, LOOK);
    Py_END_ALLOW_THREADS if (PyErr_CheckSignals() == 0 && getpid() == process) {
      if (ended) return pa_progress_end(progress), true;
      pa_progress_show(progress);
      continue;
    }
    if (getpid() != process) {
      if (!PyErr_Occurred())
        PyErr_SetString(PyExc_RuntimeError, "the process was forked by a signal handler while it compiled a function");
      return false; // the job stays as the fork left it
    }
    pa_progress_end(progress);
    return leave(own), false;
  }
}

static bool is_main_thread(void) { return syscall(SYS_gettid) == getpid(); }

static job *new_job(void (*work)(void *), void (*drop)(void *), void *data) {
  job *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->work = work;
  made->drop = drop;
  made->data = data;
  pthread_cond_init(&made->end, NULL);
  pthread_mutex_init(&made->mutex, NULL);
  return made;
}

bool pa_foreground_run(void (*work)(void *data), void (*drop)(void *data), void *data) {
  Py_BEGIN_ALLOW_THREADS pa_fork_begin();
  work(data);
  pa_fork_end();
  Py_END_ALLOW_THREADS if (PyErr_CheckSignals() == 0) return true;
  return drop(data), false;
}

bool pa_background_run(void (*work)(void *data), void (*drop)(void *data), void *data, pa_progress *progress) {
  job *own = is_main_thread() ? new_job(work, drop, data) : NULL;
  if (own && start(own)) {
    bool done = see_to_signals(own, progress);
    if (done) free_job(own);
    return done;
  }
  if (own) free_job(own);
  return pa_foreground_run(work, drop, data);
}

//===-- Work of the thread itself -----------------------------------------------------------------===//

static bool has_raised(void *data) {
  void **exception = ((pa_signals *)data)->exception;
  bool was_inside = pa_fork_rest();
  PyGILState_STATE state = PyGILState_Ensure();
  bool raised = !PyErr_Occurred() && PyErr_CheckSignals() != 0;
  if (raised) PyErr_Fetch((PyObject **)&exception[0], (PyObject **)&exception[1], (PyObject **)&exception[2]);
  PyGILState_Release(state);
  pa_fork_go_on(was_inside);
  return raised;
}

void pa_signals_begin(pa_signals *signals) {
  *signals = (pa_signals){.exception = {NULL}};
  signals->before =
      pa_stop_listen(is_main_thread() ? (pa_stop_listener){has_raised, signals} : (pa_stop_listener){NULL, NULL});
}

bool pa_signals_end(pa_signals *signals) {
  pa_stop_listen(signals->before);
  if (!signals->exception[0]) return false;
  PyErr_Restore(signals->exception[0], signals->exception[1], signals->exception[2]); // instead of what may be set
  return true;
}
