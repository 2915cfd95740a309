// Which type has room for the values of two: promotion of numbers, of tuples, arrays and optional values; what can be
// cast.
#include "typing.h"

#include <math.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"

// Bits of mantissa that hold every value of the type exactly decide between float16 or bfloat16, float32 and float64.
static bool fits_float16(pa_scalar s) { return s == PA_BOOL || s == PA_I8 || s == PA_U8 || s == PA_F16; }

static bool fits_bfloat16(pa_scalar s) { return s == PA_BOOL || s == PA_I8 || s == PA_U8 || s == PA_BF16; }

static bool fits_float32(pa_scalar s) {
  return fits_float16(s) || s == PA_BF16 || s == PA_I16 || s == PA_U16 || s == PA_F32 || s == PA_C64;
}

static pa_scalar promote_integers(pa_scalar a, pa_scalar b) {
  if (pa_is_signed(a) == pa_is_signed(b)) return pa_scalar_bytes(a) >= pa_scalar_bytes(b) ? a : b;
  pa_scalar with_sign = pa_is_signed(a) ? a : b, without = pa_is_signed(a) ? b : a;
  if (pa_scalar_bytes(with_sign) > pa_scalar_bytes(without)) return with_sign;
  switch (without) {
  case PA_U8: return PA_I16;
  case PA_U16: return PA_I32;
  case PA_U32: return PA_I64;
  default: return PA_F64;
  }
}

pa_scalar pa_promote(pa_scalar a, pa_scalar b) {
  if (a == b) return a;
  if (a == PA_BOOL) return b;
  if (b == PA_BOOL) return a;
  if (pa_is_integer(a) && pa_is_integer(b)) return promote_integers(a, b);
  bool single = fits_float32(a) && fits_float32(b);
  if (pa_is_complex(a) || pa_is_complex(b)) return single ? PA_C64 : PA_C128;
  if (fits_bfloat16(a) && fits_bfloat16(b)) return PA_BF16;
  return fits_float16(a) && fits_float16(b) ? PA_F16 : single ? PA_F32 : PA_F64;
}

static MlirType join_tuples(const pa_typing *typing, MlirType a, MlirType b) {
  intptr_t count = mlirTupleTypeGetNumTypes(a);
  if (count != mlirTupleTypeGetNumTypes(b)) return (MlirType){NULL};
  MlirType *types = PA_NEW_ARRAY(typing->arena, MlirType, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    types[i] = pa_join_types(typing, mlirTupleTypeGetType(a, i), mlirTupleTypeGetType(b, i));
    if (mlirTypeIsNull(types[i])) return types[i];
  }
  return mlirTupleTypeGet(typing->context, count, types);
}

static MlirType join_named_tuples(const pa_typing *typing, MlirType a, MlirType b) {
  if (!mlirAttributeEqual(pyarrayTaggedTypeGetTag(a), pyarrayTaggedTypeGetTag(b))) return (MlirType){NULL};
  MlirType tuple = join_tuples(typing, pyarrayTaggedTypeGetItem(a), pyarrayTaggedTypeGetItem(b));
  return mlirTypeIsNull(tuple) ? tuple
                               : pyarrayTaggedTypeGet(pyarrayTaggedTypeGetKind(a), pyarrayTaggedTypeGetTag(a), tuple);
}

static MlirType join_arrays(const pa_typing *typing, MlirType a, MlirType b) {
  intptr_t rank = pyarrayArrayTypeGetRank(a);
  MlirType element = pyarrayArrayTypeGetElement(a);
  if (rank != pyarrayArrayTypeGetRank(b) || !mlirTypeEqual(element, pyarrayArrayTypeGetElement(b)))
    return (MlirType){NULL};
  pyarray_layout layout = pyarrayArrayTypeGetLayout(a);
  if (layout != pyarrayArrayTypeGetLayout(b)) layout = PYARRAY_LAYOUT_A;
  bool readonly = pyarrayArrayTypeIsReadonly(a) || pyarrayArrayTypeIsReadonly(b);
  return pa_array_type(typing->context, rank, element, layout, readonly);
}

// Values that a variable may hold beside None.
static bool has_optional(MlirType item) {
  if (pa_is_memoryview(item)) return false; // its operations are chosen by its type, before one is taken out
  item = pa_erased_type(item);
  return pa_scalar_of(item) != PA_NOT_SCALAR || pa_is_time(item) || mlirTypeIsATuple(item) || pa_is_managed(item) ||
         pa_is_record(item) || pa_is_records(item);
}

