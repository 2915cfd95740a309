"""Methods of CUDADispatcher that are no hot path."""

from .. import signatures as _signatures
from .. import types
from .._introspect import Overload as _Overload
from ..errors import PyArrayError


def check_occupancy(dispatcher, blocks):
    """Warn of grids that leave much of the device idle. Called with PYARRAY_CUDA_LOW_OCCUPANCY_WARNINGS=1."""
    import warnings

    from ..errors import NumbaPerformanceWarning
    from ._devices import get_current_device
    from ._errors import _outside

    if blocks < 2 * get_current_device().MULTIPROCESSOR_COUNT:
        warnings.warn(
            f"Grid size {blocks} will likely result in GPU under-utilization due to low occupancy.",
            NumbaPerformanceWarning,
            stacklevel=_outside(),
        )


def _codes_of(dispatcher, args, stream):
    """The type code of a launch with these arguments."""
    if dispatcher.options["extensions"]:
        from ._extensions import prepare

        args, _ = prepare(dispatcher, args, stream)
    return dispatcher._argument_codes(tuple(args))


class ForAll:
    """A launcher with at least as many threads as tasks, in blocks of a size that suits the kernel."""

    def __init__(self, dispatcher, ntasks, tpb, stream, sharedmem):
        if ntasks < 0:
            raise ValueError(f"Can't create ForAll with negative task count: {ntasks}")
        if tpb < 0:
            raise ValueError(f"Can't create ForAll with negative threads per block: {tpb}")
        self.dispatcher, self.ntasks, self.thread_per_block = dispatcher, ntasks, tpb
        self.stream, self.sharedmem = stream, sharedmem

    def __call__(self, *args):
        """Launch the kernel; nothing happens for no tasks."""
        if self.ntasks == 0:
            return
        block = self.thread_per_block
        if not block:
            block = self._suggested(args)
        grid = (self.ntasks + block - 1) // block
        self.dispatcher[grid, block, self.stream, self.sharedmem](*args)

    def _suggested(self, args):
        try:
            return self.dispatcher._suggest_block(_codes_of(self.dispatcher, args, self.stream), self.sharedmem)[0]
        except PyArrayError:
            return 128  # the launch raises it, unless the real Numba launches


def forall(dispatcher, ntasks, tpb=0, stream=0, sharedmem=0):
    return ForAll(dispatcher, ntasks, tpb, stream, sharedmem)


def specialize(dispatcher, *args):
    """A dispatcher of the same function for the types of these arguments alone; the same one for the same types."""
    if getattr(dispatcher, "specialized", False):
        raise RuntimeError("Dispatcher already specialized")
    code = _codes_of(dispatcher, args, 0)
    kept = vars(dispatcher).setdefault("_specializations", {})
    if code not in kept:
        kept[code] = type(dispatcher)(dispatcher.py_func, dispatcher.options, dispatcher.targetoptions, (code,))
        kept[code].specialized = True
    return kept[code]


def reduce_launcher(launcher):
    """What ``__reduce__`` of a launcher returns: streams belong to their process."""
    if launcher.stream:
        raise TypeError("a launcher with a stream does not pickle: the stream is this process's; pickle the kernel")
    configuration = (launcher.griddim, launcher.blockdim, 0, launcher.sharedmem, launcher.cluster_dims)
    return _configured, (launcher.dispatcher, configuration)


def _configured(dispatcher, configuration):
    return dispatcher[configuration]


# ------------------------------------------------------------------------------------------------
# Facts of compiled kernels


def _codes(dispatcher):
    return [code for code, _, _, retired in dispatcher._variants() if not retired]


def _of_signatures(dispatcher, signature, fact):
    """``fact(code)`` for a signature; else for the only one of a specialized kernel, or a dict for all."""
    if signature is not None:
        return fact(_signatures.code_of(signature))
    codes = _codes(dispatcher)
    if getattr(dispatcher, "specialized", False):
        return fact(codes[0])
    return {types.arguments_from_code(code): fact(code) for code in codes}


def _attribute(name):
    def get(dispatcher, signature=None):
        return _of_signatures(dispatcher, signature, lambda code: dispatcher._kernel_attributes(code)[name])

    return get


get_regs_per_thread = _attribute("registers")
get_shared_mem_per_block = _attribute("shared_bytes")
get_local_mem_per_thread = _attribute("local_bytes")
get_const_mem_size = _attribute("constant_bytes")
get_max_threads_per_block = _attribute("max_threads")


def _volume(extents):
    volume = 1
    for extent in extents if isinstance(extents, (tuple, list)) else (extents,):
        volume *= int(extent)
    return volume


def _together(dispatcher, code, blockdim, dynsmemsize, cluster_dims):
    from ._compile import read_cluster_dims

    threads = _volume(blockdim)
    if threads < 1:
        raise ValueError(f"a block has at least one thread, not {blockdim!r}")
    cluster = 0 if cluster_dims is None else read_cluster_dims(cluster_dims)
    return dispatcher._cooperative_blocks(code, threads, int(dynsmemsize), cluster)


