// Emission of what infer_records.c plans: views, loads and stores of bytes.
#include <string.h>

#include "infer_emit.h"
#include "infer_records.h"
#include "ir/library.h"
#include "support/record_code.h"
#include "support/type_code.h"

static MlirValue emit_int(pa_instance_emitter *e, int64_t value) {
  return pa_emit_literal(e, mlirIntegerAttrGet(pa_scalar_type(pa_emitter_context(e), PA_I64), value));
}

static MlirValue emit_builtin(pa_instance_emitter *e, const char *name, MlirType result, MlirValue *operands,
                              intptr_t count) {
  return pa_value(e->builder, PA_OP_NAME(BUILTIN), PA_OPERAND_ARRAY(operands, count), PA_RESULTS(result),
                  PA_ATTRS({"name", pa_string_attr(pa_emitter_context(e), name)}));
}

// The view that is the place's memory: the field of one record or of all.
static MlirValue emit_view(pa_instance_emitter *e, MlirValue object, const pa_record_place *p, MlirType type) {
  MlirAttribute extents = mlirDenseI64ArrayGet(pa_emitter_context(e), p->rank, p->extents);
  return pa_value(e->builder, PA_OP_NAME(FIELD), PA_OPERANDS(object), PA_RESULTS(type),
                  PA_ATTRS({"offset", pa_i64_attr(pa_emitter_context(e), p->offset)}, {"extents", extents}));
}

// The memory of one item, as bytes.
static MlirValue emit_item_bytes(pa_instance_emitter *e, MlirValue record, const pa_record_place *p) {
  MlirType type = pa_record_bytes_of(pa_record_type(pa_emitter_context(e), p->code, p->readonly));
  if (p->offset == 0 && mlirTypeEqual(mlirValueGetType(record), type)) return record;
  return emit_view(e, record, p, type);
}

// What is at the place in |record|, bytes.
static MlirValue emit_load(pa_instance_emitter *e, MlirValue record, const pa_record_place *p) {
  MlirType type = pa_erased_type(pa_record_item_type(pa_emitter_context(e), p->code, p->readonly));
  MlirValue operands[] = {record, {NULL}, {NULL}};
  if (*p->code == '{') return emit_item_bytes(e, record, p);
  bool vector = *p->code == 'x';
  if (!vector && !pa_is_scalar_code(p->code))
    return operands[0] = emit_item_bytes(e, record, p), emit_builtin(e, "pyarray.record_text", type, operands, 1);
  operands[1] = emit_int(e, p->offset);
  operands[2] = emit_int(e, p->alignment);
  return emit_builtin(e, vector ? "pyarray.vector_load" : "pyarray.record_load", type, operands, 3);
}

static MlirValue emit_read(pa_instance_emitter *e, MlirType kind, MlirValue object, const pa_record_place *p) {
  if (p->lead + p->rank == 0) return emit_load(e, object, p);
  return emit_view(e, object, p, pa_erased_type(pa_place_type(e->inference, kind, p)));
}

static void emit_write(pa_instance_emitter *e, MlirType kind, MlirValue object, const pa_record_place *p,
                       MlirType value_kind, MlirValue value);

// |target|: the bytes of a record.
static void emit_parts(pa_instance_emitter *e, const pa_record_place *p, MlirValue target, MlirType value_kind,
                       MlirValue value) {
  pa_arena *arena = e->inference->arena;
  bool tuple = mlirTypeIsATuple(value_kind);
  MlirType kind = pa_record_type(pa_emitter_context(e), p->code, false),
           none = pyarrayNoneTypeGet(pa_emitter_context(e));
  if (!tuple && pa_record_same_layout(arena, p->code, value_kind)) {
    emit_builtin(e, "pyarray.record_copy", none, (MlirValue[]){target, value}, 2);
    return;
  }
  intptr_t count, i = 0;
  MlirValue *elements = tuple ? pa_emit_elements(e, value, &count) : NULL;
  pa_record_field field, other;
  for (const char *at = pa_record_head(p->code).fields; (at = pa_record_next(at, &field)); ++i) {
    pa_record_place to = pa_field_place(arena, kind, &field);
    if (tuple) {
      emit_write(e, kind, target, &to, mlirTupleTypeGetType(value_kind, i), elements[i]);
      continue;
    }
    pa_record_field_at(pa_item_code_of(arena, value_kind), i, &other);
    pa_record_place from = pa_field_place(arena, value_kind, &other);
    emit_write(e, kind, target, &to, pa_place_type(e->inference, value_kind, &from),
               emit_read(e, value_kind, value, &from));
  }
}