// None, or an optional value, and a value.
static MlirType join_optional(const pa_typing *typing, MlirType a, MlirType b) {
  bool a_optional = pyarrayTypeIsOptional(a), b_optional = pyarrayTypeIsOptional(b);
  MlirType x = a_optional ? pyarrayTypeGetItem(a) : a, y = b_optional ? pyarrayTypeGetItem(b) : b;
  if (pyarrayTypeIsNone(x) || pyarrayTypeIsNone(y)) {
    MlirType item = pa_item_of_functions(typing, pyarrayTypeIsNone(x) ? y : x);
    return has_optional(item) ? pyarrayOptionalTypeGet(item) : (MlirType){NULL};
  }
  MlirType item = a_optional || b_optional ? pa_join_types(typing, x, y) : (MlirType){NULL};
  return mlirTypeIsNull(item) ? item : pyarrayOptionalTypeGet(item);
}

MlirType pa_join_types(const pa_typing *typing, MlirType a, MlirType b) {
  if (mlirTypeIsNull(a)) return b;
  if (mlirTypeIsNull(b) || mlirTypeEqual(a, b)) return a;
  pa_scalar x = pa_scalar_of(a), y = pa_scalar_of(b);
  if (x != PA_NOT_SCALAR && y != PA_NOT_SCALAR) return pa_scalar_type(typing->context, pa_promote(x, y));
  if (pa_is_time(a) && pa_is_time(b)) return pa_join_times(typing, a, b);
  if (pyarrayTypeIsNone(a) || pyarrayTypeIsNone(b) || pyarrayTypeIsOptional(a) || pyarrayTypeIsOptional(b))
    return join_optional(typing, a, b);
  if (pa_is_tagged(a, "namedtuple") && pa_is_tagged(b, "namedtuple")) return join_named_tuples(typing, a, b);
  MlirType plain_a = pa_plain_type(a), plain_b = pa_plain_type(b);
  if (pa_is_named(a) != pa_is_named(b))
    return plain_a.ptr == a.ptr && plain_b.ptr == b.ptr ? (MlirType){NULL} : pa_join_types(typing, plain_a, plain_b);
  if (mlirTypeIsATuple(a) && mlirTypeIsATuple(b)) return join_tuples(typing, a, b);
  if (pyarrayTypeIsArray(a) && pyarrayTypeIsArray(b)) return join_arrays(typing, a, b);
  if ((pa_is_record(a) || pa_is_records(a)) && (pa_is_record(b) || pa_is_records(b))) return pa_join_records(a, b);
  if (pa_is_memoryview(a) && pa_is_memoryview(b) && pa_memoryview_format(a) == pa_memoryview_format(b)) {
    MlirType array = join_arrays(typing, pyarrayTaggedTypeGetItem(a), pyarrayTaggedTypeGetItem(b));
    return mlirTypeIsNull(array) ? array : pa_memoryview_type(typing->context, pa_memoryview_format(a), array);
  }
  return pa_container_of(a) != PA_NO_CONTAINER ? pa_join_containers(typing, a, b) : pa_join_functions(typing, a, b);
}

static bool are_castable(const pa_typing *typing, MlirType from, MlirType to) {
  bool castable = mlirTypeIsATuple(to) && mlirTupleTypeGetNumTypes(from) == mlirTupleTypeGetNumTypes(to);
  for (intptr_t i = 0; castable && i < mlirTupleTypeGetNumTypes(from); ++i)
    castable = pa_is_castable(typing, mlirTupleTypeGetType(from, i), mlirTupleTypeGetType(to, i));
  return castable;
}

bool pa_is_castable(const pa_typing *typing, MlirType from, MlirType to) {
  if (mlirTypeEqual(from, to)) return true;
  pa_scalar x = pa_scalar_of(from), y = pa_scalar_of(to);
  if (x != PA_NOT_SCALAR && y != PA_NOT_SCALAR && (!pa_is_complex(x) || pa_is_complex(y))) return true;
  bool times = pa_is_time(from) || pa_is_time(to);
  if (times && pa_is_time_castable(from, to)) return true;
  if (!times && x == PA_NOT_SCALAR && mlirTypeEqual(pa_join_types(typing, from, to), to)) return true;
  if (mlirTypeIsATuple(from) && are_castable(typing, from, to)) return true;
  return pyarrayTypeIsOptional(to) && !pyarrayTypeIsOptional(from) &&
         pa_is_castable(typing, from, pyarrayTypeGetItem(to));
}

pa_status pa_check_castable(const pa_typing *typing, MlirType from, MlirType to, const char *what) {
  if (pa_is_castable(typing, from, to)) return PA_OK;
  return pa_typing_fail(typing, PA_CODE_TYPING, "%s: cannot convert %s to %s", what, pa_text_of_type(typing, from),
                        pa_text_of_type(typing, to));
}
