"""``vectorize`` and ``guvectorize`` for a GPU, under numba-cuda's names."""

from .. import ufuncs


def vectorize(ftylist_or_function=(), target="cuda", **options):
    """`pyarray.vectorize`, for a GPU unless `target` says otherwise."""
    return ufuncs.vectorize(ftylist_or_function, target=target, **options)


def guvectorize(*arguments, target="cuda", **options):
    """`pyarray.guvectorize`, for a GPU unless `target` says otherwise."""
    return ufuncs.guvectorize(*arguments, target=target, **options)
