// Equality of values by their types alone: which can never be equal, as of a str and a number.
#include "typing_rules.h"

// Values that may be equal to each other are of one kind.
typedef enum equality_kind { UNKNOWN, NONES, NUMBERS, STR, BYTES, TUPLES, RANGES, SLICES, CONTAINERS } equality_kind;

static int equality_kind_of(MlirType type) {
  if (pa_scalar_of(type) != PA_NOT_SCALAR || pa_is_enum(type)) return NUMBERS;
  if (pyarrayTypeIsNone(type)) return NONES;
  if (pyarrayTypeIsStr(type)) return STR;
  if (pyarrayTypeIsBytes(type) || pyarrayTypeIsBytearray(type) || pa_is_memoryview(type)) return BYTES;
  if (mlirTypeIsATuple(type) || pa_is_tagged(type, "namedtuple")) return TUPLES;
  if (pyarrayTypeIsRange(type)) return RANGES;
  if (pyarrayTypeIsSlice(type)) return SLICES;
  if (pa_is_dict_class(type)) return CONTAINERS + PA_DICT;
  pa_container container = pa_container_of(type);
  return container == PA_NO_CONTAINER ? UNKNOWN : CONTAINERS + (int)container;
}

bool pa_never_equal(MlirType a, MlirType b) {
  int x = equality_kind_of(a), y = equality_kind_of(b);
  if (x == UNKNOWN || y == UNKNOWN || x != y || x != TUPLES) return x != UNKNOWN && y != UNKNOWN && x != y;
  MlirType left = pa_plain_type(a), right = pa_plain_type(b);
  intptr_t count = mlirTupleTypeGetNumTypes(left);
  bool never = mlirTupleTypeGetNumTypes(right) != count;
  for (intptr_t i = 0; !never && i < count; ++i)
    never = pa_never_equal(mlirTupleTypeGetType(left, i), mlirTupleTypeGetType(right, i));
  return never;
}

int pa_callables_equal(const pa_typing *typing, pa_fact a, pa_fact b) {
  bool x = pyarrayTypeIsCallable(a.type), y = pyarrayTypeIsCallable(b.type);
  MlirType left, right;
  if (!x && !y) return -1;
  if (x && y && mlirTypeEqual(a.type, b.type)) return 1;
  if (pa_dtype_of(typing, a, &left) && pa_dtype_of(typing, b, &right)) return mlirTypeEqual(left, right);
  MlirType other = x ? b.type : a.type;
  bool named = pyarrayTypeIsStr(other) && pa_dtype_of(typing, x ? a : b, &left); // by a text that is not known
  return (x && y) || (equality_kind_of(other) != UNKNOWN && !named) ? 0 : -1;
}

// Where an argument has no type yet.
static pa_status type_same(pa_rule_call *call) {
  return pa_rule_finish(call, mlirIntegerTypeGet(call->typing->context, 1));
}

const pa_typing_rule_row pa_equality_typing[] = {{PA_TYPING_IS_SAME, type_same}, {0, NULL}};
