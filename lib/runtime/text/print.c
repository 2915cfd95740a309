// Where printed text goes. Threads of a parallel loop leave theirs to the thread that started it: it may hold Python's
// lock, which the others would wait for in vain.

#include "support/fork.h"
#include "text.h"
#include "thread.h"

static bool (*print_text)(const char *text, size_t length, bool flush);
PA_FORK_LOCK(lock)
static pa_string waiting; // under the lock
static bool some_waits;

void pa_set_print(bool (*print)(const char *text, size_t length, bool flush)) { print_text = print; }

void pa_print_failed(bool is_value_error, const char *message) {
  pa_record_failure(is_value_error ? PA_VALUE_ERROR : PA_OS_ERROR, "%s", message);
}

bool pa_print_waiting(void) {
  if (!__atomic_load_n(&some_waits, __ATOMIC_ACQUIRE)) return true;
  pthread_mutex_lock(&lock);
  pa_string text = waiting;
  waiting = (pa_string){0};
  __atomic_store_n(&some_waits, false, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&lock);
  bool done = !print_text || print_text(pa_string_text(&text), text.length, false);
  pa_string_free(&text);
  return done;
}

bool pa_print(const pa_string *text, bool flush) {
  if (text->failed) return pa_record_memory_failure(), false;
  if (!pa_thread_current()->thread_id)
    return pa_print_waiting() && (!print_text || print_text(pa_string_text(text), text->length, flush));
  pthread_mutex_lock(&lock);
  pa_string_append(&waiting, pa_string_text(text), text->length);
  __atomic_store_n(&some_waits, true, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&lock);
  return true;
}
