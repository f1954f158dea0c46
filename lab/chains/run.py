"""Chains of edits, each followed by `retest run`: what is carried forward must be what a recording would say.

    scripts/lab chains PROJECT... [--count CHAINS] [--length STEPS] [--minutes M] [--report]

In a recorded copy of a project an edit is made and committed, and `retest run` selects, builds, runs and moves the
baseline; then the next edit. After each step

  - every test that does something else than before the step was selected: a third copy, without counters, tells
    what all tests do;
  - the matrix that the run has stored, of which most was carried over from step to step, equals that of a
    recording of the same sources from nothing, in a copy of its own: test by test, edge by edge.

Exits 1 if a test was missed or a matrix differs.
"""

import argparse
import json
import shutil
import subprocess
import sys
import time

import chain_report
from commands import ROOT, clone, environment, run
from edits import Applied, builds
from experiment import Experiment, parser, read_options
from matrices import differences, matrix_of
from mutants import in_order, list_mutants
from projects import BASELINE, restore
from selections import names_of, select
from states import States, changed
from steps import Steps


class Chains:
    def __init__(self, name, options):
        self.experiment = Experiment("chains", name, options)
        self.project, self.options = self.experiment.project, options
        self.fresh = self.project.work / "fresh"
        self.say, self.version = self.experiment.say, self.experiment.version
        self.rows = chain_report.rows_of(self.experiment.results.file)

    def prepare(self):
        self.experiment.prepare()
        self.states = States(self.experiment.baseline)
        self.mutants = in_order(list_mutants(self.project, self.options.mutate), 1, 6)
        recorded = self.project.recorded / "build-retest/.retest"
        self.saved = self.project.work / "saved-store"
        shutil.rmtree(self.saved, ignore_errors=True)
        shutil.copytree(recorded, self.saved)
        clone(self.project.origin, self.fresh)
        run([self.options.retest, "init", "--", "-DCMAKE_BUILD_TYPE=Debug", *self.project.options], cwd=self.fresh,
            env=environment())

    def run_chain(self, number, until):
        """False if time is over."""
        self.restart()
        steps, before, length = Steps(self.mutants, number), self.states.now(), 0
        applied = {}
        while length < self.options.length:
            if time.monotonic() > until:
                return False
            how, edit = steps.next()
            start = time.monotonic()
            self.change(applied, how, edit)
            if not builds(self.project.plain)[0]:
                self.change(applied, "removes", edit)
                continue
            steps.done(how, edit)
            length += 1
            after = self.states.now()
            row = self.step(number, length, how, edit, changed(before, after))
            before = after
            self.say(f"chain {number}, step {length}: {how} {edit['file']}:{edit['line']} {edit['kind']}: "
                     f"{row['changed']} changed, {row['selected']} of {row['total']} selected, "
                     f"{len(row['missed'])} missed, {row['pairs']} pairs, {row['differences']} differ "
                     f"({time.monotonic() - start:.1f} s)")
        return True

    def restart(self):
        for copy in (self.project.plain, self.project.recorded, self.fresh):
            run(["git", "checkout", "-q", "--detach", "origin/HEAD"], cwd=copy)
            restore(copy)
        builds(self.project.plain)
        store = self.project.recorded / "build-retest/.retest"
        shutil.rmtree(store)
        shutil.copytree(self.saved, store)

    def change(self, applied, how, edit):
        """Makes or takes back an edit in all copies."""
        for copy in (self.project.plain, self.project.recorded, self.fresh):
            if how == "adds":
                applied[copy, edit["key"]] = Applied(copy, edit)
                applied[copy, edit["key"]].__enter__()
            else:
                applied.pop((copy, edit["key"])).__exit__()

    def step(self, chain, number, how, edit, changed_tests):
        recorded = self.project.recorded
        run(["git", "-c", "user.name=lab", "-c", "user.email=lab@localhost", "commit", "-qam", f"step {number}"],
            cwd=recorded)
        answer = select(self.options.retest, recorded, "HEAD", "edges", self.project.work / "selection.json")
        skipped = names_of(answer["skipped"])
        subprocess.run([self.options.retest, "-q", "run"], cwd=recorded, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT)
        run([self.options.retest, "record", "--name", BASELINE], cwd=self.fresh)
        commit = run(["git", "rev-parse", "HEAD"], cwd=recorded).strip()
        carried = self.matrix(recorded, commit)
        pairs, _, differ = differences(carried, self.matrix(self.fresh, BASELINE))
        row = {"chain": chain, "step": number, "retest": self.version, "how": how, "file": edit["file"],
               "line": edit["line"], "kind": edit["kind"], "changed": len(changed_tests),
               "missed": [test for test in changed_tests if test in skipped],
               "selected": len(answer["selected"]), "total": answer["total"], "reason": answer["reason"],
               "pairs": pairs, "differences": len(differ)}
        self.add(row)
        for text in [f"MISSED: {test}" for test in row["missed"]] + differ[:20]:
            print(f"{self.project.name}: chain {chain}, step {number}: {text}", flush=True)
        return row

    def matrix(self, copy, baseline):
        return matrix_of(self.options.bin / "lab/trace/show_matrix",
                         copy / "build-retest/.retest/retest.db", baseline)

    def add(self, row):
        file = self.experiment.results.file
        file.parent.mkdir(parents=True, exist_ok=True)
        with open(file, "a") as out:
            out.write(json.dumps(row, separators=(",", ":")) + "\n")
        self.rows.append(row)

    def done(self):
        """Numbers of the chains that were gone through."""
        return {row["chain"] for row in self.rows if row["step"] == self.options.length}


def main():
    made = parser(__doc__)
    made.add_argument("--length", type=int, default=20, metavar="STEPS")
    made.add_argument("--mutate", type=ROOT.__class__, help=argparse.SUPPRESS)
    options = read_options(made)
    options.mutate = (options.mutate or options.bin / "lab/mutants/mutate").resolve()
    until = time.monotonic() + 60 * options.minutes
    all_chains = [Chains(name, options) for name in options.projects]
    for chains in all_chains if not options.report else []:
        chains.prepare()
        numbers = (number for number in range(1, 10**6) if number not in chains.done())
        for _ in range(options.count):
            if not chains.run_chain(next(numbers), until):
                break
    return chain_report.show({chains.project.name: chains.rows for chains in all_chains})


if __name__ == "__main__":
    sys.exit(main())
