// Global lists, dicts and sets of Python as part of compiled code: their contents as bytes, of which the object is made
// when the code first needs it. It lives until the code is unloaded.
//
//   object = "" (none) | "U" length kind flags text | "L" code items | ("S" | "T" | "K") code items [code items]
//   items  = count, the items as they lie in memory, and behind them the object of each handle in them
//
// |code| is that of the items' type, with its NUL. Numbers are those of the machine, at any address.
#include "objects.h"

#include <stdlib.h>
#include <string.h>

#include "frozen.h"
#include "support/fork.h"

//===-- To bytes ----------------------------------------------------------------------------------===//

static void put(pa_string *out, const void *bytes, size_t size) { pa_string_append(out, bytes, size); }

static bool put_object(char code, int64_t handle, pa_string *out);

static bool put_handles(const pa_item_type *type, const char *item, pa_string *out) {
  bool done = true;
  for (int32_t i = 0; done && i < type->part_count && type->handle_count; ++i) {
    const pa_item_part *part = &type->parts[i];
    int64_t handle;
    if (part->code == '[') return false;
    if (part->code != 'U' && part->code != 'Y' && part->code != 'o') continue;
    memcpy(&handle, item + part->offset, sizeof handle);
    done = put_object(part->code, handle, out);
  }
  return done;
}

// |stride|: from one item to the next.
static bool put_items(const pa_item_type *type, const char *items, int64_t count, int64_t stride, pa_string *out) {
  put(out, type->code, strlen(type->code) + 1);
  put(out, &count, sizeof count);
  if (stride == type->size)
    put(out, items, (size_t)(count * stride));
  else
    for (int64_t i = 0; i < count; ++i) put(out, items + i * stride, (size_t)type->size);
  bool done = true;
  for (int64_t i = 0; done && type->handle_count && i < count; ++i) done = put_handles(type, items + i * stride, out);
  return done;
}

static bool put_text(int64_t handle, pa_string *out) {
  const pa_str *str = pa_object_of(handle);
  put(out, "U", 1);
  put(out, &str->length, sizeof str->length);
  put(out, &str->kind, sizeof str->kind);
  put(out, &str->flags, sizeof str->flags);
  return put(out, pa_str_content(str), (size_t)(str->length * str->kind)), true;
}

// Of a dict that was just made: no entry of it is deleted.
static bool put_dict(char letter, const pa_dict *dict, pa_string *out) {
  put(out, &letter, 1);
  if (!put_items(dict->key, dict->entries + PA_DICT_KEY, dict->used, dict->entry_size, out)) return false;
  return letter != 'K' || put_items(dict->value, dict->entries + dict->value_offset, dict->used, dict->entry_size, out);
}

static bool put_object(char code, int64_t handle, pa_string *out) {
  if (!handle) return put(out, "", 1), true;
  if (code == 'U' || code == 'Y') return put_text(handle, out);
  const void *object = pa_object_of(handle);
  const pa_object_type *type = pa_type_of(object);
  if (type == &pa_dict_type) return put_dict('K', object, out);
  if (type == &pa_set_type || type == &pa_frozenset_type)
    return put_dict(type == &pa_set_type ? 'S' : 'T', object, out);
  if (type != &pa_list_type) return false;
  const pa_list *list = object;
  put(out, "L", 1);
  return put_items(list->type, list->items, list->length, list->type->size, out);
}

bool pa_freeze(int64_t handle, pa_string *out) { return put_object('o', handle, out); }

//===-- From bytes --------------------------------------------------------------------------------===//

static void take(const char **at, void *out, size_t size) {
  memcpy(out, *at, size);
  *at += size;
}

static bool take_object(const char **at, int64_t *out_handle);

// |items|: zeroed, room for |count|. On failure they hold what was taken so far.
static bool take_items(const char **at, const pa_item_type *type, char *items, int64_t count) {
  if (count) take(at, items, (size_t)(count * type->size));
  if (!type->handle_count) return true;
  for (int64_t i = 0; i < count; ++i)
    for (int32_t k = 0; k < type->handle_count; ++k)
      memset(items + i * type->size + type->handles[k], 0, sizeof(int64_t));
  for (int64_t i = 0; i < count; ++i)
    for (int32_t k = 0; k < type->part_count; ++k) {
      const pa_item_part *part = &type->parts[k];
      int64_t handle;
      if (part->code != 'U' && part->code != 'Y' && part->code != 'o') continue;
      if (!take_object(at, &handle)) return false;
      memcpy(items + i * type->size + part->offset, &handle, sizeof handle);
    }
  return true;
}

