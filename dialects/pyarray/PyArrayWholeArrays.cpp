// Verifiers of the operations on whole arrays: ufuncs, contractions, reductions, broadcasting, views.
#include "PyArray.h"

#include "support/contraction.h"
#include "support/core_signature.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
using namespace pyarray;

//===----------------------------------------------------------------------===//
// Ufuncs
//===----------------------------------------------------------------------===//

static constexpr int64_t maxRank = 32; // PA_MAX_RANK of pyarray-lower

static Type elementOf(Type type) {
  auto array = dyn_cast<ArrayType>(type);
  return array ? array.getElementType() : type;
}

static int64_t rankOf(Type type) {
  auto array = dyn_cast<ArrayType>(type);
  return array ? static_cast<int64_t>(array.getShape().size()) : 0;
}

static bool isNumberOrArray(Type type) {
  return ArrayType::isValidElementType(elementOf(type)) && rankOf(type) <= maxRank;
}

// With extents that are not known, so that any array of that rank can be it.
static bool isPlain(Type type, Layout layout) {
  auto array = dyn_cast<ArrayType>(type);
  return array && array.getLayout() == layout && llvm::all_of(array.getShape(), ShapedType::isDynamic);
}

static LogicalResult verifyArrays(Operation *op, TypeRange types) {
  for (Type type : types)
    if (!isa<ArrayType>(type) || !isNumberOrArray(type))
      return op->emitOpError("has an operand ")
             << type << ", which is no array of numbers with at most " << maxRank << " dimensions";
  return success();
}

static LogicalResult readSignature(Operation *op, StringRef text, pa_core_signature &signature) {
  const char *error = pa_core_signature_parse(text.data(), text.size(), &signature);
  return error ? op->emitOpError("has a malformed signature '") << text << "': " << error : success();
}

// An operand is a number, or an array with at least its core dimensions; an output is an array that can be written.
static LogicalResult verifyOperand(Operation *op, Type type, const pa_core_operand &core, bool output) {
  if (!isNumberOrArray(type))
    return op->emitOpError("has an operand ")
           << type << ", which is neither a number nor an array of numbers with at most " << maxRank << " dimensions";
  if (rankOf(type) < core.rank)
    return op->emitOpError("has an operand ") << type << " with fewer than " << core.rank << " core dimensions";
  auto array = dyn_cast<ArrayType>(type);
  if (output && (!array || array.getReadonly()))
    return op->emitOpError("has an output ") << type << ", which cannot be written to";
  return success();
}

// |types| are those of inputs and outputs; operands, which some outputs may not be, have the loop's rank together.
static LogicalResult verifyOperands(Operation *op, ArrayRef<Type> types, const pa_core_signature &signature,
                                    int64_t *outRank) {
  *outRank = 0;
  for (size_t i = 0; i < types.size(); ++i) {
    const pa_core_operand &core = signature.operands[i];
    if (failed(verifyOperand(op, types[i], core, i >= static_cast<size_t>(signature.input_count)))) return failure();
    if (i < op->getNumOperands()) *outRank = std::max(*outRank, rankOf(types[i]) - core.rank);
  }
  return success();
}

static LogicalResult verifyArgument(UfuncOp op, Type argument, Type operand, const pa_core_operand &core) {
  auto view = dyn_cast<ArrayType>(argument);
  bool scalar = core.rank == 0 && !view;
  int64_t rank = scalar ? 0 : std::max(core.rank, 1);
  bool laidOut = scalar || (view && (isPlain(view, Layout::A) || (core.rank && view.getLayout() == Layout::C)));
  if (elementOf(argument) == elementOf(operand) && rankOf(argument) == rank && laidOut) return success();
  return op.emitOpError("has a body whose argument ") << argument << " does not fit the operand " << operand;
}

