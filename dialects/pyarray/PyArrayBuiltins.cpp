// Calls of builtins: the rows of lib/ir/builtins.def, and whether operands and result are what a row takes and gives.
#include "PyArrayBuiltins.h"

#include "PyArray.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace pyarray;

const BuiltinRow *pyarray::findBuiltin(StringRef name) {
  static const llvm::StringMap<BuiltinRow> rows = {
#define PA_BUILTIN(name, parameters, typing, lowering, target, errors)                                                 \
  {name, {parameters, PA_TYPING_##typing, PA_LOWERING_##lowering, target, StringRef(#errors) != "NONE"}},
#include "builtins.def"
#undef PA_BUILTIN
  };
  auto found = rows.find(name);
  return found == rows.end() ? nullptr : &found->second;
}

bool pyarray::isExceptionClass(StringRef name) {
  static const llvm::StringSet<> names = {
#define PA_EXCEPTION(name, base) #name, #base,
#include "exceptions.def"
#undef PA_EXCEPTION
  };
  return name.contains(':') || names.contains(name);
}

//===----------------------------------------------------------------------===//
// Forms of operands and results
//===----------------------------------------------------------------------===//

namespace {

// What the operands and result of a rule are: 's' a number, 'a' an array, 'v' a number or 1-D array (the operands after
// it too), 'p' a pointer, 'r' a range, 'l' a slice, 't' a tuple, 'n' none, '?' anything. The other operands are
// numbers, save behind 'v' and '?'.
struct Form {
  size_t least, most;
  char first, result;
};

} // namespace

static constexpr size_t many = 1 << 14; // operands, as many as there are

static const Form *findForm(pa_builtin_lowering rule) {
  static const llvm::DenseMap<unsigned, Form> forms = {
      {PA_LOWERING_AT_LEAST, {2, 2, '?', 'n'}}, // how many operands, the first of them, the result
      {PA_LOWERING_ATOMIC, {2, 34, 'a', 's'}},
      {PA_LOWERING_ATOMIC_CAS, {3, 35, 'a', 's'}},
      {PA_LOWERING_BARRIER, {0, 0, '?', 'n'}},
      {PA_LOWERING_BYTES_OF_ARRAY, {1, 1, 'a', '?'}},
      {PA_LOWERING_CACHE_LOAD, {1, 34, '?', '?'}},
      {PA_LOWERING_CACHE_STORE, {2, 35, '?', 'n'}},
      {PA_LOWERING_CONST_ARRAY, {1, 1, 'a', 'a'}},
      {PA_LOWERING_CHECK_INDEX, {3, 3, '?', 'n'}},
      {PA_LOWERING_COMPLEX_PART, {2, 2, 'a', 'a'}},
      {PA_LOWERING_CONTIGUOUS, {2, 2, 'a', 's'}},
      {PA_LOWERING_COPY, {1, 1, 'a', 'a'}},
      {PA_LOWERING_COUNT_TRUE, {1, 1, 'a', 's'}},
      {PA_LOWERING_C_CALL, {1, many, '?', '?'}},
      {PA_LOWERING_C_FUNCTION, {1, 1, 's', '?'}},
      {PA_LOWERING_DATA_ADDRESS, {1, 1, 'a', '?'}},
      {PA_LOWERING_DEQUE_NEW, {1, 1, 's', '?'}},
      {PA_LOWERING_DEVICE_ARRAY, {1, 34, 's', 'a'}},
      {PA_LOWERING_DEVICE_CALL, {0, 3, 's', '?'}},
      {PA_LOWERING_DEVICE_INDEX, {0, 0, '?', 's'}},
      {PA_LOWERING_DIST, {0, many, 's', 's'}},
      {PA_LOWERING_DIVMOD, {2, 2, 's', 't'}},
      {PA_LOWERING_DRAW, {1, many, '?', '?'}},
      {PA_LOWERING_EXCEPTION_IS, {1, 1, '?', 's'}},
      {PA_LOWERING_EXCEPTION_PART, {1, 1, '?', '?'}},
      {PA_LOWERING_EXPORT, {1, 1, '?', 'a'}},
      {PA_LOWERING_FOREIGN_ARRAY, {1, 33, 'p', 'a'}},
      {PA_LOWERING_FREXP, {1, 1, 's', 't'}},
      {PA_LOWERING_FSUM, {1, many, 'v', 's'}},
      {PA_LOWERING_FUNCTION_CALL, {1, many, '?', '?'}},
      {PA_LOWERING_GATHER, {4, many, '?', 'n'}},
      {PA_LOWERING_GRID, {0, 0, '?', '?'}},
      {PA_LOWERING_HYPOT, {1, many, 's', 's'}},
      {PA_LOWERING_INTRINSIC, {0, many, '?', '?'}},
      {PA_LOWERING_INT_FOLD, {1, many, 's', 's'}},
      {PA_LOWERING_IN_ORDER, {1, 1, 'a', 'a'}},
      {PA_LOWERING_TO_HOST, {1, 1, 'a', 'a'}},
      {PA_LOWERING_TO_DEVICE, {1, 1, 'a', 'a'}},
      {PA_LOWERING_COPY_BACK, {2, 2, '?', 'n'}},
      {PA_LOWERING_ON_DEVICE, {0, 0, '?', 's'}},
      {PA_LOWERING_LIBRARY_CALL, {3, many, '?', 's'}},
      {PA_LOWERING_GLOBAL_ARRAY, {1, 34, 's', 'a'}},
      {PA_LOWERING_ITEM, {1, 1, 'a', 's'}},
      {PA_LOWERING_LANES_BELOW, {0, 0, '?', 's'}},
      {PA_LOWERING_LEN, {1, 1, '?', 's'}},
      {PA_LOWERING_LIBDEVICE, {1, 4, 's', '?'}},
      {PA_LOWERING_LIST_TRUE, {2, many, '?', 'n'}},
      {PA_LOWERING_MAP_SHARED, {4, 4, 'a', 'a'}},
      {PA_LOWERING_MATCH_ALL, {2, 2, 's', 't'}},
      {PA_LOWERING_MATCH_LENGTH, {3, 3, '?', 's'}},
      {PA_LOWERING_MINMAX, {1, many, 's', 's'}},
      {PA_LOWERING_MODF, {1, 1, 's', 't'}},
      {PA_LOWERING_NEW_ARRAY, {0, 33, 's', 'a'}},
      {PA_LOWERING_NEW_ARRAY_LIKE, {1, 2, 'a', 'a'}},
      {PA_LOWERING_NUMPY_LOOP, {3, many, '?', 's'}},
      {PA_LOWERING_OBJMODE_CALL, {0, many, '?', '?'}},
      {PA_LOWERING_OVERLAPS, {2, 2, '?', 's'}},
      {PA_LOWERING_POLAR, {1, 1, 's', 't'}},
      {PA_LOWERING_PRINT, {0, many, '?', 'n'}},
      {PA_LOWERING_PROD, {1, many, 'v', 's'}},
      {PA_LOWERING_RAISE_IF, {1, many, 's', 'n'}},
      {PA_LOWERING_RANGE, {3, 6, 's', 'r'}},
      {PA_LOWERING_RANGE_LENGTH, {1, 1, 'r', 's'}},
      {PA_LOWERING_RECORD_AT, {2, 2, 'p', 'a'}},
      {PA_LOWERING_RECORD_COPY, {2, 2, '?', 'n'}},
      {PA_LOWERING_RECORD_LOAD, {3, 3, '?', 's'}},
      {PA_LOWERING_RECORD_SET_TEXT, {2, 2, '?', 'n'}},
      {PA_LOWERING_RECORD_STORE, {4, 4, '?', 'n'}},
      {PA_LOWERING_RECORD_TEXT, {1, 1, '?', '?'}},
      {PA_LOWERING_REINTERPRET, {2, 2, '?', 'a'}},
      {PA_LOWERING_RESHAPE, {1, 34, 'a', 'a'}},
      {PA_LOWERING_RESHAPED, {1, 34, 'a', 'a'}},
      {PA_LOWERING_RETYPED, {1, 1, 'a', 'a'}},
      {PA_LOWERING_RUNTIME, {0, 0, '?', 's'}},
      {PA_LOWERING_SAME_BITS, {1, 1, 's', 's'}},
      {PA_LOWERING_SCATTER, {4, many, '?', 'n'}},
      {PA_LOWERING_SEED, {1, 1, 's', 'n'}},
      {PA_LOWERING_SET_NUM_THREADS, {1, 1, 's', 'n'}},
      {PA_LOWERING_SIZE_OVER, {2, 2, 'a', 's'}},
      {PA_LOWERING_SLICE, {0, 3, 's', 'l'}},
      {PA_LOWERING_STORE_MASKED, {3, 3, '?', 'n'}},
      {PA_LOWERING_STRIDED, {2, 68, 'a', 'a'}},
      {PA_LOWERING_SUMPROD, {1, many, 'v', 's'}},
      {PA_LOWERING_TAKE_MASKED, {3, 3, '?', 'n'}},
      {PA_LOWERING_VARIABLE_SHOWN, {0, 2, '?', 'n'}},
      {PA_LOWERING_VECTOR_LOAD, {3, 3, '?', '?'}},
      {PA_LOWERING_VECTOR_STORE, {4, 4, '?', 'n'}},
      {PA_LOWERING_ZIP_LENGTHS, {2, many, 's', 'n'}},
  };
  auto found = forms.find(rule);
  return found == forms.end() ? nullptr : &found->second;
}

static bool isForm(Type type, char form) {
  auto array = dyn_cast<ArrayType>(type);
  switch (form) {
  case 's': return isNumber(type);
  case 'a': return !!array;
  case 'v': return isNumber(type) || (array && array.getRank() == 1);
  case 'p': return isa<PointerType>(type);
  case 'r': return isa<RangeType>(type);
  case 'l': return isa<SliceType>(type);
  case 't': return isa<TupleType>(type);
  case 'n': return isa<pyarray::NoneType>(type);
  default: return true;
  }
}

static bool isText(Type type) { return isa<StrType, BytesType>(type); }
static bool isInt64(Type type) { return type.isSignedInteger(64); }
static bool isListLike(Type type) { return isa<ListType, DequeType>(type); }
static bool isSetLike(Type type) { return isa<SetType, FrozenSetType>(type); }

// Rows named dict.* of what sets have too take both; a view is a tuple of its dict.
static bool isContainerOf(StringRef name, Type type) {
  if (auto tuple = dyn_cast<TupleType>(type); tuple && tuple.size() == 1) type = tuple.getType(0);
  if (name.starts_with("set.")) return isSetLike(type);
  if (name.starts_with("iterator.")) return isa<DequeType, DictType>(type) || isSetLike(type);
  if (name.starts_with("dict.")) return isa<DictType>(type) || isSetLike(type);
  return isListLike(type) ||
         (name.starts_with("object.") && isManaged(type) && !isa<TupleType, ArrayType, OptionalType>(type));
}

// How many parameters a row has, and how many of them have no default.
static void countParameters(StringRef parameters, size_t &least, size_t &most) {
  SmallVector<StringRef> names;
  parameters.split(names, ',', -1, /*KeepEmpty=*/false);
  most = names.size();
  least = llvm::count_if(names, [](StringRef name) { return !name.ends_with("="); });
}

static bool isContainerCall(BuiltinOp op, const BuiltinRow &row) {
  Type result = op.getType();
  size_t count = op.getNumOperands();
  if (row.lowering == PA_LOWERING_LIST_NEW) return count <= 1 && isListLike(result);
  if (row.lowering == PA_LOWERING_DICT_NEW)
    return (isa<DictType>(result) || isSetLike(result)) &&
           (!count || (count == 1 && op.getOperand(0).getType() == result));
  size_t least, most;
  countParameters(row.parameters.drop_front(row.parameters.find(',') == StringRef::npos ? row.parameters.size()
                                                                                        : row.parameters.find(',')),
                  least, most);
  return count >= 1 + least && isContainerOf(op.getName(), op.getOperand(0).getType());
}

static bool isTextOperand(Type type, char letter) {
  if (StringRef("zu").contains(letter)) return isText(type) || isInt64(type);
  if (StringRef("sUY").contains(letter)) return isText(type);
  if (letter == 'W') return isa<BytearrayType>(type);
  if (letter == 'q')
    return isListLike(type) &&
           isInt64(isa<ListType>(type) ? cast<ListType>(type).getItem() : cast<DequeType>(type).getItem());
  if (StringRef("ibemwok").contains(letter)) return isInt64(type) || type.isInteger(1);
  if (StringRef("tj").contains(letter)) return isText(type) || isa<TupleType>(type) || isListLike(type);
  return true;
}

static bool isTextResult(Type type, char letter) {
  switch (letter) {
  case 's':
  case 'U':
  case 'Y': return isText(type);
  case 'W': return isa<BytearrayType>(type);
  case 'l': return isListLike(type);
  case '3': return isa<TupleType>(type) && cast<TupleType>(type).size() == 3;
  case 'n': return isa<pyarray::NoneType>(type);
  case 'x': return isa<ObjectType>(type);
  case '?': return type.isInteger(1);
  case 'd': return type.isF64();
  default: return isInt64(type);
  }
}

// Where the row says text, the operand is text, and a number where it says a number; the result is what the row says.
static bool isTextCall(BuiltinOp op, const BuiltinRow &row) {
  auto [letters, results] = row.target.split(' ').second.split('>');
  size_t count = op.getNumOperands();
  if (letters.contains('V')) return count >= letters.size() - 1 && isTextResult(op.getType(), results.front());
  if (count != letters.size()) return false;
  for (size_t i = 0; i < count; ++i)
    if (!isTextOperand(op.getOperand(i).getType(), letters[i])) return false;
  return isTextResult(op.getType(), results.front());
}

static bool isArrayCall(BuiltinOp op, const BuiltinRow &row) {
  auto array = cast<ArrayType>(op.getType());
  bool foreign = row.lowering == PA_LOWERING_FOREIGN_ARRAY;
  int64_t count = op.getNumOperands(), rank = array.getRank();
  bool records = foreign && rank && array.getElementType().isUnsignedInteger(8) && array.getShape().back() > 0;
  return (records && count == rank) ||
         count == rank + (foreign || row.target == "full"); // the bytes of records are the last axis
}

static bool isWellFormed(BuiltinOp op, const BuiltinRow &row) {
  size_t count = op.getNumOperands(), least, most;
  if (pa_family_of(row.lowering) == PA_FAMILY_TEXT) return isTextCall(op, row);
  countParameters(row.parameters, least, most);
  if (pa_family_of(row.lowering) == PA_FAMILY_OPTIONAL)
    return count == least && llvm::all_of(op.getOperandTypes(), [](Type type) { return isa<OptionalType>(type); });
  if (pa_family_of(row.lowering) == PA_FAMILY_CONTAINER) return isContainerCall(op, row);
  const Form *listed = findForm(row.lowering);
  Form form = listed ? *listed : Form{least, most, 's', 's'};
  if (count < form.least || count > form.most || !isForm(op.getType(), form.result)) return false;
  for (size_t i = 0; i < count; ++i)
    if (!isForm(op.getOperand(i).getType(), i && form.first != 'v' && form.first != '?' ? 's' : form.first))
      return false;
  return (row.lowering != PA_LOWERING_FOREIGN_ARRAY && row.lowering != PA_LOWERING_NEW_ARRAY) || isArrayCall(op, row);
}

// What the typing rule says beyond that, of the families that are one type throughout.
static bool hasTypesOfRule(BuiltinOp op, pa_builtin_typing rule) {
  Type result = op.getType();
  auto all = [&](auto test) { return llvm::all_of(op.getOperandTypes(), test); };
  auto same = [&](Type type) { return type == result; };
  if (rule == PA_TYPING_REAL1 || rule == PA_TYPING_REAL2 || rule == PA_TYPING_REAL3 || rule == PA_TYPING_HALF1 ||
      rule == PA_TYPING_HALF2 || rule == PA_TYPING_HALF3)
    return isa<FloatType>(result) && all(same);
  if (rule == PA_TYPING_COMPLEX1 || rule == PA_TYPING_CMATH1) return isa<FloatType, ComplexType>(result) && all(same);
  if (rule == PA_TYPING_TEST1 || rule == PA_TYPING_REAL_TEST1 || rule == PA_TYPING_TRUTH1 || rule == PA_TYPING_TRUTH2 ||
      rule == PA_TYPING_HALF_TEST2)
    return result.isInteger(1);
  if (rule == PA_TYPING_INT1 || rule == PA_TYPING_INT2) return isInt64(result) && all(isInt64);
  return true;
}

LogicalResult BuiltinOp::verify() {
  const BuiltinRow *row = findBuiltin(getName());
  if (!row) return emitOpError("calls '") << getName() << "', which is no builtin: lib/ir/builtins.def has no such row";
  if (isUntyped(*this) || row->lowering == PA_LOWERING_NOTHING || row->lowering == PA_LOWERING_NONE ||
      row->lowering == PA_LOWERING_LIBRARY)
    return success();
  if (isWellFormed(*this, *row) && hasTypesOfRule(*this, row->typing)) return success();
  return emitOpError("calls '") << getName() << "(" << row->parameters << ")' with (" << getOperandTypes() << ") -> "
                                << getType() << "; these are not the operands and result of that builtin";
}
