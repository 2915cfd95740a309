// Dicts and sets: entries in order of insertion, and an open-addressed index of their numbers.
//
// The index is probed linearly; what is deleted leaves no mark there. The functions by which keys are looked up are
// made for int64, float64, str and all others from one text.
#include "set_table.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "spare_blocks.h"

static int64_t find_in_index(const pa_dict *dict,
                             const void *key){BY_KIND(dict, return pa_dict_search(dict, kind, key))}

int64_t pa_dict_find(pa_dict *dict, const void *key) {
  return dict->table ? pa_table_find(dict, pa_number_at(key, pa_table_is_narrow(dict))) : find_in_index(dict, key);
}

bool pa_dict_has(const pa_dict *dict, const void *key) {
  return dict->table ? pa_table_holds(dict, pa_number_at(key, pa_table_is_narrow(dict)))
                     : find_in_index(dict, key) >= 0;
}

int64_t pa_dict_next(const pa_dict *dict, int64_t position) {
  while (position < dict->used && pa_dict_hash_at(dict, position) == pa_deleted_hash) ++position;
  return position < dict->used ? position : -1;
}

//===-- Memory ------------------------------------------------------------------------------------===//

static void fill_index(pa_dict *dict) {
  for (int64_t i = 0; i <= dict->mask; ++i) dict->index[i] = EMPTY;
  for (int64_t number = 0; number < dict->used; ++number) {
    uint64_t at = pa_dict_first_place(dict, pa_dict_hash_at(dict, number));
    while (dict->index[at & (uint64_t)dict->mask] != EMPTY) ++at;
    dict->index[at & (uint64_t)dict->mask] = (int32_t)number;
  }
}

static void close_gaps(pa_dict *dict) {
  int64_t to = 0;
  if (dict->used == dict->length) return;
  for (int64_t from = 0; from < dict->used; ++from) {
    if (pa_dict_hash_at(dict, from) == pa_deleted_hash) continue;
    if (to != from) memcpy(pa_dict_entry(dict, to), pa_dict_entry(dict, from), (size_t)dict->entry_size);
    ++to;
  }
  dict->used = to;
}

// Of |capacity| entries, at most half of whose places are in use.
static int64_t places_for(int64_t capacity) {
  int64_t places = SMALLEST;
  while (places < capacity * 2) places *= 2;
  return places;
}

// An index of all entries, or a table, of so many places. False where memory is short.
static bool make_index(pa_dict *dict, int64_t places) {
  if (dict->table) {
    close_gaps(dict);
    pa_table_drop_numbers(dict);
    return pa_table_make(dict, places);
  }
  int32_t *index = pa_block_take((size_t)places * sizeof *index);
  if (!index) return false;
  pa_block_give(dict->index);
  dict->index = index;
  dict->mask = places - 1;
  dict->shift = __builtin_clzll((uint64_t)dict->mask);
  close_gaps(dict);
  fill_index(dict);
  return true;
}

bool pa_dict_resize(pa_dict *dict, int64_t capacity) {
  int64_t bytes;
  if (capacity < dict->capacity) capacity = dict->capacity; // deleted entries make enough room
  if (capacity > INT_MAX / 4 || __builtin_mul_overflow(capacity, dict->entry_size, &bytes)) return false;
  char *entries = pa_block_grow(dict->entries, (size_t)(dict->used * dict->entry_size), (size_t)bytes);
  if (!entries) return false;
  dict->entries = entries;
  if (!make_index(dict, places_for(capacity))) return false;
  dict->capacity = capacity;
  return true;
}

bool pa_dict_index(pa_dict *dict, int64_t room) {
  int64_t places = places_for(dict->used);
  if (!make_index(dict, places)) return false;
  dict->capacity = room < places / 2 ? room : places / 2;
  return true;
}

static int64_t aligned(int64_t offset, const pa_item_type *type) {
  return (offset + type->alignment - 1) & -type->alignment;
}