static void emit_item_write(pa_instance_emitter *e, MlirValue object, const pa_record_place *p, MlirType value_kind,
                            MlirValue value) {
  MlirType item = pa_record_item_type(pa_emitter_context(e), p->code, false),
           none = pyarrayNoneTypeGet(pa_emitter_context(e));
  if (*p->code == '{') {
    emit_parts(e, p, emit_item_bytes(e, object, p), value_kind, value);
    return;
  }
  bool vector = *p->code == 'x';
  if (!vector && !pa_is_scalar_code(p->code)) {
    emit_builtin(e, "pyarray.record_set_text", none, (MlirValue[]){emit_item_bytes(e, object, p), value}, 2);
    return;
  }
  MlirValue operands[] = {object, emit_int(e, p->offset), emit_int(e, p->alignment),
                          pa_emit_cast(e, value, pa_erased_type(item))};
  emit_builtin(e, vector ? "pyarray.vector_store" : "pyarray.record_store", none, operands, 4);
}

// One value to all items of |records|, whose type is |kind|: loops over records of one field, which are the items.
static void emit_fill(pa_instance_emitter *e, MlirType kind, MlirValue records, MlirType value_kind, MlirValue value) {
  pa_arena *arena = e->inference->arena;
  pa_record_place p = pa_whole_place(arena, kind);
  intptr_t rank = pa_records_rank(kind);
  if (rank == 0) {
    emit_item_write(e, records, &p, value_kind, value);
    return;
  }
  const char *code = pa_arena_format(arena, "{%lld,@0:%s}", (long long)pa_item_code_size(p.code), p.code);
  pa_position_loop loop;
  pa_status status = PA_OK;
  MlirType boxes = pa_records_type(pa_emitter_context(e), code, rank,
                                   pyarrayArrayTypeGetLayout(pa_record_bytes_of(kind)), p.readonly);
  pa_begin_positions(e, records, boxes, NULL, NULL, 0, &loop);
  MlirType inner = rank > 1 ? pa_records_item(pa_emitter_context(e), kind)
                            : pa_records_type(pa_emitter_context(e), p.code, 0, PYARRAY_LAYOUT_C, p.readonly);
  emit_fill(e, inner, loop.item, value_kind, value);
  pa_end_positions(e, &loop, NULL, &status);
  if (status && !e->builder->failure) e->builder->failure = status;
}

// An array to an array of that type, one of which has items that are bytes.
static void emit_by_items(pa_instance_emitter *e, MlirType type, MlirValue target, MlirType value_kind,
                          MlirValue value) {
  pa_instance *function;
  pa_status status =
      pa_record_store_function(e->inference, e->instance, (MlirOperation){NULL}, type, value_kind, &function);
  if (status) { // it was found before
    if (!e->builder->failure)
      e->builder->failure = status;
    else
      pa_status_free(status);
    return;
  }
  pa_value(e->builder, PA_OP_NAME(CALL), PA_OPERANDS(target, value), PA_RESULTS(pa_emitter_type(e, function->result)),
           PA_ATTRS({"callee", pa_symbol_attr(pa_emitter_context(e), function->name)}));
}

static void emit_write(pa_instance_emitter *e, MlirType kind, MlirValue object, const pa_record_place *p,
                       MlirType value_kind, MlirValue value) {
  if (p->lead + p->rank == 0) {
    emit_item_write(e, object, p, value_kind, value);
    return;
  }
  MlirType type = pa_place_type(e->inference, kind, p);
  MlirValue view = emit_view(e, object, p, pa_erased_type(type));
  if (pa_goes_by_items(type, value_kind)) {
    emit_by_items(e, type, view, value_kind, value);
    return;
  }
  if (pa_is_records(type)) {
    emit_fill(e, type, view, value_kind, value);
    return;
  }
  if (!pyarrayTypeIsArray(value_kind)) value = pa_emit_cast(e, value, pyarrayArrayTypeGetElement(type));
  pa_op(e->builder, PA_OP_NAME(SETITEM), PA_OPERANDS(view, value));
}

