// Records in pyarray-infer-types: what operations on records, and on arrays of items that lie in memory as bytes,
// become. Type inference alone knows them (ir/records.c); what is emitted works on their bytes:
//
//   %r = pyarray.getitem %a[%i]       pyarray.getitem %a[%i] : (!pyarray.array<?x16xui8, C>, si64) ->
//   !pyarray.array<16xui8, C> %x = pyarray.getattr %r "x"       pyarray.builtin "pyarray.record_load"(%r, 0, 8) : ...
//   -> f64 %c = pyarray.getitem %a["x"]      pyarray.field %a at 0 : !pyarray.array<?x16xui8, C> ->
//   !pyarray.array<?xf64, A>
//
//   %v = pyarray.getitem %a[%i]       pyarray.builtin "pyarray.vector_load"(its bytes, 0, 16) : ... -> tuple<f32, f32,
//   f32, f32>
//
// The numbers in record_load, vector_load and the stores are the offset, and of what the address is a multiple.
#include <string.h>

#include "infer_records.h"
#include "ir/library.h"
#include "support/record_code.h"
#include "support/type_code.h"

//===-- Places ------------------------------------------------------------------------------------===//

MlirType pa_record_bytes_of(MlirType type) { return pyarrayTaggedTypeGetItem(type); }
bool pa_record_is_readonly(MlirType type) { return pyarrayArrayTypeIsReadonly(pa_record_bytes_of(type)); }
// The item's code on its own, in a record at multiples of |alignment|: a record or vector that asks for more is at any
// address.
static const char *item_code(pa_arena *arena, const pa_record_field *field, int alignment) {
  const char *code = pa_arena_copy(arena, field->item, field->item_length);
  if ((*code != '{' && *code != 'x') || pa_item_code_alignment(code) <= alignment) return code;
  int head = 1 + (code[1] == 'r');
  return pa_arena_format(arena, "%.*sp%s", head, code, code + head);
}

pa_record_place pa_field_place(pa_arena *arena, MlirType object, const pa_record_field *field) {
  const char *parent = pa_item_code_of(arena, object);
  int alignment = pa_item_code_alignment(parent);
  const char *code = item_code(arena, field, alignment);
  int own = *field->item == 'x' ? pa_item_code_alignment(pa_arena_copy(arena, field->item, field->item_length))
                                : pa_item_code_alignment(code);
  int64_t *extents = PA_NEW_ARRAY(arena, int64_t, field->rank + 1);
  memcpy(extents, field->extents, (size_t)field->rank * sizeof *extents);
  return (pa_record_place){field->offset,
                           alignment < own ? alignment : own,
                           pa_is_records(object) ? (int)pa_records_rank(object) : 0,
                           field->rank,
                           extents,
                           code,
                           pa_record_is_readonly(object)};
}

pa_record_place pa_whole_place(pa_arena *arena, MlirType object) {
  const char *code = pa_item_code_of(arena, object);
  return (pa_record_place){.alignment = pa_is_scalar_code(code) ? 1 : pa_item_code_alignment(code),
                           .code = code,
                           .readonly = pa_record_is_readonly(object)};
}

// Whether elements of the place are an array like any other: strides are multiples of the element's size. Those of
// records are multiples of what their addresses are multiples of, and in C order of their size.
static bool is_plain_array(const pa_record_place *p, MlirType object, pa_arena *arena) {
  if (!pa_is_scalar_code(p->code)) return false;
  const char *parent = pa_item_code_of(arena, object);
  int64_t size = pa_item_code_size(p->code);
  if (size == 1 || p->alignment == 1 || !p->lead) return size == 1 || p->alignment > 1;
  bool in_order = pyarrayArrayTypeGetLayout(pa_record_bytes_of(object)) == PYARRAY_LAYOUT_C;
  return pa_item_code_alignment(parent) % size == 0 || (in_order && pa_item_code_size(parent) % size == 0);
}

MlirType pa_place_type(pa_inference *inference, MlirType object, const pa_record_place *p) {
  MlirContext context = inference->context;
  int rank = p->lead + p->rank;
  if (rank == 0) return pa_record_item_type(context, p->code, p->readonly);
  pyarray_layout layout = p->lead ? PYARRAY_LAYOUT_A : PYARRAY_LAYOUT_C;
  if (!is_plain_array(p, object, inference->arena)) return pa_records_type(context, p->code, rank, layout, p->readonly);
  const char *code = p->code;
  return pa_array_type(context, rank, pa_type_from_code(context, &code), layout, p->readonly);
}

