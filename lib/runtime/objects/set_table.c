// Tables of the keys of sets of whole numbers: how they are filled, and how keys leave them.
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "set_table.h"

#include "spare_blocks.h"

enum { LINE = 64 }; // bytes; a group lies in one line of the cache

// Of a set without entries: nothing is found in it, nothing put.
static _Alignas(LINE) int64_t no_places[GROUP];

// For steps between groups. That of the golden ratio (Knuth, The Art of Computer Programming 3, 6.4).
static const uint64_t golden = 0x9E3779B97F4A7C15u;

// For groups: of 1,000, 30,000 and 100,000 numbers 2^k apart in 2^11, 2^17 and 2^18 places none is away from its group,
// whatever k; of 30,000 in 2^16 places at most 16%. Found by trying random ones; by the golden ratio's, 69% of 100,000
// numbers 2^16 apart are away.
static const uint64_t spreading = 0xF3F7BA8E0445D657u;

static int64_t places_of(const pa_dict *set) { return set->mask + GROUP; }

// From group to group: odd, so that it comes to all of them.
static uint64_t step_of(int64_t key) { return (((uint64_t)key * golden >> 32) * 2 + 1) * GROUP; }

void pa_table_clear(pa_dict *set) {
  pa_block_give(set->block);
  set->block = NULL;
  set->table = no_places;
  set->mask = set->shift = 0;
  set->multiplier = 1;
  set->outside[0] = set->outside[1] = set->away = set->left = 0;
}

void pa_table_drop_numbers(pa_dict *set) {
  pa_block_give(set->index);
  set->index = NULL;
}

//===-- Lookup ------------------------------------------------------------------------------------===//

int64_t *pa_table_place(const pa_dict *set, int64_t key) {
  int64_t *free_place = NULL;
  uint64_t at = (uint64_t)(pa_table_group(set, key) - set->table), step = step_of(key);
  for (;; at = (at + step) & (uint64_t)set->mask) {
    int64_t *group = set->table + at;
    for (int i = 0; i < GROUP; ++i) {
      if (group[i] == key) return &group[i];
      if (group[i] == 0) return free_place ? free_place : &group[i];
      if (group[i] == pa_no_key && !free_place) free_place = &group[i];
    }
  }
}

bool pa_table_has(const pa_dict *set, int64_t key) {
  return pa_is_in_table(key) ? *pa_table_place(set, key) == key : set->outside[key < 0] != 0;
}

int32_t pyarray_rt_set_has(int64_t set, int64_t key) { return pa_table_has(pa_dict_of(set), key); }

//===-- Filling -----------------------------------------------------------------------------------===//

static bool is_away(const pa_dict *set, const int64_t *place, int64_t key) {
  return set->table + ((place - set->table) & -GROUP) != pa_table_group(set, key);
}

// So many keys are not in their groups that products are to name the groups. At random one of twenty is not.
static bool is_crowded(const pa_dict *set) { return set->away > set->length / 8 + 2 * GROUP && set->multiplier == 1; }

// Where its group does not say where it goes. Gives the place, if it is one of the table.
static int64_t *put_new(pa_dict *set, int64_t key) {
  if (!pa_is_in_table(key)) {
    *pa_table_flag(set, key) = 1;
    return NULL;
  }
  int64_t *place = pa_table_place(set, key);
  set->away += is_away(set, place, key);
  return *place = key, place;
}

// How many keys the groups of a table have that was empty. Were they counted in it, the processor would learn late
// where a key goes, and do loads of that group, which it did meanwhile, again; and numbers in a row, which share
// groups, would each wait for the one before.
typedef struct lengths {
  uint8_t *of;           // NULL where memory is short
  uint8_t near[1 << 13]; // of most tables
} lengths;

static bool begin_lengths(lengths *all, const pa_dict *set) {
  size_t groups = (size_t)(places_of(set) / GROUP);
  all->of = groups <= sizeof all->near ? all->near : pa_block_take(groups);
  return all->of && memset(all->of, 0, groups);
}

