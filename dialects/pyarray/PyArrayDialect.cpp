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

LogicalResult TaggedType::verify(function_ref<InFlightDiagnostic()> emitError, StringRef kind, Attribute tag, Type item) {
  if (kind != "record" && kind != "records") return success();
  auto code = dyn_cast<StringAttr>(tag);
  auto bytes = dyn_cast<ArrayType>(item);
  std::string text = code ? code.str() : "";
  int64_t size = 0;
  const char *end = text.empty() ? nullptr : pa_item_code_end(text.c_str(), &size);
  if (!end || *end) return emitError() << "invalid type code of an item " << tag;
  bool fits = bytes && bytes.getElementType().isUnsignedInteger(8) && bytes.getRank() > 0 && bytes.getShape().back() == size;
  if (fits && (kind == "records" || bytes.getRank() == 1)) return success();
  return emitError() << "items of " << size << " bytes are represented by an array of ui8 with that last extent, not by " << item;
}

static LogicalResult verifyUnit(function_ref<InFlightDiagnostic()> emitError, StringRef unit) {
  pa_time_unit parsed;
  if (!unit.empty() && pa_time_unit_parse(unit.data(), unit.size(), &parsed) == unit.size()) return success();
  return emitError() << "invalid unit of time '" << unit << "'";
}

LogicalResult DatetimeType::verify(function_ref<InFlightDiagnostic()> emitError, StringRef unit) { return verifyUnit(emitError, unit); }
LogicalResult TimedeltaType::verify(function_ref<InFlightDiagnostic()> emitError, StringRef unit) { return verifyUnit(emitError, unit); }

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
    return integer.isSignless() ? integer.getWidth() == 1
                                : llvm::is_contained({8u, 16u, 32u, 64u}, integer.getWidth());
  if (auto complex = dyn_cast<ComplexType>(type)) return complex.getElementType().isF32() || complex.getElementType().isF64();
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
