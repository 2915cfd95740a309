// Arguments of declared signatures: which declared types a call converts to, and the conversion of its slots.
//
// The ranking is Numba's: a conversion is a promotion (int32 to int64), safe (int64 to float64, C layout to any) or
// unsafe (float64 to int64), and the candidate with the fewest unsafe, then safe, then promoted arguments wins. Values
// are checked: one that the declared integer type cannot hold raises OverflowError.
#include "ext.h"
#include "record_code.h"

#include <math.h>
#include <string.h>

//===-- Ranking -----------------------------------------------------------------------------------===//

typedef enum conversion { EXACT, PROMOTE, SAFE, UNSAFE, IMPOSSIBLE } conversion;

static conversion int_to_float(char from, int float_size) {
  int bits = 8 * pa_dtype_size(from) + (pa_dtype_kind_of(from) == PA_DTYPE_UNSIGNED);
  if (float_size == 4) return bits <= 16 ? SAFE : UNSAFE;
  return bits <= 64 ? SAFE : UNSAFE;
}

static conversion float_to_float(int from_size, int to_size) {
  return from_size == to_size ? EXACT : from_size < to_size ? PROMOTE : UNSAFE;
}

static conversion int_to_int(char from, char to) {
  bool same_sign = pa_dtype_kind_of(from) == pa_dtype_kind_of(to);
  if (same_sign) return pa_dtype_size(from) < pa_dtype_size(to) ? PROMOTE : UNSAFE;
  return pa_dtype_kind_of(to) == PA_DTYPE_SIGNED && pa_dtype_size(from) < pa_dtype_size(to) ? SAFE : UNSAFE;
}

static conversion scalar_conversion(char from, char to) {
  if (from == to) return EXACT;
  pa_dtype_kind kind = pa_dtype_kind_of(from), target = pa_dtype_kind_of(to);
  int size = pa_dtype_size(from), target_size = pa_dtype_size(to);
  if (kind == PA_DTYPE_COMPLEX && target != PA_DTYPE_COMPLEX) return IMPOSSIBLE;
  if (target == PA_DTYPE_BOOL) return UNSAFE;
  if (kind == PA_DTYPE_BOOL) return SAFE;
  switch (target) {
  case PA_DTYPE_FLOAT:
    return kind == PA_DTYPE_FLOAT ? float_to_float(size, target_size) : int_to_float(from, target_size);
  case PA_DTYPE_COMPLEX: {
    if (kind == PA_DTYPE_COMPLEX) return float_to_float(size, target_size);
    conversion part =
        kind == PA_DTYPE_FLOAT ? float_to_float(size, target_size / 2) : int_to_float(from, target_size / 2);
    return part > SAFE ? part : SAFE;
  }
  default: return kind == PA_DTYPE_FLOAT ? UNSAFE : int_to_int(from, to);
  }
}

// As NumPy casts safely.
static conversion time_conversion(const pa_type *from, const pa_type *to) {
  if (from->dtype != to->dtype) return IMPOSSIBLE;
  if (pa_time_unit_equal(from->unit, to->unit)) return EXACT;
  return pa_time_unit_can_cast(from->unit, to->unit, to->dtype == 'm') ? SAFE : IMPOSSIBLE;
}

static conversion array_conversion(const pa_type *from, const pa_type *to) {
  if (from->rank != to->rank || from->dtype != to->dtype || from->random != to->random ||
      (from->readonly && !to->readonly))
    return IMPOSSIBLE;
  if (pa_dtype_is_time(from->dtype) && !pa_time_unit_equal(from->unit, to->unit)) return IMPOSSIBLE;
  if (from->layout == to->layout && from->readonly == to->readonly) return EXACT;
  return from->layout == to->layout || to->layout == 'A' ? SAFE : IMPOSSIBLE;
}

// Named tuples and members of enums are of one class; members that are integers count as these too.
static bool same_class(const char *from, const pa_type *source, const pa_type *target) {
  if (source->name && target->name) return strncmp(source->name, target->name, strcspn(source->name, "]") + 1) == 0;
  bool integer = source->name && source->kind == PA_TYPE_SCALAR && from[1] == '+';
  return !target->name && (!source->name || integer);
}