// array[indices], as bytes.
static MlirValue emit_subscript(pa_instance_emitter *e, MlirOperation op, const pa_record_plan *plan, MlirValue object,
                                MlirType type) {
  MlirValue *indices = pa_emit_index_values(e, op, plan->indices, plan->count, plan->spread);
  if (!plan->subscript.gathers)
    return pa_emit_indexed(e, object, &plan->subscript, indices, type); // the bytes are one more axis
  pa_index_plan subscript = plan->subscript;
  ++subscript.rank;
  MlirType view = pa_array_type(pa_emitter_context(e), subscript.rank, pyarrayArrayTypeGetElement(type),
                                PYARRAY_LAYOUT_A, plan->place.readonly);
  return pa_emit_gathered(e, pa_emit_indexed(e, object, &subscript, indices, view), &subscript, indices, type);
}

static MlirType item_bytes(const pa_record_plan *plan, MlirContext context) {
  return pa_record_bytes_of(pa_record_type(context, plan->place.code, plan->place.readonly));
}

static MlirValue emit_transpose(pa_instance_emitter *e, const pa_record_plan *plan, MlirValue object) {
  int64_t axes[PA_RECORD_MAX_RANK + 1];
  intptr_t rank = pa_records_rank(plan->object);
  if (rank < 2) return object;
  for (intptr_t i = 0; i < rank; ++i) axes[i] = rank - 1 - i;
  axes[rank] = rank;
  MlirContext context = pa_emitter_context(e);
  MlirType plain = pa_array_type(context, rank + 1, pa_scalar_type(context, PA_U8), PYARRAY_LAYOUT_A,
                                 pa_record_is_readonly(plan->object));
  MlirValue view = pa_value(e->builder, PA_OP_NAME(TRANSPOSE), PA_OPERANDS(object), PA_RESULTS(plain),
                            PA_ATTRS({"axes", mlirDenseI64ArrayGet(context, rank + 1, axes)}));
  return pa_emit_cast(e, view, pa_record_bytes_of(plan->type));
}

// shape, strides: all but the last of those of the bytes. size: the number of bytes over that of an item.
static MlirValue emit_shape(pa_instance_emitter *e, MlirOperation op, const pa_record_plan *plan, MlirValue object) {
  MlirContext context = pa_emitter_context(e);
  MlirAttribute name = pa_get_attr(op, "name");
  MlirType i64 = pa_scalar_type(context, PA_I64);
  intptr_t rank = pa_records_rank(plan->object), count;
  bool tuple = mlirTypeIsATuple(plan->type), strides = pa_ref_equal(mlirStringAttrGetValue(name), "strides");
  MlirType types[PA_RECORD_MAX_RANK + 1];
  for (intptr_t i = 0; i <= rank; ++i) types[i] = i64;
  MlirValue all = pa_value(e->builder, PA_OP_NAME(GETATTR), PA_OPERANDS(object),
                           PA_RESULTS(mlirTupleTypeGet(context, rank + 1, types)),
                           PA_ATTRS({"name", strides ? name : pa_string_attr(context, "shape")}));
  MlirValue *parts = pa_emit_elements(e, all, &count);
  if (tuple) return pa_value(e->builder, PA_OP_NAME(TUPLE), PA_OPERAND_ARRAY(parts, rank), PA_RESULTS(plan->type));
  bool bytes = pa_ref_equal(mlirStringAttrGetValue(name), "nbytes");
  MlirValue size = bytes ? parts[rank] : emit_int(e, 1);
  for (intptr_t i = 0; i < rank; ++i)
    size = pa_value(e->builder, PA_OP_NAME(BINARY), PA_OPERANDS(size, parts[i]), PA_RESULTS(i64),
                    PA_ATTRS({"kind", pyarrayBinaryKindAttrGet(context, PYARRAY_BINARY_MUL)}));
  return size;
}

static void emit_store(pa_instance_emitter *e, MlirOperation op, const pa_record_plan *plan, MlirValue object) {
  MlirValue operand = mlirOperationGetOperand(op, mlirOperationGetNumOperands(op) - 1);
  MlirType value_kind = pa_emitter_fact(e, operand).type;
  if (plan->kind == PA_RECORD_VIEW) {
    MlirValue view = emit_subscript(e, op, plan, object, pa_record_bytes_of(plan->type));
    if (pa_goes_by_items(plan->type, value_kind))
      emit_by_items(e, plan->type, view, value_kind, pa_emitter_use(e, operand));
    else
      emit_fill(e, plan->type, view, value_kind, pa_emitter_use(e, operand));
    return;
  }
  if (plan->kind == PA_RECORD_ITEM)
    object = emit_subscript(e, op, plan, object, item_bytes(plan, pa_emitter_context(e)));
  emit_write(e, plan->object, object, &plan->place, value_kind, pa_emitter_use(e, operand));
}

