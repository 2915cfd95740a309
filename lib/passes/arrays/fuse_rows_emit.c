// Of pyarray-fuse: makes one operation of a group of fuse_rows.c, whose body sees a row of each array.
//
// Checks of shapes, and that no maximum is of nothing, stay where the statements stood. What is read by others becomes
// an output. A row that only members read is written to one that comes later, or to new memory of the body.
#include <string.h>

#include "fuse_rows.h"
#include "support/core_signature.h"

typedef struct emission {
  pa_fusing *f;
  pa_rows *rows;
  pa_builder at, inside; // before the last member; at the end of the body
  MlirValue *sizes;      // of all points
  pa_row_value **values; // that members give, in order
  size_t count;
  MlirValue *operands, *arguments; // rows, outputs; of the body
  int operand_count, output_count;
} emission;

static MlirValue operand(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }
static MlirType element_of(MlirValue array) { return pyarrayArrayTypeGetElement(mlirValueGetType(array)); }
static bool is_array(MlirValue value) { return pyarrayTypeIsArray(mlirValueGetType(value)); }
static int kept(const emission *e) { return e->rows->rank - e->rows->folded; }

static bool gives_rows(const emission *e, const pa_row_value *value) {
  return e->rows->members[value->member].kind == PA_ROW_MAPS;
}

//===-- Checks that stay --------------------------------------------------------------------------===//

static MlirValue *emit_shape(emission *e, pa_builder *at, const MlirValue *arrays, int count, MlirAttribute name,
                             int64_t place) {
  return pa_leave_shape(e->f, at, arrays, count, e->rows->rank, name, place);
}

static void check_wide(emission *e, pa_row_member *member, pa_builder *at) {
  MlirValue arrays[PA_MAX_OPERANDS];
  int inputs[PA_MAX_OPERANDS], count;
  pa_shape_inputs(member->op, inputs, &count);
  for (int i = 0; i < count; ++i) {
    arrays[i] = operand(member->op, inputs[i]);
    if (pa_row_value_of(e->rows, arrays[i])) arrays[i] = e->rows->rows[0]; // which has its shape
  }
  member->extents = emit_shape(e, at, arrays, count, pa_get_attr(member->op, "pyarray.name"), member->place) + kept(e);
}

static MlirValue integer(pa_builder *at, int64_t value) {
  MlirType type = mlirIntegerTypeSignedGet(at->context, 64);
  return pa_value(at, PA_OP_NAME(CONSTANT), PA_RESULTS(type), PA_ATTRS({"value", mlirIntegerAttrGet(type, value)}));
}

static void check_not_empty(emission *e, pa_row_member *member, pa_builder *at) {
  if (!pa_empty_fold_text(e->f->arena, member->op)) return;
  pa_leave_empty_check(e->f, at, member->op,
                       emit_shape(e, at, e->rows->rows, 1, mlirAttributeGetNull(), member->place));
}

static void leave_checks(emission *e) {
  for (size_t k = 0; k < e->rows->count && !pa_failed(&e->at); ++k) {
    pa_row_member *member = &e->rows->members[k];
    pa_builder at = pa_builder_before(e->f, member->op);
    if (member->wide) check_wide(e, member, &at);
    if (member->kind == PA_ROW_FOLDS) check_not_empty(e, member, &at);
    if (at.failure) e->at.failure = at.failure;
  }
}

//===-- Outputs -----------------------------------------------------------------------------------===//

static MlirValue new_array(pa_builder *at, const MlirValue *extents, int rank, MlirType type) {
  return pa_value(at, PA_OP_NAME(BUILTIN), PA_OPERAND_ARRAY(extents, rank), PA_RESULTS(type),
                  PA_ATTRS({"name", pa_string_attr(at->context, "numpy.empty")}));
}

static void add_operand(emission *e, MlirValue array, MlirType argument, MlirBlock body) {
  e->operands[e->operand_count] = array;
  e->arguments[e->operand_count++] = mlirBlockAddArgument(body, argument, e->at.location);
}

static MlirType row_type(const emission *e, MlirType element, bool readonly) {
  return pa_array_type(e->at.context, e->rows->folded, element, PYARRAY_LAYOUT_C, readonly);
}

