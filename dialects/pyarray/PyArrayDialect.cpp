// Registration, and the printing and verification of types that ODS cannot express.
#include "PyArray.h"

#include "support/record_code.h"
#include "support/time_unit.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyarray;

#include "PyArrayDialect.cpp.inc"
#include "PyArrayEnums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "PyArrayTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "PyArrayAttrs.cpp.inc"

void PyArrayDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "PyArrayTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "PyArrayAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "PyArrayOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

LogicalResult CallableType::verify(function_ref<InFlightDiagnostic()> emitError, Attribute name) {
  if (isa<StringAttr, FlatSymbolRefAttr>(name)) return success();
  return emitError() << "a callable is named by a string or a symbol, not by " << name;
}

// Python's hash() of a value of the type is a TypeError.
static bool isUnhashable(Type type) {
  if (auto optional = dyn_cast<OptionalType>(type)) return isUnhashable(optional.getItem());
  if (auto tuple = dyn_cast<TupleType>(type)) return llvm::any_of(tuple.getTypes(), isUnhashable);
  return isa<ArrayType, ListType, DictType, SetType, DequeType, BytearrayType>(type);
}

static LogicalResult verifyValue(function_ref<InFlightDiagnostic()> emitError, StringRef holder, Type item) {
  if (isValueType(item)) return success();
  return emitError() << holder << " of " << item << ", which is no type of a value";
}

static LogicalResult verifyHashable(function_ref<InFlightDiagnostic()> emitError, StringRef holder, Type item) {
  if (isUnhashable(item)) return emitError() << holder << " of " << item << ", which is not hashable";
  return verifyValue(emitError, holder, item);
}

using EmitError = function_ref<InFlightDiagnostic()>;
LogicalResult ListType::verify(EmitError emitError, Type item) { return verifyValue(emitError, "a list", item); }
LogicalResult DequeType::verify(EmitError emitError, Type item) { return verifyValue(emitError, "a deque", item); }
LogicalResult GeneratorType::verify(EmitError emitError, Type item) {
  return verifyValue(emitError, "a generator", item);
}
LogicalResult CellType::verify(EmitError emitError, Type item) { return verifyValue(emitError, "a cell", item); }
LogicalResult VariableType::verify(EmitError emitError, Type item) {
  return verifyValue(emitError, "a variable", item);
}
LogicalResult SetType::verify(EmitError emitError, Type item) { return verifyHashable(emitError, "a set", item); }
LogicalResult FrozenSetType::verify(EmitError emitError, Type item) {
  return verifyHashable(emitError, "a frozenset", item);
}

LogicalResult OptionalType::verify(EmitError emitError, Type item) {
  if (isa<pyarray::NoneType, OptionalType>(item))
    return emitError() << "an optional of " << item << ", which may be None anyway";
  return verifyValue(emitError, "an optional", item);
}

LogicalResult DictType::verify(EmitError emitError, Type key, Type value) {
  return failed(verifyHashable(emitError, "a dict with keys", key))
             ? failure()
             : verifyValue(emitError, "a dict with values", value);
}

LogicalResult SliceType::verify(EmitError emitError, Type start, Type stop, Type step) {
  for (Type part : {start, stop, step})
    if (!isa<AnyType, pyarray::NoneType, OptionalType, TaggedType>(part) && !(isa<IntegerType>(part) && isNumber(part)))
      return emitError() << "a slice with " << part << "; its parts are integers or None";
  return success();
}

// Kinds of tagged types: docs/internals-objects.md.
static bool isTaggedKind(StringRef kind) {
  static constexpr StringLiteral kinds[] = {
      "array ctypes", "c function",      "choice", "counter",  "defaultdict", "enum",
      "enumerate",    "exception class", "flag",   "frozen",   "function",    "function value",
      "int enum",     "items",           "keys",   "keywords", "memoryview",  "namedtuple",
      "objmode",      "ordereddict",     "passed", "random",   "record",      "records",
      "reversed",     "strict zip",      "values", "vector",   "zip"};
  kind.consume_back(" iterator");
  return llvm::is_contained(kinds, kind) || kind == "deque" || kind == "dict" || kind == "set";
}

