// Effects that depend on types, attributes or options: the same operation on `!pyarray.any` may call anybody's code, on
// numbers it computes. docs/internals.md has the table.
#include "PyArrayCollectEffects.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace pyarray;

//===----------------------------------------------------------------------===//
// Options and constants
//===----------------------------------------------------------------------===//

// Of the operation, if it was inlined from a function with others, or of its function.
static Attribute optionOf(Operation *op, StringRef name) {
  auto options = op->getAttrOfType<DictionaryAttr>("pyarray.options");
  auto function = options ? func::FuncOp() : op->getParentOfType<func::FuncOp>();
  if (function) options = function->getAttrOfType<DictionaryAttr>("pyarray.options");
  return options ? options.get(name) : Attribute();
}

bool pyarray::hasPythonErrors(Operation *op) {
  auto model = dyn_cast_or_null<StringAttr>(optionOf(op, "error_model"));
  return !model || model.getValue() != "numpy";
}

bool pyarray::hasStrictErrors(Operation *op) {
  auto model = dyn_cast_or_null<StringAttr>(optionOf(op, "error_model"));
  if (model) return model.getValue() == "strict";
  return !op->getParentOfType<func::FuncOp>(); // of a body that is being built nobody knows
}

static bool checksBounds(Operation *op) {
  auto check = dyn_cast_or_null<BoolAttr>(optionOf(op, "boundscheck"));
  return !check || check.getValue();
}

static Attribute constantOf(Value value) {
  while (auto cast = value.getDefiningOp<CastOp>()) value = cast.getOperand();
  auto constant = value.getDefiningOp<ConstantOp>();
  return constant ? constant.getValue() : Attribute();
}

static bool isKnownNonzero(Value value) {
  Attribute constant = constantOf(value);
  if (auto integer = dyn_cast_or_null<IntegerAttr>(constant)) return !integer.getValue().isZero();
  auto real = dyn_cast_or_null<FloatAttr>(constant);
  return real && !real.getValue().isZero();
}

