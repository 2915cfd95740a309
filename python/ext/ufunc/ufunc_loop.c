// NumPy's inner loop: pointers, dimensions and byte steps become the slots of arrays with one loop dimension, and the
// compiled entry runs over them. Runs without the GIL.
//
//   (),()->()  pointers p q r, dimensions N, steps 8 0 8   ->   p p 0 N 1 0 | q q 0 N 0 0 | r r 0 N 1 0
//   (m)->()    pointers p r, dimensions N m, steps 80 8 16 ->   p p 0 N m 10 2 0 | r r 0 N 1 0
//
// Which code runs:
//
//   elementwise, operands contiguous               the loop; on threads with any strides
//   operands constant or with strides              its copy for these (ufunc_copies.c), else the loop by blocks
//   (ufunc_pack.c) an output is a later point's input             reduce, accumulate: the carried copy, else the loop
//   point by point core dimensions, small                         the copy for these sizes (ufunc_cores.c), else the
//   loop byte steps that are no multiple of the item    point by point; cores are copied (a complex field of a record
//   has no size                                           stride in elements)
#include "ufunc.h"

#include <stdlib.h>
#include <string.h>

enum { STACK_SLOTS = 192 };

// NumPy goes on with the next part of an array after an exception. A kernel of numbers computes it, and the first
// exception is what is told; all others do nothing any more, nor does anything after an exception that has nothing to
// do with a point.
static _Thread_local bool has_raised, has_stopped;

static bool is_to_do_nothing(const pa_ufunc_loop *loop) {
  if (PA_LIKELY(!has_raised)) return false;
  PyGILState_STATE state = PyGILState_Ensure();
  has_raised = PyErr_Occurred() != NULL;
  has_stopped = has_stopped && has_raised;
  PyGILState_Release(state);
  return has_stopped || (has_raised && loop->kernel->is_generalized);
}

void pa_ufunc_has_raised(void) { has_raised = has_stopped = true; }

static bool share_memory(const pa_ufunc_loop *loop, const uint64_t *slots);

// Computes the points once more, each by itself, so that those behind one that raises are computed too. What overwrites
// its inputs cannot be.
static void go_on(const pa_ufunc_loop *loop, const pa_variant *variant, const uint64_t *slots) {
  uint64_t point[6 * PA_MAX_OPERANDS], ignored, count = slots[3];
  int operands = loop->ufunc->nargs;
  if (count <= 1 || share_memory(loop, slots)) return;
  memcpy(point, slots, (size_t)operands * 6 * sizeof *point);
  for (int i = 0; i < operands; ++i) point[6 * i + 3] = 1;
  for (; count; --count) {
    if (variant->entry(point, &ignored)) pa_raised_clear();
    for (int i = 0; i < operands; ++i) {
      point[6 * i] += slots[6 * i + 4] << loop->item_shifts[i];
      point[6 * i + 1] = point[6 * i];
    }
  }
}

bool pa_ufunc_enter(const pa_ufunc_loop *loop, const pa_variant *variant, const uint64_t *slots, uint64_t *out_result) {
  if (PA_LIKELY(!variant->entry(slots, out_result))) return true;
  PyGILState_STATE state = PyGILState_Ensure();
  if (PyErr_Occurred())
    pa_raised_clear();
  else
    pa_raise_from_native(loop->kernel->dispatcher, variant);
  has_raised = true;
  PyGILState_Release(state);
  if (!loop->kernel->is_generalized) go_on(loop, variant, slots);
  return false;
}

static bool enter(const pa_ufunc_loop *loop, const uint64_t *slots) {
  uint64_t result;
  return pa_ufunc_enter(loop, loop->variant, slots, &result);
}

//===-- Operands ----------------------------------------------------------------------------------===//

static int rank_of(const pa_ufunc_loop *loop, int operand) { return pa_ufunc_rank(loop, operand); }
static const npy_intp *core_steps_of(const pa_ufunc_loop *loop, int operand, const npy_intp *steps) {
  return pa_ufunc_core_steps(loop, operand, steps);
}

