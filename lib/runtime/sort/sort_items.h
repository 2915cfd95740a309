// Sorts of items that lie in memory as bytes: records, and text of a fixed length. Stable, whatever is asked for; NaN
// and NaT come last, as in NumPy, but for NaN of float16.
#ifndef PYARRAY_LIB_RUNTIME_SORT_ITEMS_H
#define PYARRAY_LIB_RUNTIME_SORT_ITEMS_H

#include <stdint.h>

#include "sort.h"

// What is compared of an item: NumPy's letter, 'S' and 'U' with |count| bytes or code points, 'V' with bytes as they
// are, 'M' of all times; of a record the number of the field that it is, or is part of (typing_items.c).
typedef struct pa_item_key {
  int64_t letter, offset, count, field;
} pa_item_key;

// How items of |bytes| bytes are compared: by |count| keys, at any address, one after the other.
typedef struct pa_item_order {
  const char *keys;
  int64_t count, bytes;
} pa_item_order;

// Less than 0, 0 or more.
int pa_compare_items(const pa_item_order *order, const char *a, const char *b);

// As pa_sort_line and its kin do; negative where there is no memory.
int pa_sort_items(const pa_item_order *order, pa_line items);
int pa_argsort_items(const pa_item_order *order, pa_line items, pa_line positions);
int pa_partition_items(const pa_item_order *order, pa_line ranks, pa_line items);
int pa_argpartition_items(const pa_item_order *order, pa_line items, pa_line ranks, pa_line positions);
// For each of |wanted| how many of the sorted |items| are less, or not greater where |right|.
void pa_place_items(const pa_item_order *order, pa_line items, pa_line wanted, pa_line places, bool right);

#endif // PYARRAY_LIB_RUNTIME_SORT_ITEMS_H
