// Named tuples, members of enums and keyword arguments where an operation needs what represents them: the tuple, the
// number.
#include <string.h>

#include "infer_calls.h"
#include "infer_classes.h"
#include "infer_containers.h"
#include "infer_emit.h"
#include "infer_flow.h"
#include "infer_text.h"
#include "ir/classes.h"

// Whether the builtin that is called gets its argument, of |type|, as it is.
static bool takes_named(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirType type) {
  static const pa_builtin_typing whole[] = {PA_TYPING_ISINSTANCE, PA_TYPING_GIVEN,    PA_TYPING_CALLABLE,
                                            PA_TYPING_TYPE,       PA_TYPING_LIBRARY,  PA_TYPING_PRESENT,
                                            PA_TYPING_TAGGED,     PA_TYPING_UNTAGGED, PA_TYPING_MATCH_ARGUMENT,
                                            PA_TYPING_MINMAX,     PA_TYPING_FACTORY,  PA_TYPING_FACTORY_TEXT,
                                            PA_TYPING_PLAIN_DICT},
                                 texts[] = {PA_TYPING_TEXT, PA_TYPING_STR, PA_TYPING_TEXT_PRINT};
  MlirStringRef name = pa_builtin_called(pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)).type);
  const pa_builtin *builtin =
      pa_builtin_find(pa_ref(pa_arena_format(inference->arena, "host.%.*s", (int)name.length, name.data)));
  if (!builtin) builtin = pa_builtin_find(name);
  if (!builtin) return true; // a function, or a class
  if (pa_goes_over(builtin) && pa_has_own_iterator(inference, type)) return true;
  for (size_t i = 0; i < sizeof whole / sizeof *whole; ++i)
    if (builtin->typing == whole[i]) return true;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
    if (builtin->typing == texts[i])
      return pa_has_own_text(inference, type, strcmp(builtin->name, "builtins.ascii") == 0);
  return false;
}

// Keys of dicts may be members and named tuples: what keys there are decides whether they stay so (pa_join_types).
static bool has_keys(MlirType type) {
  if (pa_is_dict_class(type)) type = pyarrayTaggedTypeGetItem(type);
  return pa_container_of(type) == PA_DICT;
}

static bool needs_representation(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind,
                                 intptr_t i, MlirType type) {
  bool tuple = pa_is_tagged(type, "namedtuple"), number = pa_is_int_enum(type);
  pa_typing typing = pa_typing_at(inference, op);
  pa_fact first = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0));
  bool not = kind == PA_OP_UNARY && pyarrayUnaryKindAttrGetValue(pa_get_attr(op, "kind")) == PYARRAY_UNARY_NOT;
  switch (kind) {
  case PA_OP_BINARY:
  case PA_OP_GETATTR: return tuple || number;
  case PA_OP_UNARY: return not ? !pa_is_tagged(type, "enum") : number;
  case PA_OP_TRUTH: return !pa_is_tagged(type, "enum");
  case PA_OP_COMPARE: {
    pyarray_compare_kind compare = (pyarray_compare_kind)pyarrayCompareKindAttrGetValue(pa_get_attr(op, "kind"));
    if (compare != PYARRAY_COMPARE_IN && compare != PYARRAY_COMPARE_NOTIN) return true;
    pa_fact holder = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 1));
    return i == 1 ? tuple
                  : !(pa_container_of(holder.type) != PA_NO_CONTAINER &&
                      pa_is_named(pa_container_item(&typing, holder, 0).type));
  }
  case PA_OP_UNPACK:
  case PA_OP_ITER_MORE:
  case PA_OP_ITER_ITEM:
  case PA_OP_ITERATOR:
  case PA_OP_FOR: return tuple && i == 0;
  case PA_OP_SLICE: return number;
  case PA_OP_GETITEM:
  case PA_OP_DELITEM:
  case PA_OP_SETITEM:
    if (i == 0) return tuple;
    if (kind == PA_OP_SETITEM && i == mlirOperationGetNumOperands(op) - 1)
      return number && pyarrayTypeIsArray(first.type);
    return (tuple || number) && !has_keys(first.type);
  case PA_OP_METHOD: {
    bool template = !mlirTypeIsNull(first.type) && pyarrayTypeIsStr(first.type) &&
                    pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(op, "name")), "format");
    return i == 0 ? tuple || number : number && !template && pa_container_of(first.type) == PA_NO_CONTAINER;
  }
  case PA_OP_APPLY: return i > 0 && (tuple || number) && !takes_named(inference, instance, op, type);
  default: return false;
  }
}

// The members of an enum that is gone over.
static MlirType members_type(pa_inference *inference, MlirAttribute description, MlirType class) {
  intptr_t count = mlirArrayAttrGetNumElements(mlirDictionaryAttrGetElementByName(description, pa_ref("numbers")));
  MlirType *types = PA_NEW_ARRAY(inference->arena, MlirType, count + 1),
           member = pa_member_type(inference->context, description, pa_class_name_of(class));
  for (intptr_t i = 0; i < count; ++i) types[i] = member;
  return mlirTupleTypeGet(inference->context, count, types);
}

