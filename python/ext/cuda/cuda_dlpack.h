// DLPack's structures (facts of its interface, version 1.0).
#ifndef PYARRAY_PYTHON_EXT_CUDA_DLPACK_H
#define PYARRAY_PYTHON_EXT_CUDA_DLPACK_H

#include <stdint.h>

enum { DL_CPU = 1, DL_CUDA = 2, DL_CUDA_HOST = 3, DL_CUDA_MANAGED = 13 };
enum { DL_INT = 0, DL_UINT = 1, DL_FLOAT = 2, DL_BFLOAT = 4, DL_COMPLEX = 5, DL_BOOL = 6 };
enum { DL_READ_ONLY = 1 };

typedef struct DLTensor {
  void *data;
  struct {
    int32_t kind, number;
  } device;
  int32_t ndim;
  struct {
    uint8_t code, bits;
    uint16_t lanes;
  } dtype;
  int64_t *shape, *strides; // in elements; strides NULL: C order
  uint64_t byte_offset;
} DLTensor;

typedef struct DLManagedTensor {
  DLTensor tensor;
  void *context;
  void (*deleter)(struct DLManagedTensor *self);
} DLManagedTensor;

typedef struct DLManagedTensorVersioned {
  struct {
    uint32_t major, minor;
  } version;
  void *context;
  void (*deleter)(struct DLManagedTensorVersioned *self);
  uint64_t flags;
  DLTensor tensor;
} DLManagedTensorVersioned;

#endif // PYARRAY_PYTHON_EXT_CUDA_DLPACK_H
