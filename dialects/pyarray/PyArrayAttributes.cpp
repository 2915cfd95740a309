// Verification of the attributes `pyarray.*` that stand on operations beside their own.
#include "PyArray.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace pyarray;

namespace {

struct AttributeRow {
  char place, form;
};

} // namespace

static const AttributeRow *rowOf(StringRef name) {
  static const llvm::StringMap<AttributeRow> rows = {
#define PA_ATTRIBUTE(name, place, form) {name, {*place, form}},
#include "Attributes.def"
#undef PA_ATTRIBUTE
  };
  auto found = rows.find(name);
  return found == rows.end() ? nullptr : &found->second;
}

static bool isLoop(Operation *op) { return isa<LoopLikeOpInterface>(op); }

// What stands at a place that the attribute does not belong to; null where it does.
static const char *expectedPlace(Operation *op, char place) {
  switch (place) {
  case 'F': return isa<FunctionOpInterface>(op) ? nullptr : "functions";
  // Not by the trait SymbolTable: libMLIR.so may know it by another name, where another compiler has built it.
  case 'M': return isa<ModuleOp>(op) || op->getName().getStringRef() == "gpu.module" ? nullptr : "modules";
  case 'L': return isLoop(op) ? nullptr : "loops";
  case 'G': return isa<GetItemOp, SetItemOp>(op) ? nullptr : "pyarray.getitem and pyarray.setitem";
  default: return nullptr;
  }
}

static bool isStrings(Attribute value) {
  auto array = dyn_cast<ArrayAttr>(value);
  return array && llvm::all_of(array, [](Attribute element) { return isa<StringAttr>(element); });
}

// What the attribute should be; null where it is that.
static const char *expectedForm(Attribute value, char form) {
  switch (form) {
  case 'u': return isa<UnitAttr>(value) ? nullptr : "without a value";
  case 's': return isa<StringAttr>(value) ? nullptr : "a string";
  case 'i': return isa<IntegerAttr>(value) ? nullptr : "an integer";
  case 't': return isa<TypeAttr>(value) ? nullptr : "a type";
  case 'y': return isa<SymbolRefAttr>(value) ? nullptr : "a symbol";
  case 'd': return isa<DictionaryAttr>(value) ? nullptr : "a dictionary";
  case 'a': return isa<ArrayAttr>(value) ? nullptr : "an array";
  case 'S': return isStrings(value) ? nullptr : "an array of strings";
  case 'I': return isa<DenseI64ArrayAttr>(value) ? nullptr : "array<i64: ...>";
  case 'B': return isa<DenseBoolArrayAttr>(value) ? nullptr : "array<i1: ...>";
  default: return nullptr;
  }
}

// Some of LLVM's flags, "nsz, reassoc".
static bool areFastMathFlags(Attribute value) {
  static constexpr StringLiteral flags[] = {"afn", "arcp", "contract", "ninf", "nnan", "nsz", "reassoc"};
  auto text = dyn_cast<StringAttr>(value);
  if (!text || text.getValue().empty()) return false;
  SmallVector<StringRef> words;
  text.getValue().split(words, ',');
  return llvm::all_of(words, [](StringRef word) { return llvm::is_contained(flags, word.trim()); });
}

// An option that is a bool, or a word out of those that are listed; any word where none is.
static LogicalResult verifyOption(Operation *op, NamedAttribute option) {
  static const llvm::StringMap<SmallVector<StringRef>> words = {{"error_model", {"python", "numpy", "strict"}},
                                                                {"inline", {"auto", "always", "never"}},
                                                                {"target", {"cuda", "cuda-on-cpu", "cpu"}}};
  static constexpr StringLiteral flags[] = {"boundscheck", "fastmath", "offload", "parallel"};
  StringRef name = option.getName();
  if (llvm::is_contained(flags, name)) {
    if (isa<BoolAttr>(option.getValue())) return success();
    bool takesFlags = name == "fastmath";
    if (takesFlags && areFastMathFlags(option.getValue())) return success();
    return op->emitOpError("has the option '")
           << name << "' = " << option.getValue() << "; expected true or false"
           << (takesFlags ? ", or some of \"afn, arcp, contract, ninf, nnan, nsz, reassoc\"" : "");
  }
  auto row = words.find(name);
  if (row == words.end())
    return op->emitOpError("has an option '") << name
                                              << "' in pyarray.options, which there is not; there are boundscheck, "
                                                 "fastmath, offload, parallel, error_model, inline, target";
  auto word = dyn_cast<StringAttr>(option.getValue());
  if (word && llvm::is_contained(row->second, word.getValue())) return success();
  InFlightDiagnostic error = op->emitOpError("has the option '")
                             << name << "' = " << option.getValue() << "; expected ";
  llvm::interleaveComma(row->second, error, [&](StringRef each) { error << '"' << each << '"'; });
  return error;
}