static void add_output(emission *e, pa_row_value *value, MlirBlock body) {
  const pa_row_member *member = &e->rows->members[value->member];
  MlirValue *extents = PA_NEW_ARRAY(e->f->arena, MlirValue, e->rows->rank);
  bool rows = gives_rows(e, value);
  memcpy(extents, e->sizes, (size_t)kept(e) * sizeof *extents);
  if (rows) memcpy(extents + kept(e), member->extents, (size_t)e->rows->folded * sizeof *extents);
  MlirType type = mlirValueGetType(value->array), element = element_of(value->array);
  if (!rows && member->kind == PA_ROW_NUMBER) // perhaps with the folded axes
    type = pa_array_type(e->at.context, kept(e), element, PYARRAY_LAYOUT_C, false);
  value->output = new_array(&e->at, extents, rows ? e->rows->rank : kept(e), type);
  if (pa_failed(&e->at)) return;
  add_operand(e, value->output,
              rows ? row_type(e, element, false) : pa_array_type(e->at.context, 1, element, PYARRAY_LAYOUT_A, false),
              body);
  if (rows) value->memory = e->arguments[e->operand_count - 1];
  ++e->output_count;
}

static void read_values(emission *e) {
  size_t capacity = 0;
  for (size_t k = 0; k < e->rows->count; ++k) {
    MlirOperation op = e->rows->members[k].op;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op) && e->rows->members[k].kind != PA_ROW_VIEW; ++i) {
      e->values = pa_arena_grow(e->f->arena, e->values, e->count, &capacity, sizeof *e->values);
      e->values[e->count++] = pa_row_value_of(e->rows, mlirOperationGetResult(op, i));
    }
  }
}

static void open_body(emission *e, MlirBlock body) {
  size_t most = e->rows->row_count + e->count + 1;
  e->operands = PA_NEW_ARRAY(e->f->arena, MlirValue, most);
  e->arguments = PA_NEW_ARRAY(e->f->arena, MlirValue, most);
  for (size_t i = 0; i < e->rows->row_count; ++i) {
    MlirValue array = e->rows->rows[i];
    bool readonly = pyarrayArrayTypeIsReadonly(mlirValueGetType(array));
    add_operand(e, array, row_type(e, element_of(array), readonly), body);
  }
  for (size_t i = 0; i < e->count && !pa_failed(&e->at); ++i)
    if (pa_is_read_elsewhere(e->f, e->rows, e->values[i]->array)) add_output(e, e->values[i], body);
}

// "(n),(n)->(n),()"; rows that may be longer have names of their own.
static const char *signature_of(const emission *e) {
  const char *text = "";
  for (size_t i = 0; i < (size_t)e->operand_count; ++i) {
    const pa_row_value *value = NULL;
    for (size_t k = 0; k < e->count && !value; ++k)
      if (i >= e->rows->row_count && mlirValueEqual(e->values[k]->output, e->operands[i])) value = e->values[k];
    bool rows = !value || gives_rows(e, value);
    text = pa_arena_format(e->f->arena, "%s%s(", text, i == 0 ? "" : i == e->rows->row_count ? "->" : ",");
    for (int d = 0; rows && d < e->rows->folded; ++d)
      text = value && e->rows->members[value->member].wide
                 ? pa_arena_format(e->f->arena, "%s%sw%d_%d", text, d ? "," : "", (int)value->member, d)
                 : pa_arena_format(e->f->arena, "%s%sn%d", text, d ? "," : "", d);
    text = pa_arena_format(e->f->arena, "%s)", text);
  }
  return text;
}

//===-- Rows that only members read ---------------------------------------------------------------===//

// Some row that is kept in the memory of |later| is read at the same time as |value|.
static bool is_taken(const emission *e, const pa_row_value *value, const pa_row_value *later) {
  for (size_t i = 0; i < e->count; ++i) {
    const pa_row_value *other = e->values[i];
    if (other == value || other == later || mlirValueIsNull(other->memory) ||
        !mlirValueEqual(other->memory, later->memory))
      continue;
    if (other->last > value->member && other->member < value->last) return true;
  }
  return false;
}

// A row of an output that is written when |value| has been read, or is by the last who reads it.
static MlirValue memory_of(emission *e, const pa_row_value *value) {
  for (size_t i = 0; i < e->count; ++i) {
    const pa_row_value *later = e->values[i];
    if (mlirValueIsNull(later->output) || !gives_rows(e, later) || e->rows->members[later->member].wide ||
        later->member < value->last || later == value ||
        !mlirTypeEqual(element_of(later->array), element_of(value->array)) || is_taken(e, value, later))
      continue;
    return later->memory;
  }
  return new_array(&e->inside, e->sizes + kept(e), e->rows->folded, row_type(e, element_of(value->array), false));
}

//===-- Members -----------------------------------------------------------------------------------===//

