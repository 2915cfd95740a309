// Types of device operations (docs/internals-cuda.md): one function per typing rule of lib/ir/builtins.def. What Numba
// has as int32 or uint32 is that here.
#include <string.h>

#include "support/record_code.h"
#include "typing_rules.h"

//===-- Values and calls without arguments --------------------------------------------------------===//

static pa_status finish_none(pa_rule_call *call) {
  return pa_rule_finish(call, pyarrayNoneTypeGet(call->typing->context));
}

static pa_status type_none(pa_rule_call *call) { return finish_none(call); }
static pa_status type_i32(pa_rule_call *call) { return pa_rule_finish_scalar(call, PA_I32); }
static pa_status type_u32(pa_rule_call *call) { return pa_rule_finish_scalar(call, PA_U32); }

static pa_status type_warp_size(pa_rule_call *call) {
  call->plan->kind = PA_PLAN_LITERAL;
  call->plan->literal = mlirIntegerAttrGet(pa_rule_scalar_type(call, PA_I32), 32);
  return pa_rule_finish_scalar(call, PA_I32);
}

static pa_status type_grid(pa_rule_call *call) {
  int64_t count;
  if (!pa_literal_int(call->arguments[0], &count) || count < 1 || count > 3)
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "%s: the number of dimensions must be 1, 2 or 3, written out",
                          call->builtin->name);
  if (count == 1) return pa_rule_finish_scalar(call, PA_I64);
  MlirType number = pa_rule_scalar_type(call, PA_I64), all[] = {number, number, number};
  return pa_rule_finish(call, mlirTupleTypeGet(call->typing->context, count, all));
}

//===-- Warps and blocks --------------------------------------------------------------------------===//

static pa_status add_integer(pa_rule_call *call, int i, pa_scalar scalar) {
  PA_TRY(pa_rule_need_integer(call, i));
  return pa_rule_add_argument(call, i, pa_rule_scalar_type(call, scalar)), PA_OK;
}

static pa_status add_predicate(pa_rule_call *call, int i) {
  PA_TRY(pa_rule_need_number(call, i));
  return pa_rule_add_argument(call, i, pa_rule_scalar_type(call, PA_BOOL)), PA_OK;
}

// A value that moves between lanes: smaller integers become int32 (and float16, on the way, float32).
static pa_status add_lane_value(pa_rule_call *call, int i, pa_scalar *out_scalar) {
  PA_TRY(pa_rule_need_real(call, i));
  pa_scalar scalar = pa_rule_scalar_of(call, i);
  *out_scalar = pa_scalar_bytes(scalar) < 4 && !pa_is_float(scalar) ? PA_I32 : scalar;
  return pa_rule_add_argument(call, i, pa_rule_scalar_type(call, *out_scalar)), PA_OK;
}

static pa_status type_predicate(pa_rule_call *call) {
  PA_TRY(add_predicate(call, 0));
  return pa_rule_finish_scalar(call, PA_I32);
}

static pa_status type_syncwarp(pa_rule_call *call) {
  MlirType mask = pa_rule_scalar_type(call, PA_I32);
  if (pa_rule_given(call, 0))
    PA_TRY(add_integer(call, 0, PA_I32));
  else
    pa_rule_add_operand(call, -1, -1, mlirIntegerAttrGet(mask, -1), mask);
  return finish_none(call);
}

static pa_status type_nanosleep(pa_rule_call *call) {
  PA_TRY(add_integer(call, 0, PA_U32));
  return finish_none(call);
}

static pa_status type_shuffle(pa_rule_call *call) {
  pa_scalar scalar;
  PA_TRY(add_integer(call, 0, PA_I32));
  PA_TRY(add_lane_value(call, 1, &scalar));
  PA_TRY(add_integer(call, 2, PA_I32));
  return pa_rule_finish_scalar(call, scalar);
}

static pa_status type_vote(pa_rule_call *call) {
  PA_TRY(add_integer(call, 0, PA_I32));
  PA_TRY(add_predicate(call, 1));
  return pa_rule_finish_scalar(call, PA_BOOL);
}

static pa_status type_ballot(pa_rule_call *call) {
  PA_TRY(type_vote(call));
  return pa_rule_finish_scalar(call, PA_I32);
}

static pa_status type_match(pa_rule_call *call) {
  pa_scalar scalar;
  PA_TRY(add_integer(call, 0, PA_I32));
  PA_TRY(add_lane_value(call, 1, &scalar));
  return pa_rule_finish_scalar(call, PA_I32);
}

