// Folders: operations on literals, and those that do nothing. What Python would raise for is left alone.
#include "PyArray.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
using namespace pyarray;

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

Operation *PyArrayDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location location) {
  return ConstantOp::create(builder, location, type, value);
}

//===----------------------------------------------------------------------===//
// Truth
//===----------------------------------------------------------------------===//

// The truth of a literal, as Python has it.
static std::optional<bool> literalTruth(Attribute value) {
  if (!value) return std::nullopt;
  if (auto integer = dyn_cast<IntegerAttr>(value)) return !integer.getValue().isZero();
  if (auto real = dyn_cast<FloatAttr>(value)) return !real.getValue().isZero();
  if (auto text = dyn_cast<StringAttr>(value)) return !text.getValue().empty();
  if (auto number = dyn_cast<complex::NumberAttr>(value))
    return !number.getReal().isZero() || !number.getImag().isZero();
  if (isa<UnitAttr>(value)) return false;
  if (auto ticks = dyn_cast<TicksAttr>(value)) return ticks.getCount() != 0;
  return std::nullopt;
}

OpFoldResult TruthOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType().isInteger(1)) return getOperand();
  if (std::optional<bool> truth = literalTruth(adaptor.getOperand())) return BoolAttr::get(getContext(), *truth);
  return {};
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

// Integers wrap; division rounds down, and a remainder has the sign of the divisor. None where Python raises, or the
// number of bits to shift by has none of the type's.
static std::optional<APInt> foldIntegers(BinaryKind kind, const APInt &a, const APInt &b, bool isSigned) {
  bool overflow = isSigned && a.isMinSignedValue() && b.isAllOnes();
  auto quotient = [&] { return isSigned ? a.sdiv(b) : a.udiv(b); };
  auto remainder = [&] { return isSigned ? a.srem(b) : a.urem(b); };
  auto roundsDown = [&] { return isSigned && !remainder().isZero() && a.isNegative() != b.isNegative(); };
  switch (kind) {
  case BinaryKind::Add: return a + b;
  case BinaryKind::Sub: return a - b;
  case BinaryKind::Mul: return a * b;
  case BinaryKind::And: return a & b;
  case BinaryKind::Or: return a | b;
  case BinaryKind::Xor: return a ^ b;
  case BinaryKind::FloorDiv:
    if (b.isZero() || overflow) return std::nullopt;
    return roundsDown() ? quotient() - 1 : quotient();
  case BinaryKind::Mod:
    if (b.isZero() || overflow) return std::nullopt;
    return roundsDown() ? remainder() + b : remainder();
  case BinaryKind::LShift: return b.ult(a.getBitWidth()) ? std::optional(a.shl(b)) : std::nullopt;
  case BinaryKind::RShift:
    if (!b.ult(a.getBitWidth())) return std::nullopt;
    return isSigned ? a.ashr(b) : a.lshr(b);
  default: return std::nullopt;
  }
}

static std::optional<APFloat> foldFloats(BinaryKind kind, APFloat a, const APFloat &b) {
  switch (kind) {
  case BinaryKind::Add: return a + b;
  case BinaryKind::Sub: return a - b;
  case BinaryKind::Mul: return a * b;
  case BinaryKind::TrueDiv: return b.isZero() ? std::nullopt : std::optional(a / b);
  default: return std::nullopt;
  }
}

static bool hasSign(Type type) { return isa<IntegerType>(type) && !type.isSignlessInteger(); }
static bool isReal(Type type) { return type.isF32() || type.isF64(); } // others are computed in f32

OpFoldResult BinaryOp::fold(FoldAdaptor adaptor) {
  Type type = getType();
  if (getLhs().getType() != type || getRhs().getType() != type) return {};
  if (hasSign(type)) {
    auto a = dyn_cast_or_null<IntegerAttr>(adaptor.getLhs()), b = dyn_cast_or_null<IntegerAttr>(adaptor.getRhs());
    if (!a || !b) return {};
    auto value = foldIntegers(getKind(), a.getValue(), b.getValue(), type.isSignedInteger());
    return value ? IntegerAttr::get(type, *value) : OpFoldResult();
  }
  auto a = dyn_cast_or_null<FloatAttr>(adaptor.getLhs()), b = dyn_cast_or_null<FloatAttr>(adaptor.getRhs());
  if (!isReal(type) || !a || !b) return {};
  auto value = foldFloats(getKind(), a.getValue(), b.getValue());
  return value ? FloatAttr::get(type, *value) : OpFoldResult();
}