bool pyarray::isKnownNonNegative(Value value) {
  auto type = dyn_cast<IntegerType>(value.getType());
  auto integer = dyn_cast_or_null<IntegerAttr>(constantOf(value));
  return (type && (type.isUnsigned() || type.isSignless())) ||
         (integer && integer.getType().isSignedInteger() && !integer.getValue().isNegative());
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static bool mayRaise(BinaryOp op) {
  switch (op.getKind()) {
  case BinaryKind::TrueDiv:
  case BinaryKind::FloorDiv:
  case BinaryKind::Mod: return hasPythonErrors(op) && !isKnownNonzero(op.getRhs());
  case BinaryKind::LShift:
  case BinaryKind::RShift: return hasPythonErrors(op) && !isKnownNonNegative(op.getRhs());
  case BinaryKind::Pow: return !isa<FloatType>(op.getLhs().getType()) || hasStrictErrors(op);
  default: return false;
  }
}

PYARRAY_EFFECTS(BinaryOp) {
  Effects effects(*this, instances);
  bool numbers = isNumber(getLhs().getType()) && isNumber(getRhs().getType()) && isNumber(getType());
  if (!numbers || getKind() == BinaryKind::MatMul) return effects.everything();
  if (mayRaise(*this)) effects.raise();
}

static void askTruth(Effects &effects, Type type) {
  unsigned memory = memoryOf(type);
  if (isa<ObjectType, GeneratorType>(type)) return; // true
  if (memory & AnyMemory) return effects.everything();
  if (memory & ItemMemory) effects.read<LengthsResource>(0);
  if (memory & ArrayMemory) effects.raise();
}

PYARRAY_EFFECTS(UnaryOp) {
  Effects effects(*this, instances);
  if (isNumber(getOperand().getType())) return;
  if (getKind() != UnaryKind::Not || isUntyped(*this)) return effects.everything();
  askTruth(effects, getOperand().getType());
}

// Values of other types are compared by library functions of their own, or by code of the user.
static void compareOperand(Effects &effects, unsigned operand, Type type) {
  unsigned memory = memoryOf(type);
  if (memory & (AnyMemory | FieldMemory)) return effects.everything();
  if (memory & ArrayMemory) effects.read<ElementsResource>(operand);
  if (memory & ItemMemory) effects.readItems(operand);
}

PYARRAY_EFFECTS(CompareOp) {
  Effects effects(*this, instances);
  if (getKind() == CompareKind::Is || getKind() == CompareKind::IsNot) return;
  if (isUntyped(*this)) return effects.everything();
  if (isa<PointerType>(getLhs().getType()) || isa<PointerType>(getRhs().getType())) return;
  compareOperand(effects, 0, getLhs().getType());
  compareOperand(effects, 1, getRhs().getType());
}

PYARRAY_EFFECTS(TruthOp) {
  Effects effects(*this, instances);
  askTruth(effects, getOperand().getType());
}

//===----------------------------------------------------------------------===//
// Containers, elements, attributes
//===----------------------------------------------------------------------===//

// Keys are hashed; those of typed containers are numbers, text, tuples, and instances that are equal to themselves
// alone.
static void makeHashed(Operation *op, Instances &instances) {
  Effects effects(op, instances);
  if (isUntyped(op)) return effects.everything();
  effects.makeResults();
}

PYARRAY_EFFECTS(DictOp) { makeHashed(*this, instances); }
PYARRAY_EFFECTS(SetOp) { makeHashed(*this, instances); }

PYARRAY_EFFECTS(UnpackOp) {
  Effects effects(*this, instances);
  Type type = getOperand().getType();
  if (isa<TupleType>(type)) return;
  if (isUntyped(*this) || (memoryOf(type) & AnyMemory)) return effects.everything();
  auto array = dyn_cast<ArrayType>(type);
  bool views = array && array.getRank() > 1;
  if (array && !views) effects.read<ElementsResource>(0);
  if (memoryOf(type) & ItemMemory) effects.readItems(0);
  if (!array || array.getRank() == 0 || array.getShape().front() != static_cast<int64_t>(getNumResults()))
    effects.raise();
  if (!views) effects.ownResults();
}

// Whether an index of an array raises: one that is not known to be in bounds, and a slice whose step may be 0.
static bool mayBeOutside(Operation *op, OperandRange indices) {
  bool checks = checksBounds(op) && !op->hasAttr("pyarray.clamped");
  auto known = op->getAttrOfType<DenseBoolArrayAttr>("pyarray.in_bounds");
  for (auto [i, index] : llvm::enumerate(indices)) {
    if (auto slice = dyn_cast<SliceType>(index.getType())) {
      if (!isa<pyarray::NoneType>(slice.getStep())) return true;
    } else if (checks && !(known && i < static_cast<size_t>(known.size()) && known[i])) {
      return true;
    }
  }
  return false;
}

PYARRAY_EFFECTS(GetItemOp) {
  Effects effects(*this, instances);
  Type type = getObject().getType();
  if (isUntyped(*this) || (getIndices().empty() && !isa<ArrayType>(type))) return effects.everything();
  if (isa<ArrayType>(type)) {
    if (!isa<ArrayType>(getType())) effects.read<ElementsResource>(0);
    if (mayBeOutside(*this, getIndices())) effects.raise();
    return;
  }
  if (isa<TupleType>(type)) {
    if (!constantOf(getIndices().front())) effects.raise();
    return;
  }
  if (isa<PointerType>(type)) return effects.read<ElementsResource>(0);
  if (isa<StrType, BytesType, RangeType>(type)) {
    effects.raise();
    return effects.makeResults();
  }
  if (!isa<ListType, DequeType, DictType, BytearrayType>(type)) return effects.everything();
  effects.readItems(0);
  effects.raise();
  if (isa<SliceType>(getIndices().front().getType()))
    effects.makeResults();
  else
    effects.ownResults();
}

PYARRAY_EFFECTS(SetItemOp) {
  Effects effects(*this, instances);
  Type type = getObject().getType();
  unsigned value = getNumOperands() - 1;
  bool item = !getIndices().empty() || isa<ArrayType>(type);
  if (isUntyped(*this) || !item || runsCodeWhenDropped(*this, type)) return effects.everything();
  if (isa<ArrayType>(type)) {
    effects.write<ElementsResource>(0);
    bool spreads = isa<ArrayType>(getValue().getType());
    if (spreads) effects.read<ElementsResource>(value);
    if (spreads || mayBeOutside(*this, getIndices())) effects.raise();
    return;
  }
  if (isa<PointerType>(type)) return effects.write<ElementsResource>(0);
  if (isa<DictType>(type)) return effects.writeItems(0);
  if (!isa<ListType, DequeType, BytearrayType>(type)) return effects.everything();
  effects.read<LengthsResource>(0);
  effects.write<ItemsResource>(0);
  effects.raise();
  if (!isa<SliceType>(getIndices().front().getType())) return;
  effects.write<LengthsResource>(0);
  effects.goOver(value);
}

PYARRAY_EFFECTS(DelItemOp) {
  Effects effects(*this, instances);
  if (isUntyped(*this) || runsCodeWhenDropped(*this, getObject().getType())) return effects.everything();
  effects.readItems(0);
  effects.writeItems(0);
  effects.raise();
}

// Shapes and parts of numbers do not change.
PYARRAY_EFFECTS(GetAttrOp) {
  Effects effects(*this, instances);
  if (isUntyped(*this)) return effects.everything();
  Type type = getObject().getType();
  if (isa<ObjectType>(type) || (memoryOf(type) & AnyMemory)) return effects.everything();
  if (memoryOf(type) & ItemMemory) effects.read<LengthsResource>(0);
  if (isa<OptionalType>(type)) effects.raise();
}

PYARRAY_EFFECTS(GetFieldOp) {
  Effects effects(*this, instances);
  if (isUntyped(*this)) return effects.everything();
  effects.read<FieldsResource>(0);
  if (!isNumber(getType())) effects.raise();
  if (!getBorrowed()) effects.ownResults();
}

PYARRAY_EFFECTS(SetAttrOp) {
  Effects effects(*this, instances);
  if (isUntyped(*this) || runsCodeWhenDropped(*this, getValue().getType())) return effects.everything();
  effects.write<FieldsResource>(0);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

PYARRAY_EFFECTS(ApplyOp) { Effects(*this, instances).everything(); }
PYARRAY_EFFECTS(MethodOp) { Effects(*this, instances).everything(); }

PYARRAY_EFFECTS(CallOp) {
  Effects effects(*this, instances);
  effects.everything();
  effects.ownResults();
}

CallInterfaceCallable CallOp::getCallableForCallee() { return getCalleeAttr(); }
void CallOp::setCalleeFromCallable(CallInterfaceCallable callee) {
  setCalleeAttr(cast<FlatSymbolRefAttr>(cast<SymbolRefAttr>(callee)));
}
Operation::operand_range CallOp::getArgOperands() { return getArguments(); }
MutableOperandRange CallOp::getArgOperandsMutable() { return getArgumentsMutable(); }

// A generator's body does not run in the call, and its results are not the call's.
static Operation *runsInCall(Operation *function) {
  return function && function->hasAttr("pyarray.generator") ? nullptr : function;
}

Operation *CallOp::resolveCallable() { return runsInCall(call_interface_impl::resolveCallable(*this)); }
Operation *CallOp::resolveCallableInTable(SymbolTableCollection *symbols) {
  return runsInCall(call_interface_impl::resolveCallable(*this, symbols));
}

//===----------------------------------------------------------------------===//
// Iteration
//===----------------------------------------------------------------------===//

// Beside what its body does.
PYARRAY_EFFECTS(ForOp) { Effects(*this, instances).goOver(0); }

SmallVector<Region *> ForOp::getLoopRegions() { return {&getBody()}; }
Block::BlockArgListType ForOp::getRegionIterArgs() { return getBody().front().getArguments().drop_front(); }
std::optional<MutableArrayRef<OpOperand>> ForOp::getYieldedValuesMutable() {
  return cast<YieldOp>(getBody().front().getTerminator()).getValuesMutable();
}
std::optional<ResultRange> ForOp::getLoopResults() { return getResults(); }
OperandRange ForOp::getEntrySuccessorOperands(RegionSuccessor) { return getInits(); }

void ForOp::getSuccessorRegions(RegionBranchPoint, SmallVectorImpl<RegionSuccessor> &regions) {
  regions.emplace_back(&getBody(), getRegionIterArgs());
  regions.emplace_back(getOperation(), getResults());
}

PYARRAY_EFFECTS(IteratorOp) { Effects(*this, instances).askLength(0); }
PYARRAY_EFFECTS(IterLengthOp) { Effects(*this, instances).askLength(0); }
PYARRAY_EFFECTS(IterMoreOp) { Effects(*this, instances).askLength(0); }

PYARRAY_EFFECTS(IterItemOp) {
  Effects effects(*this, instances);
  unsigned memory = memoryOf(getIterable().getType());
  if (isUntyped(*this) || (memory & AnyMemory)) return effects.everything();
  if ((memory & ArrayMemory) && !isa<ArrayType>(getType())) effects.read<ElementsResource>(0);
  if (memory & ItemMemory) effects.readItems(0);
  if (!isa<ArrayType, TupleType>(getIterable().getType())) effects.ownResults();
}

// The generator runs on.
PYARRAY_EFFECTS(IterNextOp) {
  Effects effects(*this, instances);
  effects.everything();
  effects.ownResults();
}

// Whoever asked for the item runs on.
PYARRAY_EFFECTS(SuspendOp) { Effects(*this, instances).everything(); }

// A ufunc, beside what its body does.
PYARRAY_EFFECTS(UfuncOp) {
  Effects effects(*this, instances);
  unsigned inputs = getInputs().size();
  for (unsigned i = 0; i < getNumOperands(); ++i) {
    if (!isa<ArrayType>(getOperand(i).getType())) continue;
    if (i < inputs)
      effects.read<ElementsResource>(i);
    else
      effects.write<ElementsResource>(i);
  }
  effects.makeMemory();
  effects.makeResults();
  if (!getExpanded()) effects.raise(); // shapes that do not fit
}

// A kernel that raises is told of by what waits for it.
PYARRAY_EFFECTS(LaunchOp) {
  Effects effects(*this, instances);
  for (unsigned i = 0; i < getNumOperands(); ++i) {
    if (!isa<ArrayType>(getOperand(i).getType())) continue;
    effects.read<ElementsResource>(i);
    if (i >= getOutputs()) effects.write<ElementsResource>(i);
  }
}

PYARRAY_EFFECTS(ToTensorOp) { Effects(*this, instances).read<ElementsResource>(0); }

PYARRAY_EFFECTS(FromTensorOp) { Effects(*this, instances).makeResults(); }

PYARRAY_EFFECTS(ContractOp) {
  Effects effects(*this, instances);
  for (unsigned i = 0; i < getInputs().size(); ++i) effects.read<ElementsResource>(i);
  for (unsigned i = 0; i < getOutputs().size(); ++i)
    effects.write<ElementsResource>(static_cast<unsigned>(getInputs().size()) + i);
  effects.makeResults();
  if (!getExpanded()) effects.raise(); // shapes that do not fit
}

// Likewise; what has no identity raises where there is no element.
PYARRAY_EFFECTS(ReduceOp) {
  Effects effects(*this, instances);
  unsigned inputs = getInputs().size(), outputs = inputs + getInitial().size();
  for (unsigned i = 0; i < getNumOperands(); ++i) {
    if (!isa<ArrayType>(getOperand(i).getType())) continue;
    if (i < outputs)
      effects.read<ElementsResource>(i);
    else
      effects.write<ElementsResource>(i);
  }
  effects.makeResults();
  bool asks = llvm::any_of(getWords().getAsValueRange<StringAttr>(),
                           [](StringRef word) { return word.ends_with("min") || word.ends_with("max"); });
  if (!getExpanded() || (asks && getInitial().empty())) effects.raise();
}

//===----------------------------------------------------------------------===//
// Variables and ownership
//===----------------------------------------------------------------------===//

PYARRAY_EFFECTS(LoadOp) {
  Effects effects(*this, instances);
  effects.read<VariablesResource>(0);
  effects.ownResults();
}

// What the variable held before is dropped.
PYARRAY_EFFECTS(StoreOp) {
  Effects effects(*this, instances);
  if (runsCodeWhenDropped(*this, getValue().getType())) return effects.everything();
  effects.write<VariablesResource>(1);
}

PYARRAY_EFFECTS(ReleaseOp) {
  Effects effects(*this, instances);
  if (runsCodeWhenDropped(*this, getArray().getType())) return effects.everything();
  effects.write<HeadersResource>(0);
  instances.emplace_back(MemoryEffects::Free::get(), &getOperation()->getOpOperand(0), HeadersResource::get());
}
