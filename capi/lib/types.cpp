// The C face of the dialect's types and attributes: wrapping only.
#include "pyarray-c/Types.h"

#include "PyArray.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace pyarray;

template <typename AttrType, typename Kind> static int kindOf(MlirAttribute attribute) {
  auto typed = dyn_cast_or_null<AttrType>(unwrap(attribute));
  return typed ? static_cast<int>(typed.getValue()) : -1;
}

MlirAttribute pyarrayBinaryKindAttrGet(MlirContext context, pyarray_binary_kind kind) {
  return wrap(BinaryKindAttr::get(unwrap(context), static_cast<BinaryKind>(kind)));
}
MlirAttribute pyarrayUnaryKindAttrGet(MlirContext context, pyarray_unary_kind kind) {
  return wrap(UnaryKindAttr::get(unwrap(context), static_cast<UnaryKind>(kind)));
}
MlirAttribute pyarrayCompareKindAttrGet(MlirContext context, pyarray_compare_kind kind) {
  return wrap(CompareKindAttr::get(unwrap(context), static_cast<CompareKind>(kind)));
}
int pyarrayBinaryKindAttrGetValue(MlirAttribute attribute) { return kindOf<BinaryKindAttr, BinaryKind>(attribute); }
int pyarrayUnaryKindAttrGetValue(MlirAttribute attribute) { return kindOf<UnaryKindAttr, UnaryKind>(attribute); }
int pyarrayCompareKindAttrGetValue(MlirAttribute attribute) { return kindOf<CompareKindAttr, CompareKind>(attribute); }

MlirType pyarrayAnyTypeGet(MlirContext context) { return wrap(AnyType::get(unwrap(context))); }
MlirType pyarrayNoneTypeGet(MlirContext context) { return wrap(pyarray::NoneType::get(unwrap(context))); }
MlirType pyarrayStrTypeGet(MlirContext context) { return wrap(StrType::get(unwrap(context))); }
MlirType pyarrayRangeTypeGet(MlirContext context) { return wrap(RangeType::get(unwrap(context))); }
bool pyarrayTypeIsAny(MlirType type) { return isa<AnyType>(unwrap(type)); }
bool pyarrayTypeIsNone(MlirType type) { return isa<pyarray::NoneType>(unwrap(type)); }
bool pyarrayTypeIsStr(MlirType type) { return isa<StrType>(unwrap(type)); }
bool pyarrayTypeIsRange(MlirType type) { return isa<RangeType>(unwrap(type)); }

MlirType pyarrayCallableTypeGet(MlirAttribute name) {
  return wrap(CallableType::get(unwrap(name).getContext(), unwrap(name)));
}
bool pyarrayTypeIsCallable(MlirType type) { return isa<CallableType>(unwrap(type)); }
MlirAttribute pyarrayCallableTypeGetName(MlirType type) { return wrap(cast<CallableType>(unwrap(type)).getName()); }

MlirType pyarraySliceTypeGet(MlirType start, MlirType stop, MlirType step) {
  return wrap(SliceType::get(unwrap(start).getContext(), unwrap(start), unwrap(stop), unwrap(step)));
}
bool pyarrayTypeIsSlice(MlirType type) { return isa<SliceType>(unwrap(type)); }
MlirType pyarraySliceTypeGetPart(MlirType type, int part) {
  auto slice = cast<SliceType>(unwrap(type));
  return wrap(part == 0 ? slice.getStart() : part == 1 ? slice.getStop() : slice.getStep());
}

MlirType pyarrayArrayTypeGet(MlirContext context, intptr_t rank, const int64_t *shape, MlirType element,
                             pyarray_layout layout, bool readonly) {
  if (!ArrayType::isValidElementType(unwrap(element))) return MlirType{nullptr};
  return wrap(ArrayType::get(unwrap(context), ArrayRef<int64_t>(shape, static_cast<size_t>(rank)), unwrap(element),
                             static_cast<Layout>(layout), readonly));
}
bool pyarrayTypeIsArray(MlirType type) { return isa<ArrayType>(unwrap(type)); }
intptr_t pyarrayArrayTypeGetRank(MlirType type) { return cast<ArrayType>(unwrap(type)).getRank(); }
int64_t pyarrayArrayTypeGetExtent(MlirType type, intptr_t axis) {
  return cast<ArrayType>(unwrap(type)).getShape()[static_cast<size_t>(axis)];
}
MlirType pyarrayArrayTypeGetElement(MlirType type) { return wrap(cast<ArrayType>(unwrap(type)).getElementType()); }
pyarray_layout pyarrayArrayTypeGetLayout(MlirType type) {
  return static_cast<pyarray_layout>(cast<ArrayType>(unwrap(type)).getLayout());
}
bool pyarrayArrayTypeIsReadonly(MlirType type) { return cast<ArrayType>(unwrap(type)).getReadonly(); }

