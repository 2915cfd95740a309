// fn.fusion_report(): what pyarray-fuse made of the operations on whole arrays, as rows "line<TAB>file<TAB>text".
#include "compile.h"

pa_status pa_report_fusion(MlirOperation module, pa_arena *arena, pa_string *out_text) {
  MlirAttribute rows = pa_get_attr(module, "pyarray.fusion");
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(rows); ++i)
    pa_string_format(out_text, "%s\n", pa_attr_text(arena, mlirArrayAttrGetElement(rows, i)));
  return PA_OK;
}
