"""Linking without a GPU: through stand-ins for the driver, NVRTC and nvJitLink, and by NVIDIA's own.

Where these are not installed, their tests are skipped.
"""

import math
import os
import pathlib
import re
import shutil
import subprocess

import linked
import numpy as np
import pytest
from pyarray import cuda
from pyarray._pyarray import cuda as _cuda
from pyarray.cuda import _libraries, _link, _sources
from pyarray.cuda._compile import compile_to
from pyarray.cuda._errors import NvvmError
from pyarray.errors import LinkerError

pytestmark = pytest.mark.real

BUILD = pathlib.Path(os.environ.get("PYARRAY_TEST_BUILD", pathlib.Path(__file__).resolve().parents[2] / "build"))
DRIVER, LIBRARIES = BUILD / "test" / "libpyarray_fake_cuda.so", BUILD / "test" / "libraries"
needs_stand_ins = pytest.mark.skipif(not DRIVER.exists(), reason="the stand-in for the driver is not built")
on_gpu = os.environ.get("PYARRAY_CUDA") == "gpu"
needs_clang = pytest.mark.skipif(on_gpu or _sources.clang() is None, reason="clang is not installed, or there is a GPU")


def kernel(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = twice(x[i])


SIGNATURE = "void(float64[::1])"
twice = cuda.declare_device("twice", "float32(float32)")

PROGRAM = """
import gc
import numpy as np
from pyarray import cuda

twice = cuda.declare_device("twice", "float32(float32)")

def kernel(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = twice(x[i])

x = np.arange(4.0)
"""


@pytest.fixture
def stand_in(run, tmp_path):
    """Runs a program whose linked kernels are the CPU's code of `kernel`."""
    code = compile_to(kernel, SIGNATURE, target="cuda-on-cpu", link=[cuda.CUSource(linked.TWICE)])["code"]
    (tmp_path / "kernel.o").write_bytes(code)
    environment = {
        "PYARRAY_CUDA": "gpu",
        "PYARRAY_CUDA_DRIVER": str(DRIVER),
        "PYARRAY_CUDA_LIBRARIES": str(LIBRARIES),
        "PYARRAY_FAKE_CUDA_OBJECT": str(tmp_path / "kernel.o"),
        "PYARRAY_FAKE_CUDA_LINK_LOG": str(tmp_path / "link.log"),
        "PYARRAY_FAKE_NVRTC_LOG": str(tmp_path / "nvrtc.log"),
        "PYARRAY_FAKE_NVJITLINK_LOG": str(tmp_path / "nvjitlink.log"),
        "PYARRAY_FAKE_NVVM_LOG": str(tmp_path / "nvvm.log"),
    }

    def call(program, **more):
        for log in tmp_path.glob("*.log"):
            log.unlink()
        return run(PROGRAM + program, **{**environment, **more})

    call.log = lambda name: (
        (tmp_path / f"{name}.log").read_text().splitlines() if (tmp_path / f"{name}.log").exists() else []
    )
    return call


@needs_clang
@needs_stand_ins
def test_all_kinds_reach_the_driver(stand_in, tmp_path):
    (tmp_path / "file.ptx").write_text("// PTX")
    program = f"""
k = cuda.jit(link=[{str(tmp_path / "file.ptx")!r}, cuda.CUSource("// source", "one.cu"), cuda.Cubin(b"12"),
                   cuda.Fatbin(b"123"), cuda.Object(b"1234"), cuda.Archive(b"12345"), cuda.Archive(b"12345")])(kernel)
k[1, 8](x)
print(x.tolist())
"""
    assert stand_in(program) == "[0.0, 2.0, 4.0, 6.0]\n"
    rows = [line.split() for line in stand_in.log("link")]
    assert rows[0][:2] == ["1", "kernel"]
    assert rows[1:] == [
        ["1", str(tmp_path / "file.ptx"), str(len("// PTX") + 1)],
        ["0", "one.cu", str(len("cubin of // source"))],
        ["0", "<unnamed-cubin>", "2"],
        ["2", "<unnamed-fatbin>", "3"],
        ["3", "<unnamed-object>", "4"],
        ["4", "<unnamed-archive>", "5"],
    ]


@needs_clang
@needs_stand_ins
def test_options_of_nvrtc(stand_in, tmp_path):
    program = f"""
f = cuda.CUSource("// source", "one.cu", lineinfo=True)
cuda.jit(link=[f, cuda.CUSource("// two", "two.cu", opt=False)], fastmath=True, cache=False)(kernel)[1, 8](x)
cuda.jit(link=[{str(tmp_path / "three.cu")!r}], debug=True)(kernel)[1, 8](x)
"""
    (tmp_path / "three.cu").write_text("// three")
    stand_in(program, PYARRAY_CUDA_INCLUDE="/one:/two")
    one, two, three = ([*line.split()] for line in stand_in.log("nvrtc"))
    assert one[0] == "one.cu" and two[0] == "two.cu" and three[0] == str(tmp_path / "three.cu")
    for options in (one, two, three):
        assert {"--gpu-architecture=sm_90", "--relocatable-device-code=true", "--include-path=/two"} <= {*options}
    assert "--generate-line-info" in one and "--use_fast_math" in one and "--ptxas-options=-O0" in two
    assert "--device-debug" in three and f"--include-path={tmp_path}" in three


@needs_clang
@needs_stand_ins
def test_code_for_link_time_optimisation_goes_to_nvjitlink(stand_in, tmp_path):
    program = """
cuda.jit(link=[cuda.LTOIR(b"1234567"), cuda.CUSource("//", "one.cu")], max_registers=40, lineinfo=True)(kernel)[1, 8](x)
print(x.tolist())
"""
    assert stand_in(program) == "[0.0, 2.0, 4.0, 6.0]\n"
    log = stand_in.log("nvjitlink")
    assert log[:4] == ["-arch=sm_90", "-maxrregcount=40", "-lto", "-lineinfo"]
    assert [line.split()[:2] for line in log[4:]] == [["3", "kernel"], ["3", "<unnamed-ltoir>"], ["1", "one.cu"]]
    assert stand_in.log("link") == []
    (tmp_path / "none").mkdir()
    stand_in(program.replace('cuda.CUSource("//", "one.cu")', ""), PYARRAY_CUDA_LIBRARIES=str(tmp_path / "none"))
    assert stand_in.log("link")[1].startswith("5 <unnamed-ltoir>")  # the driver is asked where it is not there


@needs_clang
@needs_stand_ins
def test_a_kernel_is_optimised_with_cuda_c_where_there_is_no_clang(stand_in, tmp_path):
    program = """
cuda.jit(link=[cuda.CUSource("// source", "one.cu")], lto=True, cache=False, **OPTIONS)(kernel)[1, 8](x)
print(x.tolist())
"""
    plain, fast = program.replace("**OPTIONS", ""), program.replace("**OPTIONS", "fastmath=True, fma=False")
    no_clang = {"PYARRAY_CLANG": str(tmp_path / "clang")}
    assert stand_in(plain, **no_clang) == "[0.0, 2.0, 4.0, 6.0]\n"
    assert "-dlto" in stand_in.log("nvrtc")[0].split()
    assert stand_in.log("nvvm") == ["-arch=compute_90 -gen-lto 1"]
    size = len("ltoir of // source")
    options, inputs = ["-arch=sm_90", "-lto"], ["3 kernel", f"3 one.cu {size}"]
    assert [*map(str.strip, stand_in.log("nvjitlink"))][:2] == options
    assert [line.rsplit(" ", 1)[0] if "kernel" in line else line for line in stand_in.log("nvjitlink")[2:]] == inputs
    stand_in(fast, **no_clang)
    shared = "-ftz=1 -prec-sqrt=0 -prec-div=0 -fma=0"
    assert stand_in.log("nvvm") == [f"-arch=compute_90 -gen-lto {shared} 1"]
    assert stand_in.log("nvjitlink")[:6] == [*options, *shared.split()]
    # What libNVVM does not take is linked as PTX.
    stand_in(fast, **no_clang, PYARRAY_FAKE_LIBRARY_FAIL="nvvmCompileProgram=9")
    log = stand_in.log("nvjitlink")
    assert log[:2] == options and log[2].startswith("2 kernel") and log[3].startswith("3 one.cu")
    # A debugger wants calls; and without libNVVM there is nothing to optimise together.
    stand_in(program.replace("**OPTIONS", "debug=True, opt=False"), **no_clang)
    assert "-dlto" not in stand_in.log("nvrtc")[0].split() and stand_in.log("nvvm") == []
    few = tmp_path / "few"
    few.mkdir()
    for name in ("libnvrtc.so", "libnvJitLink.so"):
        (few / name).symlink_to(LIBRARIES / name)
    stand_in(plain, **no_clang, PYARRAY_CUDA_LIBRARIES=str(few))
    assert "-dlto" not in stand_in.log("nvrtc")[0].split() and stand_in.log("nvjitlink") == []


@needs_clang
@needs_stand_ins
def test_failures_name_file_and_symbol(stand_in):
    program = """
def attempt(*link):
    try:
        cuda.jit(link=link)(kernel)[1, 8](x)
    except Exception as error:
        print(type(error).__name__, error)

attempt(cuda.PTXSource("// error: no such instruction", "bad.ptx"))
attempt(cuda.Object(b"// error: is for sm_75, not sm_90", "old.o"))
attempt(cuda.Archive(b"// undefined: Undefined reference to 'twice' in 'kernel'", "all.a"))
attempt(cuda.CUSource("#error at this line", "mine.cu"))
attempt(cuda.CUSource(b"#error of a caf\\xe9", "latin.cu"))
attempt(cuda.CUSource("//"))
print(x.tolist())
"""
    said = re.sub(r" \([^)]*\)[^\n]*:\n", ":\n", stand_in(program))  # the driver's text, and advice
    assert said.splitlines() == [
        "LinkerError bad.ptx cannot be linked with kernel kernel: CUDA_ERROR_INVALID_PTX:",
        "no such instruction",
        "LinkerError old.o cannot be linked with kernel kernel: CUDA_ERROR_INVALID_IMAGE:",
        "is for sm_75, not sm_90",
        "it must hold relocatable code for sm_90, as nvcc -arch=sm_90 -dc makes it",
        "LinkerError linking kernel kernel with all.a: CUDA_ERROR_INVALID_PTX:",
        "Undefined reference to 'twice' in 'kernel'",
        "LinkerError mine.cu does not compile:",
        "mine.cu(1): error: at this line",
        "LinkerError latin.cu does not compile:",
        "latin.cu(1): error: of a caf\N{REPLACEMENT CHARACTER}",
        "[0.0, 2.0, 4.0, 6.0]",
    ]


@needs_clang
@needs_stand_ins
@pytest.mark.parametrize("call", ["nvJitLinkCreate", "nvJitLinkAddData", "nvJitLinkComplete"])
def test_failures_of_nvjitlink(stand_in, call):
    program = """
try:
    cuda.jit(link=[cuda.LTOIR(b"1", "f.ltoir")])(kernel)[1, 8](x)
except cuda.LinkerError as error:
    print(error)
"""
    said = stand_in(program, PYARRAY_FAKE_LIBRARY_FAIL=f"{call}=6")
    assert "kernel" in said and "Undefined reference to 'f' in 'k'" in said


@needs_clang
@needs_stand_ins
def test_a_missing_nvrtc_is_named(stand_in, tmp_path):
    program = """
try:
    cuda.jit(link=[cuda.CUSource("//", "one.cu")])(kernel)[1, 8](x)
except cuda.CudaSupportError as error:
    print(error)
"""
    (tmp_path / "none").mkdir()
    said = stand_in(program, PYARRAY_CUDA_LIBRARIES=str(tmp_path / "none"))
    assert said.startswith("NVIDIA's library NVRTC cannot be opened; pip install nvidia-cuda-nvrtc")


@needs_clang
@needs_stand_ins
def test_callbacks_with_a_driver(stand_in):
    program = """
link = [cuda.PTXSource("//", setup_callback=lambda m: print("set up"), teardown_callback=lambda m: print("gone"))]
k = cuda.jit(link=link)(kernel)
k[1, 8](x)
cuda.get_current_device().reset()
k[1, 8](x)
del k
gc.collect()
print("end")
"""
    assert stand_in(program).split("\n") == ["set up", "gone", "set up", "gone", "end", ""]


# ------------------------------------------------------------------------------------------------
# NVIDIA's own


def has(*names):
    if "PYARRAY_CUDA_LIBRARIES" in os.environ:
        return False
    try:
        for name in names:
            _libraries.open_compiler(name)
    except cuda.CudaSupportError:
        return False
    return True


def version_of(name):
    """The root of the installation that the library is opened from."""
    path = pathlib.Path(_cuda.open_library(name, _libraries._paths(name)))
    return next((folder for folder in path.parents if (folder / "include").exists()), path.parent)


needs_nvrtc = pytest.mark.skipif(not has("nvrtc", "nvjitlink"), reason="NVRTC and nvJitLink are not installed")
needs_nvcc = pytest.mark.skipif(
    not has("nvrtc", "nvjitlink") or not shutil.which("nvcc"), reason="nvcc is not installed"
)


def link(function, signature, parts, cc=(9, 0), lto=0):
    """A cubin of a kernel and what it is linked with, by nvJitLink."""
    made = compile_to(function, signature, cc=cc, link=parts)  # what lto inlines by clang is not wanted here
    numbers = [twice._number]
    _, inputs, _ = _link.plan(_link.read(parts), numbers, "cuda", f"sm_{cc[0]}{cc[1]}", lto, 0, 0, 0, 1)
    if inputs and inputs[0][0] == _link.OWN_IR:
        own = compile_to(function, signature, "nvvm-ir", cc=cc, link=parts)["code"].encode()
        inputs[0] = (_link.OWN_IR, inputs[0][1], own)
    return _cuda.link_ptx(made["code"].encode(), made["entry"], inputs, 10 * cc[0] + cc[1])


@needs_nvrtc
def test_what_nvrtc_makes_is_linked():
    cubin = link(kernel, SIGNATURE, [cuda.CUSource(linked.TWICE)])
    assert cubin[:4] == b"\x7fELF" and b"twice" in cubin
    with pytest.raises(LinkerError, match="(?s)linking kernel kernel.*twice"):
        link(kernel, SIGNATURE, [])


@needs_nvrtc
def test_the_log_of_nvrtc():
    with pytest.raises(LinkerError) as caught:
        link(
            kernel,
            SIGNATURE,
            [cuda.CUSource("// one\n__device__ int f() { return unknown; }\n", name="folder/mine.cu")],
        )
    assert str(caught.value).startswith(
        'folder/mine.cu does not compile:\nfolder/mine.cu(2): error: identifier "unknown"'
    )


@needs_nvrtc
def test_an_architecture_that_nvrtc_has_not():
    _libraries.open_compiler("nvrtc")
    with pytest.raises(LinkerError, match="(?s)x.cu does not compile:.*--gpu-architecture"):
        _cuda.compile_source(b"//", "x.cu", ["--gpu-architecture=sm_12"])


@needs_nvrtc
def test_ptx_of_nvrtc_is_shown():
    shown = cuda.jit(link=[cuda.CUSource(linked.TWICE, name="twice.cu")])(kernel).inspect_ptx(SIGNATURE, cc=(9, 0))
    behind = shown.partition("// Linked: twice.cu\n")[2]
    assert ".visible .func  (.param .b32 func_retval0) twice" in behind


@needs_nvcc
@pytest.mark.parametrize("kind", ["o", "a", "cubin", "fatbin", "ptx", "ltoir"])
def test_what_nvcc_makes_is_linked(tmp_path, kind):
    source = tmp_path / "twice.cu"
    source.write_text(linked.TWICE)
    target = tmp_path / f"twice.{kind}"
    arguments = {
        "o": ["-dc"],
        "a": ["-dc"],
        "cubin": ["-rdc=true", "-cubin"],
        "fatbin": ["-rdc=true", "-fatbin"],
        "ptx": ["-rdc=true", "-ptx"],
        "ltoir": ["-rdc=true", "-dlto", "-ltoir"],
    }[kind]
    made = tmp_path / "twice.o" if kind == "a" else target
    subprocess.run(["nvcc", "-arch=sm_90", *arguments, str(source), "-o", str(made)], check=True)
    if kind == "a":
        subprocess.run(["ar", "rcs", str(target), str(made)], check=True)
    assert link(kernel, SIGNATURE, [target])[:4] == b"\x7fELF"


@needs_nvcc
def test_the_wrong_architecture(tmp_path):
    source = tmp_path / "twice.cu"
    source.write_text(linked.TWICE)
    subprocess.run(
        ["nvcc", "-gencode=arch=compute_80,code=sm_80", "-dc", str(source), "-o", str(tmp_path / "old.o")], check=True
    )
    with pytest.raises(LinkerError, match=r"(?s)old.o cannot be linked with kernel kernel:.*must hold .* for sm_90"):
        link(kernel, SIGNATURE, [tmp_path / "old.o"])


@pytest.mark.skipif(not has("nvvm"), reason="libNVVM is not installed")
@pytest.mark.parametrize("cc", [(7, 5), (9, 0), (10, 0)])
def test_code_for_link_time_optimisation(cc):
    def product(x, y):
        return x * y + 1.0

    try:
        code, result = cuda.compile(product, "float64(float64, float64)", cc=cc, output="ltoir")
    except NvvmError as error:  # older ones do not know all attributes of this compiler's IR
        assert cc == (10, 0) and "libNVVM refuses product" in str(error) and "output='ptx'" in str(error)
        pytest.skip(str(error))
    assert isinstance(code, bytes) and len(code) > 100 and str(result) == "float64"


TILE = 32


def everything(x, y, words, out):
    """Of each kind of instruction something."""
    shared = cuda.shared.array(TILE, np.float64)
    local = cuda.local.array(4, np.int32)
    i, lane = cuda.grid(1), cuda.threadIdx.x % TILE
    if i < x.size:
        for k in range(4):
            local[k] = min(words[i], k) - abs(words[i] >> k)
        shared[lane] = math.sqrt(x[i]) + local[words[i] & 3]
        cuda.syncthreads()
        total = shared[TILE - 1 - lane] - x[i] * y[i]
        total += cuda.shfl_down_sync(0xFFFFFFFF, total, 1) if cuda.any_sync(0xFFFFFFFF, total > 0) else -total
        cuda.atomic.add(out, 0, total)
        cuda.atomic.max(out, 1, total)
        cuda.atomic.cas(words, 0, 3, 4)
        cuda.threadfence()
        out[i + 2] = math.pow(total, 1.5) + float(cuda.popc(cuda.ballot_sync(0xFFFFFFFF, lane > 3)))
        if words[i] == 77:
            raise ValueError("77")


EVERYTHING = "void(float64[::1], float32[:], int32[::1], float64[::1])"


def test_ir_of_llvm_7():
    text = compile_to(kernel, SIGNATURE, "nvvm-ir", cc=(9, 0))["code"]
    assert "declare i32 @twice(i8*, float)" in text and not re.search(r"\bptr\b", text)
    assert re.search(r"load double, double addrspace\(1\)\* %\w+\.p, align 8", text)
    kernels = re.findall(r'!{void \(?.*\* @kernel, !"kernel", i32 1}', text.replace("void(", "void ("))
    assert len(kernels) == 1 and "@llvm.used = appending global" in text
    text = compile_to(kernel, SIGNATURE, "nvvm-ir", cc=(9, 0), launch_bounds=(128, 2), max_registers=40)["code"]
    for name, value in (("maxntidx", 128), ("minctasm", 2), ("maxnreg", 40)):
        assert f'@kernel, !"{name}", i32 {value}}}' in text
    text = compile_to(everything, EVERYTHING, "nvvm-ir", cc=(8, 0))["code"]
    for part in ("addrspace(3) global", "@llvm.nvvm.shfl.sync.i32(", "@llvm.nvvm.vote.sync(", "cmpxchg i32",
                 "@llvm.nvvm.atomic.load.add.f64.p1f64(", "select i1 "):  # fmt: skip
        assert part in text, part
    assert "llvm.smin" not in text and "llvm.abs" not in text and "freeze" not in text and "fneg" not in text


@pytest.mark.skipif(not has("nvvm"), reason="libNVVM is not installed")
@pytest.mark.parametrize("arch", ["sm_75", "sm_80", "sm_90"])
def test_libnvvm_takes_ir_of_llvm_7(arch):
    for options in ({}, {"fastmath": True}, {"fma": False}):
        text = compile_to(everything, EVERYTHING, "nvvm-ir", cc=arch, **options)["code"]
        made, _ = _cuda.compile_ir(text.encode(), "everything", [f"-arch={arch.replace('sm', 'compute')}"])
        assert b".entry everything(" in made


@needs_nvrtc
@pytest.mark.skipif(not has("nvvm"), reason="libNVVM is not installed")
def test_nothing_is_called_that_is_optimised_together(monkeypatch):
    monkeypatch.setattr(_sources, "clang", lambda: None)
    source = [cuda.CUSource(linked.TWICE)]
    assert b".text.twice" in link(kernel, SIGNATURE, source)
    together = link(kernel, SIGNATURE, source, lto=1)
    if b".text.twice" in together and len({version_of(name) for name in ("nvvm", "nvrtc")}) > 1:
        pytest.skip("libNVVM is not of the version of nvJitLink, which does not take its code: PTX was linked")
    assert together[:4] == b"\x7fELF" and b".text.kernel" in together and b".text.twice" not in together
    # An input that is code for link-time optimisation already
    _libraries.open_compiler("nvrtc")
    made, _ = _sources.compile_source(source[0], linked.TWICE.encode(), "sm_90",
                                      {"debug": False, "lineinfo": False, "fastmath": False}, lto=True)  # fmt: skip
    assert b".text.twice" not in link(kernel, SIGNATURE, [cuda.LTOIR(made)])


def test_code_for_link_time_optimisation_that_cannot_be():
    from pyarray.cuda.cudadrv.error import NvvmError

    def total(x, y):
        return cuda.bf16.hadd(x, y)

    if has("nvvm"):
        with pytest.raises(NvvmError, match=r"(?s)for sm_90 NVVM IR 2.0 has no bfloat16.*output='ptx'"):
            cuda.compile(total, "bfloat16(bfloat16, bfloat16)", cc=(9, 0), output="ltoir")
    with pytest.raises(NotImplementedError, match="Unsupported output type: cubin"):
        cuda.compile(lambda x: x, "float64(float64)", output="cubin")


@needs_nvrtc
def test_a_function_of_python_in_cuda_c(tmp_path):
    """A scalar function in Python is compiled to PTX, which CUDA C++ declares and calls."""

    def add_ten(x):
        return x + 10

    ptx, result = cuda.compile_ptx(add_ten, "float64(float64)", device=True, cc=(9, 0), abi_info={"abi_name": "udf"})
    assert str(result) == "float64"
    source = b"""
        extern "C" __device__ double udf(double);
        extern "C" __global__ void apply(double *x, int n)
        {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) x[i] = udf(x[i]);
        }"""
    _libraries.open_compiler("nvrtc")
    _, caller = _cuda.compile_source(source, "apply.cu", ["--gpu-architecture=sm_90", "--relocatable-device-code=true"])
    cubin = _cuda.link_ptx(caller.encode(), "apply", [(1, "udf", ptx.encode() + b"\0")], 90)
    assert cubin[:4] == b"\x7fELF" and b"apply" in cubin
    with pytest.raises(LinkerError, match="udf"):
        _cuda.link_ptx(caller.encode(), "apply", [], 90)


def test_it_agrees_with_numpy():
    """What the stand-ins run is right."""
    if on_gpu or _sources.clang() is None:
        pytest.skip("clang is not installed, or there is a GPU")
    x = np.arange(4.0)
    cuda.jit(link=[cuda.CUSource(linked.TWICE)])(kernel)[1, 8](x)
    assert x.tolist() == [0, 2, 4, 6]
