// Calls of values of a FunctionType: compiled functions of other objects, by the addresses of their entries.
#include <stdlib.h>

#include "thread.h"

static int64_t (*read_error)(const pa_function *);

void pa_set_function_error_reader(int64_t (*read)(const pa_function *function)) { read_error = read; }

// A thread of a parallel loop would wait for the interpreter, which waits for the loop.
static int64_t take_error(const pa_thread *thread, const pa_function *function) {
  if (!thread->region && read_error) return read_error(function);
  pa_raised_clear();
  return -1;
}

// Errors that the caller is handling are none of the function's, whose sites are those of another object.
int64_t pyarray_rt_call_function(const void *value, int64_t arguments, int64_t results) {
  const pa_function *function = value;
  pa_thread *thread = pa_thread_current();
  pa_error **handled = thread->handled;
  int64_t count = thread->handled_count, capacity = thread->handled_capacity;
  if (count) thread->handled = NULL, thread->handled_count = thread->handled_capacity = 0;
  int32_t status = function->entry((const uint64_t *)(uintptr_t)arguments, (uint64_t *)(uintptr_t)results);
  int64_t raised = status ? take_error(thread, function) : 0;
  if (count) {
    free(thread->handled);
    thread->handled = handled;
    thread->handled_count = count;
    thread->handled_capacity = capacity;
  }
  return raised;
}
