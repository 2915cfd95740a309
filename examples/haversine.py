"""Distances on the globe: a ufunc of four numbers, with NumPy's broadcasting, `out=` and methods.

https://en.wikipedia.org/wiki/Haversine_formula
"""

import math

import numpy as np
from pyarray import vectorize

EARTH_RADIUS = 6371.0  # km


@vectorize(["float32(float32, float32, float32, float32)", "float64(float64, float64, float64, float64)"])
def haversine(latitude, longitude, other_latitude, other_longitude):
    """Great-circle distance in km; angles in radians."""
    a = math.sin((other_latitude - latitude) / 2) ** 2
    b = math.cos(latitude) * math.cos(other_latitude) * math.sin((other_longitude - longitude) / 2) ** 2
    return 2 * EARTH_RADIUS * math.asin(math.sqrt(a + b))


def arguments(size=1000):
    """Two arrays of places, float64."""
    generator = np.random.default_rng(1)
    latitudes = np.radians(generator.uniform(-90, 90, (2, size)))
    longitudes = np.radians(generator.uniform(-180, 180, (2, size)))
    return latitudes[0], longitudes[0], latitudes[1], longitudes[1]


def reference(latitude, longitude, other_latitude, other_longitude):
    """The same with NumPy."""
    a = np.sin((other_latitude - latitude) / 2) ** 2
    b = np.cos(latitude) * np.cos(other_latitude) * np.sin((other_longitude - longitude) / 2) ** 2
    return 2 * EARTH_RADIUS * np.arcsin(np.sqrt(a + b))


def main():
    """Print the distances between some cities."""
    cities = {"Berlin": (52.52, 13.40), "Nairobi": (-1.29, 36.82), "Lima": (-12.05, -77.04), "Tokyo": (35.68, 139.69)}
    latitude, longitude = np.radians(list(cities.values())).T
    distances = haversine(latitude[:, None], longitude[:, None], latitude, longitude)
    print(f"{haversine}, {haversine.types}")
    for name, row in zip(cities, distances, strict=True):
        print(f"{name:8}", "".join(f"{distance:8.0f}" for distance in row), "km")


def draw(figure):
    """A map of the distances from Berlin, in thousands of km."""
    latitudes, longitudes = np.radians(np.linspace(-90, 90, 181)), np.radians(np.linspace(-180, 180, 361))
    distances = haversine(latitudes[:, None], longitudes, *np.radians([52.52, 13.40]))
    axes = figure.subplots()
    lines = axes.contour(np.degrees(longitudes), np.degrees(latitudes), distances / 1000, range(1, 21))
    axes.clabel(lines)
    axes.plot(13.40, 52.52, "ko")
    axes.set(title="haversine(latitudes[:, None], longitudes, *berlin) / 1000", xlabel="longitude", ylabel="latitude")


if __name__ == "__main__":
    from plotting import run

    run(main, draw)