static pa_status type_match_all(pa_rule_call *call) {
  PA_TRY(type_match(call));
  MlirType parts[] = {pa_rule_scalar_type(call, PA_I32), pa_rule_scalar_type(call, PA_BOOL)};
  return pa_rule_finish(call, mlirTupleTypeGet(call->typing->context, 2, parts));
}

//===-- Bits, selection ---------------------------------------------------------------------------===//

static pa_status type_bits(pa_rule_call *call) {
  PA_TRY(pa_rule_need_integer(call, 0));
  return pa_rule_finish_as(call, 1, pa_rule_scalar_of(call, 0) == PA_BOOL ? PA_I32 : pa_rule_scalar_of(call, 0));
}

static pa_status type_bits_unsigned(pa_rule_call *call) {
  PA_TRY(pa_rule_need_integer(call, 0));
  return pa_rule_finish_as(call, 1, pa_scalar_bytes(pa_rule_scalar_of(call, 0)) == 8 ? PA_U64 : PA_U32);
}

static pa_status type_ffs(pa_rule_call *call) {
  PA_TRY(type_bits(call));
  return pa_rule_finish_scalar(call, PA_U32);
}

static pa_status type_select(pa_rule_call *call) {
  PA_TRY(add_predicate(call, 0));
  PA_TRY(pa_rule_need_number(call, 1));
  PA_TRY(pa_rule_need_number(call, 2));
  pa_scalar scalar = pa_promote(pa_rule_scalar_of(call, 1), pa_rule_scalar_of(call, 2));
  pa_rule_add_argument(call, 1, pa_rule_scalar_type(call, scalar));
  pa_rule_add_argument(call, 2, pa_rule_scalar_type(call, scalar));
  return pa_rule_finish_scalar(call, scalar);
}

//===-- float16, bfloat16 -----------------------------------------------------------------------------------===//

static pa_status type_half(pa_rule_call *call, int count) {
  for (int i = 0; i < count; ++i) PA_TRY(pa_rule_need_real(call, i));
  return pa_rule_finish_as(call, count, strncmp(call->builtin->name, "cuda.bf16.", 10) == 0 ? PA_BF16 : PA_F16);
}

static pa_status type_half1(pa_rule_call *call) { return type_half(call, 1); }
static pa_status type_half2(pa_rule_call *call) { return type_half(call, 2); }
static pa_status type_half3(pa_rule_call *call) { return type_half(call, 3); }

static pa_status type_half_test2(pa_rule_call *call) {
  PA_TRY(type_half(call, 2));
  return pa_rule_finish_scalar(call, PA_BOOL);
}

// The same 16 bits as another type.
static pa_status type_half_bits(pa_rule_call *call) {
  pa_scalar from = pa_scalar_from_code(call->builtin->target[0]), to = pa_scalar_from_code(call->builtin->target[1]);
  PA_TRY(pa_is_float(from) ? pa_rule_need_real(call, 0) : pa_rule_need_integer(call, 0));
  pa_rule_add_argument(call, 0, pa_rule_scalar_type(call, from));
  return pa_rule_finish_scalar(call, to);
}

//===-- libdevice ---------------------------------------------------------------------------------===//

// "dd>d*i": arguments are converted; what is returned through pointers is part of a tuple.
static pa_status type_libdevice(pa_rule_call *call) {
  const char *code = call->builtin->target;
  for (int i = 0; *code != '>'; ++i, ++code) {
    pa_scalar scalar = pa_scalar_from_code(*code);
    PA_TRY(pa_is_float(scalar) ? pa_rule_need_real(call, i) : pa_rule_need_integer(call, i));
    pa_rule_add_argument(call, i, pa_rule_scalar_type(call, scalar));
  }
  MlirType results[4];
  int count = 0;
  while (*++code)
    if (*code != '*') results[count++] = pa_rule_scalar_type(call, pa_scalar_from_code(*code));
  return pa_rule_finish(call, count == 1 ? results[0] : mlirTupleTypeGet(call->typing->context, count, results));
}

//===-- Vectors -----------------------------------------------------------------------------------===//

