// Work on another thread, while the one that wants it sees to signals.
#ifndef PYARRAY_LIB_PIPELINE_BACKGROUND_H
#define PYARRAY_LIB_PIPELINE_BACKGROUND_H

#include "progress.h"
#include "support/stop.h"

// Does |work(data)| without the GIL, which the caller holds, and which neither function may need. Where a signal
// handler of Python raises meanwhile, an exception is set and the result is false: the work is told to stop
// (support/stop.h) and left alone. |drop(data)| is called when it ends; the caller has lost |data|. What |progress|,
// which is a part of |data|, says is shown meanwhile.
bool pa_background_run(void (*work)(void *data), void (*drop)(void *data), void *data, pa_progress *progress);
// The same of what takes so little time that another thread is not worth it: signals are seen when it is done.
bool pa_foreground_run(void (*work)(void *data), void (*drop)(void *data), void *data);

// For what this thread does itself: has it ask whether a signal handler raised. The exception is kept aside, so that
// the work leaves as after any failure.
typedef struct pa_signals {
  void *exception[3]; // PyObject *: class, value, traceback
  pa_stop_listener before;
} pa_signals;
void pa_signals_begin(pa_signals *signals);
bool pa_signals_end(pa_signals *signals); // with the GIL. True: a handler raised, that exception is set

#endif // PYARRAY_LIB_PIPELINE_BACKGROUND_H
