"""Whether two baselines of a store tell the same of each test, edge by edge.

    lab/trace/compare_baselines.py STORE A B [--bin DIR]

It is for recordings of the same program in two ways: `retest record --name a` forks the tests from one process,
`retest record --no-fork --name b` starts a process for each. Both have to charge each test with the same entries and
edges of functions, and the same objects made. Prints how much was compared and each difference; fails if there are any.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "lab/subjects"))

from matrices import differences, matrix_of, measured_in_both  # noqa: E402


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
    pairs, equal, problems = differences(a, b, (options.a, options.b))
    unmeasured = a["unmeasured"].keys() & b["unmeasured"].keys()
    compared = measured_in_both(a, b)
    print(f"{len(compared)} tests compared, {pairs} pairs of test and edge; {equal} tests are equal; "
          f"{len(unmeasured)} unmeasured in both; {len(problems)} differences")
    for problem in problems:
        print(f"  {problem}")
    return 1 if problems or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
