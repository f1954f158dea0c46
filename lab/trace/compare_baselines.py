"""Whether two baselines of a store tell the same of each test, edge by edge.

    lab/trace/compare_baselines.py STORE A B [--bin DIR]

It is for recordings of the same program in two ways: `retest record --name a` forks the tests from one process,
`retest record --no-fork --name b` starts a process for each. Both have to charge each test with the same entries and
edges of functions, and the same objects made. Prints how much was compared and each difference; fails if there are any.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def matrix_of(show_matrix, store, baseline):
    return json.loads(subprocess.run([show_matrix, "--all", store, baseline],
                                     stdout=subprocess.PIPE, check=True).stdout)


def differing_tests(a, b, names):
    """[text] for tests that only one of the two measured."""
    found = []
    for test in sorted({*a["tests"], *b["tests"], *a["unmeasured"], *b["unmeasured"]}):
        for matrix, other, name, other_name in [(a, b, *names), (b, a, *reversed(names))]:
            if test in matrix["tests"] and test not in other["tests"]:
                why = other["unmeasured"].get(test, "it is not there")
                found.append(f"{test}: measured in {name}, not in {other_name}: {why}")
            elif test in matrix["unmeasured"] and test not in other["tests"] \
                    and test not in other["unmeasured"]:
                found.append(f"{test}: only in {name}, and unmeasured there")
    return found


def differing_edges(a, b):
    """[(function, edges only in a, edges only in b)] of one test."""
    found = []
    for function in sorted({*a, *b}):
        left, right = set(a.get(function, ())), set(b.get(function, ()))
        if left != right:
            found.append((function, sorted(left - right), sorted(right - left)))
    return found


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
    common = sorted(a["tests"].keys() & b["tests"].keys())
    equal = pairs = 0
    for test in common:
        left, right = a["tests"][test], b["tests"][test]
        pairs += sum(len({*left.get(function, ()), *right.get(function, ())})
                     for function in {*left, *right})
        different = differing_edges(left, right)
        equal += not different
        problems += [f"{test}: {function}: only in {options.a} {only_a}, only in {options.b} {only_b}"
                     for function, only_a, only_b in different]
    unmeasured = a["unmeasured"].keys() & b["unmeasured"].keys()
    print(f"{len(common)} tests compared, {pairs} pairs of test and edge; {equal} tests are equal; "
          f"{len(unmeasured)} unmeasured in both; {len(problems)} differences")
    for problem in problems:
        print(f"  {problem}")
    return 1 if problems or not common else 0


if __name__ == "__main__":
    sys.exit(main())
