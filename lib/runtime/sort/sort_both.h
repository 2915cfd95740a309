// sort_type.h for the numbers of a type and for their positions, and what the table of sorts takes of both: PA_T and
// PA_LESS as there, PA_LETTER the end of the names, PA_VECTORS that of part_avx512.h's, where it has the type.
#define PA_PASTE_TWO(a, b) a##_##b
#define PA_PASTE(a, b) PA_PASTE_TWO(a, b)

#define PA_ITEM PA_T
#define PA_VALUES PA_T
#define PA_VALUE DIRECT
#define PA_SUFFIX PA_PASTE(own, PA_LETTER)
#include "sort_type.h"
#undef PA_VECTORS
#define PA_ITEM int64_t
#define PA_VALUES PA_T
#define PA_VALUE THROUGH
#define PA_SUFFIX PA_PASTE(at, PA_LETTER)
#include "sort_type.h"

static int PA_PASTE(sort, PA_LETTER)(void *items, intptr_t count, void *array) {
  (void)array;
  return PA_PASTE(sort_items_own, PA_LETTER)(items, count, NULL);
}

static int PA_PASTE(argsort, PA_LETTER)(void *items, intptr_t *positions, intptr_t count, void *array) {
  (void)array;
  return PA_PASTE(sort_items_at, PA_LETTER)(positions, count, items);
}

static int PA_PASTE(select, PA_LETTER)(void *items, int64_t count, int64_t rank) {
  return PA_PASTE(select_items_own, PA_LETTER)(items, count, rank, NULL, ROUNDS);
}

static int PA_PASTE(argselect, PA_LETTER)(void *items, int64_t *positions, int64_t count, int64_t rank) {
  return PA_PASTE(select_items_at, PA_LETTER)(positions, count, rank, items, ROUNDS);
}

#undef PA_PASTE_TWO
#undef PA_PASTE
#undef PA_T
#undef PA_LESS
#undef PA_LETTER
