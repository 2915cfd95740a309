"""A wheel of one extension module."""

import base64
import hashlib
import os
import re
import sys
import sysconfig
import zipfile


def _tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    abi = python + ("t" if sysconfig.get_config_var("Py_GIL_DISABLED") else "")
    return f"{python}-{abi}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def _row(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def write_wheel(folder, distribution, version, module, extension):
    """Write the wheel into a folder, and give its path."""
    stem = f"{re.sub(r'[^A-Za-z0-9.]+', '_', distribution)}-{version}"
    tag = _tag()
    with open(extension, "rb") as file:
        code = file.read()
    place = "/".join([*module.split(".")[:-1], os.path.basename(extension)])
    about = f"Wheel-Version: 1.0\nGenerator: pyarray\nRoot-Is-Purelib: false\nTag: {tag}\n"
    files = {
        place: code,
        f"{stem}.dist-info/METADATA": (
            f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\nRequires-Dist: numpy\n"
        ).encode(),
        f"{stem}.dist-info/WHEEL": about.encode(),
    }
    record = f"{stem}.dist-info/RECORD"
    rows = "".join(_row(name, content) for name, content in files.items()) + f"{record},,\n"
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"{stem}-{tag}.whl")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in {**files, record: rows.encode()}.items():
            wheel.writestr(name, content)
    return path
