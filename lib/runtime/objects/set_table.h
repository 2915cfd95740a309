// Sets of whole numbers of four or eight bytes: a table of the keys themselves, so that one line of the cache says
// whether a key is there. Their entries lie behind it in order of insertion, as those of every set do.
//
// A key lies in the group that its lowest bits name, so that numbers in a row lie in a row; where too many keys do not
// fit into their groups, the upper bits of a product name them instead. A full group sends further keys on to others,
// by steps of the key's own. The keys of a group that is not full lie at its start; the rest is 0. A key that leaves a
// full group leaves |pa_no_key| there. Whether 0 and |pa_no_key| themselves are keys, two words beside the table say.
//
// Compiled code reads the first group inline (lower_set.c).
#ifndef PYARRAY_RUNTIME_OBJECTS_SET_TABLE_H
#define PYARRAY_RUNTIME_OBJECTS_SET_TABLE_H

#include "dict_lookup.h"

enum { GROUP = 4, LARGE_TABLE = 1 << 12 }; // places: a larger one does not lie in the nearest cache
static const int64_t pa_no_key = INT64_MIN;

static inline int64_t *pa_table_group(const pa_dict *set, int64_t key) {
  return set->table + (((uint64_t)key * (uint64_t)set->multiplier >> set->shift) & (uint64_t)set->mask);
}

// Neither 0 nor |pa_no_key|.
static inline bool pa_is_in_table(int64_t key) { return (uint64_t)key << 1 != 0; }
static inline int64_t *pa_table_flag(pa_dict *set, int64_t key) { return &set->outside[key < 0]; }

static inline bool pa_group_has(const int64_t *group, int64_t key) {
  return (group[0] == key) | (group[1] == key) | (group[2] == key) | (group[3] == key);
}

// Of a group that is not full: how many keys it has.
static inline int64_t pa_group_length(const int64_t *group) {
  return (group[0] != 0) + (group[1] != 0) + (group[2] != 0);
}
static inline bool pa_group_is_full(const int64_t *group) { return group[GROUP - 1] != 0; }

// The place of |key|, which is one of the table; or, where it is not there, the one where it would be put.
int64_t *pa_table_place(const pa_dict *set, int64_t key);
// For any key, and where its group does not say it.
bool pa_table_has(const pa_dict *set, int64_t key);

static inline bool pa_table_holds(const pa_dict *set, int64_t key) {
  const int64_t *group = pa_table_group(set, key);
  bool there = pa_group_has(group, key);
  return (there | !pa_group_is_full(group)) & pa_is_in_table(key) ? there : pa_table_has(set, key);
}

// The number at |at|, of four bytes where it is |narrow|.
static inline int64_t pa_number_at(const char *at, bool narrow) {
  int64_t wide;
  int32_t few;
  if (narrow) return memcpy(&few, at, sizeof few), few;
  return memcpy(&wide, at, sizeof wide), wide;
}

enum { ENTRY = 16 }; // bytes of one, in every set of numbers

static inline bool pa_table_is_narrow(const pa_dict *set) { return set->key->size == 4; }
static inline int64_t pa_entry_hash(const pa_dict *set, int64_t number) {
  return pa_number_at(set->entries + number * ENTRY, false);
}
static inline int64_t pa_entry_key(const pa_dict *set, int64_t number, bool narrow) {
  return pa_number_at(set->entries + number * ENTRY + PA_DICT_KEY, narrow);
}
static inline int64_t pa_table_key_at(const pa_dict *set, int64_t number) {
  return pa_entry_key(set, number, pa_table_is_narrow(set));
}

// For the hash, which the table makes needless, whatever is not |pa_deleted_hash|.
static inline void pa_store_entry(pa_dict *set, int64_t number, int64_t key, bool narrow) {
  int64_t words[2] = {key & INT64_MAX, narrow ? (int64_t)(uint32_t)key : key};
  memcpy(set->entries + number * ENTRY, words, ENTRY);
}

// The key behind all others; its place is known. There is room.
static inline void pa_table_append_key(pa_dict *set, int64_t key) {
  pa_store_entry(set, set->used++, key, pa_table_is_narrow(set));
  ++set->length;
  ++set->version;
}

// Makes |to|, which is empty, a copy of |set|: memory is copied, no key looked up. False where memory is short.
bool pa_table_copy(pa_dict *to, const pa_dict *set);

// Puts a key, whatever it is, where its group does not say how. False: it is there already.
bool pa_table_put(pa_dict *set, int64_t key);

// Puts a key where there is room for one more entry. False: it is there already.
static inline bool pa_table_insert(pa_dict *set, int64_t key) {
  int64_t *group = pa_table_group(set, key);
  if (pa_group_is_full(group) | !pa_is_in_table(key) | (set->index != NULL)) return pa_table_put(set, key);
  if (pa_group_has(group, key)) return false;
  group[pa_group_length(group)] = key;
  pa_table_append_key(set, key);
  return true;
}

// A set without places: before the first of its entries, or when all are gone.
void pa_table_clear(pa_dict *set);
// A table of |places| for the keys of all entries. False where memory is short.
bool pa_table_make(pa_dict *set, int64_t places);
// Puts |count| numbers, |stride| bytes apart, for all of which there is room.
void pa_table_add(pa_dict *set, const char *items, int64_t stride, int64_t count);
// Appends the entries of |set| whose keys |other|, which has a table, has, or has not. There is room for all and one
// more. The table of |to| is for later.
void pa_table_append_where(pa_dict *to, const pa_dict *set, const pa_dict *other, bool has);
// Numbers of entries have changed.
void pa_table_drop_numbers(pa_dict *set);
// The number of the entry of a key; -1: there is none.
int64_t pa_table_find(pa_dict *set, int64_t key);
// The key of an entry, which is going, leaves its place.
void pa_table_forget(pa_dict *set, int64_t number);
// Behind it, when the entry is gone: makes the table anew where many keys have left it.
void pa_table_tidy(pa_dict *set);

#endif // PYARRAY_RUNTIME_OBJECTS_SET_TABLE_H
