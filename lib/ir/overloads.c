#include "overloads.h"

pa_overload_resolver pa_find_overload;
pa_overload_names pa_has_overloads;
pa_class_attributes pa_python_class_has;