LogicalResult TaggedType::verify(function_ref<InFlightDiagnostic()> emitError, StringRef kind, Attribute tag,
                                 Type item) {
  if (!isTaggedKind(kind)) return emitError() << "a tagged type of the kind '" << kind << "', which there is not";
  if (kind != "record" && kind != "records") return success();
  auto code = dyn_cast<StringAttr>(tag);
  auto bytes = dyn_cast<ArrayType>(item);
  std::string text = code ? code.str() : "";
  int64_t size = 0;
  const char *end = text.empty() ? nullptr : pa_item_code_end(text.c_str(), &size);
  if (!end || *end) return emitError() << "invalid type code of an item " << tag;
  bool fits =
      bytes && bytes.getElementType().isUnsignedInteger(8) && bytes.getRank() > 0 && bytes.getShape().back() == size;
  if (fits && (kind == "records" || bytes.getRank() == 1)) return success();
  return emitError() << "items of " << size
                     << " bytes are represented by an array of ui8 with that last extent, not by " << item;
}

static LogicalResult verifyUnit(function_ref<InFlightDiagnostic()> emitError, StringRef unit) {
  pa_time_unit parsed;
  if (!unit.empty() && pa_time_unit_parse(unit.data(), unit.size(), &parsed) == unit.size()) return success();
  return emitError() << "invalid unit of time '" << unit << "'";
}

LogicalResult DatetimeType::verify(function_ref<InFlightDiagnostic()> emitError, StringRef unit) {
  return verifyUnit(emitError, unit);
}
LogicalResult TimedeltaType::verify(function_ref<InFlightDiagnostic()> emitError, StringRef unit) {
  return verifyUnit(emitError, unit);
}

LogicalResult TicksAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t, Type type) {
  if (isa<DatetimeType, TimedeltaType>(type)) return success();
  return emitError() << "ticks are those of a datetime or timedelta, not of " << type;
}

bool PointerType::isValidPointee(Type type) {
  if (isa<DatetimeType, TimedeltaType>(type)) return false;
  return isa<pyarray::NoneType, TaggedType>(type) || ArrayType::isValidElementType(type);
}

LogicalResult PointerType::verify(function_ref<InFlightDiagnostic()> emitError, Type pointee) {
  if (isValidPointee(pointee)) return success();
  return emitError() << "invalid pointee type " << pointee;
}

bool ArrayType::isValidElementType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() ? integer.getWidth() == 1 : llvm::is_contained({8u, 16u, 32u, 64u}, integer.getWidth());
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex.getElementType().isF32() || complex.getElementType().isF64();
  return type.isBF16() || type.isF16() || type.isF32() || type.isF64() || isa<DatetimeType, TimedeltaType>(type);
}

LogicalResult ArrayType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape, Type elementType,
                                Layout, bool) {
  if (!isValidElementType(elementType)) return emitError() << "invalid array element type " << elementType;
  for (int64_t extent : shape)
    if (extent < 0 && !ShapedType::isDynamic(extent)) return emitError() << "negative array extent " << extent;
  return success();
}

// array ::= `<` (extent `x`)* element-type `,` layout (`,` `readonly`)? `>`
Type ArrayType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  StringRef keyword;
  if (parser.parseLess() || parser.parseDimensionList(shape) || parser.parseType(elementType) || parser.parseComma())
    return {};
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword)) return {};
  std::optional<Layout> layout = symbolizeLayout(keyword);
  if (!layout) return parser.emitError(place, "expected layout C, F or A"), Type();
  bool readonly = succeeded(parser.parseOptionalComma());
  if ((readonly && parser.parseKeyword("readonly")) || parser.parseGreater()) return {};
  return parser.getChecked<ArrayType>(place, parser.getContext(), shape, elementType, *layout, readonly);
}

void ArrayType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getShape());
  if (!getShape().empty()) printer << 'x';
  printer << getElementType() << ", " << stringifyLayout(getLayout()) << (getReadonly() ? ", readonly>" : ">");
}
