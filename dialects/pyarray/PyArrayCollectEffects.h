// Collecting the effects of an operation; and what PyArrayEffects.cpp and PyArrayBuiltinEffects.cpp share besides.
#ifndef PYARRAY_DIALECTS_PYARRAY_COLLECT_EFFECTS_H
#define PYARRAY_DIALECTS_PYARRAY_COLLECT_EFFECTS_H

#include "PyArray.h"

namespace pyarray {

using namespace mlir;
using Instances = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

// Whether it raises what Python does, by its error_model or that of its function.
bool hasPythonErrors(Operation *op);
// Whether it raises also where a float has a result by IEEE 754, as CPython does: its error_model is "strict".
bool hasStrictErrors(Operation *op);
bool isKnownNonNegative(Value value);

class Effects {
public:
  Effects(Operation *op, Instances &instances) : op(op), instances(instances) {}

  template <typename ResourceT> void read(unsigned operand) {
    instances.emplace_back(MemoryEffects::Read::get(), &op->getOpOperand(operand), ResourceT::get());
  }
  template <typename ResourceT> void write(unsigned operand) {
    instances.emplace_back(MemoryEffects::Write::get(), &op->getOpOperand(operand), ResourceT::get());
  }
  template <typename ResourceT> void read() { instances.emplace_back(MemoryEffects::Read::get(), ResourceT::get()); }
  template <typename ResourceT> void write() { instances.emplace_back(MemoryEffects::Write::get(), ResourceT::get()); }
  void raise() { write<ExceptionResource>(); }

  void readItems(unsigned operand) {
    read<ItemsResource>(operand);
    read<LengthsResource>(operand);
  }
  void writeItems(unsigned operand) {
    write<ItemsResource>(operand);
    write<LengthsResource>(operand);
  }

  // What somebody else's code may do. The default resource stands for memory of other dialects.
  void everything() {
    read<SideEffects::DefaultResource>();
    write<SideEffects::DefaultResource>();
#define PYARRAY_EVERYTHING(Name, text)                                                                                 \
  read<Name##Resource>();                                                                                              \
  write<Name##Resource>();
    PYARRAY_RESOURCES(PYARRAY_EVERYTHING)
#undef PYARRAY_EVERYTHING
  }

  // A result that is managed is a new reference, of its own: two of them are not one.
  void ownResults() { allocateResults(HeadersResource::get()); }
  // To a new object, which has memory besides. Of which kind does not matter to anybody.
  void makeResults() {
    allocateResults(HeadersResource::get());
    allocateResults(ItemsResource::get());
  }

  // New memory of arrays, which nothing else knows.
  void makeMemory() { allocateResults(ElementsResource::get()); }

  // The items that an operand holds, whatever it is, are gone over.
  void goOver(unsigned operand) {
    unsigned memory = memoryOf(op->getOperand(operand).getType());
    if (memory & AnyMemory) return everything();
    if (memory & ArrayMemory) read<ElementsResource>(operand);
    if (memory & ItemMemory) readItems(operand);
    if ((memory & ItemMemory) && !isa<ListType>(op->getOperand(operand).getType())) raise(); // it has changed meanwhile
  }

  void askLength(unsigned operand) {
    Type type = op->getOperand(operand).getType();
    unsigned memory = memoryOf(type);
    if (isa<AnyType, GeneratorType>(type)) return everything();
    if (memory & ItemMemory) read<LengthsResource>(operand);
    if ((memory & ItemMemory) && !isa<ListType, BytearrayType>(type)) raise();
  }

private:
  void allocateResults(SideEffects::Resource *resource) {
    for (OpResult result : op->getResults())
      if (isManaged(result.getType())) instances.emplace_back(MemoryEffects::Allocate::get(), result, resource);
  }

  Operation *op;
  Instances &instances;
};

template <typename OpT> Speculation::Speculatability speculatabilityOf(OpT op) {
  SmallVector<SideEffects::EffectInstance<MemoryEffects::Effect>, 8> effects;
  op.getEffects(effects);
  return effects.empty() ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

} // namespace pyarray

// The definition of an operation's effects.
#define PYARRAY_EFFECTS(OpT)                                                                                           \
  Speculation::Speculatability OpT::getSpeculatability() { return speculatabilityOf(*this); }                          \
  void OpT::getEffects(Instances &instances)

#endif // PYARRAY_DIALECTS_PYARRAY_COLLECT_EFFECTS_H
