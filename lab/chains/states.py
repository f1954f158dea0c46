"""What all tests of a project do at one version of it: exit code and output of each, run by itself."""

from outcomes import at_level, tests_of
from run_test import run_test


class States:
    """`baseline` (lab/subjects/outcomes.py) knows which part of an output is the same in each run."""

    def __init__(self, baseline):
        self.baseline = baseline

    def now(self):
        """{test: what it does}, in the copy as it is built; nothing of a test that differs by itself."""
        baseline, found = self.baseline, {}
        tests, _ = tests_of(baseline.copy, baseline.listed)
        for name, test in tests.items():
            known = baseline.known[name]
            if known["code"] is not None:
                code, text, _ = run_test(test, baseline.scratch, 2 + 20 * known["seconds"])
                found[name] = code, at_level(text, known["level"])
        return found


def changed(before, after):
    return sorted(name for name in before.keys() & after.keys() if before[name] != after[name])
