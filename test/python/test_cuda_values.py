"""Named tuples and members of enums as arguments of kernels; kernels of functions that `njit` has compiled."""

import collections
import enum
import typing

import numpy as np
import pytest
from pyarray import cuda, errors, float64, njit, typeof, types

Point = collections.namedtuple("Point", "x y")


class Pair(typing.NamedTuple):
    a: np.ndarray
    point: Point
    scale: float = 2.0

    def total(self):
        return self.a[0] + self.point.x * self.scale


class Color(enum.Enum):
    red = 1
    blue = "b"
    other = (1, 2)

    @property
    def is_warm(self):
        return self == Color.red

    def plus(self, n):
        return n + 1


class Level(enum.IntEnum):
    low = 3
    high = 7


class Mode(enum.Flag):
    read = 1
    write = 2
    both = 3


class Bits(enum.IntFlag):
    one = 1
    two = 2


def run(body, *arguments):
    out = np.zeros(4)
    cuda.jit(body)[1, 1](*arguments, out)
    return out.tolist()


def test_named_tuples():
    def fields(p, out):
        out[0] = p.x + p.y
        out[1] = p[0]
        out[2] = len(p)

    def nested(points, out):
        for p in points[1]:
            out[0] += p.x * p.y
        x, y = points[0]
        out[1] = x - y

    assert run(fields, Point(1.0, 2)) == [3, 1, 2, 0]
    assert run(nested, (Point(5, 3.5), (Point(1.0, 2.0), Point(3.0, 4.0)))) == [14, 1.5, 0, 0]


@pytest.mark.parametrize("make", [np.array, cuda.to_device])
def test_arrays_in_named_tuples(make):
    def body(pair, out):
        out[0] = pair.total()
        pair.a[1] = pair.point.y

    a = make([1.0, 2.0, 3.0])
    assert run(body, Pair(a, Point(4.0, 2.5)))[0] == 9
    assert (a if isinstance(a, np.ndarray) else a.copy_to_host()).tolist() == [1, 2.5, 3]


def test_members_of_enums():
    def members(color, level, mode, bits, out):
        out[0] = (color == Color.other) * 10 + color.is_warm + color.plus(1)
        out[1] = level + (level == Level.high)
        out[2] = (mode & Mode.write) == Mode.write
        out[3] = bits | 1

    assert run(members, Color.other, Level.high, Mode.both, Bits.two) == [12, 8, 1, 3]
    assert run(members, Color.red, Level.low, Mode.read, Bits.one) == [3, 3, 0, 1]


def test_members_in_tuples_and_flags_as_globals():
    def body(values, out):
        out[0] = values[0] == Mode.read
        out[1] = values[1].x is Color.blue
        out[2] = values[1].y

    assert run(body, (Mode.read, Point(Color.blue, 5))) == [1, 1, 5, 0]


def test_each_class_has_its_kernel():
    Other = collections.namedtuple("Other", "y x")

    @cuda.jit
    def kernel(p, out):
        out[0] = p.x

    out = np.zeros(1)
    for value, wanted in ((Point(1.0, 2.0), 1), (Other(1.0, 2.0), 2), (Point(3.0, 4.0), 3)):
        kernel[1, 1](value, out)
        assert out[0] == wanted
    with pytest.raises(errors.TypingError):
        kernel[1, 1]((1.0, 2.0), out)


def test_declared_signatures():
    @cuda.jit(types.void(typeof(Point(1.0, 2.0)), typeof(Level.low), float64[::1]))
    def kernel(p, level, out):
        out[0] = p.x * 100 + p.y * 10 + level

    out = np.zeros(1)
    kernel[1, 1](Point(1.0, 2.0), Level.low, out)
    assert out[0] == 123
    kernel[1, 1](Point(4, 5), Level.high, out)  # ints become floats
    assert out[0] == 457
    with pytest.raises(TypeError, match="No matching definition"):
        kernel[1, 1](Point(1.0, 2.0), 3, out)


def test_ptx():
    def kernel(p, level, out):
        out[0] = p.x + level

    ptx, result = cuda.compile_ptx(kernel, (typeof(Point(1.0, 2.0)), typeof(Level.low), float64[::1]), cc=(9, 0))
    assert "kernel_param_0" in ptx and "kernel_param_6" not in ptx


def test_what_kernels_do_not_take():
    def body(value, out):
        out[0] = 1

    for value in (Point("text", 1), Point([1], 2), (Color.red, "text"), Point(1, object())):
        with pytest.raises(errors.TypingError, match="cannot determine the type of|is not supported"):
            run(body, value)


@njit
def double(a):
    for i in range(len(a)):
        a[i] *= 2


def test_kernels_of_functions_that_are_compiled_for_the_cpu():
    for kernel in (cuda.jit(double), cuda.jit("void(float64[:])")(double), cuda.jit(fastmath=True)(double)):
        a = np.arange(4.0)
        kernel[1, 1](a)
        double(a)
        assert a.tolist() == [0, 4, 8, 12] and kernel.py_func is double.py_func

    @cuda.jit
    def caller(a):
        inner(a)

    @njit
    def plain(a):
        a[0] += 1

    inner = cuda.jit(device=True)(plain)
    a = np.zeros(1)
    caller[1, 1](a)
    assert a[0] == 1


def test_kernels_of_kernels_and_of_classes_are_refused():
    kernel = cuda.jit(double)
    for bad in (kernel, Point, np.sin, 3.5):
        with pytest.raises(TypeError):
            cuda.jit(fastmath=True)(bad)
    with pytest.raises(TypeError, match="which it has made"):
        cuda.jit(kernel)