// The sizes of the core dimensions of an operand.
static void read_core_sizes(const pa_ufunc_loop *loop, int operand, const npy_intp *dimensions, npy_intp *out_sizes) {
  const PyUFuncObject *ufunc = loop->ufunc;
  const int *indices = ufunc->core_enabled ? ufunc->core_dim_ixs + ufunc->core_offsets[operand] : NULL;
  for (int i = 0, rank = rank_of(loop, operand); i < rank; ++i) out_sizes[i] = dimensions[1 + indices[i]];
}

// |count| points from |pointer| on; |core_steps| in bytes.
static uint64_t *put_operand(uint64_t *slot, const char *pointer, npy_intp count, npy_intp step, int rank,
                             const npy_intp *sizes, const npy_intp *core_steps, int shift) {
  slot[0] = slot[1] = (uint64_t)(uintptr_t)pointer;
  slot[2] = 0;
  slot[3] = (uint64_t)count;
  slot[4 + rank] = (uint64_t)(int64_t)(step >> shift);
  for (int i = 0; i < rank; ++i) {
    slot[4 + i] = (uint64_t)sizes[i];
    slot[5 + rank + i] = (uint64_t)(int64_t)(core_steps[i] >> shift);
  }
  slot[5 + 2 * rank] = 0;
  return slot + 6 + 2 * rank;
}

static void put_operands(const pa_ufunc_loop *loop, uint64_t *slots, char **pointers, npy_intp count,
                         const npy_intp *dimensions, const npy_intp *steps) {
  npy_intp sizes[NPY_MAXDIMS];
  bool elementwise = !loop->ufunc->core_enabled;
  for (int i = 0; i < loop->ufunc->nargs; ++i) {
    if (PA_LIKELY(elementwise)) {
      slots = put_operand(slots, pointers[i], count, steps[i], 0, NULL, NULL, loop->item_shifts[i]);
      continue;
    }
    read_core_sizes(loop, i, dimensions, sizes);
    slots = put_operand(slots, pointers[i], count, steps[i], rank_of(loop, i), sizes, core_steps_of(loop, i, steps),
                        loop->item_shifts[i]);
  }
}

//===-- What does not fit -------------------------------------------------------------------------===//

static npy_intp step_mask(const pa_ufunc_loop *loop, int operand) {
  return ((npy_intp)1 << loop->item_shifts[operand]) - 1;
}

static bool has_odd_core_steps(const pa_ufunc_loop *loop, int operand, const npy_intp *steps) {
  const npy_intp *core_steps = core_steps_of(loop, operand, steps);
  npy_intp all = 0;
  for (int i = 0; i < rank_of(loop, operand); ++i) all |= core_steps[i];
  return all & step_mask(loop, operand);
}

typedef enum way { ALL_AT_ONCE, BY_POINT, BY_COPY } way;

static way choose_way(const pa_ufunc_loop *loop, const npy_intp *steps) {
  npy_intp odd = 0;
  for (int i = 0; i < loop->ufunc->nargs; ++i) {
    if (PA_UNLIKELY(has_odd_core_steps(loop, i, steps))) return BY_COPY;
    odd |= steps[i] & step_mask(loop, i);
  }
  return PA_LIKELY(!odd) ? ALL_AT_ONCE : BY_POINT;
}

//===-- Point by point ----------------------------------------------------------------------------===//

static void run_by_point(const pa_ufunc_loop *loop, uint64_t *slots, char **pointers, const npy_intp *dimensions,
                         const npy_intp *steps, bool goes_on) {
  put_operands(loop, slots, pointers, 1, dimensions, steps);
  for (npy_intp point = 0; point < dimensions[0]; ++point) {
    if (!enter(loop, slots) && !goes_on) return;
    uint64_t *slot = slots;
    for (int i = 0; i < loop->ufunc->nargs; ++i) {
      slot[0] += (uint64_t)(int64_t)steps[i];
      slot[1] = slot[0];
      slot += 6 + 2 * rank_of(loop, i);
    }
  }
}

