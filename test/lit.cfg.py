"""Configuration of the lit tests: every *.mlir, *.test and *.ll below test/ with RUN lines."""

import os
from pathlib import Path

import lit.formats

root = Path(__file__).resolve().parent.parent
build = Path(lit_config.params.get("build", root / "build")).resolve()  # noqa: F821
llvm_tools = Path((build / "llvm-tools.txt").read_text().strip())

config.name = "pyarray"  # noqa: F821
config.test_format = lit.formats.ShTest(execute_external=False)  # noqa: F821
config.suffixes = [".mlir", ".test", ".ll"]  # noqa: F821
config.excludes = ["Inputs", "python", "capi"]  # noqa: F821
config.test_source_root = str(root / "test")  # noqa: F821
config.test_exec_root = str(build / "test-output")  # noqa: F821

for feature, path in {"plugin": "lib/pyarray_mlir_plugin.so", "translate": "bin/pyarray-translate"}.items():
    if (build / path).exists():
        config.available_features.add(feature)  # noqa: F821

config.environment["PATH"] = os.pathsep.join([str(build / "bin"), str(llvm_tools), os.environ["PATH"]])  # noqa: F821
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "PYTHONPATH"):
    if name in os.environ:
        config.environment[name] = os.environ[name]  # noqa: F821

config.substitutions += [  # noqa: F821
    ("%mlir_include", str(llvm_tools.parent / "include")),
    ("%root", str(root)),
    ("%build", str(build)),
    ("%python", str(root / ".venv" / "bin" / "python")),
]
