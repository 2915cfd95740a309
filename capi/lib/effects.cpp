// The C face of memory effects: wrapping only.
#include "pyarray-c/Effects.h"

#include "PyArray.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/ModRef.h"

#include <mutex>

using namespace mlir;
using namespace pyarray;

using Instance = MemoryEffects::EffectInstance;

static uint32_t resourceBit(SideEffects::Resource *resource) {
  uint32_t bit = 1;
#define PYARRAY_RESOURCE_BIT(Name, text)                                                                               \
  if (isa<Name##Resource>(resource)) return bit;                                                                       \
  bit <<= 1;
  PYARRAY_RESOURCES(PYARRAY_RESOURCE_BIT)
#undef PYARRAY_RESOURCE_BIT
  static_assert(PYARRAY_RESOURCE_OTHER == 1 << 9, "ORDER RESOURCE");
  return PYARRAY_RESOURCE_OTHER;
}

static void add(pyarray_effects &effects, const Instance &instance) {
  uint32_t bit = resourceBit(instance.getResource());
  if (isa<MemoryEffects::Read>(instance.getEffect())) effects.reads |= bit;
  if (isa<MemoryEffects::Write>(instance.getEffect())) effects.writes |= bit;
  if (isa<MemoryEffects::Allocate>(instance.getEffect())) effects.allocates |= bit;
  if (isa<MemoryEffects::Free>(instance.getEffect())) effects.frees |= bit;
}

static const pyarray_effects everything = {PYARRAY_RESOURCE_ALL, PYARRAY_RESOURCE_ALL, PYARRAY_RESOURCE_ALL,
                                           PYARRAY_RESOURCE_ALL};

// Intrinsics of LLVM that touch no memory: MLIR's operation for any of them says nothing.
static bool isPureIntrinsic(Operation *op) {
  auto call = dyn_cast<LLVM::CallIntrinsicOp>(op);
  if (!call) return false;
  llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(call.getIntrin());
  if (id == llvm::Intrinsic::not_intrinsic) return false;
  static std::mutex mutex;
  static llvm::DenseMap<unsigned, bool> known;
  std::lock_guard<std::mutex> guard(mutex);
  auto [entry, added] = known.try_emplace(id, false);
  if (added) {
    llvm::LLVMContext context; // costs more than the answer
    llvm::AttributeSet attributes = llvm::Intrinsic::getFnAttributes(context, id);
    entry->second = attributes.getMemoryEffects().doesNotAccessMemory() &&
                    attributes.hasAttribute(llvm::Attribute::WillReturn) &&
                    !attributes.hasAttribute(llvm::Attribute::Convergent);
  }
  return entry->second;
}

pyarray_effects pyarrayOperationGetEffects(MlirOperation op) {
  pyarray_effects effects = {0, 0, 0, 0};
  if (isPureIntrinsic(unwrap(op))) return effects;
  std::optional<SmallVector<Instance>> instances = getEffectsRecursively(unwrap(op));
  if (!instances) return everything;
  for (const Instance &instance : *instances) add(effects, instance);
  return effects;
}

pyarray_effects pyarrayOperationGetEffectsOn(MlirOperation op, MlirValue value) {
  pyarray_effects effects = {0, 0, 0, 0};
  auto interface = dyn_cast<MemoryEffectOpInterface>(unwrap(op));
  if (!interface) return unwrap(op)->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ? effects : everything;
  SmallVector<Instance> instances;
  interface.getEffects(instances);
  for (const Instance &instance : instances)
    if (!instance.getValue() || instance.getValue() == unwrap(value)) add(effects, instance);
  return effects;
}

bool pyarrayOperationOnlyComputes(MlirOperation op) {
  return isPureIntrinsic(unwrap(op)) || isMemoryEffectFree(unwrap(op)) || unwrap(op)->hasAttr("pyarray.clamped");
}
bool pyarrayOperationIsSpeculatable(MlirOperation op) {
  return isPureIntrinsic(unwrap(op)) || isSpeculatable(unwrap(op));
}
bool pyarrayDroppingRunsCode(MlirOperation op, MlirType type) { return runsCodeWhenDropped(unwrap(op), unwrap(type)); }
bool pyarrayOperationIsDead(MlirOperation op) { return isOpTriviallyDead(unwrap(op)); }
