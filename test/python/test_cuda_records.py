"""Records of device arrays, seen from the host: `d[i]` is a view of the record, as in NumPy."""

import numpy as np
import pytest
from pyarray import cuda
from pyarray.cuda.cudadrv.devicearray import DeviceNDArray, DeviceRecord

point = np.dtype([("x", np.float32), ("y", np.int16)])
mixed = np.dtype([("a", "f8"), ("b", "i4"), ("s", "S4"), ("n", point), ("v", "f8", (3,)), ("m", [("q", "i4")], (2,))])
packed = np.dtype([("t", "i1"), ("a", "f8"), ("c", "c8")])


def both(shape, dtype=mixed):
    host = np.zeros(shape, dtype)
    return host, cuda.to_device(host)


def store_field(a):
    a[0]["a"] = 1.5
    a[-1]["b"] = 4
    a[1][1] = 5


def store_text(a):
    a[1]["s"] = b"ab"


def store_within(a):
    a[1]["n"]["x"] = 2.5
    a["n"][2]["y"] = 3
    a[0]["m"][1]["q"] = 9


def store_sub_array(a):
    a[2]["v"][1] = 7
    a[0]["v"] = [1, 2, 3]
    a["v"][1, 2] = 1
    a[1]["v"][:2] = 8


def store_columns(a):
    a["a"] = 3
    a["n"]["x"] = [1, 2, 3]
    a[["a", "b"]]["b"] = 2


def store_records(a):
    a[0]["a"] = 1
    a[1] = a[0]
    a[2] = (1, 2, b"x", (3, 4), (5, 6, 7), [(8,), (9,)])
    a[0]["n"] = (6, 7)


def keep_record(a):
    record = a[1]
    record["a"] = 11
    a[0]["a"] = record["a"] + 1
    record["b"] += 3


def loop(a):
    for i, record in enumerate(a):
        record["b"] = i
        record["v"][i] = i


@pytest.mark.parametrize(
    "body", [store_field, store_text, store_within, store_sub_array, store_columns, store_records, keep_record, loop]
)
def test_stores_reach_the_device(body):
    host, device = both(3)
    body(host)
    body(device)
    np.testing.assert_array_equal(device.copy_to_host(), host)


def test_views_and_axes():
    host, device = both((2, 3), packed)
    for a in (host, device):
        a[1, 2]["a"] = 1
        a[1][0]["c"] = 2 + 3j
        a[:, ::-1][0, 0]["t"] = 4
        a.T[1, 1]["a"] = 5
        a[0, 0, ...]["a"] = 6
    np.testing.assert_array_equal(device.copy_to_host(), host)
    host, device = both((), packed)
    device[()]["a"] = 3
    device["t"] = 1
    assert device.copy_to_host()[()].tolist() == (1, 3.0, 0)


def test_fields_that_are_read():
    host = np.array([(1.5, 2, b"xy", (3, 4), (5, 6, 7), [(8,), (9,)])], mixed)
    record = cuda.to_device(host)[0]
    assert isinstance(record, DeviceRecord) and record.dtype == mixed and record.shape == ()
    assert record["a"] == 1.5 and isinstance(record["a"], np.float64) and record["s"] == b"xy" and record[1] == 2
    assert isinstance(record["n"], DeviceRecord) and record["n"]["y"] == 4
    assert isinstance(record["v"], DeviceNDArray) and record["v"].copy_to_host().tolist() == [5, 6, 7]
    assert record["m"][1]["q"] == 9 and record[["a", "b"]]["b"] == 2
    assert record == host[0] and not record != host[0] and len(record) == 6 and list(record)[:2] == [1.5, 2]
    assert record.copy_to_host() == host[0] and np.asarray(record) == host[0] and str(record) == str(host[0])
    assert record.getitem("a", stream=cuda.default_stream()) == 1.5


def test_attributes_are_those_of_record_arrays():
    host, device = both(2, packed)
    device = cuda.to_device(host.view(np.recarray))
    device[1].a = 2.5
    assert device[1].a == 2.5 and device.copy_to_host()["a"].tolist() == [0, 2.5]
    plain = cuda.to_device(host)[0]
    for act in (lambda: plain.a, lambda: setattr(plain, "a", 1)):
        with pytest.raises(AttributeError):
            act()


def test_what_a_record_has_not():
    _, device = both(2)
    record = device[0]
    with pytest.raises((KeyError, ValueError), match="no field"):
        record["z"]
    with pytest.raises((KeyError, ValueError), match="no field"):
        record["z"] = 1
    for index in (6, slice(None), (0, 1)):
        with pytest.raises(IndexError):
            record[index]
    with pytest.raises(TypeError):
        hash(record)


def test_a_record_in_a_stream_and_in_a_kernel():
    @cuda.jit
    def kernel(record):
        record["a"] = 2 * record["a"] + 1

    stream = cuda.stream()
    device = cuda.to_device(np.zeros(2, packed), stream=stream)
    device[1].setitem("a", 5, stream=stream)
    kernel[1, 1, stream](device[1])
    assert device.copy_to_host(stream=stream)["a"].tolist() == [0, 11]


def test_records_outlive_their_array():
    _, device = both(2, packed)
    record = device[1]
    device[1]["a"] = 3
    del device
    assert record["a"] == 3


def test_mapped_memory():
    host = np.zeros(2, packed)
    with cuda.mapped(host) as device:
        device[0]["a"] = 3
    assert host[0]["a"] == 3
