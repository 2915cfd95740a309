"""cuda.jit: options, configurations, arguments, what a dispatcher shows."""

import gc
import pickle
import sys
import threading
import weakref

import numpy as np
import pyarray
import pytest
from pyarray import cuda, float32, float64, int32, int64, void
from pyarray._pyarray import cuda as native

pytestmark = pytest.mark.real


@cuda.jit
def fill(out, value):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = value


@cuda.jit
def nothing():
    pass


# ------------------------------------------------------------------------------------------------
# Configurations


def test_the_same_configuration_gives_the_same_launcher():
    launcher = fill[4, 32]
    assert fill[4, 32] is launcher and fill[(4,), (32, 1)] is launcher and fill[(4, 1, 1), 32, 0, 0] is launcher
    assert fill.configure(4, 32) is launcher
    assert fill[np.int64(4), 32] is launcher
    assert fill[4, 64] is not launcher and fill[4, 32, 0, 16] is not launcher
    assert (launcher.griddim, launcher.blockdim, launcher.stream, launcher.sharedmem) == ((4, 1, 1), (32, 1, 1), 0, 0)


def test_launchers_of_streams_are_told_apart_and_keep_their_stream():
    first, second = cuda.stream(), cuda.stream()
    launcher = fill[1, 32, first]
    assert fill[1, 32, second] is not launcher and fill[1, 32, first] is launcher and launcher.stream is first


def test_only_so_many_launchers_are_kept():
    stream = cuda.stream()
    gone = weakref.ref(stream)
    nothing[1, 1, stream]()
    del stream
    assert gone()
    for grid in range(1, 500):
        nothing[grid, 1]
    assert not gone()
    nothing[1, 1]()


@pytest.mark.parametrize(
    ("key", "error", "text"),
    [
        ((1,), ValueError, "kernel\\[grid, block\\]"),
        ((1, 2, 3, 4, 5, 6), ValueError, "too many"),
        (((1, 2, 3, 4), 1), ValueError, "1 to 3 dimensions"),
        (((), 1), ValueError, "1 to 3 dimensions"),
        ((0, 1), ValueError, "at least 1"),
        ((1, -3), ValueError, "at least 1"),
        ((1.5, 1), TypeError, "the grid must be an int"),
        ((1, "a"), TypeError, "the block must be an int"),
        ((1, 1, "a"), TypeError, "a stream is"),
        ((1, 1, 0, -1), ValueError, "shared memory"),
        ((2**31, 1), ValueError, "the grid has at most 2147483647 blocks along x, got 2147483648"),
        (((1, 2**31), 1), ValueError, "the grid has at most 65535 blocks along y, got 2147483648"),
        ((1, (1, 1, 2**70)), ValueError, f"the block has at most 64 threads along z, got {2**70}"),
    ],
)
def test_bad_configurations(key, error, text):
    with pytest.raises(error, match=text):
        fill[key]


def test_a_launch_without_configuration():
    with pytest.raises(ValueError, match="Kernel launch configuration was not specified"):
        fill(np.zeros(3), 1.0)
    with pytest.raises(ValueError, match="the grid alone"):
        fill[3]


def test_a_block_that_is_too_large():
    with pytest.raises(cuda.cudadrv.driver.CudaAPIError, match="CUDA_ERROR_INVALID_VALUE") as raised:
        nothing[1, 4096]()
    assert raised.value.code == 1


def test_a_grid_with_an_axis_that_is_too_long():
    many = "of 65536 blocks in y where the device allows 1 to 65535"
    with pytest.raises(cuda.cudadrv.driver.CudaAPIError, match=many):
        nothing[(1, 65536), 1]()