pa_dict *pa_dict_new(const pa_item_type *key, const pa_item_type *value, int64_t capacity) {
  pa_dict *dict = key ? pa_object_new(value ? &pa_dict_type : &pa_set_type, sizeof *dict) : NULL;
  if (!dict) return NULL;
  dict->key = key;
  dict->value = value;
  dict->value_offset = value ? aligned(PA_DICT_KEY + key->size, value) : PA_DICT_KEY + key->size;
  dict->entry_size = (dict->value_offset + (value ? value->size : 0) + 7) & -8;
  if (!value && key->number && strchr("qQiI", key->number)) pa_table_clear(dict);
  if (!capacity || pa_dict_resize(dict, capacity)) return dict;
  pyarray_rt_release(pa_handle_of(dict));
  return NULL;
}

pa_dict *pa_dict_new_like(const pa_dict *dict, int64_t capacity) {
  pa_dict *made = pa_dict_new(dict->key, dict->value, capacity);
  if (!made) return NULL;
  pa_owner_of(pa_handle_of(made))->type = pa_type_of(dict);
  pa_set_typed(made, pa_is_typed(dict));
  return made;
}

static void destroy(void *object) {
  pa_dict *dict = object;
  bool holds = dict->key->handle_count || (dict->value && dict->value->handle_count);
  for (int64_t i = holds ? pa_dict_next(dict, 0) : -1; i >= 0; i = pa_dict_next(dict, i + 1)) {
    pa_items_release(dict->key, pa_dict_key(dict, i), 1);
    if (dict->value) pa_items_release(dict->value, pa_dict_value(dict, i), 1);
  }
  pa_block_give(dict->index);
  pa_block_give(dict->block);
  pa_block_give(dict->entries);
}

//===-- Changes -----------------------------------------------------------------------------------===//

// Large dicts double, small ones grow faster.
static int64_t grown(int64_t length) {
  enum { LARGE = 1 << 16 };
  int64_t capacity = length * (length < LARGE ? 4 : 2);
  return capacity < SMALLEST ? SMALLEST : capacity;
}

// The entry of |key|, made where there is none: then the value is zero. NULL where memory is short.
INLINE char *place_key(pa_dict *dict, pa_key_kind kind, const void *key) {
  int64_t hash = kind.hash(dict->key, key);
  int64_t number = EMPTY;
  int64_t place = dict->index ? pa_dict_find_place(dict, kind, hash, key, &number) : 0;
  if (number >= 0) return pa_dict_entry(dict, number);
  if (dict->used == dict->capacity) {
    if (!pa_dict_resize(dict, grown(dict->length))) return NULL;
    place = pa_dict_find_place(dict, kind, hash, key, &number);
  }
  if (!kind.difference && dict->key->handle_count) pa_items_retain(dict->key, key, 1);
  return pa_dict_insert_at(dict, kind, place, hash, key);
}

static __attribute__((noinline)) bool place_where_full(pa_dict *set, int64_t key) {
  if (pa_table_holds(set, key)) return true;
  if (!pa_dict_resize(set, grown(set->length))) return false;
  pa_table_insert(set, key);
  return true;
}

// Whether |key| is in the set of whole numbers now. False where memory is short.
INLINE bool place_number(pa_dict *set, int64_t key) {
  if (set->used == set->capacity) return place_where_full(set, key);
  pa_table_insert(set, key);
  return true;
}

static char *place_in_index(pa_dict *dict, const void *key) { BY_KIND(dict, return place_key(dict, kind, key)) }

static char *place_any(pa_dict *dict, const void *key) {
  if (!dict->table) return place_in_index(dict, key);
  return place_number(dict, pa_number_at(key, pa_table_is_narrow(dict))) ? dict->entries
                                                                         : NULL; // nobody asks for a value
}

static void replace_value(pa_dict *dict, char *entry, const void *value) {
  enum { ON_STACK = 512 };
  size_t size = (size_t)dict->value->size;
  char on_stack[ON_STACK], *old = size <= ON_STACK ? on_stack : malloc(size);
  char *place = entry + dict->value_offset;
  pa_items_retain(dict->value, value, 1);
  if (old) memcpy(old, place, size); // no memory for a copy: the old value leaks
  memcpy(place, value, size);
  if (old) pa_items_release(dict->value, old, 1);
  if (old != on_stack) free(old);
}

bool pa_dict_set(pa_dict *dict, const void *key, const void *value) {
  char *entry = place_any(dict, key);
  if (entry && dict->value) replace_value(dict, entry, value);
  return entry != NULL;
}

