// Sorts and selections of every dtype without NumPy, as programs without Python have them: merges of ours, which are
// stable, with NaN and NaT last.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/runtime/sort/sort.h"
#include "check.h"

enum { MOST = 3000, ITEM = 16 };

// What an item counts as: parts are compared one after the other, and the class first.
typedef struct key {
  int class; // 0: a number; of complex ones 1: NaN is the imaginary part, 2: the real one, 3: both; of others 1: NaN,
             // NaT
  long double parts[2];
} key;

static long double half(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  long double value = exponent == 31 ? (fraction ? NAN : INFINITY)
                      : exponent     ? ldexpl(1024 + fraction, exponent - 25)
                                     : ldexpl(fraction, -24);
  return bits & 0x8000 ? -value : value;
}

static key key_of_real(long double x) { return (key){isnan(x), {isnan(x) ? 0 : x, 0}}; }

static key key_of_complex(long double x, long double y) {
  key k = {2 * isnan(x) + isnan(y), {isnan(x) ? 0 : x, isnan(y) ? 0 : y}};
  return k;
}

#define ITEM_AS(type) (*(const type *)item)
static key key_of(char letter, const char *item) {
  switch (letter) {
  case '?':
  case 'B': return key_of_real(ITEM_AS(uint8_t));
  case 'b': return key_of_real(ITEM_AS(int8_t));
  case 'h': return key_of_real(ITEM_AS(int16_t));
  case 'H': return key_of_real(ITEM_AS(uint16_t));
  case 'i': return key_of_real(ITEM_AS(int32_t));
  case 'I': return key_of_real(ITEM_AS(uint32_t));
  case 'l': return key_of_real(ITEM_AS(int64_t));
  case 'L': return key_of_real(ITEM_AS(uint64_t));
  case 'e': return key_of_real(half(ITEM_AS(uint16_t)));
  case 'f': return key_of_real(ITEM_AS(float));
  case 'd': return key_of_real(ITEM_AS(double));
  case 'F': return key_of_complex(((const float *)item)[0], ((const float *)item)[1]);
  case 'D': return key_of_complex(((const double *)item)[0], ((const double *)item)[1]);
  default: return (key){ITEM_AS(int64_t) == INT64_MIN, {ITEM_AS(int64_t) == INT64_MIN ? 0 : ITEM_AS(int64_t), 0}};
  }
}

static int compare(key a, key b) {
  if (a.class != b.class) return a.class < b.class ? -1 : 1;
  for (int i = 0; i < 2; ++i)
    if (a.parts[i] != b.parts[i]) return a.parts[i] < b.parts[i] ? -1 : 1;
  return 0;
}

static uint64_t state = 88172645463325252u;
static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static double some_number(void) {
  static const double special[] = {NAN, INFINITY, -INFINITY, 0.0, -0.0};
  return next() % 8 ? (double)(int)(next() % 40) - 20 : special[next() % 5];
}

// Few different numbers, so that many are equal; zeros of both signs, which are, too.
static void fill_item(char letter, char *item, int bytes) {
  memset(item, 0, ITEM);
  uint64_t small = next() % 50;
  double x = some_number(), y = some_number();
  float parts[] = {(float)x, (float)y};
  double wide[] = {x, y};
  uint16_t half_bits = (uint16_t)(next() % 7 ? (next() % 2 << 15) + ((12 + next() % 8) << 10) : 0x7c00 + next() % 2);
  int64_t whole = (int64_t)(next() % 16 ? (int64_t)small - 25 : INT64_MIN);
  const void *from = &whole;
  if (letter == '?') small %= 2;
  if (strchr("?BHIL", letter)) from = &small;
  if (letter == 'f' || letter == 'F') from = parts;
  if (letter == 'd' || letter == 'D') from = wide;
  if (letter == 'e') from = &half_bits;
  memcpy(item, from, (size_t)bytes);
}

typedef struct sample {
  const pa_order *order;
  int64_t count, step; // in items; negative: backwards
  char *room, *line;   // the memory of the line, and its first item
} sample;

static char given[MOST * ITEM], rooms[2 * MOST * ITEM];
static int64_t positions[2 * MOST];

static const char *given_item(const sample *s, int64_t i) { return given + i * s->order->bytes; }
static char *line_item(const sample *s, int64_t i) { return s->line + i * s->step * s->order->bytes; }
static key given_key(const sample *s, int64_t i) { return key_of(s->order->letter, given_item(s, i)); }
static key line_key(const sample *s, int64_t i) { return key_of(s->order->letter, line_item(s, i)); }