static LogicalResult verifyBody(UfuncOp op, ArrayRef<Type> types, const pa_core_signature &signature) {
  size_t ins = static_cast<size_t>(signature.input_count), outs = static_cast<size_t>(signature.output_count);
  Block &body = op.getBody().front();
  auto yield = dyn_cast<YieldOp>(body.back());
  if (!yield) return op.emitOpError("has a body that does not end in pyarray.yield");
  bool yields = !yield.getValues().empty();
  if (body.getNumArguments() != (yields ? ins : ins + outs))
    return op.emitOpError("has a body with ") << body.getNumArguments() << " arguments";
  if (yields && yield.getValues().size() != outs)
    return op.emitOpError("has a body that yields ") << yield.getValues().size() << " values";
  for (size_t i = 0; i < types.size(); ++i) {
    if (i < body.getNumArguments() && failed(verifyArgument(op, body.getArgument(static_cast<unsigned>(i)).getType(),
                                                            types[i], signature.operands[i])))
      return failure();
    if (i >= ins && !yields && !isa<ArrayType>(body.getArgument(static_cast<unsigned>(i)).getType()))
      return op.emitOpError("has a body that yields nothing, but gets no view of the output ") << types[i];
    if (yields && i >= ins &&
        (signature.operands[i].rank || yield.getValues()[i - ins].getType() != elementOf(types[i])))
      return op.emitOpError("has a body that yields ")
             << yield.getValues()[i - ins].getType() << " for the output " << types[i];
    bool elementwise = yields && !signature.operands[i].rank &&
                       (i >= ins || !isa<ArrayType>(body.getArgument(static_cast<unsigned>(i)).getType()));
    if ((op.getPacked() || op.getUnitStrides()) && !elementwise)
      return op.emitOpError("is packed, but not elementwise");
  }
  return success();
}

// New arrays are as numpy.empty makes them.
static LogicalResult verifyResults(UfuncOp op, const pa_core_signature &signature, int64_t rank) {
  bool known[PA_MAX_CORE_DIMENSIONS] = {};
  for (int i = 0; i < signature.input_count; ++i)
    for (int k = 0; k < signature.operands[i].rank; ++k) known[signature.operands[i].dimensions[k]] = true;
  for (auto [i, type] : llvm::enumerate(op.getResultTypes())) {
    const pa_core_operand &core = signature.operands[static_cast<size_t>(signature.input_count) + i];
    if (!(isPlain(type, Layout::C) || isPlain(type, Layout::F)) || rankOf(type) != rank + core.rank)
      return op.emitOpError("has a result ")
             << type << "; expected an array of layout C or F with " << rank + core.rank << " dimensions";
    for (int k = 0; k < core.rank; ++k)
      if (!known[core.dimensions[k]] && signature.dimensions[core.dimensions[k]].size < 0)
        return op.emitOpError("has a result whose core dimensions no input has");
  }
  return success();
}

// They may be said of operands that broadcast as they are alone.
static LogicalResult verifyShapes(UfuncOp op, const pa_core_signature &signature) {
  std::optional<ArrayRef<int64_t>> shapes = op.getShapes();
  if ((shapes || op.getAssigns()) && signature.dimension_count)
    return op.emitOpError("has core dimensions, which neither `shapes` nor `assigns` tells of");
  if (op.getReuses() && (op.getOutputs().size() != 1 || !llvm::is_contained(op.getInputs(), op.getOutputs().front())))
    return op.emitOpError("reuses memory, but its one output is no input");
  if (op.getAssigns() && op.getOutputs().size() != 1) return op.emitOpError("assigns, but not to one output");
  for (int64_t number : shapes.value_or(ArrayRef<int64_t>()))
    if (number < 0 || number >= static_cast<int64_t>(op.getInputs().size()))
      return op.emitOpError("names the shape of input ") << number << ", which it does not have";
  return success();
}

