"""The primes below a bound, by the sieve of Eratosthenes."""

import numpy as np
from pyarray import njit


@njit
def sieve(n):
    """The primes below n, as an int64 array."""
    is_prime = np.ones(max(n, 2), np.bool_)
    is_prime[0] = False
    is_prime[1] = False
    i = 2
    while i * i < n:
        if is_prime[i]:
            for multiple in range(i * i, n, i):
                is_prime[multiple] = False
        i += 1
    count = 0
    for flag in is_prime:
        if flag:
            count += 1
    primes = np.empty(count, np.int64)
    found = 0
    for i in range(is_prime.size):
        if is_prime[i]:
            primes[found] = i
            found += 1
    return primes


def arguments(size=100_000):
    """The bound."""
    return (size,)


def reference(n):
    """The same with NumPy."""
    is_prime = np.ones(max(n, 2), bool)
    is_prime[:2] = False
    for i in range(2, int(n**0.5) + 1):
        if is_prime[i]:
            is_prime[i * i :: i] = False
    return np.flatnonzero(is_prime)


def main():
    """Print the number of primes below powers of ten."""
    for exponent in range(1, 8):
        primes = sieve(10**exponent)
        print(f"{len(primes):7} primes below 10**{exponent}, the last one {primes[-1]}")


if __name__ == "__main__":
    main()
