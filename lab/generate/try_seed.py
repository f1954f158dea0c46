"""One seed: a project is made, recorded, and edited again and again."""

import json
import shutil
import tempfile
import time
import traceback
import xml.etree.ElementTree as xml
from pathlib import Path

import seed_results
from ask_retest import Breach, Retest, name_of, reasons_of, skipped_in
from build_project import Builder, DoesNotCompile, TooSlow
from edit_draw import edited
from file_tree import Tree, git, patch
from make_project import make_project

LEVELS = ("functions", "files")  # coarser than what is usual
SAMPLE = 5  # each fifth edit is also selected for at these
PILED = 5  # seeds of which one has edits on top of each other, as many as that
AGAIN = 2  # runs more of a test that seems to be missed
FEWEST = 5  # tests that a project needs to be of use


class Seed:
    def __init__(self, seed, options, work):
        self.seed, self.options, self.work = seed, options, work
        self.tree = Tree(work / "tree")
        self.builder = Builder(self.tree.directory, work / "plain")
        self.retest = Retest(options.retest, self.tree.directory, work)
        self.rules, self.edits = [], []

    # The baseline.

    def outcomes_of(self, project, again=()):
        """Files are written, the project built, tests run: {test: outcome}."""
        self.tree.become(project.files())
        return self.builder.run(project, self.builder.build(project, self.tree.files), again)

    def make(self):
        """A project of which all tests pass, each time."""
        project = make_project(self.seed)
        first = self.outcomes_of(project)
        for case in list(project.cases):
            result = [line for line in first[case.name][1].split("\n") if line.startswith("result ")]
            if first[case.name][0] in (0, 1) and result:
                case.expected = result[-1].split()[1] + "u"
            else:  # ended by a signal, or by its limit
                project.cases.remove(case)
                project.tests.remove(case.function)
        names = [case.name for case in project.cases]
        assert len(names) >= FEWEST, "too few tests end by themselves"
        self.before = self.outcomes_of(project)
        for _ in range(AGAIN):
            assert self.outcomes_of(project, again=names) == self.before, "tests are not deterministic"
        assert not any(code for code, _ in self.before.values()), self.before
        self.project, self.baseline = project, self.tree.files

    def record(self):
        (self.tree.directory / ".gitignore").write_text("/build-retest/\n")
        git(self.tree.directory, "init", "-q")
        git(self.tree.directory, "add", ".")
        git(self.tree.directory, "commit", "-q", "-m", "as it is")
        self.retest.must("init")
        answer = self.retest.select()
        if answer["kind"] != "all":
            self.rules.append(("R6", f"without a baseline: {answer['kind']}"))
        self.retest.must("record", "-j1")
        answer = self.retest.select()
        if answer["kind"] == "all" or answer["selected"]:
            self.rules.append(("R5", f"as it was recorded: {answer['reason'] or reasons_of(answer)}"))
        known = {name_of(test) for test in answer["skipped"] + answer["selected"]}
        if known != set(self.before):
            raise Breach(f"tests that only one side knows: {sorted(known ^ set(self.before))}")

    # Edits.

    def try_edit(self, project, number, names, is_harmless):
        """A row of results; None if the edit is no use."""
        start, files = time.monotonic(), project.files()
        if files == self.tree.files or files == self.baseline:
            return None
        row = {"number": number, "kinds": names, "compiles": False, "breaches": []}
        try:
            after = self.outcomes_of(project)
        except (DoesNotCompile, TooSlow):
            return row
        built = time.monotonic()
        answer = self.retest.select()
        changed = [name for name, outcome in after.items() if self.before.get(name) != outcome]
        skipped = skipped_in(answer)
        row |= {"compiles": True, "tests": len(after), "changed": len(changed), "kind": answer["kind"],
                "reason": answer["reason"], "selected": len(after.keys() - skipped),
                "doubts": sorted({d["text"] for d in answer["doubts"]})[:3], "is_harmless": is_harmless,
                "seconds": [built - start, time.monotonic() - built]}
        missed = self.without_unstable(project, [name for name in changed if name in skipped], row)
        if missed:
            row["breaches"].append(("R1", f"skipped although changed: {' '.join(missed)}"))
            if len(skipped) == len(after):
                row["breaches"].append(("R2", "nothing is selected at all"))
        if is_harmless and (answer["kind"] == "all" or answer["selected"]):
            row["breaches"].append(("R4", f"selected: {answer['reason'] or reasons_of(answer)}"))
        if number % SAMPLE == 0:
            self.try_levels(row, skipped, changed, missed)
        if row["breaches"]:
            self.keep(number, row, answer, after)
        return row

    def without_unstable(self, project, missed, row):
        """A test that is missed runs again: it has to be the edit that changed it."""
        for _ in range(AGAIN if missed else 0):
            after = self.outcomes_of(project)
            again = self.outcomes_of(project, again=missed)
            row["unstable"] = [name for name in missed if again[name] != after[name]]
            missed = [name for name in missed if name not in row["unstable"]]
        return missed

    def try_levels(self, row, skipped, changed, missed):
        """Coarser levels select more, never less."""
        row["levels"] = {}
        for level in LEVELS:
            coarse = skipped_in(self.retest.select("--granularity", level))
            row["levels"][level] = row["tests"] - len(coarse)
            if extra := sorted(coarse - skipped):
                row["breaches"].append(("levels", f"at {level} skips {extra[0]}, which the finer one selects"))
            if worse := [name for name in changed if name in coarse and name not in missed]:
                row["breaches"].append(("R1", f"skipped at {level}: {' '.join(worse)}"))
            skipped = coarse

    def keep(self, number, row, answer, after):
        """All that it takes to see a breach again."""
        target = self.options.work / "breaches" / self.options.version / f"seed-{self.seed}-{number}"
        shutil.rmtree(target, ignore_errors=True)
        for name, text in self.baseline.items():
            path = target / "baseline" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        (target / "edit.patch").write_text(patch(self.baseline, self.tree.files))
        (target / "selection.json").write_text(json.dumps(answer, indent=1))
        told = "".join(f"{name}: {self.before.get(name)} -> {outcome}\n" for name, outcome in after.items()
                       if self.before.get(name) != outcome)
        (target / "breach.txt").write_text(
            f"seed {self.seed}, edit {number}: {', '.join(row['kinds'])}\n" +
            "".join(f"{rule}: {text}\n" for rule, text in row["breaches"]) +
            f"\ncd baseline && git init -q && git add . && git commit -qm baseline\n"
            f"{self.options.retest} init && {self.options.retest} record\n"
            f"git apply ../edit.patch && {self.options.retest} select\n\noutcomes that changed:\n{told}")
        row["kept"] = str(target)

    def run_edits(self):
        is_piled = self.seed % PILED == PILED - 1
        last, project = None, self.project
        for number in range(self.options.edits):
            if not is_piled or number % PILED == 0:
                project = self.project
            version, names, is_harmless = edited(project, self.seed, number)
            row = self.try_edit(version, number, names, is_harmless and project is self.project)
            if row:
                row["is_piled"] = project is not self.project
                self.edits.append(row)
                if row["compiles"]:
                    last = version
                    project = version if is_piled else project
        return last

    def run_selected(self, project):
        """R7: what `retest run` says of the tests that it runs."""
        after = self.outcomes_of(project)
        file = self.work / "results.xml"
        code, said = self.retest.run("run", "--junit", file, "--no-tests", "pass")
        if code not in (0, 1) or not file.exists():
            self.rules.append(("R7", f"retest run: exit code {code}: {said}"))
            return
        for case in xml.parse(file).iter("testcase"):
            name = case.get("name").rsplit(".", 1)[-1]
            is_failed = case.find("failure") is not None or case.find("error") is not None
            if name in after and is_failed != bool(after[name][0]):
                self.rules.append(("R7", f"{name}: {after[name]} without retest; with it "
                                         f"{xml.tostring(case, 'unicode')}"))


def try_seed(seed, options):
    """All of one seed; the result is also written down."""
    start, work = time.monotonic(), Path(tempfile.mkdtemp(prefix="retest-end-to-end-"))
    run, failed = Seed(seed, options, work), None
    try:
        run.make()
        run.record()
        last = run.run_edits()
        if last:
            run.run_selected(last)
    except (DoesNotCompile, TooSlow, AssertionError) as error:
        failed = f"no project of use: {str(error)[:300]}"
    except Breach as error:
        run.rules.append(("failed", str(error)))
    except Exception:
        failed = traceback.format_exc()
    finally:
        shutil.rmtree(work, ignore_errors=True)
    result = {"seed": seed, "failed": failed, "rules": run.rules, "edits": run.edits,
              "seconds": time.monotonic() - start}
    if selected_everything(run.edits):
        run.rules.append(("R3", "every edit selects every test"))
    seed_results.write(options, seed, result)
    return result


def selected_everything(edits):
    told = [row for row in edits if row["compiles"]]
    return len(told) > 10 and all(row["selected"] == row["tests"] for row in told)
