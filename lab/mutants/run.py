"""Mutants of real projects: every test that one of them changes must be selected.

    scripts/lab mutants PROJECT... [--count N] [--minutes M] [--report]

A project is one of bench/projects, or the directory of a small one (examples/avg). For each mutant, that is
one small change in a function body of a .cpp file:

  - `retest select` is asked in a recorded copy, at each granularity, with nothing built;
  - another copy, without counters, is built with the mutant, and each test runs in a process of its own;
  - each test that ends otherwise than without the mutant, or writes something else, must be selected.

What differs between runs of the project as it is (durations, addresses, ...) is not looked at. A test that
was skipped and seems to have changed runs again, with and without the mutant, before it counts as escaped.

Results are kept (default: mutants/ in the directory of bench/projects), and a run goes on where the last one
has ended: with the next N mutants of each project, in an order that --seed decides. What tests do is known
for good; what is selected is asked again if retest is another one. Exits 1 if a test has escaped.
"""

import argparse
import collections
import difflib
import json
import random
import sys
import time
from pathlib import Path

import report
from outcomes import Baseline
from results import Results
from selections import LEVELS, select, select_all_levels
from tree import BASELINE, LAB, ROOT, Applied, Project, builds, mutated, restore, version_of

AGAIN = 3  # runs of a test that seems to have escaped, with and without the mutant


def in_order(mutants, seed, per_function):
    """Shuffled, kinds in turn, and not more than so many of one function: long tables and long
    functions would be most of them otherwise."""
    mutants = sorted(mutants, key=lambda mutant: mutant["key"])
    random.Random(seed).shuffle(mutants)
    kinds, taken = collections.defaultdict(list), collections.Counter()
    for mutant in mutants:
        taken[mutant["file"], mutant["function"]] += 1
        if taken[mutant["file"], mutant["function"]] <= per_function:
            kinds[mutant["kind"]].append(mutant)
    rounds = max(map(len, kinds.values()), default=0)
    return [kinds[kind][i] for i in range(rounds) for kind in sorted(kinds) if i < len(kinds[kind])]


