// Signs of whole numbers: which are known never to be negative, so that beside a uint64 they are one.
//
//   p = 5                    5 : si64, a literal             uint64 - p is a uint64
//   n = len(a)               si64, never negative            uint64 % n is a uint64
//   k = a[0]                 si64, the sign is unknown       uint64 + k is a float64, as in Numba
//
// |signs| of a fact is a bit for each number of its type, in order: those of a tuple one after the other, of a list
// those of an item, of a dict those of a key and a value. A set bit: never negative. Numbers beyond the 64th are
// unknown.
#include "typing.h"

// Items of which nothing is known yet may be.
static bool is_signed(MlirType type) {
  pa_scalar scalar = pa_scalar_of(type);
  return pyarrayTypeIsRange(type) || pyarrayTypeIsAny(type) || (pa_is_integer(scalar) && pa_is_signed(scalar));
}

static bool has_item(MlirType type) {
  return pyarrayTypeIsOptional(type) || pyarrayTypeIsList(type) || pyarrayTypeIsSet(type) ||
         pyarrayTypeIsGenerator(type) || pyarrayTypeIsTagged(type);
}

// Goes over the numbers of |type| from number |at| on; |*signed_ones| gets a bit for each that may be negative by its
// type.
static int walk_numbers(MlirType type, int at, uint64_t *signed_ones) {
  if (mlirTypeIsNull(type)) return at;
  if (mlirTypeIsATuple(type)) {
    for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
      at = walk_numbers(mlirTupleTypeGetType(type, i), at, signed_ones);
    return at;
  }
  if (pyarrayTypeIsDict(type))
    return walk_numbers(pyarrayDictTypeGetValue(type), walk_numbers(pyarrayTypeGetItem(type), at, signed_ones),
                        signed_ones);
  if (has_item(type))
    return walk_numbers(pyarrayTypeIsTagged(type) ? pyarrayTaggedTypeGetItem(type) : pyarrayTypeGetItem(type), at,
                        signed_ones);
  if (at < 64 && is_signed(type)) *signed_ones |= (uint64_t)1 << at;
  return at + 1;
}

static uint64_t signed_ones(MlirType type) {
  uint64_t ones = 0;
  walk_numbers(type, 0, &ones);
  return ones;
}

int pa_number_count(MlirType type) {
  uint64_t ignored = 0;
  return walk_numbers(type, 0, &ignored);
}

uint64_t pa_signs_moved(uint64_t signs, int by) {
  return by >= 64 || by <= -64 ? 0 : by >= 0 ? signs << by : signs >> -by;
}

static uint64_t signs_of_type(pa_fact fact) { return fact.signs | ~signed_ones(fact.type); }

uint64_t pa_signs_of(pa_fact fact) {
  int64_t value;
  bool literal = pa_literal_int(fact, &value) && value >= 0;
  return signs_of_type(fact) | (literal ? 1 : 0);
}

bool pa_is_natural(pa_fact fact) {
  pa_scalar scalar = pa_is_bottom(fact) ? PA_NOT_SCALAR : pa_scalar_of(fact.type);
  return (scalar == PA_BOOL || pa_is_integer(scalar)) && (pa_signs_of(fact) & 1);
}

pa_fact pa_with_signs(pa_fact fact, uint64_t signs) {
  if (!pa_is_bottom(fact)) fact.signs = signs & signed_ones(fact.type);
  return fact;
}

uint64_t pa_signs_of_element(MlirType tuple, uint64_t signs, intptr_t index) {
  int at = 0;
  for (intptr_t i = 0; i < index; ++i) at += pa_number_count(mlirTupleTypeGetType(tuple, i));
  return pa_signs_moved(signs, -at);
}

bool pa_are_mixed(pa_scalar a, pa_scalar b) {
  return (a == PA_U64 && pa_is_integer(b) && pa_is_signed(b)) || (b == PA_U64 && pa_is_integer(a) && pa_is_signed(a));
}

bool pa_is_sign_unknown(pa_fact a, pa_fact b) {
  return !pa_is_bottom(a) && !pa_is_bottom(b) && pa_are_mixed(pa_scalar_of(a.type), pa_scalar_of(b.type)) &&
         !(pa_is_natural(a) && pa_is_natural(b));
}

//===-- Joins -------------------------------------------------------------------------------------===//

typedef struct lifting {
  const pa_typing *typing;
  uint64_t signs; // of the type that is lifted
  int at;
  bool is_unknown; // an integer of unknown sign meets a uint64
} lifting;

