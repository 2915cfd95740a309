// Of pyarray-fuse: operations that use of each other only what belongs to the same row, as one over rows.
//
//   %m = reduce ["max"] axes [1] ins(%x)                      softmax: a row goes through all of them while it lies
//   %e = ufunc ins(%x, %m with its axis) { subtract, exp }    in cache
//   %s = reduce ["add"] axes [1] ins(%e)
//   %r = ufunc ins(%e, %s with its axis) { divide }
// becomes
//   %n:2 = ufunc_shape ins(%x)
//   %r = numpy.empty(%n#0, %n#1)
//   ufunc "(n)->(n)" ins(%x) outs(%r) expanded {
//   ^bb0(%a: !pyarray.array<?xf64, C>, %b: !pyarray.array<?xf64, C>):
//     %m = reduce ["max"] axes [0] ins(%a) expanded           a number
//     ufunc ins(%a, %m) outs(%b) expanded { subtract, exp }
//     %s = reduce ["add"] axes [0] ins(%b) expanded
//     ufunc ins(%b, %s) outs(%b) expanded { divide }
//   }
//
// A group begins with a reduction along the last dimensions, and takes in what follows of the block as long as it may
// move down to its last member. fuse_rows_emit.c makes the operation.
#include "fuse_rows.h"
#include "support/core_signature.h"

enum {
  PA_MOST_ROW_MEMBERS = 32,
  PA_FEWEST_PASSES = 2, // over the rows, which pay
};

static MlirValue operand(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }

static intptr_t rank_of(MlirValue array) { return pyarrayArrayTypeGetRank(mlirValueGetType(array)); }

bool pa_is_read_input(MlirOperation op, int i) {
  return !mlirOpOperandIsNull(mlirValueGetFirstUse(mlirBlockGetArgument(pa_body(op, 0), i)));
}

intptr_t pa_row_member_of(const pa_rows *rows, MlirOperation op) {
  for (size_t i = 0; i < rows->count; ++i)
    if (mlirOperationEqual(rows->members[i].op, op)) return (intptr_t)i;
  return -1;
}

//===-- Shapes ------------------------------------------------------------------------------------===//

static bool is_derived(const pa_rows *rows, const pa_shape *shape, pa_shape_kind kind) {
  return shape->kind == kind && shape->base == rows->shape && mlirAttributeEqual(shape->axes, rows->axes);
}

static bool is_number_shape(const pa_rows *rows, const pa_shape *shape) {
  return is_derived(rows, shape, PA_SHAPE_FOLDED) || is_derived(rows, shape, PA_SHAPE_KEPT);
}

// All points, in C order.
static bool is_whole(pa_fusing *f, const pa_rows *rows, MlirValue array) {
  MlirType type = mlirValueGetType(array);
  return pyarrayArrayTypeGetRank(type) == rows->rank && pyarrayArrayTypeGetLayout(type) == PYARRAY_LAYOUT_C &&
         pa_shape_of(&f->shapes, array) == rows->shape;
}

static bool are_last(MlirAttribute axes, intptr_t rank) {
  intptr_t count = mlirDenseArrayGetNumElements(axes);
  for (intptr_t i = 0; i < count; ++i)
    if (mlirDenseI64ArrayGetElement(axes, i) != rank - count + i) return false;
  return count > 0 && count < rank;
}

//===-- Members -----------------------------------------------------------------------------------===//

static pa_row_member *add_member(pa_fusing *f, pa_rows *rows, pa_row_member member) {
  size_t number = rows->count;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(member.op); ++i) {
    pa_row_value *read = pa_row_value_of(rows, operand(member.op, i));
    if (read) read->last = number;
  }
  rows->members = pa_arena_grow(f->arena, rows->members, rows->count, &rows->capacity, sizeof *rows->members);
  rows->members[rows->count++] = member;
  for (intptr_t k = 0; k < mlirOperationGetNumResults(member.op); ++k) {
    pa_row_value *value = PA_NEW(f->arena, pa_row_value);
    *value = (pa_row_value){.member = number, .last = number, .array = mlirOperationGetResult(member.op, k)};
    pa_map_put(f->arena, &rows->values, value->array.ptr, value);
  }
  return &rows->members[number];
}

// Forgets members from |count| on.
static void drop_members(pa_fusing *f, pa_rows *rows, size_t count) {
  for (; rows->count > count; --rows->count) {
    MlirOperation op = rows->members[rows->count - 1].op;
    for (intptr_t k = 0; k < mlirOperationGetNumResults(op); ++k)
      pa_map_put(f->arena, &rows->values, mlirOperationGetResult(op, k).ptr, NULL);
  }
}