OpFoldResult UnaryOp::fold(FoldAdaptor adaptor) {
  Type type = getType();
  if (getOperand().getType() != type || !(hasSign(type) || isReal(type))) return {};
  if (getKind() == UnaryKind::Pos) return getOperand();
  if (auto integer = dyn_cast_or_null<IntegerAttr>(adaptor.getOperand())) {
    if (getKind() == UnaryKind::Neg) return IntegerAttr::get(type, -integer.getValue());
    if (getKind() == UnaryKind::Invert) return IntegerAttr::get(type, ~integer.getValue());
  }
  auto real = dyn_cast_or_null<FloatAttr>(adaptor.getOperand());
  return real && getKind() == UnaryKind::Neg ? FloatAttr::get(type, neg(real.getValue())) : OpFoldResult();
}

// Below, the same or above; none for NaN.
static std::optional<int> order(Attribute a, Attribute b, bool isSigned) {
  if (auto integer = dyn_cast<IntegerAttr>(a)) {
    const APInt &x = integer.getValue(), &y = cast<IntegerAttr>(b).getValue();
    return x == y ? 0 : (isSigned ? x.slt(y) : x.ult(y)) ? -1 : 1;
  }
  APFloat::cmpResult result = cast<FloatAttr>(a).getValue().compare(cast<FloatAttr>(b).getValue());
  if (result == APFloat::cmpUnordered) return std::nullopt;
  return result == APFloat::cmpEqual ? 0 : result == APFloat::cmpLessThan ? -1 : 1;
}

OpFoldResult CompareOp::fold(FoldAdaptor adaptor) {
  Type type = getLhs().getType();
  Attribute a = adaptor.getLhs(), b = adaptor.getRhs();
  if (getRhs().getType() != type || !(hasSign(type) || isReal(type)) || !a || !b || !getType().isInteger(1)) return {};
  std::optional<int> ordered = order(a, b, type.isSignedInteger());
  switch (getKind()) {
  case CompareKind::Eq: return BoolAttr::get(getContext(), ordered && *ordered == 0);
  case CompareKind::Ne: return BoolAttr::get(getContext(), !ordered || *ordered != 0);
  case CompareKind::Lt: return BoolAttr::get(getContext(), ordered && *ordered < 0);
  case CompareKind::Le: return BoolAttr::get(getContext(), ordered && *ordered <= 0);
  case CompareKind::Gt: return BoolAttr::get(getContext(), ordered && *ordered > 0);
  case CompareKind::Ge: return BoolAttr::get(getContext(), ordered && *ordered >= 0);
  default: return {};
  }
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

// Integers wrap; a float becomes an integer by truncation, which saturates, and 0 for NaN.
static Attribute castInteger(IntegerAttr from, Type to) {
  Type type = from.getType();
  bool isSigned = type.isSignedInteger();
  if (auto integer = dyn_cast<IntegerType>(to))
    return IntegerAttr::get(to, isSigned ? from.getValue().sextOrTrunc(integer.getWidth())
                                         : from.getValue().zextOrTrunc(integer.getWidth()));
  APFloat value(cast<FloatType>(to).getFloatSemantics());
  value.convertFromAPInt(from.getValue(), isSigned, APFloat::rmNearestTiesToEven);
  return FloatAttr::get(to, value);
}

static Attribute castFloat(FloatAttr from, Type to) {
  APFloat value = from.getValue();
  bool inexact;
  if (auto integer = dyn_cast<IntegerType>(to)) {
    APSInt number(integer.getWidth(), integer.isUnsigned());
    value.convertToInteger(number, APFloat::rmTowardZero, &inexact);
    return IntegerAttr::get(to, number);
  }
  value.convert(cast<FloatType>(to).getFloatSemantics(), APFloat::rmNearestTiesToEven, &inexact);
  return FloatAttr::get(to, value);
}

OpFoldResult CastOp::fold(FoldAdaptor adaptor) {
  Type from = getOperand().getType(), to = getType();
  if (from == to) return getOperand();
  bool folds = (hasSign(from) || from.isInteger(1) || isReal(from)) && (hasSign(to) || isReal(to));
  if (auto integer = dyn_cast_or_null<IntegerAttr>(adaptor.getOperand()))
    return folds ? castInteger(integer, to) : OpFoldResult();
  auto real = dyn_cast_or_null<FloatAttr>(adaptor.getOperand());
  return folds && real ? castFloat(real, to) : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

// Of an array that nobody else sees, and so nobody has written to.
OpFoldResult ToTensorOp::fold(FoldAdaptor) {
  auto made = getArray().getDefiningOp<FromTensorOp>();
  bool same = made && made->hasOneUse() && made.getTensor().getType() == getType();
  return same ? made.getTensor() : OpFoldResult();
}
