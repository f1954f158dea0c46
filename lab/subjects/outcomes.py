"""What each test of a project does: exit code and output, without what differs from run to run."""

import json
import re

import suite
from artefacts import Artefacts
from edits import files_of
from run_test import run_test
from selections import name_of
from together import programs_of, run_together

RUNS = 3  # of the project as it is: what differs between them is not looked at
PATIENCE = 20  # tests that may time out before the others get less time
CODE = (".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".ipp", ".inl", ".inc")


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
        self.copy, self.scratch, self.listed = copy, scratch, listed
        self.tests, self.missing = tests_of(copy, listed)
        self.known, self.together = {}, {}

    def measure(self, file, limit):
        """Runs everything a few times, or takes what an earlier slice has found."""
        self.artefacts = Artefacts(self.copy / "build", self.tests)
        if file.exists():
            known = json.loads(file.read_text())
            if known["alone"].keys() == self.tests.keys():
                self.known, self.together = known["alone"], known["together"]
                return
        runs = {name: [] for name in self.tests}
        for _ in range(RUNS):
            for name, test in self.tests.items():
                runs[name].append(run_test(test, self.scratch, limit))
        self.known = {name: summary(found) for name, found in runs.items()}
        self.together = self._measure_together(limit)
        file.write_text(json.dumps({"alone": self.known, "together": self.together}))

    def _measure_together(self, limit):
        found = {}
        for program, names in programs_of(self.tests).items():
            runs = [run_together(program, names, self.scratch, 10 * limit) for _ in range(RUNS)]
            for name in names:
                if all(name in run for run in runs):
                    found[name] = summary([(0, run[name], 0) for run in runs])
        return found

    def unstable(self):
        return sorted(name for name, known in self.known.items() if known["code"] is None)

    def difference(self, name, limit=None, test=None):
        """How a test ends otherwise now, in words; nothing if it does not."""
        known = self.known[name]
        if known["code"] is None:
            return None
        code, text, _ = run_test(test or self.tests[name], self.scratch,
                                 limit or 2 + 20 * known["seconds"])
        if code != known["code"]:
            return f"exit code {known['code']} -> {code}"
        return None if is_same(text, known) else "output"

    def relinked(self):
        """The tests of which a program or library is another one now."""
        return self.artefacts.relinked()

    def differences(self, relinked, edit, alone):
        """{test: in words} of all tests, in the copy as it is built now. Tests of programs that are the same
        bytes do the same, unless something else than code is edited. With `alone` each test runs in a
        process of its own, even if it did the same in one with the others."""
        tests, concerned = self.tests, set(relinked)
        if not all(file.endswith(CODE) for file in files_of(edit)):
            concerned = set(tests)
        if "replacement" not in edit:  # tests may have gone, or be started in another way
            tests, _ = tests_of(self.copy, self.listed)
            concerned &= tests.keys()
        if not alone:
            concerned -= self._same_together(tests, concerned)
        found, late = {}, 0
        for name in sorted(concerned):
            less = 0.5 + 5 * self.known[name]["seconds"] if late > PATIENCE else None
            how = self.difference(name, less, tests[name])
            if how:
                found[name] = how
                late += how.endswith("time-out")
        return found

    def _same_together(self, tests, concerned):
        """Those that do the same as before if they run in one process."""
        same = set()
        for program, names in programs_of({name: tests[name] for name in concerned}).items():
            usual = sum(self.known[name]["seconds"] for name in names)
            now = run_together(program, names, self.scratch, 2 + 5 * usual)
            same |= {name for name, text in now.items()
                     if name in self.together and is_same(text, self.together[name])}
        return same


def is_same(text, known):
    return at_level(text, known["level"]) == known["output"].encode("latin-1")


def summary(runs):
    codes = {code for code, _, _ in runs}
    for level in ("all", "numbers", "none"):
        texts = {at_level(text, level) for _, text, _ in runs}
        if len(texts) == 1:
            break
    return {"code": codes.pop() if len(codes) == 1 else None, "level": level,
            "output": texts.pop().decode("latin-1"), "seconds": max(s for _, _, s in runs)}
