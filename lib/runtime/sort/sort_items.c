// Sorts of records and text. Each item is compared by a number that its first key begins with, and in full only where
// that is equal.
#include "sort_items.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RUN = 16, SAMPLED = 600, ROUNDS = 24 };

//===-- Comparison --------------------------------------------------------------------------------===//

static pa_item_key key_at(const pa_item_order *order, int64_t i) {
  pa_item_key key;
  memcpy(&key, order->keys + i * (int64_t)sizeof key, sizeof key);
  return key;
}

#define LOAD(type, from)                                                                                               \
  ({                                                                                                                   \
    type loaded;                                                                                                       \
    memcpy(&loaded, from, sizeof loaded);                                                                              \
    loaded;                                                                                                            \
  })

// Bits of a float64 in the order of the numbers.
static uint64_t rank_of_float(double x) {
  if (x != x) return UINT64_MAX;
  x += 0.0; // -0.0 is 0.0
  uint64_t bits = LOAD(uint64_t, &x);
  return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

// In records NumPy has a float16 that is NaN first.
static uint64_t rank_of_half(uint16_t bits) {
  uint64_t magnitude = bits & 0x7fff;
  return magnitude > 0x7c00 ? 0 : bits & 0x8000 ? 0x8000 - magnitude : 0x8000 + magnitude;
}

static uint64_t rank_of_bfloat(uint16_t bits) {
  uint32_t wide = (uint32_t)bits << 16;
  return rank_of_float(LOAD(float, &wide));
}

static uint64_t rank_of_integer(int64_t x) { return (uint64_t)x ^ UINT64_C(1) << 63; }

// Numbers in the order of real numbers and times, NaN and NaT last; 0 of all others.
static uint64_t rank_of_number(char letter, const char *at) {
  switch (letter) {
  case '?':
  case 'B': return LOAD(uint8_t, at);
  case 'b': return rank_of_integer(LOAD(int8_t, at));
  case 'h': return rank_of_integer(LOAD(int16_t, at));
  case 'H': return LOAD(uint16_t, at);
  case 'i': return rank_of_integer(LOAD(int32_t, at));
  case 'I': return LOAD(uint32_t, at);
  case 'q': return rank_of_integer(LOAD(int64_t, at));
  case 'Q': return LOAD(uint64_t, at);
  case 'M': return LOAD(uint64_t, at) - (UINT64_C(1) << 63) - 1;
  case 'e': return rank_of_half(LOAD(uint16_t, at));
  case 'g': return rank_of_bfloat(LOAD(uint16_t, at));
  case 'f': return rank_of_float((double)LOAD(float, at));
  case 'd': return rank_of_float(LOAD(double, at));
  default: return 0;
  }
}

static int compare_floats(double a, double b) {
  uint64_t x = rank_of_float(a), y = rank_of_float(b);
  return (x > y) - (x < y);
}

// First those without NaN, then those with one in the imaginary part, in the real part, in both.
static int compare_complex(double a_re, double a_im, double b_re, double b_im) {
  int a = 2 * (a_re != a_re) + (a_im != a_im), b = 2 * (b_re != b_re) + (b_im != b_im);
  if (a != b) return a - b;
  int first = compare_floats(a_re, b_re);
  return first ? first : compare_floats(a_im, b_im);
}

static int compare_codes(const char *a, const char *b, int64_t count) {
  for (int64_t i = 0; i < 4 * count; i += 4) {
    uint32_t x = LOAD(uint32_t, a + i), y = LOAD(uint32_t, b + i);
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

static int compare_key(const pa_item_key *key, const char *a, const char *b) {
  a += key->offset, b += key->offset;
  switch ((char)key->letter) {
  case 'S':
  case 'V': return memcmp(a, b, (size_t)key->count);
  case 'U': return compare_codes(a, b, key->count);
  case 'F':
    return compare_complex((double)LOAD(float, a), (double)LOAD(float, a + 4), (double)LOAD(float, b),
                           (double)LOAD(float, b + 4));
  case 'D': return compare_complex(LOAD(double, a), LOAD(double, a + 8), LOAD(double, b), LOAD(double, b + 8));
  default: {
    uint64_t x = rank_of_number((char)key->letter, a), y = rank_of_number((char)key->letter, b);
    return (x > y) - (x < y);
  }
  }
}

int pa_compare_items(const pa_item_order *order, const char *a, const char *b) {
  for (int64_t i = 0; i < order->count; ++i) {
    pa_item_key key = key_at(order, i);
    int result = compare_key(&key, a, b);
    if (result) return result;
  }
  return 0;
}

//===-- Entries -----------------------------------------------------------------------------------===//

enum { PREFIX_BYTES = 8 };

// How many bits the first code points of all items have room in: fewer bits, more of them in a number.
static int bits_of_codes(const pa_item_key *key, const pa_line *items) {
  int64_t count = key->count < PREFIX_BYTES ? key->count : PREFIX_BYTES;
  uint32_t all = 0;
  for (int64_t i = 0; i < items->count; ++i)
    for (int64_t k = 0; k < count; ++k) all |= LOAD(uint32_t, items->data + i * items->step + key->offset + 4 * k);
  return all < 1U << 8 ? 8 : all < 1U << 16 ? 16 : 21;
}

// Of text as much as a number holds; what is no code point counts as the greatest number of so many bits.
static uint64_t prefix_of(const pa_item_key *key, const char *item, int bits) {
  const char *at = item + key->offset;
  uint64_t prefix = 0;
  if (key->letter == 'S' || key->letter == 'V') {
    for (int i = 0; i < PREFIX_BYTES; ++i) prefix = prefix << 8 | (i < key->count ? (uint8_t)at[i] : 0);
    return prefix;
  }
  if (key->letter != 'U') return rank_of_number((char)key->letter, at);
  for (int i = 0; i < 64 / bits; ++i) {
    uint32_t most = (1U << bits) - 1, code = i < key->count ? LOAD(uint32_t, at + 4 * i) : 0;
    prefix = prefix << bits | (code < most ? code : most);
  }
  return prefix;
}

// An item of a line, the number that its first key begins with, and where it lies.
typedef struct entry {
  uint64_t prefix;
  int64_t position;
} entry;

typedef struct sorted_line {
  const pa_item_order *order;
  pa_line items;
} sorted_line;

static bool is_less(entry a, entry b, const sorted_line *line) {
  if (a.prefix != b.prefix) return a.prefix < b.prefix;
  const pa_line *items = &line->items;
  return pa_compare_items(line->order, items->data + a.position * items->step, items->data + b.position * items->step) <
         0;
}

#define DIRECT(x) (x)
#define LESS_ENTRY(a, b) is_less(a, b, values)
#define PA_T entry
#define PA_ITEM entry
#define PA_VALUES sorted_line
#define PA_VALUE DIRECT
#define PA_LESS LESS_ENTRY
#define PA_SUFFIX entries
#include "sort_type.h"

// The entries of a line in its order, which the caller frees; NULL where there is no memory.
static entry *entries_of(const sorted_line *line) {
  int64_t count = line->items.count;
  entry *entries = malloc((size_t)(count ? count : 1) * sizeof *entries);
  pa_item_key key = line->order->count ? key_at(line->order, 0) : (pa_item_key){.letter = 'V'};
  int bits = key.letter == 'U' ? bits_of_codes(&key, &line->items) : 0;
  for (int64_t i = 0; entries && i < count; ++i)
    entries[i] = (entry){prefix_of(&key, line->items.data + i * line->items.step, bits), i};
  return entries;
}

static int select_ranks(entry *entries, const sorted_line *line, pa_line ranks) {
  int status = 0;
  int64_t done = 0;
  for (int64_t i = 0; !status && i < ranks.count; ++i) {
    int64_t rank = LOAD(int64_t, ranks.data + i * ranks.step);
    if (rank < done) continue;
    status = select_items_entries(entries + done, line->items.count - done, rank - done, line, ROUNDS);
    done = rank + 1;
  }
  return status;
}

// Puts the items in the order of the entries; -1 where there is no memory.
static int move_items(const sorted_line *line, const entry *entries) {
  pa_line items = line->items;
  size_t bytes = (size_t)line->order->bytes;
  char *moved = malloc((size_t)items.count * bytes + 1);
  if (!moved) return -1;
  for (int64_t i = 0; i < items.count; ++i)
    memcpy(moved + (size_t)i * bytes, items.data + entries[i].position * items.step, bytes);
  for (int64_t i = 0; i < items.count; ++i) memcpy(items.data + i * items.step, moved + (size_t)i * bytes, bytes);
  return free(moved), 0;
}

static void store_positions(pa_line positions, const entry *entries) {
  for (int64_t i = 0; i < positions.count; ++i)
    memcpy(positions.data + i * positions.step, &entries[i].position, sizeof(int64_t));
}

//===-- Lines -------------------------------------------------------------------------------------===//

int pa_sort_items(const pa_item_order *order, pa_line items) {
  sorted_line line = {order, items};
  entry *entries = entries_of(&line);
  int status = entries ? sort_items_entries(entries, items.count, &line) : -1;
  if (status >= 0) status = move_items(&line, entries);
  return free(entries), status;
}

int pa_argsort_items(const pa_item_order *order, pa_line items, pa_line positions) {
  sorted_line line = {order, items};
  entry *entries = entries_of(&line);
  int status = entries ? sort_items_entries(entries, items.count, &line) : -1;
  if (status >= 0) store_positions(positions, entries);
  return free(entries), status;
}

int pa_partition_items(const pa_item_order *order, pa_line ranks, pa_line items) {
  sorted_line line = {order, items};
  entry *entries = entries_of(&line);
  int status = entries ? select_ranks(entries, &line, ranks) : -1;
  if (status >= 0) status = move_items(&line, entries);
  return free(entries), status;
}

int pa_argpartition_items(const pa_item_order *order, pa_line items, pa_line ranks, pa_line positions) {
  sorted_line line = {order, items};
  entry *entries = entries_of(&line);
  int status = entries ? select_ranks(entries, &line, ranks) : -1;
  if (status >= 0) store_positions(positions, entries);
  return free(entries), status;
}

void pa_place_items(const pa_item_order *order, pa_line items, pa_line wanted, pa_line places, bool right) {
  for (int64_t i = 0; i < wanted.count; ++i) {
    const char *value = wanted.data + i * wanted.step;
    int64_t first = 0, count = items.count;
    while (count > 0) {
      int64_t half = count / 2;
      bool below = pa_compare_items(order, items.data + (first + half) * items.step, value) < right;
      first = below ? first + half + 1 : first;
      count = below ? count - half - 1 : half;
    }
    memcpy(places.data + i * places.step, &first, sizeof first);
  }
}