class Experiment:
    """One project, with all that is needed to try mutants of it."""

    def __init__(self, name, options):
        self.options = options
        self.project = Project(name, options.work)
        self.results = Results(self.project.work / "results.jsonl", self.project.tree)
        self.version = version_of(options.retest)

    def prepare(self):
        project = self.project
        self.say("preparing")
        project.prepare_plain()
        project.prepare_recorded(self.options.retest, self.version)
        self.baseline = Baseline(project.plain, project.work / "scratch", self.listed_tests())
        self.baseline.measure(project.work / f"baseline-{project.tree[:12]}.json", self.options.limit)
        unstable = self.baseline.unstable()
        self.say(f"{len(self.baseline.known)} tests; end differently by themselves: {unstable}")
        if self.baseline.missing:
            sys.exit(f"{project.name}: tests that only retest knows: {self.baseline.missing[:5]}")

    def listed_tests(self):
        """The tests that retest knows. With nothing changed it may select none that was measured."""
        answer = select(self.options.retest, self.project.recorded, BASELINE, "edges",
                        self.project.work / "selection-start.json")
        odd = [test for test in answer["selected"] if test["verdict"] not in ("unmeasured", "failed")]
        if odd or answer["reason"]:
            sys.exit(f"{self.project.name}: selected with nothing changed: {answer['reason'] or odd[:3]}")
        return answer["selected"] + answer["skipped"]

    def say(self, text):
        print(f"{self.project.name}: {text}", file=sys.stderr, flush=True)

    def next_mutants(self):
        """Those of this slice: first what is known but for this version of retest, then new ones.
        File by file, so that each file is compiled again as itself only once."""
        mutants = in_order(self.project.mutants(self.options.mutate), self.options.seed,
                           self.options.per_function)
        todo = [m for m in mutants if self.is_missing(m)]
        known = [m for m in todo if m["key"] in self.results.outcomes]
        new = [m for m in todo if m["key"] not in self.results.outcomes]
        return sorted((known + new[:self.options.count]), key=lambda m: (m["file"], m["begin"]))

    def is_missing(self, mutant):
        outcome = self.results.outcomes.get(mutant["key"])
        if outcome is None:
            return True
        return outcome["compiles"] and (mutant["key"], self.version) not in self.results.selections

    def try_mutant(self, mutant):
        with Applied(self.project.recorded, mutant):
            chosen = select_all_levels(self.options.retest, self.project.recorded, BASELINE,
                                       self.project.work)
        outcome = self.results.outcomes.get(mutant["key"]) or self.outcome_of(mutant)
        if not outcome["compiles"]:
            return outcome, None
        escaped = self.skipped_of(outcome, chosen)
        if escaped:
            outcome = self.without_flaky(mutant, outcome, escaped)
            escaped = self.skipped_of(outcome, chosen)
        wide = [f"{len(missing)} tests selected at {fine} but not at {coarse}, as {sorted(missing)[0]}"
                for fine, coarse in zip(LEVELS, LEVELS[1:])
                if (missing := chosen[fine][0] - chosen[coarse][0])]
        row = {level: chosen[level][1] for level in LEVELS}
        self.results.add(what="selection", mutant=mutant["key"], retest=self.version, escaped=escaped,
                         unordered=wide, **row)
        if escaped:
            self.show_escape(mutant, escaped, outcome)
        return outcome, row

    @staticmethod
    def skipped_of(outcome, chosen):
        return [test for test in outcome["changed"] if test not in chosen["edges"][0]]

    def outcome_of(self, mutant):
        """Builds the project with the mutant and runs all its tests."""
        with Applied(self.project.plain, mutant):
            compiles, _ = builds(self.project.plain)
            changed = self.baseline.differences() if compiles else {}
        self.results.add(what="outcome", mutant=mutant, compiles=compiles, changed=changed, flaky=[])
        return self.results.outcomes[mutant["key"]]

    def without_flaky(self, mutant, outcome, tests):
        """The outcome without those of the tests that do the same in some run, or something else without
        the mutant: their change is not its doing."""
        flaky = set()
        with Applied(self.project.plain, mutant):
            builds(self.project.plain)
            flaky |= {test for test in tests if not all(self.difference(test) for _ in range(AGAIN))}
        builds(self.project.plain)
        flaky |= {test for test in tests if any(self.difference(test) for _ in range(AGAIN))}
        if flaky:
            self.results.add(what="outcome", mutant=mutant, compiles=True,
                             changed={t: how for t, how in outcome["changed"].items() if t not in flaky},
                             flaky=sorted({*outcome["flaky"], *flaky}))
        return self.results.outcomes[mutant["key"]]

    def difference(self, test):
        return self.baseline.difference(test, self.options.limit)

    def show_escape(self, mutant, escaped, outcome):
        """All that it takes to see it again."""
        file = self.project.plain / mutant["file"]
        before = file.read_bytes()
        patch = "".join(difflib.unified_diff(
            *(text.decode("utf-8", "replace").splitlines(True) for text in (before, mutated(before, mutant))),
            f"a/{mutant['file']}", f"b/{mutant['file']}"))
        place = self.project.work / "escapes"
        place.mkdir(exist_ok=True)
        name = f"{Path(mutant['file']).stem}-{mutant['begin']}-{mutant['kind']}"
        (place / f"{name}.patch").write_text(patch)
        print(f"ESCAPED in {self.project.name} ({self.project.tree[:12]}), {self.version}:\n{patch}"
              f"is {place / name}.patch; after `git apply` in {self.project.recorded}\n"
              f"`{self.options.retest} select --base {BASELINE}` skips")
        for test in escaped[:10]:
            command, directory, _ = self.baseline.tests[test]
            print(f"    {test}: {outcome['changed'][test]}; in {directory}: {json.dumps(command)}")
        if len(escaped) > 10:
            print(f"    and {len(escaped) - 10} more")
        sys.stdout.flush()

    def run(self, until):
        self.prepare()
        mutants = self.next_mutants()
        for number, mutant in enumerate(mutants, 1):
            if time.monotonic() > until:
                self.say(f"time is over; {len(mutants) - number + 1} are left for the next run")
                break
            start = time.monotonic()
            outcome, row = self.try_mutant(mutant)
            told = "does not compile" if row is None else (
                f"{len(outcome['changed'])} changed; selected " +
                ", ".join(f"{row[level]['selected']} {level}" for level in LEVELS))
            self.say(f"{number} of {len(mutants)}: {mutant['file']}:{mutant['line']} {mutant['kind']}: {told} "
                     f"({time.monotonic() - start:.1f} s)")
        restore(self.project.plain)
        restore(self.project.recorded)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("projects", nargs="+", metavar="PROJECT")
    parser.add_argument("--count", type=int, default=20, metavar="N", help="new mutants of each project")
    parser.add_argument("--minutes", type=float, default=120, metavar="M", help="begin no mutant after that")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--per-function", type=int, default=6, metavar="N")
    parser.add_argument("--limit", type=float, default=60, metavar="SECONDS",
                        help="for a test of the project as it is")
    parser.add_argument("--report", action="store_true", help="show what is known, and run nothing")
    parser.add_argument("--work", type=Path, default=LAB / "mutants", metavar="DIR")
    parser.add_argument("--bin", type=Path, default=ROOT / "build/release", metavar="DIR",
                        help="the build directory of retest; default: build/release")
    parser.add_argument("--retest", type=Path, help="default: the one in --bin")
    parser.add_argument("--mutate", type=Path, help="default: the one in --bin")
    options = parser.parse_args()
    options.work = options.work.resolve()
    options.retest = (options.retest or options.bin / "src/cli/retest").resolve()
    options.mutate = (options.mutate or options.bin / "lab/mutants/mutate").resolve()
    return options


def main():
    options = arguments()
    until = time.monotonic() + 60 * options.minutes
    experiments = [Experiment(name, options) for name in options.projects]
    for experiment in experiments if not options.report else []:
        experiment.run(until)
    known = {experiment.project.name: experiment.results for experiment in experiments}
    version = experiments[0].version
    report.print_projects(known, version)
    print()
    report.print_remarks(known, version)
    escaped = any(selection["escaped"] for results in known.values()
                  for _, _, selection in results.of(version))
    return 1 if escaped else 0


if __name__ == "__main__":
    sys.exit(main())
