// Records in pyarray-infer-types: what operations on records, and on arrays of items that lie in memory as bytes, become. Type inference
// alone knows them (ir/records.c); what is emitted works on their bytes:
//
//   %r = pyarray.getitem %a[%i]       pyarray.getitem %a[%i] : (!pyarray.array<?x16xui8, C>, si64) -> !pyarray.array<16xui8, C>
//   %x = pyarray.getattr %r "x"       pyarray.builtin "pyarray.record_load"(%r, 0, 8) : ... -> f64
//   %c = pyarray.getitem %a["x"]      pyarray.field %a at 0 : !pyarray.array<?x16xui8, C> -> !pyarray.array<?xf64, A>
//
// The numbers in record_load and record_store are the offset, and of what the address is a multiple.
#include <string.h>

#include "infer_emit.h"
#include "ir/library.h"
#include "support/record_code.h"
#include "support/type_code.h"

//===-- Places ------------------------------------------------------------------------------------===//

// A field of a record or of all records of an array; or an item as a whole, which is at offset 0.
typedef struct place {
  int64_t offset;
  int alignment; // of the item
  int lead;      // axes of the array before those of a sub-array
  int rank;      // of the sub-array
  const int64_t *extents;
  const char *code; // of the item
  bool readonly;
} place;

static MlirType bytes_of(MlirType type) { return pyarrayTaggedTypeGetItem(type); }
static bool is_readonly(MlirType type) { return pyarrayArrayTypeIsReadonly(bytes_of(type)); }
static bool is_scalar_code(const char *code) { return *code != '{' && *code != 'z' && *code != 'Z'; }

static int64_t size_of(const char *code) {
  int64_t size = 0;
  pa_item_code_end(code, &size);
  return size;
}

// The item's code on its own. A record within one at any address is at any address too.
static const char *item_code(pa_arena *arena, const pa_record_field *field, bool packed) {
  const char *code = pa_arena_copy(arena, field->item, field->item_length);
  if (!packed || *code != '{' || pa_item_code_alignment(code) == 1) return code;
  bool is_record = code[1] == 'r';
  return pa_arena_format(arena, "{%sp%s", is_record ? "r" : "", code + 1 + is_record);
}

static place field_place(pa_arena *arena, MlirType object, const pa_record_field *field) {
  const char *parent = pa_item_code_of(arena, object);
  bool packed = pa_item_code_alignment(parent) == 1;
  const char *code = item_code(arena, field, packed);
  int64_t *extents = PA_NEW_ARRAY(arena, int64_t, field->rank + 1);
  memcpy(extents, field->extents, (size_t)field->rank * sizeof *extents);
  return (place){field->offset, packed ? 1 : pa_item_code_alignment(code), pa_is_records(object) ? (int)pa_records_rank(object) : 0, field->rank, extents, code,
                 is_readonly(object)};
}

static place whole_place(pa_arena *arena, MlirType object) {
  const char *code = pa_item_code_of(arena, object);
  return (place){.alignment = is_scalar_code(code) ? 1 : pa_item_code_alignment(code), .code = code, .readonly = is_readonly(object)};
}

// Whether elements of the place are an array like any other: strides are multiples of the element's size. Those of records are multiples of
// what their addresses are multiples of, and in C order of their size.
static bool is_plain_array(const place *p, MlirType object, pa_arena *arena) {
  if (!is_scalar_code(p->code)) return false;
  const char *parent = pa_item_code_of(arena, object);
  int64_t size = size_of(p->code);
  if (size == 1 || p->alignment == 1 || !p->lead) return size == 1 || p->alignment > 1;
  bool in_order = pyarrayArrayTypeGetLayout(bytes_of(object)) == PYARRAY_LAYOUT_C;
  return pa_item_code_alignment(parent) % size == 0 || (in_order && size_of(parent) % size == 0);
}

static MlirType place_type(pa_inference *inference, MlirType object, const place *p) {
  MlirContext context = inference->context;
  int rank = p->lead + p->rank;
  if (rank == 0) return pa_record_item_type(context, p->code, p->readonly);
  pyarray_layout layout = p->lead ? PYARRAY_LAYOUT_A : PYARRAY_LAYOUT_C;
  if (!is_plain_array(p, object, inference->arena)) return pa_records_type(context, p->code, rank, layout, p->readonly);
  const char *code = p->code;
  return pa_array_type(context, rank, pa_type_from_code(context, &code), layout, p->readonly);
}

//===-- Plans -------------------------------------------------------------------------------------===//

typedef struct record_plan {
  enum { NOTHING, FIELD, ITEM, VIEW, SHAPE, TRANSPOSE, LITERAL, COPY, STORE, PARTS } kind;
  place place;
  MlirType object, type; // of the result
  MlirAttribute literal;
  const pa_fact *indices;
  intptr_t count;
  bool spread; // the indices are the elements of a tuple
} record_plan;

