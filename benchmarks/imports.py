"""How long `import pyarray` takes beyond `import numpy`."""

from measure import PACKAGES, Row, child, interleave

LIMIT = 0.040


def import_time(statement):
    return lambda: child("import", statement)[0]


def measure(quick):
    for name, statement in {"import": "import {}", "import njit": "from {} import njit"}.items():
        candidates = {package: import_time(statement.format(package)) for package in PACKAGES}
        interleave(candidates, 1)  # writes .pyc files
        row = Row("import", name, interleave(candidates, 3 if quick else 9))
        row.add_time_bar("pyarray", LIMIT)
        row.add_ratio_bar("pyarray", "numba", 0.25)
        yield row
