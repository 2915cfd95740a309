// Sorting as NumPy does it: by the functions of its dtypes, which python/ext hands over; without NumPy by merges of
// ours, which give equal results where NumPy's are stable. Selections are ours. NaN and NaT come last.
#ifndef PYARRAY_LIB_RUNTIME_SORT_H
#define PYARRAY_LIB_RUNTIME_SORT_H

#include <stdbool.h>
#include <stdint.h>

// PyArray_SortFunc and PyArray_ArgSortFunc: of |count| contiguous items; negative where there is no memory.
typedef int (*pa_sort_function)(void *items, intptr_t count, void *array);
typedef int (*pa_argsort_function)(void *items, intptr_t *positions, intptr_t count, void *array);

// The functions of a dtype: the fastest, then a stable one.
typedef struct pa_numpy_sorts {
  pa_sort_function sort[2];
  pa_argsort_function argsort[2];
} pa_numpy_sorts;

// Of the dtype with NumPy's letter |letter|, before any compiled code runs.
void pa_numpy_sorts_set(char letter, const pa_numpy_sorts *sorts);
// The letters of all that are sorted; times have that of datetimes.
extern const char pa_sorted_letters[];

// What sorts a dtype: functions of NumPy's, once they are known, else ours, which are stable; the selections are ours.
typedef struct pa_order {
  char letter; // NumPy's
  int bytes;
  pa_numpy_sorts sorts;
  int (*select)(void *items, int64_t count, int64_t rank);
  int (*argselect)(void *items, int64_t *positions, int64_t count, int64_t rank);
} pa_order;
// By number, from 0 on; NULL behind the last.
const pa_order *pa_order_get(int number);

// A line of an array: |count| items, |step| bytes apart.
typedef struct pa_line {
  char *data;
  int64_t count, step;
} pa_line;

// Sorts a line, or selects from it; negative where there is no memory. |lines| are
//   sort (n)    argsort (n), positions (n)    partition ranks in order (p), (n)    argpartition (n), ranks (p),
//   positions (n)
int pa_sort_line(const pa_order *order, const pa_line *lines, bool stable);
int pa_argsort_line(const pa_order *order, const pa_line *lines, bool stable);
int pa_partition_line(const pa_order *order, const pa_line *lines, bool stable);
int pa_argpartition_line(const pa_order *order, const pa_line *lines, bool stable);

#endif // PYARRAY_LIB_RUNTIME_SORT_H