// As pa_table_group; |plain|: no product names the groups, which saves a multiplication and a shift for each key.
INLINE int64_t *group_in(const pa_dict *set, int64_t key, bool plain) {
  return plain ? set->table + ((uint64_t)key & (uint64_t)set->mask) : pa_table_group(set, key);
}

// A statement for each of the four: of keys of four bytes or not, and of groups that a product names or not.
#define BY_FORM(set, STATEMENT)                                                                                        \
  {                                                                                                                    \
    bool is_narrow = pa_table_is_narrow(set), is_plain = (set)->multiplier == 1;                                       \
    if (is_narrow && is_plain) {                                                                                       \
      const bool narrow = true, plain = true;                                                                          \
      STATEMENT;                                                                                                       \
    } else if (is_narrow) {                                                                                            \
      const bool narrow = true, plain = false;                                                                         \
      STATEMENT;                                                                                                       \
    } else if (is_plain) {                                                                                             \
      const bool narrow = false, plain = true;                                                                         \
      STATEMENT;                                                                                                       \
    } else {                                                                                                           \
      const bool narrow = false, plain = false;                                                                        \
      STATEMENT;                                                                                                       \
    }                                                                                                                  \
  }

INLINE void fill_with(pa_dict *set, uint8_t *lengths, bool narrow, bool plain) {
  enum { AHEAD = 16 };      // entries
  const pa_dict now = *set; // in registers
  bool ahead = now.mask >= LARGE_TABLE;
  for (int64_t number = 0; number < now.used; ++number) {
    if (ahead && number + AHEAD < now.used)
      __builtin_prefetch(group_in(&now, pa_entry_key(&now, number + AHEAD, narrow), plain), 1);
    int64_t key = pa_entry_key(&now, number, narrow), *group = group_in(&now, key, plain);
    int64_t at = (group - now.table) / GROUP, length = lengths[at];
    if (pa_entry_hash(&now, number) == pa_deleted_hash) continue;
    if (pa_is_in_table(key) & (length < GROUP)) {
      group[length] = key;
      lengths[at] = (uint8_t)(length + 1);
      continue;
    }
    const int64_t *place = put_new(set, key);
    if (is_crowded(set)) return;
    if (place) ++lengths[(place - now.table) / GROUP];
  }
}

static void fill_slowly(pa_dict *set) {
  for (int64_t number = 0; number < set->used && !is_crowded(set); ++number)
    if (pa_entry_hash(set, number) != pa_deleted_hash) put_new(set, pa_table_key_at(set, number));
}

static void fill(pa_dict *set) {
  lengths all;
  memset(set->table, 0, (size_t)places_of(set) * sizeof *set->table);
  set->outside[0] = set->outside[1] = set->away = set->left = 0;
  if (begin_lengths(&all, set))
    BY_FORM(set, fill_with(set, all.of, narrow, plain))
  else
    fill_slowly(set);
  if (all.of != all.near) pa_block_give(all.of);
}

// Products name the groups from now on.
static void spread(pa_dict *set) {
  pa_table_drop_numbers(set);
  set->multiplier = (int64_t)spreading;
  set->shift = __builtin_clzll((uint64_t)places_of(set) - 1);
  fill(set);
}

static void fill_or_spread(pa_dict *set) {
  fill(set);
  if (is_crowded(set)) spread(set);
}

bool pa_table_make(pa_dict *set, int64_t places) {
  char *block = pa_block_take((size_t)places * sizeof *set->table + LINE);
  if (!block) return false;
  pa_block_give(set->block);
  pa_table_drop_numbers(set);
  set->block = block;
  set->table = (int64_t *)(void *)(((uintptr_t)block + LINE - 1) & -(uintptr_t)LINE);
  set->mask = places - GROUP;
  if (set->multiplier != 1) set->shift = __builtin_clzll((uint64_t)places - 1);
  fill_or_spread(set);
  return true;
}

