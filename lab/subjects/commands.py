"""Running commands; projects of bench/projects, and copies of them."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROJECTS = ROOT / "bench/projects"
LAB = Path(os.environ.get("RETEST_LAB") or
           Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "retest-lab")


def run(command, **more):
    done = subprocess.run([*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout[-8000:]}")
    return done.stdout


def fetch(name, *options):
    """Where a project is, fetched and configured; with --source only fetched."""
    done = subprocess.run([PROJECTS, *options, name], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(done.returncode)
    return Path(done.stdout.strip())


def options_of(name):
    """What cmake is given for it."""
    return run([PROJECTS, "--options", name]).split()


def environment(**more):
    found = {**os.environ, **more}
    if shutil.which("ccache"):
        found["CMAKE_C_COMPILER_LAUNCHER"] = found["CMAKE_CXX_COMPILER_LAUNCHER"] = "ccache"
    return found


def clone(project, target):
    if not target.exists():
        run(["git", "clone", "-q", project, target])


def build(copy, jobs):
    run(["cmake", "--build", copy / "build", "-j", jobs])


def leave_out(build, patterns):
    """Removes entries of CTest with names like these, which take too long, from a build directory."""
    file = build / "CTestTestfile.cmake"
    text = file.read_text()
    for pattern in patterns:
        word = pattern.replace("*", "[A-Za-z0-9_]*")
        text = re.sub(rf"^(add_test|set_tests_properties)\((\[=\[)?\"?{word}\"?(\]=\])? .*\n", "", text,
                      flags=re.M)
    if text != file.read_text():
        file.write_text(text)
