// Compiled variants: found by argument types, or made (variant_make.c), and published for all threads.
//
// Under the GIL a variant is filled in completely before it is linked in, and never changes afterwards. The compiler
// releases the GIL; a thread that wants what another is compiling waits for it.
#include "variant.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

//===-- Finding and publishing --------------------------------------------------------------------===//

static pa_variant *find(const pa_dispatcher *dispatcher, const char *key, size_t length, int capability) {
  for (pa_variant *variant = dispatcher->variants; variant; variant = variant->next)
    if (variant->arguments_length == length && variant->capability == capability &&
        memcmp(variant->code, key, length) == 0)
      return variant;
  return NULL;
}

// The variant that |code| ("dq>" or "dq>d") asks for. A ufunc may have two loops of the same arguments that differ in
// the declared result; elsewhere the first declaration counts.
static pa_variant *find_declared(const pa_dispatcher *dispatcher, const char *code, size_t length, int capability) {
  if (!dispatcher->ufunc || !code[length + 1]) return find(dispatcher, code, length, capability);
  for (pa_variant *variant = dispatcher->variants; variant; variant = variant->next)
    if (strcmp(variant->code, code) == 0) return variant;
  return NULL;
}

// Takes |variant| over, and returns it or the equal one that another thread published first.
static const pa_variant *publish(pa_dispatcher *dispatcher, pa_variant *variant) {
  pa_variant *earlier = find_declared(dispatcher, variant->code, variant->arguments_length, variant->capability);
  if (earlier && !earlier->target) {
    pa_variant_free(variant);
    return earlier;
  }
  variant->next = dispatcher->variants;
  dispatcher->last = NULL; // it may be a conversion that this variant replaces
  dispatcher->variants = variant;
  return variant;
}

//===-- Compilations under way --------------------------------------------------------------------===//

// Everything here is read and written under the GIL.
typedef struct build {
  struct build *next;
  const pa_dispatcher *dispatcher;
  char *arguments; // their types, "dq"
  unsigned long thread;
  pid_t process;              // a forked child has the entries of threads that it does not have
  PyThread_type_lock running; // held until the end
  int users;                  // the compiling thread and those that wait
} build;

static build *builds;

static void release_build(build *entry) {
  if (--entry->users) return;
  if (entry->running) PyThread_free_lock(entry->running);
  free(entry->arguments);
  free(entry);
}

// NULL where there is no memory: others then compile too.
static build *begin_build(const pa_dispatcher *dispatcher, const char *code, size_t length) {
  build *entry = calloc(1, sizeof *entry);
  if (!entry) return NULL;
  *entry = (build){
      builds, dispatcher, strndup(code, length), PyThread_get_thread_ident(), getpid(), PyThread_allocate_lock(), 1};
  if (!entry->arguments || !entry->running) return release_build(entry), NULL;
  PyThread_acquire_lock(entry->running, WAIT_LOCK);
  return builds = entry;
}

static void end_build(build *entry) {
  if (!entry) return;
  build **link = &builds;
  while (*link != entry) link = &(*link)->next;
  *link = entry->next;
  PyThread_release_lock(entry->running);
  release_build(entry);
}

// What this thread has to wait for, or NULL. A thread that is compiling itself (and came here by a signal handler or by
// Python code that the compiler ran) waits for nobody, so that no two can wait for each other.
static build *find_build(const pa_dispatcher *dispatcher, const char *code, size_t length) {
  build *found = NULL;
  for (build *entry = builds; entry; entry = entry->next) {
    if (entry->thread == PyThread_get_thread_ident()) return NULL;
    if (entry->dispatcher == dispatcher && entry->process == getpid() && strlen(entry->arguments) == length &&
        memcmp(entry->arguments, code, length) == 0)
      found = entry;
  }
  return found;
}

// False with an exception set when a signal handler raised one, KeyboardInterrupt for instance.
static bool wait_for_build(build *entry) {
  ++entry->users;
  PyLockStatus status;
  enum { LOOK = 20 * 1000 }; // microseconds: a signal that comes just before the lock is asked for does not wake it
  do {
    Py_BEGIN_ALLOW_THREADS status = PyThread_acquire_lock_timed(entry->running, LOOK, 1);
    if (status == PY_LOCK_ACQUIRED) PyThread_release_lock(entry->running);
    Py_END_ALLOW_THREADS
  } while (status != PY_LOCK_ACQUIRED && PyErr_CheckSignals() == 0);
  release_build(entry);
  return status == PY_LOCK_ACQUIRED;
}

