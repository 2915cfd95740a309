// What a compilation that takes long is at, on one line of the terminal, which is empty again when it ends.
#ifndef PYARRAY_LIB_PIPELINE_PROGRESS_H
#define PYARRAY_LIB_PIPELINE_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>

typedef struct pa_progress {
  void *function;                // PyObject *: what is compiled
  double start, next;            // when it began, and when the line is written anew
  _Atomic(const char *) towards; // the level that the work leads to; set by the thread that does it
  bool shown;
} pa_progress;

// Both with the GIL, by the thread that waits; a pending exception is left alone. Nothing is written in the first
// second, where sys.stderr is no terminal or one without control sequences, and with PYARRAY_PROGRESS=0.
void pa_progress_show(pa_progress *progress);
void pa_progress_end(pa_progress *progress);

#endif // PYARRAY_LIB_PIPELINE_PROGRESS_H
