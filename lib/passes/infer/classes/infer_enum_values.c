// `.value` of a member of an enum that is not known when the function is compiled: one of several values, which must
// have one type.
#include "infer_classes.h"
#include "ir/classes.h"

pa_status pa_check_enum_values(const pa_class_operation *o, MlirAttribute description, MlirType type) {
  MlirAttribute values = mlirDictionaryAttrGetElementByName(description, pa_ref("values"));
  MlirType first = {NULL};
  for (intptr_t i = 0; !mlirAttributeIsNull(values) && i < mlirArrayAttrGetNumElements(values); ++i) {
    MlirAttribute value = mlirArrayAttrGetElement(values, i);
    if (pyarrayAttributeIsOpaque(value)) continue; // no constant
    MlirType own = pa_literal_fact(o->inference->context, value).type;
    if (mlirTypeIsNull(first)) first = own;
    if (mlirTypeEqual(first, own)) continue;
    MlirStringRef class = pa_class_short_name(pa_class_name_of(type));
    pa_arena *arena = o->inference->arena;
    return pa_typing_fail(&o->typing, PA_CODE_TYPING,
                          "values of the enum %.*s have several types, %s and %s among them\nhint: compare the member "
                          "itself, or give all values one type",
                          (int)class.length, class.data, pa_type_text(arena, first), pa_type_text(arena, own));
  }
  return PA_OK;
}