// An array as |type|, or one of the extents of the member's rows.
static MlirValue spread(emission *e, pa_builder *at, const pa_row_member *member, MlirValue array) {
  int folded = e->rows->folded;
  MlirValue *operands = PA_NEW_ARRAY(e->f->arena, MlirValue, folded + 1);
  operands[0] = array;
  memcpy(operands + 1, member->extents, (size_t)folded * sizeof *operands);
  MlirType type = pa_array_type(at->context, folded, element_of(array), PYARRAY_LAYOUT_A,
                                pyarrayArrayTypeIsReadonly(mlirValueGetType(array)));
  return pa_value(at, PA_OP_NAME(BROADCAST_TO), PA_OPERAND_ARRAY(operands, folded + 1), PA_RESULTS(type));
}

// What the body reads for input |i| of a member.
static MlirValue input_of(emission *e, const pa_row_member *member, int i) {
  MlirValue input = operand(member->op, i), row = {NULL};
  if (!is_array(input)) return input;
  const pa_row_value *value = pa_row_value_of(e->rows, input);
  if (value && e->rows->members[value->member].kind != PA_ROW_MAPS) return value->inside;
  for (size_t k = 0; k < e->rows->row_count && !value; ++k)
    if (mlirValueEqual(e->rows->rows[k], input)) row = e->arguments[k];
  if (value) row = value->memory;
  if (mlirValueIsNull(row)) return spread(e, &e->at, member, input);
  return member->wide ? spread(e, &e->inside, member, row) : row;
}

// Inputs that are read, of which the body is then.
static int read_inputs(emission *e, const pa_row_member *member, MlirValue *out_inputs) {
  MlirBlock body = pa_body(member->op, 0);
  int all = pa_input_count(member->op), count = 0;
  for (int i = 0; i < all; ++i)
    if (pa_is_read_input(member->op, i)) out_inputs[count++] = input_of(e, member, i);
  for (int i = all - 1; i >= 0; --i)
    if (!pa_is_read_input(member->op, i)) mlirBlockEraseArgument(body, (unsigned)i);
  return count;
}

static MlirRegion take_body(MlirOperation op) {
  MlirRegion body = mlirRegionCreate();
  mlirRegionTakeBody(body, mlirOperationGetRegion(op, 0));
  return body;
}

static MlirAttribute segments(const emission *e, int first, int second, int third) {
  int32_t sizes[] = {first, second, third};
  return mlirDenseI32ArrayGet(e->at.context, third < 0 ? 2 : 3, sizes);
}

static void emit_fold(emission *e, const pa_row_member *member) {
  MlirOperation op = member->op;
  MlirValue operands[2 * PA_MAX_OPERANDS];
  int all = pa_input_count(op), inputs = read_inputs(e, member, operands), words = (int)mlirOperationGetNumResults(op),
      starts = mlirDenseI32ArrayGetElement(pa_get_attr(op, "operandSegmentSizes"), 1);
  int64_t axes[PA_MAX_OPERANDS];
  MlirType *types = PA_NEW_ARRAY(e->f->arena, MlirType, words);
  for (int i = 0; i < starts; ++i) operands[inputs + i] = operand(op, all + i);
  for (int d = 0; d < e->rows->folded; ++d) axes[d] = d;
  for (int k = 0; k < words; ++k) types[k] = element_of(mlirOperationGetResult(op, k));
  MlirOperation made = pa_op(
      &e->inside, PA_OP_NAME(REDUCE), PA_OPERAND_ARRAY(operands, inputs + starts), PA_RESULT_ARRAY(types, words),
      PA_REGIONS(take_body(op)),
      PA_ATTRS({"words", pa_get_attr(op, "words")},
               {"axes", mlirDenseI64ArrayGet(e->at.context, e->rows->folded, axes)},
               {"order", pa_get_attr(op, "order")}, {"buffered", pa_get_attr(op, "buffered")},
               {"expanded", pa_unit_attr(e->at.context)}, {"operandSegmentSizes", segments(e, inputs, starts, 0)},
               {"pyarray.nonempty", pa_unit_attr(e->at.context)}, {"pyarray.name", pa_get_attr(op, "pyarray.name")},
               {"pyarray.options", pa_get_attr(op, "pyarray.options")}));
  for (int k = 0; k < words && !mlirOperationIsNull(made); ++k)
    pa_row_value_of(e->rows, mlirOperationGetResult(op, k))->inside = mlirOperationGetResult(made, k);
}

static const char *plain_signature(const emission *e, int inputs, int outputs) {
  const char *text = "";
  for (int i = 0; i < inputs + outputs; ++i)
    text = pa_arena_format(e->f->arena, "%s%s()", text, i == inputs ? "->" : i ? "," : "");
  return text;
}

