"""A queue at several counters, event by event: a heap of (time, kind, customer)."""

import heapq
import math

from pyarray import njit

ARRIVAL, DEPARTURE = 0, 1


@njit
def exponential(state, mean):
    """A random time, and the generator's next state (Park and Miller's)."""
    state = state * 48271 % 2147483647
    return -mean * math.log(state / 2147483647), state


@njit
def event_simulation(customers, counters, between, service, seed):
    """The mean time that customers wait, and the greatest number of them that wait at once.

    Times `between` arrivals and of `service` are exponential, with these means.
    """
    events, waiting = [(0.0, ARRIVAL, 0)], []
    arrived, wait, longest, free = {}, 0.0, 0, counters
    while events:
        now, kind, customer = heapq.heappop(events)
        if kind == ARRIVAL:
            arrived[customer] = now
            waiting.append(customer)
            if customer + 1 < customers:
                delay, seed = exponential(seed, between)
                heapq.heappush(events, (now + delay, ARRIVAL, customer + 1))
        else:
            free += 1
        while free and waiting:
            customer = waiting.pop(0)
            wait += now - arrived.pop(customer)
            free -= 1
            delay, seed = exponential(seed, service)
            heapq.heappush(events, (now + delay, DEPARTURE, customer))
        longest = max(longest, len(waiting))
    return wait / customers, longest


def arguments(size=500):
    """Three counters that are busy for nine tenths of the time."""
    return size, 3, 1.0, 2.7, 1


def reference(customers, counters, between, service, seed):
    """The same in CPython."""
    return event_simulation.py_func(customers, counters, between, service, seed)


def main():
    """Print waiting times, and what Erlang's formula says."""
    for counters in (2, 3, 4):
        wait, longest = event_simulation(200_000, counters, 1.0, 1.8, 1)
        load = 1.8
        last = load**counters / math.factorial(counters) * counters / (counters - load)
        erlang = last / (sum(load**k / math.factorial(k) for k in range(counters)) + last)
        expected = erlang * 1.8 / (counters - load)
        print(f"{counters} counters: wait {wait:.3f} (Erlang: {expected:.3f}), at most {longest} in the queue")


if __name__ == "__main__":
    main()