// None, or a value of the type within, becomes an optional.
static conversion type_conversion(const char **from, const char **to) {
  pa_type source, target;
  const char *source_end = pa_type_next(*from, &source), *target_end = pa_type_next(*to, &target);
  if (source_end && target_end && target.kind == PA_TYPE_OPTIONAL && source.kind != PA_TYPE_OPTIONAL) {
    *to = source.kind == PA_TYPE_NONE ? target_end : target.elements;
    conversion inner = source.kind == PA_TYPE_NONE ? PROMOTE : type_conversion(from, to);
    if (source.kind == PA_TYPE_NONE) *from = source_end;
    return inner > PROMOTE ? inner : PROMOTE;
  }
  if (source_end && target_end && pa_forward.becomes_function_value(*from, &source, *to, &target))
    return *from = source_end, *to = target_end, SAFE;
  if (!source_end || !target_end || source.kind != target.kind || !same_class(*from, &source, &target))
    return IMPOSSIBLE;
  conversion worst = EXACT;
  switch (source.kind) {
  case PA_TYPE_SCALAR: {
    bool times = pa_dtype_is_time(source.dtype) || pa_dtype_is_time(target.dtype);
    worst = times ? time_conversion(&source, &target) : scalar_conversion(source.dtype, target.dtype);
    if (worst == IMPOSSIBLE) return IMPOSSIBLE;
    break;
  }
  case PA_TYPE_ARRAY: worst = array_conversion(&source, &target); break;
  case PA_TYPE_RECORD:
  case PA_TYPE_RECORDS:
    worst = array_conversion(&source, &target);
    if (!pa_item_codes_fit(source.elements, (size_t)(source_end - source.elements), target.elements,
                           (size_t)(target_end - target.elements)))
      return IMPOSSIBLE;
    break;
  case PA_TYPE_NONE: break;
  case PA_TYPE_STR:
  case PA_TYPE_RANGE:
  case PA_TYPE_BYTES:
  case PA_TYPE_BYTEARRAY: break;
  case PA_TYPE_SLICE:
    if (strncmp(source.elements, target.elements, 3) != 0) return IMPOSSIBLE;
    break;
  case PA_TYPE_LIST:
  case PA_TYPE_SET:
  case PA_TYPE_DICT:
  case PA_TYPE_DEQUE:
  case PA_TYPE_FROZENSET:
  case PA_TYPE_GENERATOR:
  case PA_TYPE_INSTANCE:
  case PA_TYPE_FUNCTION:
  case PA_TYPE_DTYPE:
  case PA_TYPE_OPTIONAL: // items are not converted
    if (source_end - *from != target_end - *to || strncmp(*from, *to, (size_t)(source_end - *from)) != 0)
      return IMPOSSIBLE;
    break;
  case PA_TYPE_POINTER: return IMPOSSIBLE; // no Python value becomes one
  case PA_TYPE_TUPLE: {
    const char *a = source.elements, *b = target.elements;
    while (*a != ')' && *b != ')') {
      conversion element = type_conversion(&a, &b);
      if (element > worst) worst = element;
      if (element == IMPOSSIBLE) return IMPOSSIBLE;
    }
    if (*a != *b) return IMPOSSIBLE;
  }
  }
  *from = source_end;
  *to = target_end;
  return worst;
}

int64_t pa_conversion_distance(const char *from, size_t length, const char *to) {
  const char *end = from + length;
  int64_t counts[UNSAFE + 1] = {0};
  while (from < end && *to != '>') {
    if (*from == PA_TYPE_OMITTED && *to == PA_TYPE_OMITTED) {
      ++from, ++to;
      continue;
    }
    conversion one = type_conversion(&from, &to);
    if (one == IMPOSSIBLE) return -1;
    ++counts[one];
  }
  if (from != end || *to != '>') return -1;
  return (counts[UNSAFE] << 40) + (counts[SAFE] << 20) + counts[PROMOTE];
}

