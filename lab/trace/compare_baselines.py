"""Whether two baselines of a store tell the same of each test, edge by edge.

    lab/trace/compare_baselines.py STORE A B [--bin DIR]

It is for recordings of the same program in two ways: `retest record --name a` forks the tests from one process,
`retest record --no-fork --name b` starts a process for each. Both have to charge each test with the same entries and
edges of functions, and the same objects made. Prints how much was compared and each difference; fails if there are any.
"""

import argparse
import collections
import itertools
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def matrix_of(show_matrix, store, baseline):
    return json.loads(subprocess.run([show_matrix, "--all", store, baseline],
                                     stdout=subprocess.PIPE, check=True).stdout)


def differing_tests(a, b, names):
    """[text] for tests that only one of the two has or measured."""
    found = []
    for test in sorted({*a["tests"], *b["tests"]}):
        for matrix, other, name, other_name in [(a, b, *names), (b, a, *reversed(names))]:
            if test not in other["tests"]:
                found.append(f"{test}: only in {name}")
            elif test in other["unmeasured"] and test not in matrix["unmeasured"]:
                why = other["unmeasured"][test]
                found.append(f"{test}: measured in {name}, not in {other_name}: {why}")
    return found


def rows_of(matrix):
    """By name, and by how many had that name before: the classes of entry and edges."""
    rows, seen = {}, collections.Counter()
    for name, classes in matrix["rows"]:
        rows[name, seen[name]] = classes
        seen[name] += 1
    return rows


class Sets:
    """The common tests of two classes. Most probes share their classes with many others."""

    def __init__(self, a, b, common):
        self.classes = [[{matrix["tests"][number] for number in numbers} & common
                         for numbers in matrix["classes"]] for matrix in (a, b)]
        self.known = {}

    def compare(self, left, right):
        """How many tests are in any of the two; those only in the left, only in the right one."""
        if (left, right) not in self.known:
            a, b = self.classes[0][left], self.classes[1][right]
            self.known[left, right] = len(a | b), a - b, b - a
        return self.known[left, right]


def differing_edges(a, b, common):
    """How many pairs were compared; {(test, function): (edges only in a, edges only in b)}."""
    sets = Sets(a, b, common)
    left, right = rows_of(a), rows_of(b)
    pairs, found = 0, collections.defaultdict(lambda: ([], []))
    for name in sorted({*left, *right}):
        probes = itertools.zip_longest(left.get(name, []), right.get(name, []), fillvalue=0)
        for place, (class_a, class_b) in enumerate(probes):
            count, *only = sets.compare(class_a, class_b)
            pairs += count
            for side, tests in enumerate(only):
                for test in tests:
                    found[test, name[0]][side].append(place - 1 if place else "entry")
    return pairs, found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("--bin", type=Path, default=ROOT / "build/dev", metavar="DIR",
                        help="the build directory of retest")
    options = parser.parse_args()
    a, b = (matrix_of(options.bin / "lab/trace/show_matrix", options.store, name)
            for name in (options.a, options.b))

    problems = differing_tests(a, b, (options.a, options.b))
    common = ({*a["tests"]} - a["unmeasured"].keys()) & ({*b["tests"]} - b["unmeasured"].keys())
    pairs, found = differing_edges(a, b, common)
    problems += [f"{test}: {function}: only in {options.a} {only_a}, only in {options.b} {only_b}"
                 for (test, function), (only_a, only_b) in sorted(found.items())]
    equal = len(common) - len({test for test, _ in found})
    unmeasured = a["unmeasured"].keys() & b["unmeasured"].keys()
    print(f"{len(common)} tests compared, {pairs} pairs of test and edge; {equal} tests are equal; "
          f"{len(unmeasured)} unmeasured in both; {len(problems)} differences")
    for problem in problems:
        print(f"  {problem}")
    return 1 if problems or not common else 0


if __name__ == "__main__":
    sys.exit(main())