typedef struct planner {
  pa_inference *inference;
  pa_instance *instance;
  MlirOperation op;
  pa_typing typing;
  record_plan *plan;
} planner;

static const char *text_of(const planner *p, MlirType type) { return pa_type_text(p->typing.arena, type); }

static pa_status no_field(const planner *p, MlirStringRef name) {
  return pa_typing_fail(&p->typing, PA_CODE_TYPING, "%s has no field '%.*s'", text_of(p, p->plan->object), (int)name.length, name.data);
}

// Whether there is a field of that name.
static bool find_field(planner *p, MlirStringRef name) {
  pa_record_field field;
  const char *code = pa_item_code_of(p->typing.arena, p->plan->object);
  if (*code != '{' || !pa_record_find(code, name.data, name.length, &field)) return false;
  p->plan->kind = FIELD;
  p->plan->place = field_place(p->typing.arena, p->plan->object, &field);
  return true;
}

static pa_status plan_name(planner *p, pa_fact index) {
  MlirStringRef name = mlirStringAttrGetValue(index.literal);
  return find_field(p, name) ? PA_OK : no_field(p, name);
}

// r["x"], r[0]
static pa_status plan_record_index(planner *p) {
  pa_fact index = p->plan->count == 1 ? p->plan->indices[0] : (pa_fact){0};
  int64_t number;
  bool known = p->plan->count == 1 && !mlirAttributeIsNull(index.literal);
  if (known && pyarrayTypeIsStr(index.type)) return plan_name(p, index);
  if (!known || !pa_literal_int(index, &number))
    return pa_typing_fail(&p->typing, PA_CODE_TYPING, "a field of %s is named by a literal, a str or an int\nhint: write r['x'] or r.x", text_of(p, p->plan->object));
  const char *code = pa_item_code_of(p->typing.arena, p->plan->object);
  int64_t count = pa_record_field_count(code);
  pa_record_field field;
  if (number < 0) number += count;
  if (number < 0 || !pa_record_field_at(code, number, &field))
    return pa_typing_fail(&p->typing, PA_CODE_TYPING, "invalid index: %s has %d fields", text_of(p, p->plan->object), (int)count);
  p->plan->kind = FIELD;
  p->plan->place = field_place(p->typing.arena, p->plan->object, &field);
  return PA_OK;
}

// a[i], a[i:j], a["x"]. Views keep the bytes as their last axis.
static pa_status plan_records_index(planner *p) {
  record_plan *plan = p->plan;
  bool named = plan->count == 1 && pyarrayTypeIsStr(plan->indices[0].type);
  if (named && mlirAttributeIsNull(plan->indices[0].literal)) return plan_record_index(p);
  if (named) return plan_name(p, plan->indices[0]);
  pa_fact view;
  MlirContext context = p->inference->context;
  pyarray_layout layout = pyarrayArrayTypeGetLayout(bytes_of(plan->object));
  intptr_t rank = pa_records_rank(plan->object);
  MlirType stand_in = pa_array_type(context, rank, pa_scalar_type(context, PA_U8), layout, is_readonly(plan->object));
  PA_TRY(pa_check_index_count(&p->typing, plan->object, rank, plan->indices, plan->count));
  PA_TRY(pa_type_getitem(&p->typing, pa_fact_of(stand_in), plan->indices, plan->count, &view));
  const char *code = pa_item_code_of(p->typing.arena, plan->object);
  plan->kind = pyarrayTypeIsArray(view.type) ? VIEW : ITEM;
  plan->place = whole_place(p->typing.arena, plan->object);
  if (plan->kind == VIEW) plan->type = pa_records_type(context, code, pyarrayArrayTypeGetRank(view.type), pyarrayArrayTypeGetLayout(view.type), plan->place.readonly);
  return PA_OK;
}

static pa_status plan_index(planner *p) {
  record_plan *plan = p->plan;
  bool store = pa_kind(&p->inference->names, p->op) == PA_OP_SETITEM;
  plan->count = mlirOperationGetNumOperands(p->op) - 1 - store;
  MlirValue first = plan->count == 1 ? mlirOperationGetOperand(p->op, 1) : (MlirValue){NULL};
  plan->spread = plan->count == 1 && mlirTypeIsATuple(pa_fact_get(p->inference, p->instance, first).type);
  if (plan->spread) {
    plan->indices = pa_element_facts(p->inference, p->instance, first, &plan->count);
  } else {
    pa_fact *facts = PA_NEW_ARRAY(p->typing.arena, pa_fact, plan->count + 1);
    for (intptr_t i = 0; i < plan->count; ++i) facts[i] = pa_fact_get(p->inference, p->instance, mlirOperationGetOperand(p->op, 1 + i));
    plan->indices = facts;
  }
  return pa_is_record(plan->object) ? plan_record_index(p) : plan_records_index(p);
}

