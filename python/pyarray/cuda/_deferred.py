"""Device arrays that are computed when they are needed: what operators on device arrays give.

``a * 2 + b`` is one kernel, not two, because neither operator computes anything: each makes an array with a shape, a
dtype and an `Expression`, whose operands are device arrays, other expressions and numbers. Whoever needs the memory of
such an array (a copy to the host, a kernel, a library, ``cuda.synchronize()``) has it computed, by a function of
``njit(target="cuda")`` that is made once for each form of an expression and kept in the disk cache.

Nobody can see that it is late. What writes to an array first computes all that is made of it (`before_writing`), and
memory that is told to anybody who could write there unseen makes nothing that is late (``deferrable``): kernels and
libraries compute everything first (``pa_device_array_ready``), and arrays of other libraries, or whose address another
library was told, are operands of single operations that are done at once.

Bounds: an expression has at most `MOST_OPERATIONS`, an array that was part of two kernels is computed for the second,
and at most `MOST_DEFERRED` arrays wait. Where a program has made `MANY_FUNCTIONS`, an expression of another form is
compiled the second time that it comes; the first time its operations are done one by one.
"""

import threading
import weakref

import numpy as np

from .._pyarray import cuda as _cuda

MOST_OPERATIONS = 32
MOST_DEFERRED = 64
MANY_FUNCTIONS = 256

_lock = threading.RLock()
_functions = {}  # compiled ones by their text
_seen = set()  # texts that were wanted once when there were many


class Expression:
    """An operation on arrays of which nothing was computed.

    Attributes
    ----------
    text : str
        With ``{0}``, ``{1}``, ... for the operands.
    operands : tuple of Expression, DeviceNDArray, and numbers
    size : int
        Operations, in it and in its operands; those that occur twice count twice.
    array : weakref of DeviceNDArray, or None
        Whose elements it is.
    result : DeviceNDArray or None
        That array when it was computed.
    was_used : bool
        It was computed as a part of another one.
    failure : BaseException or None
        Why it could not be computed when it had to be.
    """

    __slots__ = ("array", "failure", "operands", "result", "size", "text", "was_used")

    def __init__(self, text, operands):
        self.text, self.operands = text, operands
        self.size = 1
        for operand in operands:
            if type(operand) is Expression:
                self.size += operand.size
        self.array = self.result = self.failure = None
        self.was_used = False


def expression_of(value):
    """What stands for ``value`` among operands: its expression where it is an array that is deferred, else itself."""
    return _cuda.expression_of(value) or value


def _compiled(text, extra):
    """The function of a text: of ``njit(target="cuda")``; ``extra``: names that it uses, by which it is known too."""
    key = (text, *extra.items()) if extra else text
    function = _functions.get(key)
    if function is None:
        from .. import njit

        names = {"np": np, **extra}
        exec(text, names)
        function = _functions[key] = njit(target="cuda", cache=True)(names["on_device"])
    return function


def _parameters(count):
    return ", ".join(f"x{i}" for i in range(count))


_PARAMETERS = tuple(map(_parameters, range(16)))


class _Writer:
    """Puts an expression into the words of a function."""

    def __init__(self):
        self.lines, self.values, self.names = [], [], {}

    def name(self, operand):
        """The name that stands for an operand in the text."""
        known = self.names.get(id(operand))
        if known is None:
            if type(operand) is Expression:
                known = self._expression(operand)
            else:
                known = f"x{len(self.values)}"
                self.values.append(operand)
            self.names[id(operand)] = known
        return known

    def named(self, text, operands):
        """The text with names in its places."""
        return text.format(*[self.name(operand) for operand in operands])

    def _expression(self, expression):
        if expression.result is not None:
            return self.name(expression.result)
        array = expression.array and expression.array()
        if array is not None and expression.was_used and _cuda.expression_of(array) is expression:
            compute(array)
            return self.name(array)
        if expression.failure is not None:
            raise expression.failure
        expression.was_used = True
        text = self.named(expression.text, expression.operands)
        name = f"t{len(self.lines)}"
        self.lines.append(f"    {name} = {text}\n")
        return name

    def text(self, statement, operands):
        """The text of a function of which a statement, with places for operands, is the last one."""
        last = self.named(statement, operands)
        count = len(self.values)
        parameters = _PARAMETERS[count] if count < len(_PARAMETERS) else _parameters(count)
        return f"def on_device({parameters}):\n{''.join(self.lines)}    {last}\n"