static bool has_row(const pa_rows *rows, MlirValue array) {
  for (size_t i = 0; i < rows->row_count; ++i)
    if (mlirValueEqual(rows->rows[i], array)) return true;
  return false;
}

static void add_rows_of(pa_fusing *f, pa_rows *rows, MlirOperation op) {
  for (int i = 0; i < pa_input_count(op); ++i) {
    MlirValue input = operand(op, i);
    if (!pa_is_read_input(op, i) || !pa_is_array_with_axes(input) || pa_row_value_of(rows, input) ||
        has_row(rows, input) || !is_whole(f, rows, input))
      continue;
    rows->rows = pa_arena_grow(f->arena, rows->rows, rows->row_count, &rows->row_capacity, sizeof *rows->rows);
    rows->rows[rows->row_count++] = input;
  }
}

//===-- What may be one ---------------------------------------------------------------------------===//

static bool gives_rows(MlirOperation ufunc) {
  for (intptr_t k = 0; k < mlirOperationGetNumResults(ufunc); ++k) {
    MlirValue result = mlirOperationGetResult(ufunc, k);
    if (!pa_is_array_with_axes(result) || pyarrayArrayTypeGetLayout(mlirValueGetType(result)) != PYARRAY_LAYOUT_C)
      return false;
  }
  return mlirOperationGetNumResults(ufunc) > 0;
}

static bool pull(pa_fusing *f, pa_rows *rows, MlirValue array);

// Inputs that are read: numbers, rows, numbers of rows with their axes, and what has none of the outer dimensions.
static bool reads_rows(pa_fusing *f, pa_rows *rows, MlirOperation op, bool *out_connected) {
  bool whole = false;
  *out_connected = rows->row_count == 0;
  for (int i = 0; i < pa_input_count(op); ++i) {
    MlirValue input = operand(op, i);
    if (!pa_is_read_input(op, i) || !pyarrayTypeIsArray(mlirValueGetType(input))) continue;
    const pa_row_value *known = pa_row_value_of(rows, input);
    if (known || (pa_is_array_with_axes(input) && is_whole(f, rows, input))) {
      const pa_shape *shape = pa_shape_of(&f->shapes, input);
      if (shape != rows->shape && !is_derived(rows, shape, PA_SHAPE_KEPT)) return false;
      if (known && rows->members[known->member].wide) return false;
      if (!known) pull(f, rows, input);
      *out_connected = *out_connected || known || has_row(rows, input) || pa_row_value_of(rows, input);
      whole = whole || shape == rows->shape;
    } else if (rank_of(input) > rows->folded) {
      return false;
    }
  }
  return whole;
}

// Its outer dimensions are those of the rows, or it has none. What is left of a producer may be longer than its inputs.
static bool has_outer_dimensions(pa_fusing *f, const pa_rows *rows, MlirValue array) {
  if (!pa_is_array_with_axes(array) || rank_of(array) <= rows->folded) return true;
  if (pa_shape_of(&f->shapes, array) == rows->shape) return true;
  if (!mlirValueIsAOpResult(array)) return false;
  MlirOperation view = mlirOpResultGetOwner(array);
  if (pa_kind(&f->names, view) != PA_OP_BROADCAST_TO || !mlirValueIsAOpResult(operand(view, 1))) return false;
  MlirOperation shape = mlirOpResultGetOwner(operand(view, 1));
  if (pa_kind(&f->names, shape) != PA_OP_UFUNC_SHAPE) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(shape); ++i)
    if (!has_outer_dimensions(f, rows, operand(shape, i))) return false;
  return true;
}

// Its rows may be longer than those that it reads, which are as long as an input without outer dimensions then.
static bool may_be_wide(pa_fusing *f, const pa_rows *rows, MlirOperation op) {
  int inputs[PA_MAX_OPERANDS], count;
  pa_shape_inputs(op, inputs, &count);
  for (int i = 0; i < count; ++i)
    if (!has_outer_dimensions(f, rows, operand(op, inputs[i]))) return false;
  return true;
}

static bool maps_rows(pa_fusing *f, pa_rows *rows, MlirOperation op, pa_row_member *member) {
  bool certain, connected;
  const pa_shape *shape = pa_broadcast_shape(&f->shapes, op, &certain);
  if (!gives_rows(op) || (certain ? shape != rows->shape : !may_be_wide(f, rows, op))) return false;
  member->kind = PA_ROW_MAPS;
  member->wide = !certain;
  return reads_rows(f, rows, op, &connected) && connected;
}

