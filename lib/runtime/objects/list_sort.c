// list.sort: stable, by merging halves; halves that are in order already are not moved.
#include "objects.h"

#include <stdlib.h>
#include <string.h>

typedef struct sorting {
  const pa_item_type *type;
  size_t size;
  bool descending;
  char *scratch;
} sorting;

// Whether |b|, which comes after |a|, must come before it.
static bool is_before(const sorting *s, const void *b, const void *a) {
  if (s->type->number == 'q') {
    int64_t x, y;
    memcpy(&x, b, sizeof x);
    memcpy(&y, a, sizeof y);
    return s->descending ? x > y : x < y;
  }
  if (s->type->number == 'd') {
    double x, y;
    memcpy(&x, b, sizeof x);
    memcpy(&y, a, sizeof y);
    return s->descending ? x > y : x < y;
  }
  return pa_item_compare(s->type, b, a) == (s->descending ? PA_GREATER : PA_LESS);
}

static void insertion_sort(const sorting *s, char *items, int64_t sorted, int64_t count) {
  for (int64_t i = sorted; i < count; ++i) {
    int64_t low = 0, high = i;
    while (low < high) {
      int64_t middle = (low + high) / 2;
      if (is_before(s, items + (size_t)i * s->size, items + (size_t)middle * s->size))
        high = middle;
      else
        low = middle + 1;
    }
    memcpy(s->scratch, items + (size_t)i * s->size, s->size);
    memmove(items + (size_t)(low + 1) * s->size, items + (size_t)low * s->size, (size_t)(i - low) * s->size);
    memcpy(items + (size_t)low * s->size, s->scratch, s->size);
  }
}

static void merge(const sorting *s, char *items, int64_t middle, int64_t count) {
  size_t size = s->size;
  char *right = items + (size_t)middle * size, *end = items + (size_t)count * size, *out = items;
  if (!is_before(s, right, right - size)) return;
  memcpy(s->scratch, items, (size_t)middle * size);
  char *left = s->scratch, *left_end = left + (size_t)middle * size;
  while (left < left_end && right < end) {
    char **from = is_before(s, right, left) ? &right : &left;
    memcpy(out, *from, size);
    *from += size;
    out += size;
  }
  memcpy(out, left, (size_t)(left_end - left));
}

static void sort(const sorting *s, char *items, int64_t count) {
  enum { SMALL = 16 };
  if (count <= SMALL) return insertion_sort(s, items, 1, count);
  int64_t middle = count / 2;
  sort(s, items, middle);
  sort(s, items + (size_t)middle * s->size, count - middle);
  merge(s, items, middle, count);
}

int32_t pyarray_rt_list_sort(int64_t handle, int32_t descending) {
  pa_list *list = pa_object_of(handle);
  if (list->length < 2) return 0;
  char *scratch = malloc((size_t)list->length * (size_t)list->type->size);
  if (!scratch) return 1;
  sorting s = {list->type, (size_t)list->type->size, descending != 0, scratch};
  sort(&s, list->items, list->length);
  free(scratch);
  return 0;
}