static void emit_map(emission *e, const pa_row_member *member) {
  MlirOperation op = member->op;
  MlirValue operands[2 * PA_MAX_OPERANDS];
  int inputs = read_inputs(e, member, operands), outputs = (int)mlirOperationGetNumResults(op);
  bool fresh = true;
  for (int k = 0; k < outputs; ++k) {
    pa_row_value *value = pa_row_value_of(e->rows, mlirOperationGetResult(op, k));
    if (mlirValueIsNull(value->memory)) value->memory = memory_of(e, value);
    operands[inputs + k] = value->memory;
    for (int i = 0; i < inputs; ++i) fresh = fresh && !mlirValueEqual(operands[i], value->memory);
  }
  pa_op(&e->inside, PA_OP_NAME(UFUNC), PA_OPERAND_ARRAY(operands, inputs + outputs), PA_REGIONS(take_body(op)),
        PA_ATTRS({"signature", pa_string_attr(e->at.context, plain_signature(e, inputs, outputs))},
                 {"operandSegmentSizes", segments(e, inputs, outputs, -1)}, {"expanded", pa_unit_attr(e->at.context)},
                 {"pyarray.fresh", fresh ? pa_unit_attr(e->at.context) : mlirAttributeGetNull()},
                 {"pyarray.name", pa_get_attr(op, "pyarray.name")},
                 {"pyarray.options", pa_get_attr(op, "pyarray.options")}));
}

static void emit_number(emission *e, const pa_row_member *member) {
  MlirValue inputs[PA_MAX_OPERANDS];
  MlirBlock body = pa_body(member->op, 0);
  int count = read_inputs(e, member, inputs);
  for (int i = 0; i < count; ++i) mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, i), inputs[i]);
  MlirOperation end = mlirBlockGetTerminator(body), anchor = mlirBlockGetTerminator(e->inside.block);
  for (MlirOperation op = mlirBlockGetFirstOperation(body), next; !mlirOperationEqual(op, end); op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationMoveBefore(op, anchor);
  }
  for (intptr_t k = 0; k < mlirOperationGetNumResults(member->op); ++k)
    pa_row_value_of(e->rows, mlirOperationGetResult(member->op, k))->inside = operand(end, k);
}

static void emit_member(emission *e, const pa_row_member *member) {
  switch (member->kind) {
  case PA_ROW_FOLDS: emit_fold(e, member); break;
  case PA_ROW_MAPS: emit_map(e, member); break;
  case PA_ROW_NUMBER: emit_number(e, member); break;
  case PA_ROW_VIEW:
    pa_row_value_of(e->rows, mlirOperationGetResult(member->op, 0))->inside =
        pa_row_value_of(e->rows, operand(member->op, 0))->inside;
  }
}

// Numbers of rows that others read.
static void store_numbers(emission *e) {
  MlirValue zero = {NULL};
  bool here = true;
  for (size_t i = 0; i < e->count; ++i) {
    const pa_row_value *value = e->values[i];
    if (mlirValueIsNull(value->output) || gives_rows(e, value)) continue;
    if (mlirValueIsNull(zero)) zero = integer(&e->inside, 0);
    for (int k = 0; k < e->operand_count; ++k)
      if (mlirValueEqual(e->operands[k], value->output))
        pa_op(&e->inside, PA_OP_NAME(SETITEM), PA_OPERANDS(e->arguments[k], zero, value->inside),
              PA_ATTRS({"pyarray.in_bounds", mlirDenseBoolArrayGet(e->at.context, 1, (int[]){here})}));
  }
}

//===-- All ---------------------------------------------------------------------------------------===//

static MlirOperation last_of(const pa_rows *rows) {
  size_t last = rows->count - 1;
  while (rows->members[last].kind == PA_ROW_VIEW) --last;
  return rows->members[last].op;
}

// Who reads |value| from elsewhere reads the new array, with the folded axes where it had them.
static void replace(emission *e, const pa_row_value *value) {
  MlirValue array = value->output;
  if (mlirValueIsNull(array)) return;
  pa_shape *shape = pa_shape_of(&e->f->shapes, value->array);
  if (!gives_rows(e, value) && shape->kind == PA_SHAPE_KEPT) {
    MlirType type = mlirValueGetType(value->array);
    array = pa_value(&e->at, PA_OP_NAME(INSERT_AXES), PA_OPERANDS(array), PA_RESULTS(type),
                     PA_ATTRS({"axes", e->rows->axes}));
    if (mlirValueIsNull(array)) return;
    pa_set_place(&e->f->memory, mlirOpResultGetOwner(array), pa_place_of(&e->f->memory, last_of(e->rows)));
  }
  pa_memory_view(&e->f->memory, array, value->array);
  pa_set_shape(&e->f->shapes, array, shape);
  mlirValueReplaceAllUsesOfWith(value->array, array);
}

