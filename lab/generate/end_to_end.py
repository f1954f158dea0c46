"""Random projects, recorded and edited: is every test that an edit changes selected?

    scripts/lab end-to-end [--seeds A..B] [--minutes M] [--jobs N] [--edits N] [--report]

Each seed is a CMake project with some thirty tests (make_project.py). It is recorded once by `retest
record`. Then come edits, one at a time, or some on top of each other; after each `retest select` is
asked, and the edited project is built and run without retest (build_project.py). The rules are those of
RTSCheck:

    R1  each test that ends otherwise, or writes something else, is selected; new tests are not skipped
    R2  something is selected if any test changed (R1 says more)
    R3  not every edit of a project selects everything
    R4  edits that change nothing (comments, layout, order, names of locals) select nothing
    R5  neither does the tree as it was recorded
    R6  without a baseline, all tests are selected
    R7  `retest run` fails the tests that fail without it, and no others

Results are kept (default: end-to-end/ below RETEST_LAB), a file for each seed and version of retest; what is
there is not done again. With --minutes, seeds go on from the first that is not known yet. A miss, or another
breach, is kept with the project, the patch and what was selected, is printed, and makes the exit code 1.
"""

import argparse
import concurrent.futures
import itertools
import os
import sys
import time
from pathlib import Path

import seed_report
import seed_results
import seed_summary
from commands import LAB  # of lab/subjects
from projects import version_of
from try_seed import try_seed

ROOT = Path(__file__).resolve().parents[2]


def numbers(text):
    first, _, last = text.partition("..")
    return range(int(first), int(last or first) + 1)


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/lab end-to-end", description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=numbers, metavar="A..B", help="default: with --minutes, from 1 on; else 1")
    parser.add_argument("--minutes", type=float, metavar="M", help="begin no seed after that")
    parser.add_argument("--edits", type=int, default=50, metavar="N", help="of each project")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N")
    parser.add_argument("--results", type=Path, metavar="FILE",
                        help="a line for each seed is added here, and seeds that are there are left out")
    parser.add_argument("--report", action="store_true", help="show what is known, and run nothing")
    parser.add_argument("--retest", type=Path, default=ROOT / "build/release/src/cli/retest", metavar="PATH")
    parser.add_argument("--work", type=Path, default=LAB / "end-to-end", metavar="DIR")
    options = parser.parse_args()
    options.work, options.retest = options.work.resolve(), options.retest.resolve()
    options.version = version_of(options.retest)
    return options


def in_turn(options):
    """Seeds that are not known yet."""
    seeds = options.seeds or (itertools.count(1) if options.minutes else range(1, 2))
    kept = {row["seed"] for row in seed_summary.read(options.results)} if options.results else set()
    return (seed for seed in seeds if seed not in kept and not seed_results.file_of(options, seed).exists())


def run(options):
    until = time.monotonic() + 60 * options.minutes if options.minutes else None
    seeds = in_turn(options)
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        running = set()
        while True:
            while len(running) < options.jobs and not (until and time.monotonic() > until):
                seed = next(seeds, None)
                if seed is None:
                    break
                running.add(pool.submit(try_seed, seed, options))
            if not running:
                return
            done, running = concurrent.futures.wait(running, return_when="FIRST_COMPLETED")
            for future in done:
                seed_report.print_seed(future.result())
                if options.results:
                    seed_summary.add(options.results, future.result(), options.version)


def main():
    options = arguments()
    if not options.report:
        run(options)
    known = seed_results.read_all(options)
    seed_report.print_totals(known, options.version)
    if options.results:
        print()
        return seed_summary.show(options.results)
    return 1 if any(seed_results.breaches(result) for result in known) else 0


if __name__ == "__main__":
    sys.exit(main())
