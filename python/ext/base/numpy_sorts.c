// The functions that sort NumPy's dtypes, for compiled code (runtime/sort/sort.h).
#include "runtime/sort/sort.h"

#include "ext.h"

int pa_numpy_sorts_fetch(void) {
  for (const char *letter = pa_sorted_letters; *letter; ++letter) {
    PyArray_Descr *dtype = PyArray_DescrFromType(*letter);
    if (!dtype) return -1;
    const PyArray_ArrFuncs *functions = PyDataType_GetArrFuncs(dtype);
    if (functions)
      pa_numpy_sorts_set(*letter,
                         &(pa_numpy_sorts){{functions->sort[NPY_QUICKSORT], functions->sort[NPY_STABLESORT]},
                                           {functions->argsort[NPY_QUICKSORT], functions->argsort[NPY_STABLESORT]}});
    Py_DECREF(dtype);
  }
  return 0;
}
