// Of pyarray-use-stack: reductions and products of few numbers, as operations on numbers.
//
//   %s = pyarray.reduce ["add"] axes [0] ins(%p, %q : ...) order "C" expanded { ^bb0(%x, %y): ... multiply ... }
// becomes, where %p has three elements,
//   %0 = pyarray.getitem %p[%c0]     %1 = pyarray.getitem %q[%c0]     %2 = multiply(%0, %1)     %3 = add(%zero, %2)
//   ... twice more
//
// NumPy adds fewer than eight numbers one after the other, whatever their layout, beginning with 0. A product of
// matrices may differ from BLAS's in the last bits.
#include "small_arrays.h"

#include "fuse_internal.h"
#include "support/contraction.h"

enum {
  PA_MOST_FOLDED = 7, // numbers that are added up in order; a complex number counts as two
  PA_MOST_BODY = 16,  // operations of one
};

typedef struct unrolling {
  pa_small_arrays *small;
  pa_builder at;
  MlirOperation op;
  pa_extents loop;
} unrolling;

static bool is_array(MlirValue value) { return pyarrayTypeIsArray(mlirValueGetType(value)); }

static pa_builder builder_before(const pa_small_arrays *small, MlirOperation op) {
  return (pa_builder){.context = small->names.context,
                      .location = mlirOperationGetLocation(op),
                      .block = mlirOperationGetBlock(op),
                      .before = op};
}

//===-- Elements ----------------------------------------------------------------------------------===//

static MlirValue number(pa_builder *at, int64_t value) {
  MlirType type = mlirIntegerTypeSignedGet(at->context, 64);
  return pa_value(at, PA_OP_NAME(CONSTANT), PA_RESULTS(type), PA_ATTRS({"value", mlirIntegerAttrGet(type, value)}));
}

static MlirAttribute in_bounds(const pa_builder *at, int rank) {
  int flags[PA_MOST_SMALL_RANK] = {1, 1, 1, 1};
  return mlirDenseBoolArrayGet(at->context, rank, flags);
}

MlirValue pa_small_load(pa_builder *at, MlirValue array, const int64_t *place, int rank, MlirType type) {
  MlirValue operands[PA_MOST_SMALL_RANK + 1] = {array};
  for (int axis = 0; axis < rank; ++axis) operands[1 + axis] = number(at, place[axis]);
  if (pa_failed(at)) return array;
  return pa_value(at, PA_OP_NAME(GETITEM), PA_OPERAND_ARRAY(operands, rank + 1), PA_RESULTS(type),
                  PA_ATTRS({"pyarray.in_bounds", in_bounds(at, rank)}));
}

void pa_small_store(pa_builder *at, MlirValue array, const int64_t *place, int rank, MlirValue value) {
  MlirValue operands[PA_MOST_SMALL_RANK + 2] = {array};
  for (int axis = 0; axis < rank; ++axis) operands[1 + axis] = number(at, place[axis]);
  operands[rank + 1] = value;
  if (pa_failed(at)) return;
  pa_op(at, PA_OP_NAME(SETITEM), PA_OPERAND_ARRAY(operands, rank + 2),
        PA_ATTRS({"pyarray.in_bounds", in_bounds(at, rank)}));
}

static MlirValue combine(unrolling *u, const char *function, MlirValue a, MlirValue b) {
  if (pa_failed(&u->at)) return a;
  return pa_value(&u->at, PA_OP_NAME(BUILTIN), PA_OPERANDS(a, b), PA_RESULTS(mlirValueGetType(a)),
                  PA_ATTRS({"name", pa_string_attr(u->at.context, function)}));
}

// Of the type, or null: a sum of those has no start that is a constant here.
static MlirAttribute zero_of(MlirType type) {
  if (mlirTypeIsAInteger(type)) return mlirIntegerAttrGet(type, 0);
  return mlirTypeIsAFloat(type) ? mlirFloatAttrDoubleGet(mlirTypeGetContext(type), type, 0.0) : mlirAttributeGetNull();
}