def run(text, operands, device, extra=None, writes=None):
    """Do now what a statement says, ``"return np.sort({0})"``, on the device of the array ``device``.

    Parameters
    ----------
    operands : sequence of Expression, DeviceNDArray, and others
        Which are arguments of the compiled function.
    extra : dict, optional
        Names in the text beside ``np``.
    writes : DeviceNDArray, optional
        The one that it writes to.
    """
    with _lock:
        if writes is not None:
            before_writing(writes)
        writer = _Writer()
        function = _compiled(writer.text(text, operands), extra or {})
        if device._ordinal == _cuda.current():
            return _cuda.call_reading(function, *writer.values)
        _cuda.push(device._ordinal)
        try:
            return _cuda.call_reading(function, *writer.values)
        finally:
            _cuda.pop()


def defer(kind, shape, dtype, like, expression):
    """An array, of the class ``kind``, that is to be computed by an expression; on the device of ``like``."""
    array = _cuda.deferred(kind, shape, dtype, like, expression)
    if expression.size > MOST_OPERATIONS:
        _cut(expression, array)
    expression.array = weakref.ref(array)
    if _cuda.deferred_count() > MOST_DEFERRED:
        with _lock:
            _compute_for_others(_cuda.waiting()[0])
    return array


def redefine(array, expression):
    """What an operator in place does to an array that is deferred."""
    _cuda.set_expression(array, expression)
    if expression.size > MOST_OPERATIONS:
        _cut(expression, array)
    expression.array = weakref.ref(array)


def _is_new(expression):
    """Whether the expression has a form that was not wanted before."""
    writer = _Writer()
    text = writer.text("return {0}", (expression,))
    if text in _functions or text in _seen:
        return False
    if len(_seen) >= 16 * MANY_FUNCTIONS:
        _seen.clear()
    _seen.add(text)
    return True


def _one_by_one(expression, device):
    """Compute what an expression is made of, each operation by a function of its own."""
    for operand in expression.operands:
        if type(operand) is Expression and operand.result is None:
            _one_by_one(operand, device)
            _settle(operand, device)


def _cut(expression, array):
    """Compute the operands of an expression that is too long."""
    with _lock:
        for operand in expression.operands:
            if type(operand) is Expression and operand.result is None:
                _settle(operand, array)
        expression.size = 1


def _settle(expression, device):
    """Compute an expression whose array nobody may have any more."""
    array = expression.array and expression.array()
    if array is not None and _cuda.expression_of(array) is expression:
        compute(array)
    elif expression.result is None:
        expression.result, expression.operands = run("return {0}", (expression,), device), ()


def compute(array):
    """Compute an array that is deferred, if it still is."""
    with _lock:
        expression = _cuda.expression_of(array)
        if expression is None:
            return
        if expression.failure is not None:
            raise expression.failure
        expression.was_used = False
        if len(_functions) >= MANY_FUNCTIONS and expression.size > 1 and _is_new(expression):
            _one_by_one(expression, array)
        expression.was_used = False
        result = run("return {0}", (expression,), array)
        _cuda.fulfil(array, result)
        expression.result, expression.operands = array, ()


def _compute_for_others(array):
    """Compute an array since what it is made of may change; its reader is told what goes wrong."""
    expression = _cuda.expression_of(array)
    try:
        compute(array)
    except Exception as error:
        if expression is not None:
            expression.failure = error


def compute_all():
    """Compute all arrays that are deferred."""
    with _lock:
        for array in _cuda.waiting():
            _compute_for_others(array)


def before_writing(array):
    """Compute what is made of elements of an array that is about to change."""
    if not _cuda.deferred_count():
        return
    shadow = array._shadow()
    for waiting in _cuda.waiting():
        expression = _cuda.expression_of(waiting)
        if expression is not None and any(
            np.may_share_memory(shadow, leaf._shadow()) for leaf in _leaves(expression, set())
        ):
            _compute_for_others(waiting)


def _leaves(expression, seen):
    """The device arrays that an expression reads."""
    if id(expression) in seen:
        return
    seen.add(id(expression))
    if expression.result is not None:
        yield expression.result
    for operand in expression.operands:
        if type(operand) is Expression:
            yield from _leaves(operand, seen)
        elif hasattr(operand, "_shadow"):
            yield operand
