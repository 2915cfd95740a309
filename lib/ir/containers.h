// Kinds of containers (types.c).
#ifndef PYARRAY_LIB_IR_CONTAINERS_H
#define PYARRAY_LIB_IR_CONTAINERS_H

#include "ir.h"

typedef enum pa_container { PA_NO_CONTAINER, PA_LIST, PA_SET, PA_DICT, PA_DEQUE, PA_FROZENSET } pa_container;
pa_container pa_container_of(MlirType type); // of a null type: none

#endif // PYARRAY_LIB_IR_CONTAINERS_H
