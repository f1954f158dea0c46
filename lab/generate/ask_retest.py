"""What retest says of a project."""

import json
import subprocess


class Breach(Exception):
    """Something that cannot go on, and is retest's fault."""


class Retest:
    """The program under test, in the directory of a project."""

    def __init__(self, path, directory, scratch):
        self.path, self.directory, self.scratch = path, directory, scratch

    def run(self, *words):
        done = subprocess.run([self.path, "-q", *words], cwd=self.directory,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout

    def must(self, *words):
        code, said = self.run(*words)
        if code:
            raise Breach(f"retest {' '.join(map(str, words))}: exit code {code}: {said}")

    def select(self, *words):
        file = self.scratch / "selection.json"
        self.must("select", "--format", "json", "-o", file, *words)
        return json.loads(file.read_text())


def name_of(test):
    return test["name"].rsplit(".", 1)[-1]


def skipped_in(answer):
    return set() if answer["kind"] == "all" else {name_of(test) for test in answer["skipped"]}


def reasons_of(answer):
    return [f"{name_of(t)}: {t['verdict']}: {r['text']}" for t in answer["selected"] for r in t["reasons"][:1]][:3]