//===-- Bodies ------------------------------------------------------------------------------------===//

static bool is_short(MlirBlock body) {
  int count = 0;
  PA_FOR_EACH_OP(op, body) if (++count > PA_MOST_BODY || mlirOperationGetNumRegions(op)) return false;
  return true;
}

// What the body yields at |place|, one for each word.
static void copy_body(unrolling *u, const int64_t *place, MlirValue *out_yielded) {
  MlirBlock body = pa_body(u->op, 0);
  pa_map copies = {0};
  pa_arena *arena = u->small->arena;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i) {
    MlirValue argument = mlirBlockGetArgument(body, i), input = mlirOperationGetOperand(u->op, i);
    if (is_array(input)) input = pa_small_load(&u->at, input, place, u->loop.rank, mlirValueGetType(argument));
    pa_map_put(arena, &copies, argument.ptr, (void *)(uintptr_t)input.ptr);
  }
  PA_FOR_EACH_OP(op, body) {
    bool ends = mlirOperationEqual(op, mlirBlockGetTerminator(body));
    MlirOperation copy = ends ? op : mlirOperationClone(op);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      MlirValue operand = mlirOperationGetOperand(op, i);
      void *own = pa_map_get(&copies, operand.ptr);
      if (own) operand.ptr = own;
      if (ends)
        out_yielded[i] = operand;
      else
        mlirOperationSetOperand(copy, i, operand);
    }
    if (ends) return;
    mlirBlockInsertOwnedOperationBefore(u->at.block, u->at.before, copy);
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      pa_map_put(arena, &copies, mlirOperationGetResult(op, i).ptr,
                 (void *)(uintptr_t)mlirOperationGetResult(copy, i).ptr);
  }
}

//===-- Reductions --------------------------------------------------------------------------------===//

// What folds two values of a word; NULL of others.
static const char *function_of(MlirStringRef word) {
  static const char *const functions[][2] = {
      {"add", "numpy.add"}, {"mul", "numpy.multiply"}, {"min", "numpy.minimum"}, {"max", "numpy.maximum"}};
  for (size_t i = 0; i < PA_COUNT(functions); ++i)
    if (pa_ref_equal(word, functions[i][0])) return functions[i][1];
  return NULL;
}

static MlirStringRef word_of(MlirOperation op, intptr_t i) {
  return mlirStringAttrGetValue(mlirArrayAttrGetElement(pa_get_attr(op, "words"), i));
}

static intptr_t word_count(MlirOperation op) { return mlirArrayAttrGetNumElements(pa_get_attr(op, "words")); }

static bool are_foldable(MlirOperation op) {
  MlirOperation end = mlirBlockGetTerminator(pa_body(op, 0));
  for (intptr_t i = 0; i < word_count(op); ++i) {
    pa_scalar element = pa_scalar_of(mlirValueGetType(mlirOperationGetOperand(end, i)));
    bool counts = pa_is_integer(element) || (pa_is_float(element) && !pa_is_half(element));
    if (!counts || !function_of(word_of(op, i))) return false;
  }
  return true;
}

static bool is_folded(MlirOperation op, int axis) {
  MlirAttribute axes = pa_get_attr(op, "axes");
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(axes); ++i)
    if (mlirDenseI64ArrayGetElement(axes, i) == axis) return true;
  return false;
}

// Elements lie in C order: as `order` says, or by the types of all inputs.
static bool is_in_c_order(MlirOperation op) {
  MlirAttribute order = pa_get_attr(op, "order");
  if (!mlirAttributeIsNull(order)) return pa_ref_equal(mlirStringAttrGetValue(order), "C");
  for (int i = 0; i < pa_input_count(op); ++i) {
    MlirValue input = mlirOperationGetOperand(op, i);
    if (is_array(input) && pyarrayArrayTypeGetLayout(mlirValueGetType(input)) != PYARRAY_LAYOUT_C) return false;
  }
  return true;
}

