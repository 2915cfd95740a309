"""The length of a route over the Earth: four functions, each of which calls the next."""

import math

import numpy as np
from pyarray import njit

EARTH_RADIUS = 6371.0088  # mean radius in km (IUGG)


@njit
def haversine(angle):
    """The haversine of an angle in radians: (1 - cos(angle)) / 2 without cancellation."""
    sine = math.sin(angle / 2)
    return sine * sine


@njit
def central_angle(latitude1, longitude1, latitude2, longitude2):
    """The angle between two points seen from the centre of the Earth; all in radians."""
    h = haversine(latitude2 - latitude1)
    h += math.cos(latitude1) * math.cos(latitude2) * haversine(longitude2 - longitude1)
    return 2 * math.asin(math.sqrt(min(1.0, h)))


@njit
def leg_length(start, end):
    """Distance in km of two points, each a pair of latitude and longitude in degrees."""
    latitude1, longitude1 = start
    latitude2, longitude2 = end
    return EARTH_RADIUS * central_angle(
        math.radians(latitude1), math.radians(longitude1), math.radians(latitude2), math.radians(longitude2)
    )


@njit
def route_length(latitudes, longitudes):
    """Length in km of the route through the points; 1-D arrays in degrees."""
    total = 0.0
    for i in range(1, len(latitudes)):
        total += leg_length((latitudes[i - 1], longitudes[i - 1]), (latitudes[i], longitudes[i]))
    return total


def arguments(size=20_000):
    """Random points."""
    generator = np.random.default_rng(1)
    return generator.uniform(-90, 90, size), generator.uniform(-180, 180, size)


def reference(latitudes, longitudes):
    """The same with NumPy."""
    latitude, longitude = np.radians(latitudes), np.radians(longitudes)
    h = np.sin(np.diff(latitude) / 2) ** 2
    h += np.cos(latitude[:-1]) * np.cos(latitude[1:]) * np.sin(np.diff(longitude) / 2) ** 2
    return float(EARTH_RADIUS * 2 * np.arcsin(np.sqrt(np.minimum(1.0, h))).sum())


def main():
    """Print the length of a journey."""
    cities = {"Lisbon": (38.72, -9.14), "Paris": (48.86, 2.35), "Warsaw": (52.23, 21.01), "Kyiv": (50.45, 30.52)}
    latitudes, longitudes = np.array(list(cities.values())).T.copy()
    print(f"{' - '.join(cities)}: {route_length(latitudes, longitudes):.0f} km")


if __name__ == "__main__":
    main()
