// Instances of compiled classes: their fields lie at the handle as an item. And what keeps objects of Python alive that
// instances hold: array arguments, whose owner is a record on the dispatcher's stack.
#include "objects.h"
#include "support/fork.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===-- Classes -----------------------------------------------------------------------------------===//

static void destroy(void *object) {
  pa_items_release(((const pa_instance_type *)pa_type_of(object))->fields, object, 1);
}

static void repr(const void *object, pa_string *out) {
  const char *code = ((const pa_instance_type *)pa_type_of(object))->code,
             *colon = strchr(code, ':'); // "J[module:Class#0]"
  pa_string_format(out, "<%.*s.%.*s object at %p>", (int)(colon - code - 2), code + 2, (int)strcspn(colon + 1, "#"),
                   colon + 1, object);
}

typedef struct entry {
  struct entry *next;
  pa_instance_type type;
  char text[];
} entry;

enum { BUCKETS = 256, RECENT = 64 };
static entry *buckets[BUCKETS]; // only ever grow; read without the lock
static entry *recent[RECENT];   // by the address of the text, which other text may have later
PA_FORK_LOCK(lock)

static unsigned bucket_of(const char *text) {
  uint32_t hash = 2166136261u;
  for (; *text; ++text) hash = (hash ^ (uint8_t)*text) * 16777619u;
  return hash % BUCKETS;
}

static entry *find(unsigned bucket, const char *text) {
  for (entry *at = __atomic_load_n(&buckets[bucket], __ATOMIC_ACQUIRE); at; at = at->next)
    if (strcmp(at->text, text) == 0) return at;
  return NULL;
}

// "module:Class#0=(dq)": the text keeps the code behind its '=', and the name behind its end.
static entry *add(unsigned bucket, const char *text) {
  size_t length = strlen(text) + 1;
  const char *code = strrchr(text, '='), *colon = strchr(text, ':'), *mark = colon ? strchr(colon, '#') : NULL;
  const pa_item_type *fields = code ? pa_item_type_get(code + 1) : NULL;
  entry *made = fields && mark ? malloc(sizeof *made + 3 * length + 3) : NULL;
  if (!made) return NULL;
  char *name = memcpy(made->text + length, colon + 1, (size_t)(mark - colon - 1)), *type_code = made->text + 2 * length;
  name[mark - colon - 1] = '\0';
  memcpy(made->text, text, length);
  int code_length = sprintf(type_code, "J[%.*s]", (int)(code - text), text);
  made->type = (pa_instance_type){{name, destroy, NULL, NULL, NULL, repr}, fields, type_code, code_length};
  made->next = buckets[bucket];
  __atomic_store_n(&buckets[bucket], made, __ATOMIC_RELEASE);
  return made;
}

const pa_instance_type *pa_instance_type_get(const char *text) {
  entry **last = &recent[(uintptr_t)text / 16 % RECENT], *found = __atomic_load_n(last, __ATOMIC_ACQUIRE);
  if (found && strcmp(found->text, text) == 0) return &found->type;
  unsigned bucket = bucket_of(text);
  found = find(bucket, text);
  if (!found) {
    pthread_mutex_lock(&lock);
    found = find(bucket, text);
    if (!found) found = add(bucket, text);
    pthread_mutex_unlock(&lock);
  }
  if (!found) return NULL;
  __atomic_store_n(last, found, __ATOMIC_RELEASE);
  return &found->type;
}

void *pa_instance_new(const pa_instance_type *type) {
  return pa_object_new(&type->type, (size_t)(type->fields->size ? type->fields->size : 1));
}

int64_t pyarray_rt_instance_new(int64_t text) {
  const pa_instance_type *type = pa_instance_type_get((const char *)(uintptr_t)text);
  return type ? pa_handle_of(pa_instance_new(type)) : 0;
}

//===-- Objects of Python -------------------------------------------------------------------------===//

typedef struct kept {
  void *object;
} kept;

static void (*change_reference)(void *object, int change);

void pa_set_reference_change(void (*change)(void *object, int change)) { change_reference = change; }

static void let_go(void *object) { change_reference(((kept *)object)->object, -1); }

static const pa_object_type kept_type = {"kept", let_go, NULL, NULL, NULL, NULL};

void *pa_kept_object(int64_t handle) {
  const pa_owner *owner = handle ? pa_owner_of(handle) : NULL;
  if (!owner) return NULL;
  if (owner->kind == PA_OWNER_BORROWED) return owner->object;
  return owner->type == &kept_type ? ((kept *)pa_object_of(handle))->object : NULL;
}

int64_t pyarray_rt_keep(int64_t handle) {
  const pa_owner *owner = handle ? pa_owner_of(handle) : NULL;
  if (!owner || owner->kind != PA_OWNER_BORROWED || !owner->object || !change_reference)
    return pyarray_rt_retain(handle), handle;
  kept *made = pa_object_new(&kept_type, sizeof *made);
  if (!made) return 0;
  made->object = owner->object;
  change_reference(made->object, 1);
  return pa_handle_of(made);
}
