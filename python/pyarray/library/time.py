"""Clocks, in seconds."""

import time as clocks


def time():
    """Seconds since 1970."""
    return clocks.time_ns() * 1e-9


def perf_counter():
    """Seconds of a clock that never goes back."""
    return clocks.perf_counter_ns() * 1e-9


def monotonic():
    """Seconds of a clock that never goes back."""
    return clocks.monotonic_ns() * 1e-9


def process_time():
    """Seconds that the process has spent on processors."""
    return clocks.process_time_ns() * 1e-9


def thread_time():
    """Seconds that the thread has spent on a processor."""
    return clocks.thread_time_ns() * 1e-9
