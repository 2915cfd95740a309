// NumPy's tables of functions, which lie in this file.
#define PA_IMPORTS_NUMPY
#include "ext.h"

int pa_import_numpy(void) {
  import_array1(-1);
  import_umath1(-1);
  return 0;
}