static bool folds_rows(pa_fusing *f, pa_rows *rows, MlirOperation op, pa_row_member *member) {
  bool certain, connected;
  if (!mlirAttributeEqual(pa_get_attr(op, "axes"), rows->axes) || mlirOperationGetNumResults(op) == 0 ||
      pa_broadcast_shape(&f->shapes, op, &certain) != rows->shape || !certain || !pa_folds_rows_alone(op))
    return false;
  member->kind = PA_ROW_FOLDS;
  return reads_rows(f, rows, op, &connected) && connected;
}

static bool is_of_numbers(pa_fusing *f, pa_rows *rows, MlirOperation op, pa_row_member *member) {
  bool certain, any = false;
  const pa_shape *shape = pa_broadcast_shape(&f->shapes, op, &certain);
  if (!certain || !is_number_shape(rows, shape) || !gives_rows(op)) return false;
  member->kind = PA_ROW_NUMBER;
  for (int i = 0; i < pa_input_count(op); ++i) {
    MlirValue input = operand(op, i);
    if (!pa_is_read_input(op, i) || !pyarrayTypeIsArray(mlirValueGetType(input))) continue;
    if (!pa_row_value_of(rows, input) || pa_shape_of(&f->shapes, input) != shape) return false;
    any = true;
  }
  return any;
}

static bool is_view_of_numbers(pa_fusing *f, const pa_rows *rows, MlirOperation op) {
  pa_op_kind kind = pa_kind(&f->names, op);
  if (kind != PA_OP_GETITEM && kind != PA_OP_INSERT_AXES) return false;
  MlirValue array = operand(op, 0), view = mlirOperationGetResult(op, 0);
  return pa_row_value_of(rows, array) && pa_is_array_with_axes(view) &&
         is_number_shape(rows, pa_shape_of(&f->shapes, array)) && is_number_shape(rows, pa_shape_of(&f->shapes, view));
}

static bool is_member(pa_fusing *f, pa_rows *rows, MlirOperation op, pa_row_member *member) {
  *member = (pa_row_member){.op = op, .place = pa_place_of(&f->memory, op)};
  bool reduces = pa_is_open_reduce(&f->names, op);
  if ((!reduces && !pa_is_elementwise(&f->names, op)) || !member->place || !pa_has_no_effects(pa_body(op, 0)))
    return false;
  if (reduces) return folds_rows(f, rows, op, member);
  return is_of_numbers(f, rows, op, member) || maps_rows(f, rows, op, member);
}

// What made |array| becomes a member, if it can: it stands before the group.
static bool pull(pa_fusing *f, pa_rows *rows, MlirValue array) {
  pa_row_member member;
  if (!mlirValueIsAOpResult(array) || rows->count == PA_MOST_ROW_MEMBERS) return false;
  MlirOperation op = mlirOpResultGetOwner(array);
  size_t count = rows->count;
  if (!mlirBlockEqual(mlirOperationGetBlock(op), rows->block) || !pa_is_elementwise(&f->names, op)) return false;
  if (is_member(f, rows, op, &member) && member.kind == PA_ROW_MAPS && !member.wide) {
    add_member(f, rows, member);
    return true;
  }
  drop_members(f, rows, count);
  return false;
}

//===-- Whether they may move ---------------------------------------------------------------------===//

// Uses of |value| by others stand behind |place|.
static bool is_read_behind(pa_fusing *f, const pa_rows *rows, MlirValue value, int64_t place) {
  bool whole = pa_shape_of(&f->shapes, value) == rows->shape;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (pa_row_member_of(rows, user) >= 0 || (whole && pa_is_question(&f->names, user))) continue;
    if (pa_place_of(&f->memory, user) < place) return false;
  }
  return true;
}

// All members may stand where |place| is.
static bool may_move(pa_fusing *f, const pa_rows *rows, int64_t place) {
  for (size_t k = 0; k < rows->count; ++k) {
    const pa_row_member *member = &rows->members[k];
    for (intptr_t i = 0; i < mlirOperationGetNumResults(member->op); ++i)
      if (!is_read_behind(f, rows, mlirOperationGetResult(member->op, i), place)) return false;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(member->op) && member->kind != PA_ROW_VIEW; ++i) {
      MlirValue input = operand(member->op, i);
      if (pyarrayTypeIsArray(mlirValueGetType(input)) && !pa_row_value_of(rows, input) &&
          pa_may_be_written(&f->memory, input, member->place, place))
        return false;
    }
  }
  return true;
}

