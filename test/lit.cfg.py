"""Configuration of the lit tests: every *.mlir, *.test and *.ll below test/ with RUN lines."""

import os
from pathlib import Path

import lit.formats

root = Path(__file__).resolve().parent.parent
build = Path(lit_config.params.get("build", root / "build")).resolve()
llvm_tools = Path((build / "llvm-tools.txt").read_text().strip())

config.name = "pyarray"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".ll"]
config.excludes = ["Inputs", "python", "capi", "fuzz"]
config.test_source_root = str(root / "test")
config.test_exec_root = str(build / "test-output")

features = {"plugin": "lib/pyarray_mlir_plugin.so", "translate": "bin/pyarray-translate"}
features |= {"lsp": "bin/pyarray-lsp-server", "reduce": "bin/pyarray-reduce"}
for feature, path in features.items():
    if (build / path).exists():
        config.available_features.add(feature)

if "ASAN_OPTIONS" in os.environ:
    config.available_features.add("sanitize")
package = root / "python" if build == root / "build" else build / "python"

config.environment["PATH"] = os.pathsep.join([str(build / "bin"), str(llvm_tools), os.environ["PATH"]])
for name in ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "PYTHONPATH", "PYARRAY_CPU_NAME", "PYARRAY_CPU_FEATURES"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.environment["PYARRAY_VERIFY"] = "passes"  # each level is checked behind its stage, IR behind each pass
config.environment["OPENBLAS_NUM_THREADS"] = "1"  # threads that nothing uses are a fifth of NumPy's import

config.substitutions += [
    ("%mlir_include", str(llvm_tools.parent / "include")),
    ("%root", str(root)),
    ("%build", str(build)),
    ("%core", str(package / "pyarray" / "libpyarray_core.so")),
    ("%python", str(root / ".venv" / "bin" / "python")),
]