// Copies an array of |rank| dimensions; steps in bytes.
static void copy_block(char *to, const npy_intp *to_steps, const char *from, const npy_intp *from_steps,
                       const npy_intp *sizes, int rank, size_t item_size) {
  if (rank == 0) {
    memcpy(to, from, item_size);
    return;
  }
  for (npy_intp i = 0; i < sizes[0]; ++i)
    copy_block(to + i * to_steps[0], to_steps + 1, from + i * from_steps[0], from_steps + 1, sizes + 1, rank - 1,
               item_size);
}

// The contiguous copy of an operand's core at one point.
typedef struct core_copy {
  char *memory; // NULL where the operand needs none
  npy_intp sizes[NPY_MAXDIMS], steps[NPY_MAXDIMS];
} core_copy;

static bool core_copy_make(core_copy *copy, const pa_ufunc_loop *loop, int operand, const npy_intp *dimensions,
                           const npy_intp *steps) {
  copy->memory = NULL;
  if (!has_odd_core_steps(loop, operand, steps)) return true;
  npy_intp bytes = (npy_intp)1 << loop->item_shifts[operand];
  read_core_sizes(loop, operand, dimensions, copy->sizes);
  for (int i = rank_of(loop, operand) - 1; i >= 0; --i) {
    copy->steps[i] = bytes;
    bytes *= copy->sizes[i];
  }
  copy->memory = malloc(bytes ? (size_t)bytes : 1);
  return copy->memory;
}

// One point: cores are copied in, and after the call what may have been written is copied back.
static bool run_copied_point(const pa_ufunc_loop *loop, uint64_t *slots, core_copy *copies, char **pointers,
                             const npy_intp *dimensions, const npy_intp *steps) {
  uint64_t *slot = slots;
  npy_intp sizes[NPY_MAXDIMS];
  for (int i = 0; i < loop->ufunc->nargs; ++i) {
    int rank = rank_of(loop, i), shift = loop->item_shifts[i];
    const npy_intp *own_steps = core_steps_of(loop, i, steps);
    core_copy *copy = &copies[i];
    read_core_sizes(loop, i, dimensions, sizes);
    if (copy->memory) copy_block(copy->memory, copy->steps, pointers[i], own_steps, sizes, rank, (size_t)1 << shift);
    slot = put_operand(slot, copy->memory ? copy->memory : pointers[i], 1, 0, rank, sizes,
                       copy->memory ? copy->steps : own_steps, shift);
  }
  if (!enter(loop, slots)) return false;
  for (int i = 0; i < loop->ufunc->nargs; ++i) {
    bool is_written = i >= loop->ufunc->nin || loop->ufunc->op_flags[i] & NPY_ITER_READWRITE;
    if (copies[i].memory && is_written)
      copy_block(pointers[i], core_steps_of(loop, i, steps), copies[i].memory, copies[i].steps, copies[i].sizes,
                 rank_of(loop, i), (size_t)1 << loop->item_shifts[i]);
  }
  return true;
}

static void raise_no_memory(void) {
  PyGILState_STATE state = PyGILState_Ensure();
  PyErr_NoMemory();
  pa_ufunc_has_raised();
  PyGILState_Release(state);
}

static void run_by_copy(const pa_ufunc_loop *loop, uint64_t *slots, char **pointers, const npy_intp *dimensions,
                        const npy_intp *steps) {
  int count = loop->ufunc->nargs;
  char *at[PA_MAX_OPERANDS];
  core_copy *copies = calloc((size_t)count, sizeof *copies);
  bool done = copies;
  for (int i = 0; done && i < count; ++i) done = core_copy_make(&copies[i], loop, i, dimensions, steps);
  if (!done) raise_no_memory();
  memcpy(at, pointers, (size_t)count * sizeof *at);
  for (npy_intp point = 0; done && point < dimensions[0]; ++point) {
    done = run_copied_point(loop, slots, copies, at, dimensions, steps);
    for (int i = 0; i < count; ++i) at[i] += steps[i];
  }
  for (int i = 0; copies && i < count; ++i) free(copies[i].memory);
  free(copies);
}