def test_too_much_shared_memory():
    @cuda.jit
    def kernel(a):
        shared = cuda.shared.array(100_000, np.float32)
        shared[0] = a[0]
        a[0] = shared[0]

    asked = (
        "with {} bytes of shared memory in a block where the device allows [0-9]+, "
        "49152 of it static, more as dynamic shared memory"
    )
    with pytest.raises(cuda.cudadrv.driver.CudaAPIError, match=asked.format(400_000)):
        kernel[1, 1](np.zeros(1))
    with pytest.raises(cuda.cudadrv.driver.CudaAPIError, match=asked.format(300_000)):
        nothing[1, 1, 0, 300_000]()


def test_forall_covers_every_task():
    out = np.zeros(1000)
    fill.forall(1000)(out, 2.0)
    assert (out == 2).all()
    fill.forall(1000, tpb=33)(out, 3.0)
    assert (out == 3).all()
    fill.forall(0)(out, 4.0)
    assert (out == 3).all()
    with pytest.raises(ValueError, match="negative"):
        fill.forall(-1)
    with pytest.raises(ValueError, match="negative threads per block: -1"):
        fill.forall(3, tpb=-1)


def test_launches_of_several_threads():
    out = [np.zeros(2000) for _ in range(4)]

    def run(number):
        for _ in range(10):
            fill[8, 256](out[number], float(number))

    threads = [threading.Thread(target=run, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [array.mean() for array in out] == [0, 1, 2, 3]


# ------------------------------------------------------------------------------------------------
# Arguments


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (3, "int64"), (2**63, "uint64"), (2.5, "float64"), (True, "bool"), (1 + 2j, "complex128"),
        (np.float32(1.5), "float32"), (np.int8(-3), "int8"), (np.uint16(7), "uint16"),
        (np.bool_(True), "bool"), (np.complex64(1 - 2j), "complex64"),
    ],
)  # fmt: skip
def test_scalars(value, kind):
    @cuda.jit
    def store(out, value):
        out[0] = value

    out = np.zeros(1, np.dtype(kind))
    store[1, 1](out, value)
    assert out[0] == value
    assert str(store.signatures[0][1]) == kind


def test_tuples():
    @cuda.jit
    def take(out, pair, nested):
        out[0] = pair[0][1] + pair[1]
        out[1] = nested[0][0] + nested[0][1]

    out = np.zeros(2)
    take[1, 1](out, (cuda.to_device(np.array([1.0, 2.0])), 5), ((3, 4.5),))
    assert out.tolist() == [7.0, 7.5]


def test_no_argument_is_none():
    @cuda.jit
    def check(out, nothing):
        out[0] = 1.0 if nothing is None else 2.0

    out = np.zeros(1)
    check[1, 1](out, None)
    assert out[0] == 1


def test_keywords_and_defaults():
    @cuda.jit
    def store(out, value=4.0, *, scale=2.0):
        out[0] = value * scale

    out = np.zeros(1)
    store[1, 1](out)
    assert out[0] == 8
    store[1, 1](value=3.0, out=out, scale=0.5)
    assert out[0] == 1.5
    with pytest.raises(TypeError):
        store[1, 1]()


def test_many_arguments():
    names = [f"a{i}" for i in range(40)]
    scope = {"cuda": cuda}
    source = f"def kernel({', '.join(names)}):\n" + "\n".join(f"    {name}[0] = {i}" for i, name in enumerate(names))
    exec(compile(source, __file__ + ".many", "exec"), scope)
    import linecache

    linecache.cache[__file__ + ".many"] = (len(source), None, source.splitlines(True), __file__ + ".many")
    arrays = [cuda.to_device(np.zeros((1,) * (1 + i % 4))) for i in range(40)]
    flat = [array.reshape(1) for array in arrays]
    cuda.jit(scope["kernel"])[1, 1](*flat)
    assert [array.copy_to_host().item() for array in arrays] == list(range(40))


@pytest.mark.parametrize("order", ["C", "F", "A"])
def test_host_arrays_of_any_layout_come_back(order):
    @cuda.jit
    def double(a):
        i, j = cuda.grid(2)
        if i < a.shape[0] and j < a.shape[1]:
            a[i, j] *= 2

    base = np.arange(96.0).reshape(8, 12)
    a = {"C": base, "F": np.asfortranarray(base), "A": base[::2, ::-3]}[order]
    expected = a * 2
    double[(1, 1), (16, 16)](a)
    np.testing.assert_array_equal(a, expected)