static MlirValue emit_fields(pa_instance_emitter *e, const pa_record_plan *plan, MlirValue object) {
  pa_arena *arena = e->inference->arena;
  intptr_t count = mlirTupleTypeGetNumTypes(plan->type), i = 0;
  MlirValue *values = pa_emitter_values(e, count);
  pa_record_field field;
  for (const char *at = pa_record_head(pa_item_code_of(arena, plan->object)).fields; (at = pa_record_next(at, &field));
       ++i) {
    pa_record_place part = pa_field_place(arena, plan->object, &field);
    values[i] = emit_read(e, plan->object, object, &part);
  }
  return pa_value(e->builder, PA_OP_NAME(TUPLE), PA_OPERAND_ARRAY(values, count),
                  PA_RESULTS(pa_erased_type(plan->type)));
}

static MlirValue emit_result(pa_instance_emitter *e, MlirOperation op, const pa_record_plan *plan, MlirValue object) {
  switch (plan->kind) {
  case PA_RECORD_PARTS: return emit_fields(e, plan, object);
  case PA_RECORD_FIELD: return emit_read(e, plan->object, object, &plan->place);
  case PA_RECORD_ITEM:
    return emit_load(e, emit_subscript(e, op, plan, object, item_bytes(plan, pa_emitter_context(e))), &plan->place);
  case PA_RECORD_VIEW: return emit_subscript(e, op, plan, object, pa_record_bytes_of(plan->type));
  case PA_RECORD_SHAPE: return emit_shape(e, op, plan, object);
  case PA_RECORD_TRANSPOSE: return emit_transpose(e, plan, object);
  case PA_RECORD_ITSELF: return object;
  case PA_RECORD_COPY: return emit_builtin(e, "array.copy", pa_record_bytes_of(plan->type), &object, 1);
  default: return pa_emit_literal(e, plan->literal);
  }
}

pa_status pa_emit_record_operation(pa_instance_emitter *e, MlirOperation op, bool *out_done) {
  pa_record_plan plan;
  PA_TRY(pa_plan_record(e->inference, e->instance, op, &plan));
  *out_done = plan.kind != PA_RECORD_NOTHING;
  if (!*out_done) return PA_OK;
  MlirValue object = pa_emitter_use(e, mlirOperationGetOperand(op, pa_kind(&e->inference->names, op) == PA_OP_APPLY));
  if (plan.pointed) {
    MlirValue operands[] = {
        object, pa_emitter_use_as(e, mlirOperationGetOperand(op, 1), pa_scalar_type(pa_emitter_context(e), PA_I64))};
    object = emit_builtin(e, "pyarray.record_at", item_bytes(&plan, pa_emitter_context(e)), operands, 2);
  }
  if (pa_kind(&e->inference->names, op) == PA_OP_UNPACK) {
    intptr_t count;
    MlirValue *parts = pa_emit_elements(e, emit_result(e, op, &plan, object), &count);
    for (intptr_t i = 0; i < count; ++i) pa_emitter_map(e, mlirOperationGetResult(op, i), parts[i]);
    return PA_OK;
  }
  if (mlirOperationGetNumResults(op))
    pa_emitter_map(e, mlirOperationGetResult(op, 0), emit_result(e, op, &plan, object));
  else
    emit_store(e, op, &plan, object);
  return PA_OK;
}

//===-- Iteration ---------------------------------------------------------------------------------===//

MlirValue pa_emit_record_item(pa_instance_emitter *e, MlirValue records, MlirType kind, MlirValue position) {
  pa_arena *arena = e->inference->arena;
  pa_record_place p = pa_whole_place(arena, kind);
  intptr_t rank = pa_records_rank(kind);
  MlirType type = rank > 1 ? pa_record_bytes_of(pa_records_item(pa_emitter_context(e), kind))
                           : pa_record_bytes_of(pa_record_type(pa_emitter_context(e), p.code, p.readonly));
  MlirValue bytes = pa_value(e->builder, PA_OP_NAME(ITER_ITEM), PA_OPERANDS(records, position), PA_RESULTS(type));
  return rank > 1 ? bytes : emit_load(e, bytes, &p);
}
