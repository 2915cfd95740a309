// Effects of calls of builtins: the letters of lib/ir/builtin_effects.def.
#include "PyArrayBuiltins.h"
#include "PyArrayCollectEffects.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace pyarray;

static StringRef lettersOf(StringRef name, const BuiltinRow &row) {
  static const llvm::StringMap<StringRef> ofNames = {
#define PA_LOWERING_EFFECTS(lowering, letters)
#define PA_BUILTIN_EFFECTS(name, letters) {name, letters},
#include "builtin_effects.def"
#undef PA_LOWERING_EFFECTS
#undef PA_BUILTIN_EFFECTS
  };
  static const llvm::DenseMap<unsigned, StringRef> ofRules = {
#define PA_LOWERING_EFFECTS(lowering, letters) {PA_LOWERING_##lowering, letters},
#define PA_BUILTIN_EFFECTS(name, letters)
#include "builtin_effects.def"
#undef PA_LOWERING_EFFECTS
#undef PA_BUILTIN_EFFECTS
  };
  if (auto found = ofNames.find(name); found != ofNames.end()) return found->second;
  auto found = ofRules.find(row.lowering);
  return found == ofRules.end() ? StringRef("*") : found->second;
}

template <typename ResourceT> static void readOperands(Operation *op, Effects &effects, unsigned memory) {
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    if (memoryOf(op->getOperand(i).getType()) & memory) effects.read<ResourceT>(i);
}

// Of math and cmath; the logarithm to a base is a division.
static bool hasErrors(BuiltinOp op) {
  return op.getName() == "math.log" && op.getNumOperands() == 2 ? hasPythonErrors(op) : hasStrictErrors(op);
}

static void addLetter(BuiltinOp op, Effects &effects, const BuiltinRow &row, char letter) {
  switch (letter) {
  case 'x': return effects.raise();
  case 'm': return row.hasErrors && !op.getName().starts_with("numpy.") && hasErrors(op) ? effects.raise() : void();
  case 'p':
    return isa<IntegerType>(op.getResult().getType()) && !isKnownNonNegative(op.getOperand(1)) ? effects.raise()
                                                                                               : void();
  case 'c': {
    bool raises = isa<ComplexType>(op.getOperand(0).getType()) && !op.getName().starts_with("numpy.");
    return raises && hasStrictErrors(op) ? effects.raise() : void();
  }
  case 't': return row.target.contains('!') ? effects.raise() : void();
  case 'e': return readOperands<ElementsResource>(op, effects, ArrayMemory);
  case 'i': return readOperands<ItemsResource>(op, effects, ItemMemory);
  case 'l': return readOperands<LengthsResource>(op, effects, ItemMemory);
  case 'f': return readOperands<FieldsResource>(op, effects, FieldMemory);
  case 'E': return effects.write<ElementsResource>(0);
  case 'I': return effects.write<ItemsResource>(0);
  case 'L': return effects.write<LengthsResource>(0);
  case 'F': return effects.write<FieldsResource>(0);
  case 'h': return effects.read<HeadersResource>();
  case 'H': return effects.write<HeadersResource>();
  case 's': return effects.read<ExceptionResource>();
  case 'r': return effects.read<RandomResource>();
  case 'R': return effects.write<RandomResource>();
  case 'o': return effects.read<OutputResource>();
  case 'O': return effects.write<OutputResource>();
  default: return;
  }
}

static bool writesToFirstOperand(StringRef letters) { return letters.find_first_of("EILF") != StringRef::npos; }

PYARRAY_EFFECTS(BuiltinOp) {
  Effects effects(*this, instances);
  const BuiltinRow *row = findBuiltin(getName());
  StringRef letters = row ? lettersOf(getName(), *row) : StringRef("*");
  bool drops = letters.contains('d') && getNumOperands() && runsCodeWhenDropped(*this, getOperand(0).getType());
  bool runs =
      llvm::any_of(getOperandTypes(), [](Type type) { return isa<AnyType, GeneratorType>(type); }) && !letters.empty();
  if (letters.contains('*') || isUntyped(*this) || drops || runs ||
      (writesToFirstOperand(letters) && !getNumOperands()))
    effects.everything();
  else
    for (char letter : letters) addLetter(*this, effects, *row, letter);
  if (letters.contains('n')) effects.makeMemory();
  if (!letters.contains('v')) effects.makeResults();
}