def test_one_host_array_twice_is_one_array():
    @cuda.jit
    def add_one(a, b):
        a[0] += 1
        b[1] += 1

    a = np.zeros(2)
    add_one[1, 1](a, a)
    assert a.tolist() == [1, 1]


def change_both(x, y):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1
    cuda.syncthreads()
    if i < y.size:
        y[i] *= 10


VIEWS = [
    lambda a: (a, a[1:]),
    lambda a: (a[1:], a),
    lambda a: (a[:10], a[5:]),
    lambda a: (a[::2], a[::3]),
    lambda a: (a[::2], a[1::2]),
    lambda a: (a[::-1], a[3:]),
    lambda a: (a[:1], a[::-1]),
    lambda a: (a[2:2], a),
    lambda a: (a[::2], a[::2]),
]


@pytest.mark.parametrize("views", VIEWS)
def test_host_arrays_that_overlap(views):
    a, expected = np.arange(1.0, 21), np.arange(1.0, 21)
    x, y = views(expected)
    x += 1
    y *= 10
    cuda.jit(change_both)[1, 32](*views(a))
    np.testing.assert_array_equal(a, expected)


def test_three_host_arrays_of_which_two_overlap_the_third():
    @cuda.jit
    def kernel(a, b, c):
        a[3] = 7
        c[0] = b[0] + 1
        b[1] = 5

    x = np.zeros(9)
    kernel[1, 1](x[:5], x[3:7], x[6:])
    assert x.tolist() == [0, 0, 0, 7, 5, 0, 8, 0, 0]


def test_overlapping_host_arrays_of_other_shapes_and_types():
    @cuda.jit
    def swap(a, b):
        a[0, 1] = 50
        b[2, 0] = b[1, 0]

    @cuda.jit
    def bytes_of(a, b):
        a[0] = 258
        b[7] = b[0]

    x, y = np.arange(12.0).reshape(3, 4), np.zeros(9, np.uint8)
    swap[1, 1](x, x.T)
    assert x[0].tolist() == [0, 50, 50, 3]
    bytes_of[1, 1](y[:8].view(np.int32), y)
    assert y.tolist() == [2, 1, 0, 0, 0, 0, 0, 2, 0]


def test_modes_of_overlapping_host_arrays():
    @cuda.jit
    def kernel(x, y):
        i = cuda.grid(1)
        y[i] = 2 * x[i]
        if i == 0:
            x[0] = 99

    @cuda.jit
    def add(a, b, out):
        out[0] = a[0] + b[0]

    x = np.arange(8.0)
    kernel[1, 4](cuda.In(x), x[4:])
    assert x.tolist() == [0, 1, 2, 3, 0, 2, 4, 6]
    x.flags.writeable = False
    out = np.zeros(1)
    add[1, 1](x, x[1:], out)
    assert out[0] == 1


def test_in_out_and_inout():
    @cuda.jit
    def change(a, b, c):
        i = cuda.grid(1)
        a[i] += 1
        b[i] = 5
        c[i] += a[i]

    a, b, c = np.ones(4), np.ones(4), np.ones(4)
    change[1, 4](cuda.In(a), cuda.Out(b), cuda.InOut(c))
    assert (a == 1).all() and (b == 5).all() and (c == 3).all()


def test_readonly_host_arrays():
    @cuda.jit
    def copy(a, out):
        i = cuda.grid(1)
        out[i] = a[i]

    a, out = np.arange(4.0), np.zeros(4)
    a.flags.writeable = False
    copy[1, 4](a, out)
    assert out.tolist() == a.tolist()
    assert not copy.signatures[0][0].mutable

    @cuda.jit
    def write(a):
        a[0] = 1

    with pytest.raises(pyarray.TypingError, match="[Rr]ead-?only"):
        write[1, 1](a)