//===-- Conversion of values ----------------------------------------------------------------------===//

// A real number of any scalar type; |is_float| says which member holds it.
typedef struct real_number {
  bool is_float;
  bool is_unsigned;
  union {
    double as_float;
    int64_t as_int;
  };
} real_number;

static real_number read_real(char dtype, const uint64_t *slot) {
  uint64_t bits = *slot;
  _Float16 half;
  float single;
  double value;
  switch (dtype) {
  case '?': return (real_number){.as_int = (uint8_t)bits != 0};
  case 'b': return (real_number){.as_int = (int8_t)bits};
  case 'h': return (real_number){.as_int = (int16_t)bits};
  case 'i': return (real_number){.as_int = (int32_t)bits};
  case 'q': return (real_number){.as_int = (int64_t)bits};
  case 'B': return (real_number){.as_int = (uint8_t)bits};
  case 'H': return (real_number){.as_int = (uint16_t)bits};
  case 'I': return (real_number){.as_int = (uint32_t)bits};
  case 'Q': return (real_number){.is_unsigned = true, .as_int = (int64_t)bits};
  case 'e': memcpy(&half, slot, sizeof half); return (real_number){.is_float = true, .as_float = (double)half};
  case 'g': return (real_number){.is_float = true, .as_float = pa_bfloat16_value((uint16_t)bits)};
  case 'f': memcpy(&single, slot, sizeof single); return (real_number){.is_float = true, .as_float = single};
  default: memcpy(&value, slot, sizeof value); return (real_number){.is_float = true, .as_float = value};
  }
}

static double real_as_double(real_number number) {
  if (number.is_float) return number.as_float;
  return number.is_unsigned ? (double)(uint64_t)number.as_int : (double)number.as_int;
}

static bool does_not_fit(char dtype) {
  PyErr_Format(PyExc_OverflowError, "argument value does not fit into the declared type %s", pa_dtype_name(dtype));
  return false;
}

// Truncates as int(x) does.
static bool float_to_integer(double value, char dtype, real_number *out_number) {
  if (isnan(value)) {
    PyErr_SetString(PyExc_ValueError, "cannot convert float NaN to integer");
    return false;
  }
  double whole = trunc(value);
  bool to_unsigned = pa_dtype_kind_of(dtype) == PA_DTYPE_UNSIGNED;
  if (to_unsigned ? !(whole >= 0 && whole < 0x1p64) : !(whole >= -0x1p63 && whole < 0x1p63)) return does_not_fit(dtype);
  *out_number = to_unsigned ? (real_number){.is_unsigned = true, .as_int = (int64_t)(uint64_t)whole}
                            : (real_number){.as_int = (int64_t)whole};
  return true;
}

static bool write_integer(real_number number, char dtype, uint64_t *out_slot) {
  if (number.is_float && !float_to_integer(number.as_float, dtype, &number)) return false;
  int bits = 8 * pa_dtype_size(dtype);
  bool is_negative = !number.is_unsigned && number.as_int < 0;
  uint64_t value = (uint64_t)number.as_int;
  if (pa_dtype_kind_of(dtype) == PA_DTYPE_UNSIGNED) {
    if (is_negative || (bits < 64 && value >> bits)) return does_not_fit(dtype);
  } else {
    uint64_t magnitude = is_negative ? ~value : value;
    if (magnitude >> (bits - 1)) return does_not_fit(dtype);
  }
  *out_slot = value;
  return true;
}

static void write_float(double value, char dtype, uint64_t *out_slot) {
  *out_slot = 0;
  _Float16 half = (_Float16)value;
  float single = (float)value;
  if (dtype == 'e')
    memcpy(out_slot, &half, sizeof half);
  else if (dtype == 'g')
    *out_slot = pa_bfloat16_bits(value);
  else if (dtype == 'f')
    memcpy(out_slot, &single, sizeof single);
  else
    memcpy(out_slot, &value, sizeof value);
}