// cuda.float32x4(v, 1.0, 2.0): numbers, and vectors of that type of elements, which have as many together.
static pa_status type_vector(pa_rule_call *call) {
  MlirType vector = pa_vector_type(call->typing->context, call->builtin->target),
           elements = pyarrayTaggedTypeGetItem(vector), element = mlirTupleTypeGetType(elements, 0);
  const char *name = pa_rule_text_of(call, vector);
  intptr_t wanted = mlirTupleTypeGetNumTypes(elements), count = 0, room = 0;
  for (int i = 0; i < call->count; ++i) {
    MlirType type = call->arguments[i].type,
             parts = pa_is_vector(type) ? pyarrayTaggedTypeGetItem(type) : (MlirType){NULL};
    bool same = !mlirTypeIsNull(parts) && mlirTypeEqual(mlirTupleTypeGetType(parts, 0), element);
    if (!same) PA_TRY(pa_rule_need_real(call, i));
    room += same ? mlirTupleTypeGetNumTypes(parts) : 1;
  }
  if (room != wanted)
    return pa_typing_fail(call->typing, PA_CODE_TYPING,
                          "%s() takes numbers and vectors with %d element%s together, %d were given", name, (int)wanted,
                          wanted == 1 ? "" : "s", (int)room);
  for (int i = 0; i < call->count; ++i) {
    MlirType type = call->arguments[i].type;
    intptr_t parts = pa_is_vector(type) ? mlirTupleTypeGetNumTypes(pyarrayTaggedTypeGetItem(type)) : 0;
    for (intptr_t k = 0; k < parts; ++k) pa_rule_add_operand(call, i, (int)k, (MlirAttribute){NULL}, element);
    if (!parts) pa_rule_add_argument(call, i, element);
    count += parts ? parts : 1;
  }
  call->plan->kind = PA_PLAN_TUPLE;
  return pa_rule_finish(call, vector);
}

//===-- Arrays ------------------------------------------------------------------------------------===//

// The last operand, as far as it is given. That it is a constant, and fits, is seen when it is lowered.
static pa_status add_alignment(pa_rule_call *call, int i) {
  if (!pa_rule_given(call, i) || pyarrayTypeIsNone(call->arguments[i].type)) return PA_OK;
  if (!pa_is_integer(pa_rule_scalar_of(call, i)))
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "%s: alignment must be a constant integer",
                          call->builtin->name);
  return pa_rule_add_argument(call, i, pa_rule_scalar_type(call, PA_I64)), PA_OK;
}

// Extents are operands; that they are constants is seen when they are lowered, after inlining.
static pa_status type_device_array(pa_rule_call *call) {
  MlirType shape = call->arguments[0].type, element, extent = pa_rule_scalar_type(call, PA_I64);
  PA_TRY(pa_dtype_argument(call, 1, &element));
  intptr_t rank = 1;
  if (!mlirTypeIsATuple(shape)) {
    PA_TRY(add_integer(call, 0, PA_I64));
  } else {
    rank = mlirTupleTypeGetNumTypes(shape);
    if (rank < 1 || rank > 32)
      return pa_typing_fail(call->typing, PA_CODE_TYPING, "%s: an array has 1 to 32 dimensions", call->builtin->name);
    for (intptr_t axis = 0; axis < rank; ++axis) {
      if (!pa_is_integer(pa_scalar_of(mlirTupleTypeGetType(shape, axis))))
        return pa_rule_wrong_type(call, 0, "an int or a tuple of ints");
      pa_rule_add_operand(call, 0, (int)axis, (MlirAttribute){NULL}, extent);
    }
  }
  if (!pa_is_record(element) && !pa_is_vector(element)) {
    PA_TRY(add_alignment(call, 2));
    return pa_rule_finish(call, pa_array_type(call->typing->context, rank, element, PYARRAY_LAYOUT_C, false));
  }
  pa_rule_add_int(call,
                  pa_item_code_size(pa_item_code_of(call->typing->arena, element))); // the bytes are one more axis
  PA_TRY(add_alignment(call, 2));
  return pa_finish_records(call, rank, pa_item_code_of(call->typing->arena, element));
}

// A device array that is a global: its address, the code of its type, its shape. Operands: the address, the extents.
static pa_status type_global_array(pa_rule_call *call) {
  MlirAttribute code = call->arguments[1].literal;
  MlirType shape = call->arguments[2].type, extent = pa_rule_scalar_type(call, PA_I64);
  const char *text = pa_attr_text(call->typing->arena, code), *at = text;
  MlirType type = text ? pa_type_from_code(call->typing->context, &at) : (MlirType){NULL};
  if (mlirTypeIsNull(type) || *at || !mlirTypeIsATuple(shape))
    return pa_rule_wrong_type(call, 1, "the code of an array's type");
  intptr_t rank = mlirTupleTypeGetNumTypes(shape);
  pa_rule_add_argument(call, 0, extent);
  for (intptr_t axis = 0; axis < rank; ++axis) pa_rule_add_operand(call, 2, (int)axis, (MlirAttribute){NULL}, extent);
  if (!pa_is_records(type)) return pa_rule_finish(call, type);
  const char *item = pa_item_code_of(call->typing->arena, type);
  pa_rule_add_int(call, pa_item_code_size(item)); // the bytes are one more axis
  return pa_finish_records(call, rank, item);
}

