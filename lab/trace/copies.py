"""Two copies of a project of bench/projects: one as it is, one with marks in its sources."""

import shutil
from pathlib import Path

from commands import PROJECTS, clone, environment, run

HERE = Path(__file__).resolve().parent
COMPILER = "clang++-19"
# Warnings about marks (conditions that were constant) are nobody's. A function that is inlined even
# without optimisation has no symbol of its own.
FLAGS = ["-include", str(HERE / "runtime.h"), "-w", "-Wno-error", "-Dalways_inline=unused"]


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