static pa_status plan_literal(planner *p, int64_t value) {
  p->plan->kind = LITERAL;
  p->plan->type = pa_scalar_type(p->inference->context, PA_I64);
  p->plan->literal = mlirIntegerAttrGet(p->plan->type, value);
  return PA_OK;
}

// The attributes of arrays that records have too.
static pa_status plan_array_attribute(planner *p, MlirStringRef name, bool *out_done) {
  record_plan *plan = p->plan;
  const char *code = pa_item_code_of(p->typing.arena, plan->object);
  intptr_t rank = pa_records_rank(plan->object);
  MlirType i64 = pa_scalar_type(p->inference->context, PA_I64), types[PA_RECORD_MAX_RANK];
  *out_done = true;
  if (pa_ref_equal(name, "ndim")) return plan_literal(p, rank);
  if (pa_ref_equal(name, "itemsize")) return plan_literal(p, size_of(code));
  for (intptr_t i = 0; i < rank; ++i) types[i] = i64;
  if (pa_ref_equal(name, "shape") || pa_ref_equal(name, "strides"))
    return plan->kind = SHAPE, plan->type = mlirTupleTypeGet(p->inference->context, rank, types), PA_OK;
  if (pa_ref_equal(name, "size") || pa_ref_equal(name, "nbytes")) return plan->kind = SHAPE, plan->type = i64, PA_OK;
  if (pa_ref_equal(name, "T")) {
    plan->kind = TRANSPOSE;
    return plan->type = rank < 2 ? plan->object : pa_records_type(p->inference->context, code, rank, PYARRAY_LAYOUT_A, is_readonly(plan->object)), PA_OK;
  }
  return *out_done = false, PA_OK;
}

static pa_status plan_attribute(planner *p) {
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(p->op, "name"));
  bool done = false;
  if (pa_is_records(p->plan->object) && pa_kind(&p->inference->names, p->op) == PA_OP_GETATTR) PA_TRY(plan_array_attribute(p, name, &done));
  if (done || find_field(p, name)) return PA_OK;
  if (pa_ref_equal(name, "dtype")) {
    const char *text = pa_arena_format(p->typing.arena, "dtype:%s", pa_item_code_of(p->typing.arena, p->plan->object));
    p->plan->kind = LITERAL;
    p->plan->type = pyarrayCallableTypeGet(pa_string_attr(p->inference->context, text));
    p->plan->literal = mlirTypeAttrGet(p->plan->type);
    return PA_OK;
  }
  return no_field(p, name);
}

static pa_status plan_copy(planner *p) {
  record_plan *plan = p->plan;
  if (!pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(p->op, "name")), "copy") || mlirOperationGetNumOperands(p->op) != 1)
    return pa_typing_fail(&p->typing, PA_CODE_UNSUPPORTED, "unknown method '%s' of type %s\nhint: work on the fields, a['x'] or a[i].x",
                          pa_attr_text(p->typing.arena, pa_get_attr(p->op, "name")), text_of(p, plan->object));
  const char *code = pa_item_code_of(p->typing.arena, plan->object);
  plan->kind = COPY;
  plan->type = pa_is_record(plan->object) ? pa_record_type(p->inference->context, code, false)
                                          : pa_records_type(p->inference->context, code, pa_records_rank(plan->object), PYARRAY_LAYOUT_C, false);
  return PA_OK;
}

// tuple(r), len(r): of the fields.
static pa_status plan_apply(planner *p) {
  MlirType callee = pa_fact_get(p->inference, p->instance, mlirOperationGetOperand(p->op, 0)).type;
  MlirAttribute name = pyarrayTypeIsCallable(callee) ? pyarrayCallableTypeGetName(callee) : mlirAttributeGetNull();
  const char *text = !mlirAttributeIsNull(name) && mlirAttributeIsAString(name) ? pa_attr_text(p->typing.arena, name) : "", *code = pa_item_code_of(p->typing.arena, p->plan->object);
  intptr_t count = pa_record_field_count(code), i = 0;
  if (strcmp(text, "builtins.len") == 0) return plan_literal(p, count);
  if (strcmp(text, "builtins.tuple") != 0 && strcmp(text, "pyarray.library._intrinsics.record_fields") != 0) return PA_OK;
  MlirType *types = PA_NEW_ARRAY(p->typing.arena, MlirType, count + 1);
  pa_record_field field;
  for (const char *at = pa_record_head(code).fields; (at = pa_record_next(at, &field)); ++i) {
    place part = field_place(p->typing.arena, p->plan->object, &field);
    types[i] = place_type(p->inference, p->plan->object, &part);
  }
  p->plan->kind = PARTS;
  return p->plan->type = mlirTupleTypeGet(p->inference->context, count, types), PA_OK;
}

