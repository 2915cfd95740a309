"""The libraries of the package run on glibc 2.34: python/old_glibc.c."""

import pathlib
import re
import shutil
import subprocess

import pyarray
import pytest
from pyarray import _pyarray

LIBRARIES = [pathlib.Path(_pyarray.__file__), pathlib.Path(pyarray.__file__).parent / "libpyarray_core.so"]


@pytest.mark.real
@pytest.mark.skipif(not shutil.which("readelf"), reason="needs binutils")
@pytest.mark.parametrize("library", LIBRARIES, ids=["extension", "core"])
def test_nothing_newer_is_asked_for(library):
    shown = subprocess.check_output(["readelf", "-V", "-W", library], text=True)
    versions = {tuple(map(int, version.split("."))) for version in re.findall(r"Name: GLIBC_([\d.]+)", shown)}
    assert (2, 2, 5) in versions and max(versions) <= (2, 34)
    assert "DT_RELR" not in shown
