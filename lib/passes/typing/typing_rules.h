// What the files of typing rules share: typing_builtins.c (dispatch, Python's builtins, arrays), typing_math.c (math),
// typing_complex.c (cmath), typing_numpy.c (NumPy's functions of scalars) and typing_datetime.c (datetimes and
// timedeltas). A rule fills in the plan of a call.
#ifndef PYARRAY_LIB_PASSES_TYPING_RULES_H
#define PYARRAY_LIB_PASSES_TYPING_RULES_H

#include <string.h>

#include "typing.h"

typedef struct pa_rule_call {
  const pa_typing *typing;
  const pa_builtin *builtin;
  const pa_fact *arguments;
  int count;
  pa_call_plan *plan;
} pa_rule_call;

typedef pa_status (*pa_typing_rule)(pa_rule_call *call);

// A rule of builtins.def; tables end in a null name.
typedef struct pa_typing_rule_row {
  const char *name;
  pa_typing_rule rule;
} pa_typing_rule_row;
extern const pa_typing_rule_row pa_math_typing[], pa_complex_typing[], pa_numpy_typing[], pa_time_typing[],
    pa_device_typing[], pa_list_typing[], pa_dict_typing[], pa_iterate_typing[], pa_library_typing[], pa_text_typing[],
    pa_memoryview_typing[], pa_dtype_typing[], pa_native_typing[], pa_typed_typing[], pa_equality_typing[],
    pa_numpy_loop_typing[], pa_view_typing[];
// The rule of a function that has times among its arguments; NULL where there are none, or it has no rule of its own
// for them.
pa_typing_rule pa_find_time_rule(const pa_rule_call *call);
// A literal of the source has the type that the other arguments of a function of NumPy have together (NEP 50):
// |*out_arguments|. A literal among them that is not that of |call| takes its place (typing_numpy.c).
pa_status pa_adopt_literals(const pa_rule_call *call, const pa_fact **out_arguments);
pa_status pa_type_number_of_text(pa_rule_call *call); // typing_text.c
// The type that argument |i|, a dtype such as np.float32, float, a.dtype or 'M8[D]', names.
pa_status pa_dtype_argument(const pa_rule_call *call, int i, MlirType *out_type);

// What is iterated over in argument |i| is put into |container|; pairs, or what a dict holds, into a dict
// (typing_list.c).
pa_status pa_put_all(pa_rule_call *call, pa_fact container, int i);
pa_status pa_finish_records(pa_rule_call *call, intptr_t rank,
                            const char *code);              // the result is a new array of records
pa_status pa_finish_fact(pa_rule_call *call, pa_fact fact); // the result, with its site

//===-- Helpers -----------------------------------------------------------------------------------===//

static inline const char *text_of(const pa_rule_call *call, MlirType type) {
  return pa_type_text(call->typing->arena, type);
}
static inline MlirType scalar_type(const pa_rule_call *call, pa_scalar scalar) {
  return pa_scalar_type(call->typing->context, scalar);
}
static inline bool given(const pa_rule_call *call, int i) {
  return i < call->count && !pa_is_bottom(call->arguments[i]);
}
static inline pa_scalar scalar_of(const pa_rule_call *call, int i) {
  return given(call, i) ? pa_scalar_of(call->arguments[i].type) : PA_NOT_SCALAR;
}

static inline pa_status wrong_type(const pa_rule_call *call, int i, const char *expected) {
  MlirType type = call->arguments[i].type;
  bool array = pyarrayTypeIsArray(type);
  if (strncmp(call->builtin->name, "pyarray.library.", 16) == 0) // of the library's own: no name that a user knows
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "a value of type %s; expected %s", text_of(call, type),
                          expected);
  return pa_typing_fail(call->typing, array ? PA_CODE_UNSUPPORTED : PA_CODE_TYPING,
                        "%s: argument %d has type %s; expected %s%s", call->builtin->name, i + 1, text_of(call, type),
                        expected,
                        array ? "\nhint: functions of whole arrays are not compiled yet; loop over the elements"
                        : pa_is_record(type) || pa_is_records(type) ? "\nhint: name a field of the records: r['x']"
                                                                    : "");
}

static inline pa_status need_real(const pa_rule_call *call, int i) {
  pa_scalar scalar = scalar_of(call, i);
  return scalar == PA_NOT_SCALAR || pa_is_complex(scalar) ? wrong_type(call, i, "a real number") : PA_OK;
}

static inline pa_status need_number(const pa_rule_call *call, int i) {
  return scalar_of(call, i) == PA_NOT_SCALAR ? wrong_type(call, i, "a number") : PA_OK;
}

static inline pa_status need_integer(const pa_rule_call *call, int i) {
  pa_scalar scalar = scalar_of(call, i);
  return scalar == PA_BOOL || pa_is_integer(scalar) ? PA_OK : wrong_type(call, i, "an integer");
}

static inline void add_operand(pa_rule_call *call, int argument, int element, MlirAttribute constant, MlirType type) {
  pa_call_plan *plan = call->plan;
  plan->sources[plan->operand_count] = (pa_source){argument, element, constant};
  plan->operands[plan->operand_count++] = type;
}

static inline void add_argument(pa_rule_call *call, int argument, MlirType type) {
  add_operand(call, argument, -1, (MlirAttribute){NULL}, type);
}

static inline void add_int(pa_rule_call *call, int64_t value) {
  MlirType type = scalar_type(call, PA_I64);
  add_operand(call, -1, -1, mlirIntegerAttrGet(type, value), type);
}

static inline pa_status finish(pa_rule_call *call, MlirType result) { return call->plan->result = result, PA_OK; }
static inline pa_status finish_scalar(pa_rule_call *call, pa_scalar result) {
  return finish(call, scalar_type(call, result));
}

// The float type in which |count| real arguments are computed: float32 if all are, float16 and bfloat16 likewise.
static inline pa_scalar real_of(const pa_rule_call *call, int count) {
  pa_scalar result = scalar_of(call, 0);
  for (int i = 1; i < count; ++i) result = pa_promote(result, scalar_of(call, i));
  return pa_is_half(result) || result == PA_F32 ? result : PA_F64;
}

static inline pa_status finish_as(pa_rule_call *call, int count, pa_scalar scalar) {
  for (int i = 0; i < count; ++i) add_argument(call, i, scalar_type(call, scalar));
  return finish_scalar(call, scalar);
}

static inline pa_status type_real(pa_rule_call *call, int count) {
  for (int i = 0; i < count; ++i) PA_TRY(need_real(call, i));
  return finish_as(call, count, real_of(call, count));
}

static inline pa_status type_ints(pa_rule_call *call, int count) {
  for (int i = 0; i < count; ++i) PA_TRY(need_integer(call, i));
  return finish_as(call, count, PA_I64);
}

#endif // PYARRAY_LIB_PASSES_TYPING_RULES_H