// The array at the same place of another block's shared memory. Operands: the array, the block's rank, the own one,
// their number.
static pa_status type_map_shared(pa_rule_call *call) {
  MlirType array = call->arguments[0].type, memory = pa_is_records(array) ? pyarrayTaggedTypeGetItem(array) : array;
  if (!pyarrayTypeIsArray(memory)) return pa_rule_wrong_type(call, 0, "an array of cuda.shared.array");
  pa_rule_add_argument(call, 0, array);
  for (int i = 1; i < call->count; ++i) PA_TRY(add_integer(call, i, PA_I32));
  return pa_rule_finish(call, array);
}

static pa_status type_const_array(pa_rule_call *call) {
  MlirType array = call->arguments[0].type, memory = pa_is_records(array) ? pyarrayTaggedTypeGetItem(array) : array;
  if (!pyarrayTypeIsArray(memory) || !pyarrayArrayTypeIsReadonly(memory))
    return pa_typing_fail(call->typing, PA_CODE_TYPING,
                          "%s: the argument must be a global array, whose elements are known here",
                          call->builtin->name);
  pa_rule_add_argument(call, 0, memory);
  return pa_rule_finish(call, array);
}

//===-- Atomics -----------------------------------------------------------------------------------===//

// Word |family| of "add add fadd": the operation on signed integers, unsigned ones, floats.
static bool has_operation(const char *target, int family) {
  while (family-- > 0) target = strchr(target, ' ') + 1;
  return *target != '-';
}

static pa_status check_element(const pa_rule_call *call, pa_scalar element) {
  bool of_size = pa_is_integer(element) ? pa_scalar_bytes(element) >= 4 : pa_is_float(element);
  const char *target = call->builtin->target;
  int family = pa_is_float(element) ? 2 : pa_is_unsigned(element);
  if (of_size && (!*target || has_operation(target, family))) return PA_OK;
  if (element == PA_NOT_SCALAR)
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "%s works on numbers alone", call->builtin->name);
  return pa_typing_fail(call->typing, PA_CODE_TYPING, "%s does not work on elements of type %s", call->builtin->name,
                        pa_scalar_name(element));
}

// A GPU's atomics trap where the address is not a multiple of the element's size.
static pa_status refuse_unaligned(const pa_rule_call *call) {
  return pa_typing_fail(
      call->typing, PA_CODE_TYPING,
      "%s: elements that are not aligned in memory cannot be changed atomically\n"
      "hint: make the records' dtype with align=True, or order its fields so that each is at a multiple of its size",
      call->builtin->name);
}

static pa_status check_index_count(const pa_rule_call *call, intptr_t rank, intptr_t count) {
  if (count == rank) return PA_OK;
  return pa_typing_fail(call->typing, PA_CODE_TYPING, "%s: %d indices for an array of %d dimensions",
                        call->builtin->name, (int)count, (int)rank);
}

// Argument 1, an int or a tuple of ints, as one operand for each axis.
static pa_status add_indices(pa_rule_call *call, intptr_t rank) {
  MlirType index = call->arguments[1].type, position = pa_rule_scalar_type(call, PA_I64);
  if (!mlirTypeIsATuple(index)) {
    PA_TRY(add_integer(call, 1, PA_I64));
    return check_index_count(call, rank, 1);
  }
  intptr_t count = mlirTupleTypeGetNumTypes(index);
  for (intptr_t axis = 0; axis < count; ++axis) {
    if (!pa_is_integer(pa_scalar_of(mlirTupleTypeGetType(index, axis))))
      return pa_rule_wrong_type(call, 1, "an int or a tuple of ints");
    pa_rule_add_operand(call, 1, (int)axis, (MlirAttribute){NULL}, position);
  }
  return check_index_count(call, rank, count);
}

