"""Means, medians and deviations.

CPython computes means and variances in rational numbers, and rounds once. Here they are carried in pairs of floats: the
rounding error of a value, where there is one, is in its second part.
"""

import math
import sys
from bisect import bisect_left, bisect_right
from statistics import StatisticsError

from ._intrinsics import fma


def _floats(data):
    values = [0.0]
    values.clear()
    for item in data:
        values.append(float(item))
    return values


def _exact_mean(values):
    # The mean as an unevaluated sum of two floats.
    count = len(values)
    total = math.fsum(values)
    if not math.isfinite(total):
        return total / count, 0.0
    values.append(-total)
    rest = math.fsum(values)
    values.pop()
    mean = total / count
    return mean, (fma(-mean, float(count), total) + rest) / count


def mean(data):
    """The arithmetic mean, as a float."""
    values = _floats(data)
    if len(values) == 0:
        raise StatisticsError("mean requires at least one data point")
    high, low = _exact_mean(values)
    return high + low


def fmean(data, weights=None):
    """The arithmetic mean, of the rounded sum."""
    values = _floats(data)
    if weights is None:
        if len(values) == 0:
            raise StatisticsError("fmean requires at least one data point")
        return math.fsum(values) / len(values)
    scales = _floats(weights)
    if len(scales) != len(values):
        raise StatisticsError("data and weights must be the same length")
    for i in range(len(values)):
        values[i] *= scales[i]
    total = math.fsum(scales)
    if total == 0:
        raise StatisticsError("sum of weights must be non-zero")
    return math.fsum(values) / total


def geometric_mean(data):
    """The root of the product, by logarithms."""
    values = _floats(data)
    if len(values) == 0:
        raise StatisticsError("geometric mean requires a non-empty dataset containing positive numbers")
    for i in range(len(values)):
        if values[i] <= 0.0:
            raise StatisticsError("geometric mean requires a non-empty dataset containing positive numbers")
        values[i] = math.log(values[i])
    return math.exp(math.fsum(values) / len(values))


def _weighted_harmonic_mean(values, weights):
    if len(weights) != len(values):
        raise StatisticsError("Number of weights does not match data size")
    whole = math.fsum(weights)
    for i in range(len(values)):
        if values[i] < 0.0 or weights[i] < 0.0:
            raise StatisticsError("harmonic mean does not support negative values")
    for i in range(len(values)):
        if values[i] == 0.0 and weights[i] != 0.0:
            return 0.0
        values[i] = weights[i] / values[i] if weights[i] != 0.0 else 0.0
    if whole <= 0.0:
        raise StatisticsError("Weighted sum must be positive")
    return whole / math.fsum(values)


def harmonic_mean(data, weights=None):
    """The reciprocal of the mean of the reciprocals."""
    values = _floats(data)
    if len(values) == 0:
        raise StatisticsError("harmonic_mean requires at least one data point")
    if weights is not None:
        return _weighted_harmonic_mean(values, _floats(weights))
    for i in range(len(values)):
        if values[i] < 0.0:
            raise StatisticsError("harmonic mean does not support negative values")
        if values[i] == 0.0:
            return 0.0
        values[i] = 1.0 / values[i]
    return len(values) / math.fsum(values)