//===-- Stores ------------------------------------------------------------------------------------===//

static bool same_layout(pa_arena *arena, const char *code, MlirType record) {
  const char *own = pa_item_code_of(arena, record);
  code += *code == '{', own += *own == '{';
  code += *code == 'r', own += *own == 'r';
  code += *code == 'p', own += *own == 'p';
  return strcmp(code, own) == 0;
}

static pa_status check_item(planner *p, const char *code, pa_fact value);
static pa_status check_value(planner *p, const place *to, MlirType object, pa_fact value);

// Fields take the elements of a tuple, or the fields of another record, in order.
static pa_status check_parts(planner *p, const char *code, pa_fact value) {
  bool tuple = mlirTypeIsATuple(value.type);
  if (!tuple && !pa_is_record(value.type))
    return pa_typing_fail(&p->typing, PA_CODE_TYPING, "cannot store a value of type %s to a record\nhint: store a tuple or a record, or to its fields one by one", text_of(p, value.type));
  const char *own = tuple ? NULL : pa_item_code_of(p->typing.arena, value.type);
  if (!tuple && same_layout(p->typing.arena, code, value.type)) return PA_OK;
  int64_t given = tuple ? mlirTupleTypeGetNumTypes(value.type) : pa_record_field_count(own), wanted = pa_record_field_count(code), i = 0;
  if (given != wanted)
    return pa_typing_fail(&p->typing, PA_CODE_TYPING, "could not assign %s of length %d to a record with %d fields", tuple ? "a tuple" : "a record", (int)given, (int)wanted);
  pa_record_field field, other;
  MlirType target = pa_record_type(p->inference->context, code, false);
  for (const char *at = pa_record_head(code).fields; (at = pa_record_next(at, &field)); ++i) {
    pa_fact part;
    place to = field_place(p->typing.arena, target, &field);
    if (tuple) {
      part = pa_fact_of(mlirTupleTypeGetType(value.type, i));
    } else {
      pa_record_field_at(own, i, &other);
      place from = field_place(p->typing.arena, value.type, &other);
      part = pa_fact_of(place_type(p->inference, value.type, &from));
    }
    PA_TRY(check_value(p, &to, target, part));
  }
  return PA_OK;
}

static pa_status check_item(planner *p, const char *code, pa_fact value) {
  MlirType item = pa_record_item_type(p->inference->context, code, false);
  if (*code == '{') return check_parts(p, code, value);
  if (is_scalar_code(code)) return pa_check_castable(&p->typing, value.type, item, "item assignment");
  if (mlirTypeEqual(value.type, item)) return PA_OK;
  return pa_typing_fail(&p->typing, PA_CODE_TYPING, "cannot store a value of type %s to a field of type %s", text_of(p, value.type), *code == 'z' ? "bytes" : "str");
}

// Several items take one value each the same, or, where they are an array like any other, an array.
// Of an array, perhaps one whose items are bytes; else 0.
static intptr_t rank_of(MlirType type) { return pa_is_records(type) ? pa_records_rank(type) : pyarrayTypeIsArray(type) ? pyarrayArrayTypeGetRank(type) : 0; }

// Whether a function of the library goes over the items of both.
static bool goes_by_items(MlirType target, MlirType value) { return rank_of(value) > 0 && rank_of(target) >= rank_of(value) && (pa_is_records(target) || pa_is_records(value)); }

// The function that stores one array to the other.
static pa_status store_function(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirType target, MlirType value, pa_instance **out) {
  pa_fact facts[] = {pa_fact_of(target), pa_fact_of(value)};
  *out = pa_instance_get(inference, pa_library_function(inference->module, pa_ref("records.store")), facts, 2);
  pa_status status = pa_infer_instance(inference, *out);
  return status ? pa_add_call_site(inference, status, *out, instance, op) : PA_OK;
}

static pa_status check_arrays(planner *p, MlirType type, pa_fact value) {
  pa_instance *function;
  if (goes_by_items(type, value.type)) return store_function(p->inference, p->instance, p->op, type, value.type, &function);
  if (!pa_is_records(value.type) && rank_of(value.type) <= rank_of(type))
    return pa_check_castable(&p->typing, pyarrayArrayTypeGetElement(value.type), pyarrayArrayTypeGetElement(type), "item assignment");
  return pa_typing_fail(&p->typing, PA_CODE_TYPING, "cannot store %s to %s: it has more dimensions\nhint: store its items one by one", text_of(p, value.type), text_of(p, type));
}

