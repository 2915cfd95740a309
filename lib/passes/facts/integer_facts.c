// What is known at compile time of integers in typed functions (levels 2 and 3), see integer_facts.h.
#include "integer_facts.h"

#include <string.h>

#include "ir/builtins.h"

static MlirValue operand(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }
static pa_scalar scalar_of(MlirValue value) { return pa_scalar_of(mlirValueGetType(value)); }

static MlirOperation definition(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
}

//===-- Values ------------------------------------------------------------------------------------===//

static int64_t wrap(int64_t value, pa_scalar scalar) {
  int unused = 64 - 8 * pa_scalar_bytes(scalar);
  if (pa_is_unsigned(scalar)) return (int64_t)((uint64_t)value << unused >> unused);
  return (int64_t)((uint64_t)value << unused) >> unused;
}

// The bits of one; of a uint64 they may be a negative int64.
static bool bits_of_attribute(MlirAttribute value, int64_t *out_value) {
  if (!mlirAttributeIsAInteger(value)) return false;
  MlirType type = mlirAttributeGetType(value);
  if (!mlirTypeIsAInteger(type)) return false;
  if (mlirIntegerTypeIsSigned(type))
    *out_value = mlirIntegerAttrGetValueSInt(value);
  else if (mlirIntegerTypeIsUnsigned(type))
    *out_value = (int64_t)mlirIntegerAttrGetValueUInt(value);
  else
    *out_value = mlirIntegerAttrGetValueInt(value) & (mlirIntegerTypeGetWidth(type) == 1 ? 1 : -1);
  return true;
}

bool pa_integer_of_attribute(MlirAttribute value, int64_t *out_value) {
  return bits_of_attribute(value, out_value) &&
         (*out_value >= 0 || !mlirIntegerTypeIsUnsigned(mlirAttributeGetType(value)));
}

bool pa_integer_known(const pa_names *names, MlirValue value, int64_t *out_value) {
  MlirOperation op = definition(value);
  pa_scalar scalar = scalar_of(value);
  if (scalar != PA_BOOL && !pa_is_integer(scalar)) return false;
  if (pa_kind_or_other(names, op) == PA_OP_CONSTANT) return bits_of_attribute(pa_get_attr(op, "value"), out_value);
  if (pa_kind_or_other(names, op) != PA_OP_CAST || scalar == PA_BOOL ||
      !pa_integer_known(names, operand(op, 0), out_value))
    return false;
  return *out_value = wrap(*out_value, scalar), true;
}

enum { PA_MOST_STEPS = 16 }; // from an extent to the number that it is

MlirValue pa_item_of_tuple(const pa_names *names, MlirValue value) {
  for (int step = 0; step < PA_MOST_STEPS; ++step) {
    MlirOperation op = definition(value);
    MlirOperation tuple =
        pa_kind_or_other(names, op) == PA_OP_UNPACK ? definition(operand(op, 0)) : (MlirOperation){NULL};
    if (pa_kind_or_other(names, tuple) != PA_OP_TUPLE) break;
    value = operand(tuple, mlirOpResultGetResultNumber(value));
  }
  return value;
}

//===-- Sizes -------------------------------------------------------------------------------------===//

// 0 <= value < 2^bits, and not 0 if |positive|; or nothing is known, where |bits| is UNKNOWN.
typedef struct magnitude {
  int bits;
  bool positive;
} magnitude;

enum { UNKNOWN = 64, INDEX_BITS = 31, GRID_BITS = 42, MAX_DEPTH = 8 };

// Places in the block and the grid, and their extents.
static magnitude device_magnitude(MlirOperation builtin) {
  const pa_builtin *row = pa_builtin_find(mlirStringAttrGetValue(pa_get_attr(builtin, "name")));
  if (row && row->lowering == PA_LOWERING_DEVICE_INDEX)
    return (magnitude){INDEX_BITS, strstr(row->name, "Dim.") != NULL};
  if (row && row->lowering == PA_LOWERING_GRID) return (magnitude){GRID_BITS, strcmp(row->name, "cuda.gridsize") == 0};
  return (magnitude){UNKNOWN, false};
}