static bool index_is_known(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  int64_t ignored;
  return mlirOperationGetNumOperands(op) != 2 ||
         !pa_is_integer(pa_scalar_of(pa_fact_get(inference, instance, mlirOperationGetOperand(op, 1)).type)) ||
         pa_literal_int(pa_fact_get(inference, instance, mlirOperationGetOperand(op, 1)), &ignored);
}

// Where the position of an element is not known, each has a type that all numbers of the tuple have.
static MlirType tuple_of_numbers(MlirContext context, pa_arena *arena, MlirType tuple) {
  intptr_t count = mlirTupleTypeGetNumTypes(tuple);
  MlirType *types = PA_NEW_ARRAY(arena, MlirType, count + 1);
  pa_scalar common = PA_NOT_SCALAR;
  bool differ = false;
  for (intptr_t i = 0; i < count; ++i) {
    pa_scalar scalar = pa_scalar_of(mlirTupleTypeGetType(tuple, i));
    if (scalar == PA_NOT_SCALAR) return (MlirType){NULL};
    differ = differ || (i && scalar != common);
    common = i ? pa_promote(common, scalar) : scalar;
  }
  for (intptr_t i = 0; i < count; ++i) types[i] = pa_scalar_type(context, common);
  return differ ? mlirTupleTypeGet(context, count, types) : (MlirType){NULL};
}

// Whether operand |i| may be a shape: an argument of one of NumPy's functions, or of an array's method.
static bool may_be_shape(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind, intptr_t i,
                         MlirType type) {
  pa_fact first = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0));
  if (i == 0 || mlirTypeIsNull(first.type)) return false;
  if (kind == PA_OP_METHOD) return pyarrayTypeIsArray(first.type);
  MlirStringRef name = pa_builtin_called(first.type);
  bool of_numpy = (name.length > 6 && memcmp(name.data, "numpy.", 6) == 0) ||
                  pa_ref_equal(name, "pyarray.library._intrinsics.broadcast");
  return kind == PA_OP_APPLY && of_numpy && !takes_named(inference, instance, op, type);
}

// A tuple with members of enums that are integers, as the tuple of these; null for all else.
static MlirType tuple_of_members(MlirContext context, pa_arena *arena, MlirType tuple) {
  if (mlirTypeIsNull(tuple) || !mlirTypeIsATuple(tuple)) return (MlirType){NULL};
  intptr_t count = mlirTupleTypeGetNumTypes(tuple), members = 0;
  MlirType *types = PA_NEW_ARRAY(arena, MlirType, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    types[i] = mlirTupleTypeGetType(tuple, i);
    if (pa_is_int_enum(types[i])) types[i] = pyarrayTaggedTypeGetItem(types[i]), ++members;
  }
  return members ? mlirTupleTypeGet(context, count, types) : (MlirType){NULL};
}

// The same of functions: each may be any of them.
static MlirType tuple_of_functions(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirType tuple) {
  pa_typing typing = pa_typing_at(inference, op);
  MlirType function = pa_function_of_tuple(&typing, tuple);
  intptr_t count = mlirTupleTypeGetNumTypes(tuple);
  (void)instance;
  if (mlirTypeIsNull(function) || !pa_is_tagged(function, "choice")) return (MlirType){NULL};
  MlirType *types = PA_NEW_ARRAY(inference->arena, MlirType, count + 1);
  for (intptr_t i = 0; i < count; ++i) types[i] = function;
  return mlirTupleTypeGet(inference->context, count, types);
}