LogicalResult UfuncOp::verify() {
  pa_core_signature signature;
  if (failed(readSignature(*this, getSignature(), signature))) return failure();
  TypeRange outputs = getOutputs().empty() ? TypeRange(getResults()) : TypeRange(getOutputs());
  bool fits = getInputs().size() == static_cast<size_t>(signature.input_count) &&
              outputs.size() == static_cast<size_t>(signature.output_count);
  if (!fits || (!getOutputs().empty() && !getResults().empty()))
    return emitOpError("has ") << getInputs().size() << " inputs and " << outputs.size()
                               << " outputs, but the signature '" << getSignature() << "'";
  SmallVector<Type> types(getInputs().getTypes());
  types.append(outputs.begin(), outputs.end());
  int64_t rank;
  if (failed(verifyOperands(*this, types, signature, &rank)) || failed(verifyBody(*this, types, signature)) ||
      failed(verifyResults(*this, signature, rank)) || failed(verifyShapes(*this, signature)))
    return failure();
  if (getExpanded() && !getResults().empty()) return emitOpError("is expanded, but has no outputs");
  size_t first = getExpanded() ? 0 : getInputs().size();
  for (size_t i = first; getResults().empty() && i < types.size(); ++i)
    if (isa<ArrayType>(types[i]) && rankOf(types[i]) - signature.operands[i].rank != rank)
      return emitOpError("has an operand ") << types[i] << " without the " << rank << " loop dimensions";
  return success();
}

// The operands of |op| fit |contraction|; |*outLoop|: how many dimensions "..." stands for.
static LogicalResult verifyContracted(ContractOp op, const pa_contraction &contraction, ArrayRef<Type> types,
                                      int64_t *outLoop) {
  *outLoop = 0;
  for (size_t i = 0; i < types.size(); ++i) {
    const pa_contracted &operand = contraction.operands[i];
    int64_t loop = rankOf(types[i]) - operand.rank;
    bool isArray = isa<ArrayType>(types[i]) || (i == 2 && !rankOf(types[i]));
    if (!isArray || !isNumberOrArray(types[i]) || loop < 0 || (loop && !operand.broadcast))
      return op.emitOpError("has an operand ") << types[i] << " that does not fit '" << op.getContraction() << "'";
    if (elementOf(types[i]) != elementOf(types[0]))
      return op.emitOpError("has operands of the types ") << types[0] << " and " << types[i];
    *outLoop = std::max(*outLoop, loop);
  }
  return success();
}

// Which elements a word of a reduce takes.
static bool isFoldable(StringRef word, Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  bool truth = integer && integer.isSignless(), complex = isa<ComplexType>(type);
  bool number = integer || isa<FloatType>(type) || complex;
  bool delta = isa<TimedeltaType>(type), time = delta || isa<DatetimeType>(type);
  if (word.consume_front("nat_"))
    return integer && integer.isSigned() && integer.getWidth() == 64 && word != "mul" &&
           (word == "add" || word.ends_with("min") || word.ends_with("max"));
  if (word == "add") return (number && !truth) || delta;
  if (word == "mul") return number && !truth;
  if (word == "and" || word == "or" || word == "xor") return integer != nullptr;
  return number || time;
}

static bool isPosition(StringRef word) { return word.contains("arg"); }

static bool isFold(StringRef word) {
  return llvm::is_contained({"add", "mul", "min", "max", "and", "or", "xor", "argmin", "argmax", "nat_add", "nat_min",
                             "nat_max", "nat_argmin", "nat_argmax"},
                            word);
}

// What is folded at a point is |yield|, or its position.
static LogicalResult verifyWord(ReduceOp op, size_t number, Type yield) {
  StringRef word = cast<StringAttr>(op.getWords()[number]).getValue();
  if (!isFold(word)) return op.emitOpError("has an unknown word \"") << word << '"';
  if (!isFoldable(word, yield)) return op.emitOpError("folds ") << yield << " by \"" << word << '"';
  if (!op.getInitial().empty() && (isPosition(word) || op.getInitial()[number].getType() != yield))
    return op.emitOpError("starts the fold \"")
           << word << "\" of " << yield << " at " << op.getInitial()[number].getType();
  Type element = isPosition(word) ? IntegerType::get(op.getContext(), 64, IntegerType::Signed) : yield;
  Type result = op.getOutputs().empty() ? op.getResult(number).getType() : op.getOutputs()[number].getType();
  bool rounds = op.getGrid() && word == "add" && yield.isF32() && isa<Float16Type, BFloat16Type>(elementOf(result));
  if (elementOf(result) == element || rounds) return success();
  return op.emitOpError("folds ") << yield << " by \"" << word << "\" to " << result;
}

