// Signs of items and elements in pyarray-infer-types: of what is iterated over, of tuples and their parts.
#include "infer_signs.h"

uint64_t pa_signs_of_parts(const MlirType *types, const uint64_t *signs, intptr_t count) {
  uint64_t all = 0;
  int at = 0;
  for (intptr_t i = 0; i < count; ++i) {
    int numbers = pa_number_count(types[i]);
    uint64_t own = numbers >= 64 ? signs[i] : signs[i] & (((uint64_t)1 << numbers) - 1);
    all |= pa_signs_moved(own, at);
    at += numbers;
  }
  return all;
}

uint64_t pa_signs_of_all(MlirType tuple, uint64_t signs) {
  uint64_t all = ~(uint64_t)0;
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(tuple); ++i) all &= pa_signs_of_element(tuple, signs, i);
  return all;
}

// Of enumerate, zip and reversed, and of views of dicts.
static uint64_t signs_of_held_item(MlirType type, uint64_t signs) {
  MlirType parts = pyarrayTaggedTypeGetItem(type);
  if (!mlirTypeIsATuple(parts)) return 0;
  intptr_t count = mlirTupleTypeGetNumTypes(parts);
  MlirType first = count ? mlirTupleTypeGetType(parts, 0) : parts;
  if (pa_is_tagged(type, "reversed") || pa_is_tagged(type, "deque iterator")) return pa_signs_of_item(first, signs);
  if (pa_is_tagged(type, "enumerate"))
    return (pa_signs_of_element(parts, signs, 1) & 1) | pa_signs_moved(pa_signs_of_item(first, signs), 1);
  if (pa_is_tagged(type, "items") || pa_is_tagged(type, "items iterator") || pa_is_tagged(type, "keys")) return signs;
  if (pa_is_tagged(type, "values") || pa_is_tagged(type, "values iterator"))
    return pyarrayTypeIsDict(first) ? pa_signs_moved(signs, -pa_number_count(pyarrayTypeGetItem(first))) : 0;
  if (!pa_is_tagged(type, "zip") || count != 2) return 0;
  // Of two, as the types of the items follow from those of what is held alone where they are arrays.
  MlirType second = mlirTupleTypeGetType(parts, 1);
  bool single = pa_number_count(first) == 1;
  return single ? (pa_signs_of_item(first, signs) & 1) |
                      pa_signs_moved(pa_signs_of_item(second, pa_signs_of_element(parts, signs, 1)), 1)
                : 0;
}

uint64_t pa_signs_of_item(MlirType type, uint64_t signs) {
  if (mlirTypeIsATuple(type)) return pa_signs_of_all(type, signs);
  if (pa_is_tagged(type, "namedtuple")) return pa_signs_of_all(pyarrayTaggedTypeGetItem(type), signs);
  if (pyarrayTypeIsTagged(type)) return signs_of_held_item(type, signs);
  return pyarrayTypeIsRange(type) || pyarrayTypeIsGenerator(type) || pa_container_of(type) != PA_NO_CONTAINER ? signs
                                                                                                              : 0;
}

pa_fact pa_sign_item(const pa_inference *inference, pa_fact iterable, pa_fact item) {
  return inference->signs->known
             ? pa_with_signs(item, item.signs | pa_signs_of_item(iterable.type, pa_signs_of(iterable)))
             : item;
}

pa_fact pa_sign_element(MlirType tuple, uint64_t signs, intptr_t index) {
  return pa_with_signs(pa_fact_of(mlirTupleTypeGetType(tuple, index)), pa_signs_of_element(tuple, signs, index));
}

pa_fact pa_operand_fact(pa_inference *inference, pa_instance *instance, MlirOperation op, intptr_t i) {
  return pa_fact_get(inference, instance, mlirOperationGetOperand(op, i));
}

pa_fact pa_signed_tuple(pa_inference *inference, pa_instance *instance, const MlirValue *parts, intptr_t count,
                        pa_fact tuple, bool of_containers) {
  if (!inference->signs->known) return tuple;
  MlirType *types = PA_NEW_ARRAY(inference->arena, MlirType, count + 1);
  uint64_t *signs = PA_NEW_ARRAY(inference->arena, uint64_t, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    pa_fact fact = pa_fact_get(inference, instance, parts[i]);
    types[i] = fact.type;
    bool known = !pa_is_bottom(fact) && (of_containers || pa_container_of(fact.type) == PA_NO_CONTAINER);
    signs[i] = known ? pa_signs_of(fact) : 0;
  }
  return pa_with_signs(tuple, pa_signs_of_parts(types, signs, count));
}

pa_fact pa_sign_read_tuple(pa_inference *inference, pa_instance *instance, const MlirValue *parts, intptr_t count,
                           pa_fact tuple) {
  return pa_signed_tuple(inference, instance, parts, count, tuple, true);
}

void pa_parts_escape(pa_inference *inference, pa_instance *instance, const MlirValue *parts, intptr_t count) {
  for (intptr_t i = 0; inference->signs->known && i < count; ++i)
    pa_site_escapes(inference->sites, inference->signs, pa_fact_get(inference, instance, parts[i]));
}

// A container in it may be changed where it is taken out.
pa_fact pa_sign_tuple(pa_inference *inference, pa_instance *instance, const MlirValue *parts, intptr_t count,
                      pa_fact tuple) {
  pa_parts_escape(inference, instance, parts, count);
  return pa_sign_read_tuple(inference, instance, parts, count, tuple);
}