//===-- Plans -------------------------------------------------------------------------------------===//

typedef struct planner {
  pa_inference *inference;
  pa_instance *instance;
  MlirOperation op;
  pa_typing typing;
  pa_record_plan *plan;
} planner;

static const char *text_of(const planner *p, MlirType type) { return pa_type_text(p->typing.arena, type); }
static pa_status no_field(const planner *p, MlirStringRef name) {
  return pa_typing_fail(&p->typing, PA_CODE_TYPING, "%s has no field '%.*s'", text_of(p, p->plan->object),
                        (int)name.length, name.data);
}

// Whether there is a field of that name.
static bool find_field(planner *p, MlirStringRef name) {
  pa_record_field field;
  const char *code = pa_item_code_of(p->typing.arena, p->plan->object);
  if ((*code != '{' && *code != 'x') || !pa_record_find(code, name.data, name.length, &field)) return false;
  p->plan->kind = PA_RECORD_FIELD;
  p->plan->place = pa_field_place(p->typing.arena, p->plan->object, &field);
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
    return pa_typing_fail(&p->typing, PA_CODE_TYPING,
                          "a field of %s is named by a literal, a str or an int\nhint: write r['x'] or r.x",
                          text_of(p, p->plan->object));
  const char *code = pa_item_code_of(p->typing.arena, p->plan->object);
  int64_t count = pa_record_field_count(code);
  pa_record_field field;
  if (number < 0) number += count;
  if (number < 0 || !pa_record_field_at(code, number, &field))
    return pa_typing_fail(&p->typing, PA_CODE_TYPING, "invalid index: %s has %d fields", text_of(p, p->plan->object),
                          (int)count);
  p->plan->kind = PA_RECORD_FIELD;
  p->plan->place = pa_field_place(p->typing.arena, p->plan->object, &field);
  return PA_OK;
}

// a[i], a[i:j], a["x"]. Views keep the bytes as their last axis.
static pa_status plan_records_index(planner *p) {
  pa_record_plan *plan = p->plan;
  bool named = plan->count == 1 && pyarrayTypeIsStr(plan->indices[0].type);
  if (named && mlirAttributeIsNull(plan->indices[0].literal)) return plan_record_index(p);
  if (named) return plan_name(p, plan->indices[0]);
  pa_fact view;
  MlirContext context = p->inference->context;
  pyarray_layout layout = pyarrayArrayTypeGetLayout(pa_record_bytes_of(plan->object));
  intptr_t rank = pa_records_rank(plan->object);
  MlirType stand_in =
      pa_array_type(context, rank, pa_scalar_type(context, PA_U8), layout, pa_record_is_readonly(plan->object));
  PA_TRY(pa_plan_subscript(&p->typing, plan->object, rank, plan->indices, plan->count, &plan->subscript));
  view = pa_fact_of(pa_indexed_type(&p->typing, stand_in, &plan->subscript, plan->indices));
  const char *code = pa_item_code_of(p->typing.arena, plan->object);
  plan->kind = pyarrayTypeIsArray(view.type) ? PA_RECORD_VIEW : PA_RECORD_ITEM;
  plan->place = pa_whole_place(p->typing.arena, plan->object);
  if (plan->subscript.gathers)
    return plan->type = pa_records_type(context, code, pa_index_result_rank(&plan->subscript),
                                        plan->subscript.place ? PYARRAY_LAYOUT_A : PYARRAY_LAYOUT_C, false),
           PA_OK;
  if (plan->kind == PA_RECORD_VIEW)
    plan->type = pa_records_type(context, code, pyarrayArrayTypeGetRank(view.type),
                                 pyarrayArrayTypeGetLayout(view.type), plan->place.readonly);
  return PA_OK;
}

