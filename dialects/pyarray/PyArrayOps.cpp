// Verifiers and custom assembly of the operations.
#include "PyArray.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace pyarray;

#define GET_OP_CLASSES
#include "PyArrayOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static LogicalResult verifyKeywords(Operation *op, ArrayAttr keywords, size_t argumentCount) {
  if (keywords.size() <= argumentCount) return success();
  return op->emitOpError("names ") << keywords.size() << " keyword arguments but has " << argumentCount << " arguments";
}

LogicalResult ApplyOp::verify() { return verifyKeywords(*this, getKw(), getArguments().size()); }
LogicalResult MethodOp::verify() { return verifyKeywords(*this, getKw(), getArguments().size()); }

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getCalleeAttr());
  if (!callee) return emitOpError("calls ") << getCalleeAttr() << ", which is no function of this module";
  FunctionType type = callee.getFunctionType();
  if (TypeRange(type.getInputs()) != TypeRange(getArguments()) ||
      TypeRange(type.getResults()) != TypeRange(getOperation()->getResultTypes()))
    return emitOpError("does not fit the type of ") << getCalleeAttr() << ", " << type;
  return success();
}

//===----------------------------------------------------------------------===//
// For
//===----------------------------------------------------------------------===//

LogicalResult ForOp::verify() {
  Block &body = getBody().front();
  if (body.getNumArguments() != getInits().size() + 1)
    return emitOpError("has a body with ") << body.getNumArguments() << " arguments; expected the item and "
                                           << getInits().size() << " loop-carried values";
  if (TypeRange(body.getArguments().drop_front()) != TypeRange(getInits()) ||
      getOperation()->getResultTypes() != TypeRange(getInits()))
    return emitOpError("carries values whose types differ between inits, body and results");
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield || yield.getValues().getTypes() != TypeRange(getInits()))
    return emitOpError("has a body that does not yield the loop-carried types");
  return verifyIteration(*this, getIterable().getType(), body.getArgument(0).getType());
}

// for ::= `pyarray.for` `(` item `:` type (`,` carried `:` type)* `)` `in` iterable `:` type (`iter` `(` inits `)`)?
//         region attr-dict?
ParseResult ForOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::Argument> arguments;
  OpAsmParser::UnresolvedOperand iterable;
  SmallVector<OpAsmParser::UnresolvedOperand> inits;
  Type iterableType;
  if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren, /*allowType=*/true) ||
      parser.parseKeyword("in") || parser.parseOperand(iterable) || parser.parseColonType(iterableType) ||
      parser.resolveOperand(iterable, iterableType, state.operands))
    return failure();
  if (arguments.empty()) return parser.emitError(parser.getNameLoc(), "expected the loop's item");
  SmallVector<Type> carried;
  for (auto &argument : ArrayRef(arguments).drop_front()) carried.push_back(argument.type);
  SMLoc place = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("iter")))
    if (parser.parseOperandList(inits, OpAsmParser::Delimiter::Paren)) return failure();
  if (parser.resolveOperands(inits, carried, place, state.operands)) return failure();
  state.addTypes(carried);
  if (parser.parseRegion(*state.addRegion(), arguments) || parser.parseOptionalAttrDict(state.attributes))
    return failure();
  ensureTerminator(*state.regions.front(), parser.getBuilder(), state.location);
  return success();
}

void ForOp::print(OpAsmPrinter &printer) {
  Block &body = getBody().front();
  printer << " (";
  llvm::interleaveComma(body.getArguments(), printer,
                        [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ") in " << getIterable() << " : " << getIterable().getType();
  if (!getInits().empty()) printer << " iter(" << getInits() << ")";
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/!getInits().empty());
  printer.printOptionalAttrDict((*this)->getAttrs());
}

//===----------------------------------------------------------------------===//
// Try
//===----------------------------------------------------------------------===//

LogicalResult TryOp::verify() {
  for (Region *region : {&getBody(), &getHandler()}) {
    auto yield = dyn_cast<YieldOp>(region->front().getTerminator());
    if (!yield || yield.getValues().getTypes() != getOperation()->getResultTypes())
      return emitOpError("has a region that does not yield the types of its results");
  }
  return success();
}
