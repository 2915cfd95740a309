"""Threads of parallel loops (see docs/parallel.md).

They are functions of the extension module, so that compiled code may call them as well.
"""

from contextlib import contextmanager

from ._pyarray import (
    get_num_threads,
    get_parallel_chunksize,
    get_thread_id,
    set_num_threads,
    set_parallel_chunksize,
    threading_layer,
)

__all__ = [
    "get_num_threads",
    "get_parallel_chunksize",
    "get_thread_id",
    "parallel_chunksize",
    "set_num_threads",
    "set_parallel_chunksize",
    "threading_layer",
]


@contextmanager
def parallel_chunksize(chunk_size):
    """Set the chunk size of parallel loops within a ``with`` block, for the calling thread.

    Parameters
    ----------
    chunk_size : int
        As for `set_parallel_chunksize`.

    Raises
    ------
    ValueError
        Where `chunk_size` is negative.
    TypeError
        Where `chunk_size` is no integer.
    """
    previous = set_parallel_chunksize(chunk_size)
    try:
        yield
    finally:
        set_parallel_chunksize(previous)
