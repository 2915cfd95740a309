"""A kernel in Python that is linked with functions in CUDA C (NumbaPro talk, lesson 3: JIT linking).

``jit_linking.cu`` is compiled by NVRTC where there is a GPU, else by clang, when the kernel is.
"""

import pathlib

import numpy as np
from pyarray import cuda

CODE = pathlib.Path(__file__).resolve().with_suffix(".cu")

waves = cuda.declare_device("waves", "float32(CPointer(float32), int32, float32)")


@cuda.jit(link=[CODE])
def heights(x, frequencies, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = waves(frequencies, frequencies.size, x[i])


def jit_linking(x, frequencies):
    """The heights of a sum of damped waves."""
    out = cuda.device_array(x.size, np.float32)
    heights[(x.size + 127) // 128, 128](cuda.to_device(x), cuda.to_device(frequencies), out)
    return (out.copy_to_host(),)


TOLERANCE = 1e-5


def missing():
    """Why this cannot run here, or None."""
    from pyarray.cuda._sources import clang

    return None if cuda.is_available() or clang() else "there is neither a GPU nor clang"


def arguments(size=500):
    """Places, and frequencies of the waves."""
    return np.linspace(0, 4, size, dtype=np.float32), np.array([1, 1.5, 2.25], np.float32)


def reference(x, frequencies):
    """The same by NumPy, in float64."""
    x = x.astype(np.float64)[:, None]
    return ((np.exp(-0.5 * x) * np.cos(6.2831853 * frequencies * x)).sum(1).astype(np.float32),)


def main():
    """Print some heights, and what becomes of a status that is not 0."""
    x, frequencies = arguments(9)
    print(np.round(jit_linking(x, frequencies)[0], 3))
    try:
        jit_linking(x, -frequencies)
    except cuda.ForeignFunctionError as error:
        print(f"{type(error).__name__}: {error}")


def draw(figure):
    """The waves."""
    x, frequencies = arguments()
    axes = figure.subplots()
    axes.plot(x, jit_linking(x, frequencies)[0])
    axes.set(title="a function in CUDA C, called from Python", xlabel="x", ylabel="height")


if __name__ == "__main__":
    import sys

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
    from plotting import run

    run(main, draw)
