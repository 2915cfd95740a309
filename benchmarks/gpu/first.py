"""Milliseconds of the first steps of a process with CUDA, as JSON: run by gpu.py."""

import json
import time

import numpy as np

times = {}
start = time.perf_counter()


def lap(name):
    global start
    now = time.perf_counter()
    times[name] = (now - start) * 1e3
    start = time.perf_counter()


import pyarray  # noqa: E402, F401

lap("import pyarray")
from pyarray import cuda  # noqa: E402

lap("import cuda")
cuda.current_context()
lap("driver and context")
array = cuda.to_device(np.zeros(10))
lap("to_device")


@cuda.jit
def first(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1


@cuda.jit
def second(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= 2


lap("two decorators")
first[1, 32](array)
cuda.synchronize()
lap("first kernel")
second[1, 32](array)
cuda.synchronize()
lap("second kernel")
assert (array.copy_to_host() == 2).all()
print(json.dumps(times))