// All inputs have the loop's extents, of which few numbers are folded one after the other.
static bool read_loop(unrolling *u) {
  const pa_extents *loop = NULL;
  for (int i = 0; i < pa_input_count(u->op); ++i) {
    MlirValue input = mlirOperationGetOperand(u->op, i);
    if (!is_array(input)) continue;
    const pa_extents *own = pa_known_extents(u->small, input);
    if (!own || (loop && !pa_extents_are_equal(own, loop))) return false;
    loop = own;
  }
  if (!loop) return false;
  int64_t points = 1, folded = 1, axes = 0;
  for (int axis = 0; axis < loop->rank; ++axis) {
    if (loop->sizes[axis] < 1 || loop->sizes[axis] > PA_MOST_UNROLLED) return false;
    points *= loop->sizes[axis];
    if (is_folded(u->op, axis)) folded *= loop->sizes[axis], ++axes;
  }
  u->loop = *loop;
  return points <= PA_MOST_UNROLLED && folded <= PA_MOST_FOLDED &&
         (axes == 1 || (axes == loop->rank && is_in_c_order(u->op)));
}

// The next place among those of the axes that are |folded|, or not; the last axis moves first.
static bool step(const unrolling *u, int64_t *place, bool folded) {
  for (int axis = u->loop.rank; axis-- > 0;) {
    if (is_folded(u->op, axis) != folded) continue;
    if (++place[axis] < u->loop.sizes[axis]) return true;
    place[axis] = 0;
  }
  return false;
}

static MlirValue fold(unrolling *u, intptr_t word, MlirValue folded, MlirValue next) {
  MlirStringRef name = word_of(u->op, word);
  if (!mlirValueIsNull(folded)) return combine(u, function_of(name), folded, next);
  if (!pa_ref_equal(name, "add") || pa_failed(&u->at)) return next;
  MlirType type = mlirValueGetType(next);
  MlirValue zero = pa_value(&u->at, PA_OP_NAME(CONSTANT), PA_RESULTS(type), PA_ATTRS({"value", zero_of(type)}));
  return combine(u, function_of(name), zero, next);
}

static void store_results(unrolling *u, const int64_t *place, const MlirValue *folded) {
  int64_t kept[PA_MOST_SMALL_RANK];
  int rank = 0;
  intptr_t words = word_count(u->op), first = mlirOperationGetNumOperands(u->op) - words;
  for (int axis = 0; axis < u->loop.rank; ++axis)
    if (!is_folded(u->op, axis)) kept[rank++] = place[axis];
  for (intptr_t i = 0; i < words && !pa_failed(&u->at); ++i)
    if (mlirOperationGetNumResults(u->op))
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(u->op, i), folded[i]);
    else
      pa_small_store(&u->at, mlirOperationGetOperand(u->op, first + i), kept, rank, folded[i]);
}

static pa_status unroll_reduce(unrolling *u, bool *out_done) {
  bool starts = mlirDenseI32ArrayGetElement(pa_get_attr(u->op, "operandSegmentSizes"), 1) > 0;
  if (starts || mlirAttributeIsNull(pa_get_attr(u->op, "expanded")) || !is_short(pa_body(u->op, 0)) ||
      !are_foldable(u->op) || !read_loop(u))
    return PA_OK;
  intptr_t words = word_count(u->op);
  MlirValue *yielded = PA_NEW_ARRAY(u->small->arena, MlirValue, words),
            *folded = PA_NEW_ARRAY(u->small->arena, MlirValue, words);
  int64_t place[PA_MOST_SMALL_RANK] = {0};
  do {
    for (intptr_t i = 0; i < words; ++i) folded[i] = (MlirValue){NULL};
    do {
      copy_body(u, place, yielded);
      for (intptr_t i = 0; i < words; ++i) folded[i] = fold(u, i, folded[i], yielded[i]);
    } while (!pa_failed(&u->at) && step(u, place, true));
    store_results(u, place, folded);
  } while (!pa_failed(&u->at) && step(u, place, false));
  *out_done = true;
  return u->at.failure;
}

