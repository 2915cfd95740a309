// Where masks are true.
//
// What is chosen is stored without branches, or its positions are, one word of the mask after the other; words that are
// all false or all true, of which masks of shapes and thresholds have many, are taken whole.
#include "array_numbers.h"
#include "runtime.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { STRIP = 512, MOST_AXES = 64, WORD = 8, VECTOR = 32, MOST = 127, LONG = 64 };

#if defined(__x86_64__) && defined(__GLIBC__)
#define FOR_THIS_CPU __attribute__((target_clones("avx2", "default")))
#else
#define FOR_THIS_CPU
#endif

//===-- Counting ----------------------------------------------------------------------------------===//

typedef int8_t bytes __attribute__((vector_size(VECTOR), aligned(1), may_alias));

// Of bytes that are one behind the other: up to MOST vectors of them are added up in vectors of bytes.
FOR_THIS_CPU static int64_t count_bytes(const char *mask, int64_t count) {
  int64_t found = 0;
  while (count >= VECTOR) {
    bytes sums = {0};
    int64_t vectors = count / VECTOR < MOST ? count / VECTOR : MOST;
    for (int64_t i = 0; i < vectors; ++i) sums -= *(const bytes *)(mask + i * VECTOR) != 0;
    for (int k = 0; k < VECTOR; ++k) found += sums[k];
    mask += vectors * VECTOR;
    count -= vectors * VECTOR;
  }
  for (int64_t i = 0; i < count; ++i) found += mask[i] != 0;
  return found;
}

static int64_t count_axes(const array *mask, int64_t axis, const char *data) {
  int64_t found = 0, count, step;
  if (axis == mask->rank) return *data != 0;
  count = mask->shape[axis];
  step = mask->strides[axis];
  if (axis < mask->rank - 1) {
    for (int64_t i = 0; i < count; ++i) found += count_axes(mask, axis + 1, data + i * step);
    return found;
  }
  if (step == 1) return count_bytes(data, count);
  for (int64_t i = 0; i < count; ++i) found += data[i * step] != 0;
  return found;
}

// Whether the first |rank| dimensions are one, of the last one's stride.
static bool is_one_row(const array *a, int64_t rank) {
  for (int64_t axis = 0; axis < rank - 1; ++axis)
    if (a->strides[axis] != a->strides[axis + 1] * a->shape[axis + 1]) return false;
  return rank > 0;
}

static int64_t size_of(const array *a) {
  int64_t size = 1;
  for (int64_t axis = 0; axis < a->rank; ++axis) size *= a->shape[axis];
  return size;
}

int64_t pyarray_rt_count_true(int64_t numbers) {
  const int64_t *at = (const int64_t *)(intptr_t)numbers;
  const array mask = pa_read_array(&at);
  if (is_one_row(&mask, mask.rank) && mask.strides[mask.rank - 1] == 1)
    return count_bytes(pa_array_data(&mask), size_of(&mask));
  return count_axes(&mask, 0, pa_array_data(&mask));
}

//===-- Positions ---------------------------------------------------------------------------------===//

static const uint64_t TRUE_WORD = 0x0101010101010101; // true elements are 1; other bytes that count as true are rare

static uint64_t read_word(const char *mask) {
  uint64_t word;
  memcpy(&word, mask, sizeof word);
  return word;
}

// How many whole words of ones there are at the beginning.
static int64_t true_words(const char *mask, int64_t count) {
  int64_t words = 0;
  while ((words + 1) * WORD <= count && read_word(mask + words * WORD) == TRUE_WORD) ++words;
  return words;
}

