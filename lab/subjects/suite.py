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
    for entry in json.loads(text)["tests"]:
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


# A word that only programs of the framework contain; its arguments that list; names in that list; and
# the arguments that run one of them.
FRAMEWORKS = [
    (b"gtest_list_tests", ["--gtest_list_tests"], googletest_names,
     lambda name: [f"--gtest_filter={name}"]),
    (b"dt-list-test-cases", ["--dt-list-test-cases", "--dt-reporters=xml"], doctest_names,
     lambda name: [f"--dt-test-case={doctest_pattern(name)}", "--dt-case-sensitive"]),
    (b"list-test-names-only", ["--list-test-names-only"], catch2_names,
     lambda name: [catch2_pattern(name)]),
]
REPORTS = ("--out=", "--reporters=")  # of doctest: what a test says is wanted, not in a file


def native_tests(path, command, directory, variables):
    """{test: command} of a program of a framework; nothing of another one."""
    content = path.read_bytes()
    for word, options, names, chosen in FRAMEWORKS:
        if word not in content:
            continue
        # Catch2's exit code is the number of tests.
        listing = subprocess.run([path, *options], cwd=directory, check=False,
                                 env={**os.environ, **variables}, stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, text=True, errors="replace").stdout
        own = [word for word in command[1:] if not word.startswith(REPORTS)]
        return {name: [str(path), *own, *chosen(name)] for name in names(listing)}
    return {}


def program_name(path, root):
    """As retest names the programs of a build; others by their path."""
    if path.is_relative_to(root / "build"):
        return "<build>/" + str(path.relative_to(root / "build"))
    return str(path)


def tests(root):
    """{"program::test": (command, directory, environment)}, sorted."""
    found = {}
    for name, command, directory, variables in ctest_entries(root / "build"):
        program = shutil.which(command[0], path=os.environ["PATH"] + os.pathsep + directory)
        path = Path(program or command[0])
        if not path.is_file():
            path = Path(directory) / path
        if not path.is_file():
            continue
        relative = program_name(path.resolve(), root.resolve())
        native = native_tests(path, command, directory, variables)
        for test, one in native.items():
            found[f"{relative}::{test}"] = (one, directory, variables)
        if not native:
            found[f"{relative}::{name}"] = (command, directory, variables)
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
