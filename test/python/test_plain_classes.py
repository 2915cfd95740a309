"""Plain Python classes in compiled code: their constants and static methods, which need no instance."""

import abc
import enum
import subprocess
import sys
from functools import cached_property

import numpy as np
import pytest
from pyarray import cuda, errors, njit
from pyarray.extending import register_jitable


class Defaults(abc.ABC):
    """A base that declares what is no constant, too."""

    STEPS = 4
    UNIT = "m"

    @staticmethod
    @njit
    def twice(x):
        return 2 * x

    @abc.abstractmethod
    def method(self): ...


class Axis(enum.IntEnum):
    ROWS = 0
    COLUMNS = 1


class Settings(Defaults):
    UNIT = "km"
    TABLE = np.arange(5.0)
    SHAPE = (2, 3)
    KIND = np.float32
    WEIGHTS = [1, 2, 3]
    AXIS = Axis.COLUMNS

    class Inner:
        DEPTH = 7

    @njit
    def half(x):
        return x / 2

    @register_jitable
    def third(x):
        return x / 3

    @staticmethod
    def plain(x):
        return x

    def method(self):
        return self

    @classmethod
    def made(cls):
        return cls

    @property
    def size(self):
        return 3

    @cached_property
    def cached(self):
        return 3


def constants():
    return Settings.STEPS, Settings.UNIT, Defaults.UNIT, Settings.TABLE[2], Settings.WEIGHTS[1], Settings.Inner.DEPTH


def as_arguments():
    return np.ones(Settings.SHAPE, Settings.KIND).sum(axis=Settings.AXIS)


def functions(x):
    return Settings.half(x), Settings.twice(x), Settings.third(x), getattr(Settings, "STEPS"), hasattr(Settings, "no")  # noqa: B009


def test_constants():
    assert njit(constants)() == constants()
    found = njit(as_arguments)()
    assert found.dtype == np.float32 and found.tolist() == [3.0, 3.0]


def test_functions():
    assert njit(functions)(3.0) == functions(3.0)


class Geometry:
    """Whose functions call each other by the name of the class."""

    SIDES = 4

    @staticmethod
    @njit
    def area(x):
        return Geometry.power(x) * Geometry.SIDES

    @staticmethod
    @njit
    def power(x):
        return x * x


def test_functions_of_a_class_call_each_other():
    assert Geometry.area(3) == 36
    assert njit(lambda x: Geometry.area(x) + Geometry.power(x))(3) == 45


def test_a_class_of_a_function():
    def make(step):
        class Local:
            STEP = step

        return njit(lambda x: x + Local.STEP)

    assert make(1)(10) == 11 and make(2)(10) == 12


def test_kernels():
    @cuda.jit
    def fill(out):
        out[cuda.grid(1)] = Settings.STEPS * Settings.twice(3)

    out = np.zeros(2)
    fill[1, 2](out)
    assert out.tolist() == [24, 24]


@pytest.mark.parametrize(
    "use, message",
    [
        (lambda: Settings.method(1), "is a class that compiled code does not have"),
        (lambda: Settings.made(), "is a class that compiled code does not have"),
        (lambda: Settings.size, "is a class that compiled code does not have"),
        (lambda: Settings.cached, "is a class that compiled code does not have"),
        (lambda: Settings.unknown, "is a class that compiled code does not have"),
        (lambda: Settings(), "is a class that compiled code does not have"),
        (lambda: Settings.plain(1), "'Settings.plain' is a plain Python function"),
    ],
)
def test_what_needs_more_than_the_class_is_refused(use, message):
    with pytest.raises(errors.NumbaError, match=message):
        njit(use)()


PROGRAM = """
from pyarray import njit

class Settings:
    STEP = {step}
    OTHER = {other}

@njit(cache=True)
def moved(x):
    return x + Settings.STEP

print(moved(1), sum(moved.stats.cache_hits.values()))
"""


def test_code_on_disk_follows_what_is_used_of_the_class(tmp_path, monkeypatch):
    monkeypatch.setenv("PYARRAY_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("PYARRAY_CACHE", raising=False)
    program = tmp_path / "program.py"

    def run(**values):
        program.write_text(PROGRAM.format(**values))
        return subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=True).stdout.split()

    assert run(step=1, other=2) == ["2", "0"]
    assert run(step=1, other=2) == ["2", "1"]
    assert run(step=1, other=9) == ["2", "1"]
    assert run(step=7, other=9) == ["8", "0"]