bool pa_table_copy(pa_dict *to, const pa_dict *set) {
  size_t table = (size_t)places_of(set) * sizeof *set->table;
  char *entries = pa_block_take((size_t)set->capacity * ENTRY), *block = pa_block_take(table + LINE);
  if (!entries || !block) {
    pa_block_give(entries);
    pa_block_give(block);
    return false;
  }
  memcpy(entries, set->entries, (size_t)set->used * ENTRY);
  to->entries = entries;
  to->block = block;
  to->table = memcpy((void *)(((uintptr_t)block + LINE - 1) & -(uintptr_t)LINE), set->table, table);
  to->mask = set->mask;
  to->shift = set->shift;
  to->multiplier = set->multiplier;
  to->outside[0] = set->outside[0];
  to->outside[1] = set->outside[1];
  to->away = set->away;
  to->left = set->left;
  to->length = set->length;
  to->used = set->used;
  to->capacity = set->capacity;
  ++to->version;
  return true;
}

bool pa_table_put(pa_dict *set, int64_t key) {
  if (!pa_is_in_table(key)) {
    if (*pa_table_flag(set, key)) return false;
    *pa_table_flag(set, key) = 1;
    if (set->index) set->index[places_of(set) + (key < 0)] = (int32_t)set->used;
  } else {
    int64_t *place = pa_table_place(set, key);
    if (*place == key) return false;
    set->left -= *place == pa_no_key;
    set->away += is_away(set, place, key);
    *place = key;
    if (set->index) set->index[place - set->table] = (int32_t)set->used;
  }
  pa_table_append_key(set, key);
  if (is_crowded(set)) spread(set);
  return true;
}

//===-- Many keys ---------------------------------------------------------------------------------===//

static void note_used(pa_dict *set, int64_t used) {
  set->length += used - set->used;
  set->version += used - set->used;
  set->used = used;
}

// The group that a key was put into last, and how long it is since. Numbers in a row share groups: were the length read
// each time, each would wait for the store of the one before.
typedef struct latest_group {
  const int64_t *group;
  int64_t length;
} latest_group;

// Adds numbers up to the first whose group does not say where it goes, and that one. Gives how many. A key that is
// there already is no branch: whether it is cannot be foretold.
INLINE int64_t add_with(pa_dict *set, const char *items, int64_t stride, int64_t count, bool narrow, bool plain) {
  pa_dict now = *set; // in registers
  latest_group latest = {NULL, 0};
  int64_t used = now.used;
  for (int64_t i = 0; i < count; ++i) {
    int64_t key = pa_number_at(items + i * stride, narrow), *group = group_in(&now, key, plain);
    if (!pa_is_in_table(key) | pa_group_is_full(group)) {
      note_used(set, used);
      pa_table_put(set, key);
      return i + 1;
    }
    bool is_new = !pa_group_has(group, key);
    pa_store_entry(&now, used, key, narrow);
    if (group == latest.group) { // of numbers in a row, which are foretold to be new: none waits for the one before
      if (!is_new) continue;
      group[latest.length++] = key;
      ++used;
      continue;
    }
    int64_t length = pa_group_length(group);
    group[length] = is_new ? key : 0;
    latest = (latest_group){group, length + is_new};
    used += is_new;
  }
  note_used(set, used);
  return count;
}

static int64_t add_some(pa_dict *set, const char *items, int64_t stride, int64_t count) {
  BY_FORM(set, return add_with(set, items, stride, count, narrow, plain))
}

void pa_table_add(pa_dict *set, const char *items, int64_t stride, int64_t count) {
  bool narrow = pa_table_is_narrow(set);
  for (int64_t i = 0; set->mask >= LARGE_TABLE && i < count; ++i)
    __builtin_prefetch(pa_table_group(set, pa_number_at(items + i * stride, narrow)), 1);
  for (int64_t at = 0; at < count;) {
    const char *from = items + at * stride;
    at += set->index ? pa_table_put(set, pa_number_at(from, narrow)), 1 : add_some(set, from, stride, count - at);
  }
}

// pa_group_has in other instructions. Not of groups that were just put into: a load of all of one would wait for the
// store of a part.
#ifdef __x86_64__
__attribute__((target("avx2"))) static inline bool group_has_avx2(const int64_t *group, int64_t key) {
  __m256i keys = _mm256_load_si256((const __m256i *)(const void *)group);
  return _mm256_movemask_epi8(_mm256_cmpeq_epi64(keys, _mm256_set1_epi64x(key))) != 0;
}
#endif