class Foreign:
    """An array of another library: it has a pointer and says so."""

    def __init__(self, array, **changes):
        self.array = array
        self.__cuda_array_interface__ = {
            "shape": array.shape, "typestr": array.dtype.str, "data": (array.address, False), "strides": None,
            "version": 3, "stream": None, **changes,
        }  # fmt: skip


def test_cuda_array_interface():
    memory = cuda.to_device(np.arange(12.0).reshape(3, 4))

    @cuda.jit
    def set_row(a):
        a[1, cuda.grid(1)] = -1

    set_row[1, 4](Foreign(memory))
    assert (memory.copy_to_host()[1] == -1).all()
    set_row[1, 3](Foreign(memory, shape=(4, 3), strides=(8, 32)))
    assert (memory.copy_to_host()[:, 1] == -1).all()
    stream = cuda.stream()
    set_row[1, 4, stream](Foreign(memory, stream=1))
    set_row[1, 4](Foreign(memory, stream=stream.address))
    assert set_row.signatures[0][0].layout == "C" and set_row.signatures[1][0].layout == "F"


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"stream": 0}, ValueError),
        ({"mask": 1}, NotImplementedError),
        ({"data": 5}, ValueError),
        ({"strides": (8,)}, ValueError),
    ],
)
def test_bad_cuda_array_interface(changes, error):
    memory = cuda.to_device(np.zeros((2, 2)))
    with pytest.raises(error):
        fill[1, 1](Foreign(memory, **changes), 1.0)


def test_readonly_foreign_arrays():
    memory = cuda.to_device(np.zeros(4))
    readonly = Foreign(memory, data=(memory.address, True))
    with pytest.raises(pyarray.TypingError):
        fill[1, 4](readonly, 1.0)


@pytest.mark.parametrize(
    ("value", "text"),
    [([1, 2], "list"), ("text", "str"), (np.zeros(2, "f8,O"), "dtype"), (np.zeros(2, object), "dtype"),
     (np.zeros(3, ">f8"), "byte order"), (np.longdouble(1), "longdouble"), (object(), "object")],
)  # fmt: skip
def test_refused_arguments(value, text):
    with pytest.raises(pyarray.TypingError, match=text):
        fill[1, 1](value, 1.0)


def test_numbers_are_not_stored_to_records():
    records = cuda.to_device(np.zeros(3, dtype=[("a", "f8"), ("b", "i4")]))
    with pytest.raises(pyarray.TypingError, match="cannot store a value of type float64 to a record"):
        fill[1, 1](records, 1.0)


# ------------------------------------------------------------------------------------------------
# Signatures and options


def test_declared_signatures():
    @cuda.jit("void(float32[:], float32)")
    def store(out, value):
        out[0] = value

    assert store.signatures == [(float32[:], float32)]
    out = np.zeros(3, np.float32)
    store[1, 1](out, 3)  # the int is converted
    assert out[0] == 3
    store[1, 1](out[::2], np.float64(2.5))
    assert out[0] == 2.5
    with pytest.raises(TypeError, match="No matching definition"):
        store[1, 1](np.zeros(3), 1.0)
    assert store.signatures == [(float32[:], float32)]


@pytest.mark.parametrize(
    "signature", [void(float64[:], int64), "(float64[:], int64)", [(float64[:], int64), (int32[:], int64)]]
)
def test_forms_of_signatures(signature):
    @cuda.jit(signature)
    def store(out, value):
        out[0] = value

    out = np.zeros(1)
    store[1, 1](out, 7)
    assert out[0] == 7


def test_a_kernel_that_returns_a_value():
    with pytest.raises(pyarray.TypingError, match="returns nothing"):

        @cuda.jit("(float64[:],)")
        def kernel(a):
            return a[0]


