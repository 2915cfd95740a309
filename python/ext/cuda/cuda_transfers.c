// Copies of host arrays around a launch. Each array has a copy on the device of its own, but for arrays that overlap:
// these lie in one copy as they do in the host's memory.
//
//   kernel(x)         x -> device                 one that is not contiguous: x -> contiguous copy -> device
//   kernel(x, x[1:])  x -> device                 x[1:] is behind the start of the copy of x
//   kernel(x[:5], x[3:9])  bytes of x[0:9] -> device, and back into both arrays by way of the bytes
#include "cuda.h"

#include <string.h>

#define FOR_EACH_TRANSFER(name, arguments) for (pa_transfer *name = (arguments)->transfers; name; name = name->next)

//===-- Which arrays lie together -----------------------------------------------------------------===//

// The bytes from an array's lowest element to the end of its highest; none without elements.
typedef struct extent {
  uintptr_t start, end;
} extent;

static extent extent_of(PyArrayObject *array) {
  uintptr_t data = (uintptr_t)PyArray_DATA(array);
  extent e = {data, data + (uintptr_t)PyArray_ITEMSIZE(array)};
  for (int i = 0; i < PyArray_NDIM(array); ++i) {
    if (!PyArray_DIM(array, i)) return (extent){data, data};
    npy_intp way = (PyArray_DIM(array, i) - 1) * PyArray_STRIDE(array, i);
    *(way < 0 ? &e.start : &e.end) += (uintptr_t)way;
  }
  return e;
}

// Both in one copy: the same array, or elements in common of which some are written. -1 with an exception set.
static int lie_together(const pa_transfer *a, const pa_transfer *b) {
  if (a->array == b->array) return 1;
  extent one = extent_of(a->array), other = extent_of(b->array);
  if (!((a->mode | b->mode) & PA_TRANSFER_OUT) || one.end <= other.start || other.end <= one.start) return 0;
  PyObject *shared = pa_call_helper("cuda._overlap", "share_elements", "(OO)", a->array, b->array);
  int result = shared ? PyObject_IsTrue(shared) : -1;
  Py_XDECREF(shared);
  return result;
}

static bool find_images(const pa_kernel_arguments *arguments) {
  FOR_EACH_TRANSFER(transfer, arguments) {
    transfer->image = transfer;
    for (pa_transfer *earlier = arguments->transfers; earlier != transfer; earlier = earlier->next) {
      if (earlier->image == transfer->image) continue;
      int together = lie_together(transfer, earlier);
      if (together < 0) return false;
      pa_transfer *image = earlier->image, *joined = transfer->image;
      for (pa_transfer *each = arguments->transfers; together && each != transfer->next; each = each->next)
        if (each->image == joined) each->image = image;
    }
  }
  FOR_EACH_TRANSFER(transfer, arguments) transfer->image->moved |= transfer->mode;
  return true;
}

//===-- What is copied ----------------------------------------------------------------------------===//

static bool is_contiguous(PyArrayObject *array) {
  return PyArray_IS_C_CONTIGUOUS(array) || PyArray_IS_F_CONTIGUOUS(array);
}

// Sets |host| of an image that holds several arrays: one that all others lie in, if it is copied as they are; else
// bytes.
static bool choose_host(const pa_kernel_arguments *arguments, pa_transfer *image, extent *out_extent) {
  extent all = extent_of(image->array);
  FOR_EACH_TRANSFER(each, arguments) {
    extent e = extent_of(each->array);
    if (each->image != image || e.start == e.end) continue;
    if (e.start < all.start) all.start = e.start;
    if (e.end > all.end) all.end = e.end;
  }
  *out_extent = all;
  FOR_EACH_TRANSFER(each, arguments) {
    extent e = extent_of(each->array);
    if (each->image != image || e.start != all.start || e.end != all.end || each->mode != image->moved ||
        !is_contiguous(each->array))
      continue;
    image->host = (PyArrayObject *)Py_NewRef((PyObject *)each->array);
    return true;
  }
  npy_intp bytes = (npy_intp)(all.end - all.start);
  image->form = PA_HOST_IS_BYTES;
  image->host = (PyArrayObject *)PyArray_SimpleNew(1, &bytes, NPY_UINT8);
  if (image->host && image->moved & PA_TRANSFER_IN)
    memcpy(PyArray_DATA(image->host), (const void *)all.start, (size_t)bytes);
  return image->host;
}

static bool is_alone(const pa_kernel_arguments *arguments, const pa_transfer *image) {
  FOR_EACH_TRANSFER(each, arguments)
  if (each->image == image && each->array != image->array) return false;
  return true;
}

// |host| begins as far behind a multiple of this many bytes as the arrays do in the host's memory: so elements stay
// aligned.
enum { ALIGNMENT = 16 };

static bool allocate(const pa_kernel_arguments *arguments, pa_transfer *image, uintptr_t start) {
  size_t lead = start % ALIGNMENT, bytes = (size_t)PyArray_NBYTES(image->host);
  pa_status status;
  Py_BEGIN_ALLOW_THREADS status =
      pa_cuda_allocate(arguments->context, PA_CUDA_DEVICE, 0, bytes ? bytes + lead : 0, &image->buffer);
  Py_END_ALLOW_THREADS image->device = image->buffer.device + (bytes ? lead : 0);
  return pa_cuda_ok(status);
}

//===-- Where the kernel finds them ---------------------------------------------------------------===//