INLINE void append_with(pa_dict *to, const pa_dict *set, const pa_dict *other, bool has, bool narrow, bool plain,
                        bool (*group_has)(const int64_t *, int64_t)) {
  enum { AHEAD = 16 };                    // entries
  const pa_dict from = *set, in = *other; // in registers
  bool ahead = in.mask >= LARGE_TABLE;
  int64_t used = to->used;
  char *entries = to->entries;
  for (int64_t number = 0; number < from.used; ++number) {
    if (ahead && number + AHEAD < from.used)
      __builtin_prefetch(group_in(&in, pa_entry_key(&from, number + AHEAD, narrow), plain));
    int64_t key = pa_entry_key(&from, number, narrow), *group = group_in(&in, key, plain);
    bool there = group_has(group, key);
    if (!((there | !pa_group_is_full(group)) & pa_is_in_table(key))) there = pa_table_has(other, key);
    memcpy(entries + used * ENTRY, from.entries + number * ENTRY, ENTRY);
    used += (there == has) & (pa_entry_hash(&from, number) != pa_deleted_hash);
  }
  note_used(to, used);
}

static void append_any(pa_dict *to, const pa_dict *set, const pa_dict *other, bool has) {
  BY_FORM(other, append_with(to, set, other, has, narrow, plain, pa_group_has))
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void append_avx2(pa_dict *to, const pa_dict *set, const pa_dict *other,
                                                        bool has){
    BY_FORM(other, append_with(to, set, other, has, narrow, plain, group_has_avx2))}
#else
#define append_avx2 append_any
#endif

void pa_table_append_where(pa_dict *to, const pa_dict *set, const pa_dict *other, bool has) {
  (__builtin_cpu_supports("avx2") ? append_avx2 : append_any)(to, set, other, has);
}

//===-- Entries -----------------------------------------------------------------------------------===//

static int64_t number_place(const pa_dict *set, int64_t key) {
  return pa_is_in_table(key) ? pa_table_place(set, key) - set->table : places_of(set) + (key < 0);
}

// Numbers of entries by place, and behind the last place those of 0 and |pa_no_key|. Only sets that keys are taken out
// of have them.
static bool number_places(pa_dict *set) {
  if (set->index) return true;
  set->index = pa_block_take((size_t)(places_of(set) + 2) * sizeof *set->index);
  for (int64_t number = 0; set->index && number < set->used; ++number)
    if (pa_dict_hash_at(set, number) != pa_deleted_hash)
      set->index[number_place(set, pa_table_key_at(set, number))] = (int32_t)number;
  return set->index != NULL;
}

static int64_t search(const pa_dict *set, int64_t key) {
  int64_t number = pa_dict_next(set, 0);
  while (pa_table_key_at(set, number) != key) number = pa_dict_next(set, number + 1);
  return number;
}

int64_t pa_table_find(pa_dict *set, int64_t key) {
  if (!pa_table_holds(set, key)) return -1;
  return number_places(set) ? set->index[number_place(set, key)] : search(set, key);
}

// The last key of its group moves up where the group is not full.
static void leave(pa_dict *set, int64_t *place) {
  int64_t *group = set->table + ((place - set->table) & -GROUP);
  if (pa_group_is_full(group)) {
    *place = pa_no_key;
    ++set->left;
    return;
  }
  int64_t *last = group + pa_group_length(group) - 1;
  *place = *last;
  *last = 0;
  if (set->index) set->index[place - set->table] = set->index[last - set->table];
}

void pa_table_forget(pa_dict *set, int64_t number) {
  int64_t key = pa_table_key_at(set, number);
  if (!pa_is_in_table(key)) {
    *pa_table_flag(set, key) = 0;
    return;
  }
  int64_t *place = pa_table_place(set, key);
  set->away -= is_away(set, place, key);
  leave(set, place);
}

void pa_table_tidy(pa_dict *set) {
  if (set->left <= places_of(set) / 4) return;
  pa_table_drop_numbers(set);
  fill_or_spread(set);
}