// No place of the index is left that is in the way: those behind |place| move up as far as they may.
static void empty_place(pa_dict *dict, uint64_t place) {
  uint64_t mask = (uint64_t)dict->mask, gap = place;
  for (uint64_t at = (place + 1) & mask; dict->index[at] != EMPTY; at = (at + 1) & mask) {
    uint64_t wanted = pa_dict_first_place(dict, pa_dict_hash_at(dict, dict->index[at])) & mask;
    if (((at - wanted) & mask) < ((at - gap) & mask)) continue;
    dict->index[gap] = dict->index[at];
    gap = at;
  }
  dict->index[gap] = EMPTY;
}

static void empty_place_of(pa_dict *dict, int64_t number) {
  if (dict->table) {
    pa_table_forget(dict, number);
    return;
  }
  uint64_t at = pa_dict_first_place(dict, pa_dict_hash_at(dict, number));
  while (dict->index[at & (uint64_t)dict->mask] != number) ++at;
  empty_place(dict, at & (uint64_t)dict->mask);
}

static void erase(pa_dict *dict, int64_t number) {
  empty_place_of(dict, number);
  memcpy(pa_dict_entry(dict, number), &pa_deleted_hash, sizeof pa_deleted_hash);
  --dict->length;
  ++dict->version;
  if (dict->table) pa_table_tidy(dict);
  // What is released may change this dict: it is read before.
  const pa_item_type *value = dict->value;
  char *old = pa_dict_entry(dict, number);
  enum { ON_STACK = 512 };
  size_t size = (size_t)dict->entry_size;
  char on_stack[ON_STACK], *copy = size <= ON_STACK ? on_stack : malloc(size);
  int64_t value_offset = dict->value_offset;
  if (copy) memcpy(copy, old, size);
  while (dict->used && pa_dict_hash_at(dict, dict->used - 1) == pa_deleted_hash) --dict->used;
  if (copy) pa_items_release(dict->key, copy + PA_DICT_KEY, 1);
  if (copy && value) pa_items_release(value, copy + value_offset, 1);
  if (copy != on_stack) free(copy);
}

bool pa_dict_delete(pa_dict *dict, const void *key) {
  int64_t number = pa_dict_find(dict, key);
  if (number >= 0) erase(dict, number);
  return number >= 0;
}

//===-- What compiled code calls ------------------------------------------------------------------===//

int64_t pyarray_rt_dict_new(int64_t key, int64_t value, int64_t capacity) {
  return pa_handle_of(pa_dict_new(pa_address(key), pa_address(value), capacity));
}

int64_t pyarray_rt_frozenset_new(int64_t key, int64_t capacity) {
  pa_dict *made = pa_dict_new(pa_address(key), NULL, capacity);
  if (made) pa_owner_of(pa_handle_of(made))->type = &pa_frozenset_type;
  return pa_handle_of(made);
}

#define LOOKUPS(name, type, kind)                                                                                      \
  int64_t pyarray_rt_dict_find_##name(int64_t dict, type key) {                                                        \
    return pa_dict_entry_or_0(pa_dict_of(dict), pa_dict_search(pa_dict_of(dict), kind, &key));                         \
  }                                                                                                                    \
  int64_t pyarray_rt_dict_place_##name(int64_t dict, type key) {                                                       \
    return pa_handle_of(place_key(pa_dict_of(dict), kind, &key));                                                      \
  }

LOOKUPS(i64, int64_t, pa_i64_key)
LOOKUPS(i32, int32_t, pa_i32_key)
LOOKUPS(f64, double, pa_f64_key)
LOOKUPS(str, int64_t, pa_str_key)

int64_t pyarray_rt_set_find_number(int64_t set, int64_t key) {
  return pa_dict_entry_or_0(pa_dict_of(set), pa_table_find(pa_dict_of(set), key));
}

int32_t pyarray_rt_set_add_number(int64_t set, int64_t key) { return !place_number(pa_dict_of(set), key); }

int64_t pyarray_rt_dict_find(int64_t dict, int64_t key) {
  return pa_dict_entry_or_0(pa_dict_of(dict), pa_dict_find(pa_dict_of(dict), pa_address(key)));
}
int64_t pyarray_rt_dict_place(int64_t dict, int64_t key) {
  return pa_handle_of(place_any(pa_dict_of(dict), pa_address(key)));
}

