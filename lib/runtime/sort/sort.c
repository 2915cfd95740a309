// Sorts, sorts of positions and selections of lines of arrays.
#include "sort.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "part_avx512.h"

enum { RUN = 16, SAMPLED = 600, ROUNDS = 24, VECTORS = 256 };

static inline bool has_vectors(void) { return __builtin_cpu_supports("avx512f"); }

//===-- Orders ------------------------------------------------------------------------------------===//

typedef struct c64 {
  float re, im;
} c64;
typedef struct c128 {
  double re, im;
} c128;

#define LESS_INT(a, b) ((a) < (b))
#define LESS_FLOAT(a, b) (((a) < (b)) | (((b) != (b)) & ((a) == (a))))
// Bits of a float16: those below 0 the other way round, as integers; NaN lies above infinity, with either sign.
static inline int32_t half_order(uint16_t bits) {
  int32_t magnitude = bits & 0x7fff;
  return magnitude > 0x7c00 ? 0x7fff : bits & 0x8000 ? -magnitude : magnitude;
}
#define LESS_HALF(a, b) (half_order(a) < half_order(b))
// NaT, the least, wraps round to the greatest.
#define LESS_TIME(a, b) ((uint64_t)(a) - (UINT64_C(1) << 63) - 1 < (uint64_t)(b) - (UINT64_C(1) << 63) - 1)
// By real parts, then by imaginary ones; NumPy has first those without NaN, then those with one in the imaginary part,
// in the real part, in both.
#define LESS_COMPLEX(a, b)                                                                                             \
  ((a).re<(b).re ? (a).im == (a).im || (b).im != (b).im : (a).re>(b).re ? (b).im != (b).im && (a).im == (a).im         \
   : (a).re == (b).re || ((a).re != (a).re && (b).re != (b).re)         ? LESS_FLOAT((a).im, (b).im)                   \
                                                                        : (b).re != (b).re)

#define DIRECT(x) (x)
#define THROUGH(x) values[x]

#define PA_T uint8_t
#define PA_LESS LESS_INT
#define PA_LETTER U8
#include "sort_both.h"
#define PA_T int8_t
#define PA_LESS LESS_INT
#define PA_LETTER I8
#include "sort_both.h"
#define PA_T int16_t
#define PA_LESS LESS_INT
#define PA_LETTER I16
#include "sort_both.h"
#define PA_T uint16_t
#define PA_LESS LESS_INT
#define PA_LETTER U16
#include "sort_both.h"
#define PA_T int32_t
#define PA_LESS LESS_INT
#define PA_LETTER I32
#define PA_VECTORS I32
#include "sort_both.h"
#define PA_T uint32_t
#define PA_LESS LESS_INT
#define PA_LETTER U32
#define PA_VECTORS U32
#include "sort_both.h"
#define PA_T int64_t
#define PA_LESS LESS_INT
#define PA_LETTER I64
#define PA_VECTORS I64
#include "sort_both.h"
#define PA_T uint64_t
#define PA_LESS LESS_INT
#define PA_LETTER U64
#define PA_VECTORS U64
#include "sort_both.h"
#define PA_T uint16_t
#define PA_LESS LESS_HALF
#define PA_LETTER F16
#include "sort_both.h"
#define PA_T float
#define PA_LESS LESS_FLOAT
#define PA_LETTER F32
#define PA_VECTORS F32
#include "sort_both.h"
#define PA_T double
#define PA_LESS LESS_FLOAT
#define PA_LETTER F64
#define PA_VECTORS F64
#include "sort_both.h"
#define PA_T c64
#define PA_LESS LESS_COMPLEX
#define PA_LETTER C64
#include "sort_both.h"
#define PA_T c128
#define PA_LESS LESS_COMPLEX
#define PA_LETTER C128
#include "sort_both.h"
#define PA_T int64_t
#define PA_LESS LESS_TIME
#define PA_LETTER TIME
#include "sort_both.h"

//===-- The table ---------------------------------------------------------------------------------===//