static magnitude magnitude_of(const pa_names *names, MlirValue value, int depth) {
  const magnitude unknown = {UNKNOWN, false};
  MlirOperation op = definition(value);
  int64_t number;
  if (mlirOperationIsNull(op) || depth > MAX_DEPTH) return unknown;
  if (pa_integer_known(names, value, &number)) {
    int bits = 0;
    while (bits < 63 && number >> bits) ++bits;
    return number < 0 ? unknown : (magnitude){bits, number > 0};
  }
  switch (pa_kind(names, op)) {
  case PA_OP_BUILTIN: return device_magnitude(op);
  case PA_OP_GETITEM:
  case PA_OP_UNPACK: { // of places in a grid
    MlirOperation object = definition(operand(op, 0));
    return pa_kind_or_other(names, object) == PA_OP_BUILTIN ? device_magnitude(object) : unknown;
  }
  case PA_OP_CAST: {
    magnitude from = magnitude_of(names, operand(op, 0), depth + 1);
    int room = 8 * pa_scalar_bytes(scalar_of(value)) - !pa_is_unsigned(scalar_of(value));
    return pa_is_integer(scalar_of(value)) && from.bits <= room ? from : unknown;
  }
  case PA_OP_BINARY: {
    pyarray_binary_kind kind = pyarrayBinaryKindAttrGetValue(pa_get_attr(op, "kind"));
    if (scalar_of(value) != PA_I64 || (kind != PYARRAY_BINARY_ADD && kind != PYARRAY_BINARY_MUL)) return unknown;
    magnitude a = magnitude_of(names, operand(op, 0), depth + 1), b = magnitude_of(names, operand(op, 1), depth + 1);
    if (a.bits == UNKNOWN || b.bits == UNKNOWN) return unknown;
    bool sum = kind == PYARRAY_BINARY_ADD;
    int bits = sum ? (a.bits > b.bits ? a.bits : b.bits) + 1 : a.bits + b.bits;
    return bits > 63 ? unknown : (magnitude){bits, sum ? a.positive || b.positive : a.positive && b.positive};
  }
  default: return unknown;
  }
}

bool pa_integer_positive(const pa_names *names, MlirValue value) { return magnitude_of(names, value, 0).positive; }

//===-- Signs -------------------------------------------------------------------------------------===//

// A search with a budget. A value in |path| is taken to be non-negative: the search is for the greatest fixpoint, so
// that a variable that a loop only increases is found.
enum { SIGN_PATH = 64, SIGN_VISITS = 256 };

typedef struct sign_search {
  const pa_names *names;
  bool may_wrap; // sums and products count as non-negative though they can wrap
  const void *path[SIGN_PATH];
  int length, visits;
} sign_search;

static bool non_negative(sign_search *search, MlirValue value);

static bool range_of_non_negative(sign_search *search, MlirValue range) {
  MlirOperation op = definition(range);
  return pa_kind_or_other(search->names, op) == PA_OP_BUILTIN && mlirOperationGetNumOperands(op) >= 3 &&
         pa_integer_positive(search->names, operand(op, 2)) && non_negative(search, operand(op, 0));
}

// Argument |i| of a loop's body: the item of a range, or a carried value.
static bool argument_non_negative(sign_search *search, MlirValue value) {
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  intptr_t i = mlirBlockArgumentGetArgNumber(value);
  MlirOperation parent = mlirBlockGetParentOperation(block);
  switch (pa_kind_or_other(search->names, parent)) {
  case PA_OP_FOR:
    if (i == 0)
      return pyarrayTypeIsRange(mlirValueGetType(operand(parent, 0))) &&
             range_of_non_negative(search, operand(parent, 0));
    return non_negative(search, operand(parent, i)) &&
           non_negative(search, operand(mlirBlockGetTerminator(block), i - 1));
  case PA_OP_SCF_WHILE: {
    MlirBlock before = pa_body(parent, 0), after = pa_body(parent, 1);
    if (!mlirBlockEqual(block, before)) return non_negative(search, operand(mlirBlockGetTerminator(before), i + 1));
    return non_negative(search, operand(parent, i)) && non_negative(search, operand(mlirBlockGetTerminator(after), i));
  }
  default: return false;
  }
}

static bool is_device_index(MlirOperation builtin) { return device_magnitude(builtin).bits != UNKNOWN; }