template <typename TimeType> static MlirType timeType(MlirContext context, MlirStringRef unit) {
  auto ignore = [&] { return emitError(UnknownLoc::get(unwrap(context))); };
  ScopedDiagnosticHandler silent(unwrap(context), [](Diagnostic &) { return success(); });
  return wrap(TimeType::getChecked(ignore, unwrap(context), unwrap(unit)));
}
MlirType pyarrayDatetimeTypeGet(MlirContext context, MlirStringRef unit) {
  return timeType<DatetimeType>(context, unit);
}
MlirType pyarrayTimedeltaTypeGet(MlirContext context, MlirStringRef unit) {
  return timeType<TimedeltaType>(context, unit);
}
bool pyarrayTypeIsDatetime(MlirType type) { return isa<DatetimeType>(unwrap(type)); }
bool pyarrayTypeIsTimedelta(MlirType type) { return isa<TimedeltaType>(unwrap(type)); }
MlirStringRef pyarrayTimeTypeGetUnit(MlirType type) {
  auto datetime = dyn_cast<DatetimeType>(unwrap(type));
  return wrap(datetime ? datetime.getUnit() : cast<TimedeltaType>(unwrap(type)).getUnit());
}
MlirAttribute pyarrayTicksAttrGet(int64_t count, MlirType type) {
  return wrap(TicksAttr::get(unwrap(type).getContext(), count, unwrap(type)));
}
bool pyarrayAttributeIsTicks(MlirAttribute attribute) { return isa_and_nonnull<TicksAttr>(unwrap(attribute)); }
int64_t pyarrayTicksAttrGetCount(MlirAttribute attribute) { return cast<TicksAttr>(unwrap(attribute)).getCount(); }
MlirType pyarrayTicksAttrGetType(MlirAttribute attribute) { return wrap(cast<TicksAttr>(unwrap(attribute)).getType()); }

MlirType pyarrayPointerTypeGet(MlirType pointee) {
  Type type = unwrap(pointee);
  if (!pyarray::PointerType::isValidPointee(type)) return MlirType{nullptr};
  return wrap(pyarray::PointerType::get(type.getContext(), type));
}
bool pyarrayTypeIsPointer(MlirType type) { return isa<pyarray::PointerType>(unwrap(type)); }
MlirType pyarrayPointerTypeGetPointee(MlirType type) {
  return wrap(cast<pyarray::PointerType>(unwrap(type)).getPointee());
}

