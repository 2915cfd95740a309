"""Import statements within functions."""

import subprocess
import sys
import textwrap

import pytest
from pyarray import errors, njit


def test_modules_and_names():
    def f(x):
        import itertools
        import math as m
        from collections import Counter
        from math import pi, sqrt

        def g(y):
            return sqrt(y) * pi

        counts = Counter([1, 1, 2])
        return g(x) + m.floor(x), sum([sqrt(k) for k in itertools.chain([1, 4], [9])]), counts[1]

    assert njit(f)(2.5) == f(2.5)


def test_in_generators_and_branches():
    def roots(n):
        for i in range(n):
            from math import sqrt

            yield sqrt(i)

    def f(x):
        if x > 1:
            import math
        else:
            import math
        return math.exp(x)

    assert list(njit(roots)(5)) == list(roots(5))
    assert njit(f)(2.0) == f(2.0)


@pytest.fixture
def package(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "__init__.py").write_text("")
    (tmp_path / "parts" / "settings.py").write_text("STEP = 3\n")
    (tmp_path / "parts" / "math.py").write_text("pi = 4\n")  # not Python's
    (tmp_path / "parts" / "use.py").write_text(
        textwrap.dedent("""
        from pyarray import njit

        @njit
        def f(x):
            from . import settings
            from .math import pi
            from .settings import STEP as step
            import parts.settings
            return x * settings.STEP + pi, step, parts.settings.STEP
        """)
    )
    return tmp_path


def run(folder):
    program = "from parts.use import f; print(*f(10))"
    return subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True
    ).stdout


def test_what_is_imported_is_never_stale(package):
    assert run(package) == run(package) == "34 3 3\n"
    (package / "parts" / "math.py").write_text("pi = 5000\n")
    assert run(package) == "5030 3 3\n"
    (package / "parts" / "settings.py").write_text("STEP = 70\n")
    assert run(package) == "5700 70 70\n"


def test_a_module_that_fails(tmp_path, monkeypatch):
    (tmp_path / "failing_module.py").write_text("raise RuntimeError('no')\n")
    monkeypatch.syspath_prepend(str(tmp_path))

    @njit
    def f(x):
        import failing_module

        return failing_module.g(x)

    with pytest.raises(RuntimeError, match="no"):
        f(1)


def test_refusals():
    @njit
    def f(x):
        import no_such_module

        return no_such_module.g(x)

    with pytest.raises(errors.TypingError, match="No module named 'no_such_module'"):
        f(1)