static pa_status plan_index(planner *p) {
  pa_record_plan *plan = p->plan;
  bool store = pa_kind(&p->inference->names, p->op) == PA_OP_SETITEM;
  plan->count = mlirOperationGetNumOperands(p->op) - 1 - store;
  MlirValue first = plan->count == 1 ? mlirOperationGetOperand(p->op, 1) : (MlirValue){NULL};
  plan->spread = plan->count == 1 && mlirTypeIsATuple(pa_fact_get(p->inference, p->instance, first).type);
  if (plan->spread) {
    plan->indices = pa_element_facts(p->inference, p->instance, first, &plan->count);
  } else {
    pa_fact *facts = PA_NEW_ARRAY(p->typing.arena, pa_fact, plan->count + 1);
    for (intptr_t i = 0; i < plan->count; ++i)
      facts[i] = pa_fact_get(p->inference, p->instance, mlirOperationGetOperand(p->op, 1 + i));
    plan->indices = facts;
  }
  return pa_is_record(plan->object) ? plan_record_index(p) : plan_records_index(p);
}

static pa_status plan_literal(planner *p, int64_t value) {
  p->plan->kind = PA_RECORD_LITERAL;
  p->plan->type = pa_scalar_type(p->inference->context, PA_I64);
  p->plan->literal = mlirIntegerAttrGet(p->plan->type, value);
  return PA_OK;
}

// The attributes of arrays that records have too.
static pa_status plan_array_attribute(planner *p, MlirStringRef name, bool *out_done) {
  pa_record_plan *plan = p->plan;
  const char *code = pa_item_code_of(p->typing.arena, plan->object);
  intptr_t rank = pa_records_rank(plan->object);
  MlirType i64 = pa_scalar_type(p->inference->context, PA_I64), types[PA_RECORD_MAX_RANK];
  *out_done = true;
  if (pa_ref_equal(name, "ndim")) return plan_literal(p, rank);
  if (pa_ref_equal(name, "itemsize")) return plan_literal(p, pa_item_code_size(code));
  for (intptr_t i = 0; i < rank; ++i) types[i] = i64;
  if (pa_ref_equal(name, "shape") || pa_ref_equal(name, "strides"))
    return plan->kind = PA_RECORD_SHAPE, plan->type = mlirTupleTypeGet(p->inference->context, rank, types), PA_OK;
  if (pa_ref_equal(name, "size") || pa_ref_equal(name, "nbytes"))
    return plan->kind = PA_RECORD_SHAPE, plan->type = i64, PA_OK;
  if (pa_ref_equal(name, "ctypes"))
    return plan->kind = PA_RECORD_ITSELF,
           plan->type = pa_array_ctypes(&p->typing, pa_record_bytes_of(plan->object)).type, PA_OK;
  if (pa_ref_equal(name, "T")) {
    plan->kind = PA_RECORD_TRANSPOSE;
    return plan->type = rank < 2 ? plan->object
                                 : pa_records_type(p->inference->context, code, rank, PYARRAY_LAYOUT_A,
                                                   pa_record_is_readonly(plan->object)),
           PA_OK;
  }
  return *out_done = false, PA_OK;
}

static pa_status plan_attribute(planner *p) {
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(p->op, "name"));
  bool done = false;
  if (pa_is_records(p->plan->object) && pa_kind(&p->inference->names, p->op) == PA_OP_GETATTR)
    PA_TRY(plan_array_attribute(p, name, &done));
  if (done || find_field(p, name)) return PA_OK;
  if (pa_ref_equal(name, "dtype")) {
    const char *text = pa_arena_format(p->typing.arena, "dtype:%s", pa_item_code_of(p->typing.arena, p->plan->object));
    p->plan->kind = PA_RECORD_LITERAL;
    p->plan->type = pyarrayCallableTypeGet(pa_string_attr(p->inference->context, text));
    p->plan->literal = mlirTypeAttrGet(p->plan->type);
    return PA_OK;
  }
  return no_field(p, name);
}

// A function of the library, or one that gives a view.
static bool has_array_method(MlirStringRef name, pa_arena *arena) {
  const pa_builtin *builtin =
      pa_builtin_find(pa_ref(pa_arena_format(arena, "array.%.*s", (int)name.length, name.data)));
  return builtin && (builtin->lowering == PA_LOWERING_LIBRARY || builtin->typing == PA_TYPING_RESHAPE);
}

