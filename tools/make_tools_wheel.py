"""Makes the wheel pyarray-tools of what is built: pyarray-opt and pyarray-translate as commands of an environment.

    python tools/make_tools_wheel.py build dist

pyarray-translate contains a Python, so that the wheel belongs to that version of it.
"""

import base64
import hashlib
import pathlib
import re
import stat
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOOLS = ("pyarray-opt", "pyarray-translate")

MODULE = '''"""The command-line tools of pyarray: each function is one of them."""

import os
import pathlib
import sys
import sysconfig

_HERE = pathlib.Path(__file__).resolve().parent


def _run(name):
    tool = _HERE / "bin" / name
    library = sysconfig.get_config_var("LIBDIR")  # of Python's own library, which pyarray-translate needs
    paths = [library, os.environ.get("LD_LIBRARY_PATH")]
    os.environ["LD_LIBRARY_PATH"] = os.pathsep.join(path for path in paths if path)
    os.execv(tool, [name, *sys.argv[1:]])


def opt():
    """Run pyarray-opt."""
    _run("pyarray-opt")


def translate():
    """Run pyarray-translate."""
    _run("pyarray-translate")
'''
ENTRIES = "[console_scripts]\npyarray-opt = pyarray_tools:opt\npyarray-translate = pyarray_tools:translate\n"
METADATA = """Metadata-Version: 2.4
Name: pyarray-tools
Version: {version}
Summary: pyarray-opt and pyarray-translate: the IR of the pyarray compiler on the command line
Author: the pyarray developers
License-Expression: Apache-2.0 WITH LLVM-exception
License-File: LICENSE
License-File: THIRD-PARTY-NOTICES.txt
Requires-Python: =={python}.*
Requires-Dist: pyarray-compiler=={version}
Project-URL: Source, https://github.com/pyarray-compiler/pyarray
"""


def contents(build, stripped):
    """(path in the wheel, bytes, whether it is a program), without the record."""
    version = re.search(r"project\(pyarray VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    info = f"pyarray_tools-{version}.dist-info"
    tag = f"py3-none-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
    yield "pyarray_tools/__init__.py", MODULE.encode(), False
    for tool in TOOLS:
        file = pathlib.Path(stripped) / tool
        subprocess.run(["strip", "-o", file, build / "bin" / tool], check=True)
        yield f"pyarray_tools/bin/{tool}", file.read_bytes(), True
    for name in ("LICENSE", "THIRD-PARTY-NOTICES.txt"):
        yield f"{info}/licenses/{name}", (ROOT / name).read_bytes(), False
    yield f"{info}/METADATA", METADATA.format(version=version, python=python).encode(), False
    yield f"{info}/WHEEL", f"Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(), False
    yield f"{info}/entry_points.txt", ENTRIES.encode(), False


def main():
    """Write the wheel."""
    build, folder = map(pathlib.Path, sys.argv[1:])
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as stripped:
        files = list(contents(build, stripped))
    info = next(path for path, *_ in files if path.endswith("/METADATA")).split("/")[0]
    tag = next(data for path, data, _ in files if path.endswith("/WHEEL")).decode().split("Tag: ")[1].strip()
    digests = [(path, base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode(), len(data))
               for path, data, _ in files]  # fmt: skip
    record = "".join(f"{path},sha256={digest},{size}\n" for path, digest, size in digests) + f"{info}/RECORD,,\n"
    wheel = folder / f"{info.removesuffix('.dist-info')}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data, is_program in [*files, (f"{info}/RECORD", record.encode(), False)]:
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (stat.S_IFREG | (0o755 if is_program else 0o644)) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    print(f"{wheel}: {wheel.stat().st_size >> 20} MB")


if __name__ == "__main__":
    main()
