// Inner loops of NumPy's ufuncs and gufuncs, called without the GIL: BLAS as NumPy calls it, and so its results to the
// bit.
//
// The table is filled by the extension when it is imported, before any compiled code runs, and does not change after
// that; so it is read without locks, and a forked child has it. Where nobody has filled it (objects that
// pyarray-translate made, in a program without Python), every row is empty, and callers have loops of their own.
#ifndef PYARRAY_LIB_RUNTIME_NUMPY_LOOPS_H
#define PYARRAY_LIB_RUNTIME_NUMPY_LOOPS_H

#include <stdint.h>

// PyUFuncGenericFunction: |dimensions| are the number of points, then the core dimensions; |steps| of operands from
// point to point, then of each core dimension of each operand; in bytes. npy_intp is intptr_t.
typedef void (*pa_numpy_function)(char **operands, const intptr_t *dimensions, const intptr_t *steps, void *data);

typedef struct pa_numpy_loop {
  pa_numpy_function function;
  void *data; // as NumPy passes it
} pa_numpy_loop;

#define PA_NUMPY_LOOP(name, module, ufunc, types) PA_NUMPY_##name,
typedef enum pa_numpy_loop_number {
#include "numpy_loops.def"
  PA_NUMPY_LOOP_COUNT
} pa_numpy_loop_number;
#undef PA_NUMPY_LOOP

// Where one is found: |types| holds NumPy's letters, inputs first.
typedef struct pa_numpy_loop_source {
  const char *module, *ufunc, *types;
} pa_numpy_loop_source;
const pa_numpy_loop_source *pa_numpy_loop_find(pa_numpy_loop_number number);

// By which compiled code knows one: a hash of "solve:ddd", so that objects hold whatever the table has.
static inline int64_t pa_numpy_loop_key(const char *ufunc, const char *types) {
  uint64_t key = 0xcbf29ce484222325; // FNV-1a
  for (; *ufunc; ++ufunc) key = (key ^ (unsigned char)*ufunc) * 0x100000001b3;
  key = (key ^ ':') * 0x100000001b3;
  for (; *types; ++types) key = (key ^ (unsigned char)*types) * 0x100000001b3;
  return (int64_t)key;
}

void pa_numpy_loop_set(pa_numpy_loop_number number, pa_numpy_loop loop);
// NULL where the process has none.
const pa_numpy_loop *pa_numpy_loop_get(pa_numpy_loop_number number);

// Calls of pyarray_rt_numpy_loop that sort lines of arrays (numpy_sorts.c): "sort", "stable_sort", "partition", and the
// same of positions, "argsort", "stable_argsort", "argpartition"; with "_times" behind it NaT is the last. Signatures
// are
//   sort ->(n)    argsort (n)->(n)    partition (p)->(n)    argpartition (n),(p)->(n)
// where (p) are ranks in order. Of items that are bytes, with the keys by which they are compared (sort_items.h),
//   sort_items (k)->(n,w)    argsort_items (k),(n,w)->(n)    partition_items (k),(p)->(n,w)
//   argpartition_items (k),(n,w),(p)->(n)    place_left, place_right (k),(n,w),(m,w)->(m)
// |strides| are in bytes. 1: there is no memory; -1: no such key.
int32_t pa_sort_lines(int64_t key, int64_t operands, char **data, const intptr_t *sizes, const intptr_t *strides);

#endif // PYARRAY_LIB_RUNTIME_NUMPY_LOOPS_H
