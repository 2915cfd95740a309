"""A function of a row, applied to every row of a table on a GPU: distances on the Earth (Numba talk, as cuDF does).

The rows are records. The same function goes into a kernel, and into PTX for programs in CUDA C++ that link it.
"""

import math

import numpy as np
from pyarray import cuda, types

RADIUS = 6371.0  # of the Earth, in kilometres
ROW = np.dtype([("lat1", np.float64), ("lon1", np.float64)])


def haversine(row, target_latitude, target_longitude):
    """Kilometres from a row's place to another one; degrees."""
    x_1, y_1 = math.radians(row["lat1"]), math.radians(row["lon1"])
    x_2, y_2 = math.radians(target_latitude), math.radians(target_longitude)
    a = math.sin((x_2 - x_1) / 2) ** 2 + math.cos(x_1) * math.cos(x_2) * math.sin((y_2 - y_1) / 2) ** 2
    return 2 * math.asin(math.sqrt(a)) * RADIUS


distance_of = cuda.jit(device=True)(haversine)


@cuda.jit
def apply_to_rows(rows, latitude, longitude, out):
    """One thread for each row."""
    i = cuda.grid(1)
    if i < rows.size:
        out[i] = distance_of(rows[i], latitude, longitude)


def haversine_rows(rows, latitude, longitude):
    """The distance of each row."""
    device_rows, out = cuda.to_device(rows), cuda.device_array(rows.shape)
    apply_to_rows.forall(rows.size)(device_rows, latitude, longitude, out)
    return (out.copy_to_host(),)


def scalar_ptx():
    """PTX of a scalar function that a kernel in CUDA C++ may call: ``extern "C" __device__ double add_ten(double)``."""
    ptx, result = cuda.compile(
        lambda number: number + 10, types.float64(types.float64), cc=(9, 0), abi_info={"abi_name": "add_ten"}
    )
    return ptx, result


TOLERANCE = 1e-9


def arguments(size=1000):
    """Places, and London."""
    random = np.random.default_rng(0)
    rows = np.empty(size, ROW)
    rows["lat1"], rows["lon1"] = random.uniform(-90, 90, size), random.uniform(-180, 180, size)
    return rows, 51.5, -0.1


def reference(rows, latitude, longitude):
    """The same by NumPy."""
    x_1, y_1, x_2, y_2 = map(np.radians, (rows["lat1"], rows["lon1"], latitude, longitude))
    a = np.sin((x_2 - x_1) / 2) ** 2 + np.cos(x_1) * np.cos(x_2) * np.sin((y_2 - y_1) / 2) ** 2
    return (2 * np.arcsin(np.sqrt(a)) * RADIUS,)


def main():
    """Print some distances, and the head of the PTX."""
    rows, latitude, longitude = arguments(5)
    for row, distance in zip(rows, haversine_rows(rows, latitude, longitude)[0]):
        print(f"({row['lat1']:6.1f}, {row['lon1']:7.1f})  {distance:8.0f} km")
    ptx, result = scalar_ptx()
    print(next(line for line in ptx.splitlines() if "add_ten" in line and ".func" in line), "gives", result)


def draw(figure):
    """Distances from London over the map."""
    longitude, latitude = np.meshgrid(np.linspace(-180, 180, 361), np.linspace(-90, 90, 181))
    rows = np.empty(longitude.size, ROW)
    rows["lat1"], rows["lon1"] = latitude.ravel(), longitude.ravel()
    (distances,) = haversine_rows(rows, 51.5, -0.1)
    axes = figure.subplots()
    image = axes.imshow(distances.reshape(longitude.shape), origin="lower", extent=(-180, 180, -90, 90))
    axes.set(title="kilometres to London", xlabel="longitude", ylabel="latitude")
    figure.colorbar(image, shrink=0.6)


if __name__ == "__main__":
    import pathlib
    import sys

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
    from plotting import run

    run(main, draw)