// The positions of true bytes among |*looked|, at most STRIP; how many there are. Masks often have runs: words that are
// false are skipped, and those that are true have nothing to be found out. |stops|: only up to a long run of those;
// |*looked| is how many bytes were looked at.
static int64_t find_true(const char *mask, int64_t step, int64_t *looked, int16_t *out, bool stops) {
  int64_t found = 0, i = 0, count = *looked;
  for (; step == 1 && i + WORD <= count; i += WORD) {
    uint64_t word = read_word(mask + i);
    if (word == 0) continue;
    if (word == TRUE_WORD) {
      if (stops && i + LONG <= count && true_words(mask + i, LONG) * WORD == LONG) return *looked = i, found;
      for (int k = 0; k < WORD; ++k) out[found + k] = (int16_t)(i + k);
      found += WORD;
      continue;
    }
    for (int k = 0; k < WORD; ++k) {
      out[found] = (int16_t)(i + k);
      found += mask[i + k] != 0;
    }
  }
  for (; i < count; ++i) {
    out[found] = (int16_t)i;
    found += mask[i * step] != 0;
  }
  return found;
}

//===-- Moving ------------------------------------------------------------------------------------===//

typedef struct pair {
  uint64_t low, high;
} pair;

// What a mask chooses of an array, and the same one behind the other.
typedef struct moving {
  array whole, mask, chosen;
  bool stores;       // into |whole|
  int64_t rest;      // dimensions behind those of the mask
  int64_t at, count; // of |chosen|
} moving;

// Item |i| to |place|.
#define MOVE(type, place)                                                                                              \
  for (int64_t i = 0; i < count; ++i) {                                                                                \
    type item;                                                                                                         \
    memcpy(&item, from + i * from_step, sizeof item);                                                                  \
    memcpy(to + (place) * step, &item, sizeof item);                                                                   \
  }

static void store_items(int64_t bytes, char *to, int64_t step, const int16_t *places, const char *from,
                        int64_t from_step, int64_t count) {
  switch (bytes) {
  case 1: MOVE(uint8_t, places[i]) break;
  case 2: MOVE(uint16_t, places[i]) break;
  case 4: MOVE(uint32_t, places[i]) break;
  case 8: MOVE(uint64_t, places[i]) break;
  default: MOVE(pair, places[i])
  }
}

static void copy_items(int64_t bytes, char *to, int64_t step, const char *from, int64_t from_step, int64_t count) {
  if (step == bytes && from_step == bytes) {
    memmove(to, from, (size_t)(count * bytes));
    return;
  }
  switch (bytes) {
  case 1: MOVE(uint8_t, i) break;
  case 2: MOVE(uint16_t, i) break;
  case 4: MOVE(uint32_t, i) break;
  case 8: MOVE(uint64_t, i) break;
  default: MOVE(pair, i)
  }
}

// Each item is moved, and the next one over it where the mask is false: there is nothing to predict. As long as there
// are as many places left as items, |room|, none is missing.
#define TAKE_UP_TO(type, end)                                                                                          \
  for (; i < (end); ++i) {                                                                                             \
    type item;                                                                                                         \
    memcpy(&item, from + i * step, sizeof item);                                                                       \
    memcpy(to + found * (int64_t)sizeof item, &item, sizeof item);                                                     \
    found += mask[i * mask_step] != 0;                                                                                 \
  }

// Where items and mask are contiguous, whole words of the mask are looked at first, as in find_true().
#define TAKE(type)                                                                                                     \
  {                                                                                                                    \
    int64_t i = 0;                                                                                                     \
    while (mask_step == 1 && step == (int64_t)sizeof(type) && i + WORD <= room) {                                      \
      uint64_t word = read_word(mask + i);                                                                             \
      if (word == TRUE_WORD) {                                                                                         \
        memcpy(to + found * (int64_t)sizeof(type), from + i * (int64_t)sizeof(type), WORD * sizeof(type));             \
        found += WORD;                                                                                                 \
        i += WORD;                                                                                                     \
      } else if (word == 0) {                                                                                          \
        i += WORD;                                                                                                     \
      } else {                                                                                                         \
        int64_t end = i + WORD;                                                                                        \
        TAKE_UP_TO(type, end)                                                                                          \
      }                                                                                                                \
    }                                                                                                                  \
    TAKE_UP_TO(type, room)                                                                                             \
  }