static MlirType lift(lifting *l, MlirType type, MlirType beside);

static MlirType lift_tuple(lifting *l, MlirType type, MlirType beside) {
  intptr_t count = mlirTupleTypeGetNumTypes(type);
  MlirType *types = PA_NEW_ARRAY(l->typing->arena, MlirType, count + 1);
  for (intptr_t i = 0; i < count; ++i)
    types[i] = lift(l, mlirTupleTypeGetType(type, i), mlirTupleTypeGetType(beside, i));
  return mlirTupleTypeGet(l->typing->context, count, types);
}

// |type|, where it is joined with |beside|: numbers that are never negative, beside a uint64, are uint64.
static MlirType lift(lifting *l, MlirType type, MlirType beside) {
  bool optional = pyarrayTypeIsOptional(type), named = pa_is_tagged(type, "namedtuple");
  if (pyarrayTypeIsOptional(beside)) beside = pyarrayTypeGetItem(beside);
  if (named && pa_is_tagged(beside, "namedtuple")) beside = pyarrayTaggedTypeGetItem(beside);
  MlirType item = optional ? pyarrayTypeGetItem(type) : named ? pyarrayTaggedTypeGetItem(type) : type;
  if (optional) return pyarrayOptionalTypeGet(lift(l, item, beside));
  if (mlirTypeIsATuple(item) && mlirTypeIsATuple(beside) &&
      mlirTupleTypeGetNumTypes(item) == mlirTupleTypeGetNumTypes(beside)) {
    MlirType lifted = lift_tuple(l, item, beside);
    return named ? pyarrayTaggedTypeGet(pyarrayTaggedTypeGetKind(type), pyarrayTaggedTypeGetTag(type), lifted) : lifted;
  }
  bool natural = pa_signs_moved(l->signs, -l->at) & 1, meets = is_signed(type) && pa_scalar_of(beside) == PA_U64;
  l->at += pa_number_count(type);
  l->is_unknown = l->is_unknown || (meets && !natural);
  return meets && natural ? beside : type;
}

MlirType pa_join_signed(const pa_typing *typing, pa_fact a, pa_fact b, bool *out_unknown) {
  lifting first = {typing, pa_signs_of(a), 0, false}, second = {typing, pa_signs_of(b), 0, false};
  MlirType x = lift(&first, a.type, b.type), y = lift(&second, b.type, a.type);
  *out_unknown = first.is_unknown || second.is_unknown;
  return pa_join_types(typing, x, y);
}

uint64_t pa_join_signs(pa_fact a, pa_fact b) {
  if (pyarrayTypeIsNone(a.type)) return signs_of_type(b);
  if (pyarrayTypeIsNone(b.type)) return signs_of_type(a);
  return pa_number_count(a.type) == pa_number_count(b.type) ? signs_of_type(a) & signs_of_type(b) : 0;
}

//===-- Operators ---------------------------------------------------------------------------------===//

// Of numbers as Python has them: that a sum or product beyond 64 bits wraps does not count.
bool pa_gives_natural(pyarray_binary_kind kind, bool a, bool b) {
  switch (kind) {
  case PYARRAY_BINARY_ADD:
  case PYARRAY_BINARY_MUL:
  case PYARRAY_BINARY_FLOORDIV:
  case PYARRAY_BINARY_OR:
  case PYARRAY_BINARY_XOR: return a && b;
  case PYARRAY_BINARY_MOD: return b;
  case PYARRAY_BINARY_POW:
  case PYARRAY_BINARY_LSHIFT:
  case PYARRAY_BINARY_RSHIFT: return a;
  case PYARRAY_BINARY_AND: return a || b;
  default: return false;
  }
}

//===-- Of bits -----------------------------------------------------------------------------------===//

bool pa_is_of_bits(pa_fact fact) {
  return !pa_is_bottom(fact) && pa_scalar_of(fact.type) == PA_U64 && fact.site == PA_SITE_OF_BITS;
}

bool pa_join_bits(MlirContext context, pa_fact a, pa_fact b, pa_fact *out_fact) {
  pa_scalar x = pa_scalar_of(a.type), y = pa_scalar_of(b.type);
  bool whole = (x == PA_BOOL || pa_is_integer(x)) && (y == PA_BOOL || pa_is_integer(y));
  if (!whole || (!pa_is_of_bits(a) && !pa_is_of_bits(b))) return false;
  return *out_fact = (pa_fact){.type = pa_scalar_type(context, PA_U64), .site = PA_SITE_OF_BITS}, true;
}
