"""``axes=``, ``axis=`` and ``keepdims=`` of a GPU's generalized ufuncs: views with the cores last."""

import operator

import numpy as np

try:
    from numpy.exceptions import AxisError
except ImportError:
    from numpy import AxisError
try:
    from numpy.lib.array_utils import normalize_axis_index as _normalized
except ImportError:
    from numpy.core.multiarray import normalize_axis_index as _normalized

_UNSET = object()


def _view(array, make):
    """What ``make`` gives of a NumPy array, of a device array."""
    return array._from_shadow(make(array._shadow()))


def _inserted(array, axes):
    """A view with axes of extent 1."""
    return _view(array, lambda shadow: np.expand_dims(shadow, tuple(axes)))


def _moved(array, axes):
    """A view with these axes last."""
    return _view(array, lambda shadow: np.moveaxis(shadow, axes, range(-len(axes), 0)))


class _CoreAxes:
    """Where the core dimensions of each operand are.

    Attributes
    ----------
    axes : list or None
        For each operand what was given for it; None: the last ones.
    keeps : bool
        The core dimensions of the inputs stay in the outputs, with extent 1.
    """

    @classmethod
    def of(cls, ufunc, unknown, axes, axis, keepdims):
        """None where nothing is given."""
        given = {"axes": axes, "axis": axis, "keepdims": keepdims}
        given = {name: value for name, value in given.items() if value is not _UNSET}
        for name in (*unknown, *(given if ufunc.signature is None else ())):
            if name in ("dtype", "signature", "casting", "order", "subok"):
                raise NotImplementedError(
                    f"{ufunc.__name__}(): {name}= is not supported on a GPU; convert the operands"
                )
            raise TypeError(f"{ufunc.__name__}() got an unexpected keyword argument '{name}'")
        return cls(ufunc, **given) if given else None

    def __init__(self, ufunc, axes=_UNSET, axis=_UNSET, keepdims=False):
        self._ufunc, self.axes = ufunc, None
        if axes is not _UNSET and axis is not _UNSET:
            raise TypeError("cannot specify both 'axis' and 'axes'")
        if not isinstance(keepdims, (bool, np.bool_)):
            raise TypeError("'keepdims' must be a boolean")
        self.keeps = bool(keepdims)
        if self.keeps:
            self._check_keepdims()
        if axis is not _UNSET:
            self._check_single()
            axis = operator.index(axis)
            self.axes = [(axis,) if names else () for names in ufunc._layout.inputs]
            self.axes += [(axis,) if names or self.keeps else () for names in ufunc._layout.outputs]
        elif axes is not _UNSET:
            self.axes = self._listed(axes)

    def _check_keepdims(self):
        layout, ufunc = self._ufunc._layout, self._ufunc
        wanted = len(layout.inputs[0])
        for i, names in enumerate(layout.operands):
            is_input = i < ufunc.nin
            if len(names) != (wanted if is_input else 0):
                where = f"input {i}" if is_input else f"output {i - ufunc.nin}"
                raise TypeError(
                    f"{ufunc.__name__} does not support keepdims: its signature {ufunc.signature} requires {where} to "
                    f"have {len(names)} core dimensions, but keepdims can only be used when all inputs have the same "
                    "number of core dimensions and all outputs have no core dimensions."
                )

    def _check_single(self):
        ufunc = self._ufunc
        names = {name for names in ufunc._layout.operands for name in names}
        if len(names) != 1 or any(len(names) > 1 for names in ufunc._layout.operands):
            raise TypeError(
                f"{ufunc.__name__}: axis can only be used with a single shared core dimension, not with the "
                f"{len(names)} distinct ones implied by signature {ufunc.signature}."
            )

    def _listed(self, axes):
        ufunc = self._ufunc
        if not isinstance(axes, list):
            raise TypeError("axes should be a list.")
        without_outputs = len(axes) == ufunc.nin and ufunc._layout.returns_scalars
        if len(axes) != ufunc.nargs and not without_outputs:
            raise ValueError(
                f"axes should be a list with an entry for all {ufunc.nargs} inputs and outputs; entries for outputs "
                "can only be omitted if none of them has core axes."
            )
        return axes + (
            [range(-len(ufunc._layout.inputs[0]), 0) if self.keeps else ()] * ufunc.nout if without_outputs else []
        )

    def _cores(self, arrays):
        """How many core dimensions each operand has: those that it lacks (``m?``) are left out."""
        layouts = [list(names) for names in self._ufunc._layout.operands]
        for i, array in enumerate(arrays):
            for name in [name for name in layouts[i] if name.endswith("?")] if array is not None else ():
                if np.ndim(array) < len(layouts[i]):
                    layouts = [[other for other in names if other != name] for names in layouts]
        return [len(names) for names in layouts]

    def _axes_of(self, number, count, rank):
        """The axes of an operand's core dimensions, of which there are ``count``."""
        given = range(-count, 0) if self.axes is None else self.axes[number]
        if not isinstance(given, (tuple, range)):
            given = operator.index(given)
            if count != 1:
                raise AxisError(
                    f"{self._ufunc.__name__}: operand {number} has {count} core dimensions, but the axes item is a "
                    "single integer."
                )
            given = (given,)
        if len(given) != count:
            raise AxisError(
                f"{self._ufunc.__name__}: operand {number} has {count} core dimensions, but {len(given)} dimensions "
                "are specified by axes tuple."
            )
        axes = [_normalized(operator.index(axis), rank) for axis in given]
        for i, axis in enumerate(axes):
            if axis in axes[:i]:
                raise ValueError(f"axes item {number} has value {axis} repeated")
        return axes

    def run(self, loop, operands, targets, mask, stream):
        """The outputs of a call, with their core dimensions where they are wanted."""
        ufunc = self._ufunc
        cores = self._cores([*operands, *targets])
        kept = cores[0] if self.keeps else 0
        views = [
            _moved(array, self._axes_of(i, cores[i], array.ndim)) if cores[i] and np.ndim(array) >= cores[i] else array
            for i, array in enumerate(operands)
        ]
        outs = []
        for i, target in enumerate(targets, ufunc.nin):
            wanted = cores[i] + kept
            if target is not None and wanted:
                axes = self._axes_of(i, wanted, target.ndim)
                target = _moved(target, axes)
                if kept and target.shape[-kept:] != (1,) * kept:
                    raise ValueError(
                        f"{ufunc.__name__}: Output operand {i - ufunc.nin} has a mismatch in its core dimension 0, "
                        f"with gufunc signature {ufunc.signature} and keepdims (size {target.shape[-kept]} is "
                        "different from 1)"
                    )
                target = target.squeeze(tuple(range(-kept, 0))) if kept else target
            outs.append(target)
        results = ufunc._run(loop, (*views, *outs), mask, stream)
        return [self._placed(i, result, cores[i], kept) for i, result in enumerate(results, ufunc.nin)]

    def _placed(self, number, result, count, kept):
        """A new output with its core dimensions in their places."""
        axes = self._axes_of(number, count + kept, result.ndim + kept)
        if kept:
            return _inserted(result, axes)
        return _view(result, lambda shadow: np.moveaxis(shadow, range(-count, 0), axes)) if count else result
