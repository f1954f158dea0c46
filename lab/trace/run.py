"""What each test of a real project really executes, told by marks in its sources.

    scripts/lab trace PROJECT [--tests N] [--skip PATTERN]... [--work DIR] [--output FILE]

Copies a project of bench/projects twice, writes marks into one copy, builds both without coverage or
optimisation, runs each test of both in a process of its own, and writes what the marks told:

    {"steps": [[symbol, file, line, column, what, ...], ...],  (steps.py tells all of it)
     "aliases": {symbol: [symbols of the same code]},
     "tests": {"program::test": [numbers of steps]}, "outcomes": {...}, "skipped": {...}}

Fails if a test ends otherwise with marks than without. Then maps the steps onto the edges of
`retest graph` (crossed.py) and writes them beside it.
"""

import argparse
import fnmatch
import json
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import commands
import copies
import crossed
import suite
from steps import Steps

ROOT = Path(__file__).resolve().parents[2]


def chosen(names, wanted, without):
    """At most so many of them, from all over the list."""
    names = [name for name in names
             if not any(fnmatch.fnmatchcase(name, pattern) for pattern in without)]
    return names if not wanted or wanted >= len(names) else \
        [names[i * len(names) // wanted] for i in range(wanted)]


def run_suites(plain, marked, marks, work, options):
    """(steps, tests, outcomes with marks, those that are others without)"""
    traced, untraced = suite.tests(marked), suite.tests(plain)
    if list(traced) != list(untraced):
        sys.exit(f"with marks there are other tests: {set(traced) ^ set(untraced)}")
    steps, tests, outcomes, differ = Steps(marks), {}, {}, {}
    file = work / "steps"
    scratch = {copy: work / f"scratch-{copy}" for copy in ("marked", "plain")}
    for directory in scratch.values():
        shutil.rmtree(directory, ignore_errors=True)
    for done, name in enumerate(chosen(traced, options.tests, options.skip), 1):
        file.unlink(missing_ok=True)
        outcomes[name] = suite.run_test(traced[name], scratch["marked"], file, options.limit)
        tests[name] = steps.read(file)
        without = suite.run_test(untraced[name], scratch["plain"], None, options.limit)
        if without != outcomes[name]:
            differ[name] = [without, outcomes[name]]
        if sys.stderr.isatty():
            print(f"\r{done} tests", end="", file=sys.stderr)
    return steps, tests, outcomes, differ


def extract(retest, plain, work):
    target = work / "graph.json"
    if not target.exists():
        commands.run([retest, "graph", "--all", "--format", "json", "-p", "build", "-o", target],
                  cwd=plain)
    return json.loads(target.read_text())


def summary(trace, seconds):
    kinds = Counter(step[4].split()[0] for step in trace["steps"])
    per_test = [len(numbers) for numbers in trace["tests"].values()]
    print(f"marks: {trace['marks']}; without one: " +
          ", ".join(f"{count} {reason}" for reason, count in sorted(trace["skipped"].items())))
    print(f"tests: {len(per_test)}, of them not ended well: "
          f"{sum(code != 0 for code in trace['outcomes'].values())}; "
          f"ended otherwise without marks: {len(trace['differ'])}; {seconds:.0f} s")
    for name, codes in trace["differ"].items():
        print(f"  {name}: {codes[0]} without, {codes[1]} with marks")
    print(f"steps: {len(trace['steps'])} distinct (" +
          ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())) +
          f"), {sum(per_test)} in tests")


def trace_project(name, work, options):
    project = commands.fetch(name)
    plain = copies.plain_copy(project, name, work)
    marked = copies.marked_copy(project, name, plain, options.insert_marks, work)
    for copy in (marked, plain):
        commands.build(copy, options.jobs)
    found = json.loads((work / "marks.json").read_text())
    start = time.monotonic()
    steps, tests, outcomes, differ = run_suites(plain, marked, found["marks"], work, options)
    trace = {"steps": steps.steps, "aliases": steps.aliases, "tests": tests, "outcomes": outcomes,
             "differ": differ, "marks": len(found["marks"]), "skipped": found["skipped"]}
    summary(trace, time.monotonic() - start)
    output = options.output or work / "trace.json"
    output.write_text(json.dumps(trace, separators=(",", ":")))
    edges, report = crossed.crossed_edges(trace, extract(options.retest, plain, work))
    crossed.print_report(report)
    output.with_suffix(".edges.json").write_text(json.dumps(edges, separators=(",", ":")))
    return 1 if differ or not all(tests.values()) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("project")
    parser.add_argument("--tests", type=int, metavar="N", help="only N, from all over the suite")
    parser.add_argument("--skip", action="append", default=[], metavar="PATTERN",
                        help="leave out tests (program::test) like this, with * and ?")
    parser.add_argument("--work", type=Path, metavar="DIR",
                        help="keep everything in DIR, and go on with what is there")
    parser.add_argument("--output", type=Path, metavar="FILE", help="default: trace.json in DIR")
    parser.add_argument("--jobs", type=int, default=2, help="for building")
    parser.add_argument("--limit", type=int, default=suite.LIMIT, metavar="SECONDS",
                        help="for one test")
    parser.add_argument("--retest", type=Path, default=ROOT / "build/dev/src/cli/retest")
    parser.add_argument("--insert-marks", type=Path,
                        default=ROOT / "build/dev/lab/trace/insert_marks")
    options = parser.parse_args()
    if not options.work and not options.output:
        parser.error("say where to write: --work or --output")
    options.retest, options.insert_marks = options.retest.resolve(), options.insert_marks.resolve()
    if options.work:
        options.work.mkdir(parents=True, exist_ok=True)
        return trace_project(options.project, options.work.resolve(), options)
    with tempfile.TemporaryDirectory(prefix="retest-trace-") as work:
        return trace_project(options.project, Path(work).resolve(), options)


if __name__ == "__main__":
    sys.exit(main())
