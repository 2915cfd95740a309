// Blocks of compiled functions that the interpreter runs.
#include "thread.h"

static int64_t (*caller)(int64_t, const char *, const uint64_t *, uint64_t *);
static int64_t (*read_handled)(void);

void pa_set_block_caller(int64_t (*call)(int64_t number, const char *codes, const uint64_t *arguments,
                                         uint64_t *results)) {
  caller = call;
}

void pa_set_handled_reader(int64_t (*read)(void)) { read_handled = read; }

int64_t pyarray_rt_handled_outside(void) { return read_handled && !pa_thread_current()->region ? read_handled() : 0; }

// A thread of a parallel loop would wait for the interpreter, which waits for the loop. What the interpreter runs may
// handle errors in compiled code of its own, whose stack of handled errors is that of this thread.
int64_t pyarray_rt_blocks_run(void) {
  const pa_thread *thread = pa_thread_current();
  return caller && !thread->region && !thread->handled_count;
}

int64_t pyarray_rt_texts_made(void) { return caller && !pa_thread_current()->region; }

int64_t pyarray_rt_call_block(int64_t number, int64_t codes, int64_t arguments, int64_t results) {
  return caller(number, (const char *)(uintptr_t)codes, (const uint64_t *)(uintptr_t)arguments,
                (uint64_t *)(uintptr_t)results);
}
