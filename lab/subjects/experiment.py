"""Makes edits in a real project and checks that every test which one of them changes is selected.

For each edit `retest select` is asked in a recorded copy, at each granularity, with nothing built. Another copy,
without counters, is built with the edit, and its tests run (outcomes.py). A test that was skipped and seems to have
changed runs again, with and without the edit, before it counts as escaped.
"""

import argparse
import functools
import json
import random
import sys
import time
from pathlib import Path

import adapters
from commands import LAB, ROOT, run
from edits import Applied, builds, patch_of
from matrices import matrix_of
from outcomes import Baseline
from projects import BASELINE, Project, restore, version_of
from results import Results
from run_test import noise_version
from selections import LEVELS, select, select_all_levels

AGAIN = 3  # runs of a test that seems to have escaped, with and without the edit
ALONE = 10  # of so many edits, one is tried with each test in a process of its own


class Experiment:
    """One project, with all that is needed to try edits of it. `kind` is the name of the experiment."""

    def __init__(self, kind, name, options):
        self.options = options
        self.project = Project(name, options.work / kind)
        place = options.results / kind if options.results else self.project.work
        self.results = Results(place / f"{self.project.name}.jsonl", self.project.tree)
        self.version = version_of(options.retest)

    def prepare(self):
        project = self.project
        self.say("preparing")
        project.prepare_plain()
        project.prepare_recorded(self.options.retest, self.version)
        self.baseline = Baseline(project.plain, project.work / "scratch", self.listed_tests())
        self.baseline.measure(project.work / f"baseline-{project.tree[:12]}-{noise_version()}.json", self.options.limit)
        unstable = self.baseline.unstable()
        self.say(f"{len(self.baseline.known)} tests; end differently by themselves: {unstable}")
        if self.baseline.missing:
            sys.exit(f"{project.name}: tests that only retest knows: {self.baseline.missing[:5]}")
        self.results.use_tests(self.baseline.tests)

    def listed_tests(self):
        """The tests that retest knows. With nothing changed it should select none that was measured, but for those
        whose files other tests change in each run."""
        answer = select(self.options.retest, self.project.recorded, BASELINE, "edges",
                        self.project.work / "selection-start.json")
        odd = [test for test in answer["selected"] if test["verdict"] not in ("unmeasured", "failed")]
        by_files = [test for test in odd if all(reason["rule"] in ("file", "writer") for reason in test["reasons"])]
        if answer["reason"] or len(by_files) != len(odd):
            sys.exit(f"{self.project.name}: selected with nothing changed: {answer['reason'] or odd[:3]}")
        if odd:
            self.say(f"{len(odd)} tests are selected whatever changes, by files: {odd[0]['reasons'][0]['text']}")
        return answer["selected"] + answer["skipped"]

    def say(self, text):
        print(f"{self.project.name}: {text}", file=sys.stderr, flush=True)

    def run(self, edits, until):
        """Tries what is not known yet: first edits that only this version of retest was not asked about, then
        `--count` new ones. File by file, so that each file is compiled again as itself only once."""
        todo = [edit for edit in edits if self.is_missing(edit)]
        known = [edit for edit in todo if edit["key"] in self.results.outcomes]
        new = [edit for edit in todo if edit["key"] not in self.results.outcomes]
        known = [edit for edit in known if edit["key"] not in self.results.selections or self.is_asked_again(edit)]
        some = sorted(known + new[:self.options.count], key=lambda edit: (edit["file"], edit["key"]))
        for number, edit in enumerate(some, 1):
            if time.monotonic() > until:
                self.say(f"time is over; {len(some) - number + 1} are left for the next run")
                break
            start = time.monotonic()
            told = self.try_edit(edit)
            self.say(f"{number} of {len(some)}: {edit['file']}:{edit['line']} {edit['kind']}: {told} "
                     f"({time.monotonic() - start:.1f} s)")
        restore(self.project.plain)
        restore(self.project.recorded)

    def is_asked_again(self, edit):
        """Whether this version of retest is to be asked what another one was: all edits of some kinds, and a share
        of the others."""
        return edit["kind"] in self.options.again_kinds or \
            random.Random(f"{self.version} {edit['key']}").random() < self.options.again

    def is_missing(self, edit):
        outcome = self.results.outcomes.get(edit["key"])
        return outcome is None or (outcome["compiles"] and
                                   self.version not in self.results.selections.get(edit["key"], {}))

    def try_edit(self, edit):
        """What came of it, in words."""
        outcome = self.results.outcomes.get(edit["key"]) or self.outcome_of(edit)
        if not outcome["compiles"]:
            return "does not compile"
        with Applied(self.project.recorded, edit):
            chosen = select_all_levels(self.options.retest, self.project.recorded, BASELINE,
                                       self.project.work)
            patch = patch_of(self.project.recorded)
        escaped = self.skipped_of(outcome, chosen)
        if escaped:
            outcome = self.without_flaky(edit, outcome, escaped)
            escaped = self.skipped_of(outcome, chosen)
        wide = [f"{len(missing)} tests selected at {fine} but not at {coarse}, as {sorted(missing)[0]}"
                for fine, coarse in zip(LEVELS, LEVELS[1:])
                if (missing := chosen[fine].names - chosen[coarse].names)]
        edges = chosen["edges"]
        more = {"unordered": wide} if wide else {}
        if "contents" not in edit:
            more["others"] = self.others(edit, outcome)
        self.results.add_selection(edit, self.version, escaped=escaped, **more, **edges.facts,
                                   selected={level: len(chosen[level].names) for level in LEVELS})
        if escaped:
            self.show_escape(edit, escaped, outcome, patch)
        return (f"{len(outcome['changed'])} changed; selected " +
                ", ".join(f"{len(chosen[level].names)} {level}" for level in LEVELS) +
                (f" of {edges.facts['total']}"))

    @functools.cached_property
    def coverage(self):
        """For other selectors: what the tests of the project as it is were seen to run."""
        copy = self.project.recorded
        graph = json.loads(run([self.options.retest, "-q", "graph", "--all", "--format", "json"], cwd=copy))
        matrix = matrix_of(self.options.bin / "lab/trace/show_matrix", copy / "build-retest/.retest/retest.db",
                           BASELINE)
        return adapters.Coverage(matrix, graph)

    def others(self, edit, outcome):
        """{selector: [number of tests that it selects, number of tests that change and that it skips]}"""
        text = (self.project.recorded / edit["file"]).read_bytes()
        chosen = adapters.choices(edit, text, self.coverage, outcome["relinked"])
        return {name: [len(tests), len(outcome["changed"].keys() - tests)] for name, tests in chosen.items()}

    @staticmethod
    def skipped_of(outcome, chosen):
        return sorted(test for test in outcome["changed"] if test in chosen["edges"].skipped)

    def outcome_of(self, edit):
        """Builds the project with the edit and runs the tests that it may concern."""
        relinked, changed, hidden = (), {}, None
        with Applied(self.project.plain, edit):
            compiles, _ = builds(self.project.plain)
            if compiles:
                relinked = self.baseline.relinked()
                changed = self.baseline.differences(relinked, edit, alone=False)
                if len(self.results.outcomes) % ALONE == 0:
                    alone = self.baseline.differences(relinked, edit, alone=True)
                    hidden = alone.keys() - changed.keys()
                    changed |= alone
        return self.results.add_outcome(edit_row(edit), compiles, changed, relinked, hidden=hidden)

    def without_flaky(self, edit, outcome, tests):
        """The outcome without those of the tests that do the same in some run, or something else without
        the edit: their change is not its doing."""
        flaky = set()
        with Applied(self.project.plain, edit):
            builds(self.project.plain)
            flaky |= {test for test in tests if not all(self.difference(test) for _ in range(AGAIN))}
        builds(self.project.plain)
        flaky |= {test for test in tests if any(self.difference(test) for _ in range(AGAIN))}
        if not flaky:
            return outcome
        changed = {test: how for test, how in outcome["changed"].items() if test not in flaky}
        return self.results.add_outcome(edit_row(edit), True, changed, outcome["relinked"],
                                        {*outcome["flaky"], *flaky}, outcome.get("hidden"))

    def difference(self, test):
        return self.baseline.difference(test, self.options.limit)

    def show_escape(self, edit, escaped, outcome, patch):
        """All that it takes to see it again."""
        place = self.project.work / "escapes"
        place.mkdir(exist_ok=True)
        file = place / f"{Path(edit['file']).stem}-{edit['line']}-{edit['kind'].replace(' ', '-')}.patch"
        file.write_bytes(patch)
        print(f"ESCAPED in {self.project.name} ({self.project.tree[:12]}), {self.version}:\n"
              f"{patch.decode('utf-8', 'replace')[:4000]}"
              f"is {file}; after `git apply` in {self.project.recorded}\n"
              f"`{self.options.retest} select --base {BASELINE}` skips")
        for test in escaped[:10]:
            command, directory, _ = self.baseline.tests[test]
            print(f"    {test}: {outcome['changed'][test]}; in {directory}: {json.dumps(command)}")
        if len(escaped) > 10:
            print(f"    and {len(escaped) - 10} more")
        sys.stdout.flush()


