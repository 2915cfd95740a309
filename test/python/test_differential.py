"""Random programs give in compiled code what they give in CPython: results, exceptions, arrays written to.

assert_same() and conftest.py look at each call and each test whether an array is left.

What is known to differ does not occur in them (random_programs.py): ints beyond 64 bits, and what would need them on
the way. PYARRAY_TEST_PROFILE=thorough runs many more.
"""

import os

import numpy as np
import pytest
from compare import assert_same, copied, define, outcome, strict
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pyarray import TypingError, UnsupportedError, njit
from random_programs import COMPLEXES, FLOATS, INTS, TooLarge, plain, programs, with_limits

pytestmark = pytest.mark.real

_common = dict(deadline=None, suppress_health_check=list(HealthCheck), database=None, report_multiple_bugs=False)
# Shrinking a failure takes minutes: that is for the thorough profile.
settings.register_profile("moderate", max_examples=60, derandomize=True, phases=[Phase.generate], **_common)
settings.register_profile("thorough", max_examples=5000, **_common)
settings.load_profile(os.environ.get("PYARRAY_TEST_PROFILE", "moderate"))


def layouts_1d(values, dtype):
    """An array as it stands, strided, reversed, or within another."""
    array = np.array(values, dtype)
    return st.sampled_from([array, np.repeat(array, 2)[::2], array[::-1], np.concatenate([array, array])[: len(array)]])


def layouts_2d(values, shape):
    array = np.resize(np.array(values), shape)
    return st.sampled_from([array, np.asfortranarray(array), np.repeat(array, 2, axis=1)[:, ::2], array[::-1]])


@st.composite
def argument_lists(draw):
    """Arguments for random programs."""
    size = draw(st.sampled_from([3, 4, 5, 6, 3, 4, 5, 6, 4, 3, 4, 0, 1]))
    a = draw(layouts_1d(draw(st.lists(FLOATS, min_size=size, max_size=size)), float))
    v = draw(layouts_1d(draw(st.lists(st.integers(-50, 50), min_size=size, max_size=size)), np.int64))
    shape = draw(st.sampled_from([(3, 4), (4, 3), (3, 3), (5, 4), (2, 3), (0, 3), (3, 0)]))
    m = draw(layouts_2d(draw(st.lists(FLOATS, min_size=2, max_size=6)), shape))
    return [draw(INTS), draw(INTS), draw(FLOATS), draw(FLOATS), draw(st.booleans()), draw(COMPLEXES), a, v, m]


def check(source, lists, ulps=0, decorator=strict):
    """Compile a program and run it with each list of arguments."""
    compiled, python = (define(source, decorator=plain, njit=each) for each in (decorator, plain))
    limits = with_limits(source)
    for arguments in lists:
        if outcome(limits, copied(arguments))[1] is not TooLarge:
            assert_same(compiled, *arguments, ulps=ulps, oracle=python)


several_lists = st.lists(argument_lists(), min_size=2, max_size=3)


@given(programs(), several_lists)
def test_scalars(source, lists):
    check(source, lists)


@given(programs(complex=True), several_lists)
def test_complex_numbers(source, lists):
    check(source, lists)


@given(programs(arrays=True), several_lists)
def test_arrays(source, lists):
    check(source, lists)


@given(programs(math=True), several_lists)
def test_math_functions(source, lists):
    check(source, lists, ulps=2)


@given(programs(unbound=True, arrays=True), several_lists)
def test_variables_that_may_be_unbound(source, lists):
    check(source, lists)


@given(programs(calls=True), several_lists, st.sampled_from(["auto", "always", "never"]))
def test_calls(source, lists, inline):
    check(source, lists, decorator=njit(inline=inline, error_model="strict"))


@given(programs(calls=True, arrays=True, complex=True, math=True), several_lists)
def test_everything(source, lists):
    check(source, lists, ulps=2)


SCALARS = [np.int8, np.int32, np.uint8, np.uint64, np.float32, np.bool_, np.complex64, int, float, bool, complex]
ELEMENTS = [np.bool_, np.int8, np.int32, np.uint8, np.uint64, np.float32, np.float64, np.complex64, np.complex128]
scalar_types = st.lists(st.sampled_from(SCALARS), min_size=6, max_size=6)
element_types = st.lists(st.sampled_from(ELEMENTS), min_size=3, max_size=3)


@given(programs(calls=True, arrays=True, complex=True, math=True), scalar_types, element_types)
def test_arguments_of_any_type_compile_or_are_refused(source, scalars, elements):
    """Nothing is compared: with other types Python means something else. But the compiler must not fail."""
    compiled = define(source, decorator=plain, njit=strict)
    arrays = [np.ones(shape, dtype) for shape, dtype in zip((5, 5, (4, 5)), elements)]
    kind, error, *rest = outcome(compiled, [*(scalar(1) for scalar in scalars), *arrays])
    accepted = TypingError, UnsupportedError, ArithmeticError, ValueError, IndexError, AssertionError
    assert kind == "returned" or issubclass(error, accepted), f"{error}: {rest}\n{source}"