static const pa_item_type *take_type(const char **at, int64_t *out_count) {
  const char *code = *at;
  *at += strlen(code) + 1;
  take(at, out_count, sizeof *out_count);
  return pa_item_type_get(code);
}

static bool take_list(const char **at, int64_t *out_handle) {
  int64_t count;
  const pa_item_type *type = take_type(at, &count);
  pa_list *list = type ? pa_list_new(type, count) : NULL;
  if (!list) return false;
  *out_handle = pa_handle_of(list);
  if (count) memset(list->items, 0, (size_t)(count * type->size));
  list->length = count;
  if (take_items(at, type, list->items, count)) return true;
  return pyarray_rt_release(*out_handle), false;
}

typedef struct column {
  const pa_item_type *type;
  char *items;
  int64_t count;
} column;

static bool take_column(const char **at, column *out) {
  out->type = take_type(at, &out->count);
  out->items = out->type ? calloc((size_t)out->count + 1, (size_t)out->type->size + 1) : NULL;
  return out->items && take_items(at, out->type, out->items, out->count);
}

static bool take_dict(const char **at, char letter, int64_t *out_handle) {
  column keys = {0}, values = {0};
  pa_dict *dict = NULL;
  bool done = take_column(at, &keys) && (letter != 'K' || take_column(at, &values));
  if (done) dict = pa_dict_new(keys.type, values.type, keys.count);
  done = dict != NULL;
  for (int64_t i = 0; done && i < keys.count; ++i)
    done =
        pa_dict_set(dict, keys.items + i * keys.type->size, values.type ? values.items + i * values.type->size : NULL);
  if (keys.items) pa_items_release(keys.type, keys.items, keys.count); // the dict holds them too
  if (values.items) pa_items_release(values.type, values.items, values.count);
  free(keys.items);
  free(values.items);
  if (letter == 'T' && done) pa_owner_of(pa_handle_of(dict))->type = &pa_frozenset_type;
  if (done) return *out_handle = pa_handle_of(dict), true;
  if (dict) pyarray_rt_release(pa_handle_of(dict));
  return false;
}

static bool take_text(const char **at, int64_t *out_handle) {
  int64_t length;
  int32_t kind, flags;
  take(at, &length, sizeof length);
  take(at, &kind, sizeof kind);
  take(at, &flags, sizeof flags);
  void *data = malloc((size_t)(length * kind) + 1); // where it is aligned
  if (!data) return false;
  take(at, data, (size_t)(length * kind));
  *out_handle = pa_handle_of(pa_str_copy(data, kind, length, flags & PA_STR_BYTES));
  free(data);
  return *out_handle != 0;
}

static bool take_object(const char **at, int64_t *out_handle) {
  char letter = *(*at)++;
  switch (letter) {
  case '\0': return *out_handle = 0, true;
  case 'U': return take_text(at, out_handle);
  case 'L': return take_list(at, out_handle);
  default: return take_dict(at, letter, out_handle);
  }
}

//===-- Objects that were made --------------------------------------------------------------------===//

typedef struct made {
  struct made *next;
  int64_t *slot; // of the compiled code
} made;

static made *all;
PA_FORK_LOCK(lock)

int64_t pyarray_rt_frozen(int64_t slot, int64_t bytes) {
  int64_t *place = pa_object_of(slot), handle = __atomic_load_n(place, __ATOMIC_ACQUIRE);
  if (handle) return handle;
  pthread_mutex_lock(&lock);
  handle = *place;
  made *entry = handle ? NULL : malloc(sizeof *entry);
  const char *at = pa_object_of(bytes);
  if (entry && take_object(&at, &handle)) {
    *entry = (made){all, place};
    all = entry;
    __atomic_store_n(place, handle, __ATOMIC_RELEASE);
  } else {
    free(entry);
  }
  pthread_mutex_unlock(&lock);
  return handle;
}

void pa_frozen_forget(const void *begin, const void *end) {
  made *gone = NULL;
  pthread_mutex_lock(&lock);
  for (made **at = &all; *at;) {
    made *entry = *at;
    if ((uintptr_t)entry->slot < (uintptr_t)begin || (uintptr_t)entry->slot >= (uintptr_t)end) {
      at = &entry->next;
      continue;
    }
    *at = entry->next;
    entry->next = gone;
    gone = entry;
  }
  pthread_mutex_unlock(&lock);
  while (gone) {
    made *entry = gone;
    gone = entry->next;
    pyarray_rt_release(*entry->slot);
    free(entry);
  }
}
