"""`target=` of overloads, methods, attributes, intrinsics and jitable functions; and all of these in kernels."""

import numpy as np
import pytest
from pyarray import cuda, errors, njit, types, vectorize
from pyarray.extending import (
    intrinsic,
    overload,
    overload_attribute,
    overload_classmethod,
    overload_method,
    register_jitable,
)


def by_target(register):
    """Registers "generic", then those for one target, and "generic" for another type: the order counts for nothing."""
    for target, factor in (("cuda", 3), ("generic", 2), ("cpu", 5)):
        register(target, factor)


def scaled(x):
    raise NotImplementedError


def of_kernels(x):
    raise NotImplementedError


def of_cpu(x):
    raise NotImplementedError


def everywhere(x):
    raise NotImplementedError


def register_scaled(target, factor):
    @overload(scaled, target=target)
    def typer(x):
        return lambda x: factor * x


by_target(register_scaled)


@overload(of_kernels, target="gpu")
def ol_of_kernels(x):
    return lambda x: cuda.threadIdx.x + x


@overload(of_cpu, target="cpu")
def ol_of_cpu(x):
    return lambda x: 3 * x


@overload(everywhere)
def ol_everywhere(x):
    if isinstance(x, types.Float):
        return lambda x: scaled(x) + 0.5

    def inner(x):
        total = 0
        for i in range(x):
            total += scaled(i)
        return total

    return inner


@overload_method(types.Array, "spread", target="cuda")
def spread_cuda(a, factor=1):
    return lambda a, factor=1: (a[0] - a[1]) * factor


@overload_method(types.Array, "spread", target="generic")
def spread_generic(a, factor=1):
    return lambda a, factor=1: (a[0] + a[1]) * factor


@overload_attribute(types.Array, "front", target="cpu")
def front_cpu(a):
    return lambda a: a[0]


@overload_attribute(types.Array, "front", target="cuda")
def front_cuda(a):
    return lambda a: -a[0]


vectors = types.float64[:]


@overload_classmethod(types.Array, "twice", target="cuda")
def twice_cuda(cls, x):
    return lambda cls, x: 2 * x


@overload_classmethod(types.Array, "twice", target="cpu")
def twice_cpu(cls, x):
    return lambda cls, x: 2 * x + 1


def bits(context, x):
    kind = context.mlir_type(x)
    text = f"func.func @bits(%x: {kind}) -> {kind} {{\n  %0 = math.ctpop %x : {kind}\n  return %0 : {kind}\n}}"
    return x(x), text


bits_everywhere, bits_of_kernels, bits_of_cpu = (
    intrinsic(bits),
    intrinsic(target="cuda")(bits),
    intrinsic(target="cpu")(bits),
)


@register_jitable(target="cuda")
def jitable_of_kernels(x):
    return x + cuda.blockDim.x


@register_jitable(target="cpu")
def jitable_of_cpu(x):
    return x + 20


@register_jitable
def jitable(x):
    return x + 30


def run_on_cpu(body, *arguments):
    out = np.zeros(4)
    njit(body)(out, *arguments)
    return out.tolist()


def run_in_kernel(body, *arguments):
    out = np.zeros(4)
    cuda.jit(body)[1, 1](out, *arguments)
    return out.tolist()


def functions(out, x):
    out[0] = scaled(x)
    out[1] = everywhere(x)
    out[2] = everywhere(float(x))
    out[3] = jitable(x)


def test_functions():
    assert run_on_cpu(functions, 4) == [20, 30, 20.5, 34]
    assert run_in_kernel(functions, 4) == [12, 18, 12.5, 34]


def members(out, a):
    out[0] = a.spread()
    out[1] = a.spread(factor=2)
    out[2] = a.front
    out[3] = vectors.twice(3)


def test_methods_attributes_and_class_methods():
    a = np.array([4.0, 1.0])
    assert run_on_cpu(members, a) == [5, 10, 4, 7]
    assert run_in_kernel(members, a) == [3, 6, -4, 6]