// The chosen ones of a row to |to|, which has room for |most|; how many there were.
static int64_t take_items(int64_t bytes, char *to, const char *from, int64_t step, const char *mask, int64_t mask_step,
                          int64_t count, int64_t most) {
  int64_t found = 0;
  while (count > 0 && found < most) {
    int64_t room = count < most - found ? count : most - found;
    switch (bytes) {
    case 1: TAKE(uint8_t) break;
    case 2: TAKE(uint16_t) break;
    case 4: TAKE(uint32_t) break;
    case 8: TAKE(uint64_t) break;
    default: TAKE(pair)
    }
    from += room * step;
    mask += room * mask_step;
    count -= room;
  }
  return found;
}

// A part from its dimension |axis| on.
static void move_part(const moving *m, int64_t axis, char *whole, char *chosen) {
  static const int16_t first[1] = {0};
  int64_t bytes = m->whole.bytes, in_whole = m->mask.rank + axis;
  if (axis == m->rest) {
    store_items(bytes, m->stores ? whole : chosen, 0, first, m->stores ? chosen : whole, 0, 1);
    return;
  }
  for (int64_t i = 0; i < m->whole.shape[in_whole]; ++i)
    move_part(m, axis + 1, whole + i * m->whole.strides[in_whole] * bytes,
              chosen + i * m->chosen.strides[1 + axis] * bytes);
}

// Items at the true bytes of a row, from what is chosen. Long runs are moved as they are.
static void store_row(moving *m, char *whole, int64_t step, const char *mask, int64_t mask_step, int64_t length) {
  int64_t bytes = m->whole.bytes, chosen_step = m->chosen.strides[0] * bytes;
  int16_t places[STRIP + WORD];
  for (int64_t first = 0; first < length && m->at < m->count;) {
    char *chosen = pa_array_data(&m->chosen) + m->at * chosen_step;
    bool looks = mask_step == 1 && m->count - m->at >= LONG;
    int64_t run = looks ? true_words(mask + first, length - first) * WORD : 0;
    if (run > m->count - m->at) run = m->count - m->at; // another thread has changed the mask meanwhile
    if (run >= LONG) {
      copy_items(bytes, whole + first * step, step, chosen, chosen_step, run);
      first += run, m->at += run;
      continue;
    }
    int64_t looked = length - first < STRIP ? length - first : STRIP,
            found = find_true(mask + first * mask_step, mask_step, &looked, places, looks);
    if (found > m->count - m->at) found = m->count - m->at;
    store_items(bytes, whole + first * step, step, places, chosen, chosen_step, found);
    first += looked, m->at += found;
  }
}

static void move_row(moving *m, char *whole, const char *mask, int64_t length) {
  int64_t last = m->mask.rank - 1, bytes = m->whole.bytes, step = m->whole.strides[last] * bytes,
          mask_step = m->mask.strides[last], chosen_step = m->chosen.strides[0] * bytes;
  int16_t places[STRIP + WORD];
  if (m->rest == 0 && m->stores) {
    store_row(m, whole, step, mask, mask_step, length);
  } else if (m->rest == 0) { // what is chosen is new, and contiguous
    m->at += take_items(bytes, pa_array_data(&m->chosen) + m->at * bytes, whole, step, mask, mask_step, length,
                        m->count - m->at);
  } else {
    for (int64_t first = 0; first < length && m->at < m->count; first += STRIP) {
      int64_t strip = length - first < STRIP ? length - first : STRIP,
              found = find_true(mask + first * mask_step, mask_step, &strip, places, false);
      char *from = whole + first * step, *chosen = pa_array_data(&m->chosen) + m->at * chosen_step;
      if (found > m->count - m->at) found = m->count - m->at;
      for (int64_t i = 0; i < found; ++i) move_part(m, 0, from + places[i] * step, chosen + i * chosen_step);
      m->at += found;
    }
  }
}

static void move_axes(moving *m, int64_t axis, char *whole, const char *mask) {
  if (axis == m->mask.rank - 1) {
    move_row(m, whole, mask, m->mask.shape[axis]);
    return;
  }
  for (int64_t i = 0; i < m->mask.shape[axis]; ++i)
    move_axes(m, axis + 1, whole + i * m->whole.strides[axis] * m->whole.bytes, mask + i * m->mask.strides[axis]);
}