static pa_status check_value(planner *p, const place *to, MlirType object, pa_fact value) {
  if (!rank_of(value.type)) return check_item(p, to->code, value);
  return check_arrays(p, place_type(p->inference, object, to), value);
}

static pa_status check_store(planner *p) {
  record_plan *plan = p->plan;
  pa_fact value = pa_fact_get(p->inference, p->instance, mlirOperationGetOperand(p->op, mlirOperationGetNumOperands(p->op) - 1));
  if (is_readonly(plan->object)) return pa_typing_fail(&p->typing, PA_CODE_TYPING, "cannot store to readonly %s\nhint: pass a writable copy", text_of(p, plan->object));
  if (plan->kind != VIEW) return check_value(p, &plan->place, plan->object, value);
  return rank_of(value.type) ? check_arrays(p, plan->type, value) : check_item(p, plan->place.code, value);
}

static pa_status make_plan(pa_inference *inference, pa_instance *instance, MlirOperation op, record_plan *out) {
  *out = (record_plan){.kind = NOTHING};
  pa_op_kind kind = pa_kind(&inference->names, op);
  bool index = kind == PA_OP_GETITEM || kind == PA_OP_SETITEM, attribute = kind == PA_OP_GETATTR || kind == PA_OP_SETATTR;
  planner p = {inference, instance, op, pa_typing_at(inference, op), out};
  if (kind == PA_OP_APPLY) {
    if (mlirOperationGetNumOperands(op) == 2) out->object = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 1)).type;
    return pa_is_record(out->object) ? plan_apply(&p) : PA_OK;
  }
  if (!index && !attribute && kind != PA_OP_METHOD) return PA_OK;
  out->object = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)).type;
  if (!pa_is_record(out->object) && !pa_is_records(out->object)) return PA_OK;
  PA_TRY(index ? plan_index(&p) : attribute ? plan_attribute(&p) : plan_copy(&p));
  if (kind == PA_OP_SETITEM || kind == PA_OP_SETATTR) return check_store(&p);
  if (out->kind == FIELD || out->kind == ITEM) out->type = place_type(inference, out->object, &out->place);
  return PA_OK;
}

pa_status pa_walk_record_operation(pa_inference *inference, pa_instance *instance, MlirOperation op, bool *out_done) {
  record_plan plan;
  PA_TRY(make_plan(inference, instance, op, &plan));
  *out_done = plan.kind != NOTHING;
  if (!*out_done || !mlirOperationGetNumResults(op)) return PA_OK;
  pa_fact fact = plan.kind == LITERAL && mlirAttributeIsAInteger(plan.literal) ? pa_fact_known(plan.type, plan.literal) : pa_fact_of(plan.type);
  return pa_value_entry_of(inference, instance, mlirOperationGetResult(op, 0))->fact = fact, PA_OK;
}

//===-- Emission ----------------------------------------------------------------------------------===//

static MlirValue emit_int(pa_instance_emitter *e, int64_t value) {
  return pa_emit_literal(e, mlirIntegerAttrGet(pa_scalar_type(pa_emitter_context(e), PA_I64), value));
}

static MlirValue emit_builtin(pa_instance_emitter *e, const char *name, MlirType result, MlirValue *operands, intptr_t count) {
  return pa_value(e->builder, "pyarray.builtin", PA_OPERAND_ARRAY(operands, count), PA_RESULTS(result), PA_ATTRS({"name", pa_string_attr(pa_emitter_context(e), name)}));
}

// The view that is the place's memory: the field of one record or of all.
static MlirValue emit_view(pa_instance_emitter *e, MlirValue object, const place *p, MlirType type) {
  MlirAttribute extents = mlirDenseI64ArrayGet(pa_emitter_context(e), p->rank, p->extents);
  return pa_value(e->builder, "pyarray.field", PA_OPERANDS(object), PA_RESULTS(type), PA_ATTRS({"offset", pa_i64_attr(pa_emitter_context(e), p->offset)}, {"extents", extents}));
}

// The memory of one item, as bytes.
static MlirValue emit_item_bytes(pa_instance_emitter *e, MlirValue record, const place *p) {
  MlirType type = bytes_of(pa_record_type(pa_emitter_context(e), p->code, p->readonly));
  if (p->offset == 0 && mlirTypeEqual(mlirValueGetType(record), type)) return record;
  return emit_view(e, record, p, type);
}

