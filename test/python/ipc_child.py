"""The other process of test_cuda_ipc.py: ``ipc_child.py FILE`` opens the handle that is pickled in the file."""

import pickle
import sys

import numpy as np
from pyarray import cuda


@cuda.jit
def double(array):
    i = cuda.grid(1)
    if i < array.size:
        array[i] *= 2


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
    elif kind == "nothing":
        try:
            given.open()
        except cuda.CudaAPIError as error:
            print(error)


if __name__ == "__main__":
    main(sys.argv[1])