#define ORDER(letter, type, name)                                                                                      \
  {letter,                                                                                                             \
   sizeof(type),                                                                                                       \
   {{sort_##name, sort_##name}, {argsort_##name, argsort_##name}},                                                     \
   select_##name,                                                                                                      \
   argselect_##name}
static pa_order orders[] = {ORDER('?', uint8_t, U8),   ORDER('b', int8_t, I8),    ORDER('B', uint8_t, U8),
                            ORDER('h', int16_t, I16),  ORDER('H', uint16_t, U16), ORDER('i', int32_t, I32),
                            ORDER('I', uint32_t, U32), ORDER('l', int64_t, I64),  ORDER('L', uint64_t, U64),
                            ORDER('e', uint16_t, F16), ORDER('f', float, F32),    ORDER('d', double, F64),
                            ORDER('F', c64, C64),      ORDER('D', c128, C128),    ORDER('M', int64_t, TIME)};
enum { ORDERS = sizeof orders / sizeof *orders };
const char pa_sorted_letters[] = "?bBhHiIlLefdFDM";

const pa_order *pa_order_get(int number) { return number < ORDERS ? &orders[number] : NULL; }

void pa_numpy_sorts_set(char letter, const pa_numpy_sorts *sorts) {
  for (int i = 0; i < ORDERS; ++i)
    for (int k = 0; orders[i].letter == letter && k < 2; ++k) {
      if (sorts->sort[k]) orders[i].sorts.sort[k] = sorts->sort[k];
      if (sorts->argsort[k]) orders[i].sorts.argsort[k] = sorts->argsort[k];
    }
}

//===-- Lines -------------------------------------------------------------------------------------===//

static void copy_items(char *to, int64_t to_step, const char *from, int64_t from_step, int64_t count, int bytes) {
  for (int64_t i = 0; i < count; ++i) memcpy(to + i * to_step, from + i * from_step, (size_t)bytes);
}

// The items, one behind the other: where they lie, or in new memory, of which the caller becomes the owner. NULL: there
// is none.
static void *packed(const pa_line *x, int bytes) {
  if (x->step == bytes || x->count < 2) return x->data;
  char *items = malloc((size_t)x->count * (size_t)bytes);
  if (items) copy_items(items, bytes, x->data, x->step, x->count, bytes);
  return items;
}

static void unpack(const pa_line *x, void *items, int bytes, bool back) {
  if (items == x->data) return;
  if (back && items) copy_items(x->data, x->step, items, bytes, x->count, bytes);
  free(items);
}

int pa_sort_line(const pa_order *order, const pa_line *lines, bool stable) {
  void *items = packed(lines, order->bytes);
  int status = items ? order->sorts.sort[stable](items, lines->count, NULL) : -1;
  return unpack(lines, items, order->bytes, status >= 0), status;
}

static int64_t *numbered(int64_t *positions, int64_t count) {
  for (int64_t i = 0; positions && i < count; ++i) positions[i] = i;
  return positions;
}

int pa_argsort_line(const pa_order *order, const pa_line *lines, bool stable) {
  void *items = packed(lines, order->bytes);
  int64_t *positions = numbered(packed(lines + 1, sizeof(int64_t)), lines->count);
  int status = items && positions ? order->sorts.argsort[stable](items, (intptr_t *)positions, lines->count, NULL) : -1;
  unpack(lines, items, order->bytes, false);
  return unpack(lines + 1, positions, sizeof(int64_t), status >= 0), status;
}

// The ranks, in order, are each looked for behind the one before.
int pa_partition_line(const pa_order *order, const pa_line *lines, bool stable) {
  (void)stable;
  char *items = packed(lines + 1, order->bytes);
  int status = items ? 0 : -1;
  int64_t done = 0;
  for (int64_t i = 0; !status && i < lines->count; ++i) {
    int64_t rank = *(const int64_t *)(lines->data + i * lines->step);
    status = rank < done ? 0 : order->select(items + done * order->bytes, lines[1].count - done, rank - done);
    done = rank < done ? done : rank + 1;
  }
  return unpack(lines + 1, items, order->bytes, !status), status;
}

int pa_argpartition_line(const pa_order *order, const pa_line *lines, bool stable) {
  (void)stable;
  void *items = packed(lines, order->bytes);
  int64_t *positions = numbered(packed(lines + 2, sizeof(int64_t)), lines->count), done = 0;
  int status = items && positions ? 0 : -1;
  for (int64_t i = 0; !status && i < lines[1].count; ++i) {
    int64_t rank = *(const int64_t *)(lines[1].data + i * lines[1].step);
    status = rank < done ? 0 : order->argselect(items, positions + done, lines->count - done, rank - done);
    done = rank < done ? done : rank + 1;
  }
  unpack(lines, items, order->bytes, false);
  return unpack(lines + 2, positions, sizeof(int64_t), !status), status;
}
