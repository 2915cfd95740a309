"""Arguments that are no arrays, but that NumPy makes one of; and pandas' protocol of engines."""

import numpy as np
import pytest
from pyarray import jit, njit, typeof, types
from pyarray.errors import TypingError

pytestmark = pytest.mark.real


class WithInterface:
    def __init__(self, array):
        self.array = array

    @property
    def __array_interface__(self):
        return self.array.__array_interface__


class WithDlpack:
    device = 1

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.device, 0


class WithArray:
    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        return self.array


@njit
def total(a):
    return a.sum()


@njit
def fill(a):
    a[0] = 7


@njit
def itself(a):
    return a


@pytest.mark.parametrize("kind", [WithInterface, WithDlpack, WithArray])
@pytest.mark.parametrize("array", [np.arange(5.0), np.arange(6).reshape(2, 3), np.arange(10.0)[::2], np.zeros(0)])
def test_reading(kind, array):
    assert total(kind(array)) == array.sum()
    found = itself(kind(array))
    assert type(found) is np.ndarray and found.dtype == array.dtype and np.array_equal(found, array)
    assert typeof(kind(array)).dtype == typeof(array).dtype


@pytest.mark.parametrize("kind", [WithInterface, WithDlpack])
def test_memory_is_shared(kind):
    array = np.arange(3.0)
    fill(kind(array))
    assert array.tolist() == [7.0, 1.0, 2.0]
    found = itself(kind(array))
    assert np.shares_memory(found, array)


def test_what_may_be_a_copy_is_read_only():
    array = np.arange(3.0)
    with pytest.raises(TypingError, match="read"):
        fill(WithArray(array))
    assert array.tolist() == [0.0, 1.0, 2.0] and array.flags.writeable


def test_many_calls_and_arguments():
    @njit
    def f(a, b, c):
        return a[0] + b[1] + c[2]

    array = np.arange(3.0)
    for _ in range(1000):
        assert f(WithInterface(array), WithArray(array), array) == 3.0
    wide = njit(eval(f"lambda {', '.join(f'a{i}' for i in range(60))}: a0[0] + a59[2]"))
    assert wide(*[WithInterface(array)] * 60) == 2.0


def test_what_is_no_array_for_compiled_code():
    class Elsewhere(WithDlpack):
        device = 2

    for value in (WithArray(np.array([None])), Elsewhere(np.zeros(2)), WithArray, WithInterface(np.zeros(2, ">f8"))):
        with pytest.raises(TypingError):
            total(value)
    with pytest.raises(TypingError):
        total([WithArray(np.zeros(2))])

    class Wrong:
        def __array__(self, dtype=None, copy=None):
            raise ValueError("not today")

    with pytest.raises(ValueError, match="not today"):
        total(Wrong())


# ------------------------------------------------------------------------------------------------
# pandas, whose part of the protocol is played here (test/compatibility.py runs pandas itself)


def scale(x, by=2, more=0.0):
    return x * by + more


def apply(data, function, *args, axis=0, decorator=jit, **kwargs):
    return decorator.__pandas_udf__.apply(
        data=data, func=function, args=args, kwargs=kwargs, decorator=decorator, axis=axis
    )


def apply_map(data, function, *args, skip_na=False, decorator=jit, **kwargs):
    return decorator.__pandas_udf__.map(
        data=data, func=function, args=args, kwargs=kwargs, decorator=decorator, skip_na=skip_na
    )


@pytest.mark.parametrize("decorator", [jit, njit, njit(nogil=True)])
def test_map(decorator):
    data = np.array([1.0, np.nan, 3.0])
    assert apply_map(np.arange(4), scale, 3, decorator=decorator).tolist() == [0, 3, 6, 9]
    assert apply_map(np.arange(4), scale, more=0.5, decorator=decorator).tolist() == [0.5, 2.5, 4.5, 6.5]
    np.testing.assert_array_equal(apply_map(data, lambda x: 1.0 if x != x else x), [1.0, 1.0, 3.0])
    np.testing.assert_array_equal(apply_map(data, lambda x: 1 if x != x else 5, skip_na=True), [5, np.nan, 5])
    assert apply_map(np.ones((2, 3)), scale).shape == (2, 3)
    assert apply_map(np.arange(2), lambda x: "a" if x else "b").tolist() == ["b", "a"]
    with pytest.raises(TypingError, match="functions of numbers"):
        apply_map(np.array(["a"], object), scale)


def test_apply():
    data = np.arange(6.0).reshape(2, 3)
    for axis in (0, 1):
        assert apply(data, lambda a: a.sum(), axis=axis).tolist() == data.sum(axis).tolist()
        np.testing.assert_array_equal(apply(data, lambda a: a - a[0], axis=axis), data - data.take([0], axis))
        assert apply(data, lambda a, k: a.max() * k, 3, axis=axis).tolist() == (data.max(axis) * 3).tolist()

    @njit
    def spread(a):
        return a.max() - a.min()

    assert apply(data, spread).tolist() == [3.0, 3.0, 3.0] and spread.signatures == [(types.float64[::1],)]

    class Frame:
        pass

    with pytest.raises(NotImplementedError, match="raw=True"):
        apply(Frame(), spread)
