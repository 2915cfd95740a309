// What a forked child can rely on. It has only the thread that forked: a lock that another thread held stays locked in
// it, and what another was about to make once, in LLVM or MLIR, stays half made. So a fork waits for other threads.
#ifndef PYARRAY_LIB_SUPPORT_FORK_H
#define PYARRAY_LIB_SUPPORT_FORK_H

#include <pthread.h>
#include <stdbool.h>

// A lock that every fork takes and gives back, so that what it guards is whole in the child. Whoever holds it may take
// others of these, and waits for nothing else.
#define PA_FORK_LOCK(name)                                                                                             \
  static pthread_mutex_t name = PTHREAD_MUTEX_INITIALIZER;                                                             \
  __attribute__((constructor)) static void name##_is_taken_by_forks(void) {                                            \
    static pa_fork_lock entry = {&name, NULL};                                                                         \
    pa_fork_takes(&entry);                                                                                             \
  }

typedef struct pa_fork_lock {
  pthread_mutex_t *mutex;
  struct pa_fork_lock *next;
} pa_fork_lock;
void pa_fork_takes(pa_fork_lock *lock);

// Code that uses MLIR and LLVM without the GIL, between begin and end. A fork waits until every thread has come to an
// end or a rest, at most some seconds, since the thread that forks may hold the GIL: a rest is due before it is asked
// for. Sections do not nest; without one, a rest does nothing. |pa_fork_end| is also for one that was left by a jump.
void pa_fork_begin(void);
void pa_fork_end(void);
void pa_fork_rest_if_asked(void); // where nothing of MLIR's or LLVM's is locked
// Around what takes the GIL, and may fork itself. |was_inside|: what the rest began with.
bool pa_fork_rest(void);
void pa_fork_go_on(bool was_inside);

#endif // PYARRAY_LIB_SUPPORT_FORK_H
