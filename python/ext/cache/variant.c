// Compiled variants: found by argument types, loaded from the disk cache or compiled, published for all threads.
//
// Under the GIL a variant is filled in completely before it is linked in, and never changes afterwards. The compiler
// releases the GIL; a thread that wants what another is compiling waits for it.
#include "cuda/kernel.h"
#include "ext.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

//===-- Making one --------------------------------------------------------------------------------===//

static void variant_free(pa_variant *variant) {
  if (!variant) return;
  if (!variant->target && !variant->is_lent) {
    pa_object_unload(variant->object);
    if (variant->kernel) { // it waits for the devices, whose callbacks need the GIL
      Py_BEGIN_ALLOW_THREADS pa_kernel_destroy(variant->kernel);
      Py_END_ALLOW_THREADS
    }
    free(variant->sites);
    Py_XDECREF(variant->modules);
  }
  free(variant->code);
  free(variant->wanted);
  free(variant);
}

void pa_variants_free(pa_variant *first) {
  while (first) {
    pa_variant *next = first->next;
    variant_free(first);
    first = next;
  }
}

static void raise_status(pa_status status) {
  if (PyErr_Occurred())
    ; // of Python code that was called
  else if (pa_status_code(status) == PA_CODE_MEMORY)
    PyErr_NoMemory();
  else
    PyErr_Format(PyExc_RuntimeError, "pyarray: compiled code could not be loaded: %s", pa_status_message(status));
  pa_status_free(status);
}

static pa_status load_object(pa_variant *variant, const pa_image *image) {
  if (pa_numpy_loops_fetch(image->bytes, image->size) < 0) return pa_fail(PA_CODE_PYTHON, NULL, "NumPy's inner loops");
  PA_TRY(pa_object_load(image->bytes, image->size, &variant->object));
  void *entry = pa_object_symbol(variant->object, "pyarray_entry");
  int64_t *owner = pa_object_symbol(variant->object, PA_OWNER_SYMBOL);
  if (owner) *owner = (int64_t)(uintptr_t)variant;
  memcpy(&variant->entry, &entry, sizeof entry);
  variant->c_entry = entry ? NULL : pa_object_symbol(variant->object, "pyarray_cfunc");
  return entry || variant->c_entry ? PA_OK : pa_fail(PA_CODE_INVALID, NULL, "no function pyarray_entry");
}

// Copies of |code| and |sites| are taken. NULL where the parts do not belong together; |*out_status| then says why.
static pa_variant *variant_new(pa_dispatcher *dispatcher, const char *code, const pa_image *image, const char *sites,
                               size_t sites_size, pa_status *out_status) {
  const char *result = pa_signature_result(code);
  if (!result) {
    *out_status = pa_fail(PA_CODE_INVALID, NULL, "malformed type '%s'", code);
    return NULL;
  }
  pa_variant *variant = calloc(1, sizeof *variant);
  if (variant) {
    variant->code = strdup(code);
    variant->sites = malloc(sites_size + 1);
  }
  if (!variant || !variant->code || !variant->sites) {
    variant_free(variant);
    *out_status = pa_fail(PA_CODE_MEMORY, NULL, "out of memory");
    return NULL;
  }
  variant->dispatcher = dispatcher;
  if (sites_size) memcpy(variant->sites, sites, sites_size);
  variant->sites[sites_size] = '\0';
  variant->sites_size = sites_size;
  variant->arguments_length = (size_t)(result - code) - 1;
  variant->result = variant->code + (result - code);
  variant->result_slots = (size_t)pa_type_slots(result);
  variant->argument_slots = (size_t)pa_signature_argument_slots(code);
  *out_status = dispatcher->cuda ? pa_forward.load_kernel(dispatcher, image, variant) : load_object(variant, image);
  if (!*out_status) return variant;
  variant_free(variant);
  return NULL;
}

pa_variant *pa_variant_lent(const pa_variant *variant) {
  pa_variant *lent = malloc(sizeof *lent);
  char *code = strdup(variant->code);
  if (!lent || !code) {
    free(lent);
    free(code);
    PyErr_NoMemory();
    return NULL;
  }
  *lent = *variant;
  lent->next = NULL;
  lent->is_lent = true;
  lent->code = code;
  lent->result = code + (variant->result - variant->code);
  return lent;
}

//===-- Disk cache --------------------------------------------------------------------------------===//