static void move_all(moving *m) {
  m->rest = m->whole.rank - m->mask.rank;
  if (!pa_has_elements(&m->mask)) return;
  if (is_one_row(&m->mask, m->mask.rank) && is_one_row(&m->whole, m->mask.rank))
    move_row(m, pa_array_data(&m->whole), pa_array_data(&m->mask), size_of(&m->mask));
  else
    move_axes(m, 0, pa_array_data(&m->whole), pa_array_data(&m->mask));
}

void pyarray_rt_take_masked(int64_t numbers) {
  const int64_t *at = (const int64_t *)(intptr_t)numbers;
  moving m = {.stores = false};
  m.whole = pa_read_array(&at);
  m.mask = pa_read_array(&at);
  m.chosen = pa_read_array(&at);
  m.count = m.chosen.shape[0];
  move_all(&m);
}

int32_t pyarray_rt_store_masked(int64_t numbers, int64_t found) {
  static const int64_t nowhere[1] = {0};
  const int64_t *at = (const int64_t *)(intptr_t)numbers;
  int64_t *told = (int64_t *)(intptr_t)found;
  moving m = {.stores = true};
  void *copy = NULL;
  m.whole = pa_read_array(&at);
  m.mask = pa_read_array(&at);
  m.chosen = pa_read_array(&at);
  told[0] = m.chosen.shape[0];
  told[1] = m.count = count_axes(&m.mask, 0, pa_array_data(&m.mask));
  if (told[0] != m.count && told[0] != 1) return 1;
  if (!pa_set_apart(&m.whole, &m.chosen, &copy, told)) return 2;
  if (m.chosen.shape[0] == 1) m.chosen.strides = nowhere;
  move_all(&m);
  free(copy);
  return 0;
}

//===-- Indices -----------------------------------------------------------------------------------===//

typedef struct listing {
  array mask, found[MOST_AXES];
  int64_t place[MOST_AXES], at, count;
} listing;

// The places of |found| elements along an axis: |first|, and behind it those of |offsets| where there are any.
static void put_indices(const listing *l, int64_t axis, int64_t first, const int16_t *offsets, int64_t found) {
  int64_t step = l->found[axis].strides[0], *out = (int64_t *)pa_array_data(&l->found[axis]) + l->at * step;
  if (offsets && step == 1)
    for (int64_t i = 0; i < found; ++i) out[i] = first + offsets[i];
  else
    for (int64_t i = 0; i < found; ++i) out[i * step] = first + (offsets ? offsets[i] : 0);
}

static void list_row(listing *l, const char *mask) {
  int64_t last = l->mask.rank - 1, length = l->mask.shape[last], step = l->mask.strides[last];
  int16_t places[STRIP + WORD];
  for (int64_t first = 0; first < length && l->at < l->count; first += STRIP) {
    int64_t strip = length - first < STRIP ? length - first : STRIP,
            found = find_true(mask + first * step, step, &strip, places, false);
    if (found > l->count - l->at) found = l->count - l->at;
    for (int64_t axis = 0; axis < last; ++axis) put_indices(l, axis, l->place[axis], NULL, found);
    put_indices(l, last, first, places, found);
    l->at += found;
  }
}

static void list_axes(listing *l, int64_t axis, const char *mask) {
  if (axis == l->mask.rank - 1) {
    list_row(l, mask);
    return;
  }
  for (int64_t i = 0; i < l->mask.shape[axis]; ++i) {
    l->place[axis] = i;
    list_axes(l, axis + 1, mask + i * l->mask.strides[axis]);
  }
}

void pyarray_rt_list_true(int64_t numbers) {
  const int64_t *at = (const int64_t *)(intptr_t)numbers;
  listing l = {.mask = pa_read_array(&at)};
  for (int64_t axis = 0; axis < l.mask.rank; ++axis) l.found[axis] = pa_read_array(&at);
  l.count = l.found[0].shape[0];
  if (pa_has_elements(&l.mask)) list_axes(&l, 0, pa_array_data(&l.mask));
}
