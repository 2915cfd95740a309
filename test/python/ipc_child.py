"""The other process of test_cuda_ipc.py: ``ipc_child.py FILE`` opens the handle that is pickled in the file."""

import pickle
import sys

import numpy as np
from pyarray import cuda
from pyarray.cuda import cublas


@cuda.jit
def double(array):
    i = cuda.grid(1)
    if i < array.size:
        array[i] *= 2


def told(call):
    try:
        print(call())
    except (TypeError, ValueError) as error:
        print(error)


def after_close(handle):
    """Uses of arrays over memory that was closed, and of a with block's array behind it."""
    array = handle.open()
    view, stream = array[1:], cuda.stream()
    handle.close()
    with handle as later:
        told(lambda: later.copy_to_host().tolist())
    for gone in (array, view, array.T, later):
        told(gone.copy_to_host)
        told(lambda gone=gone: gone.copy_to_host(stream=stream))
        told(lambda gone=gone: gone.copy_to_device(np.zeros(gone.shape)))
        told(lambda gone=gone: gone.__setitem__(0, 1.0))
        told(lambda gone=gone: gone[0])
        told(lambda gone=gone: double[1, 4](gone))
        told(lambda gone=gone: cublas.Blas().scal(2, gone))
        told(lambda gone=gone: cuda.from_dlpack(gone))
        told(lambda gone=gone: cuda.as_cuda_array(gone))
        told(lambda gone=gone: cuda.to_device(gone))
        told(lambda gone=gone: gone.__dlpack__())
        told(lambda gone=gone: gone.__cuda_array_interface__)


def layouts(raw, size, cases):
    """What opening with a layout tells."""
    for case in cases:
        told(lambda case=case: elements(cuda.open_ipc_array(raw, *case)))
        told(lambda case=case: of_handle(raw, size, *case))
    told(lambda: cuda.IpcHandle(None, raw, size + 10**6).open())
    told(lambda: cuda.IpcHandle(None, raw, size, None, size + 1).open())


def elements(opened):
    with opened as array:
        return array.copy_to_host().tolist()


def of_handle(raw, size, shape, dtype, strides, offset):
    handle = cuda.IpcHandle(None, raw, size, None, offset)
    found = handle.open_array(None, shape, dtype, strides).copy_to_host().tolist()
    handle.close()
    return found


def main(path):
    kind, given = pickle.loads(open(path, "rb").read())
    if kind == "array":
        with given as array:
            double[1, 64](array)
            print(array.copy_to_host().tolist())
    elif kind == "bytes":
        raw, offset = given
        with cuda.open_ipc_array(raw, 10, np.float64, offset=offset) as array:
            double[1, 64](array)
            print(array.copy_to_host().tolist())
    elif kind == "steps":
        array = given.open()
        print(array.shape, array.strides, array.dtype, array.copy_to_host().tolist())
        try:
            given.open()
        except ValueError as error:
            print(error)
        given.close()
        try:
            given.close()
        except ValueError as error:
            print(error)
    elif kind == "closed":
        after_close(given)
    elif kind == "layouts":
        layouts(*given)
    elif kind == "nothing":
        try:
            given.open()
        except cuda.CudaAPIError as error:
            print(error)


if __name__ == "__main__":
    main(sys.argv[1])