static LogicalResult verifyReduced(ReduceOp op, int64_t rank) {
  int64_t left = rank - static_cast<int64_t>(op.getAxes().size()), axes = left + op.getGrid();
  for (Type type : op.getOutputs().getTypes()) {
    auto array = dyn_cast<ArrayType>(type);
    if (!array || array.getReadonly() || rankOf(type) != axes)
      return op.emitOpError("has an output ")
             << type << "; expected an array that can be written, with " << axes << " dimensions";
  }
  for (Type type : op.getResultTypes()) {
    bool fits = left && !op.getExpanded()
                    ? (isPlain(type, Layout::C) || isPlain(type, Layout::F)) && rankOf(type) == left
                    : !left && !isa<ArrayType>(type);
    if (!fits)
      return op.emitOpError("has a result ") << type << "; expected "
                                             << (op.getExpanded() ? "a number, or outputs, for "
                                                 : left           ? "an array of layout C or F with "
                                                                  : "a number for ")
                                             << left << " dimensions";
  }
  return success();
}

LogicalResult ContractOp::verify() {
  pa_contraction contraction;
  StringRef text = getContraction();
  if (const char *error = pa_contraction_parse(text.data(), text.size(), &contraction))
    return emitOpError("has a malformed contraction '") << text << "': " << error;
  if (getInputs().size() != 2 || getOutputs().size() + getResults().size() != 1)
    return emitOpError("has two inputs, and an output or a result");
  SmallVector<Type> types(getInputs().getTypes());
  types.push_back(getOutputs().empty() ? getResults().front().getType() : getOutputs().front().getType());
  int64_t loop;
  if (failed(verifyContracted(*this, contraction, types, &loop))) return failure();
  auto array = dyn_cast<ArrayType>(types[2]);
  int64_t rank = loop + contraction.operands[2].rank;
  if (!getOutputs().empty() && (!array || array.getReadonly()))
    return emitOpError("has an output ") << types[2] << ", which cannot be written to";
  if (!getResults().empty() && (rankOf(types[2]) != rank || (rank ? !isPlain(types[2], Layout::C) : bool(array))))
    return emitOpError("has a result ") << types[2] << "; expected an array of layout C with " << rank
                                        << " dimensions, or a number where that is 0";
  if (getAdds() && (!getExpanded() || getOutputs().empty() || !isa<FloatType>(array.getElementType())))
    return emitOpError("adds to its output, but is not expanded, or has none of floats");
  if (getNegated() && !getAdds()) return emitOpError("is negated, but adds to no output");
  if (!getExpanded()) return success();
  if (!pa_contraction_is_product(&contraction)) return emitOpError("is expanded, but '") << text << "' is no product";
  if (!getResults().empty() && rank) return emitOpError("is expanded, but has no output");
  for (size_t i = 0; i < types.size(); ++i)
    if (rankOf(types[i]) - contraction.operands[i].rank != loop)
      return emitOpError("has an operand ") << types[i] << " without the " << loop << " loop dimensions";
  return success();
}