def kernel_only(out, x):
    out[0] = of_kernels(x)
    out[1] = bits_of_kernels(x) + bits_everywhere(x)
    out[2] = jitable_of_kernels(x)


def cpu_only(out, x):
    out[0] = of_cpu(x)
    out[1] = bits_of_cpu(x) + bits_everywhere(x)
    out[2] = jitable_of_cpu(x)


def test_those_for_one_target():
    assert run_in_kernel(kernel_only, 7) == [7, 6, 8, 0]
    assert run_on_cpu(cpu_only, 7) == [21, 6, 27, 0]


def call_of(function):
    def body(out, x):
        out[0] = function(x)

    return body


@pytest.mark.parametrize("function", [of_kernels, bits_of_kernels, jitable_of_kernels])
def test_what_is_for_kernels_is_refused_on_the_cpu(function):
    with pytest.raises(
        errors.TypingError, match="is not for functions for the CPU: it was registered with target='(cuda|gpu)'"
    ) as refused:
        run_on_cpu(call_of(function), 7)
    assert "function(x)" in str(refused.value) and "test_overload_targets.py" in str(refused.value)


@pytest.mark.parametrize("function", [of_cpu, bits_of_cpu, jitable_of_cpu])
def test_what_is_for_the_cpu_is_refused_in_kernels(function):
    with pytest.raises(errors.TypingError, match="is not for kernels: it was registered with target='cpu'"):
        run_in_kernel(call_of(function), 7)


def test_methods_of_another_target_are_unknown():
    @overload_method(types.Integer, "of_kernels_alone", target="cuda")
    def method(x):
        return lambda x: x + 1

    def body(out, x):
        out[0] = x.of_kernels_alone()

    assert run_in_kernel(body, 7)[0] == 8
    with pytest.raises(errors.TypingError, match="unknown method"):
        run_on_cpu(body, 7)


@pytest.mark.parametrize("name", ["CUDA", "Generic", "cpu"])
def test_names_of_targets(name):
    @overload(lambda: None, target=name)
    def typer():
        return None


@pytest.mark.parametrize(
    "register",
    [lambda t: overload(scaled, target=t), lambda t: intrinsic(target=t), lambda t: register_jitable(target=t)],
)
@pytest.mark.parametrize("target", ["fpga", None, 3])
def test_unknown_targets(register, target):
    with pytest.raises(ValueError, match="known targets: generic, cpu, gpu, cuda"):
        register(target)


def test_device_functions_and_ufuncs():
    @cuda.jit(device=True)
    def device(x):
        return scaled(x) + of_kernels(0)

    def body(out, x):
        out[0] = device(x)

    assert run_in_kernel(body, 4)[0] == 12

    @vectorize(["float64(float64)"], target="cuda")
    def on_device(x):
        return scaled(x)

    @vectorize(["float64(float64)"])
    def on_cpu(x):
        return scaled(x)

    assert on_device(np.ones(3)).tolist() == [3, 3, 3] and on_cpu(np.ones(3)).tolist() == [5, 5, 5]


def test_errors_and_what_devices_lack():
    def checked(x):
        raise NotImplementedError

    @overload(checked)
    def ol_checked(x):
        def inner(x):
            if x > 3:
                raise ValueError("too large")
            return x

        return inner

    def made(x):
        raise NotImplementedError

    @overload(made)
    def ol_made(x):
        return lambda x: np.zeros(x)[0]

    def body(out, x):
        out[0] = checked(x)

    def allocating(out, x):
        out[0] = made(x)

    assert run_in_kernel(body, 3)[0] == 3
    with pytest.raises(ValueError, match="too large"):
        run_in_kernel(body, 4)
    assert run_on_cpu(allocating, 4)[0] == 0
    with pytest.raises(errors.UnsupportedError, match="nothing is allocated on a GPU"):
        run_in_kernel(allocating, 4)


def test_ptx():
    def kernel(out, x):
        out[0] = scaled(x) + bits_of_kernels(x)

    ptx, _ = cuda.compile_ptx(kernel, "void(int64[::1], int64)", cc=(9, 0))
    assert "popc.b64" in ptx and "call" not in ptx
