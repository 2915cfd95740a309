// fn.fusion_report(): what pyarray-fuse made of the operations on whole arrays, and what is computed in wider types
// than its arrays have, as rows "line<TAB>file<TAB>text".
#include <string.h>

#include "compile.h"

// A warning of lib/ir/warnings.c, whose hint has a line of its own.
static void append_warning(MlirAttribute warning, pa_arena *arena, pa_string *out_text) {
  const char *text = pa_attr_text(arena, mlirArrayAttrGetElement(warning, 1));
  int length = (int)strcspn(text, "\n");
  pa_string_format(out_text, "%lld\t%s\t%.*s",
                   (long long)mlirIntegerAttrGetValueInt(mlirArrayAttrGetElement(warning, 3)),
                   pa_attr_text(arena, mlirArrayAttrGetElement(warning, 2)), length, text);
  if (text[length]) pa_string_format(out_text, "; %s", text + length + 1);
  pa_string_format(out_text, "\n");
}

pa_status pa_report_fusion(MlirOperation module, pa_arena *arena, pa_string *out_text) {
  MlirAttribute rows = pa_get_attr(module, "pyarray.fusion"), warnings = pa_get_attr(module, "pyarray.warnings");
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(rows); ++i)
    pa_string_format(out_text, "%s\n", pa_attr_text(arena, mlirArrayAttrGetElement(rows, i)));
  for (intptr_t i = 0; !mlirAttributeIsNull(warnings) && i < mlirArrayAttrGetNumElements(warnings); ++i) {
    MlirAttribute warning = mlirArrayAttrGetElement(warnings, i);
    if (strcmp(pa_attr_text(arena, mlirArrayAttrGetElement(warning, 0)), "performance") == 0)
      append_warning(warning, arena, out_text);
  }
  return PA_OK;
}
