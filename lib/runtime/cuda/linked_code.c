// Failures of linked code go back to the kernel's call by longjmp: there is C in between, which has nothing to release,
// or C++ without exceptions.
#include "linked_code.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include "../runtime.h"
#include "support/linked.h"

static __thread jmp_buf *landing __attribute__((tls_model("initial-exec"))); // of the call under way, or NULL
static __thread int32_t failure __attribute__((tls_model("initial-exec")));

void pyarray_rt_linked_call(void (*function)(void *frame), void *frame) {
  jmp_buf here, *volatile outer = landing;
  landing = &here;
  failure = 0;
  if (!_setjmp(here)) function(frame);
  landing = outer;
}

int32_t pyarray_rt_linked_failure(void) { return failure; }

static _Noreturn void leave(int32_t kind) {
  if (!landing) abort(); // a thread that linked code has started itself
  failure = kind;
  _longjmp(*landing, 1);
}

int64_t pyarray_rt_linked_stack(int64_t bytes) {
  uint64_t limit = (uint64_t)pyarray_rt_stack_limit(), here = (uint64_t)(uintptr_t)__builtin_frame_address(0);
  if (here < limit || (uint64_t)bytes > here - limit) leave(PA_LINKED_OVERFLOWED);
  return bytes;
}

void pyarray_rt_linked_abort(void) { leave(PA_LINKED_ABORTED); }

void pyarray_rt_linked_assert(const char *expression, const char *file, unsigned line, const char *function) {
  fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function ? function : "?", expression);
  leave(PA_LINKED_ABORTED);
}
