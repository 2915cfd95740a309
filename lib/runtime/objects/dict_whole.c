// Operations of whole dicts and sets: copies, unions, differences. What they put together is indexed once, at the end.
#include <limits.h>
#include <stdlib.h>

#include "set_table.h"
#include "spare_blocks.h"

// So many keys are looked up side by side: their places of the index are fetched before the first is compared.
enum { BATCH = 32 };

// The next numbers of entries of |dict| from |*position| on, at most BATCH; those keep their order.
static int next_batch(const pa_dict *dict, int64_t *position, int32_t *numbers) {
  int count = 0;
  for (; *position < dict->used && count < BATCH; ++*position)
    if (pa_dict_hash_at(dict, *position) != pa_deleted_hash) numbers[count++] = (int32_t)*position;
  return count;
}

// Of these entries of |dict|, those whose keys |in| has, or has not.
INLINE int choose(const pa_dict *dict, const pa_dict *in, pa_key_kind kind, bool has, int32_t *numbers, int count) {
  const pa_dict other = *in; // in registers
  int chosen = 0;
  int64_t hashes[BATCH];
  if (!other.length) return has ? 0 : count;
  for (int i = 0; i < count; ++i) {
    const char *entry = pa_dict_entry(dict, numbers[i]);
    hashes[i] = dict->key == other.key && !dict->table ? pa_dict_hash_at(dict, numbers[i])
                                                       : kind.hash(other.key, entry + PA_DICT_KEY);
    __builtin_prefetch(&other.index[pa_dict_first_place(&other, hashes[i])]);
  }
  for (int i = 0; i < count; ++i) {
    int64_t number;
    int32_t own = numbers[i];
    pa_dict_find_place(&other, kind, hashes[i], pa_dict_entry(dict, own) + PA_DICT_KEY, &number);
    numbers[chosen] = own;
    chosen += (number >= 0) == has;
  }
  return chosen;
}

// The same, where |other| has a table.
static int choose_numbers(const pa_dict *dict, const pa_dict *other, bool has, int32_t *numbers, int count) {
  bool narrow = pa_table_is_narrow(dict);
  int chosen = 0;
  for (int i = 0; other->mask >= LARGE_TABLE && i < count; ++i)
    __builtin_prefetch(pa_table_group(other, pa_number_at(pa_dict_entry(dict, numbers[i]) + PA_DICT_KEY, narrow)));
  for (int i = 0; i < count; ++i) {
    int32_t own = numbers[i];
    numbers[chosen] = own;
    chosen += pa_table_holds(other, pa_number_at(pa_dict_entry(dict, own) + PA_DICT_KEY, narrow)) == has;
  }
  return chosen;
}

static int choose_any(const pa_dict *dict, const pa_dict *other, bool has, int32_t *numbers, int count) {
  if (other->table) return choose_numbers(dict, other, has, numbers, count);
  BY_KIND(other, return choose(dict, other, kind, has, numbers, count))
}

static inline void copy_entry(char *to, const char *from, int64_t size) {
  if (size == 16) // that of a set of numbers: no call
    memcpy(to, from, 16);
  else
    memcpy(to, from, (size_t)size);
}

// Copies of entries, of which |to| has none, behind its last one; the index is for later. There is room.
static void append(pa_dict *to, const pa_dict *from, const int32_t *numbers, int count) {
  for (int i = 0; i < count; ++i) {
    char *entry = pa_dict_entry(to, to->used++);
    copy_entry(entry, pa_dict_entry(from, numbers[i]), to->entry_size);
    if (to->key->handle_count) pa_items_retain(to->key, entry + PA_DICT_KEY, 1);
    if (to->value) pa_items_retain(to->value, entry + to->value_offset, 1);
  }
  to->length += count;
  ++to->version;
}

// Room for |more| entries. The index is for later.
static bool reserve(pa_dict *to, int64_t more) {
  int64_t capacity = to->used + more, bytes;
  if (capacity <= to->capacity) return true;
  if (capacity > INT_MAX / 4 || __builtin_mul_overflow(capacity, to->entry_size, &bytes)) return false;
  char *entries = pa_block_grow(to->entries, (size_t)(to->used * to->entry_size), (size_t)bytes);
  if (!entries) return false;
  to->entries = entries;
  to->capacity = capacity;
  return true;
}

static bool append_where(pa_dict *to, const pa_dict *dict, const pa_dict *other, bool has) {
  int32_t numbers[BATCH];
  if (!reserve(to, (other && has && other->length < dict->length ? other->length : dict->length) + 1)) return false;
  if (dict->table && other) return pa_table_append_where(to, dict, other, has), true;
  for (int64_t at = 0; at < dict->used;) {
    int count = next_batch(dict, &at, numbers);
    if (other) count = choose_any(dict, other, has, numbers, count);
    append(to, dict, numbers, count);
  }
  return true;
}