static pa_line set_up(sample *s) {
  int bytes = s->order->bytes;
  memset(rooms, 0x5a, sizeof rooms);
  s->line = rooms + (s->step < 0 ? (s->count ? s->count - 1 : 0) * -s->step * bytes : 0);
  for (int64_t i = 0; i < s->count; ++i) memcpy(line_item(s, i), given_item(s, i), (size_t)bytes);
  return (pa_line){s->line, s->count, s->step * bytes};
}

static bool is_permutation(const sample *s, const int64_t *numbers) {
  static bool seen[MOST];
  memset(seen, 0, sizeof seen);
  for (int64_t i = 0; i < s->count; ++i) {
    if (numbers[i] < 0 || numbers[i] >= s->count || seen[numbers[i]]) return false;
    seen[numbers[i]] = true;
  }
  return true;
}

// Positions in order, of equals the first in front; the line stays as it was. Then the sorted line has the same bits.
static void check_sorts(sample *s, bool stable) {
  pa_line lines[] = {set_up(s), {(char *)positions, s->count, sizeof(int64_t)}};
  CHECK(pa_argsort_line(s->order, lines, stable) >= 0);
  CHECK(is_permutation(s, positions));
  for (int64_t i = 0; i < s->count; ++i) CHECK(memcmp(line_item(s, i), given_item(s, i), s->order->bytes) == 0);
  for (int64_t i = 1; i < s->count; ++i) {
    int order = compare(given_key(s, positions[i - 1]), given_key(s, positions[i]));
    CHECK(order < 0 || (order == 0 && positions[i - 1] < positions[i]));
  }
  CHECK(pa_sort_line(s->order, lines, stable) >= 0);
  for (int64_t i = 0; i < s->count; ++i)
    CHECK(memcmp(line_item(s, i), given_item(s, positions[i]), s->order->bytes) == 0);
}

// What is in front of a rank is not greater than what is there, what is behind not less.
static void check_selections(sample *s) {
  if (!s->count) return;
  int64_t ranks[] = {0, s->count / 3, s->count - 1};
  pa_line line = set_up(s), wanted = {(char *)ranks, 3, sizeof(int64_t)};
  pa_line places = {(char *)positions, s->count, sizeof(int64_t)};
  CHECK(pa_argpartition_line(s->order, (pa_line[]){line, wanted, places}, false) >= 0);
  CHECK(is_permutation(s, positions));
  for (int r = 0; r < 3; ++r)
    for (int64_t i = 0; i < s->count; ++i) {
      int order = compare(given_key(s, positions[i]), given_key(s, positions[ranks[r]]));
      CHECK(i < ranks[r] ? order <= 0 : order >= 0);
    }
  CHECK(pa_partition_line(s->order, (pa_line[]){wanted, line}, false) >= 0);
  for (int r = 0; r < 3; ++r)
    for (int64_t i = 0; i < s->count; ++i) {
      int order = compare(line_key(s, i), line_key(s, ranks[r]));
      CHECK(i < ranks[r] ? order <= 0 : order >= 0);
    }
}

// As it is drawn, in order, the other way round, all equal.
static void fill(const pa_order *order, int64_t count, int how) {
  static char drawn[MOST * ITEM];
  char item[ITEM];
  for (int64_t i = 0; i < count; ++i) {
    if (how < 3 || i == 0) fill_item(order->letter, item, order->bytes);
    memcpy(given + i * order->bytes, item, (size_t)order->bytes);
  }
  if (how == 0 || how == 3) return;
  memcpy(drawn, given, sizeof drawn);
  pa_line lines[] = {{drawn, count, order->bytes}, {(char *)positions, count, sizeof(int64_t)}};
  CHECK(pa_argsort_line(order, lines, true) >= 0);
  for (int64_t i = 0; i < count; ++i)
    memcpy(given + i * order->bytes, drawn + positions[how == 1 ? i : count - 1 - i] * order->bytes,
           (size_t)order->bytes);
}

int main(void) {
  static const int64_t counts[] = {0, 1, 2, 3, 7, 16, 17, 33, 100, 600, MOST}, steps[] = {1, 2, -1};
  int orders = 0;
  for (const pa_order *order; (order = pa_order_get(orders)); ++orders) {
    CHECK(order->letter == pa_sorted_letters[orders] && order->bytes <= ITEM);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c)
      for (int how = 0; how < 4; ++how) {
        fill(order, counts[c], how);
        for (size_t k = 0; k < sizeof steps / sizeof *steps; ++k) {
          sample s = {.order = order, .count = counts[c], .step = steps[k]};
          check_sorts(&s, false);
          check_sorts(&s, true);
          check_selections(&s);
        }
      }
  }
  CHECK(orders == (int)strlen(pa_sorted_letters));
  return CHECK_RESULT();
}