LogicalResult ReduceOp::verify() {
  size_t count = getWords().size();
  TypeRange outputs = getOutputs().empty() ? TypeRange(getResults()) : TypeRange(getOutputs());
  if (count == 0 || outputs.size() != count || (!getOutputs().empty() && getNumResults()) ||
      (!getInitial().empty() && getInitial().size() != count))
    return emitOpError("has ") << count << " words, " << getInitial().size() << " starts and " << outputs.size()
                               << " results";
  int64_t rank = 0, last = -1;
  for (Type type : getInputs().getTypes()) {
    if (!isNumberOrArray(type))
      return emitOpError("has an operand ")
             << type << ", which is neither a number nor an array of numbers with at most " << maxRank << " dimensions";
    rank = std::max(rank, rankOf(type));
  }
  for (Type type : getInputs().getTypes())
    if (getExpanded() && isa<ArrayType>(type) && rankOf(type) != rank)
      return emitOpError("has an operand ") << type << " without the " << rank << " loop dimensions";
  for (int64_t axis : getAxes()) {
    if (axis <= last || axis >= rank)
      return emitOpError("has axes that are not in order, or beyond its ") << rank << " loop dimensions";
    last = axis;
  }
  if (getOrder() && *getOrder() != "C" && *getOrder() != "F")
    return emitOpError("has an order that is neither \"C\" nor \"F\"");
  if (getBuffered() && !getOrder()) return emitOpError("is buffered, but has no order");
  Block &body = getBody().front();
  auto yield = dyn_cast<YieldOp>(body.back());
  if (!yield || yield.getValues().size() != count)
    return emitOpError("has a body that does not yield a number for each word");
  if (body.getNumArguments() != getInputs().size())
    return emitOpError("has a body with ") << body.getNumArguments() << " arguments";
  for (auto [argument, input] : llvm::zip(body.getArgumentTypes(), getInputs().getTypes()))
    if (argument != elementOf(input))
      return emitOpError("has a body whose argument ") << argument << " does not fit the operand " << input;
  for (size_t i = 0; i < count; ++i)
    if (failed(verifyWord(*this, i, yield.getValues()[i].getType()))) return failure();
  return verifyReduced(*this, rank);
}

LogicalResult UfuncShapeOp::verify() {
  pa_core_signature signature;
  if (failed(readSignature(*this, getSignature(), signature))) return failure();
  bool given = !getOutputs().empty();
  if (getAssigns() && (getOutputs().size() != 1 || signature.dimension_count))
    return emitOpError("assigns, but not to one output without core dimensions");
  if (getInputs().size() != static_cast<size_t>(signature.input_count) ||
      (given && getOutputs().size() != static_cast<size_t>(signature.output_count)))
    return emitOpError("has ") << getInputs().size() << " inputs and " << getOutputs().size()
                               << " outputs, but the signature '" << getSignature() << "'";
  int64_t rank;
  if (failed(verifyOperands(*this, SmallVector<Type>(getOperandTypes()), signature, &rank))) return failure();
  size_t count = static_cast<size_t>(rank + signature.dimension_count);
  if (getSizes().size() != count ||
      !llvm::all_of(getSizes().getTypes(), [](Type type) { return type.isSignedInteger(64); }))
    return emitOpError("has ") << getSizes().size() << " results; expected " << count << " of type si64";
  return success();
}

LogicalResult BroadcastToOp::verify() {
  if (failed(verifyArrays(*this, {getArray().getType(), getResult().getType()}))) return failure();
  auto from = cast<ArrayType>(getArray().getType()), to = cast<ArrayType>(getResult().getType());
  if (!llvm::all_of(getExtents().getTypes(), [](Type type) { return type.isSignedInteger(64); }))
    return emitOpError("has extents that are not of type si64");
  int64_t loop = static_cast<int64_t>(getExtents().size()), core = rankOf(to) - loop, own = rankOf(from) - core;
  bool fits = core >= 0 && own >= 0 && own <= loop && to.getLayout() == Layout::A;
  for (int64_t axis = 0; fits && axis < loop; ++axis)
    fits = ShapedType::isDynamic(to.getShape()[static_cast<size_t>(axis)]);
  if (!fits || from.getElementType() != to.getElementType() || from.getReadonly() != to.getReadonly())
    return emitOpError("cannot view ") << from << " as " << to << " with " << loop << " loop dimensions";
  return success();
}

LogicalResult FieldOp::verify() {
  auto from = dyn_cast<ArrayType>(getRecord().getType()), to = dyn_cast<ArrayType>(getResult().getType());
  if (!from || !to || from.getRank() < 1 || !from.getElementType().isUnsignedInteger(8) ||
      ShapedType::isDynamic(from.getShape().back()))
    return emitOpError("views bytes, whose last extent is known, as an array; not ")
           << getRecord().getType() << " as " << getResult().getType();
  int64_t lead = from.getRank() - 1, own = static_cast<int64_t>(getExtents().size()), size = from.getShape().back(),
          room = size - getOffset();
  bool bytes = to.getRank() == lead + own + 1 && !ShapedType::isDynamic(to.getShape().back()) &&
               to.getElementType().isUnsignedInteger(8);
  int64_t field = bytes ? to.getShape().back() : 1;
  bool fits = (bytes || to.getRank() == lead + own) && to.getLayout() == (lead ? Layout::A : Layout::C) &&
              from.getReadonly() == to.getReadonly() && room >= 0;
  for (int64_t extent : getExtents())
    fits = fits && extent >= 0 && !llvm::MulOverflow(field, extent, field) && field <= size;
  return fits && field <= room ? success() : emitOpError("cannot view ") << from << " as " << to;
}