//===-- Elementwise -------------------------------------------------------------------------------===//

uint64_t *pa_ufunc_put_elements(uint64_t *slot, const char *pointer, npy_intp count, npy_intp step, int shift) {
  return put_operand(slot, pointer, count, step, 0, NULL, NULL, shift);
}

typedef struct extent {
  uintptr_t low, high;
} extent;

static extent extent_of(const char *pointer, npy_intp count, npy_intp step, int shift) {
  uintptr_t first = (uintptr_t)pointer, last = first + (uintptr_t)((count - 1) * step), size = (uintptr_t)1 << shift;
  return step < 0 ? (extent){last, first + size} : (extent){first, last + size};
}

static bool are_apart(extent a, extent b) { return a.high <= b.low || b.high <= a.low; }

static extent extent_of_slots(const pa_ufunc_loop *loop, const uint64_t *slots, int operand) {
  const uint64_t *slot = slots + 6 * operand;
  int shift = loop->item_shifts[operand];
  return extent_of((const char *)(uintptr_t)slot[1], (npy_intp)slot[3], (npy_intp)(slot[4] << shift), shift);
}

// Whether an output overlaps another operand.
static bool share_memory(const pa_ufunc_loop *loop, const uint64_t *slots) {
  for (int output = loop->ufunc->nin; output < loop->ufunc->nargs; ++output)
    for (int other = 0; other < output; ++other)
      if (!are_apart(extent_of_slots(loop, slots, output), extent_of_slots(loop, slots, other))) return true;
  return false;
}

// Whether operand |other| shares no memory with output |output|, or is the same elements.
static bool is_harmless(const pa_ufunc_loop *loop, int output, int other, char **pointers, npy_intp count,
                        const npy_intp *steps) {
  bool is_same =
      other < loop->ufunc->nin && pointers[output] == pointers[other] && steps[output] == steps[other] && steps[output];
  return is_same || are_apart(extent_of(pointers[output], count, steps[output], loop->item_shifts[output]),
                              extent_of(pointers[other], count, steps[other], loop->item_shifts[other]));
}

// No point writes what another one reads or writes.
static bool is_independent(const pa_ufunc_loop *loop, char **pointers, npy_intp count, const npy_intp *steps) {
  if (count == 1) return true;
  for (int output = loop->ufunc->nin; output < loop->ufunc->nargs; ++output) {
    if (PA_UNLIKELY(!steps[output])) return false;
    for (int other = 0; other < output; ++other)
      if (PA_UNLIKELY(!is_harmless(loop, output, other, pointers, count, steps))) return false;
  }
  return true;
}

// The first input is the output, one point later, and the others are apart from both.
static bool is_carried(const pa_ufunc_loop *loop, char **pointers, npy_intp count, const npy_intp *steps) {
  int output = loop->ufunc->nin;
  if (!loop->carries || steps[0] != steps[output] || pointers[0] + steps[0] != pointers[output]) return false;
  for (int other = 1; other < output; ++other)
    if (!is_harmless(loop, output, other, pointers, count, steps)) return false;
  return true;
}

static void run_in_order(pa_ufunc_loop *loop, uint64_t *slots, char **pointers, const npy_intp *dimensions,
                         const npy_intp *steps) {
  const pa_variant *carried = NULL;
  uint64_t result;
  if (is_carried(loop, pointers, dimensions[0], steps)) carried = pa_ufunc_carried_copy(loop, dimensions[0]);
  if (PA_UNLIKELY(has_stopped)) return;
  if (!carried) {
    run_by_point(loop, slots, pointers, dimensions, steps, false);
    return;
  }
  put_operands(loop, slots, pointers, dimensions[0], dimensions, steps);
  pa_ufunc_enter(loop, carried, slots, &result);
}