static bool join(pa_fusing *f, pa_rows *rows, MlirOperation op) {
  pa_row_member member;
  size_t count = rows->count;
  if (count == PA_MOST_ROW_MEMBERS) return false;
  if (is_view_of_numbers(f, rows, op)) {
    add_member(f, rows, (pa_row_member){.op = op, .kind = PA_ROW_VIEW, .place = pa_place_of(&f->memory, op)});
    return true;
  }
  if (is_member(f, rows, op, &member)) {
    add_member(f, rows, member);
    if (may_move(f, rows, member.place)) {
      for (size_t k = count; k < rows->count; ++k) add_rows_of(f, rows, rows->members[k].op);
      return true;
    }
  }
  drop_members(f, rows, count);
  return false;
}

//===-- Groups ------------------------------------------------------------------------------------===//

static bool is_first(pa_fusing *f, MlirOperation op) {
  return pa_is_open_reduce(&f->names, op) && mlirOperationGetNumResults(op) > 0 &&
         are_last(pa_get_attr(op, "axes"), pa_reduction_rank(op));
}

static void begin(pa_fusing *f, pa_rows *rows, MlirOperation op) {
  bool certain;
  *rows = (pa_rows){.block = mlirOperationGetBlock(op), .axes = pa_get_attr(op, "axes")};
  if (!is_first(f, op)) return;
  rows->shape = pa_broadcast_shape(&f->shapes, op, &certain);
  rows->rank = (int)pa_reduction_rank(op);
  rows->folded = (int)mlirDenseArrayGetNumElements(rows->axes);
  if (!join(f, rows, op)) rows->count = 0;
}

bool pa_is_read_elsewhere(pa_fusing *f, const pa_rows *rows, MlirValue array) {
  bool whole = pa_shape_of(&f->shapes, array) == rows->shape;
  for (MlirOpOperand use = mlirValueGetFirstUse(array); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    intptr_t member = pa_row_member_of(rows, user);
    if (member < 0 && !(whole && pa_is_question(&f->names, user))) return true;
    if (member >= 0 && rows->members[member].kind == PA_ROW_VIEW &&
        pa_is_read_elsewhere(f, rows, mlirOperationGetResult(user, 0)))
      return true;
  }
  return false;
}

// One loop over rows is less code than all that a sum along an axis may be: short rows, rows of results.
static bool is_of_products(const pa_row_member *member) {
  MlirAttribute name = pa_get_attr(member->op, "pyarray.name");
  return member->kind == PA_ROW_FOLDS && !mlirAttributeIsNull(name) &&
         pa_ref_equal(mlirStringAttrGetValue(name), PA_PRODUCT_NAME);
}

static bool is_worthwhile(pa_fusing *f, const pa_rows *rows) {
  int passes = 0;
  bool read = false;
  for (size_t k = 0; k < rows->count; ++k) {
    const pa_row_member *member = &rows->members[k];
    passes += member->kind == PA_ROW_FOLDS || member->kind == PA_ROW_MAPS;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(member->op); ++i)
      read = read || pa_is_read_elsewhere(f, rows, mlirOperationGetResult(member->op, i));
  }
  return read && (passes >= PA_FEWEST_PASSES || (rows->count && is_of_products(&rows->members[0])));
}

static pa_status finish(pa_fusing *f, pa_rows *rows) {
  pa_status status = is_worthwhile(f, rows) ? pa_emit_rows(f, rows) : PA_OK;
  rows->count = 0;
  return status;
}

static pa_status fuse_block(pa_fusing *f, MlirBlock block) {
  pa_rows rows = {.count = 0};
  for (MlirOperation op = mlirBlockGetFirstOperation(block), next; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (rows.count && join(f, &rows, op)) continue;
    if (!is_first(f, op)) continue;
    PA_TRY(finish(f, &rows));
    begin(f, &rows, op);
  }
  return finish(f, &rows);
}

static MlirWalkResult add_block(MlirOperation op, void *data) {
  pa_op_list *firsts = data; // a reduction of each block
  if (!pa_ref_equal(mlirIdentifierStr(mlirOperationGetName(op)), PA_OP_NAME(REDUCE))) return MlirWalkResultAdvance;
  for (size_t i = firsts->count; i-- > 0;)
    if (mlirBlockEqual(mlirOperationGetBlock(firsts->items[i]), mlirOperationGetBlock(op)))
      return MlirWalkResultAdvance;
  pa_op_list_add(firsts, op);
  return MlirWalkResultAdvance;
}

pa_status pa_fuse_rows(pa_fusing *f, MlirOperation function) {
  pa_op_list firsts = {.arena = f->arena};
  mlirOperationWalk(function, add_block, &firsts, MlirWalkPreOrder);
  for (size_t i = 0; i < firsts.count; ++i) PA_TRY(fuse_block(f, mlirOperationGetBlock(firsts.items[i])));
  return PA_OK;
}