def edit_row(edit):
    """What the results keep of an edit."""
    return {name: value for name, value in edit.items() if name not in ("contents", "hunk")}


def parser(doc):
    """The options that all experiments with edits have."""
    made = argparse.ArgumentParser(description=doc.split("\n")[0])
    made.add_argument("projects", nargs="+", metavar="PROJECT")
    made.add_argument("--count", type=int, default=20, metavar="N", help="new edits of each project")
    made.add_argument("--minutes", type=float, default=120, metavar="M", help="begin no edit after that")
    made.add_argument("--limit", type=float, default=60, metavar="SECONDS",
                      help="for a test of the project as it is")
    made.add_argument("--again", type=float, nargs="?", const=1, default=0, metavar="SHARE",
                      help="ask also about edits that another version of retest was asked about: all, or a share")
    made.add_argument("--again-kinds", nargs="+", default=[], metavar="KIND",
                      help="and about all of these kinds: after a fix, those that its rule is for")
    made.add_argument("--report", action="store_true", help="show what is known, and run nothing")
    made.add_argument("--results", type=Path, metavar="DIR", help="where results add up; default: with the project's copies")
    made.add_argument("--work", type=Path, default=LAB, metavar="DIR")
    made.add_argument("--bin", type=Path, default=ROOT / "build/release", metavar="DIR",
                      help="the build directory of retest; default: build/release")
    made.add_argument("--retest", type=Path, help="default: the one in --bin")
    return made


def read_options(made):
    options = made.parse_args()
    options.work = options.work.resolve()
    options.retest = (options.retest or options.bin / "src/cli/retest").resolve()
    return options