// What is at the place in |record|, bytes.
static MlirValue emit_load(pa_instance_emitter *e, MlirValue record, const place *p) {
  MlirType type = pa_erased_type(pa_record_item_type(pa_emitter_context(e), p->code, p->readonly));
  MlirValue operands[] = {record, {NULL}, {NULL}};
  if (*p->code == '{') return emit_item_bytes(e, record, p);
  if (!is_scalar_code(p->code)) return operands[0] = emit_item_bytes(e, record, p), emit_builtin(e, "pyarray.record_text", type, operands, 1);
  operands[1] = emit_int(e, p->offset);
  operands[2] = emit_int(e, p->alignment);
  return emit_builtin(e, "pyarray.record_load", type, operands, 3);
}

static MlirValue emit_read(pa_instance_emitter *e, MlirType kind, MlirValue object, const place *p) {
  if (p->lead + p->rank == 0) return emit_load(e, object, p);
  return emit_view(e, object, p, pa_erased_type(place_type(e->inference, kind, p)));
}

static void emit_write(pa_instance_emitter *e, MlirType kind, MlirValue object, const place *p, MlirType value_kind, MlirValue value);

// |target|: the bytes of a record.
static void emit_parts(pa_instance_emitter *e, const place *p, MlirValue target, MlirType value_kind, MlirValue value) {
  pa_arena *arena = e->inference->arena;
  bool tuple = mlirTypeIsATuple(value_kind);
  MlirType kind = pa_record_type(pa_emitter_context(e), p->code, false), none = pyarrayNoneTypeGet(pa_emitter_context(e));
  if (!tuple && same_layout(arena, p->code, value_kind)) {
    emit_builtin(e, "pyarray.record_copy", none, (MlirValue[]){target, value}, 2);
    return;
  }
  intptr_t count, i = 0;
  MlirValue *elements = tuple ? pa_emit_elements(e, value, &count) : NULL;
  pa_record_field field, other;
  for (const char *at = pa_record_head(p->code).fields; (at = pa_record_next(at, &field)); ++i) {
    place to = field_place(arena, kind, &field);
    if (tuple) {
      emit_write(e, kind, target, &to, mlirTupleTypeGetType(value_kind, i), elements[i]);
      continue;
    }
    pa_record_field_at(pa_item_code_of(arena, value_kind), i, &other);
    place from = field_place(arena, value_kind, &other);
    emit_write(e, kind, target, &to, place_type(e->inference, value_kind, &from), emit_read(e, value_kind, value, &from));
  }
}

static void emit_item_write(pa_instance_emitter *e, MlirValue object, const place *p, MlirType value_kind, MlirValue value) {
  MlirType item = pa_record_item_type(pa_emitter_context(e), p->code, false), none = pyarrayNoneTypeGet(pa_emitter_context(e));
  if (*p->code == '{') {
    emit_parts(e, p, emit_item_bytes(e, object, p), value_kind, value);
    return;
  }
  if (!is_scalar_code(p->code)) {
    emit_builtin(e, "pyarray.record_set_text", none, (MlirValue[]){emit_item_bytes(e, object, p), value}, 2);
    return;
  }
  MlirValue operands[] = {object, emit_int(e, p->offset), emit_int(e, p->alignment), pa_emit_cast(e, value, item)};
  emit_builtin(e, "pyarray.record_store", none, operands, 4);
}

// One value to all items of |records|, whose type is |kind|: loops over records of one field, which are the items.
static void emit_fill(pa_instance_emitter *e, MlirType kind, MlirValue records, MlirType value_kind, MlirValue value) {
  pa_arena *arena = e->inference->arena;
  place p = whole_place(arena, kind);
  intptr_t rank = pa_records_rank(kind);
  if (rank == 0) {
    emit_item_write(e, records, &p, value_kind, value);
    return;
  }
  const char *code = pa_arena_format(arena, "{%lld,@0:%s}", (long long)size_of(p.code), p.code);
  pa_position_loop loop;
  pa_status status = PA_OK;
  MlirType boxes = pa_records_type(pa_emitter_context(e), code, rank, pyarrayArrayTypeGetLayout(bytes_of(kind)), p.readonly);
  pa_begin_positions(e, records, boxes, NULL, NULL, 0, &loop);
  MlirType inner = rank > 1 ? pa_records_item(pa_emitter_context(e), kind) : pa_records_type(pa_emitter_context(e), p.code, 0, PYARRAY_LAYOUT_C, p.readonly);
  emit_fill(e, inner, loop.item, value_kind, value);
  pa_end_positions(e, &loop, NULL, &status);
  if (status && !e->builder->failure) e->builder->failure = status;
}

