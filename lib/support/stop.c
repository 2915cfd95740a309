#include "stop.h"

#include <time.h>

#include "fork.h"

enum { CALLS_PER_LOOK = 64, NANOSECONDS_PER_QUESTION = 10 * 1000 * 1000 };

static _Thread_local struct {
  pa_stop_listener listener;
  int calls;
  int64_t asked; // when
  bool stopped;
} state;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

pa_stop_listener pa_stop_listen(pa_stop_listener listener) {
  pa_stop_listener before = state.listener;
  state.listener = listener;
  state.calls = 0;
  state.asked = listener.ask ? now() : 0;
  state.stopped = false;
  return before;
}

bool pa_must_stop(void) {
  pa_fork_rest_if_asked();
  if (!state.listener.ask || state.stopped) return state.stopped;
  if (++state.calls < CALLS_PER_LOOK) return false;
  state.calls = 0;
  int64_t time = now();
  if (time - state.asked < NANOSECONDS_PER_QUESTION) return false;
  state.asked = time;
  return state.stopped = state.listener.ask(state.listener.data);
}

pa_status pa_check_stop(void) { return pa_must_stop() ? pa_fail(PA_CODE_INTERRUPTED, NULL, "interrupted") : PA_OK; }