static pa_status plan_copy(planner *p) {
  pa_record_plan *plan = p->plan;
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(p->op, "name"));
  bool in_order = pa_ref_equal(name, "copy") && mlirOperationGetNumOperands(p->op) > 1;
  if (pa_is_records(plan->object) && (in_order || has_array_method(name, p->typing.arena))) return PA_OK;
  if (!pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(p->op, "name")), "copy") ||
      mlirOperationGetNumOperands(p->op) != 1)
    return pa_typing_fail(&p->typing, PA_CODE_UNSUPPORTED,
                          "unknown method '%s' of type %s\nhint: work on the fields, a['x'] or a[i].x",
                          pa_attr_text(p->typing.arena, pa_get_attr(p->op, "name")), text_of(p, plan->object));
  const char *code = pa_item_code_of(p->typing.arena, plan->object);
  plan->kind = PA_RECORD_COPY;
  plan->type = pa_is_record(plan->object) ? pa_record_type(p->inference->context, code, false)
                                          : pa_records_type(p->inference->context, code, pa_records_rank(plan->object),
                                                            PYARRAY_LAYOUT_C, false);
  return PA_OK;
}

// The fields as a tuple.
static pa_status plan_parts(planner *p) {
  const char *code = pa_item_code_of(p->typing.arena, p->plan->object);
  intptr_t count = pa_record_field_count(code), i = 0;
  MlirType *types = PA_NEW_ARRAY(p->typing.arena, MlirType, count + 1);
  pa_record_field field;
  for (const char *at = pa_record_head(code).fields; (at = pa_record_next(at, &field)); ++i) {
    pa_record_place part = pa_field_place(p->typing.arena, p->plan->object, &field);
    types[i] = pa_place_type(p->inference, p->plan->object, &part);
  }
  p->plan->kind = PA_RECORD_PARTS;
  return p->plan->type = mlirTupleTypeGet(p->inference->context, count, types), PA_OK;
}

// a, b = r
static pa_status plan_unpack(planner *p) {
  if (*pa_item_code_of(p->typing.arena, p->plan->object) != '{') return PA_OK; // text
  PA_TRY(plan_parts(p));
  intptr_t count = mlirOperationGetNumResults(p->op);
  pa_fact *ignored = PA_NEW_ARRAY(p->typing.arena, pa_fact, count + 1);
  return pa_type_unpack(&p->typing, pa_fact_of(p->plan->type), count, ignored);
}

// tuple(r), len(r): of the fields.
static pa_status plan_apply(planner *p) {
  MlirType callee = pa_fact_get(p->inference, p->instance, mlirOperationGetOperand(p->op, 0)).type;
  MlirAttribute name = pyarrayTypeIsCallable(callee) ? pyarrayCallableTypeGetName(callee) : mlirAttributeGetNull();
  const char *text =
                 !mlirAttributeIsNull(name) && mlirAttributeIsAString(name) ? pa_attr_text(p->typing.arena, name) : "",
             *code = pa_item_code_of(p->typing.arena, p->plan->object);
  if (strcmp(text, "builtins.len") == 0) return plan_literal(p, pa_record_field_count(code));
  return strcmp(text, "builtins.tuple") == 0 || strcmp(text, "pyarray.library._intrinsics.record_fields") == 0
             ? plan_parts(p)
             : PA_OK;
}

//===-- Stores ------------------------------------------------------------------------------------===//

bool pa_record_same_layout(pa_arena *arena, const char *code, MlirType record) {
  const char *own = pa_item_code_of(arena, record);
  code += *code == '{', own += *own == '{';
  code += *code == 'r', own += *own == 'r';
  code += *code == 'p', own += *own == 'p';
  return strcmp(code, own) == 0;
}

static pa_status check_item(planner *p, const char *code, pa_fact value);
static pa_status check_value(planner *p, const pa_record_place *to, MlirType object, pa_fact value);

// Fields take the elements of a tuple, or the fields of another record, in order.
static pa_status check_parts(planner *p, const char *code, pa_fact value) {
  bool tuple = mlirTypeIsATuple(value.type);
  if (!tuple && !pa_is_record(value.type))
    return pa_typing_fail(
        &p->typing, PA_CODE_TYPING,
        "cannot store a value of type %s to a record\nhint: store a tuple or a record, or to its fields one by one",
        text_of(p, value.type));
  const char *own = tuple ? NULL : pa_item_code_of(p->typing.arena, value.type);
  if (!tuple && pa_record_same_layout(p->typing.arena, code, value.type)) return PA_OK;
  int64_t given = tuple ? mlirTupleTypeGetNumTypes(value.type) : pa_record_field_count(own),
          wanted = pa_record_field_count(code), i = 0;
  if (given != wanted)
    return pa_typing_fail(&p->typing, PA_CODE_TYPING, "could not assign %s of length %d to a record with %d fields",
                          tuple ? "a tuple" : "a record", (int)given, (int)wanted);
  pa_record_field field, other;
  MlirType target = pa_record_type(p->inference->context, code, false);
  for (const char *at = pa_record_head(code).fields; (at = pa_record_next(at, &field)); ++i) {
    pa_fact part;
    pa_record_place to = pa_field_place(p->typing.arena, target, &field);
    if (tuple) {
      part = pa_fact_of(mlirTupleTypeGetType(value.type, i));
    } else {
      pa_record_field_at(own, i, &other);
      pa_record_place from = pa_field_place(p->typing.arena, value.type, &other);
      part = pa_fact_of(pa_place_type(p->inference, value.type, &from));
    }
    PA_TRY(check_value(p, &to, target, part));
  }
  return PA_OK;
}