def test_device_functions():
    @cuda.jit(device=True)
    def square(x):
        return x * x

    @cuda.jit(device=True, inline=True)
    def both(x, y):
        return square(x), square(y)

    @pyarray.njit
    def plain(x):
        return x + 1

    @cuda.jit
    def kernel(out):
        a, b = both(3.0, 4)
        out[0] = a + plain(b)

    out = np.zeros(1)
    kernel[1, 1](out)
    assert out[0] == 26 and square.device and not kernel.device
    with pytest.raises(TypeError, match="device function"):
        square(3)
    with pytest.raises(TypeError, match="device function"):
        square[1, 1]


def test_recursive_device_function():
    @cuda.jit(device=True)
    def factorial(n):
        if n <= 1:
            return 1
        return n * factorial(n - 1)

    @cuda.jit
    def kernel(out):
        out[cuda.grid(1)] = factorial(cuda.grid(1))

    out = np.zeros(6, np.int64)
    kernel[1, 6](out)
    assert out.tolist() == [1, 1, 2, 6, 24, 120]


@pytest.mark.parametrize(
    "options",
    [{"fastmath": True}, {"opt": False}, {"lineinfo": True}, {"max_registers": 32}, {"launch_bounds": 128},
     {"launch_bounds": (128, 2)}, {"cache": False}, {"cache": True}, {"boundscheck": True}, {"fma": False},
     {"debug": True}, {"link": []}],
)  # fmt: skip
def test_options(options):
    @cuda.jit(**options)
    def kernel(out):
        out[cuda.grid(1)] = 2.0

    out = np.zeros(4)
    kernel[1, 4](out)
    assert (out == 2).all()
    for name, value in options.items():
        assert kernel.targetoptions[name] == value


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [({"link": ["a.xyz"]}, ValueError, "xyz"), ({"unknown": 1}, TypeError, "options: 'unknown'"),
     ({"inline": "often"}, ValueError, "inline"), ({"launch_bounds": "many"}, ValueError, "launch_bounds"),
     ({"argtypes": ()}, pyarray.errors.DeprecationError, "argtypes")],
)  # fmt: skip
def test_bad_options(options, error, text):
    with pytest.raises(error, match=text):
        cuda.jit(**options)


def test_what_cannot_be_decorated():
    with pytest.raises(TypeError, match="already|has made"):
        cuda.jit(fill)
    with pytest.raises(TypeError, match="no Python function"):
        cuda.jit(len)


def test_specialize():
    @cuda.jit
    def double(a):
        a[cuda.grid(1)] *= 2

    array = cuda.to_device(np.ones(4, np.float32))
    special = double.specialize(array)
    assert special is double.specialize(array) and special.specialized and special.signatures == [(float32[::1],)]
    special[1, 4](array)
    assert (array.copy_to_host() == 2).all()
    assert isinstance(special.get_regs_per_thread(), int)
    with pytest.raises(RuntimeError, match="already specialized"):
        special.specialize(array)


# ------------------------------------------------------------------------------------------------
# What a dispatcher shows


def test_facts_of_a_kernel():
    @cuda.jit("void(float64[::1])")
    def kernel(a):
        """Doubles."""
        local = cuda.shared.array(64, float64)
        i = cuda.threadIdx.x
        local[i] = a[i]
        cuda.syncthreads()
        a[i] = local[63 - i]

    signature = (float64[::1],)
    assert kernel.__name__ == "kernel" and kernel.__doc__ == "Doubles." and kernel.py_func.__name__ == "kernel"
    assert kernel.get_shared_mem_per_block(signature) == 512
    assert kernel.get_shared_mem_per_block() == {signature: 512}
    assert kernel.get_regs_per_thread(signature) > 0
    assert kernel.get_local_mem_per_thread(signature) >= 0
    assert kernel.get_const_mem_size(signature) >= 0
    assert 0 < kernel.get_max_threads_per_block(signature) <= 1024
    assert list(kernel.overloads) == [signature]
    assert repr(kernel).startswith("CUDADispatcher(")