typedef struct blob_header {
  uint64_t code_size;  // with its NUL
  uint64_t entry_size; // with its NUL
  uint64_t sites_size;
  uint64_t object_size;
  int64_t shared_bytes;
  int64_t points;
  int64_t cooperative;
} blob_header;

pa_cache *pa_cache_of_process(void) {
  static pa_cache *cache;
  if (!cache) cache = pa_cache_open();
  return cache;
}

static bool is_cache_on(const pa_dispatcher *dispatcher) {
  const char *wanted = getenv("PYARRAY_CACHE");
  return dispatcher->cache && !(wanted && strcmp(wanted, "0") == 0);
}

static pa_variant *variant_from_blob(pa_dispatcher *dispatcher, const char *bytes, size_t size) {
  blob_header header;
  if (size < sizeof header) return NULL;
  memcpy(&header, bytes, sizeof header);
  size_t rest = size - sizeof header;
  if (header.code_size == 0 || header.code_size > rest || header.entry_size == 0 ||
      header.entry_size > (rest -= header.code_size) || header.sites_size > (rest -= header.entry_size) ||
      header.object_size != rest - header.sites_size)
    return NULL;
  const char *code = bytes + sizeof header, *entry = code + header.code_size, *sites = entry + header.entry_size;
  if (code[header.code_size - 1] || entry[header.entry_size - 1]) return NULL;
  if (!header.object_size) return pa_variant_by_value(dispatcher, code, entry);
  pa_image image = {sites + header.sites_size, header.object_size, entry, header.shared_bytes, header.points, NULL, 0,
                    header.cooperative};
  pa_status status;
  pa_variant *variant = variant_new(dispatcher, code, &image, sites, header.sites_size, &status);
  if (!variant) pa_status_free(status); // it does not fit this process: compile again
  return variant;
}

static pa_variant *load_cached(pa_dispatcher *dispatcher, const pa_cache_key *key) {
  void *bytes;
  size_t size;
  if (!pa_cache_load(pa_cache_of_process(), key, &bytes, &size)) return NULL;
  pa_variant *variant = variant_from_blob(dispatcher, bytes, size);
  free(bytes);
  if (variant) variant->from_cache = true;
  return variant;
}

static void store_cached(const pa_cache_key *key, const pa_variant *variant, const pa_image *image) {
  blob_header header = {strlen(variant->code) + 1, strlen(image->entry) + 1,
                        variant->sites_size,       image->size,
                        image->shared_bytes,       image->points,
                        image->cooperative};
  size_t size = sizeof header + header.code_size + header.entry_size + header.sites_size + header.object_size;
  char *blob = malloc(size);
  if (!blob) return;
  char *at = mempcpy(blob, &header, sizeof header);
  at = mempcpy(at, variant->code, header.code_size);
  at = mempcpy(at, image->entry, header.entry_size);
  at = mempcpy(at, variant->sites, header.sites_size);
  memcpy(at, image->bytes, image->size);
  pa_cache_store(pa_cache_of_process(), key, blob, size);
  free(blob);
}

//===-- Compiling ---------------------------------------------------------------------------------===//

// Empties the file of every site in |own_file|, so that cached code still names the right file after a move.
static char *relative_sites(const pyarray_compile_result *result, const char *own_file, size_t *out_size) {
  char *sites = malloc(result->sites_size + 1), *to = sites;
  const char *from = result->sites, *end = from + result->sites_size;
  if (!sites) return NULL;
  for (int field = 0; from < end; ++field) {
    size_t length = strnlen(from, (size_t)(end - from));
    if (field % 5 != 2 || strcmp(from, own_file) != 0) to = mempcpy(to, from, length);
    *to++ = '\0';
    from += length + 1;
  }
  *out_size = (size_t)(to - sites);
  return sites;
}

static pa_variant *variant_from_result(pa_dispatcher *dispatcher, const pyarray_compile_result *result,
                                       const pa_image *image) {
  PyCodeObject *python_code = (PyCodeObject *)PyFunction_GET_CODE(dispatcher->function);
  const char *own_file = PyUnicode_AsUTF8(python_code->co_filename);
  if (!own_file) {
    PyErr_Clear();
    own_file = "";
  }
  size_t sites_size;
  char *sites = relative_sites(result, own_file, &sites_size);
  if (!sites) {
    PyErr_NoMemory();
    return NULL;
  }
  pa_status status;
  pa_variant *variant = variant_new(dispatcher, result->type_code, image, sites, sites_size, &status);
  free(sites);
  if (!variant)
    raise_status(status);
  else
    memcpy(variant->seconds, result->seconds, sizeof variant->seconds);
  return variant;
}