MlirType pa_represented_as(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind,
                           intptr_t i) {
  MlirType type = pa_fact_get(inference, instance, mlirOperationGetOperand(op, i)).type;
  if (pa_is_memoryview(type)) return pa_memoryview_as_array(inference, instance, op, kind, i);
  if (pa_is_records(type)) return pa_aligned_operand(inference, instance, op, kind, i);
  if (pa_is_tagged(type, "frozen")) {
    bool reads = kind == PA_OP_APPLY ? i > 0 && !takes_named(inference, instance, op, type)
                                     : pa_reads_frozen(inference, instance, op, kind, i);
    return reads ? pyarrayTaggedTypeGetItem(type) : (MlirType){NULL};
  }
  if (pa_is_dict_class(type)) {
    bool changes = i == 0 && (kind == PA_OP_SETITEM || kind == PA_OP_DELITEM);
    bool shown =
        kind == PA_OP_METHOD && i > 0 && pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(op, "name")), "format");
    bool reads = kind == PA_OP_APPLY ? i > 0 && !takes_named(inference, instance, op, type)
                                     : changes || (!shown && pa_reads_frozen(inference, instance, op, kind, i));
    return reads ? pyarrayTaggedTypeGetItem(type) : (MlirType){NULL};
  }
  if (pa_is_tagged(type, "display")) // for its length
    return kind == PA_OP_APPLY && i > 0 && !takes_named(inference, instance, op, type) ? pyarrayTaggedTypeGetItem(type)
                                                                                       : (MlirType){NULL};
  MlirType shape = tuple_of_members(inference->context, inference->arena, type);
  if (!mlirTypeIsNull(shape) && may_be_shape(inference, instance, op, kind, i, type)) return shape;
  bool by_position = (kind == PA_OP_GETITEM && !index_is_known(inference, instance, op)) || kind == PA_OP_ITERATOR ||
                     kind == PA_OP_ITER_ITEM || kind == PA_OP_ITER_MORE;
  if (by_position && i == 0 && !mlirTypeIsNull(type) && mlirTypeIsATuple(type)) {
    MlirType numbers = tuple_of_numbers(inference->context, inference->arena, type);
    return mlirTypeIsNull(numbers) ? tuple_of_functions(inference, instance, op, type) : numbers;
  }
  bool reads_names = kind == PA_OP_FOR || kind == PA_OP_ITERATOR || kind == PA_OP_ITER_MORE ||
                     kind == PA_OP_ITER_ITEM || kind == PA_OP_TRUTH || kind == PA_OP_UNARY;
  if (pa_is_tagged(type, "keywords"))
    return (reads_names && i == 0) || (kind == PA_OP_APPLY && i > 0 && !pa_spreads_mapping(op, i) &&
                                       !takes_named(inference, instance, op, type))
               ? pa_keyword_names_type(inference, type)
               : (MlirType){NULL};
  if (pa_is_named(type))
    return needs_representation(inference, instance, op, kind, i, type) ? pyarrayTaggedTypeGetItem(type)
                                                                        : (MlirType){NULL};
  bool over = kind == PA_OP_ITER_MORE || kind == PA_OP_ITER_ITEM || kind == PA_OP_ITERATOR || kind == PA_OP_FOR ||
              (kind == PA_OP_APPLY && i > 0);
  if (!over || mlirTypeIsNull(type) || !pyarrayTypeIsCallable(type)) return (MlirType){NULL};
  MlirAttribute description = pa_named_of_type(inference->module, type);
  bool is_enum = !mlirAttributeIsNull(description) && pa_is_enum_class(description);
  if (!is_enum || (kind == PA_OP_APPLY && takes_named(inference, instance, op, type))) return (MlirType){NULL};
  return members_type(inference, description, type);
}

static MlirValue emit_members(pa_instance_emitter *e, MlirType class) {
  MlirAttribute numbers =
      mlirDictionaryAttrGetElementByName(pa_named_of_type(e->inference->module, class), pa_ref("numbers"));
  intptr_t count = mlirArrayAttrGetNumElements(numbers);
  MlirValue *members = pa_emitter_values(e, count);
  MlirType *types = pa_emitter_types(e, count);
  for (intptr_t i = 0; i < count; ++i)
    members[i] = pa_emit_literal(e, mlirArrayAttrGetElement(numbers, i)),
    types[i] = pa_scalar_type(pa_emitter_context(e), PA_I64);
  return pa_value(e->builder, PA_OP_NAME(TUPLE), PA_OPERAND_ARRAY(members, count),
                  PA_RESULTS(mlirTupleTypeGet(pa_emitter_context(e), count, types)));
}

// A tuple of functions as one of their numbers.
static MlirValue emit_numbers(pa_instance_emitter *e, MlirValue tuple, MlirType type) {
  intptr_t count = mlirTupleTypeGetNumTypes(type);
  MlirType *types = pa_emitter_types(e, count);
  for (intptr_t i = 0; i < count; ++i) types[i] = pa_scalar_type(pa_emitter_context(e), PA_I64);
  return pa_emit_choice(e, pa_emitter_use(e, tuple), type, mlirTupleTypeGet(pa_emitter_context(e), count, types));
}

MlirValue pa_emit_represented(pa_instance_emitter *e, MlirValue value, MlirType type) {
  if (pa_is_tagged(type, "keywords")) return pa_emit_keywords(e, value, type, false);
  if (pa_is_records(type)) return pa_emit_aligned(e, value, type);
  bool is_enum = pyarrayTypeIsCallable(type) && !mlirAttributeIsNull(pa_named_of_type(e->inference->module, type));
  if (is_enum) return emit_members(e, type);
  pa_typing typing = {.context = pa_emitter_context(e), .arena = e->inference->arena};
  MlirType numbers = mlirTypeIsATuple(type) ? tuple_of_numbers(typing.context, typing.arena, type) : (MlirType){NULL};
  if (!mlirTypeIsNull(numbers)) return pa_emit_cast(e, pa_emitter_use(e, value), numbers);
  MlirType function = pa_function_of_tuple(&typing, type);
  return mlirTypeIsNull(function) ? pa_emitter_use(e, value) : emit_numbers(e, value, type);
}
