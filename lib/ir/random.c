// The types of NumPy's Generator and BitGenerator during type inference (docs/internals-objects.md, "Generators of
// NumPy"): tagged types whose tag is the class and whose representation is an array over the words of NumPy's bitgen_t.
//
//   tagged<"random", "Generator", array<?xui64, C>>
#include "ir.h"

MlirType pa_random_type(MlirContext context, bool bits) {
  MlirType words = pa_array_type(context, 1, pa_scalar_type(context, PA_U64), PYARRAY_LAYOUT_C, false);
  return pyarrayTaggedTypeGet(pa_ref("random"), mlirStringAttrGet(context, pa_ref(bits ? "BitGenerator" : "Generator")),
                              words);
}

bool pa_is_random(MlirType type) { return pa_is_tagged(type, "random"); }

bool pa_is_bit_generator(MlirType type) {
  return pa_is_random(type) && pa_ref_equal(mlirStringAttrGetValue(pyarrayTaggedTypeGetTag(type)), "BitGenerator");
}

static const pa_distribution distributions[] = {
#define PA_DISTRIBUTION(name, parameters, result) {#name, parameters, result},
#include "distributions.def"
#undef PA_DISTRIBUTION
};

const pa_distribution *pa_distribution_find(MlirStringRef name) {
  for (size_t i = 0; i < sizeof distributions / sizeof *distributions; ++i)
    if (pa_ref_equal(name, distributions[i].name)) return &distributions[i];
  return NULL;
}