// An array to an array of that type, one of which has items that are bytes.
static void emit_by_items(pa_instance_emitter *e, MlirType type, MlirValue target, MlirType value_kind, MlirValue value) {
  pa_instance *function;
  pa_status status = store_function(e->inference, e->instance, (MlirOperation){NULL}, type, value_kind, &function);
  if (status) { // it was found before
    if (!e->builder->failure) e->builder->failure = status;
    else pa_status_free(status);
    return;
  }
  pa_value(e->builder, "pyarray.call", PA_OPERANDS(target, value), PA_RESULTS(pa_emitter_type(e, function->result)), PA_ATTRS({"callee", pa_symbol_attr(pa_emitter_context(e), function->name)}));
}

static void emit_write(pa_instance_emitter *e, MlirType kind, MlirValue object, const place *p, MlirType value_kind, MlirValue value) {
  if (p->lead + p->rank == 0) {
    emit_item_write(e, object, p, value_kind, value);
    return;
  }
  MlirType type = place_type(e->inference, kind, p);
  MlirValue view = emit_view(e, object, p, pa_erased_type(type));
  if (goes_by_items(type, value_kind)) {
    emit_by_items(e, type, view, value_kind, value);
    return;
  }
  if (pa_is_records(type)) {
    emit_fill(e, type, view, value_kind, value);
    return;
  }
  if (!pyarrayTypeIsArray(value_kind)) value = pa_emit_cast(e, value, pyarrayArrayTypeGetElement(type));
  pa_op(e->builder, "pyarray.setitem", PA_OPERANDS(view, value));
}

static MlirValue *emit_indices(pa_instance_emitter *e, MlirOperation op, const record_plan *plan) {
  pa_typing typing = pa_typing_at(e->inference, op);
  intptr_t count;
  MlirValue *values = plan->spread ? pa_emit_elements(e, pa_emitter_use(e, mlirOperationGetOperand(op, 1)), &count) : pa_emitter_values(e, plan->count);
  for (intptr_t i = 0; i < plan->count; ++i) {
    MlirType type = pa_index_type(&typing, plan->indices[i].type);
    if (!plan->spread) values[i] = pa_emitter_use(e, mlirOperationGetOperand(op, 1 + i));
    if (!mlirTypeIsNull(type)) values[i] = pa_emit_cast(e, values[i], type);
  }
  return values;
}

// array[indices], as bytes.
static MlirValue emit_subscript(pa_instance_emitter *e, MlirOperation op, const record_plan *plan, MlirValue object, MlirType type) {
  MlirValue *indices = emit_indices(e, op, plan), *operands = pa_emitter_values(e, plan->count + 1);
  operands[0] = object;
  memcpy(operands + 1, indices, (size_t)plan->count * sizeof *operands);
  return pa_value(e->builder, "pyarray.getitem", PA_OPERAND_ARRAY(operands, plan->count + 1), PA_RESULTS(type));
}

static MlirType item_bytes(const record_plan *plan, MlirContext context) { return bytes_of(pa_record_type(context, plan->place.code, plan->place.readonly)); }

static MlirValue emit_transpose(pa_instance_emitter *e, const record_plan *plan, MlirValue object) {
  int64_t axes[PA_RECORD_MAX_RANK + 1];
  intptr_t rank = pa_records_rank(plan->object);
  if (rank < 2) return object;
  for (intptr_t i = 0; i < rank; ++i) axes[i] = rank - 1 - i;
  axes[rank] = rank;
  MlirContext context = pa_emitter_context(e);
  MlirType plain = pa_array_type(context, rank + 1, pa_scalar_type(context, PA_U8), PYARRAY_LAYOUT_A, is_readonly(plan->object));
  MlirValue view = pa_value(e->builder, "pyarray.transpose", PA_OPERANDS(object), PA_RESULTS(plain), PA_ATTRS({"axes", mlirDenseI64ArrayGet(context, rank + 1, axes)}));
  return pa_emit_cast(e, view, bytes_of(plan->type));
}

// shape, strides: all but the last of those of the bytes. size: the number of bytes over that of an item.
static MlirValue emit_shape(pa_instance_emitter *e, MlirOperation op, const record_plan *plan, MlirValue object) {
  MlirContext context = pa_emitter_context(e);
  MlirAttribute name = pa_get_attr(op, "name");
  MlirType i64 = pa_scalar_type(context, PA_I64);
  intptr_t rank = pa_records_rank(plan->object), count;
  bool tuple = mlirTypeIsATuple(plan->type), strides = pa_ref_equal(mlirStringAttrGetValue(name), "strides");
  MlirType types[PA_RECORD_MAX_RANK + 1];
  for (intptr_t i = 0; i <= rank; ++i) types[i] = i64;
  MlirValue all = pa_value(e->builder, "pyarray.getattr", PA_OPERANDS(object), PA_RESULTS(mlirTupleTypeGet(context, rank + 1, types)),
                           PA_ATTRS({"name", strides ? name : pa_string_attr(context, "shape")}));
  MlirValue *parts = pa_emit_elements(e, all, &count);
  if (tuple) return pa_value(e->builder, "pyarray.tuple", PA_OPERAND_ARRAY(parts, rank), PA_RESULTS(plan->type));
  bool bytes = pa_ref_equal(mlirStringAttrGetValue(name), "nbytes");
  MlirValue size = bytes ? parts[rank] : emit_int(e, 1);
  for (intptr_t i = 0; i < rank; ++i)
    size = pa_value(e->builder, "pyarray.binary", PA_OPERANDS(size, parts[i]), PA_RESULTS(i64), PA_ATTRS({"kind", pyarrayBinaryKindAttrGet(context, PYARRAY_BINARY_MUL)}));
  return size;
}