// Operands: the array, one index for each axis, and the values from argument |first_value| on.
static pa_status type_element_update(pa_rule_call *call, int first_value) {
  MlirType array = call->arguments[0].type;
  if (pa_is_records(array) && pa_is_scalar_code(pa_item_code_of(call->typing->arena, array)))
    return refuse_unaligned(call);
  if (!pyarrayTypeIsArray(array)) return pa_rule_wrong_type(call, 0, "an array");
  if (pyarrayArrayTypeIsReadonly(array))
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "%s: the array is read-only", call->builtin->name);
  MlirType element = pyarrayArrayTypeGetElement(array);
  PA_TRY(check_element(call, pa_scalar_of(element)));
  pa_rule_add_argument(call, 0, array);
  intptr_t rank = pyarrayArrayTypeGetRank(array);
  if (first_value == 1) pa_rule_add_int(call, 0); // without an index: the first element
  PA_TRY(first_value == 1 ? check_index_count(call, rank, 1) : add_indices(call, rank));
  for (int i = first_value; i < call->count; ++i) {
    PA_TRY(pa_rule_need_real(call, i));
    pa_rule_add_argument(call, i, element);
  }
  return pa_rule_finish(call, element);
}

static pa_status type_atomic(pa_rule_call *call) { return type_element_update(call, 2); }
static pa_status type_atomic_first(pa_rule_call *call) { return type_element_update(call, 1); }

//===-- Cache operators ---------------------------------------------------------------------------===//

static bool has_cache_operators(pa_scalar element) { return pa_is_integer(element) || pa_is_float(element); }

// Operands: the array or pointer, the indices, the value that is stored, and of vectors of what their addresses are
// multiples.
static pa_status type_cache(pa_rule_call *call, bool store) {
  MlirType array = call->arguments[0].type, element = {NULL};
  bool pointer = pyarrayTypeIsPointer(array),
       vectors = pa_is_records(array) && *pa_item_code_of(call->typing->arena, array) == 'x';
  if (!pointer && !pyarrayTypeIsArray(array) && !pa_is_records(array))
    return pa_rule_wrong_type(call, 0, "an array or a pointer");
  if (pointer)
    element = pyarrayPointerTypeGetPointee(array);
  else if (vectors)
    element = pa_vector_type(call->typing->context, pa_item_code_of(call->typing->arena, array));
  else if (pyarrayTypeIsArray(array))
    element = pyarrayArrayTypeGetElement(array);
  if (!vectors && !has_cache_operators(pa_scalar_of(element)))
    return pa_typing_fail(call->typing, PA_CODE_TYPING,
                          "%s works on integers, floats and vectors that are aligned, not on elements of %s",
                          call->builtin->name, pa_rule_text_of(call, array));
  MlirType memory = vectors ? pyarrayTaggedTypeGetItem(array) : array;
  if (store && !pointer && pyarrayArrayTypeIsReadonly(memory))
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "%s: the array is read-only", call->builtin->name);
  pa_rule_add_argument(call, 0, memory);
  PA_TRY(add_indices(call, pointer ? 1 : vectors ? pa_records_rank(array) : pyarrayArrayTypeGetRank(array)));
  if (store && vectors && !mlirTypeEqual(call->arguments[2].type, element))
    return pa_rule_wrong_type(call, 2, pa_arena_format(call->typing->arena, "a %s", pa_rule_text_of(call, element)));
  if (store && !vectors) PA_TRY(pa_rule_need_real(call, 2));
  if (store) pa_rule_add_argument(call, 2, pa_erased_type(element));
  if (vectors) pa_rule_add_int(call, pa_item_code_alignment(pa_item_code_of(call->typing->arena, array)));
  return pa_rule_finish(call, store ? pyarrayNoneTypeGet(call->typing->context) : element);
}

static pa_status type_cache_load(pa_rule_call *call) { return type_cache(call, false); }
static pa_status type_cache_store(pa_rule_call *call) { return type_cache(call, true); }

//===-- print -------------------------------------------------------------------------------------===//

static pa_status type_print(pa_rule_call *call) {
  for (int i = 0; i < call->count; ++i) {
    MlirType type = call->arguments[i].type;
    pa_scalar scalar = pa_scalar_of(type);
    if (pyarrayTypeIsStr(type) || pa_is_integer(scalar) || scalar == PA_BOOL)
      pa_rule_add_argument(call, i, type);
    else if (pa_is_float(scalar))
      pa_rule_add_argument(call, i, pa_rule_scalar_type(call, PA_F64));
    else
      return pa_rule_wrong_type(call, i, "a real number or a string written out");
  }
  return finish_none(call);
}