// A vector takes one of its own type, or a tuple of numbers.
static pa_status check_vector(planner *p, MlirType vector, pa_fact value) {
  MlirType elements = pyarrayTaggedTypeGetItem(vector);
  bool fits =
      mlirTypeIsATuple(value.type) && mlirTupleTypeGetNumTypes(value.type) == mlirTupleTypeGetNumTypes(elements);
  for (intptr_t i = 0; fits && i < mlirTupleTypeGetNumTypes(elements); ++i)
    fits = pa_scalar_of(mlirTupleTypeGetType(value.type, i)) != PA_NOT_SCALAR;
  if (fits && pa_is_castable(&p->typing, value.type, elements)) return PA_OK;
  return pa_typing_fail(&p->typing, PA_CODE_TYPING,
                        "cannot store a value of type %s to a vector\nhint: store a %s, such as cuda.%s(...)",
                        text_of(p, value.type), text_of(p, vector), text_of(p, vector));
}

static pa_status check_item(planner *p, const char *code, pa_fact value) {
  MlirType item = pa_record_item_type(p->inference->context, code, false);
  if (*code == '{') return check_parts(p, code, value);
  if (pa_is_scalar_code(code)) return pa_check_castable(&p->typing, value.type, item, "item assignment");
  if (mlirTypeEqual(value.type, item)) return PA_OK;
  if (*code == 'x') return check_vector(p, item, value);
  return pa_typing_fail(&p->typing, PA_CODE_TYPING, "cannot store a value of type %s to a field of type %s",
                        text_of(p, value.type), *code == 'z' ? "bytes" : "str");
}

// Several items take one value each the same, or, where they are an array like any other, an array.
// Of an array, perhaps one whose items are bytes; else 0.
static intptr_t rank_of(MlirType type) {
  return pa_is_records(type) ? pa_records_rank(type) : pyarrayTypeIsArray(type) ? pyarrayArrayTypeGetRank(type) : 0;
}

bool pa_goes_by_items(MlirType target, MlirType value) {
  return rank_of(value) > 0 && rank_of(target) >= rank_of(value) && (pa_is_records(target) || pa_is_records(value));
}

pa_status pa_record_store_function(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirType target,
                                   MlirType value, pa_instance **out) {
  pa_fact facts[] = {pa_fact_of(target), pa_fact_of(value)};
  *out = pa_instance_get(inference, pa_library_function(inference->module, pa_ref("records.store")), facts, 2);
  pa_status status = pa_infer_instance(inference, *out);
  return status ? pa_add_call_site(inference, status, *out, instance, op) : PA_OK;
}

static pa_status check_arrays(planner *p, MlirType type, pa_fact value) {
  pa_instance *function;
  if (pa_goes_by_items(type, value.type))
    return pa_record_store_function(p->inference, p->instance, p->op, type, value.type, &function);
  if (!pa_is_records(value.type) && rank_of(value.type) <= rank_of(type))
    return pa_check_castable(&p->typing, pyarrayArrayTypeGetElement(value.type), pyarrayArrayTypeGetElement(type),
                             "item assignment");
  return pa_typing_fail(&p->typing, PA_CODE_TYPING,
                        "cannot store %s to %s: it has more dimensions\nhint: store its items one by one",
                        text_of(p, value.type), text_of(p, type));
}

static pa_status check_value(planner *p, const pa_record_place *to, MlirType object, pa_fact value) {
  if (!rank_of(value.type)) return check_item(p, to->code, value);
  return check_arrays(p, pa_place_type(p->inference, object, to), value);
}

