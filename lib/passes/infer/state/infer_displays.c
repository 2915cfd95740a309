// Displays of lists that are arguments and nothing else: what reads them alone may take tuples of their items, for
// which no list is made. So it is with lists and dicts whose items differ in type, and are read at constants.
//
//   np.array([[x, y], [z, 1]])      the argument is ((x, y), (z, 1))
//   np.array(["a", "bc"])           so it is, and the dtype is U2: that of the longest text
//   np.vstack([a, row])             the display itself is a tuple, since its items are no numbers, and differ in type
//   d = {"a": 1, "b": "x"}          d is the tuple (1, "x"), tagged with its keys; d["b"] its second element, also in
//                                   a function that it is passed to
#include <string.h>

#include "infer_internal.h"
#include "support/record_code.h"

enum { PA_MOST_DISPLAYED = 256 };

// Arguments that are only read: a display of a list is a tuple there, whose items may differ in type.
static const struct {
  const char *name;
  int first, count;
  bool always; // also where the items have one type, of which a list would be made
} readers[] = {{"array.choose", 0, 1, true},
               {"array.reshape", 0, 1, true},
               {"array.transpose", 0, 1, true},
               {"numpy.array", 0, 1, true},
               {"numpy.asarray", 0, 1, true},
               {"numpy.block", 0, 1, true},
               {"numpy.broadcast_to", 1, 1, true},
               {"numpy.choose", 1, 1, true},
               {"numpy.column_stack", 0, 1, false},
               {"numpy.concatenate", 0, 1, false},
               {"numpy.dstack", 0, 1, false},
               {"numpy.empty", 0, 1, true},
               {"numpy.full", 0, 1, true},
               {"numpy.histogram2d", 2, 2, true},
               {"numpy.histogramdd", 0, 3, true},
               {"numpy.hstack", 0, 1, false},
               {"numpy.linalg.multi_dot", 0, 1, true},
               {"numpy.nditer", 0, 1, true},
               {"numpy.ones", 0, 1, true},
               {"numpy.piecewise", 1, 2, true},
               {"numpy.reshape", 1, 1, true},
               {"numpy.row_stack", 0, 1, false},
               {"numpy.select", 0, 2, true},
               {"numpy.stack", 0, 1, false},
               {"numpy.tensordot", 2, 1, true},
               {"numpy.tile", 1, 1, true},
               {"numpy.transpose", 1, 1, true},
               {"numpy.vstack", 0, 1, false},
               {"numpy.zeros", 0, 1, true}};

static bool reads(MlirStringRef function, intptr_t argument, bool differ) {
  for (size_t i = 0; i < sizeof readers / sizeof *readers; ++i)
    if (pa_ref_equal(function, readers[i].name))
      return argument >= readers[i].first && argument < readers[i].first + readers[i].count &&
             (differ || readers[i].always);
  return false;
}

bool pa_reads_display(MlirStringRef function, intptr_t argument) { return reads(function, argument, false); }

static bool is_used_once(MlirValue value) {
  MlirOpOperand first = mlirValueGetFirstUse(value);
  return !mlirOpOperandIsNull(first) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(first));
}

// The display that makes |value|, a list or tuple that nothing else sees; null for all else.
static MlirOperation display_of(pa_inference *inference, MlirValue value) {
  MlirOperation none = {NULL};
  if (!mlirValueIsAOpResult(value)) return none;
  MlirOperation op = mlirOpResultGetOwner(value);
  pa_op_kind kind = pa_kind(&inference->names, op);
  bool fits = (kind == PA_OP_TUPLE || kind == PA_OP_LIST) && is_used_once(value);
  return fits && mlirOperationGetNumOperands(op) > 0 && mlirOperationGetNumOperands(op) <= PA_MOST_DISPLAYED ? op
                                                                                                             : none;
}

static bool has_list(pa_inference *inference, MlirValue value) {
  MlirOperation op = display_of(inference, value);
  if (mlirOperationIsNull(op)) return false;
  bool has = pa_kind(&inference->names, op) == PA_OP_LIST;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !has; ++i)
    has = has_list(inference, mlirOperationGetOperand(op, i));
  return has;
}

MlirValue pa_make_displayed(pa_inference *inference, pa_instance *instance, MlirOperation at, MlirValue value) {
  MlirOperation op = display_of(inference, value);
  if (!has_list(inference, value)) return value;
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue *parts = PA_NEW_ARRAY(inference->arena, MlirValue, count);
  for (intptr_t i = 0; i < count; ++i) {
    parts[i] = pa_make_displayed(inference, instance, at, mlirOperationGetOperand(op, i));
    if (pa_is_bottom(pa_fact_get(inference, instance, parts[i]))) return value;
  }
  return pa_make_read_tuple(inference, instance, at, parts, (int)count);
}