//===-- Products ----------------------------------------------------------------------------------===//

typedef struct product {
  pa_contraction text;
  const pa_extents *a, *b;
  int64_t m, n, k;
  bool row, column; // there is an m, an n
  MlirType element;
} product;

static bool read_product(const unrolling *u, product *p) {
  MlirStringRef text = mlirStringAttrGetValue(pa_get_attr(u->op, "contraction"));
  MlirValue a = mlirOperationGetOperand(u->op, 0), b = mlirOperationGetOperand(u->op, 1);
  p->a = pa_known_extents(u->small, a), p->b = pa_known_extents(u->small, b);
  if (!p->a || !p->b || pa_contraction_parse(text.data, text.length, &p->text) ||
      !pa_contraction_is_product(&p->text) || p->a->rank != p->text.operands[0].rank ||
      p->b->rank != p->text.operands[1].rank)
    return false;
  p->element = pyarrayArrayTypeGetElement(mlirValueGetType(a));
  pa_scalar element = pa_scalar_of(p->element);
  p->row = p->a->rank == 2, p->column = p->b->rank == 2;
  p->m = p->row ? p->a->sizes[0] : 1, p->n = p->column ? p->b->sizes[1] : 1, p->k = p->a->sizes[p->row];
  bool few = p->m > 0 && p->n > 0 && p->k > 0 && p->m <= PA_MOST_UNROLLED && p->n <= PA_MOST_UNROLLED &&
             p->k <= PA_MOST_UNROLLED && p->m * p->n * p->k <= PA_MOST_UNROLLED;
  return few && p->b->sizes[0] == p->k &&
         (pa_is_integer(element) || pa_is_complex(element) || (pa_is_float(element) && !pa_is_half(element)));
}

static MlirValue sum_at(unrolling *u, const product *p, int64_t i, int64_t j) {
  MlirValue a = mlirOperationGetOperand(u->op, 0), b = mlirOperationGetOperand(u->op, 1), sum = {NULL};
  for (int64_t l = 0; l < p->k && !pa_failed(&u->at); ++l) {
    int64_t of_a[] = {i, l}, of_b[] = {l, j};
    MlirValue x = pa_small_load(&u->at, a, p->row ? of_a : of_a + 1, p->a->rank, p->element),
              y = pa_small_load(&u->at, b, of_b, p->b->rank, p->element), both = combine(u, "numpy.multiply", x, y);
    sum = mlirValueIsNull(sum) ? both : combine(u, "numpy.add", sum, both);
  }
  return sum;
}

static pa_status unroll_product(unrolling *u, bool *out_done) {
  product p;
  bool adds = !mlirAttributeIsNull(pa_get_attr(u->op, "adds")); // its extents were not known
  if (adds || mlirAttributeIsNull(pa_get_attr(u->op, "expanded")) || !read_product(u, &p)) return PA_OK;
  for (int64_t i = 0; i < p.m; ++i)
    for (int64_t j = 0; j < p.n; ++j) {
      int64_t place[] = {i, j};
      MlirValue sum = sum_at(u, &p, i, j);
      if (pa_failed(&u->at)) return u->at.failure;
      if (mlirOperationGetNumResults(u->op))
        mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(u->op, 0), sum);
      else
        pa_small_store(&u->at, mlirOperationGetOperand(u->op, 2), p.row ? place : place + 1, p.row + p.column, sum);
    }
  *out_done = true;
  return u->at.failure;
}

pa_status pa_unroll(pa_small_arrays *small, MlirOperation op, bool *out_done) {
  unrolling u = {.small = small, .at = builder_before(small, op), .op = op};
  *out_done = false;
  pa_op_kind kind = pa_kind(&small->names, op);
  PA_TRY(kind == PA_OP_REDUCE ? unroll_reduce(&u, out_done) : unroll_product(&u, out_done));
  if (*out_done) mlirOperationDestroy(op);
  return PA_OK;
}
