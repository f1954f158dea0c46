"""The tests of a built project, and how each is run in a process of its own."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

LIMIT = 600  # seconds, as a test that ends needs far less


def ctest_entries(build):
    """(name, command, directory, environment) of each entry that can run."""
    text = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=True).stdout
    start = text.index(b"{\n")  # before it stands what the project's own files for CTest print
    for entry in json.loads(text[start:])["tests"]:
        properties = {p["name"]: p["value"] for p in entry.get("properties", [])}
        if "command" in entry and not properties.get("DISABLED"):
            yield (entry["name"], entry["command"], properties.get("WORKING_DIRECTORY", str(build)),
                   dict(item.split("=", 1) for item in properties.get("ENVIRONMENT", [])))


def googletest_names(listing):
    """Full names from --gtest_list_tests; parameters stand behind a #."""
    suite = ""
    for line in listing.splitlines():
        word = line.split("#")[0].rstrip()
        if line[:1] == " ":
            yield suite + word.strip()
        elif word.endswith("."):
            suite = word
        # else: what main prints


def doctest_names(listing):
    """Names from the list as XML; what the program itself prints may stand around it."""
    found = re.search(r"<\?xml.*</doctest>", listing, re.S)
    return [case.get("name") for case in ElementTree.fromstring(found.group()).iter("TestCase")] \
        if found else []


def doctest_pattern(name):
    """* and ? match themselves, and no other name of a list that this is used for."""
    return name.replace("\\", "\\\\").replace(",", "\\,")


def catch2_names(listing):
    """Names from --list-test-names-only of version 2; those that begin with # are in quotes."""
    for line in listing.splitlines():
        yield line[1:-1] if line.startswith('"#') and line.endswith('"') else line


def catch2_pattern(name):
    """Matches this name, whatever is in it."""
    escaped = re.sub(r'([\\,\[\]"*])', r"\\\1", name)
    return "\\" + escaped if escaped.startswith("~") else escaped


class Framework:
    """Of test programs: a word that only such programs contain, arguments that list, names in that list, and the
    arguments that run some of them."""

    def __init__(self, word, listing, names, chosen):
        self.word, self.listing, self.names, self.chosen = word, listing, names, chosen


FRAMEWORKS = [
    Framework(b"gtest_list_tests", ["--gtest_list_tests"], googletest_names,
              lambda names: ["--gtest_filter=" + ":".join(names)]),
    Framework(b"dt-list-test-cases", ["--dt-list-test-cases", "--dt-reporters=xml"], doctest_names,
              lambda names: ["--dt-test-case=" + ",".join(map(doctest_pattern, names)), "--dt-case-sensitive"]),
    Framework(b"list-test-names-only", ["--list-test-names-only"], catch2_names,
              lambda names: [",".join(map(catch2_pattern, names))]),
]
REPORTS = ("--out=", "--reporters=")  # of doctest: what a test says is wanted, not in a file


class Program:
    """An entry of CTest, with the tests of its program if that uses a framework, else with itself as the only one."""

    def __init__(self, entry, framework, path, build):
        self.entry, command, self.directory, self.variables = entry
        self.framework, self.command, self.tests = framework, command, [self.entry]
        # As retest names the programs of a build; others by their path.
        self.name = f"<build>/{path.relative_to(build)}" if path.is_relative_to(build) else str(path)
        if framework:
            self.command = [str(path), *(word for word in command[1:] if not word.startswith(REPORTS))]
            self.tests = self._listed()

    def _listed(self):
        # Catch2's exit code is the number of tests.
        listing = subprocess.run([self.command[0], *self.framework.listing], cwd=self.directory, check=False,
                                 env={**os.environ, **self.variables}, stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, text=True, errors="replace").stdout
        return list(self.framework.names(listing))

    def id_of(self, test):
        return f"{self.name}::{test}"

    def running(self, tests):
        """(command, directory, variables) that runs some of its tests."""
        chosen = self.framework.chosen(tests) if self.framework else []
        return [*self.command, *chosen], self.directory, self.variables


def programs(root, build=None):
    """The entries of a build (usually root/build), in their order; not those whose program is not there."""
    build = (build or root / "build").resolve()
    for entry in ctest_entries(build):
        _, command, directory, _ = entry
        program = shutil.which(command[0], path=os.environ["PATH"] + os.pathsep + directory)
        path = Path(program or command[0])
        if not path.is_file():
            path = Path(directory) / path
        if not path.is_file():
            continue
        content = path.read_bytes()
        known = next((framework for framework in FRAMEWORKS if framework.word in content), None)
        found = Program(entry, known, path.resolve(), build)
        yield found if found.tests else Program(entry, None, path.resolve(), build)


def tests(root):
    """{"program::test": (command, directory, environment)}, sorted."""
    found = {program.id_of(test): program.running([test]) for program in programs(root) for test in program.tests}
    return dict(sorted(found.items()))


def run_test(test, scratch, trace=None, limit=LIMIT):
    """Its exit code, negative for a signal, or "time-out"; the trace file gets what it recorded.
    Temporary files go to `scratch`, which later tests see as well, as they do while recording."""
    command, directory, variables = test
    scratch.mkdir(exist_ok=True)
    more = {"TEST_TMPDIR": str(scratch), "TMPDIR": str(scratch), **variables}
    if trace:
        more["RETEST_TRACE"] = str(trace)
    process = subprocess.Popen(command, cwd=directory, env={**os.environ, **more},
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        return process.wait(timeout=limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.wait()
        return "time-out"