// A contiguous copy of an array that is not.
static void describe_copy(const pa_transfer *transfer) {
  bool bytes = pa_has_bytes_code(PyArray_DESCR(transfer->array));
  int rank = PyArray_NDIM(transfer->array);
  uint64_t *shape = transfer->slots + 1, *strides = shape + rank + bytes,
           step = bytes ? (uint64_t)PyArray_ITEMSIZE(transfer->array) : 1;
  enum { READ_ONLY = 0x20 }; // lower case
  transfer->code[1] = (char)('C' | (transfer->code[1] & READ_ONLY));
  for (int i = rank - 1; i >= 0; --i) {
    strides[i] = step;
    step *= shape[i] ? shape[i] : 1;
  }
}

static bool place_alone(const pa_kernel_arguments *arguments, pa_transfer *image) {
  bool as_it_is = is_contiguous(image->array);
  image->host =
      (PyArrayObject *)(as_it_is ? Py_NewRef((PyObject *)image->array) : PyArray_NewCopy(image->array, NPY_CORDER));
  image->form = as_it_is ? PA_HOST_IS_ARRAY : PA_HOST_IS_COPY;
  if (!image->host || !allocate(arguments, image, 0)) return false;
  FOR_EACH_TRANSFER(each, arguments) {
    if (each->image != image) continue;
    each->slots[0] = image->device;
    if (!as_it_is) describe_copy(each);
  }
  return true;
}

static bool place_together(const pa_kernel_arguments *arguments, pa_transfer *image) {
  extent all;
  FOR_EACH_TRANSFER(each, arguments) {
    if (each->image != image || !each->is_odd) continue;
    PyErr_SetString(
        PyExc_ValueError,
        "an array that is not aligned in memory overlaps another argument of the kernel: pass a copy of it");
    return false;
  }
  if (!choose_host(arguments, image, &all) || !allocate(arguments, image, all.start)) return false;
  FOR_EACH_TRANSFER(each, arguments)
  if (each->image == image) each->slots[0] = image->device + ((uintptr_t)PyArray_DATA(each->array) - all.start);
  return true;
}

bool pa_transfers_place(const pa_kernel_arguments *arguments) {
  if (!find_images(arguments)) return false;
  FOR_EACH_TRANSFER(image, arguments) {
    if (image->image != image) continue;
    if (!(is_alone(arguments, image) ? place_alone : place_together)(arguments, image)) return false;
  }
  return true;
}

//===-- Copies ------------------------------------------------------------------------------------===//

static size_t bytes_of(const pa_transfer *image) { return image->host ? (size_t)PyArray_NBYTES(image->host) : 0; }

bool pa_transfers_begin(const pa_kernel_arguments *arguments) {
  FOR_EACH_TRANSFER(image, arguments) {
    if (!(image->moved & PA_TRANSFER_IN) || !bytes_of(image)) continue;
    pa_status status;
    Py_BEGIN_ALLOW_THREADS status = pa_cuda_copy_to_device(arguments->context, image->device, PyArray_DATA(image->host),
                                                           bytes_of(image), arguments->stream, false);
    Py_END_ALLOW_THREADS if (!pa_cuda_ok(status)) return false;
  }
  return true;
}

static void keep_first(pa_status *first, pa_status status) {
  if (*first)
    pa_status_free(status);
  else
    *first = status;
}

// All are copied, whatever became of one: |*out_status| is the first failure.
static void copy_back(const pa_kernel_arguments *arguments, pa_status *out_status) {
  FOR_EACH_TRANSFER(image, arguments) {
    if (!(image->moved & PA_TRANSFER_OUT) || !bytes_of(image)) continue;
    keep_first(out_status, pa_cuda_copy_to_host(arguments->context, PyArray_DATA(image->host), image->device,
                                                bytes_of(image), arguments->stream, false));
  }
  keep_first(out_status, pa_cuda_stream_synchronize(arguments->context, arguments->stream));
}

static bool copy_from_bytes(const pa_transfer *image, const pa_transfer *transfer) {
  PyArrayObject *array = transfer->array;
  char *data = PyArray_BYTES(image->host) + (transfer->slots[0] - image->device);
  PyArray_Descr *dtype = PyArray_DESCR(array);
  Py_INCREF((PyObject *)dtype);
  PyObject *view = PyArray_NewFromDescr(&PyArray_Type, dtype, PyArray_NDIM(array), PyArray_DIMS(array),
                                        PyArray_STRIDES(array), data, 0, NULL);
  bool done = view && PyArray_CopyInto(array, (PyArrayObject *)view) == 0;
  Py_XDECREF(view);
  return done;
}

static bool finish(const pa_transfer *transfer) {
  const pa_transfer *image = transfer->image;
  if (!(transfer->mode & PA_TRANSFER_OUT) || image->form == PA_HOST_IS_ARRAY) return true;
  if (image->form == PA_HOST_IS_COPY) return PyArray_CopyInto(transfer->array, image->host) == 0;
  return copy_from_bytes(image, transfer);
}

bool pa_transfers_end(const pa_kernel_arguments *arguments) {
  pa_status status = PA_OK;
  Py_BEGIN_ALLOW_THREADS copy_back(arguments, &status);
  Py_END_ALLOW_THREADS bool done = true;
  FOR_EACH_TRANSFER(transfer, arguments) done = done && finish(transfer);
  if (done) return pa_cuda_waited(arguments->context, status);
  pa_status_free(status);
  return false;
}

void pa_transfers_free(pa_transfer *first) {
  for (pa_transfer *next; first; first = next) {
    next = first->next;
    Py_BEGIN_ALLOW_THREADS pa_cuda_free(&first->buffer);
    Py_END_ALLOW_THREADS Py_XDECREF((PyObject *)first->host);
    Py_DECREF((PyObject *)first->array);
    PyMem_Free(first);
  }
}
