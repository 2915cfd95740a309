"""Runs what may crash or never end in a process of its own, with a limit of time and one of memory."""

import faulthandler
import os
import pickle
import resource
import select
import signal
import subprocess
import tempfile
import time

MEMORY = 6 << 30  # bytes of address space


def limit_memory(size=MEMORY):
    """Limits this process; a crash leaves no core file. AddressSanitizer, which needs address space, does it itself."""
    if "ASAN_OPTIONS" not in os.environ:
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def died(status):
    """Words for how a process ended that did not end by itself."""
    return f"killed by {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"


def _processor_time(pid):
    """How many seconds a process has computed, and whether it would go on if a processor were free."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), fields[0] == "R"


def call(function, *arguments, seconds=30, memory=MEMORY):
    """("done", result), ("hung", text) or ("died", text) of function(*arguments) in a forked process.

    A process that computes has `seconds` of processor time, one that waits as much by the clock. The text of a death
    ends with what the process wrote to standard error. The result must be picklable.
    """
    reader, writer = os.pipe()
    with tempfile.TemporaryFile() as errors:
        child = os.fork()
        if child == 0:
            _child(function, arguments, writer, errors.fileno(), memory)
        os.close(writer)
        data, used, end = b"", 0, time.monotonic() + seconds
        while True:
            if select.select([reader], [], [], max(0, end - time.monotonic()))[0]:
                part = os.read(reader, 1 << 16)
                data += part
                if part:
                    continue
                break
            before, (used, runs) = used, _processor_time(child)
            if used < seconds and (runs or before < used):  # others keep it from going on
                end = time.monotonic() + 1
                continue
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            os.close(reader)
            return "hung", f"still running after {seconds} s"
        os.close(reader)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status == 0:
            return "done", pickle.loads(data)
        errors.seek(0)
        return "died", f"{died(status)}\n{errors.read().decode(errors='replace')[-2000:]}"


def _child(function, arguments, writer, errors, memory):
    status = 70
    try:
        os.dup2(errors, 2)
        faulthandler.enable(2)
        limit_memory(memory)
        data = pickle.dumps(function(*arguments))
        while data:
            data = data[os.write(writer, data) :]
        status = 0
    except BaseException as error:
        os.write(2, f"{type(error).__name__}: {error}\n".encode(errors="replace"))
    finally:
        os._exit(status)


def command(arguments, seconds=30, memory=MEMORY):
    """The same of a program: ("done", (exit status, standard error)), ("hung", text) or ("died", text)."""
    try:
        done = subprocess.run(
            arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=seconds,
            preexec_fn=lambda: limit_memory(memory),
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "hung", f"still running after {seconds} s"
    errors = done.stderr.decode(errors="replace")
    return ("died", f"{died(done.returncode)}\n{errors[-2000:]}") if done.returncode < 0 else (
        "done", (done.returncode, errors))  # fmt: skip