def max_cooperative_grid_blocks(dispatcher, blockdim, dynsmemsize=0, signature=None, cluster_dims=None):
    """The most blocks of a grid that all run at once, which a kernel with ``cg.this_grid().sync()`` needs.

    Parameters
    ----------
    blockdim : int or tuple of int
        Threads of a block.
    dynsmemsize : int
        Bytes of dynamic shared memory.
    signature : tuple of types, Signature or str, optional
        Of which compiled variant; without one, the least of all that are compiled.
    cluster_dims : int or tuple of int, optional
        Of a launch in clusters.

    Raises
    ------
    ValueError
        Nothing is compiled yet, and no signature was given.
    """
    codes = _codes(dispatcher) if signature is None else [_signatures.code_of(signature)]
    if not codes:
        name = dispatcher.py_func.__qualname__
        raise ValueError(f"{name}() is not compiled for any types yet: give a signature, or launch it first")
    return min(_together(dispatcher, code, blockdim, dynsmemsize, cluster_dims) for code in codes)


class KernelOverload(_Overload):
    """A compiled variant of a kernel: a value of ``kernel.overloads``."""

    def __init__(self, dispatcher, code, from_cache, seconds):
        super().__init__(code, from_cache, seconds)
        self._dispatcher, self._code = dispatcher, code

    def max_cooperative_grid_blocks(self, blockdim, dynsmemsize=0):
        """The most blocks of a grid of this variant that all run at once."""
        return _together(self._dispatcher, self._code, blockdim, dynsmemsize, None)

    def inspect_llvm(self):
        """LLVM IR of this variant, optimised."""
        return self._dispatcher.inspect_llvm(self.signature.args)

    def inspect_asm(self):
        """Its PTX; where the CPU plays the device, the CPU's instructions."""
        return self._dispatcher.inspect_asm(self.signature.args)

    def inspect_sass(self):
        """Its machine code for the GPU, by tools of the CUDA toolkit."""
        return self._dispatcher.inspect_sass(self.signature.args)

    @property
    def cooperative(self):
        """Whether launches are cooperative: all blocks run at once."""
        return self._dispatcher._kernel_attributes(self._code)["cooperative"]

    regs_per_thread = property(lambda self: self._dispatcher._kernel_attributes(self._code)["registers"])
    shared_mem_per_block = property(lambda self: self._dispatcher._kernel_attributes(self._code)["shared_bytes"])
    local_mem_per_thread = property(lambda self: self._dispatcher._kernel_attributes(self._code)["local_bytes"])
    const_mem_size = property(lambda self: self._dispatcher._kernel_attributes(self._code)["constant_bytes"])
    max_threads_per_block = property(lambda self: self._dispatcher._kernel_attributes(self._code)["max_threads"])


def _disassemble(binary):
    import shutil
    import subprocess
    import tempfile

    commands = [[shutil.which("nvdisasm")], [shutil.which("cuobjdump"), "-sass"]]
    commands = [command for command in commands if command[0]]
    if not commands:
        raise RuntimeError(
            "nvdisasm or cuobjdump, of the CUDA toolkit, is needed to show machine code, and neither is on the PATH"
        )
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(binary)
        file.flush()
        done = subprocess.run([*commands[0], file.name], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{commands[0][0]} failed: {done.stderr.strip()}")
    return done.stdout


def inspect_sass(dispatcher, signature=None):
    from .._pyarray import cuda

    if cuda.kind() != "gpu":
        raise RuntimeError("there is no GPU: kernels have no machine code for one; inspect_asm() shows the CPU's")
    return _of_signatures(dispatcher, signature, lambda code: _disassemble(dispatcher._binary(code)))


def inspect_ptx(dispatcher, signature=None, cc=None, lineinfo=None):
    from ._compile import compile_to

    given = dispatcher.options
    same = "device debug lineinfo fastmath fma opt max_registers link lto".split()
    options = {name: given[name] for name in same}
    if lineinfo is not None:
        options["lineinfo"] = lineinfo
    if given["max_threads"]:
        options["launch_bounds"] = (given["max_threads"], given["min_blocks"])[: 2 if given["min_blocks"] else 1]
    if cc is None:
        from .._pyarray import cuda
        from ._devices import get_current_device

        cc = get_current_device().compute_capability if cuda.kind() == "gpu" else None

    def show(code):
        kinds = types.arguments_from_code(code)
        check = given["kernel_boundscheck"]
        return compile_to(dispatcher.py_func, kinds, "asm", cc=cc, boundscheck=check, **options)["code"]

    return _of_signatures(dispatcher, signature, show)


def inspect_lto_ptx(dispatcher, signature=None):
    """PTX of a kernel with ``lto``, in which functions of CUDA C++ are inlined as far as clang compiles them."""
    if not dispatcher.options["lto"]:
        raise ValueError(f"{dispatcher.py_func.__qualname__}() is not compiled with lto=True; inspect_ptx() shows it")
    return inspect_ptx(dispatcher, signature)
