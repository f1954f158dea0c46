"""What each test of a project does: exit code and output, without what differs from run to run."""

import json
import math
import os
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "trace"))
import suite  # noqa: E402
from selections import name_of  # noqa: E402

RUNS = 3  # of the project as it is: what differs between them is not looked at
MEMORY = 4 << 30
FILE = 64 << 20
OUTPUT = 1 << 20
WAIT = 10  # times as long as it may compute, for a machine that has other things to do
NOISE = [(re.compile(rb"0x[0-9a-f]{4,}"), b"ADDRESS"),
         (re.compile(rb"\b\d+(\.\d+)? ?(ns|us|ms|s|sec|secs|seconds)\b"), b"TIME")]
PATIENCE = 20  # tests that may time out before the others get less time


def limit_resources(seconds):
    """In the child: a mutant may ask for all memory there is, or compute or write for ever."""
    cpu = math.ceil(seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE, FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run_test(test, scratch, limit):
    """(exit code, negative for a signal, or "time-out"; output; seconds). `limit` is processor time of each
    process: how long a test waits for a busy machine says nothing about a mutant."""
    command, directory, variables = test
    scratch.mkdir(parents=True, exist_ok=True)
    variables = {**os.environ, "TEST_TMPDIR": str(scratch), "TMPDIR": str(scratch), **variables}
    start = time.monotonic()
    with open(scratch.with_suffix(".output"), "w+b") as output:
        process = subprocess.Popen(command, cwd=directory, env=variables, stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
                                   preexec_fn=lambda: limit_resources(limit))
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
        text = output.read(OUTPUT)
    for pattern, name in NOISE:
        text = pattern.sub(name, text)
    return code, text.replace(str(scratch).encode(), b"SCRATCH"), time.monotonic() - start


def at_level(text, level):
    """As much of an output as is the same in each run: all, all but numbers, nothing."""
    if level == "numbers":
        return re.sub(rb"\d+", b"N", text)
    return text if level == "all" else b""


def tests_of(copy, listed):
    """{name: (command, directory, variables)} for tests as retest lists them: those of a program, found
    by asking it ourselves, or entries of CTest as they are. The second value names those not found."""
    native = suite.tests(copy)
    entries = {name: entry for name, *entry in suite.ctest_entries(copy / "build")}
    found = {}
    for test in listed:
        name = name_of(test)
        known = native.get(name) if test["framework"] != "ctest" else entries.get(test["name"])
        if known:
            found[name] = tuple(known)
    return found, sorted({name_of(test) for test in listed} - found.keys())


class Baseline:
    """What the tests do in the project as it is."""

    def __init__(self, copy, scratch, listed):
        self.copy, self.scratch = copy, scratch
        self.tests, self.missing = tests_of(copy, listed)
        self.known = {}

    def measure(self, file, limit):
        """Runs everything a few times, or takes what an earlier slice has found."""
        if file.exists():
            self.known = json.loads(file.read_text())
            if self.known.keys() == self.tests.keys():
                return
        runs = {name: [] for name in self.tests}
        for _ in range(RUNS):
            for name, test in self.tests.items():
                runs[name].append(run_test(test, self.scratch, limit))
        self.known = {name: summary(found) for name, found in runs.items()}
        file.write_text(json.dumps(self.known))

    def unstable(self):
        return sorted(name for name, known in self.known.items() if known["code"] is None)

    def difference(self, name, limit=None):
        """How a test ends otherwise now, in words; nothing if it does not."""
        known = self.known[name]
        if known["code"] is None:
            return None
        code, text, _ = run_test(self.tests[name], self.scratch,
                                 limit or 2 + 20 * known["seconds"])
        if code != known["code"]:
            return f"exit code {known['code']} -> {code}"
        if at_level(text, known["level"]) != known["output"].encode("latin-1"):
            return "output"
        return None

    def differences(self):
        """{test: in words}, of all tests."""
        found, late = {}, 0
        for name, known in self.known.items():
            less = 0.5 + 5 * known["seconds"] if late > PATIENCE else None
            how = self.difference(name, less)
            if how:
                found[name] = how
                late += how.endswith("time-out")
        return found


def summary(runs):
    codes = {code for code, _, _ in runs}
    for level in ("all", "numbers", "none"):
        texts = {at_level(text, level) for _, text, _ in runs}
        if len(texts) == 1:
            break
    return {"code": codes.pop() if len(codes) == 1 else None, "level": level,
            "output": texts.pop().decode("latin-1"), "seconds": max(s for _, _, s in runs)}