// A bit for each constant input, where all other operands are contiguous; else 0.
static uint64_t constant_inputs(const pa_ufunc_loop *loop, const npy_intp *steps) {
  uint64_t constants = 0;
  for (int i = 0; i < loop->ufunc->nargs; ++i) {
    if (steps[i] == (npy_intp)1 << loop->item_shifts[i]) continue;
    if (steps[i] || i >= loop->ufunc->nin) return 0;
    constants |= (uint64_t)1 << i;
  }
  return constants;
}

static void run_strided(pa_ufunc_loop *loop, uint64_t *slots, char **pointers, npy_intp count, const npy_intp *steps) {
  uint64_t result, constants = constant_inputs(loop, steps);
  const pa_variant *copy =
      constants ? pa_ufunc_constant_copy(loop, constants, count) : pa_ufunc_strided_copy(loop, count);
  if (PA_UNLIKELY(has_stopped)) return;
  if (!copy) {
    pa_ufunc_run_packed(loop, pointers, count, steps);
    return;
  }
  put_operands(loop, slots, pointers, count, NULL, steps);
  pa_ufunc_enter(loop, copy, slots, &result);
}

static void run_elementwise(pa_ufunc_loop *loop, uint64_t *slots, char **pointers, const npy_intp *dimensions,
                            const npy_intp *steps) {
  npy_intp count = dimensions[0], not_unit = 0, odd = 0;
  for (int i = 0; i < loop->ufunc->nargs; ++i) {
    odd |= steps[i] & step_mask(loop, i);
    not_unit |= steps[i] ^ (npy_intp)1 << loop->item_shifts[i];
  }
  if (PA_UNLIKELY(odd)) {
    run_by_point(loop, slots, pointers, dimensions, steps, is_independent(loop, pointers, count, steps));
  } else if (PA_UNLIKELY(!is_independent(loop, pointers, count, steps))) {
    run_in_order(loop, slots, pointers, dimensions, steps);
  } else if (PA_LIKELY(!not_unit || !loop->packs || count == 1)) {
    put_operands(loop, slots, pointers, count, dimensions, steps);
    enter(loop, slots);
  } else {
    run_strided(loop, slots, pointers, count, steps);
  }
}

//===-- Core dimensions ---------------------------------------------------------------------------===//

static void run_cores(pa_ufunc_loop *loop, uint64_t *slots, char **pointers, const npy_intp *dimensions,
                      const npy_intp *steps) {
  uint64_t result;
  const pa_variant *code = pa_ufunc_code_for_cores(loop, dimensions, steps);
  if (PA_UNLIKELY(has_stopped)) return;
  put_operands(loop, slots, pointers, dimensions[0], dimensions, steps);
  pa_ufunc_enter(loop, code, slots, &result);
}

static void run_generalized(pa_ufunc_loop *loop, uint64_t *slots, char **pointers, const npy_intp *dimensions,
                            const npy_intp *steps) {
  switch (choose_way(loop, steps)) {
  case ALL_AT_ONCE: run_cores(loop, slots, pointers, dimensions, steps); break;
  case BY_POINT: run_by_point(loop, slots, pointers, dimensions, steps, false); break;
  case BY_COPY: run_by_copy(loop, slots, pointers, dimensions, steps); break;
  }
}

//===-- The loop ----------------------------------------------------------------------------------===//

void pa_ufunc_run(char **pointers, const npy_intp *dimensions, const npy_intp *steps, void *data) {
  pa_ufunc_loop *loop = data;
  uint64_t on_stack[STACK_SLOTS];
  if (dimensions[0] <= 0 || is_to_do_nothing(loop)) return;
  uint64_t *slots = loop->slot_count <= STACK_SLOTS ? on_stack : malloc(loop->slot_count * sizeof *slots);
  if (!slots) {
    raise_no_memory();
    return;
  }
  if (PA_LIKELY(!loop->ufunc->core_enabled))
    run_elementwise(loop, slots, pointers, dimensions, steps);
  else
    run_generalized(loop, slots, pointers, dimensions, steps);
  if (slots != on_stack) free(slots);
}
