"""Two copies of a project of bench/projects: one as it is, one with marks in its sources."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECTS = HERE.parents[1] / "bench/projects"
COMPILER = "clang++-19"
# Warnings about marks (conditions that were constant) are nobody's. A function that is inlined even
# without optimisation has no symbol of its own.
FLAGS = ["-include", str(HERE / "runtime.h"), "-w", "-Wno-error", "-Dalways_inline=unused"]


def run(command, **more):
    done = subprocess.run([*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout[-8000:]}")
    return done.stdout


def fetch(name):
    done = subprocess.run([PROJECTS, name], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(done.returncode)
    return Path(done.stdout.strip())


def environment(**more):
    found = {**os.environ, **more}
    if shutil.which("ccache"):
        found["CMAKE_C_COMPILER_LAUNCHER"] = found["CMAKE_CXX_COMPILER_LAUNCHER"] = "ccache"
    return found


def clone(project, target):
    if not target.exists():
        run(["git", "clone", "-q", project, target])


def runtime(work):
    """The object that records, compiled once."""
    target = work / "runtime.o"
    run([COMPILER, "-std=c++17", "-O2", "-fPIC", "-fvisibility=hidden", "-fno-exceptions", "-c",
         HERE / "runtime.cpp", "-o", target])
    return target


def plain_copy(project, name, work):
    target = work / "plain"
    clone(project, target)
    run([PROJECTS, "--configure", name, target], env=environment())
    return target


def marked_copy(project, name, plain, insert_marks, work):
    """With marks; marks.json beside it says what they mean. Lines stay where they were."""
    target, marked = work / "marked", work / "marked-files"
    if not (work / "marks.json").exists():
        shutil.rmtree(marked, ignore_errors=True)
        marked.mkdir()
        run([insert_marks, plain, plain / "build", marked, work / "marks.json"])
    clone(project, target)
    for file in sorted(path for path in marked.rglob("*") if path.is_file()):
        there = target / file.relative_to(marked)
        if there.read_bytes() != file.read_bytes():  # else it would be compiled again
            there.write_bytes(file.read_bytes())
    run([PROJECTS, "--configure", name, target],
        env=environment(CXXFLAGS=" ".join(FLAGS), LDFLAGS=str(runtime(work))))
    return target


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
