"""Names that the compiler gives a meaning (``lib/ir/builtins.def``), for functions of the library."""


def missing():
    """The default of a parameter that has no value unless one is given."""


def given(value):
    """Whether a parameter with the default ``missing`` was given."""


def python_bits32():
    """The next 32 bits of the stream of ``random``."""


def numpy_bits32():
    """The next 32 bits of the stream of ``np.random``."""


def python_gauss():
    """``random.gauss(0, 1)``."""


def fma(x, y, z):
    """``x * y + z``, rounded once."""


def broadcast(array, shape):
    """A view with this shape, to which the array's own broadcasts."""


def check_index(index, extent, axis):
    """IndexError where an integer, or one of an array, is no index of an axis of this extent."""


def scatter(array, values, indices, axes):
    """Store to the parts of ``array`` whose first axes have these indices, in C order, once all is checked.

    ``values`` has the elements' type, and broadcasts to the axes of the indices before those of a part; ``indices`` is
    a tuple of arrays that broadcast, and of integers; ``axes`` are the ones that an IndexError tells of.
    """


def gather(array, out, indices, axes):
    """Store those parts to ``out``, new memory of the shape that the indices broadcast to, before a part's axes."""


def count_true(mask):
    """How many elements of an array of bools are true."""


def list_true(found, mask):
    """Store their indices to a tuple of arrays of int64, one for each axis, as many as there is room for."""


def take_masked(out, array, mask):
    """Store the elements of ``array``, or the parts behind the axes of the mask, where it is true, to ``out``."""


def store_masked(array, values, mask):
    """Store the elements of a row, as many as are true, or the only one, where the mask is true."""


def overlaps(a, b):
    """Whether memory of the one array may be memory of the other."""


def gathered_first(array, index):
    """``array`` by a tuple of indices, in which axes with an index of numbers are whole, and the first."""


def value_first(value, array, index):
    """An array of the shape of ``array[index]`` with the axes first that the indices broadcast to."""


def value_back(value, array, index):
    """The other way round: what has the axes first that the indices broadcast to as ``array[index]`` has them."""


def strided(array, first, shape, strides):
    """A view of the array's memory, from byte ``first`` on; ``strides`` are in bytes."""


def retyped(array, dtype):
    """A view of the array's memory as elements of another dtype."""


def complex_part(array, which):
    """A view of the real parts of complex numbers (0), or of the imaginary ones (1)."""


def c_contiguous(array):
    """Whether the elements lie in C order, one behind the other; known where the type says it."""


def f_contiguous(array):
    """The same of Fortran's order."""


def fortran_type(array):
    """Whether the type of the array says that it lies in Fortran's order, and not in that of C."""


def in_order(array):
    """The array, of which c_contiguous is true, with a type that says it."""


def to_host(a):
    """A copy in the host's memory of an array on the device; the layout is the same."""


def to_device(a):
    """A copy on the device of an array in the host's memory; the layout is the same."""


def copy_back(a, b):
    """Copy the elements of ``b``, in the host's memory, to the array ``a`` on the device, of the same shape."""


def on_device():
    """Whether the arrays of this function are a GPU's (``njit(target="cuda")``); known when it is compiled."""


def device_product(out, a, b):
    """Whether a library of the GPU has enqueued ``out = a @ b``, of matrices on the device."""


def device_solver(step, flag, *arrays):
    """Whether cuSOLVER has enqueued a step of linear algebra (``pa_solver_step``) on arrays in C order."""


def device_transform(out, a, axis, inverse):
    """Whether cuFFT has enqueued the transforms of ``a`` along ``axis`` to ``out``; inverse ones are not scaled."""


def raise_if(condition, exception, text, *values):
    """Raise where the condition holds: ``{0}`` in the text is a number, or a shape; far less code than an f-string."""


def writeable(array):
    """Whether the array can be stored to."""


def add_rn(x, y):
    """``x + y`` of float32 in a kernel, rounded, whatever uses it."""


def mul_rn(x, y):
    """``x * y`` of float32 in a kernel, rounded, whatever uses it."""


def match_byte(mask, value):
    """The lanes of the mask that have the same number from 0 to 255, an int32, as bits."""


def bfloat16(x):
    """A real number as a bfloat16, rounded once."""


def bfloat16_bits(x):
    """The bits of a bfloat16, a uint16."""


def bfloat16_of_bits(bits):
    """The bfloat16 that has them."""


def float16_bits(x):
    """The bits of a float16, a uint16."""


def float16_of_bits(bits):
    """The float16 that has them."""


def tagged(cls, number, kind):
    """The member of an enum that ``number`` represents; ``kind``, a literal, is that of the type of its members."""


def untagged(member):
    """The number that represents a member of an enum."""


def is_same(a, b):
    """Whether both are one instance of a class, or None; of all other values False, known when compiled."""


def plain_dict(items):
    """A Counter or defaultdict as the dict that it is."""


def factory_of(items):
    """What makes the values of a defaultdict."""


def factory_text(items):
    """``repr`` of that, a class."""


def range_length(items):
    """How many items a range has, modulo 2**64, as an int64."""


def item_bytes(array):
    """The bytes of text or records, as one more axis; the same memory."""


def item_keys(array):
    """By what text or records are compared, as bytes (``lib/runtime/sort/sort_items.h``)."""


def item_names(array):
    """The names of the fields of records, with a NUL between two."""


def text_length(text):
    """How many characters items of text have room for, or a str or bytes that are known have; known when compiled."""


