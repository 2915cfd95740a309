#include "overloads.h"

pa_overload_resolver pa_find_overload;