static pa_status check_store(planner *p) {
  pa_record_plan *plan = p->plan;
  pa_fact value =
      pa_fact_get(p->inference, p->instance, mlirOperationGetOperand(p->op, mlirOperationGetNumOperands(p->op) - 1));
  PA_TRY(pa_need_writable(&p->typing, plan->object));
  if (plan->kind != PA_RECORD_VIEW) return check_value(p, &plan->place, plan->object, value);
  return rank_of(value.type) ? check_arrays(p, plan->type, value) : check_item(p, plan->place.code, value);
}

//===-- Pointers ----------------------------------------------------------------------------------===//

// p[i] of a pointer to records: the record there, as in C.
static pa_status plan_pointed(planner *p) {
  pa_record_plan *plan = p->plan;
  bool store = pa_kind(&p->inference->names, p->op) == PA_OP_SETITEM;
  pa_fact index = pa_fact_get(p->inference, p->instance, mlirOperationGetOperand(p->op, 1));
  if (mlirOperationGetNumOperands(p->op) != 2 + store || mlirTypeIsNull(pa_index_type(&p->typing, index.type)))
    return pa_typing_fail(
        &p->typing, PA_CODE_TYPING,
        "%s* takes one integer index\nhint: use carray(pointer, shape) for slices and more dimensions",
        text_of(p, plan->object));
  plan->pointed = true;
  plan->kind = PA_RECORD_FIELD;
  plan->place = pa_whole_place(p->typing.arena, plan->object);
  plan->type = plan->object;
  return store ? check_store(p) : PA_OK;
}

//===-- Planning ----------------------------------------------------------------------------------===//

pa_status pa_plan_record(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_record_plan *out) {
  *out = (pa_record_plan){.kind = PA_RECORD_NOTHING};
  pa_op_kind kind = pa_kind(&inference->names, op);
  bool index = kind == PA_OP_GETITEM || kind == PA_OP_SETITEM,
       attribute = kind == PA_OP_GETATTR || kind == PA_OP_SETATTR;
  planner p = {inference, instance, op, pa_typing_at(inference, op), out};
  if (kind == PA_OP_APPLY) {
    if (mlirOperationGetNumOperands(op) == 2)
      out->object = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 1)).type;
    return pa_is_record(out->object) ? plan_apply(&p) : PA_OK;
  }
  if (!index && !attribute && kind != PA_OP_METHOD && kind != PA_OP_UNPACK) return PA_OK;
  out->object = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)).type;
  if (index && !mlirTypeIsNull(out->object) && pyarrayTypeIsPointer(out->object) &&
      pa_is_record(pyarrayPointerTypeGetPointee(out->object)))
    return out->object = pyarrayPointerTypeGetPointee(out->object), plan_pointed(&p);
  if (!pa_is_record(out->object) && !pa_is_records(out->object)) return PA_OK;
  if (kind == PA_OP_UNPACK) return pa_is_record(out->object) ? plan_unpack(&p) : PA_OK;
  PA_TRY(index ? plan_index(&p) : attribute ? plan_attribute(&p) : plan_copy(&p));
  if (kind == PA_OP_SETITEM || kind == PA_OP_SETATTR) return check_store(&p);
  if (out->kind == PA_RECORD_FIELD || out->kind == PA_RECORD_ITEM)
    out->type = pa_place_type(inference, out->object, &out->place);
  return PA_OK;
}

pa_status pa_walk_record_operation(pa_inference *inference, pa_instance *instance, MlirOperation op, bool *out_done) {
  pa_record_plan plan;
  PA_TRY(pa_plan_record(inference, instance, op, &plan));
  *out_done = plan.kind != PA_RECORD_NOTHING;
  if (!*out_done || !mlirOperationGetNumResults(op)) return PA_OK;
  bool parts = pa_kind(&inference->names, op) == PA_OP_UNPACK;
  for (intptr_t i = 0; parts && i < mlirOperationGetNumResults(op); ++i)
    pa_value_entry_of(inference, instance, mlirOperationGetResult(op, i))->fact =
        pa_fact_of(mlirTupleTypeGetType(plan.type, i));
  if (parts) return PA_OK;
  pa_fact fact = plan.kind == PA_RECORD_LITERAL && mlirAttributeIsAInteger(plan.literal)
                     ? pa_fact_known(plan.type, plan.literal)
                     : pa_fact_of(plan.type);
  return pa_value_entry_of(inference, instance, mlirOperationGetResult(op, 0))->fact = fact, PA_OK;
}
