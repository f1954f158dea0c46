"""Whether the recorded matrix names each test that crossed an edge, by an independent trace.

    scripts/lab witnesses PROJECT --work DIR [--skip PATTERN]... [--record OPTIONS]

Needs the trace.json that `scripts/lab trace PROJECT --work DIR` left there. Records a copy of the project with
`retest init` and `retest record`, maps the steps of the trace onto the edges of its graph, and demands
of each test that was measured: what it crossed by the trace, it crossed by the matrix. Fails if not.

Counted apart are constexpr functions that a test never entered: without marks the compiler evaluates
them, so that nothing runs, and their values are in the nodes that use them.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import commands
import crossed

ROOT = Path(__file__).resolve().parents[2]
# Edges that only the marked program crosses, with the reason.
EXPLAINED = {
    ("fmt::v9::detail::num_significand_bits<__float128>() -> int", 8):
        "both arms of a ?: are evaluated, since the compiler finds them cheap; marks are seen then",
}


def record(name, work, retest, options):
    """A copy of the project with a baseline; what `retest record` said."""
    copy = work / "recorded"
    commands.clone(commands.fetch(name), copy)
    commands.run([retest, "init", "--", "-DCMAKE_BUILD_TYPE=Debug", *commands.options_of(name)],
                 cwd=copy, env=commands.environment())
    commands.run(["cmake", "--build", copy / "build-retest", "--parallel"])
    commands.leave_out(copy / "build-retest", options.skip)
    scratch = work / "scratch-recorded"  # the same as in the trace: empty at first, then shared
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    return copy, commands.run([retest, "record", "--no-build", *options.record.split()], cwd=copy,
                           env={**os.environ, "TEST_TMPDIR": str(scratch), "TMPDIR": str(scratch)})


def known_of(by_matrix, test):
    """What the matrix says of a test; a plain entry has no binary there."""
    return by_matrix.get(test) or by_matrix.get("::" + test.partition("::")[2], {})


def missing(by_trace, by_matrix):
    """[(test, function, edge)] that the matrix does not know."""
    found = []
    for test, functions in by_trace.items():
        known = known_of(by_matrix, test)
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
    parser.add_argument("--skip", action="append", default=[], metavar="PATTERN",
                        help="leave out entries of CTest like this, with *")
    options = parser.parse_args()
    work, binaries = options.work.resolve(), options.bin.resolve()
    retest = binaries / "src/cli/retest"

    copy, said = record(options.project, work, retest, options)
    print(said, end="")
    graph = json.loads(commands.run([retest, "-q", "graph", "--all", "--format", "json"], cwd=copy))
    matrix = json.loads(commands.run([binaries / "lab/trace/show_matrix",
                                   copy / "build-retest/.retest/retest.db"]))
    by_trace, report = crossed.crossed_edges(json.loads((work / "trace.json").read_text()), graph)
    crossed.print_report(report)

    measured = {test: functions for test, functions in by_trace.items()
                if test in matrix["tests"] or "::" + test.partition("::")[2] in matrix["tests"]}
    constexpr = {function["name"] for function in graph["functions"]
                 if "constexpr" in function.get("flags", [])}
    found, evaluated = [], 0
    for test, function, edge in missing(measured, matrix["tests"]):
        if (function, edge) in EXPLAINED:
            print(f"  explained: {test}: {function} edge {edge}: {EXPLAINED[function, edge]}")
        elif function in constexpr and function not in known_of(matrix["tests"], test):
            evaluated += 1
        else:
            found.append((test, function, edge))
    pairs = sum(len(edges) for functions in measured.values() for edges in functions.values())
    print(f"{len(measured)} of {len(by_trace)} traced tests were measured; "
          f"{pairs} pairs of test and edge by the trace, {len(found)} not in the matrix; "
          f"{evaluated} more in constexpr functions that the test never entered")
    for test, function, edge in found[:50]:
        print(f"  {test}: {function} edge {edge}")
    return 1 if found or not measured else 0


if __name__ == "__main__":
    sys.exit(main())