def text_dtype(text, length):
    """The dtype of text as that of an array, or a dtype, with room for so many characters."""


def time_unit(dtype):
    """The number of the unit of a dtype of times (``lib/support/time_unit.h``); known when compiled."""


def time_count(dtype):
    """How many of that unit one is: 25 of ``m8[25s]``; known when compiled."""


def numpy_loop(name, signature, *operands):
    """Call NumPy's inner loop of that name for arrays of its core dimensions: whether it failed.

    The loops are rows of ``lib/runtime/linear/numpy_loops.def``; elements choose among them.
    """


def draw(generator, name, *parameters):
    """What NumPy's C function of that name draws for a Generator, or for a BitGenerator.

    The functions are rows of ``lib/ir/distributions.def``.
    """


def draw_into(generator, name, *parameters):
    """The same, of functions that change arrays among their parameters."""


def python_function(number, code, *arguments):
    """A value of the type with that code, from function ``number`` of ``_objmode.functions``, which Python calls."""


def einsum_plan(subscripts, name, number, place, operands):
    """A number of the plan of an ``np.einsum`` (``lib/support/einsum.h``), known when compiled."""


def gufunc(signature, *loops):
    """Make a function of the library a generalized ufunc, with a loop for each type code ``[A2d[A2d>``."""

    def mark(function):
        function.__pyarray_gufunc__ = signature, list(loops)
        return function

    return mark


class literal:
    """Annotation of a parameter whose argument must be an int that is known when the function is compiled."""


class known:
    """Annotation of a parameter whose argument is known in the function where it is known where that is called."""


def bytes_of_code(code):
    """One byte."""


def bytes_of_codes(codes):
    """Bytes of a list of int64."""


def bytes_of_zeros(count):
    """So many zeros."""


def bytes_of_bytearray(array):
    """The bytes that a bytearray has now."""


def bytearray_of_bytes(content):
    """A new bytearray."""


def bytearray_item(array, index):
    """A byte; ``index`` is within bounds."""


def bytearray_put(array, index, value):
    """Store a byte; ``index`` is within bounds."""


def bytearray_delete(array, start, count, step):
    """Drop ``count`` bytes, ``step`` apart, from ``start`` on."""


def bytearray_insert(array, index, value):
    """Insert a byte, as ``list.insert`` does."""


def bytearray_splice(array, start, count, content):
    """Put bytes in the place of ``count`` bytes from ``start`` on."""


def bytes_of_array(array):
    """The memory of an array in C order."""


def described(str, repr, name):
    """What templates show of a value; ``name``: of its type, which takes no format; "": it is formatted as text."""


def described_number(str, repr, number):
    """The same of a member of an enum that is a number."""


def exported(content):
    """An array of uint8 that is the memory of bytes or of a bytearray, which cannot be resized meanwhile."""


def in_c_order(array):
    """``array``, or a copy where its type is not that of arrays in C order."""


def holds_arrays(items):
    """Whether what is iterated over has arrays among its items; known when compiled."""


def holds_none(items):
    """Whether items are None, or tuples of it, as they are of what nothing fills; known when compiled."""


def holds_texts(items):
    """Whether what is iterated over has text or bytes alone as items; known when compiled."""


def dtype_of_items(items):
    """The dtype of the numbers that sequences within sequences hold."""


def dtype_of_parts(parts):
    """The same of arrays that are joined; what is not known yet is taken for empty."""


def present(value):
    """A value that may be None, but is not."""


def python_number(value):
    """A number of an array as the bool, int or float that Python has for it."""


def readonly(array):
    """``array``, as a readonly one."""


def record_fields(record):
    """The fields of a record, as a tuple."""


def reinterpreted(array, count, format):
    """The memory of an array, which lies in one piece, as ``count`` items of another format."""


def shown(view):
    """The array that a memoryview shows."""


def viewed(array, format):
    """A memoryview of an array; ``format`` is a literal, or "" for NumPy's, or another memoryview, for its own."""


def over_add(a, axes, keepdims=False, dtype=None, where=True, out=None, initial=None):
    """The sum over the axes of which the literal ``axes`` has a bit, or over the last n where it is -n."""


def over_mul(a, axes, keepdims=False, dtype=None, where=True, out=None, initial=None):
    """The same of the product."""


def over_max(a, axes, keepdims=False, dtype=None, where=True, out=None, initial=None):
    """The same of the greatest element."""


def over_min(a, axes, keepdims=False, dtype=None, where=True, out=None, initial=None):
    """The same of the least element."""


def over_any(a, axes, keepdims=False, dtype=None, where=True, out=None, initial=None):
    """The same of the truth of one."""


def over_all(a, axes, keepdims=False, dtype=None, where=True, out=None, initial=None):
    """The same of the truth of all."""


def over_or(a, axes, keepdims=False, dtype=None, where=True, out=None, initial=None):
    """The same of the bits of any."""


def over_and(a, axes, keepdims=False, dtype=None, where=True, out=None, initial=None):
    """The same of the bits of all."""


def over_xor(a, axes, keepdims=False, dtype=None, where=True, out=None, initial=None):
    """The same of the bits of an odd number."""


def over_argmax(a, axes, keepdims=False, dtype=None, where=True, out=None, initial=None):
    """The same of the position of the greatest element."""


def over_argmin(a, axes, keepdims=False, dtype=None, where=True, out=None, initial=None):
    """The same of the position of the least one."""


def norm(x):
    """The square of the distance of a complex number from 0, a float; of each element of an array."""


def size_over(a, axes):
    """How many elements a reduction over these axes folds to one."""