static bool result_non_negative(sign_search *search, MlirOperation op, intptr_t i) {
  switch (pa_kind(search->names, op)) {
  case PA_OP_FOR:
    return non_negative(search, operand(op, i + 1)) &&
           non_negative(search, operand(mlirBlockGetTerminator(pa_body(op, 0)), i));
  case PA_OP_SCF_WHILE: return non_negative(search, operand(mlirBlockGetTerminator(pa_body(op, 0)), i + 1));
  case PA_OP_SCF_IF:
    return non_negative(search, operand(mlirBlockGetTerminator(pa_body(op, 0)), i)) &&
           non_negative(search, operand(mlirBlockGetTerminator(pa_body(op, 1)), i));
  case PA_OP_UNBOUND:
  case PA_OP_ITER_LENGTH: return true;
  case PA_OP_ITER_ITEM: return range_of_non_negative(search, operand(op, 0));
  case PA_OP_GETITEM:
  case PA_OP_UNPACK: { // of a shape or of places in a grid
    MlirOperation object = definition(operand(op, 0));
    if (pa_kind_or_other(search->names, object) == PA_OP_BUILTIN) return is_device_index(object);
    return pa_kind_or_other(search->names, object) == PA_OP_GETATTR &&
           pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(object, "name")), "shape");
  }
  case PA_OP_GETATTR: return pyarrayTypeIsArray(mlirValueGetType(operand(op, 0)));
  case PA_OP_CAST: {
    pa_scalar from = scalar_of(operand(op, 0)), to = scalar_of(mlirOperationGetResult(op, 0));
    if (from == PA_BOOL) return true;
    if (!pa_is_integer(from) || pa_scalar_bytes(from) > pa_scalar_bytes(to)) return false;
    if (pa_is_unsigned(from)) return pa_scalar_bytes(from) < pa_scalar_bytes(to);
    return non_negative(search, operand(op, 0));
  }
  case PA_OP_BUILTIN: {
    MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(op, "name"));
    if (pa_ref_equal(name, "builtins.len") || is_device_index(op)) return true;
    bool least = pa_ref_equal(name, "builtins.min"), all = true, any = false;
    if (!least && !pa_ref_equal(name, "builtins.max")) return false;
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k) {
      bool known = non_negative(search, operand(op, k));
      all &= known;
      any |= known;
    }
    return least ? all : any;
  }
  case PA_OP_BINARY: {
    MlirValue lhs = operand(op, 0), rhs = operand(op, 1);
    switch (pyarrayBinaryKindAttrGetValue(pa_get_attr(op, "kind"))) {
    case PYARRAY_BINARY_ADD:
    case PYARRAY_BINARY_MUL:
      if (magnitude_of(search->names, mlirOperationGetResult(op, 0), 0).bits != UNKNOWN) return true;
      return search->may_wrap && non_negative(search, lhs) && non_negative(search, rhs);
    case PYARRAY_BINARY_FLOORDIV:
    case PYARRAY_BINARY_OR: return non_negative(search, lhs) && non_negative(search, rhs);
    case PYARRAY_BINARY_MOD: return non_negative(search, rhs);
    case PYARRAY_BINARY_AND: return non_negative(search, lhs) || non_negative(search, rhs);
    case PYARRAY_BINARY_RSHIFT: return non_negative(search, lhs);
    default: return false;
    }
  }
  default: return false;
  }
}

static bool non_negative(sign_search *search, MlirValue value) {
  int64_t known;
  if (!pa_is_integer(scalar_of(value))) return false;
  if (pa_is_unsigned(scalar_of(value))) return true;
  if (pa_integer_known(search->names, value, &known)) return known >= 0;
  for (int i = 0; i < search->length; ++i)
    if (search->path[i] == value.ptr) return true;
  int mark = search->length;
  if (mark == SIGN_PATH || ++search->visits > SIGN_VISITS) return false;
  search->path[search->length++] = value.ptr;
  bool answer = mlirValueIsABlockArgument(value)
                    ? argument_non_negative(search, value)
                    : result_non_negative(search, mlirOpResultGetOwner(value), mlirOpResultGetResultNumber(value));
  if (!answer) search->length = mark; // what relied on this value must be looked at again
  return answer;
}

bool pa_integer_not_negative(const pa_names *names, MlirValue value, bool may_wrap) {
  sign_search search = {.names = names, .may_wrap = may_wrap};
  return non_negative(&search, value);
}
