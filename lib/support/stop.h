// Work that is not wanted any more, since the user pressed Ctrl-C: what takes long asks now and then, and leaves with a
// status.
#ifndef PYARRAY_LIB_SUPPORT_STOP_H
#define PYARRAY_LIB_SUPPORT_STOP_H

#include "support.h"

// Whom a thread asks whether its work shall end; no |ask|: it is always wanted.
typedef struct pa_stop_listener {
  bool (*ask)(void *data);
  void *data;
} pa_stop_listener;

// From now on this thread asks |listener|, at most every few milliseconds, until it says yes once. Gives the one that
// it asked before.
pa_stop_listener pa_stop_listen(pa_stop_listener listener);
// Whether the answer was yes. Cheap enough for every operation of a module. A fork that waits for this thread goes on
// meanwhile (fork.h).
bool pa_must_stop(void);
// The same as a status, PA_CODE_INTERRUPTED.
pa_status pa_check_stop(void);

#endif // PYARRAY_LIB_SUPPORT_STOP_H
