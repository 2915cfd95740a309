// Types and attributes of the pyarray dialect, for C.
#ifndef PYARRAY_C_TYPES_H
#define PYARRAY_C_TYPES_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pyarray_layout { PYARRAY_LAYOUT_C, PYARRAY_LAYOUT_F, PYARRAY_LAYOUT_A } pyarray_layout;

// ORDER KINDS: the values are those of the enums in dialects/pyarray/PyArrayTypes.td.
typedef enum pyarray_binary_kind {
  PYARRAY_BINARY_ADD,
  PYARRAY_BINARY_SUB,
  PYARRAY_BINARY_MUL,
  PYARRAY_BINARY_TRUEDIV,
  PYARRAY_BINARY_FLOORDIV,
  PYARRAY_BINARY_MOD,
  PYARRAY_BINARY_POW,
  PYARRAY_BINARY_LSHIFT,
  PYARRAY_BINARY_RSHIFT,
  PYARRAY_BINARY_AND,
  PYARRAY_BINARY_OR,
  PYARRAY_BINARY_XOR,
  PYARRAY_BINARY_MATMUL,
} pyarray_binary_kind;
typedef enum pyarray_unary_kind {
  PYARRAY_UNARY_NEG,
  PYARRAY_UNARY_POS,
  PYARRAY_UNARY_INVERT,
  PYARRAY_UNARY_NOT,
} pyarray_unary_kind;
typedef enum pyarray_compare_kind {
  PYARRAY_COMPARE_EQ,
  PYARRAY_COMPARE_NE,
  PYARRAY_COMPARE_LT,
  PYARRAY_COMPARE_LE,
  PYARRAY_COMPARE_GT,
  PYARRAY_COMPARE_GE,
  PYARRAY_COMPARE_IS,
  PYARRAY_COMPARE_ISNOT,
  PYARRAY_COMPARE_IN,
  PYARRAY_COMPARE_NOTIN,
} pyarray_compare_kind;

MLIR_CAPI_EXPORTED MlirAttribute pyarrayBinaryKindAttrGet(MlirContext context, pyarray_binary_kind kind);
MLIR_CAPI_EXPORTED MlirAttribute pyarrayUnaryKindAttrGet(MlirContext context, pyarray_unary_kind kind);
MLIR_CAPI_EXPORTED MlirAttribute pyarrayCompareKindAttrGet(MlirContext context, pyarray_compare_kind kind);
// The kind that the attribute holds, or -1 if it is no such attribute.
MLIR_CAPI_EXPORTED int pyarrayBinaryKindAttrGetValue(MlirAttribute attribute);
MLIR_CAPI_EXPORTED int pyarrayUnaryKindAttrGetValue(MlirAttribute attribute);
MLIR_CAPI_EXPORTED int pyarrayCompareKindAttrGetValue(MlirAttribute attribute);

MLIR_CAPI_EXPORTED MlirType pyarrayAnyTypeGet(MlirContext context);
MLIR_CAPI_EXPORTED MlirType pyarrayNoneTypeGet(MlirContext context);
MLIR_CAPI_EXPORTED MlirType pyarrayStrTypeGet(MlirContext context);
MLIR_CAPI_EXPORTED MlirType pyarrayRangeTypeGet(MlirContext context);
MLIR_CAPI_EXPORTED bool pyarrayTypeIsAny(MlirType type);
MLIR_CAPI_EXPORTED bool pyarrayTypeIsNone(MlirType type);
MLIR_CAPI_EXPORTED bool pyarrayTypeIsStr(MlirType type);
MLIR_CAPI_EXPORTED bool pyarrayTypeIsRange(MlirType type);

// |name| is a string attribute (builtin) or a flat symbol reference (compiled function).
MLIR_CAPI_EXPORTED MlirType pyarrayCallableTypeGet(MlirAttribute name);
MLIR_CAPI_EXPORTED bool pyarrayTypeIsCallable(MlirType type);
MLIR_CAPI_EXPORTED MlirAttribute pyarrayCallableTypeGetName(MlirType type);

MLIR_CAPI_EXPORTED MlirType pyarraySliceTypeGet(MlirType start, MlirType stop, MlirType step);
MLIR_CAPI_EXPORTED bool pyarrayTypeIsSlice(MlirType type);
MLIR_CAPI_EXPORTED MlirType pyarraySliceTypeGetPart(MlirType type, int part); // 0 start, 1 stop, 2 step

// Extents are INT64_MIN (MLIR's dynamic size) where known at run time only. A null type if the element type is invalid.
MLIR_CAPI_EXPORTED MlirType pyarrayArrayTypeGet(MlirContext context, intptr_t rank, const int64_t *shape,
                                                MlirType element, pyarray_layout layout, bool readonly);
MLIR_CAPI_EXPORTED bool pyarrayTypeIsArray(MlirType type);
MLIR_CAPI_EXPORTED intptr_t pyarrayArrayTypeGetRank(MlirType type);
MLIR_CAPI_EXPORTED int64_t pyarrayArrayTypeGetExtent(MlirType type, intptr_t axis);
MLIR_CAPI_EXPORTED MlirType pyarrayArrayTypeGetElement(MlirType type);
MLIR_CAPI_EXPORTED pyarray_layout pyarrayArrayTypeGetLayout(MlirType type);
MLIR_CAPI_EXPORTED bool pyarrayArrayTypeIsReadonly(MlirType type);

