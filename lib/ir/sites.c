// The raise sites of a module as six NUL-terminated fields each: exception, arguments as a Python tuple literal, type
// codes of those that are computed, file, line, function (Core.h). The dispatcher keeps them beside the machine code,
// so that an exception is made without MLIR.
#include "ir.h"

void pa_append_field(pa_string *out, const char *text, size_t length) {
  pa_string_append(out, text, length);
  pa_string_append(out, "", 1);
}

static void append_attr_field(pa_string *out, MlirAttribute site, const char *name) {
  MlirAttribute value = mlirDictionaryAttrGetElementByName(site, pa_ref(name));
  MlirStringRef text = {"", 0};
  if (!mlirAttributeIsNull(value) && mlirAttributeIsAString(value)) text = mlirStringAttrGetValue(value);
  pa_append_field(out, text.data, text.length);
}

// A type stands for a value that is computed: its scalars are the names _0, _1, ..., with their type codes in |codes|.
static void append_computed(pa_string *out, MlirType type, pa_string *codes) {
  pa_scalar scalar = pa_scalar_of(type);
  if (mlirTypeIsATuple(type)) {
    pa_string_puts(out, "(");
    for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i) {
      append_computed(out, mlirTupleTypeGetType(type, i), codes);
      pa_string_puts(out, ",");
    }
    pa_string_puts(out, ")");
  } else if (pyarrayTypeIsException(type)) { // an object of Python, which is raised as it is
    pa_string_format(out, "_%d", (int)codes->length);
    pa_string_puts(codes, "X");
  } else if (pa_is_text(type)) {
    pa_string_format(out, "_%d", (int)codes->length);
    pa_string_puts(codes, pyarrayTypeIsStr(type) ? "U" : "Y");
  } else if (scalar == PA_NOT_SCALAR) {
    pa_string_puts(out, "None");
  } else {
    pa_string_format(out, "_%d", (int)codes->length);
    char code = pa_scalar_code(scalar);
    pa_string_append(codes, &code, 1);
  }
}

static void append_argument(pa_string *out, MlirAttribute argument, pa_string *codes) {
  if (mlirAttributeIsAArray(argument)) {
    pa_string_puts(out, "(");
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(argument); ++i) {
      append_argument(out, mlirArrayAttrGetElement(argument, i), codes);
      pa_string_puts(out, ",");
    }
    pa_string_puts(out, ")");
  } else if (mlirAttributeIsAType(argument)) {
    append_computed(out, mlirTypeAttrGetValue(argument), codes);
  } else {
    pa_python_literal(out, argument);
  }
}

static void append_arguments(pa_string *out, MlirAttribute site) {
  MlirAttribute arguments = mlirDictionaryAttrGetElementByName(site, pa_ref("args"));
  pa_string codes = {0};
  if (mlirAttributeIsNull(arguments))
    pa_string_puts(out, "()");
  else
    append_argument(out, arguments, &codes);
  pa_append_field(out, "", 0);
  pa_append_field(out, pa_string_text(&codes), codes.length);
  pa_string_free(&codes);
}

pa_status pa_raise_sites_blob(MlirOperation module, pa_string *out_blob) {
  MlirAttribute sites = pa_get_attr(module, "pyarray.sites");
  if (mlirAttributeIsNull(sites)) return PA_OK;
  if (!mlirAttributeIsAArray(sites)) return pa_fail(PA_CODE_INVALID, NULL, "pyarray.sites is no array");
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(sites); ++i) {
    MlirAttribute site = mlirArrayAttrGetElement(sites, i);
    if (!mlirAttributeIsADictionary(site)) return pa_fail(PA_CODE_INVALID, NULL, "a raise site is no dictionary");
    append_attr_field(out_blob, site, "exception");
    append_arguments(out_blob, site);
    append_attr_field(out_blob, site, "file");
    MlirAttribute line = mlirDictionaryAttrGetElementByName(site, pa_ref("line"));
    pa_string_format(out_blob, "%lld", mlirAttributeIsNull(line) ? 0ll : (long long)mlirIntegerAttrGetValueInt(line));
    pa_string_append(out_blob, "", 1);
    append_attr_field(out_blob, site, "function");
  }
  return PA_OK;
}

void pa_warnings_blob(MlirOperation module, pa_string *out_blob) {
  MlirAttribute warnings = pa_get_attr(module, "pyarray.warnings");
  for (intptr_t i = 0; !mlirAttributeIsNull(warnings) && i < mlirArrayAttrGetNumElements(warnings); ++i) {
    MlirAttribute fields = mlirArrayAttrGetElement(warnings, i);
    for (intptr_t k = 0; k < 3; ++k) {
      MlirStringRef text = mlirStringAttrGetValue(mlirArrayAttrGetElement(fields, k));
      pa_append_field(out_blob, text.data, text.length);
    }
    pa_string_format(out_blob, "%lld", (long long)mlirIntegerAttrGetValueInt(mlirArrayAttrGetElement(fields, 3)));
    pa_string_append(out_blob, "", 1);
  }
}