// What the failure of a call's compilation makes, or NULL.
static pa_variant *take_wanted(pa_dispatcher *dispatcher, const char *code, const pyarray_compile_result *result,
                               const pa_cache_key *key) {
  if (result->outcome != PYARRAY_TYPING || !result->wanted) return NULL;
  pa_variant *variant = pa_variant_by_value(dispatcher, code, result->wanted);
  if (variant && key) store_cached(key, variant, &(pa_image){"", 0, result->wanted, 0, 0, NULL, 0, false});
  return variant;
}

static pa_variant *compile(pa_dispatcher *dispatcher, const char *code, const pa_cache_key *key, bool by_value) {
  const pyarray_core_api *core = pa_core_load();
  if (!core) return NULL;
  pyarray_compile_request request;
  pyarray_compile_result result = {0};
  pa_core_request(dispatcher, code, &request);
  request.by_value = by_value;
  PyObject *options = Py_NewRef(dispatcher->options); // the request's, which another thread may replace
  core->compile(&request, &result);
  Py_DECREF(options);
  pa_image image = {result.object,       result.object_size, result.entry ? result.entry : "",
                    result.shared_bytes, result.points,      result.linked,
                    result.linked_size,  result.cooperative};
  pa_variant *variant = take_wanted(dispatcher, code, &result, key);
  if (variant) return core->free_result(&result), variant;
  if (result.outcome != PYARRAY_OK)
    pa_core_raise(&result);
  else if (pa_core_warn(&result))
    variant = variant_from_result(dispatcher, &result, &image);
  if (variant && variant->kernel && !pa_forward.link_kernel(variant, &image)) {
    variant_free(variant);
    variant = NULL;
  }
  if (variant && key) store_cached(key, variant, &image);
  core->free_result(&result);
  return variant;
}

// Neither published nor compared with what is there. |code| is "dq>" or "dq>d".
static pa_variant *make_variant(pa_dispatcher *dispatcher, const char *code, bool by_value) {
  if (!is_cache_on(dispatcher)) return compile(dispatcher, code, NULL, by_value);
  pa_cache_key key;
  int has_key = pa_fingerprint_of(dispatcher, code, &key);
  if (has_key < 0) return NULL;
  pa_variant *variant = has_key ? load_cached(dispatcher, &key) : NULL;
  if (variant && variant->wanted && !by_value) variant_free(variant), variant = NULL;
  return variant ? variant : compile(dispatcher, code, has_key ? &key : NULL, by_value);
}

// 1: |*out_key| stands for the function as it is now; 0: there is no such key. No exception is set.
static bool read_source(pa_dispatcher *dispatcher, pa_cache_key *out_key) {
  if (pa_fingerprint_of(dispatcher, "", out_key) > 0) return true;
  PyErr_Clear();
  return false;
}

bool pa_variant_is_current(pa_dispatcher *dispatcher, const pa_variant *variant) {
  pa_cache_key now;
  return variant->has_source && read_source(dispatcher, &now) && memcmp(&now, &variant->source, sizeof now) == 0;
}

// |by_value|: what literally() asks for may make a variant of its own, as calls need it.
static pa_variant *load_or_compile(pa_dispatcher *dispatcher, const char *code, bool by_value) {
  if (!pa_options_refresh(dispatcher)) return NULL;
  pa_cache_key source;
  bool has_source = dispatcher->ufunc && read_source(dispatcher, &source);
  pa_variant *variant = make_variant(dispatcher, code, by_value);
  if (variant) variant->has_result = code[strcspn(code, ">")] && code[strcspn(code, ">") + 1];
  if (variant && has_source) {
    variant->has_source = true;
    variant->source = source;
  }
  if (variant && variant->c_entry) pa_cfunc_bind(dispatcher, variant);
  return variant;
}

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
    variant_free(variant);
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
  pa_variant *variant = load_or_compile(dispatcher, code, by_value);
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
    pa_variant *made = code ? load_or_compile(dispatcher, code, false) : NULL;
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