static void write_complex(double real, double imaginary, char dtype, uint64_t *out_slots) {
  float singles[2] = {(float)real, (float)imaginary};
  double doubles[2] = {real, imaginary};
  if (dtype == 'F')
    memcpy(out_slots, singles, sizeof singles);
  else
    memcpy(out_slots, doubles, sizeof doubles);
}

static void read_complex(char dtype, const uint64_t *slots, double out_parts[2]) {
  float singles[2];
  if (dtype == 'F') {
    memcpy(singles, slots, sizeof singles);
    out_parts[0] = singles[0];
    out_parts[1] = singles[1];
  } else if (dtype == 'D') {
    memcpy(out_parts, slots, 2 * sizeof(double));
  } else {
    out_parts[0] = real_as_double(read_real(dtype, slots));
    out_parts[1] = 0;
  }
}

static bool convert_scalar(char from, const uint64_t *slots, char to, uint64_t *out_slots) {
  double parts[2];
  switch (pa_dtype_kind_of(to)) {
  case PA_DTYPE_BOOL: *out_slots = real_as_double(read_real(from, slots)) != 0; return true;
  case PA_DTYPE_FLOAT: write_float(real_as_double(read_real(from, slots)), to, out_slots); return true;
  case PA_DTYPE_COMPLEX:
    read_complex(from, slots, parts);
    write_complex(parts[0], parts[1], to, out_slots);
    return true;
  default: return write_integer(read_real(from, slots), to, out_slots);
  }
}

// Both codes have the same structure, but for optionals: pa_conversion_distance said so. Tuples are flat in slots, so
// brackets are skipped.
bool pa_convert_slots(const char *from, const uint64_t *slots, const char *to, uint64_t *out_slots) {
  pa_type given, wanted;
  while (*from != '>') {
    if (*to == 'O' && *from != 'O') { // one slot says whether there is a value, which follows
      const char *given_end = pa_type_next(from, &given), *wanted_end = pa_type_next(to, &wanted);
      size_t value_slots = (size_t)pa_type_slots(to) - 1;
      bool some = given.kind != PA_TYPE_NONE;
      *out_slots++ = some;
      to = some ? wanted.elements : wanted_end;
      if (some) continue;
      memset(out_slots, 0, value_slots * sizeof *out_slots);
      slots += pa_type_slots(from);
      out_slots += value_slots;
      from = given_end;
      continue;
    }
    if (to[0] == '*' && to[1] == ':') {
      if (!pa_forward.put_function_value(from, slots, to, out_slots++)) return false;
      slots += pa_type_slots(from);
      from = pa_type_next(from, NULL);
      to = pa_type_next(to, NULL);
      continue;
    }
    if (*from == PA_TYPE_OMITTED) *out_slots++ = *slots++;
    if (*from == '(' || *from == ')' || *from == PA_TYPE_OMITTED) {
      ++from, ++to;
      continue;
    }
    if (*from == 'N' || *from == 'k') {
      from += strcspn(from, "("), to += strcspn(to, "("); // names have none
      continue;
    }
    pa_type source, target;
    size_t count = (size_t)pa_type_slots(from);
    from = pa_type_next(from, &source);
    to = pa_type_next(to, &target);
    if (source.kind != PA_TYPE_SCALAR) {
      memcpy(out_slots, slots, count * sizeof *slots);
      slots += count;
      out_slots += count;
    } else if (source.kind == PA_TYPE_SCALAR && pa_dtype_is_time(source.dtype)) {
      int64_t count = (int64_t)*slots++;
      if (!pa_time_convert(&count, source.dtype, source.unit, target.unit)) return does_not_fit(target.dtype);
      *out_slots++ = (uint64_t)count;
    } else if (source.kind == PA_TYPE_SCALAR) {
      if (!convert_scalar(source.dtype, slots, target.dtype, out_slots)) return false;
      slots += pa_dtype_slots(source.dtype);
      out_slots += pa_dtype_slots(target.dtype);
    }
  }
  return true;
}
