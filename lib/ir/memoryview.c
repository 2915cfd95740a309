// The type of memoryviews during type inference (docs/internals-objects.md, "Memoryviews"): a tagged type whose tag is
// the letter of the items' format and whose representation is the array that is shown.
//
//   tagged<"memoryview", "B", array<?xui8, C, readonly>>
#include "ir.h"
#include "support/type_code.h"

// ORDER SCALAR: the formats of NumPy's arrays; bfloat16 has none.
static const char formats[PA_SCALAR_COUNT + 1] = "?bhilBHIL\0"
                                                 "efd";

char pa_format_of(pa_scalar scalar) { return scalar == PA_NOT_SCALAR || pa_is_complex(scalar) ? 0 : formats[scalar]; }

MlirType pa_memoryview_type(MlirContext context, char format, MlirType array) {
  return pyarrayTaggedTypeGet(pa_ref("memoryview"), mlirStringAttrGet(context, mlirStringRefCreate(&format, 1)), array);
}

bool pa_is_memoryview(MlirType type) { return pa_is_tagged(type, "memoryview"); }

char pa_memoryview_format(MlirType type) { return *mlirStringAttrGetValue(pyarrayTaggedTypeGetTag(type)).data; }

// Python's numbers, not NumPy's.
MlirType pa_memoryview_item(MlirType type) {
  pa_scalar element = pa_scalar_of(pyarrayArrayTypeGetElement(pyarrayTaggedTypeGetItem(type)));
  pa_scalar item = element == PA_BOOL || element == PA_U64 ? element : pa_is_integer(element) ? PA_I64 : PA_F64;
  return pa_scalar_type(mlirTypeGetContext(type), item);
}

MlirType pa_memoryview_from_code(MlirContext context, const char **code) {
  char format = *(*code)++;
  MlirType array = pa_format_is_valid(format) && **code == '[' ? pa_type_from_code(context, code) : (MlirType){NULL};
  bool fits = !mlirTypeIsNull(array) && pyarrayTypeIsArray(array) &&
              pa_format_of(pa_scalar_of(pyarrayArrayTypeGetElement(array)));
  return fits ? pa_memoryview_type(context, format, array) : (MlirType){NULL};
}

bool pa_memoryview_to_code(pa_string *out, MlirType type) {
  pa_string_format(out, "V%c", pa_memoryview_format(type));
  return pa_type_to_code(out, pyarrayTaggedTypeGetItem(type));
}
