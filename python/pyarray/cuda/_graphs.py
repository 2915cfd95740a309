"""Graphs: work that is captured once and launched as a whole."""

from .._pyarray import cuda as _cuda


class Graph(_cuda.Graph):
    """Work that is captured within a ``with`` block, and not done there; ``launch`` enqueues all of it.

    What this thread enqueues in the default stream, or in the stream that is given, belongs to the graph: kernels,
    ufuncs, functions of ``njit(target="cuda")``, operators on device arrays, copies and fills. A graph uses the same
    arrays each time, and keeps them alive. What has to wait for the device (a copy to the host, a number that is read)
    is refused.

    Parameters
    ----------
    stream : Stream, optional
        That is captured, too.

    Attributes
    ----------
    nodes : int
        Kernels, copies and fills in it.
    """

    def __init__(self, stream=None):
        self._stream = stream

    def __enter__(self):
        from . import _deferred

        _deferred.compute_all()  # which is no part of it
        self._begin(self._stream)
        return self

    def __exit__(self, kind, error, traceback):
        from . import _deferred

        if kind is None:
            try:
                _deferred.compute_all()
            except BaseException:
                self._end(True)
                raise
        self._end(kind is not None)

    def replay(self, stream=0):
        """``launch``."""
        self.launch(stream)

    def __repr__(self):
        return f"<CUDA graph of {self.nodes} nodes>"


def graph(stream=None):
    """A new graph, to be captured: ``with cuda.graph() as g: ...``, and then ``g.launch()``."""
    return Graph(stream)
