// What compiled code calls on the device: prototypes of device.def.
#ifndef PYARRAY_LIB_DEVICE_DEVICE_H
#define PYARRAY_LIB_DEVICE_DEVICE_H

#include <stdint.h>

#define PA_DEVICE(name, result, parameters, kind) result name parameters;
#include "device.def"
#undef PA_DEVICE

#endif // PYARRAY_LIB_DEVICE_DEVICE_H