// Of the display |op|, some item is no number, and some have other types than the first.
static bool has_unlike_items(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  bool numbers = true, alike = true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = pa_erased_type(pa_fact_get(inference, instance, mlirOperationGetOperand(op, i)).type);
    MlirType first = pa_erased_type(pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)).type);
    numbers = numbers && pa_scalar_of(type) != PA_NOT_SCALAR;
    alike = alike && mlirTypeEqual(type, first);
  }
  return !numbers && !alike;
}

// A number that the source writes as an index, or a key.
static bool is_constant(pa_inference *inference, MlirValue value) {
  MlirOperation op = mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
  if (mlirOperationIsNull(op)) return false;
  pa_op_kind kind = pa_kind(&inference->names, op);
  return kind == PA_OP_CONSTANT || (kind == PA_OP_UNARY && is_constant(inference, mlirOperationGetOperand(op, 0)));
}

// The name of what |user| calls, which may not have been walked yet; null where it is no callable that the source
// names.
static MlirAttribute called_name(pa_inference *inference, MlirOperation user) {
  MlirOperation callee = pa_maker_of(mlirOperationGetOperand(user, 0));
  bool named = !mlirOperationIsNull(callee) && pa_kind(&inference->names, callee) == PA_OP_CALLABLE;
  return named ? pa_get_attr(callee, "name") : mlirAttributeGetNull();
}

static bool calls(pa_inference *inference, MlirOperation user, const char *builtin) {
  MlirAttribute name = called_name(inference, user);
  return !mlirAttributeIsNull(name) && mlirAttributeIsAString(name) &&
         pa_ref_equal(mlirStringAttrGetValue(name), builtin);
}

// Whether |user| asks operand |place| for its length, or for a value.
static bool only_asks(pa_inference *inference, MlirOperation user, intptr_t place) {
  pa_op_kind kind = pa_kind(&inference->names, user);
  if (kind == PA_OP_APPLY) return place == 1 && calls(inference, user, "builtins.len");
  if (kind != PA_OP_COMPARE || place != 1) return false;
  int compare = (int)pyarrayCompareKindAttrGetValue(pa_get_attr(user, "kind"));
  return compare == PYARRAY_COMPARE_IN || compare == PYARRAY_COMPARE_NOTIN;
}

// What a list of several types may be used for beside subscripts: it is unpacked or gone over, too.
static bool only_reads(pa_inference *inference, MlirOperation user, intptr_t place) {
  pa_op_kind kind = pa_kind(&inference->names, user);
  if (kind == PA_OP_APPLY && place == 1 && calls(inference, user, "pyarray.literal_unroll")) return true;
  return kind == PA_OP_UNPACK || kind == PA_OP_FOR ? place == 0 : only_asks(inference, user, place);
}

// It is an argument of a compiled function, too.
static bool only_passes(pa_inference *inference, MlirOperation user, intptr_t place) {
  if (pa_kind(&inference->names, user) != PA_OP_APPLY || place == 0 || only_asks(inference, user, place))
    return only_asks(inference, user, place);
  MlirAttribute name = called_name(inference, user);
  return mlirAttributeIsNull(name) || !mlirAttributeIsAString(name); // of a builtin or class
}

static bool only_reads_or_passes(pa_inference *inference, MlirOperation user, intptr_t place) {
  return only_reads(inference, user, place) || only_passes(inference, user, place);
}

typedef bool (*display_use)(pa_inference *inference, MlirOperation user, intptr_t place);

// Whether its items are read at places that are constants, or it is used as |may_be|, if there is that, says.
static bool is_read_at_constants(pa_inference *inference, MlirOperation op, display_use may_be) {
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    pa_op_kind kind = pa_kind(&inference->names, user);
    bool subscript = kind == PA_OP_GETITEM && mlirOperationGetNumOperands(user) == 2 &&
                     is_constant(inference, mlirOperationGetOperand(user, 1));
    intptr_t place = mlirOpOperandGetOperandNumber(use);
    if (!(subscript && place == 0) && !(may_be && may_be(inference, user, place))) return false;
  }
  return true;
}

// Whether some types are another than the first, not all of numbers.
static bool has_unlike_values(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  bool numbers = true, alike = true;
  MlirType first = pa_erased_type(pa_fact_get(inference, instance, mlirOperationGetOperand(op, 1)).type);
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(op); i += 2) {
    MlirType type = pa_erased_type(pa_fact_get(inference, instance, mlirOperationGetOperand(op, i)).type);
    numbers = numbers && pa_scalar_of(type) != PA_NOT_SCALAR;
    alike = alike && mlirTypeEqual(type, first);
  }
  return !numbers && !alike;
}

