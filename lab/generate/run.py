"""Random programs and edits: does every execution that changed cross a dangerous edge?

    scripts/lab generate [--seeds A..B] [--retest PATH] [--jobs N] [--misses DIR]

Each seed is a program; it is built and run once on each of its inputs, with a trace. Then come edited
versions of it: built, run on the same inputs, and compared with `retest diff`. An input whose output
or exit status differs, and whose trace crosses no dangerous edge, is a miss. Misses are written to
DIR, one directory for each, with both versions, the trace and the delta; their seed makes them again.
"""

import argparse
import concurrent.futures
import os
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

import pairs

ROOT = Path(__file__).resolve().parents[2]
TRIES = 3  # for an edit that leaves no program


def keep(result, work, misses):
    """Copies what shows a miss."""
    target = misses / f"seed-{result['seed']}-{result['edit']}"
    if target.exists():
        shutil.rmtree(target)
    target.mkdir(parents=True)
    for name in ("baseline", "current"):
        shutil.copytree(work / name, target / name, ignore=shutil.ignore_patterns("build"))
    for path in [work / "delta.json", *work.glob("trace.*")]:
        shutil.copy(path, target)
    (target / "miss.txt").write_text(f"edits: {' '.join(result['edits'])}\n"
                                     f"inputs missed: {' '.join(result['missed'])}\n")
    return target


def run_seed(seed, retest, misses):
    """All pairs of one seed, as a list of results; a string where something else went wrong."""
    results = []
    work = Path(tempfile.mkdtemp(prefix="retest-generate-"))
    try:
        baseline = pairs.Baseline(seed, pairs.Retest(retest), work)
        for number in range(0, pairs.EDITS_OF_EACH * TRIES, TRIES):
            for attempt in range(TRIES):
                result = baseline.compare(number + attempt)
                if result:
                    break
            if result:
                results.append(result)
                if result["missed"]:
                    result["kept"] = str(keep(result, work, misses))
    except pairs.DoesNotCompile as error:
        results.append(f"seed {seed}: the generated program does not compile: {error}")
    except Exception:
        results.append(f"seed {seed}: {traceback.format_exc()}")
    finally:
        shutil.rmtree(work)
    return results


class Totals:
    def __init__(self):
        self.pairs, self.counts, self.missed, self.failed = 0, Counter(), [], []
        self.edits, self.start = Counter(), time.monotonic()

    def add(self, results):
        for result in results:
            if isinstance(result, str):
                self.failed.append(result)
                print(result, flush=True)
                continue
            self.pairs += 1
            for key in ("inputs", "changed", "selected", "guessed"):
                self.counts[key] += result[key]
            self.edits.update(name for name in result["edits"] if result["changed"])
            if result["missed"]:
                self.missed.append(result)
                print(f"MISS seed {result['seed']}, edit {result['edit']} "
                      f"({', '.join(result['edits'])}): inputs {' '.join(result['missed'])}; "
                      f"{result['kept']}", flush=True)

    def report(self):
        minutes = (time.monotonic() - self.start) / 60
        counts = self.counts
        print(f"{self.pairs} pairs, {self.pairs / minutes:.0f} a minute; {counts['inputs']} "
              f"executions of both versions, {counts['changed']} behave differently, "
              f"{counts['selected']} cross a dangerous edge")
        print(f"edits that changed behaviour: " + ", ".join(
            f"{name} {count}" for name, count in sorted(self.edits.items())))
        if counts["guessed"]:
            print(f"{counts['guessed']} of those that differ were judged by a function without marks "
                  "and without known callers")
        print(f"{len(self.missed)} pairs with a miss, {len(self.failed)} seeds failed")
        return 1 if self.missed or self.failed else 0


def seeds(text):
    first, _, last = text.partition("..")
    return range(int(first), int(last or first) + 1)


def main():
    parser = argparse.ArgumentParser(prog="scripts/lab generate", description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=seeds, default=seeds("1..350"), metavar="A..B",
                        help="default 1..350: more than 2,000 pairs")
    parser.add_argument("--retest", type=Path, default=ROOT / "build/dev/src/cli/retest")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--misses", type=Path, default=ROOT / "build/lab/misses", metavar="DIR")
    options = parser.parse_args()
    totals, retest = Totals(), options.retest.resolve()
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        runs = [pool.submit(run_seed, seed, retest, options.misses) for seed in options.seeds]
        for run in concurrent.futures.as_completed(runs):
            totals.add(run.result())
    return totals.report()


if __name__ == "__main__":
    sys.exit(main())
