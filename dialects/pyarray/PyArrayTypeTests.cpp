// Questions about types that verifiers, constraints and effects ask.
#include "PyArray.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace pyarray;

bool pyarray::isValueType(Type type) {
  if (auto tuple = dyn_cast<TupleType>(type)) return llvm::all_of(tuple.getTypes(), isValueType);
  return isNumber(type) || isa<PyArrayDialect>(type.getDialect());
}

static bool isHandle(Type type) {
  return isa<StrType, BytesType, BytearrayType, ObjectType, ListType, SetType, FrozenSetType, DequeType, DictType,
             GeneratorType, CellType>(type);
}

bool pyarray::isManaged(Type type) {
  if (isa<ArrayType>(type) || isHandle(type)) return true;
  if (auto optional = dyn_cast<OptionalType>(type)) return isManaged(optional.getItem());
  if (auto variable = dyn_cast<VariableType>(type)) return isManaged(variable.getItem());
  if (auto tuple = dyn_cast<TupleType>(type)) return llvm::any_of(tuple.getTypes(), isManaged);
  return false;
}

bool pyarray::isNumber(Type type) { return ArrayType::isValidElementType(type); }

unsigned pyarray::memoryOf(Type type) {
  if (isa<ArrayType, PointerType>(type)) return ArrayMemory;
  if (isa<AnyType, GeneratorType>(type)) return AnyMemory;
  if (isa<ObjectType>(type)) return FieldMemory;
  if (isa<BytearrayType>(type)) return ItemMemory;
  if (auto dict = dyn_cast<DictType>(type)) return ItemMemory | memoryOf(dict.getKey()) | memoryOf(dict.getValue());
  if (auto optional = dyn_cast<OptionalType>(type)) return memoryOf(optional.getItem());
  if (auto tagged = dyn_cast<TaggedType>(type)) return memoryOf(tagged.getItem());
  if (auto list = dyn_cast<ListType>(type)) return ItemMemory | memoryOf(list.getItem());
  if (auto set = dyn_cast<SetType>(type)) return ItemMemory | memoryOf(set.getItem());
  if (auto set = dyn_cast<FrozenSetType>(type)) return ItemMemory | memoryOf(set.getItem());
  if (auto deque = dyn_cast<DequeType>(type)) return ItemMemory | memoryOf(deque.getItem());
  if (auto cell = dyn_cast<CellType>(type)) return ItemMemory | memoryOf(cell.getItem());
  unsigned memory = NoMemory;
  if (auto tuple = dyn_cast<TupleType>(type))
    for (Type element : tuple.getTypes()) memory |= memoryOf(element);
  return memory;
}

static bool isAny(Type type) { return isa<AnyType>(type); }
bool pyarray::isUntyped(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isAny) || llvm::any_of(op->getResultTypes(), isAny);
}

// Types of the fields of instances, by the module's attribute `pyarray.classes`; null where it does not say.
static TupleType fieldsOf(Operation *op, ObjectType object) {
  auto module = op->getParentOfType<ModuleOp>();
  auto classes = module ? module->getAttrOfType<DictionaryAttr>("pyarray.classes") : DictionaryAttr();
  auto description = classes ? classes.getAs<DictionaryAttr>(object.getName()) : DictionaryAttr();
  auto types = description ? description.getAs<TypeAttr>("types") : TypeAttr();
  return types ? dyn_cast<TupleType>(types.getValue()) : TupleType();
}

static bool runsCodeWhenDropped(Operation *op, Type type, llvm::StringSet<> &seen) {
  auto runs = [&](Type inner) { return ::runsCodeWhenDropped(op, inner, seen); };
  if (isa<AnyType, GeneratorType>(type)) return true;
  if (auto dict = dyn_cast<DictType>(type)) return runs(dict.getKey()) || runs(dict.getValue());
  if (auto optional = dyn_cast<OptionalType>(type)) return runs(optional.getItem());
  if (auto tagged = dyn_cast<TaggedType>(type)) return runs(tagged.getItem());
  if (auto list = dyn_cast<ListType>(type)) return runs(list.getItem());
  if (auto set = dyn_cast<SetType>(type)) return runs(set.getItem());
  if (auto set = dyn_cast<FrozenSetType>(type)) return runs(set.getItem());
  if (auto deque = dyn_cast<DequeType>(type)) return runs(deque.getItem());
  if (auto cell = dyn_cast<CellType>(type)) return runs(cell.getItem());
  if (auto variable = dyn_cast<VariableType>(type)) return runs(variable.getItem());
  if (auto tuple = dyn_cast<TupleType>(type)) return llvm::any_of(tuple.getTypes(), runs);
  auto object = dyn_cast<ObjectType>(type);
  if (!object || !seen.insert(object.getName()).second) return false;
  TupleType fields = fieldsOf(op, object);
  return !fields || llvm::any_of(fields.getTypes(), runs);
}

bool pyarray::runsCodeWhenDropped(Operation *op, Type type) {
  llvm::StringSet<> seen;
  return ::runsCodeWhenDropped(op, type, seen);
}