// Whether a view with these types has the same elements, which may be known to be more of.
static bool isViewOf(ArrayType to, ArrayType from) {
  return from.getElementType() == to.getElementType() && (to.getReadonly() || !from.getReadonly());
}
static bool mayBe(int64_t extent, int64_t other) {
  return extent == other || ShapedType::isDynamic(extent) || ShapedType::isDynamic(other);
}

LogicalResult InsertAxesOp::verify() {
  if (failed(verifyArrays(*this, {getArray().getType(), getResult().getType()}))) return failure();
  auto from = cast<ArrayType>(getArray().getType()), to = cast<ArrayType>(getResult().getType());
  int64_t rank = rankOf(to), next = 0;
  bool fits = isViewOf(to, from) && rankOf(from) + static_cast<int64_t>(getAxes().size()) == rank &&
              (to.getLayout() == Layout::A || to.getLayout() == from.getLayout());
  for (int64_t axis : getAxes()) {
    fits = fits && axis >= next && axis < rank && mayBe(to.getShape()[static_cast<size_t>(axis)], 1);
    next = axis + 1;
  }
  for (int64_t axis = 0, own = 0; fits && axis < rank; ++axis)
    if (!llvm::is_contained(getAxes(), axis))
      fits = mayBe(from.getShape()[static_cast<size_t>(own++)], to.getShape()[static_cast<size_t>(axis)]);
  return fits ? success() : emitOpError("cannot view ") << from << " as " << to;
}

// What the axes in another order are laid out as, for certain.
static Layout transposedLayout(ArrayRef<int64_t> axes, Layout layout) {
  bool kept = true, reversed = true;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    kept = kept && axis == static_cast<int64_t>(i);
    reversed = reversed && axis == static_cast<int64_t>(axes.size() - 1 - i);
  }
  if (kept || layout == Layout::A) return layout;
  return !reversed ? Layout::A : layout == Layout::C ? Layout::F : Layout::C;
}

LogicalResult TransposeOp::verify() {
  if (failed(verifyArrays(*this, {getArray().getType(), getResult().getType()}))) return failure();
  auto from = cast<ArrayType>(getArray().getType()), to = cast<ArrayType>(getResult().getType());
  SmallVector<int64_t> sorted(getAxes());
  llvm::sort(sorted);
  bool fits = isViewOf(to, from) && rankOf(from) == rankOf(to) && static_cast<int64_t>(sorted.size()) == rankOf(to) &&
              (to.getLayout() == Layout::A || to.getLayout() == transposedLayout(getAxes(), from.getLayout()));
  for (int64_t i = 0; fits && i < rankOf(to); ++i)
    fits = sorted[static_cast<size_t>(i)] == i &&
           mayBe(from.getShape()[static_cast<size_t>(getAxes()[static_cast<size_t>(i)])],
                 to.getShape()[static_cast<size_t>(i)]);
  return fits ? success() : emitOpError("cannot view ") << from << " as " << to;
}

LogicalResult OrderDimensionsOp::verify() {
  if (getArrays().size() != getResults().size() || getArrays().empty())
    return emitOpError("has ") << getArrays().size() << " arrays and " << getResults().size() << " results";
  if (failed(verifyArrays(*this, getArrays().getTypes()))) return failure();
  int64_t loop = static_cast<int64_t>(getLoopRank());
  for (auto [array, result] : llvm::zip(getArrays(), getResults())) {
    auto from = cast<ArrayType>(array.getType()), to = dyn_cast<ArrayType>(result.getType());
    if (loop < 1 || loop > rankOf(from)) return emitOpError("orders ") << loop << " loop dimensions of " << from;
    if (!to || !isPlain(to, Layout::A) || rankOf(to) != rankOf(from) || from.getElementType() != to.getElementType() ||
        from.getReadonly() != to.getReadonly())
      return emitOpError("cannot view ") << from << " as " << result.getType();
  }
  return success();
}