static void emit_store(pa_instance_emitter *e, MlirOperation op, const record_plan *plan, MlirValue object) {
  MlirValue operand = mlirOperationGetOperand(op, mlirOperationGetNumOperands(op) - 1);
  MlirType value_kind = pa_emitter_fact(e, operand).type;
  if (plan->kind == VIEW) {
    MlirValue view = emit_subscript(e, op, plan, object, bytes_of(plan->type));
    if (goes_by_items(plan->type, value_kind)) emit_by_items(e, plan->type, view, value_kind, pa_emitter_use(e, operand));
    else emit_fill(e, plan->type, view, value_kind, pa_emitter_use(e, operand));
    return;
  }
  if (plan->kind == ITEM) object = emit_subscript(e, op, plan, object, item_bytes(plan, pa_emitter_context(e)));
  emit_write(e, plan->object, object, &plan->place, value_kind, pa_emitter_use(e, operand));
}

static MlirValue emit_fields(pa_instance_emitter *e, const record_plan *plan, MlirValue object) {
  pa_arena *arena = e->inference->arena;
  intptr_t count = mlirTupleTypeGetNumTypes(plan->type), i = 0;
  MlirValue *values = pa_emitter_values(e, count);
  pa_record_field field;
  for (const char *at = pa_record_head(pa_item_code_of(arena, plan->object)).fields; (at = pa_record_next(at, &field)); ++i) {
    place part = field_place(arena, plan->object, &field);
    values[i] = emit_read(e, plan->object, object, &part);
  }
  return pa_value(e->builder, "pyarray.tuple", PA_OPERAND_ARRAY(values, count), PA_RESULTS(pa_erased_type(plan->type)));
}

static MlirValue emit_result(pa_instance_emitter *e, MlirOperation op, const record_plan *plan, MlirValue object) {
  switch (plan->kind) {
  case PARTS: return emit_fields(e, plan, object);
  case FIELD: return emit_read(e, plan->object, object, &plan->place);
  case ITEM: return emit_load(e, emit_subscript(e, op, plan, object, item_bytes(plan, pa_emitter_context(e))), &plan->place);
  case VIEW: return emit_subscript(e, op, plan, object, bytes_of(plan->type));
  case SHAPE: return emit_shape(e, op, plan, object);
  case TRANSPOSE: return emit_transpose(e, plan, object);
  case COPY: return emit_builtin(e, "array.copy", bytes_of(plan->type), &object, 1);
  default: return pa_emit_literal(e, plan->literal);
  }
}

pa_status pa_emit_record_operation(pa_instance_emitter *e, MlirOperation op, bool *out_done) {
  record_plan plan;
  PA_TRY(make_plan(e->inference, e->instance, op, &plan));
  *out_done = plan.kind != NOTHING;
  if (!*out_done) return PA_OK;
  MlirValue object = pa_emitter_use(e, mlirOperationGetOperand(op, pa_kind(&e->inference->names, op) == PA_OP_APPLY));
  if (mlirOperationGetNumResults(op)) pa_emitter_map(e, mlirOperationGetResult(op, 0), emit_result(e, op, &plan, object));
  else emit_store(e, op, &plan, object);
  return PA_OK;
}

//===-- Iteration ---------------------------------------------------------------------------------===//

MlirValue pa_emit_record_item(pa_instance_emitter *e, MlirValue records, MlirType kind, MlirValue position) {
  pa_arena *arena = e->inference->arena;
  place p = whole_place(arena, kind);
  intptr_t rank = pa_records_rank(kind);
  MlirType type = rank > 1 ? bytes_of(pa_records_item(pa_emitter_context(e), kind)) : bytes_of(pa_record_type(pa_emitter_context(e), p.code, p.readonly));
  MlirValue bytes = pa_value(e->builder, "pyarray.iter_item", PA_OPERANDS(records, position), PA_RESULTS(type));
  return rank > 1 ? bytes : emit_load(e, bytes, &p);
}