def test_ir_of_a_kernel(capsys):
    out = np.zeros(3)
    fill[1, 3](out, 1.0)
    signature = (float64[::1], float64)
    assert "gpu.thread_id" in fill.inspect_mlir(4, signature)
    assert "pyarray.any" in fill.inspect_mlir(1, signature)
    assert "define" in fill.inspect_llvm(signature)
    assert signature in fill.inspect_asm()
    fill.inspect_types()
    assert "float64" in capsys.readouterr().out


@pytest.mark.skipif("os.environ['PYARRAY_CUDA'] == 'gpu'", reason="there may be a GPU")
def test_sass_needs_a_gpu():
    with pytest.raises(RuntimeError, match="no GPU"):
        fill.inspect_sass()


def test_dispatchers_and_launchers_are_freed():
    @cuda.jit
    def kernel(a):
        a[0] = 1

    kernel[1, 1](np.zeros(1))
    gone = weakref.ref(kernel)
    del kernel
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("signature", [None, "void(float64[:])"])
def test_pickling(signature):
    def make(step):
        @cuda.jit(signature)
        def add(a):
            a[cuda.grid(1)] += step

        return add

    kernel = make(3)
    again = pickle.loads(pickle.dumps(kernel))
    a = np.zeros(4)
    again[1, 4](a)
    assert (a == 3).all() and type(again) is type(kernel) and again._can_compile() == (signature is None)
    assert pickle.loads(pickle.dumps(fill)) is fill


def test_host_arrays_leave_nothing_behind():
    a, view = np.zeros(100), np.zeros((20, 20))[::2, ::3]
    kernel = fill[1, 100]

    def counts():
        return sys.getrefcount(a), sys.getrefcount(view), native.statistics()["device_bytes"]

    kernel(a, 1.0)
    gc.collect()
    before = counts()
    for _ in range(50):
        kernel(a, 1.0)
        kernel(view.ravel(), 1.0)
        kernel(Foreign(cuda.to_device(a)), 1.0)
        with pytest.raises(pyarray.TypingError):
            kernel(a, [])
    gc.collect()
    assert counts() == before


def test_the_cache_of_other_processes(run):
    program = """
        import numpy as np
        from pyarray import cuda
        @cuda.jit
        def store(a, value):
            a[cuda.grid(1)] = value
        a = np.zeros(4)
        store[1, 4](a, 3.0)
        print(a.tolist(), [overload.from_cache for overload in store.overloads.values()])
        """
    import textwrap

    program = textwrap.dedent(program)
    assert run(program) == "[3.0, 3.0, 3.0, 3.0] [False]\n"
    assert run(program) == "[3.0, 3.0, 3.0, 3.0] [True]\n"
    assert run(program.replace("= value", "= value + 1")) == "[4.0, 4.0, 4.0, 4.0] [False]\n"


def test_low_occupancy_is_reported_where_asked_for(run):
    program = """
import warnings, numpy as np
from pyarray import cuda
@cuda.jit
def store(a):
    a[0] = 1
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    store[1, 32](np.zeros(1))
print([str(one.message) for one in seen if "occupancy" in str(one.message)])
"""
    assert run(program) == "[]\n"
    assert "Grid size 1 " in run(program, PYARRAY_CUDA_LOW_OCCUPANCY_WARNINGS="1")


def test_transfers_nest_as_deep_as_tuples():
    a = np.zeros(3)
    value = cuda.In(cuda.Out(a))
    fill[1, 3](value, 2.0)
    assert a.tolist() == [2, 2, 2]
    for _ in range(100_000):
        value = cuda.In(value)
    with pytest.raises(pyarray.errors.TypingError, match="nested too deeply"):
        fill[1, 3](value, 3.0)
    while isinstance(value, native.Transfer):
        value = value.value


def test_more_shared_memory_than_a_launch_can_ask_for():
    with pytest.raises(ValueError, match="must not be more than 2.*31 - 1, got 2147483648"):
        nothing[1, 1, 0, 2**31]
