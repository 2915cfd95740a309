// The raise sites of a module as five NUL-terminated fields each: exception, arguments as a Python tuple literal, file, line,
// function (Core.h). The dispatcher keeps them beside the machine code, so that an exception is made without MLIR.
#include "compile.h"

static void append_field(pa_string *out, const char *text, size_t length) {
  pa_string_append(out, text, length);
  pa_string_append(out, "", 1);
}

static void append_attr_field(pa_string *out, MlirAttribute site, const char *name) {
  MlirAttribute value = mlirDictionaryAttrGetElementByName(site, pa_ref(name));
  MlirStringRef text = {"", 0};
  if (!mlirAttributeIsNull(value) && mlirAttributeIsAString(value)) text = mlirStringAttrGetValue(value);
  append_field(out, text.data, text.length);
}

static void append_arguments(pa_string *out, MlirAttribute site) {
  MlirAttribute arguments = mlirDictionaryAttrGetElementByName(site, pa_ref("args"));
  pa_string_puts(out, "(");
  if (!mlirAttributeIsNull(arguments) && mlirAttributeIsAArray(arguments))
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(arguments); ++i) {
      pa_python_literal(out, mlirArrayAttrGetElement(arguments, i));
      pa_string_puts(out, ",");
    }
  append_field(out, ")", 1);
}

pa_status pa_sites_blob(MlirOperation module, pa_string *out_blob) {
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