void pyarray_rt_dict_erase(int64_t handle, int64_t entry) {
  pa_dict *dict = pa_dict_of(handle);
  erase(dict, (entry - pa_handle_of(dict->entries)) / dict->entry_size);
}

int64_t pyarray_rt_dict_last(int64_t handle) {
  const pa_dict *dict = pa_dict_of(handle);
  return dict->used ? pa_handle_of(pa_dict_entry(dict, dict->used - 1)) : 0;
}

void pyarray_rt_dict_clear(int64_t handle) {
  pa_dict *dict = pa_dict_of(handle), old = *dict;
  if (old.length) ++dict->version;
  dict->length = dict->used = dict->capacity = 0;
  dict->index = NULL;
  dict->entries = NULL;
  dict->block = NULL;
  if (dict->table) pa_table_clear(dict);
  destroy(&old);
}

int64_t pyarray_rt_dict_begin(int64_t handle) {
  pa_dict *dict = pa_dict_of(handle);
  if (dict->used != dict->length) {
    close_gaps(dict);
    if (dict->table)
      pa_table_drop_numbers(dict);
    else
      fill_index(dict);
  }
  return dict->version;
}

int32_t pyarray_rt_dict_update(int64_t handle, int64_t other) {
  pa_dict *dict = pa_dict_of(handle);
  const pa_dict *source = pa_dict_of(other);
  for (int64_t i = pa_dict_next(source, 0); i >= 0 && dict != source; i = pa_dict_next(source, i + 1))
    if (!pa_dict_set(dict, pa_dict_key(source, i), source->value ? pa_dict_value(source, i) : NULL)) return 1;
  return 0;
}

//===-- The types ---------------------------------------------------------------------------------===//

static bool equal(const void *a, const void *b) {
  const pa_dict *left = a, *right = b;
  if (left->length != right->length) return false;
  for (int64_t i = pa_dict_next(left, 0); i >= 0; i = pa_dict_next(left, i + 1)) {
    if (!left->value && !pa_dict_has(right, pa_dict_key(left, i))) return false;
    int64_t other = left->value ? find_in_index(right, pa_dict_key(left, i)) : 0;
    if (other < 0) return false;
    if (left->value && !pa_item_equal(left->value, pa_dict_value(left, i), pa_dict_value(right, other))) return false;
  }
  return true;
}

static void repr(const void *object, pa_string *out) {
  const pa_dict *dict = object;
  if (!dict->value && !dict->length) return pa_string_puts(out, "set()");
  pa_string_puts(out, "{");
  for (int64_t first = pa_dict_next(dict, 0), i = first; i >= 0; i = pa_dict_next(dict, i + 1)) {
    if (i != first) pa_string_puts(out, ", ");
    pa_item_repr(dict->key, pa_dict_key(dict, i), out);
    if (dict->value) {
      pa_string_puts(out, ": ");
      pa_item_repr(dict->value, pa_dict_value(dict, i), out);
    }
  }
  pa_string_puts(out, "}");
}

static void repr_frozenset(const void *object, pa_string *out) {
  pa_string_puts(out, "frozenset(");
  if (((const pa_dict *)object)->length) repr(object, out);
  pa_string_puts(out, ")");
}

// CPython's: the order of the items does not count.
static int64_t hash_frozenset(const void *object) {
  const pa_dict *set = object;
  uint64_t hash = ((uint64_t)set->length + 1) * 1927868237u;
  for (int64_t i = pa_dict_next(set, 0); i >= 0; i = pa_dict_next(set, i + 1)) {
    uint64_t item = (uint64_t)pa_item_hash(set->key, pa_dict_key(set, i));
    hash ^= ((item ^ 89869747u) ^ (item << 16)) * 3644798167u;
  }
  hash ^= (hash >> 11) ^ (hash >> 25);
  hash = hash * 69069u + 907133923u;
  return hash == UINT64_MAX ? 590923713 : (int64_t)hash;
}

const pa_object_type pa_dict_type = {"dict", destroy, equal, NULL, NULL, repr};
const pa_object_type pa_set_type = {"set", destroy, equal, NULL, NULL, repr};
const pa_object_type pa_frozenset_type = {"frozenset", destroy, equal, NULL, hash_frozenset, repr_frozenset};