template <typename HolderType> static MlirType holderOf(MlirType item) {
  return wrap(HolderType::get(unwrap(item).getContext(), unwrap(item)));
}
MlirType pyarrayBytesTypeGet(MlirContext context) { return wrap(BytesType::get(unwrap(context))); }
MlirType pyarrayListTypeGet(MlirType item) { return holderOf<ListType>(item); }
MlirType pyarraySetTypeGet(MlirType item) { return holderOf<SetType>(item); }
MlirType pyarrayFrozenSetTypeGet(MlirType item) { return holderOf<FrozenSetType>(item); }
MlirType pyarrayDequeTypeGet(MlirType item) { return holderOf<DequeType>(item); }
MlirType pyarrayOptionalTypeGet(MlirType item) { return holderOf<OptionalType>(item); }
MlirType pyarrayCellTypeGet(MlirType item) { return holderOf<CellType>(item); }
MlirType pyarrayGeneratorTypeGet(MlirType item) { return holderOf<GeneratorType>(item); }
MlirType pyarrayDictTypeGet(MlirType key, MlirType value) {
  return wrap(DictType::get(unwrap(key).getContext(), unwrap(key), unwrap(value)));
}
MlirType pyarrayObjectTypeGet(MlirContext context, MlirStringRef name) {
  return wrap(pyarray::ObjectType::get(unwrap(context), unwrap(name)));
}
MlirType pyarrayBytearrayTypeGet(MlirContext context) { return wrap(BytearrayType::get(unwrap(context))); }
bool pyarrayTypeIsBytearray(MlirType type) { return isa<BytearrayType>(unwrap(type)); }
bool pyarrayTypeIsBytes(MlirType type) { return isa<BytesType>(unwrap(type)); }
bool pyarrayTypeIsList(MlirType type) { return isa<ListType, DequeType>(unwrap(type)); }
bool pyarrayTypeIsDeque(MlirType type) { return isa<DequeType>(unwrap(type)); }
bool pyarrayTypeIsSet(MlirType type) { return isa<SetType, FrozenSetType>(unwrap(type)); }
bool pyarrayTypeIsFrozenSet(MlirType type) { return isa<FrozenSetType>(unwrap(type)); }
bool pyarrayTypeIsDict(MlirType type) { return isa<DictType>(unwrap(type)); }
bool pyarrayTypeIsOptional(MlirType type) { return isa<OptionalType>(unwrap(type)); }
bool pyarrayTypeIsCell(MlirType type) { return isa<CellType>(unwrap(type)); }
bool pyarrayTypeIsGenerator(MlirType type) { return isa<GeneratorType>(unwrap(type)); }
bool pyarrayTypeIsObject(MlirType type) { return isa<pyarray::ObjectType>(unwrap(type)); }
MlirType pyarrayTypeGetItem(MlirType type) {
  Type holder = unwrap(type);
  if (auto list = dyn_cast<ListType>(holder)) return wrap(list.getItem());
  if (auto set = dyn_cast<SetType>(holder)) return wrap(set.getItem());
  if (auto frozen = dyn_cast<FrozenSetType>(holder)) return wrap(frozen.getItem());
  if (auto deque = dyn_cast<DequeType>(holder)) return wrap(deque.getItem());
  if (auto optional = dyn_cast<OptionalType>(holder)) return wrap(optional.getItem());
  if (auto cell = dyn_cast<CellType>(holder)) return wrap(cell.getItem());
  if (auto generator = dyn_cast<GeneratorType>(holder)) return wrap(generator.getItem());
  return wrap(cast<DictType>(holder).getKey());
}
MlirType pyarrayDictTypeGetValue(MlirType type) { return wrap(cast<DictType>(unwrap(type)).getValue()); }
MlirStringRef pyarrayObjectTypeGetName(MlirType type) {
  return wrap(cast<pyarray::ObjectType>(unwrap(type)).getName());
}

MlirType pyarrayVariableTypeGet(MlirType item) { return holderOf<VariableType>(item); }
bool pyarrayTypeIsVariable(MlirType type) { return isa<VariableType>(unwrap(type)); }
MlirType pyarrayVariableTypeGetItem(MlirType type) { return wrap(cast<VariableType>(unwrap(type)).getItem()); }
MlirType pyarrayTaggedTypeGet(MlirStringRef kind, MlirAttribute tag, MlirType item) {
  return wrap(pyarray::TaggedType::get(unwrap(item).getContext(), unwrap(kind), unwrap(tag), unwrap(item)));
}
bool pyarrayTypeIsTagged(MlirType type) { return isa<pyarray::TaggedType>(unwrap(type)); }
MlirStringRef pyarrayTaggedTypeGetKind(MlirType type) {
  return wrap(cast<pyarray::TaggedType>(unwrap(type)).getKind());
}
MlirAttribute pyarrayTaggedTypeGetTag(MlirType type) { return wrap(cast<pyarray::TaggedType>(unwrap(type)).getTag()); }
MlirType pyarrayTaggedTypeGetItem(MlirType type) { return wrap(cast<pyarray::TaggedType>(unwrap(type)).getItem()); }

MlirType pyarrayExceptionTypeGet(MlirType arguments) { return holderOf<ExceptionType>(arguments); }
bool pyarrayTypeIsException(MlirType type) { return isa<ExceptionType>(unwrap(type)); }
MlirType pyarrayExceptionTypeGetArguments(MlirType type) {
  return wrap(cast<ExceptionType>(unwrap(type)).getArguments());
}

MlirAttribute pyarrayOpaqueAttrGet(MlirContext context) { return wrap(pyarray::OpaqueAttr::get(unwrap(context))); }
bool pyarrayAttributeIsOpaque(MlirAttribute attribute) {
  return isa_and_nonnull<pyarray::OpaqueAttr>(unwrap(attribute));
}