// Where the thread waited for has failed, the next one tries, so that each caller gets an exception of its own.
static const pa_variant *compile_variant(pa_dispatcher *dispatcher, const char *code, bool by_value) {
  size_t length = strcspn(code, ">");
  int capability = pa_forward.wanted_capability(dispatcher);
  if (capability < 0) return NULL;
  for (;;) {
    pa_variant *earlier = find_declared(dispatcher, code, length, capability);
    if (earlier && !earlier->target) return earlier;
    build *other = find_build(dispatcher, code, length);
    if (!other) break;
    if (!wait_for_build(other)) return NULL;
  }
  build *own = begin_build(dispatcher, code, length);
  pa_variant *variant = pa_variant_make(dispatcher, code, by_value);
  const pa_variant *published = variant ? publish(dispatcher, variant) : NULL;
  end_build(own);
  return published;
}

const pa_variant *pa_variant_compile(pa_dispatcher *dispatcher, const char *code) {
  return compile_variant(dispatcher, code, false);
}

bool pa_variants_recompile(pa_dispatcher *dispatcher) {
  pa_variant *old = dispatcher->variants, *fresh = NULL;
  for (pa_variant *variant = old; variant; variant = variant->next) {
    if (variant->target) continue;
    char *code = variant->has_result ? strdup(variant->code) : strndup(variant->code, variant->arguments_length + 1);
    pa_variant *made = code ? pa_variant_make(dispatcher, code, false) : NULL;
    free(code);
    if (!made) {
      pa_variants_free(fresh);
      return false;
    }
    pa_variant **end = &fresh;
    while (*end) end = &(*end)->next;
    *end = made;
  }
  if (dispatcher->variants != old) { // another thread compiled meanwhile: its variant is as new as ours
    pa_variant *last = dispatcher->variants;
    while (last->next != old) last = last->next;
    last->next = fresh;
  } else {
    dispatcher->variants = fresh;
  }
  dispatcher->last = NULL;
  for (pa_variant **end = &old; *end; end = &(*end)->next)
    if (!(*end)->next) {
      (*end)->next = dispatcher->retired;
      break;
    }
  dispatcher->retired = old;
  return true;
}

//===-- Conversion to a declared variant ----------------------------------------------------------===//

static void raise_no_match(pa_dispatcher *dispatcher, const char *key, bool is_ambiguous, int64_t distance) {
  PyObject *candidates = PyList_New(0);
  for (pa_variant *variant = dispatcher->variants; candidates && variant; variant = variant->next) {
    if (variant->target || pa_conversion_distance(key, strcspn(key, ">"), variant->code) != distance) continue;
    PyObject *code = PyUnicode_FromString(variant->code);
    if (!code || PyList_Append(candidates, code) < 0) Py_CLEAR(candidates);
    Py_XDECREF(code);
  }
  if (!candidates) return;
  pa_raise_instance(pa_call_helper("_report", "no_match", "(OsNO)", dispatcher->function, key, candidates,
                                   is_ambiguous ? Py_True : Py_False));
}

static const pa_variant *convert_to_declared(pa_dispatcher *dispatcher, const char *key, size_t length,
                                             int capability) {
  const pa_variant *best = NULL;
  int64_t best_distance = -1;
  bool is_ambiguous = false;
  for (pa_variant *variant = dispatcher->variants; variant; variant = variant->next) {
    bool is_candidate = !variant->target && variant->capability == capability;
    int64_t distance = is_candidate ? pa_conversion_distance(key, length, variant->code) : -1;
    if (distance < 0 || (best && distance > best_distance)) continue;
    is_ambiguous = best && distance == best_distance;
    best = variant;
    best_distance = distance;
  }
  if (!best || is_ambiguous) {
    raise_no_match(dispatcher, key, is_ambiguous, best_distance);
    return NULL;
  }
  pa_variant *variant = malloc(sizeof *variant);
  char *code = strdup(key);
  if (!variant || !code) {
    free(variant);
    free(code);
    PyErr_NoMemory();
    return NULL;
  }
  *variant = *best;
  variant->code = code;
  variant->arguments_length = length;
  variant->target = best;
  return publish(dispatcher, variant);
}

// What was declared while another kind of device was selected.
static bool declare_for(pa_dispatcher *dispatcher, int capability) {
  for (const pa_variant *variant = dispatcher->variants; variant; variant = variant->next)
    if (!variant->target && variant->capability != capability && !pa_variant_compile(dispatcher, variant->code))
      return false;
  return true;
}

const pa_variant *pa_variant_for(pa_dispatcher *dispatcher, const char *key, size_t length) {
  int capability = pa_forward.wanted_capability(dispatcher);
  if (capability < 0) return NULL;
  if (!dispatcher->can_compile && dispatcher->cuda && !declare_for(dispatcher, capability)) return NULL;
  pa_variant *variant = find(dispatcher, key, length, capability);
  if (variant && (variant->wanted || !(variant->target && dispatcher->can_compile))) return variant;
  pa_string code = {0};
  pa_string_append(&code, key, length);
  pa_string_append(&code, ">", 1);
  const pa_variant *made = dispatcher->can_compile
                               ? compile_variant(dispatcher, code.data, !dispatcher->cuda && !dispatcher->ufunc)
                               : convert_to_declared(dispatcher, code.data, length, capability);
  pa_string_free(&code);
  return made;
}