// Whether some of the operands |at|, |at| + |step|, ... can have no type in common with the first.
static bool has_types_apart(pa_inference *inference, pa_instance *instance, MlirOperation op, intptr_t at,
                            intptr_t step) {
  pa_typing typing = pa_typing_at(inference, op);
  pa_fact first = pa_fact_get(inference, instance, mlirOperationGetOperand(op, at));
  bool apart = false;
  for (intptr_t i = at + step; i < mlirOperationGetNumOperands(op) && !apart; i += step) {
    pa_fact value = pa_fact_get(inference, instance, mlirOperationGetOperand(op, i)), joined = {0};
    pa_status failure = pa_join_facts(&typing, first, value, &joined);
    apart = failure || pa_is_bottom(joined);
    pa_status_free(failure);
  }
  return apart;
}

MlirAttribute pa_keys_of_display(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  MlirAttribute none = {NULL};
  intptr_t count = mlirOperationGetNumOperands(op) / 2;
  if (count == 0 || count > PA_MOST_DISPLAYED || !has_unlike_values(inference, instance, op)) return none;
  if (!is_read_at_constants(inference, op, NULL) &&
      !(is_read_at_constants(inference, op, only_passes) && has_types_apart(inference, instance, op, 1, 2)))
    return none;
  MlirAttribute *keys = PA_NEW_ARRAY(inference->arena, MlirAttribute, count);
  for (intptr_t i = 0; i < count; ++i) {
    keys[i] = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 2 * i)).literal;
    for (intptr_t k = 0; k < i && !mlirAttributeIsNull(keys[i]); ++k)
      if (mlirAttributeEqual(keys[i], keys[k])) return none;
    if (mlirAttributeIsNull(keys[i])) return none;
  }
  return mlirArrayAttrGet(inference->context, count, keys);
}

// Adds to |text| that of the leaves of a display: the letter of its code, and the characters of the longest. False
// where some are no text, or none that is known.
static bool measure(pa_inference *inference, pa_instance *instance, MlirValue value, char *letter, size_t *longest) {
  MlirOperation op = display_of(inference, value);
  if (!mlirOperationIsNull(op)) {
    bool known = true;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && known; ++i)
      known = measure(inference, instance, mlirOperationGetOperand(op, i), letter, longest);
    return known;
  }
  pa_fact fact = pa_fact_get(inference, instance, value);
  bool bytes = !pa_is_bottom(fact) && pyarrayTypeIsBytes(fact.type);
  if (pa_is_bottom(fact) || (!bytes && !pyarrayTypeIsStr(fact.type)) || mlirAttributeIsNull(fact.literal) ||
      !mlirAttributeIsAString(fact.literal) || *letter == (bytes ? 'Z' : 'z'))
    return false;
  MlirStringRef text = mlirStringAttrGetValue(fact.literal);
  size_t length = 0;
  for (size_t i = 0; i < text.length; ++i) length += bytes || (text.data[i] & 0xc0) != 0x80; // UTF-8
  *letter = bytes ? 'z' : 'Z';
  if (length > *longest) *longest = length;
  return true;
}

MlirAttribute pa_text_dtype_of_display(pa_inference *inference, pa_instance *instance, MlirValue value) {
  char letter = '\0';
  size_t longest = 1; // as NumPy has it of ""
  if (!measure(inference, instance, value, &letter, &longest) || longest > PA_RECORD_MAX_SIZE / 4)
    return mlirAttributeGetNull();
  const char *name = pa_arena_format(inference->arena, "dtype:%c%zu", letter, longest);
  return mlirTypeAttrGet(pyarrayCallableTypeGet(pa_string_attr(inference->context, name)));
}

bool pa_is_read_as_tuple(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  if (count > 0 && count <= PA_MOST_DISPLAYED && has_unlike_items(inference, instance, op) &&
      (is_read_at_constants(inference, op, only_reads) ||
       (is_read_at_constants(inference, op, only_reads_or_passes) && has_types_apart(inference, instance, op, 0, 1))))
    return true;
  if (mlirOperationIsNull(display_of(inference, mlirOperationGetResult(op, 0)))) return false;
  if (!has_unlike_items(inference, instance, op)) return false;
  MlirOperation user = op;
  intptr_t place = 0;
  do {
    MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(user, 0));
    if (mlirOpOperandIsNull(use) || !is_used_once(mlirOperationGetResult(user, 0))) return false;
    place = mlirOpOperandGetOperandNumber(use);
    user = mlirOpOperandGetOwner(use);
  } while (pa_kind(&inference->names, user) == PA_OP_LIST || pa_kind(&inference->names, user) == PA_OP_TUPLE);
  return place > 0 && reads(pa_called_builtin(inference, instance, user), place - 1, true);
}