// Who asks for the shape of |value|, which may be before it is made, asks an array that has it.
static void answer(emission *e, const pa_row_value *value) {
  if (!gives_rows(e, value) || pa_shape_of(&e->f->shapes, value->array) != e->rows->shape) return;
  for (MlirOpOperand use = mlirValueGetFirstUse(value->array), next; !mlirOpOperandIsNull(use); use = next) {
    next = mlirOpOperandGetNextUse(use);
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (pa_row_member_of(e->rows, user) < 0 && pa_is_question(&e->f->names, user))
      mlirOperationSetOperand(user, mlirOpOperandGetOperandNumber(use), e->rows->rows[0]);
  }
}

// Views that others read stand behind the new arrays.
static void remove_members(emission *e, MlirOperation last) {
  int64_t place = pa_place_of(&e->f->memory, last);
  mlirOperationSetOperands(last, 0, NULL); // it stays for a place to move to
  for (size_t k = e->rows->count; k-- > 0;) {
    const pa_row_member *member = &e->rows->members[k];
    bool read = member->kind == PA_ROW_VIEW &&
                !mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(member->op, 0)));
    if (!read && !mlirOperationEqual(member->op, last)) pa_remove(e->f, member->op);
  }
  for (size_t k = 0; k < e->rows->count; ++k) { // in their order
    const pa_row_member *member = &e->rows->members[k];
    bool left = member->kind == PA_ROW_VIEW && !mlirBlockIsNull(mlirOperationGetBlock(member->op));
    if (left && member->place < place) mlirOperationMoveBefore(member->op, last);
  }
  pa_remove(e->f, last);
}

static void note(emission *e) {
  MlirOperation *all = PA_NEW_ARRAY(e->f->arena, MlirOperation, e->rows->count);
  size_t count = 0;
  for (size_t k = 0; k < e->rows->count; ++k)
    if (e->rows->members[k].kind == PA_ROW_FOLDS || e->rows->members[k].kind == PA_ROW_MAPS)
      all[count++] = e->rows->members[k].op;
  for (size_t k = 0; k < count; ++k) pa_note_rows(e->f, all[k], all, count);
}

pa_status pa_emit_rows(pa_fusing *f, pa_rows *rows) {
  MlirOperation last = last_of(rows);
  emission e = {.f = f, .rows = rows, .at = pa_builder_before(f, last), .inside = pa_builder_before(f, last)};
  note(&e);
  leave_checks(&e);
  if (pa_failed(&e.at)) return e.at.failure;
  e.sizes = emit_shape(&e, &e.at, rows->rows, 1, mlirAttributeGetNull(), pa_place_of(&f->memory, last));
  for (size_t k = 0; k < rows->count; ++k)
    if (!rows->members[k].wide) rows->members[k].extents = e.sizes + kept(&e);
  read_values(&e);
  MlirRegion body = pa_region(e.at.location, NULL, 0, &e.inside.block);
  e.inside.before = (MlirOperation){NULL};
  open_body(&e, e.inside.block);
  if (pa_failed(&e.at)) return mlirRegionDestroy(body), e.at.failure;
  pa_op(&e.inside, PA_OP_NAME(YIELD), PA_OPERAND_ARRAY(NULL, 0));
  e.inside.before = mlirBlockGetTerminator(e.inside.block);
  for (size_t k = 0; k < rows->count && !pa_failed(&e.inside); ++k) emit_member(&e, &rows->members[k]);
  if (!pa_failed(&e.inside)) store_numbers(&e);
  if (e.inside.failure) return mlirRegionDestroy(body), e.inside.failure;
  int inputs = (int)rows->row_count;
  MlirOperation made =
      pa_op(&e.at, PA_OP_NAME(UFUNC), PA_OPERAND_ARRAY(e.operands, e.operand_count), PA_REGIONS(body),
            PA_ATTRS({"signature", pa_string_attr(e.at.context, signature_of(&e))},
                     {"operandSegmentSizes", segments(&e, inputs, e.output_count, -1)},
                     {"expanded", pa_unit_attr(e.at.context)}, {"pyarray.rows", pa_i64_attr(e.at.context, kept(&e))}));
  if (mlirOperationIsNull(made)) return e.at.failure;
  pa_set_place(&f->memory, made, pa_place_of(&f->memory, last));
  for (size_t i = 0; i < e.count; ++i) answer(&e, e.values[i]);
  for (size_t i = 0; i < e.count; ++i) replace(&e, e.values[i]);
  remove_members(&e, last);
  return e.at.failure;
}
