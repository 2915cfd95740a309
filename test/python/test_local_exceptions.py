"""Exception classes that are made in functions, and that no module holds."""

import subprocess
import sys
import textwrap

import pytest
from pyarray import njit, prange


def make(limit):
    class TooLarge(ValueError):
        def __init__(self, value, *more):
            super().__init__(value, *more)
            self.value = value

    @njit
    def check(x):
        if x > limit:
            raise TooLarge(x, "more")
        return x

    @njit
    def outer(x):
        return check(x) + 1

    @njit
    def handled(x):
        try:
            if x > limit:
                raise TooLarge(x)
        except TooLarge:
            return -1
        except ValueError:
            return -2
        return x

    @njit
    def by_base(x):
        try:
            return check(x)
        except ValueError:
            return -3

    @njit(parallel=True)
    def loop(n):
        for i in prange(n):
            check(i)

    return TooLarge, check, outer, handled, by_base, loop


def test_they_are_raised_and_handled():
    made, check, outer, handled, by_base, loop = make(3)
    for function in (check, outer, loop):
        with pytest.raises(made) as caught:
            function(500)
        assert type(caught.value) is made and caught.value.value > 3 and caught.value.args[1] == "more"
    assert outer(1) == 2 and handled(5) == -1 and handled(2) == 2 and by_base(9) == -3


def test_each_has_its_own():
    first, check_first, *_ = make(3)
    second, check_second, *_ = make(4)
    for made, check in ((first, check_first), (second, check_second), (first, check_first)):
        with pytest.raises(made) as caught:
            check(9)
        assert type(caught.value) is made


def test_another_process_with_the_same_cache(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent("""
            from pyarray import njit

            def make():
                class Wrong(Exception):
                    pass

                @njit(cache=True)
                def inner(x):
                    if x > 1:
                        raise Wrong("no")
                    return x

                @njit(cache=True)
                def outer(x):
                    return inner(x)

                return Wrong, outer

            Wrong, outer = make()
            try:
                outer(3)
            except Wrong as error:
                print(error)
        """)
    )
    for _ in range(2):
        assert subprocess.run([sys.executable, program], capture_output=True, text=True).stdout == "no\n"