// By the body: an operation's attributes are verified before the operation, which may lack its type.
static LogicalResult verifyParameters(Operation *op, ArrayAttr names) {
  if (op->getNumRegions() == 0 || op->getRegion(0).empty()) return success();
  unsigned count = op->getRegion(0).getNumArguments();
  if (names.size() == count) return success();
  return op->emitOpError("names ") << names.size() << " parameters in pyarray.params, but has " << count;
}

static LogicalResult verifyInBounds(Operation *op, DenseBoolArrayAttr flags) {
  size_t indices =
      isa<GetItemOp>(op) ? cast<GetItemOp>(op).getIndices().size() : cast<SetItemOp>(op).getIndices().size();
  if (static_cast<size_t>(flags.size()) == indices) return success();
  return op->emitOpError("has ") << flags.size() << " flags in pyarray.in_bounds for " << indices << " indices";
}

// The class of instances, of named tuples and of members of enums; empty of other types.
static StringRef classOf(Type type) {
  if (auto object = dyn_cast<ObjectType>(type)) return object.getName();
  auto tagged = dyn_cast<TaggedType>(type);
  static constexpr StringLiteral kinds[] = {"namedtuple", "enum", "int enum", "flag"};
  auto tag = tagged ? dyn_cast<StringAttr>(tagged.getTag()) : StringAttr();
  return tag && llvm::is_contained(kinds, tagged.getKind()) ? tag.getValue() : StringRef();
}

// Inference asks the module for what there is to know of the arguments' classes.
static LogicalResult verifySignatures(Operation *op, ArrayAttr signatures) {
  auto module = op->getParentOfType<ModuleOp>();
  auto classes = module ? module->getAttrOfType<DictionaryAttr>("pyarray.classes") : DictionaryAttr();
  WalkResult result = signatures.walk([&](Type type) {
    StringRef name = classOf(type);
    if (name.empty() || (classes && classes.getAs<DictionaryAttr>(name))) return WalkResult::advance();
    op->emitOpError("is instantiated for '") << name << "', a class that the module's pyarray.classes do not have";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

// A class of enums says of each number what member it is and what its value is.
static LogicalResult verifyEnums(Operation *op, DictionaryAttr classes) {
  for (NamedAttribute entry : classes) {
    auto description = dyn_cast<DictionaryAttr>(entry.getValue());
    auto kind = description ? description.getAs<StringAttr>("kind") : StringAttr();
    if (!kind || (kind != "enum" && kind != "int enum" && kind != "flag")) continue;
    auto numbers = description.getAs<ArrayAttr>("numbers");
    for (StringRef part : {"names", "values"}) {
      auto parts = description.getAs<ArrayAttr>(part);
      if (!numbers || !parts || parts.size() != numbers.size())
        return op->emitOpError("has a class '") << entry.getName().getValue() << "' in pyarray.classes, an " << kind
                                                << ", without '" << part << "' for each of its 'numbers'";
    }
  }
  return success();
}

LogicalResult PyArrayDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef whole = attribute.getName();
  Attribute value = attribute.getValue();
  const AttributeRow *row = rowOf(whole.drop_front(getDialectNamespace().size() + 1));
  if (!row)
    return op->emitOpError("has an attribute '")
           << whole << "', which the dialect does not have; Attributes.def lists those that there are";
  if (const char *place = expectedPlace(op, row->place))
    return op->emitOpError("has the attribute '") << whole << "', which belongs to " << place;
  if (const char *form = expectedForm(value, row->form))
    return op->emitOpError("has '") << whole << "' = " << value << "; expected " << form;
  if (whole == "pyarray.options")
    for (NamedAttribute option : cast<DictionaryAttr>(value))
      if (failed(verifyOption(op, option))) return failure();
  if (whole == "pyarray.classes" && isa<DictionaryAttr>(value)) return verifyEnums(op, cast<DictionaryAttr>(value));
  if (whole == "pyarray.params") return verifyParameters(op, cast<ArrayAttr>(value));
  if (whole == "pyarray.instantiate") return verifySignatures(op, cast<ArrayAttr>(value));
  if (whole == "pyarray.in_bounds") return verifyInBounds(op, cast<DenseBoolArrayAttr>(value));
  return success();
}
