"""Running one test in a process of its own: how it ends and what it writes, without what is noise."""

import hashlib
import math
import os
import re
import resource
import signal
import subprocess
import time

MEMORY = 4 << 30
FILE = 64 << 20
OUTPUT = 1 << 20
WAIT = 10  # times as long as it may compute, for a machine that has other things to do
NOISE = [(re.compile(rb"0x[0-9a-f]{4,}"), b"ADDRESS"),
         (re.compile(rb"\b\d+(\.\d+)? ?(ns|us|ms|s|sec|secs|seconds)\b"), b"TIME"),
         # How many tests doctest has that were not asked for.
         (re.compile(rb"\| *\d+ skipped"), b"| N skipped"),
         # Where an assertion stands and how long its line is: edits move lines, and change nothing by that.
         (re.compile(rb"(\.(?:c|cc|cpp|cxx|h|hh|hpp)[:(])\d+(:\d+)?"), rb"\1LINE")]


def noise_version():
    """Of what is left out: outputs that were kept are compared only with such as were treated in the same way."""
    return hashlib.sha256(repr([(pattern.pattern, name) for pattern, name in NOISE]).encode()).hexdigest()[:8]


def limit_resources(process, seconds):
    """A mutant may ask for all memory there is, or compute or write for ever."""
    cpu = math.ceil(seconds)
    try:
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (cpu, cpu + 1))
        resource.prlimit(process.pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (FILE, FILE))
        resource.prlimit(process.pid, resource.RLIMIT_CORE, (0, 0))
    except (ProcessLookupError, PermissionError):
        pass  # it has ended


def without_noise(text, scratch):
    for pattern, name in NOISE:
        text = pattern.sub(name, text)
    return text.replace(str(scratch).encode(), b"SCRATCH")


def run_test(test, scratch, limit, most=OUTPUT):
    """(exit code, negative for a signal, or "time-out"; output; seconds). `limit` is processor time of each
    process: how long a test waits for a busy machine says nothing about an edit."""
    command, directory, variables = test
    scratch.mkdir(parents=True, exist_ok=True)
    variables = {**os.environ, "TEST_TMPDIR": str(scratch), "TMPDIR": str(scratch), **variables}
    start = time.monotonic()
    with open(scratch.with_suffix(".output"), "w+b") as output:
        try:
            process = subprocess.Popen(command, cwd=directory, env=variables, stdin=subprocess.DEVNULL,
                                       stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
        except OSError as error:  # the program is gone, say
            return "not started", str(error.strerror).encode(), 0
        limit_resources(process, limit)
        try:
            code = process.wait(timeout=WAIT * limit)
        except subprocess.TimeoutExpired:
            code = "time-out"
        if code == -signal.SIGXCPU:
            code = "time-out"
        try:
            os.killpg(process.pid, signal.SIGKILL)  # also what it has left behind
        except ProcessLookupError:
            pass
        process.wait()
        output.seek(0)
        text = output.read(most)
    return code, without_noise(text, scratch), time.monotonic() - start
