"""Single records as arguments of kernels: np.void and np.record, and those of device arrays."""

import numpy as np
import pytest
from pyarray import cuda, float64, from_dtype, void
from pyarray.errors import TypingError

pytestmark = pytest.mark.real

point = np.dtype([("x", np.float64), ("n", np.int32)], align=True)
nested = np.dtype([("t", np.int8), ("p", point), ("v", np.float32, (3,)), ("z", np.complex64)])  # not aligned


@cuda.jit
def move(record, out):
    out[0] = record.x + record["n"]
    record["x"] = 2 * record.x
    record.n += 1


@cuda.jit
def reads(record, out):
    out[0] = record.x


@cuda.jit
def of_all(record, out):
    i = cuda.threadIdx.x
    out[i] = record["v"][i] + record["p"]["x"] + record.z.imag
    record["v"][i] = i
    if i == 0:
        record["p"]["n"] = 9
        record["t"] = -3


def points():
    host = np.zeros(3, point)
    host["x"], host["n"] = [1, 2, 3], [10, 20, 30]
    return host


@pytest.mark.parametrize("form", ["void", "record", "device"])
def test_fields_are_read_and_stored(form):
    host, out = points(), np.zeros(1)
    array = {"void": host, "record": host.view(np.recarray), "device": cuda.to_device(host)}[form]
    move[1, 1](array[1], out)
    host = array.copy_to_host() if form == "device" else host
    assert out[0] == 22 and host.tolist() == [(1, 10), (4, 21), (3, 30)]


def test_a_record_of_its_own():
    record, out = np.void((3.0, 4), point), np.zeros(1)
    move[1, 1](record, out)
    assert out[0] == 7 and record.tolist() == (6.0, 5)


def test_fields_of_all_kinds():
    host, out = np.zeros(5, nested), np.zeros(3)
    host[3] = (1, (2.5, 4), (1, 2, 3), 1 + 0.25j)
    of_all[1, 3](host[3], out)
    assert out.tolist() == [3.75, 4.75, 5.75]
    assert host[3].tolist()[:2] == (-3, (2.5, 9)) and host[3]["v"].tolist() == [0, 1, 2]
    assert host[:3].tobytes() + host[4:].tobytes() == bytes(4 * nested.itemsize)


def test_one_variant_for_host_and_device():
    kernel = cuda.jit(move.py_func)
    host, out = points(), np.zeros(1)
    kernel[1, 1](host[0], out)
    kernel[1, 1](cuda.to_device(host)[0], out)
    assert len(kernel.signatures) == 1


def test_declared_signatures():
    kernel = cuda.jit(void(from_dtype(point), float64[::1]))(move.py_func)
    host, out = points(), np.zeros(1)
    kernel[1, 1](host[2], out)
    assert out[0] == 33 and host[2].tolist() == (6, 31)
    device = cuda.to_device(host)
    kernel[1, 1](device[2], out)
    assert out[0] == 37 and device[2].copy_to_host()[()].tolist() == (12, 32)


def test_directions():
    host, out = points(), np.zeros(1)
    move[1, 1](cuda.In(host[0]), out)
    assert out[0] == 11 and host[0].tolist() == (1, 10)
    move[1, 1](cuda.InOut(host[0]), out)
    assert host[0].tolist() == (2, 11)


def test_read_only():
    host, out = points(), np.zeros(1)
    host.flags.writeable = False
    reads[1, 1](host[1], out)
    assert out[0] == 2
    with pytest.raises(TypingError, match="read-only|readonly"):
        move[1, 1](host[1], out)


def test_within_tuples_and_beside_its_array():
    @cuda.jit
    def swap(pair, array):
        first, second = pair
        first["x"], second["x"] = second["x"], first["x"]
        array[2]["n"] = array[0].n

    host = points()
    swap[1, 1]((host[0], host[1]), host)
    assert host.tolist() == [(2, 10), (1, 20), (3, 10)]


def test_device_functions_take_them():
    @cuda.jit(device=True)
    def norm(record):
        return abs(record.x) + record.n

    @cuda.jit
    def kernel(record, out):
        out[0] = norm(record)

    out = np.zeros(1)
    kernel[1, 1](points()[2], out)
    assert out[0] == 33


def test_what_is_refused():
    plain = np.zeros(1, "V8")[0]
    with pytest.raises(TypingError, match="argument 0"):
        reads[1, 1](plain, np.zeros(1))
    with pytest.raises(TypingError, match="argument 0"):
        reads[1, 1](np.zeros(1, [("o", object)])[0], np.zeros(1))
    swapped = np.zeros(1, [("x", ">f8")])[0]
    with pytest.raises(TypingError):
        reads[1, 1](swapped, np.zeros(1))
