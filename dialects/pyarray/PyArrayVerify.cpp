// Verifiers of operations on values of any type: what the types of operands and results have to do with each other once
// they are known. At level 1, where an operand or result is `!pyarray.any`, type inference says what is wrong.
#include "PyArray.h"
#include "PyArrayBuiltins.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace pyarray;

static bool isTime(Type type) { return isa<DatetimeType, TimedeltaType>(type); }
static bool isNone(Type type) { return isa<pyarray::NoneType>(type); }
static bool isText(Type type) { return isa<StrType, BytesType>(type); }
// Indices, and parts of slices.
static bool isInteger(Type type) { return isa<IntegerType>(type) && isNumber(type); }

//===----------------------------------------------------------------------===//
// Constants, conversions
//===----------------------------------------------------------------------===//

// A string whose type is a tuple is that tuple's Python literal.
static bool fitsConstant(Attribute value, Type type) {
  if (isa<UnitAttr>(value)) return isNone(type);
  if (isa<StringAttr>(value)) return isText(type);
  if (auto ticks = dyn_cast<TicksAttr>(value)) return ticks.getType() == type;
  auto typed = dyn_cast<TypedAttr>(value);
  return typed && typed.getType() == type;
}

LogicalResult ConstantOp::verify() {
  if (!isa<IntegerAttr, FloatAttr, StringAttr, UnitAttr, complex::NumberAttr, TicksAttr>(getValue()))
    return emitOpError("holds a number, a time, a string or unit, not ") << getValue();
  if (isUntyped(*this) || fitsConstant(getValue(), getType())) return success();
  return emitOpError("holds ") << getValue() << ", which is no value of type " << getType();
}

LogicalResult CallableOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto symbol = dyn_cast<FlatSymbolRefAttr>(getName());
  if (symbol) {
    // At level 1 it may be one of the library, which type inference takes in.
    if (isUntyped(*this) || symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, symbol)) return success();
    return emitOpError("names ") << symbol << ", which is no function of this module";
  }
  StringRef name = cast<StringAttr>(getName()).getValue();
  bool other = name.find_first_of(": [=") != StringRef::npos; // a class, a type, the classes of an `except`
  // NumPy has the class of bfloat16 by the package ml_dtypes; it is no function.
  if (other || findBuiltin(name) || name == "numpy.bfloat16") return success();
  return emitOpError("names '") << name << "', which is no builtin: lib/ir/builtins.def has no such row";
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getKernelAttr());
  if (!kernel || !kernel->hasAttr("pyarray.kernel"))
    return emitOpError("names ") << getKernelAttr() << ", which is no kernel of this module";
  if (TypeRange(kernel.getArgumentTypes()) != TypeRange(getOperands()))
    return emitOpError("has operands of other types than the parameters of ") << getKernelAttr();
  if (getSized()) {
    bool numbers = getNumOperands() > 1 && getOperand(0).getType().isSignedInteger(64) &&
                   getOperand(1).getType().isSignedInteger(64);
    return numbers ? success() : emitOpError("has no si64 for its blocks, and none for the threads of each, in front");
  }
  if (getPoints() >= getNumOperands() || !isa<ArrayType>(getOperand(getPoints()).getType()))
    return emitOpError("has its points in operand ") << getPoints() << ", which is no array";
  return success();
}

LogicalResult FrozenArrayOp::verify() {
  auto array = dyn_cast<ArrayType>(getType());
  if (!array) return isUntyped(*this) ? success() : emitOpError("gives ") << getType() << ", which is no array";
  if (!array.getReadonly()) return emitOpError("gives ") << array << "; the memory of a global array is readonly";
  return success();
}

static LogicalResult verifyArrayCast(CastOp op, ArrayType from, ArrayType to) {
  if (from.getElementType() != to.getElementType() || from.getRank() != to.getRank())
    return op.emitOpError("makes ") << to << " of " << from << "; a cast changes neither elements nor rank of an array";
  if (from.getReadonly() && !to.getReadonly()) return op.emitOpError("makes ") << from << " writable";
  for (auto [a, b] : llvm::zip(from.getShape(), to.getShape()))
    if (a != b && !ShapedType::isDynamic(a) && !ShapedType::isDynamic(b))
      return op.emitOpError("makes ") << to << " of " << from << ", which has other extents";
  return success();
}