// Room for more than twice of what there is goes, where it is much.
static bool index_all(pa_dict *dict) {
  enum { MUCH = 4096 }; // bytes
  int64_t room = dict->capacity;
  dict->capacity = dict->used;
  if (!dict->used) return true;
  return room / 2 > dict->used && room * dict->entry_size > MUCH ? pa_dict_resize(dict, dict->used)
                                                                 : pa_dict_index(dict, room);
}

bool pa_dict_copy_where(pa_dict *to, const pa_dict *dict, const pa_dict *other, bool has) {
  return append_where(to, dict, other, has) && index_all(to);
}

bool pa_set_merge(pa_dict *to, const pa_dict *a, const pa_dict *b, bool of_one) {
  return reserve(to, a->length + b->length + 1) && append_where(to, a, of_one ? b : NULL, false) &&
         append_where(to, b, a, false) && index_all(to);
}

bool pa_dict_has_none(const pa_dict *dict, const pa_dict *other, bool has) {
  int32_t numbers[BATCH];
  for (int64_t at = 0; at < dict->used;) {
    int count = next_batch(dict, &at, numbers);
    if (choose_any(dict, other, has, numbers, count)) return false;
  }
  return true;
}

//===-- Items of arrays and lists -----------------------------------------------------------------===//

// |count| numbers |stride| bytes apart, at most BATCH, for all of which there is room.
INLINE void add_batch(pa_dict *set, pa_key_kind kind, const char *items, int64_t stride, int64_t count) {
  pa_dict filled = *set; // in registers
  int64_t hashes[BATCH];
  for (int64_t i = 0; i < count; ++i) {
    hashes[i] = kind.hash(filled.key, items + i * stride);
    __builtin_prefetch(&filled.index[pa_dict_first_place(&filled, hashes[i])]);
  }
  for (int64_t i = 0; i < count; ++i) {
    int64_t number;
    int64_t place = pa_dict_find_place(&filled, kind, hashes[i], items + i * stride, &number);
    if (number < 0) pa_dict_insert_at(&filled, kind, place, hashes[i], items + i * stride);
  }
  *set = filled;
}

static void add_any(pa_dict *set, const char *items, int64_t stride, int64_t count) {
  if (set->table) {
    pa_table_add(set, items, stride, count);
    return;
  }
  BY_KIND(set, add_batch(set, kind, items, stride, count); break)
}

// Room is made for all from the start, up to a bound: they may be few that come again and again.
static bool make_room(pa_dict *set, int64_t count) {
  enum { MOST_ROOM = 1 << 16 };
  int64_t most = set->length + MOST_ROOM;
  return pa_dict_resize(set, set->used + (count < most ? count : most));
}

int32_t pyarray_rt_set_add_items(int64_t handle, int64_t items, int64_t stride, int64_t count) {
  pa_dict *set = pa_dict_of(handle);
  const char *at = pa_address(items);
  for (; count > 0; at += BATCH * stride, count -= BATCH) {
    int64_t batch = count < BATCH ? count : BATCH;
    if (set->capacity - set->used < batch && !make_room(set, count)) return 1;
    add_any(set, at, stride, batch);
  }
  return 0;
}

//===-- Copies ------------------------------------------------------------------------------------===//

// Room that is hardly used is not copied.
static bool is_filled(const pa_dict *set) { return set->table && set->capacity <= 4 * set->length; }

int64_t pyarray_rt_dict_copy(int64_t handle) {
  const pa_dict *dict = pa_dict_of(handle);
  pa_dict *copy = pa_dict_new_like(dict, 0);
  if (!copy || !dict->length) return pa_handle_of(copy);
  if (is_filled(dict) ? pa_table_copy(copy, dict) : pa_dict_copy_where(copy, dict, NULL, true))
    return pa_handle_of(copy);
  pyarray_rt_release(pa_handle_of(copy));
  return 0;
}

int64_t pyarray_rt_dict_merge(int64_t a, int64_t b) {
  const pa_dict *left = pa_dict_of(a);
  int64_t made = left->value ? pyarray_rt_dict_copy(a) : pa_handle_of(pa_dict_new_like(left, 0));
  bool done = made && (left->value ? pyarray_rt_dict_update(made, b) == 0
                                   : pa_set_merge(pa_dict_of(made), left, pa_dict_of(b), false));
  if (done || !made) return made;
  pyarray_rt_release(made);
  return 0;
}