def median(data):
    """The middle item in order, or the mean of the two in the middle."""
    items = sorted(data)
    count = len(items)
    if count == 0:
        raise StatisticsError("no median for empty data")
    if count % 2:
        return items[count // 2]
    return (items[count // 2 - 1] + items[count // 2]) / 2


def median_low(data):
    """The middle item in order, or the lesser of the two in the middle."""
    items = sorted(data)
    if len(items) == 0:
        raise StatisticsError("no median for empty data")
    return items[(len(items) - 1) // 2]


def median_high(data):
    """The middle item in order, or the greater of the two in the middle."""
    items = sorted(data)
    if len(items) == 0:
        raise StatisticsError("no median for empty data")
    return items[len(items) // 2]


def median_grouped(data, interval=1):
    """The median of continuous values that were rounded to middles of intervals."""
    items = sorted(_floats(data))
    count = len(items)
    if count == 0:
        raise StatisticsError("no median for empty data")
    middle = items[count // 2]
    first = bisect_left(items, middle)
    alike = bisect_right(items, middle, first) - first
    width = float(interval)
    return middle - width / 2.0 + width * (count / 2 - first) / alike


SINGLE_POINT = sys.version_info >= (3, 13)  # has quantiles


def quantiles(data, *, n=4, method="exclusive"):
    """The ``n - 1`` points that divide the data into intervals of one probability."""
    if n < 1:
        raise StatisticsError("n must be at least 1")
    items = sorted(data)
    count = len(items)
    if count < 2:
        if not SINGLE_POINT or count == 0:
            least = "one data point" if SINGLE_POINT else "two data points"
            raise StatisticsError("must have at least " + least)
        return [float(items[0]) for _ in range(n - 1)]
    if method != "inclusive" and method != "exclusive":
        raise ValueError("Unknown method: " + repr(method))
    points = []
    for i in range(1, n):
        if method == "inclusive":
            at, rest = divmod(i * (count - 1), n)
        else:
            at = min(max(i * (count + 1) // n, 1), count - 1) - 1
            rest = i * (count + 1) - (at + 1) * n
        following = min(at + 1, count - 1)
        points.append((items[at] * (n - rest) + items[following] * rest) / n)
    return points


def _deviations(x, y, name):
    a, b = _floats(x), _floats(y)
    if len(a) != len(b):
        raise StatisticsError(name + " requires that both inputs have same number of data points")
    if len(a) < 2:
        raise StatisticsError(name + " requires at least two data points")
    for values in (a, b):
        center = math.fsum(values) / len(values)
        for i in range(len(values)):
            values[i] -= center
    return a, b


def _products(a, b):
    return math.fsum([p * q for p, q in zip(a, b)])


def covariance(x, y, /):
    """The sample covariance."""
    a, b = _deviations(x, y, "covariance")
    return _products(a, b) / (len(a) - 1)


def correlation(x, y, /):
    """Pearson's correlation coefficient."""
    a, b = _deviations(x, y, "correlation")
    spread = math.sqrt(_products(a, a) * _products(b, b))
    if spread == 0.0:
        raise StatisticsError("at least one of the inputs is constant")
    return _products(a, b) / spread


def multimode(data):
    """The most common items, in the order in which they come first."""
    counts = {}
    most = 0
    for item in data:
        counts[item] = counts.get(item, 0) + 1
        most = max(most, counts[item])
    return [item for item, count in counts.items() if count == most]


def mode(data):
    """The item that occurs most often, and of several the first."""
    items = list(data)
    if len(items) == 0:
        raise StatisticsError("no mode for empty data")
    order = []
    for i in range(len(items)):
        order.append((items[i], i))
    order.sort()
    most, best = 0, 0
    start = 0
    for i in range(1, len(order) + 1):
        if i == len(order) or order[i][0] != order[start][0]:
            count, first = i - start, order[start][1]
            if count > most or (count == most and first < best):
                most, best = count, first
            start = i
    return items[best]


def _squares(values, high, low):
    # The sum of the squares of the distances from high + low, as an unevaluated sum of two floats.
    parts = [0.0]
    for value in values:
        distance = value - high
        error = value - (distance + high) if abs(value) >= abs(high) else (value - distance) - high
        error -= low
        square = distance * distance
        parts.append(square)
        parts.append(fma(distance, distance, -square) + 2.0 * distance * error)
    total = math.fsum(parts)
    if not math.isfinite(total):
        return total, 0.0
    parts.append(-total)
    return total, math.fsum(parts)


def _spread(values, less, center):
    if center is None:
        high, low = _exact_mean(values)
    else:
        high, low = float(center), 0.0
    total, rest = _squares(values, high, low)
    count = float(len(values) - less)
    result = total / count
    return result + (fma(-result, count, total) + rest) / count if math.isfinite(result) else result


def variance(data, xbar=None):
    """The variance of a sample."""
    values = _floats(data)
    if len(values) < 2:
        raise StatisticsError("variance requires at least two data points")
    return _spread(values, 1, xbar)


def pvariance(data, mu=None):
    """The variance of a whole population."""
    values = _floats(data)
    if len(values) < 1:
        raise StatisticsError("pvariance requires at least one data point")
    return _spread(values, 0, mu)


def stdev(data, xbar=None):
    """The standard deviation of a sample."""
    values = _floats(data)
    if len(values) < 2:
        raise StatisticsError("stdev requires at least two data points")
    return math.sqrt(_spread(values, 1, xbar))


def pstdev(data, mu=None):
    """The standard deviation of a whole population."""
    values = _floats(data)
    if len(values) < 1:
        raise StatisticsError("pstdev requires at least one data point")
    return math.sqrt(_spread(values, 0, mu))
