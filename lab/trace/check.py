"""Whether the recorded matrix names each test that crossed an edge, by an independent trace.

    scripts/lab witnesses PROJECT --work DIR [--record OPTIONS]

Needs the trace.json that `scripts/lab trace PROJECT --work DIR` left there. Records a copy of the project with
`retest init` and `retest record`, maps the steps of the trace onto the edges of its graph, and demands
of each test that was measured: what it crossed by the trace, it crossed by the matrix. Fails if not.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

import build
import crossed

ROOT = Path(__file__).resolve().parents[2]


def record(name, work, retest, options):
    """A copy of the project with a baseline; what `retest record` said."""
    copy = work / "recorded"
    build.clone(build.fetch(name), copy)
    cmake = subprocess.run([build.PROJECTS, "--options", name], stdout=subprocess.PIPE, text=True,
                           check=True).stdout.split()
    build.run([retest, "init", "--", "-DCMAKE_BUILD_TYPE=Debug", *cmake], cwd=copy,
              env=build.environment())
    return copy, build.run([retest, "record", *options], cwd=copy)


def missing(by_trace, by_matrix):
    """[(test, function, edge)] that the matrix does not know."""
    found = []
    for test, functions in by_trace.items():
        known = by_matrix.get(test)
        if known is None:  # a plain entry has no binary in the matrix
            known = by_matrix.get("::" + test.partition("::")[2])
        if known is None:
            continue
        for function, edges in functions.items():
            found += [(test, function, edge) for edge in edges
                      if edge not in known.get(function, ())]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("project")
    parser.add_argument("--work", type=Path, required=True, metavar="DIR")
    parser.add_argument("--bin", type=Path, default=ROOT / "build/dev", metavar="DIR",
                        help="the build directory of retest")
    parser.add_argument("--record", default="", metavar="OPTIONS", help="for `retest record`")
    options = parser.parse_args()
    work, binaries = options.work.resolve(), options.bin.resolve()
    retest = binaries / "src/cli/retest"

    copy, said = record(options.project, work, retest, options.record.split())
    print(said, end="")
    graph = json.loads(build.run([retest, "-q", "graph", "--all", "--format", "json"], cwd=copy))
    matrix = json.loads(build.run([binaries / "lab/trace/show_matrix",
                                   copy / "build-retest/.retest/retest.db"]))
    by_trace, report = crossed.crossed_edges(json.loads((work / "trace.json").read_text()), graph)
    crossed.print_report(report)

    measured = {test: functions for test, functions in by_trace.items()
                if test in matrix["tests"] or "::" + test.partition("::")[2] in matrix["tests"]}
    found = missing(measured, matrix["tests"])
    pairs = sum(len(edges) for functions in measured.values() for edges in functions.values())
    print(f"{len(measured)} of {len(by_trace)} traced tests were measured; "
          f"{pairs} pairs of test and edge by the trace, {len(found)} not in the matrix")
    for test, function, edge in found[:50]:
        print(f"  {test}: {function} edge {edge}")
    return 1 if found or not measured else 0


if __name__ == "__main__":
    sys.exit(main())
