"""Signals and threads at the moment that a test is about: waited for, since no time says when it is there.

Programs that the fixture ``run`` starts may import this file.
"""

import os
import signal
import threading
import time


def during_call(function, action):
    """Has ``action(number, frame)`` called by a signal handler while a call in the Python function is under way.

    The main thread is looked at every millisecond, until it is where it was the last time.
    """
    last = None

    def look(number, frame):
        nonlocal last
        if frame.f_code is function.__code__ and frame.f_lasti == last:
            action(number, frame)
            return
        last = frame.f_lasti if frame.f_code is function.__code__ else None
        signal.setitimer(signal.ITIMER_REAL, 0.001)

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, 0.001)


def wait_until(condition):
    """Until the condition holds, which nothing but this process decides."""
    while not condition():
        time.sleep(0.001)


def others_sleep():
    """Whether all other threads of the process, Python's or not, wait for something."""
    for task in os.listdir("/proc/self/task"):
        if int(task) != threading.get_native_id():
            with open(f"/proc/self/task/{task}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] != "S":
                    return False
    return True
