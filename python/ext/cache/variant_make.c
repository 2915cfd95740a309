// Makes a variant: loads it from the disk cache, or has it compiled and stores it there.
#include "variant.h"

#include <stdlib.h>
#include <string.h>

//===-- Making one --------------------------------------------------------------------------------===//

void pa_variant_free(pa_variant *variant) {
  if (!variant) return;
  if (!variant->target && !variant->is_lent) {
    pa_object_unload(variant->object);
    if (variant->kernels) {
      Py_BEGIN_ALLOW_THREADS pa_forward.free_kernels(variant);
      Py_END_ALLOW_THREADS
    }
    if (variant->kernel) { // it waits for the devices, whose callbacks need the GIL
      Py_BEGIN_ALLOW_THREADS pa_forward.destroy_kernel(variant->kernel);
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
    pa_variant_free(first);
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

// What code refers to beside the runtime.
static void *find_elsewhere(const char *name) {
  void *address = pa_numpy_random_lookup(name);
  if (!address) address = pa_precompiled_lookup(name);
  return address ? address : pa_forward.find_device_function(name);
}

static pa_status load_object(pa_variant *variant, const pa_image *image) {
  if (pa_numpy_loops_fetch(image->bytes, image->size) < 0) return pa_fail(PA_CODE_PYTHON, NULL, "NumPy's inner loops");
  if (pa_numpy_random_fetch(image->bytes, image->size) < 0) return pa_fail(PA_CODE_PYTHON, NULL, "NumPy's Generator");
  PA_TRY(pa_object_load_with(image->bytes, image->size, find_elsewhere, &variant->object));
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
    pa_variant_free(variant);
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
  if (!*out_status && dispatcher->offload) *out_status = pa_forward.load_kernels(image, variant);
  if (!*out_status) return variant;
  pa_variant_free(variant);
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
  uint64_t kernels_size; // of the host's code whose arrays are a GPU's
  uint64_t written;
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
      header.kernels_size > (rest -= header.sites_size) || header.object_size != rest - header.kernels_size)
    return NULL;
  const char *code = bytes + sizeof header, *entry = code + header.code_size, *sites = entry + header.entry_size;
  if (code[header.code_size - 1] || entry[header.entry_size - 1]) return NULL;
  if (!header.object_size) return pa_variant_by_value(dispatcher, code, entry);
  const char *kernels = sites + header.sites_size;
  pa_image image = {.bytes = kernels + header.kernels_size,
                    .size = header.object_size,
                    .entry = entry,
                    .shared_bytes = header.shared_bytes,
                    .points = header.points,
                    .cooperative = header.cooperative,
                    .kernels = kernels,
                    .kernels_size = header.kernels_size,
                    .written = header.written};
  pa_status status;
  pa_variant *variant = variant_new(dispatcher, code, &image, sites, header.sites_size, &status);
  if (!variant) pa_status_free(status); // it does not fit this process: compile again
  return variant;
}

// What pickles have brought and nothing has used yet: bytes by the bytes of their keys. Under the GIL.
static PyObject *received;

PyObject *pa_receive_code(PyObject *module, PyObject *arguments) {
  (void)module;
  PyObject *key, *bytes;
  if (!PyArg_ParseTuple(arguments, "SS", &key, &bytes)) return NULL;
  if (!received && !(received = PyDict_New())) return NULL;
  return PyDict_SetItem(received, key, bytes) < 0 ? NULL : Py_NewRef(Py_None);
}

PyObject *pa_cached_code(PyObject *module, PyObject *key) {
  (void)module;
  void *bytes;
  size_t size;
  pa_cache_key wanted;
  if (!PyBytes_Check(key) || PyBytes_GET_SIZE(key) != sizeof wanted) return Py_NewRef(Py_None);
  memcpy(&wanted, PyBytes_AS_STRING(key), sizeof wanted);
  if (!pa_cache_load(pa_cache_of_process(), &wanted, &bytes, &size)) return Py_NewRef(Py_None);
  PyObject *result = PyBytes_FromStringAndSize(bytes, (Py_ssize_t)size);
  free(bytes);
  return result;
}

// Used once: from then on it is on disk, if there is such a cache.
static pa_variant *load_received(pa_dispatcher *dispatcher, const pa_cache_key *key) {
  if (!received || !PyDict_GET_SIZE(received)) return NULL;
  PyObject *name = PyBytes_FromStringAndSize((const char *)key->bytes, sizeof key->bytes);
  PyObject *bytes = name ? Py_XNewRef(PyDict_GetItemWithError(received, name)) : NULL;
  pa_variant *variant = NULL;
  if (bytes && PyDict_DelItem(received, name) == 0) {
    size_t size = (size_t)PyBytes_GET_SIZE(bytes);
    variant = variant_from_blob(dispatcher, PyBytes_AS_STRING(bytes), size);
    if (variant) pa_cache_store(pa_cache_of_process(), key, PyBytes_AS_STRING(bytes), size);
  }
  PyErr_Clear(); // without it, it is compiled
  Py_XDECREF(bytes);
  Py_XDECREF(name);
  return variant;
}

static pa_variant *load_cached(pa_dispatcher *dispatcher, const pa_cache_key *key) {
  void *bytes;
  size_t size;
  pa_variant *variant = load_received(dispatcher, key);
  if (variant) {
    variant->from_cache = true;
    return variant;
  }
  if (!pa_cache_load(pa_cache_of_process(), key, &bytes, &size)) return NULL;
  variant = variant_from_blob(dispatcher, bytes, size);
  free(bytes);
  if (variant) variant->from_cache = true;
  return variant;
}

static void store_cached(const pa_cache_key *key, const pa_variant *variant, const pa_image *image) {
  blob_header header = {strlen(variant->code) + 1,
                        strlen(image->entry) + 1,
                        variant->sites_size,
                        image->size,
                        image->shared_bytes,
                        image->points,
                        image->cooperative,
                        image->kernels_size,
                        image->written};
  size_t size = sizeof header + header.code_size + header.entry_size + header.sites_size + header.kernels_size +
                header.object_size;
  char *blob = malloc(size);
  if (!blob) return;
  char *at = mempcpy(blob, &header, sizeof header);
  at = mempcpy(at, variant->code, header.code_size);
  at = mempcpy(at, image->entry, header.entry_size);
  at = mempcpy(at, variant->sites, header.sites_size);
  if (header.kernels_size) at = mempcpy(at, image->kernels, header.kernels_size);
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
    if (field % PA_SITE_FIELDS != PA_SITE_FILE || strcmp(from, own_file) != 0) to = mempcpy(to, from, length);
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
  if (variant && key) store_cached(key, variant, &(pa_image){.bytes = "", .entry = result->wanted});
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
  pa_image image = {.bytes = result.object,
                    .size = result.object_size,
                    .entry = result.entry ? result.entry : "",
                    .shared_bytes = result.shared_bytes,
                    .points = result.points,
                    .linked = result.linked,
                    .linked_size = result.linked_size,
                    .cooperative = result.cooperative,
                    .fixed = result.fixed,
                    .kernels = result.kernels,
                    .kernels_size = result.kernels_size,
                    .written = result.written};
  pa_variant *variant = take_wanted(dispatcher, code, &result, key);
  if (variant) return core->free_result(&result), variant;
  if (result.outcome != PYARRAY_OK)
    pa_core_raise(&result);
  else if (pa_core_warn(&result))
    variant = variant_from_result(dispatcher, &result, &image);
  if (variant && variant->kernel && !pa_forward.link_kernel(variant, &image)) {
    pa_variant_free(variant);
    variant = NULL;
  }
  char *linked = NULL;
  if (variant && key && variant->kernels && !pa_forward.link_kernels(variant, &image, &linked)) {
    pa_variant_free(variant);
    variant = NULL;
  }
  if (variant && key) store_cached(key, variant, &image);
  free(linked);
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
  if (variant && variant->wanted && !by_value) pa_variant_free(variant), variant = NULL;
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

pa_variant *pa_variant_make(pa_dispatcher *dispatcher, const char *code, bool by_value) {
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
