"""Types that no value of compiled code has, such as the fixed text of arrays, are refused where they are declared."""

import pytest
from pyarray import cfunc, cuda, int64, njit, typed, types
from pyarray.experimental import jitclass

FIXED = [types.CharSeq(5), types.UnicodeCharSeq(5), types.NestedArray(types.float64, (3,))]
KINDS = [*FIXED, types.ListType(FIXED[0]), types.Tuple((int64, FIXED[1])), types.Optional(FIXED[1])]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_in_a_signature(kind):
    for declare in (
        lambda: njit((kind,))(lambda x: 0),
        lambda: njit(kind(int64))(lambda x: 0),
        lambda: cfunc(int64(kind))(lambda x: 0),
        lambda: cuda.jit((kind,))(lambda x: None),
    ):
        with pytest.raises(TypeError, match="cannot be in a signature: compiled code has no values of that type"):
            declare()


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_in_containers_and_fields(kind):
    class Holder:
        def __init__(self):
            pass

    for declare in (
        lambda: typed.List.empty_list(kind),
        lambda: typed.Dict.empty(kind, int64),
        lambda: typed.Dict.empty(int64, kind),
        lambda: typed.Set.empty(kind),
        lambda: jitclass([("x", kind)])(Holder),
    ):
        with pytest.raises(TypeError):
            declare()
