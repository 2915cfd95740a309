// What the files of the cache key share: fingerprint.c (the key, the process, any value), fingerprint_values.c (data,
// and things that have a lasting name) and fingerprint_functions.c.
#ifndef PYARRAY_PYTHON_EXT_FINGERPRINT_H
#define PYARRAY_PYTHON_EXT_FINGERPRINT_H

#include "ext.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { PA_MAX_KEY_DEPTH = 200 }; // of values within values

typedef struct pa_hasher {
  XXH3_state_t *state;
  PyObject *own_file; // of the function asked for, which does not enter, so that its entry survives a move; borrowed
  PyObject **seen;    // functions in the order of their discovery, borrowed
  size_t seen_count, seen_capacity;
  int depth;
  bool failed;      // a Python exception is set
  bool uncacheable; // a value without a fingerprint
} pa_hasher;

static inline void pa_put(pa_hasher *to, const void *bytes, size_t size) {
  XXH3_128bits_update(to->state, bytes, size);
}
static inline void pa_put_number(pa_hasher *to, int64_t number) { pa_put(to, &number, sizeof number); }
static inline void pa_put_tag(pa_hasher *to, char tag) { pa_put(to, &tag, 1); }
static inline void pa_give_up(pa_hasher *to) { to->uncacheable = true; }
static inline bool pa_is_over(const pa_hasher *to) { return to->failed || to->uncacheable; }

// fingerprint.c
// |text| may be anything: what is no str is a tag of its own.
void pa_put_str(pa_hasher *to, PyObject *text);
void pa_put_bytes_object(pa_hasher *to, PyObject *bytes);
void pa_put_options(pa_hasher *to, pa_dispatcher *dispatcher);
// Any value; gives up where it has no fingerprint.
void pa_put_value(pa_hasher *to, PyObject *value);

// Sets of strings have another order in every process: their elements are hashed apart and the hashes added.
typedef struct pa_order_free {
  XXH3_state_t *outer;
  XXH128_hash_t sum;
} pa_order_free;

// Between begin and end, each element ends with a call of the second. False with an exception set.
bool pa_order_free_begin(pa_hasher *to, pa_order_free *state);
void pa_order_free_element(pa_hasher *to, pa_order_free *state);
void pa_order_free_end(pa_hasher *to, pa_order_free *state);

// build_id.c
// Which build of a library the file at |path| is.
void pa_put_build(pa_hasher *to, const char *path);

// fingerprint_values.c
void pa_put_int(pa_hasher *to, PyObject *value);
void pa_put_sequence(pa_hasher *to, char tag, PyObject *tuple);
void pa_put_mutable(pa_hasher *to, PyObject *value);
void pa_put_parts(pa_hasher *to, PyObject *value); // of a range or slice
void pa_put_frozenset(pa_hasher *to, PyObject *set);
void pa_put_array(pa_hasher *to, PyObject *value);
// False, with nothing hashed, for values of other kinds; so are the functions below that give a bool.
bool pa_put_numpy_scalar(pa_hasher *to, PyObject *value);
bool pa_is_known_module(PyObject *name);
// By its module and own name; false where it has no name, or, with |only_known|, a module that may change.
bool pa_put_named(pa_hasher *to, char tag, PyObject *object, bool only_known);
void pa_put_builtin(pa_hasher *to, PyObject *function);
bool pa_put_library_object(pa_hasher *to, PyObject *value);
bool pa_put_made_callable(pa_hasher *to, PyObject *value);
void pa_put_class(pa_hasher *to, PyObject *type);

// fingerprint_functions.c
// The code of a Python function with what it refers to; the second takes the name for those of modules that do not
// change.
void pa_put_function(pa_hasher *to, PyObject *function);
void pa_put_python_function(pa_hasher *to, PyObject *function);
void pa_put_method(pa_hasher *to, PyObject *method);
bool pa_put_callback(pa_hasher *to, PyObject *value);
bool pa_put_jitclass(pa_hasher *to, PyObject *class);
bool pa_put_base_class(pa_hasher *to, PyObject *class);
bool pa_put_named_class(pa_hasher *to, PyObject *class); // of named tuples, or an enum
bool pa_put_named_value(pa_hasher *to, PyObject *value);
void pa_put_classes_of(pa_hasher *to, const char *codes); // the classes that occur in type codes

#endif // PYARRAY_PYTHON_EXT_FINGERPRINT_H
