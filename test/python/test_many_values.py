"""literally(): how many values of arguments make variants."""

import pytest
from pyarray import errors
from test_literally import make


def test_there_are_not_too_many():
    f = make()
    for n in range(256):
        assert f(1, n) == f"int {n}"
    for _ in range(2):
        with pytest.raises(errors.TypingError, match="has been compiled for 256 values of arguments that literally"):
            f(1, 256)
    assert f(1, 255) == "int 255" and len(f.signatures) == 256