LogicalResult PrivateOp::verify() {
  if (failed(verifyArrays(*this, getArray().getType()))) return failure();
  static constexpr StringLiteral kinds[] = {"add", "mul", "min",     "max",     "and",
                                            "or",  "xor", "nat_add", "nat_min", "nat_max"};
  if (!llvm::is_contained(kinds, getKind())) return emitOpError("has no reduction '") << getKind() << "'";
  if (!isa_and_nonnull<ForOp>((*this)->getParentOp())) return emitOpError("is not at the top of a loop");
  return success();
}

LogicalResult IndependentOp::verify() { return verifyArrays(*this, getOperandTypes()); }

LogicalResult RowsApartOp::verify() {
  if (getOutputs().empty()) return emitOpError("has no output");
  if (failed(verifyArrays(*this, getOperandTypes()))) return failure();
  for (Type type : getOperandTypes())
    if (rankOf(type) < 2) return emitOpError("has an operand ") << type << " without rows";
  return success();
}

LogicalResult InnerStridesOp::verify() {
  if (failed(verifyArrays(*this, getOperandTypes()))) return failure();
  for (Type type : getOperandTypes())
    if (!rankOf(type)) return emitOpError("has an operand ") << type << " without dimensions";
  return success();
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

// The type of an element in a tensor: as it lies in memory, integers without signs. Null for what is no number.
static Type tensorElement(Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  if (integer && integer.getWidth() > 1 && !integer.isSignless())
    return IntegerType::get(element.getContext(), integer.getWidth());
  return isa<FloatType, ComplexType>(element) ? element : Type();
}

// Whether |to| has the rank of |from|, and no extent that it does not have.
static bool saysNoMore(ArrayRef<int64_t> to, ArrayRef<int64_t> from) {
  if (to.size() != from.size()) return false;
  for (size_t i = 0; i < to.size(); ++i)
    if (!ShapedType::isDynamic(to[i]) && to[i] != from[i]) return false;
  return true;
}

static LogicalResult verifyTensor(Operation *op, Type arrayType, RankedTensorType tensor) {
  auto array = dyn_cast<ArrayType>(arrayType);
  if (!array || !tensorElement(array.getElementType()))
    return op->emitOpError("is of arrays of numbers other than bool, not of ") << arrayType;
  if (tensor.getEncoding() || static_cast<int64_t>(array.getShape().size()) > maxRank)
    return op->emitOpError("is of tensors without encoding and of at most 32 dimensions");
  if (tensor.getElementType() == tensorElement(array.getElementType())) return success();
  return op->emitOpError("has elements ") << array.getElementType() << " in an array and " << tensor.getElementType()
                                          << " in a tensor; expected " << tensorElement(array.getElementType());
}

LogicalResult ToTensorOp::verify() {
  auto tensor = cast<RankedTensorType>(getType());
  if (failed(verifyTensor(*this, getArray().getType(), tensor))) return failure();
  if (saysNoMore(tensor.getShape(), cast<ArrayType>(getArray().getType()).getShape())) return success();
  return emitOpError("says more of extents in ") << tensor << " than is known of " << getArray().getType();
}

LogicalResult FromTensorOp::verify() {
  auto tensor = cast<RankedTensorType>(getTensor().getType());
  if (failed(verifyTensor(*this, getType(), tensor))) return failure();
  auto array = cast<ArrayType>(getType());
  if (array.getLayout() != Layout::C || array.getReadonly())
    return emitOpError("makes an array of layout C that may be written, not ") << array;
  if (saysNoMore(array.getShape(), tensor.getShape())) return success();
  return emitOpError("says more of extents in ") << array << " than is known of " << tensor;
}