// Datetimes and timedeltas. |unit| is NumPy's: "D", "25s", "generic"; a null type if it is malformed.
MLIR_CAPI_EXPORTED MlirType pyarrayDatetimeTypeGet(MlirContext context, MlirStringRef unit);
MLIR_CAPI_EXPORTED MlirType pyarrayTimedeltaTypeGet(MlirContext context, MlirStringRef unit);
MLIR_CAPI_EXPORTED bool pyarrayTypeIsDatetime(MlirType type);
MLIR_CAPI_EXPORTED bool pyarrayTypeIsTimedelta(MlirType type);
MLIR_CAPI_EXPORTED MlirStringRef pyarrayTimeTypeGetUnit(MlirType type); // of either
// |type| is one of the two.
MLIR_CAPI_EXPORTED MlirAttribute pyarrayTicksAttrGet(int64_t count, MlirType type);
MLIR_CAPI_EXPORTED bool pyarrayAttributeIsTicks(MlirAttribute attribute);
MLIR_CAPI_EXPORTED int64_t pyarrayTicksAttrGetCount(MlirAttribute attribute);
MLIR_CAPI_EXPORTED MlirType pyarrayTicksAttrGetType(MlirAttribute attribute);

// A null type if the pointee is neither a number nor none (void).
MLIR_CAPI_EXPORTED MlirType pyarrayPointerTypeGet(MlirType pointee);
MLIR_CAPI_EXPORTED bool pyarrayTypeIsPointer(MlirType type);
MLIR_CAPI_EXPORTED MlirType pyarrayPointerTypeGetPointee(MlirType type);

// Objects on the heap, and optional values.
MLIR_CAPI_EXPORTED MlirType pyarrayBytesTypeGet(MlirContext context);
MLIR_CAPI_EXPORTED MlirType pyarrayListTypeGet(MlirType item);
MLIR_CAPI_EXPORTED MlirType pyarraySetTypeGet(MlirType item);
MLIR_CAPI_EXPORTED MlirType pyarrayDictTypeGet(MlirType key, MlirType value);
MLIR_CAPI_EXPORTED MlirType pyarrayFrozenSetTypeGet(MlirType item);
MLIR_CAPI_EXPORTED MlirType pyarrayDequeTypeGet(MlirType item);
MLIR_CAPI_EXPORTED MlirType pyarrayOptionalTypeGet(MlirType item);
MLIR_CAPI_EXPORTED MlirType pyarrayCellTypeGet(MlirType item);
MLIR_CAPI_EXPORTED MlirType pyarrayGeneratorTypeGet(MlirType item);
// An instance of the class |name|, which the module's attribute pyarray.classes describes.
MLIR_CAPI_EXPORTED MlirType pyarrayObjectTypeGet(MlirContext context, MlirStringRef name);
MLIR_CAPI_EXPORTED MlirType pyarrayBytearrayTypeGet(MlirContext context);
MLIR_CAPI_EXPORTED bool pyarrayTypeIsBytearray(MlirType type);
MLIR_CAPI_EXPORTED bool pyarrayTypeIsBytes(MlirType type);
// What is laid out as a list, or as a set: deques and frozensets too.
MLIR_CAPI_EXPORTED bool pyarrayTypeIsList(MlirType type);
MLIR_CAPI_EXPORTED bool pyarrayTypeIsDeque(MlirType type);
MLIR_CAPI_EXPORTED bool pyarrayTypeIsSet(MlirType type);
MLIR_CAPI_EXPORTED bool pyarrayTypeIsFrozenSet(MlirType type);
MLIR_CAPI_EXPORTED bool pyarrayTypeIsDict(MlirType type);
MLIR_CAPI_EXPORTED bool pyarrayTypeIsOptional(MlirType type);
MLIR_CAPI_EXPORTED bool pyarrayTypeIsCell(MlirType type);
MLIR_CAPI_EXPORTED bool pyarrayTypeIsGenerator(MlirType type);
MLIR_CAPI_EXPORTED bool pyarrayTypeIsObject(MlirType type);
// Of a list, set, optional, cell or generator; of a dict its key.
MLIR_CAPI_EXPORTED MlirType pyarrayTypeGetItem(MlirType type);
MLIR_CAPI_EXPORTED MlirType pyarrayDictTypeGetValue(MlirType type);
MLIR_CAPI_EXPORTED MlirStringRef pyarrayObjectTypeGetName(MlirType type);

// Stack memory for a variable; an exception that is being handled, whose |arguments| are a tuple, or none where they
// are not known.
MLIR_CAPI_EXPORTED MlirType pyarrayVariableTypeGet(MlirType item);
MLIR_CAPI_EXPORTED bool pyarrayTypeIsVariable(MlirType type);
MLIR_CAPI_EXPORTED MlirType pyarrayVariableTypeGetItem(MlirType type);
// A value that means more than its representation, |item|, says; |kind| is what.
MLIR_CAPI_EXPORTED MlirType pyarrayTaggedTypeGet(MlirStringRef kind, MlirAttribute tag, MlirType item);
MLIR_CAPI_EXPORTED bool pyarrayTypeIsTagged(MlirType type);
MLIR_CAPI_EXPORTED MlirStringRef pyarrayTaggedTypeGetKind(MlirType type);
MLIR_CAPI_EXPORTED MlirAttribute pyarrayTaggedTypeGetTag(MlirType type);
MLIR_CAPI_EXPORTED MlirType pyarrayTaggedTypeGetItem(MlirType type);

MLIR_CAPI_EXPORTED MlirType pyarrayExceptionTypeGet(MlirType arguments);
MLIR_CAPI_EXPORTED bool pyarrayTypeIsException(MlirType type);
MLIR_CAPI_EXPORTED MlirType pyarrayExceptionTypeGetArguments(MlirType type);

MLIR_CAPI_EXPORTED MlirAttribute pyarrayOpaqueAttrGet(MlirContext context);
MLIR_CAPI_EXPORTED bool pyarrayAttributeIsOpaque(MlirAttribute attribute);

#ifdef __cplusplus
}
#endif

#endif // PYARRAY_C_TYPES_H
