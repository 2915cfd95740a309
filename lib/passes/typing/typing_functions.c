// Types of functions as values: what is one function on one path and another on the other is one of several, and so is
// an item of a container.
//
//   %f : tagged<"choice", [type of @g, type of @h], si64>
#include <stdlib.h>
#include <string.h>

#include "typing.h"

bool pa_is_choice(MlirType type) { return pa_is_tagged(type, "choice"); }

bool pa_is_function_value(const pa_typing *typing, MlirType type) {
  if (pa_is_tagged(type, "function")) return mlirTupleTypeGetNumTypes(pyarrayTaggedTypeGetItem(type)) == 0;
  if (pa_is_tagged(type, "passed")) return true;
  if (!pyarrayTypeIsCallable(type)) return false;
  MlirAttribute name = pyarrayCallableTypeGetName(type);
  MlirType ignored;
  if (!mlirAttributeIsAString(name)) return true;
  return pa_builtin_find(mlirStringAttrGetValue(name)) && !pa_dtype_of(typing, pa_fact_of(type), &ignored);
}

//===-- Types -------------------------------------------------------------------------------------===//

intptr_t pa_choice_count(MlirType type) {
  return pa_is_choice(type) ? mlirArrayAttrGetNumElements(pyarrayTaggedTypeGetTag(type)) : 1;
}
MlirType pa_choice_member(MlirType type, intptr_t i) {
  return pa_is_choice(type) ? mlirTypeAttrGetValue(mlirArrayAttrGetElement(pyarrayTaggedTypeGetTag(type), i)) : type;
}

static void append_text(MlirStringRef text, void *out) { pa_string_append(out, text.data, text.length); }

static int in_order(const void *a, const void *b) {
  pa_string texts[2] = {{0}};
  mlirTypePrint(*(const MlirType *)a, append_text, &texts[0]);
  mlirTypePrint(*(const MlirType *)b, append_text, &texts[1]);
  int order = strcmp(pa_string_text(&texts[0]), pa_string_text(&texts[1]));
  pa_string_free(&texts[0]);
  pa_string_free(&texts[1]);
  return order;
}

// What one function captured: what is in cells is known better from round to round.
static MlirType join_captured(const pa_typing *typing, MlirType a, MlirType b) {
  pa_container kind = pa_container_of(a);
  if (mlirTypeEqual(a, b) || kind == PA_NO_CONTAINER || kind != pa_container_of(b)) return pa_join_types(typing, a, b);
  MlirType joined = pa_join_containers(typing, a, b);
  if (!mlirTypeIsNull(joined) || kind != PA_LIST) return joined;
  MlirType item = pa_join_types(typing, pyarrayTypeGetItem(a), pyarrayTypeGetItem(b));
  return mlirTypeIsNull(item) ? item : pyarrayListTypeGet(item);
}

static MlirType join_closures(const pa_typing *typing, MlirType a, MlirType b) {
  MlirType captured[] = {pyarrayTaggedTypeGetItem(a), pyarrayTaggedTypeGetItem(b)};
  intptr_t count = mlirTupleTypeGetNumTypes(captured[0]);
  MlirType *types = PA_NEW_ARRAY(typing->arena, MlirType, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    types[i] = join_captured(typing, mlirTupleTypeGetType(captured[0], i), mlirTupleTypeGetType(captured[1], i));
    if (mlirTypeIsNull(types[i])) return types[i];
  }
  return pyarrayTaggedTypeGet(pa_ref("function"), pyarrayTaggedTypeGetTag(a),
                              mlirTupleTypeGet(typing->context, count, types));
}

// Of one nested function, which captured something.
static bool are_closures_of_one(MlirType a, MlirType b) {
  if (!pa_is_tagged(a, "function") || !pa_is_tagged(b, "function") ||
      !mlirAttributeEqual(pyarrayTaggedTypeGetTag(a), pyarrayTaggedTypeGetTag(b)))
    return false;
  intptr_t count = mlirTupleTypeGetNumTypes(pyarrayTaggedTypeGetItem(a));
  return count && count == mlirTupleTypeGetNumTypes(pyarrayTaggedTypeGetItem(b));
}

MlirType pa_join_functions(const pa_typing *typing, MlirType a, MlirType b) {
  if (are_closures_of_one(a, b)) return join_closures(typing, a, b);
  MlirType sides[] = {a, b}, *members = PA_NEW_ARRAY(typing->arena, MlirType, pa_choice_count(a) + pa_choice_count(b));
  MlirAttribute *attributes = PA_NEW_ARRAY(typing->arena, MlirAttribute, pa_choice_count(a) + pa_choice_count(b));
  intptr_t count = 0, kept = 0;
  for (int side = 0; side < 2; ++side) {
    if (!pa_is_choice(sides[side]) && !pa_is_function_value(typing, sides[side])) return (MlirType){NULL};
    for (intptr_t i = 0; i < pa_choice_count(sides[side]); ++i) members[count++] = pa_choice_member(sides[side], i);
  }
  qsort(members, (size_t)count, sizeof *members, in_order);
  for (intptr_t i = 0; i < count; ++i)
    if (!kept || !mlirTypeEqual(mlirTypeAttrGetValue(attributes[kept - 1]), members[i]))
      attributes[kept++] = mlirTypeAttrGet(members[i]);
  return pyarrayTaggedTypeGet(pa_ref("choice"), mlirArrayAttrGet(typing->context, kept, attributes),
                              pa_scalar_type(typing->context, PA_I64));
}

MlirType pa_item_of_functions(const pa_typing *typing, MlirType type) {
  if (pa_is_function_value(typing, type)) return pa_join_functions(typing, type, type);
  if (!mlirTypeIsATuple(type)) return type;
  intptr_t count = mlirTupleTypeGetNumTypes(type);
  MlirType *types = NULL; // where an element changes
  for (intptr_t i = 0; i < count; ++i) {
    MlirType element = mlirTupleTypeGetType(type, i), item = pa_item_of_functions(typing, element);
    if (!types && mlirTypeEqual(element, item)) continue;
    if (!types) {
      types = PA_NEW_ARRAY(typing->arena, MlirType, count);
      for (intptr_t k = 0; k < count; ++k) types[k] = mlirTupleTypeGetType(type, k);
    }
    types[i] = item;
  }
  return types ? mlirTupleTypeGet(typing->context, count, types) : type;
}

MlirType pa_function_of_tuple(const pa_typing *typing, MlirType tuple) {
  if (!mlirTypeIsATuple(tuple) || mlirTupleTypeGetNumTypes(tuple) < 2) return (MlirType){NULL};
  MlirType joined = mlirTupleTypeGetType(tuple, 0);
  for (intptr_t i = 1; i < mlirTupleTypeGetNumTypes(tuple) && !mlirTypeIsNull(joined); ++i)
    joined = pa_join_functions(typing, joined, mlirTupleTypeGetType(tuple, i));
  return joined;
}