// Of a variable: the name and the value, where that is a real number; else nothing.
static pa_status type_shown(pa_rule_call *call) {
  pa_scalar scalar = pa_scalar_of(call->arguments[1].type);
  if (scalar == PA_BOOL || pa_is_integer(scalar) || pa_is_float(scalar))
    for (int i = 0; i < 2; ++i) pa_rule_add_argument(call, i, call->arguments[i].type);
  return finish_none(call);
}

//===-- Targets -----------------------------------------------------------------------------------===//

// What a GPU has not, by lowering rule.
static const struct {
  pa_builtin_lowering rule;
  const char *problem;
} refused[] = {
    {PA_LOWERING_RUNTIME, "is not available on a GPU\nhint: call it outside, and pass the result as an argument"},
    {PA_LOWERING_SEED, "is not available on a GPU"},
    {PA_LOWERING_DRAW, "is not available on a GPU\nhint: draw outside, or use pyarray.cuda.random"},
    {PA_LOWERING_OBJMODE_CALL, "is not available on a GPU\nhint: call it outside"},
    {PA_LOWERING_SET_NUM_THREADS, "is not available on a GPU"},
    {PA_LOWERING_SET_CHUNKSIZE, "is not available on a GPU"},
};

pa_status pa_check_target(const pa_typing *typing, const pa_builtin *builtin, bool device) {
  bool needs_device = strncmp(builtin->name, "cuda.", 5) == 0 || builtin->lowering == PA_LOWERING_PRINT;
  if (needs_device && !device)
    return pa_typing_fail(typing, PA_CODE_TYPING,
                          "%s is only for functions that are compiled for a GPU\nhint: call it outside", builtin->name);
  for (size_t i = 0; device && i < sizeof refused / sizeof *refused; ++i)
    if (refused[i].rule == builtin->lowering)
      return pa_typing_fail(typing, PA_CODE_UNSUPPORTED, "%s %s", builtin->name, refused[i].problem);
  return PA_OK;
}

//===-- Table -------------------------------------------------------------------------------------===//

const pa_typing_rule_row pa_device_typing[] = {
    {PA_TYPING_DEVICE_NONE, type_none},
    {PA_TYPING_DEVICE_I32, type_i32},
    {PA_TYPING_DEVICE_U32, type_u32},
    {PA_TYPING_WARP_SIZE, type_warp_size},
    {PA_TYPING_GRID, type_grid},
    {PA_TYPING_PREDICATE_I32, type_predicate},
    {PA_TYPING_SYNCWARP, type_syncwarp},
    {PA_TYPING_NANOSLEEP, type_nanosleep},
    {PA_TYPING_SHUFFLE, type_shuffle},
    {PA_TYPING_VOTE, type_vote},
    {PA_TYPING_BALLOT, type_ballot},
    {PA_TYPING_MATCH, type_match},
    {PA_TYPING_MATCH_ALL, type_match_all},
    {PA_TYPING_BITS, type_bits},
    {PA_TYPING_FFS, type_ffs},
    {PA_TYPING_BITS_UNSIGNED, type_bits_unsigned},
    {PA_TYPING_LIBDEVICE, type_libdevice},
    {PA_TYPING_SELECT, type_select},
    {PA_TYPING_DEVICE_ARRAY, type_device_array},
    {PA_TYPING_CONST_ARRAY, type_const_array},
    {PA_TYPING_GLOBAL_ARRAY, type_global_array},
    {PA_TYPING_MAP_SHARED, type_map_shared},
    {PA_TYPING_ATOMIC, type_atomic},
    {PA_TYPING_ATOMIC_CAS, type_atomic},
    {PA_TYPING_ATOMIC_FIRST, type_atomic_first},
    {PA_TYPING_CACHE_LOAD, type_cache_load},
    {PA_TYPING_CACHE_STORE, type_cache_store},
    {PA_TYPING_PRINT, type_print},
    {PA_TYPING_VARIABLE_SHOWN, type_shown},
    {PA_TYPING_HALF1, type_half1},
    {PA_TYPING_HALF2, type_half2},
    {PA_TYPING_HALF3, type_half3},
    {PA_TYPING_HALF_TEST2, type_half_test2},
    {PA_TYPING_HALF_BITS, type_half_bits},
    {PA_TYPING_VECTOR, type_vector},
    {0, NULL},
};