LogicalResult CastOp::verify() {
  Type from = getOperand().getType(), to = getType();
  if (isUntyped(*this)) return success();
  if (isa<ArrayType>(from) && isa<ArrayType>(to))
    return verifyArrayCast(*this, cast<ArrayType>(from), cast<ArrayType>(to));
  if (isa<ArrayType>(from) || isa<ArrayType>(to)) {
    if (isa<OptionalType>(from) || isa<OptionalType>(to)) return success();
    return emitOpError("makes ") << to << " of " << from << "; an array becomes nothing but an array";
  }
  if (isNumber(to) && !isNumber(from) && !isa<OptionalType>(from))
    return emitOpError("makes the number ") << to << " of " << from;
  return success();
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

LogicalResult BinaryOp::verify() {
  if (isUntyped(*this)) return success();
  Type lhs = getLhs().getType(), rhs = getRhs().getType(), result = getType();
  StringRef kind = stringifyBinaryKind(getKind());
  for (Type type : {lhs, rhs, result})
    if (!isNumber(type)) return emitOpError() << "'" << kind << "' is for numbers, not for " << type;
  if (isTime(lhs) || isTime(rhs)) return success();
  bool shift = getKind() == BinaryKind::LShift || getKind() == BinaryKind::RShift;
  bool bits = shift || getKind() == BinaryKind::And || getKind() == BinaryKind::Or || getKind() == BinaryKind::Xor;
  if (bits && !isa<IntegerType>(lhs))
    return emitOpError() << "'" << kind << "' is for integers and bools, not for " << lhs;
  bool whole = getKind() == BinaryKind::FloorDiv || getKind() == BinaryKind::Mod;
  if (whole && isa<ComplexType>(lhs)) return emitOpError() << "'" << kind << "' is for real numbers, not for " << lhs;
  if (getKind() == BinaryKind::TrueDiv && isa<IntegerType>(lhs))
    return emitOpError() << "'" << kind << "' is for floats and complex numbers, not for " << lhs;
  if (shift || getKind() == BinaryKind::Pow) {
    if (lhs == result) return success();
    return emitOpError() << "'" << kind << "' of " << lhs << " gives " << result
                         << "; the result has the type of the left operand";
  }
  if (lhs == rhs && lhs == result) return success();
  return emitOpError() << "'" << kind << "' of " << lhs << " and " << rhs << " gives " << result
                       << "; operands and result have one type: cast them";
}

LogicalResult UnaryOp::verify() {
  if (isUntyped(*this)) return success();
  Type operand = getOperand().getType(), result = getType();
  StringRef kind = stringifyUnaryKind(getKind());
  if (getKind() == UnaryKind::Not)
    return result.isInteger(1) ? success() : emitOpError() << "'not' gives " << result << "; expected i1";
  if (!isNumber(operand)) return emitOpError() << "'" << kind << "' is for numbers, not for " << operand;
  if (getKind() == UnaryKind::Invert && !isa<IntegerType>(operand))
    return emitOpError() << "'invert' is for integers and bools, not for " << operand;
  if (operand == result) return success();
  return emitOpError() << "'" << kind << "' of " << operand << " gives " << result
                       << "; operand and result have one type";
}

// These are compared by their exact values.
static bool isExact(Type type) {
  auto complex = dyn_cast<ComplexType>(type);
  return type.isSignedInteger(64) || type.isUnsignedInteger(64) || type.isF64() ||
         (complex && complex.getElementType().isF64());
}

LogicalResult CompareOp::verify() {
  if (isUntyped(*this)) return success();
  Type lhs = getLhs().getType(), rhs = getRhs().getType();
  StringRef kind = stringifyCompareKind(getKind());
  if (!getType().isInteger(1)) return emitOpError() << "'" << kind << "' gives " << getType() << "; expected i1";
  if (getKind() >= CompareKind::Is)
    return emitOpError() << "'" << kind
                         << "' is for untyped values: type inference decides it, or makes a builtin of it";
  bool equality = getKind() == CompareKind::Eq || getKind() == CompareKind::Ne,
       numbers = isNumber(lhs) && isNumber(rhs);
  bool sets = isa<SetType, FrozenSetType>(lhs) && isa<SetType, FrozenSetType>(rhs);
  if (lhs == rhs || (isExact(lhs) && isExact(rhs)) || sets || (equality && !numbers))
    return success(); // values of other types differ
  return emitOpError() << "'" << kind << "' compares " << lhs << " with " << rhs
                       << "; operands have one type, or are two of si64, ui64, f64 and complex<f64>";
}

LogicalResult TruthOp::verify() {
  if (!isa<ArrayType>(getOperand().getType())) return success();
  return emitOpError("asks for the truth of ") << getOperand().getType() << ", which has none";
}

//===----------------------------------------------------------------------===//
// Tuples and containers
//===----------------------------------------------------------------------===//

LogicalResult TupleOp::verify() {
  auto tuple = dyn_cast<TupleType>(getType());
  if (isa<AnyType>(getType())) return success();
  if (tuple && TypeRange(tuple.getTypes()) == TypeRange(getElements())) return success();
  return emitOpError("makes ") << getType() << " of other elements: " << getElements().getTypes();
}

static LogicalResult verifyItems(Operation *op, Type item, TypeRange types) {
  for (Type type : types)
    if (type != item) return op->emitOpError("puts ") << type << " into " << op->getResult(0).getType();
  return success();
}

LogicalResult ListOp::verify() {
  if (isUntyped(*this)) return success();
  auto list = dyn_cast<ListType>(getType());
  return list ? verifyItems(*this, list.getItem(), getItems().getTypes())
              : emitOpError("gives ") << getType() << ", which is no list";
}

LogicalResult SetOp::verify() {
  if (isUntyped(*this)) return success();
  if (auto set = dyn_cast<FrozenSetType>(getType())) return verifyItems(*this, set.getItem(), getItems().getTypes());
  auto set = dyn_cast<SetType>(getType());
  return set ? verifyItems(*this, set.getItem(), getItems().getTypes())
             : emitOpError("gives ") << getType() << ", which is no set";
}

LogicalResult DictOp::verify() {
  if (getItems().size() % 2)
    return emitOpError("has ") << getItems().size() << " operands; each key has a value behind it";
  if (isUntyped(*this)) return success();
  auto dict = dyn_cast<DictType>(getType());
  if (!dict) return emitOpError("gives ") << getType() << ", which is no dict";
  for (auto [i, type] : llvm::enumerate(getItems().getTypes()))
    if (type != (i % 2 ? dict.getValue() : dict.getKey()))
      return emitOpError("puts the ") << (i % 2 ? "value " : "key ") << type << " into " << dict;
  return success();
}

// What an item of a value is when it is gone over; null where one type does not say.
static Type itemOf(Type type) {
  if (isa<RangeType, BytesType, BytearrayType>(type))
    return IntegerType::get(type.getContext(), 64, IntegerType::Signed);
  if (isa<StrType>(type)) return type;
  if (auto list = dyn_cast<ListType>(type)) return list.getItem();
  if (auto set = dyn_cast<SetType>(type)) return set.getItem();
  if (auto set = dyn_cast<FrozenSetType>(type)) return set.getItem();
  if (auto deque = dyn_cast<DequeType>(type)) return deque.getItem();
  if (auto generator = dyn_cast<GeneratorType>(type)) return generator.getItem();
  if (auto dict = dyn_cast<DictType>(type)) return dict.getKey();
  auto array = dyn_cast<ArrayType>(type);
  return array && array.getRank() == 1 ? array.getElementType() : Type();
}

// |given| is what the operation takes for an item of |iterable|.
LogicalResult pyarray::verifyIteration(Operation *op, Type iterable, Type given) {
  if (isa<AnyType>(iterable) || isa<AnyType>(given)) return success();
  if (isNumber(iterable) || isNone(iterable))
    return op->emitOpError("goes over ") << iterable << ", which has no items";
  auto array = dyn_cast<ArrayType>(iterable);
  if (array && array.getRank() == 0) return op->emitOpError("goes over ") << iterable << ", which has no items";
  if (array && array.getRank() > 1) {
    auto row = dyn_cast<ArrayType>(given);
    if (row && row.getRank() == array.getRank() - 1 && row.getElementType() == array.getElementType()) return success();
    return op->emitOpError("takes ") << given << " for a row of " << iterable;
  }
  Type item = itemOf(iterable);
  if (!item || item == given) return success();
  return op->emitOpError("takes ") << given << " for an item of " << iterable << ", which is " << item;
}

LogicalResult IterItemOp::verify() { return verifyIteration(*this, getIterable().getType(), getType()); }

LogicalResult UnpackOp::verify() {
  if (isUntyped(*this)) return success();
  Type type = getOperand().getType();
  auto tuple = dyn_cast<TupleType>(type);
  if (tuple) {
    if (TypeRange(tuple.getTypes()) == TypeRange(getElements().getTypes())) return success();
    return emitOpError("takes ") << type << " apart into (" << getElements().getTypes() << ")";
  }
  for (Type element : getElements().getTypes())
    if (failed(verifyIteration(*this, type, element))) return failure();
  return success();
}

LogicalResult SliceOp::verify() {
  if (isUntyped(*this)) return success();
  auto slice = dyn_cast<SliceType>(getType());
  Type parts[] = {getStart().getType(), getStop().getType(), getStep().getType()};
  if (slice && slice.getStart() == parts[0] && slice.getStop() == parts[1] && slice.getStep() == parts[2])
    return success();
  return emitOpError("makes ") << getType() << " of " << parts[0] << ", " << parts[1] << " and " << parts[2];
}

//===----------------------------------------------------------------------===//
// Subscripts
//===----------------------------------------------------------------------===//

// The rank of what is left of an array behind these indices.
static FailureOr<int64_t> rankBehind(Operation *op, ArrayType array, OperandRange indices) {
  if (static_cast<int64_t>(indices.size()) > array.getRank())
    return op->emitOpError("has ") << indices.size() << " indices into " << array << ", which has " << array.getRank()
                                   << " axes";
  int64_t rank = array.getRank();
  for (Value index : indices) {
    if (isa<SliceType>(index.getType())) continue;
    if (!isInteger(index.getType()))
      return op->emitOpError("has the index ") << index.getType() << "; expected an integer or a slice";
    --rank;
  }
  return rank;
}

static bool hasItems(Type type) {
  return isa<ArrayType, TupleType, ListType, DequeType, DictType, StrType, BytesType, BytearrayType, RangeType,
             PointerType, TaggedType>(type);
}

LogicalResult GetItemOp::verify() {
  if (isUntyped(*this)) return success();
  Type type = getObject().getType();
  if (!hasItems(type)) return emitOpError("takes an item of ") << type << ", which has none";
  auto array = dyn_cast<ArrayType>(type);
  if (!array) return success();
  FailureOr<int64_t> rank = rankBehind(*this, array, getIndices());
  if (failed(rank)) return failure();
  if (*rank == 0 && getType() == array.getElementType()) return success();
  auto view = dyn_cast<ArrayType>(getType());
  bool fits = view && view.getRank() == *rank && view.getElementType() == array.getElementType() &&
              (view.getReadonly() || !array.getReadonly());
  if (fits) return success();
  InFlightDiagnostic error = emitOpError("gives ") << getType() << "; these indices into " << array << " leave ";
  return *rank ? error << "an array of " << *rank << " axes" : error << array.getElementType();
}

LogicalResult SetItemOp::verify() {
  if (isUntyped(*this)) return success();
  Type type = getObject().getType(), value = getValue().getType();
  if (!isa<ArrayType, ListType, DequeType, DictType, BytearrayType, PointerType, TaggedType>(type))
    return emitOpError("stores to an item of ") << type;
  auto array = dyn_cast<ArrayType>(type);
  if (!array) return success();
  if (array.getReadonly()) return emitOpError("stores to an item of ") << array << ", which is readonly";
  if (failed(rankBehind(*this, array, getIndices()))) return failure();
  if (isNumber(value) || isa<ArrayType>(value)) return success();
  return emitOpError("stores ") << value << " into " << array;
}

LogicalResult DelItemOp::verify() {
  if (isUntyped(*this) || isa<ListType, DequeType, DictType, BytearrayType, TaggedType>(getObject().getType()))
    return success();
  return emitOpError("removes an item of ") << getObject().getType();
}

//===----------------------------------------------------------------------===//
// Attributes and fields
//===----------------------------------------------------------------------===//

LogicalResult GetAttrOp::verify() {
  if (isUntyped(*this)) return success();
  static constexpr StringLiteral ofArrays[] = {"shape",    "strides", "ndim",  "size", "nbytes",
                                               "itemsize", "T",       "dtype", "real", "imag"};
  static constexpr StringLiteral ofRanges[] = {"start", "stop", "step"};
  Type type = getObject().getType();
  ArrayRef<StringLiteral> names = isa<ArrayType>(type)              ? ArrayRef<StringLiteral>(ofArrays)
                                  : isa<RangeType, SliceType>(type) ? ArrayRef<StringLiteral>(ofRanges)
                                                                    : ArrayRef<StringLiteral>();
  if (names.empty() || llvm::is_contained(names, getName())) return success();
  return emitOpError("asks for '") << getName() << "' of " << type << ", which has no such attribute";
}

// The class that the module says an instance is of.
static LogicalResult verifyClass(Operation *op, Type type, StringRef field) {
  auto object = dyn_cast<ObjectType>(type);
  if (!object) return success();
  auto module = op->getParentOfType<ModuleOp>();
  auto classes = module ? module->getAttrOfType<DictionaryAttr>("pyarray.classes") : DictionaryAttr();
  auto description = classes ? classes.getAs<DictionaryAttr>(object.getName()) : DictionaryAttr();
  if (!description)
    return op->emitOpError("has an instance of '")
           << object.getName() << "', a class that the module's pyarray.classes do not have";
  auto fields = description.getAs<ArrayAttr>("fields");
  auto isField = [&](Attribute name) {
    auto text = dyn_cast<StringAttr>(name);
    return text && (text.getValue() == field ||
                    (field.starts_with("__") && text.getValue().ends_with(field))); // "_Class__x" is "__x" too
  };
  if (field.empty() || (fields && llvm::any_of(fields, isField))) return success();
  return op->emitOpError("names the field '")
         << field << "', which instances of '" << object.getName() << "' do not have";
}

LogicalResult GetFieldOp::verify() {
  return isUntyped(*this) ? success() : verifyClass(*this, getObject().getType(), getName());
}
LogicalResult SetAttrOp::verify() {
  if (isUntyped(*this)) return success();
  if (!isa<ObjectType>(getObject().getType()))
    return emitOpError("stores to the field '") << getName() << "' of " << getObject().getType();
  return verifyClass(*this, getObject().getType(), getName());
}
LogicalResult NewOp::verify() { return isUntyped(*this) ? success() : verifyClass(*this, getType(), ""); }

//===----------------------------------------------------------------------===//
// Generators
//===----------------------------------------------------------------------===//

LogicalResult IterNextOp::verify() { return verifyIteration(*this, getGenerator().getType(), getItem().getType()); }

LogicalResult SuspendOp::verify() {
  auto function = (*this)->getParentOfType<func::FuncOp>();
  if (!function || function->hasAttr("pyarray.generator")) return success();
  return emitOpError("is in @") << function.getName()
                                << ", which is no generator: it has no attribute pyarray.generator";
}

LogicalResult BreakOp::verify() {
  if ((*this)->getParentOfType<BreakableOp>()) return success();
  return emitOpError("is in no pyarray.breakable");
}

//===----------------------------------------------------------------------===//
// Exceptions
//===----------------------------------------------------------------------===//

static LogicalResult verifyInHandler(Operation *op) {
  Region *region = op->getParentRegion();
  for (auto tryOp = op->getParentOfType<TryOp>(); tryOp; tryOp = tryOp->getParentOfType<TryOp>())
    if (tryOp.getHandler().isAncestor(region)) return success();
  return op->emitOpError("is not in the second region of a pyarray.try, where an exception is handled");
}

static LogicalResult verifyClasses(Operation *op, ArrayAttr classes) {
  for (Attribute name : classes)
    if (!isExceptionClass(cast<StringAttr>(name).getValue()))
      return op->emitOpError("names the exception class ") << name << ", which Python does not have";
  return success();
}

LogicalResult CaughtOp::verify() {
  return failed(verifyClasses(*this, getClasses())) ? failure() : verifyInHandler(*this);
}
LogicalResult ExceptionOp::verify() {
  return failed(verifyClasses(*this, getClasses())) ? failure() : verifyInHandler(*this);
}

LogicalResult ReraiseOp::verify() {
  if (getException().size() > 1) return emitOpError("names more than one exception");
  return getOfCaller() || !getException().empty() ? success() : verifyInHandler(*this);
}

LogicalResult RaiseOp::verify() {
  if (isExceptionClass(getException())) return success();
  return emitOpError("raises '") << getException() << "', which is no exception class of Python";
}

LogicalResult CauseOp::verify() {
  if (!getException() || isExceptionClass(*getException())) return success();
  return emitOpError("names '") << *getException() << "', which is no exception class of Python";
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

static LogicalResult verifyVariable(Operation *op, Type variable, Type value) {
  auto typed = dyn_cast<VariableType>(variable);
  if (!typed || typed.getItem() == value) return success();
  return op->emitOpError("has ") << value << " for a value of " << variable;
}

LogicalResult LoadOp::verify() { return verifyVariable(*this, getVariable().getType(), getType()); }
LogicalResult StoreOp::verify() { return verifyVariable(*this, getVariable().getType(), getValue().getType()); }
