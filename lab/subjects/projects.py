"""The two copies of a real project: a recorded one, in which is selected, and a plain one, in which is run."""

import collections
import hashlib
import json
import os
import shutil
from pathlib import Path

from commands import clone, environment, fetch, leave_out, options_of, run

BASELINE = "lab"
# A program need not be linked again because a shared library of the project has another body. Without
# debug information it is built in half the time, and does the same.
FASTER = ["-DCMAKE_LINK_DEPENDS_NO_SHARED=ON", "-DCMAKE_CXX_FLAGS_DEBUG=-g0", "-DCMAKE_C_FLAGS_DEBUG=-g0",
          "-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld-19", "-DCMAKE_SHARED_LINKER_FLAGS=-fuse-ld=lld-19"]
SOURCES = (".cpp", ".cc", ".cxx")
# What is mutated: units and headers below these directories. Tests and tools are not what tests test.
DIRECTORIES = {"cli11": ["include"], "double-conversion": ["double-conversion"], "fmtlib": ["src", "include"],
               "geographiclib": ["src", "include"], "gflags": ["src"],
               "leveldb": ["db", "table", "util", "include"], "libjsoncpp": ["src/lib_json", "include"],
               "olm": ["src", "include"], "pugixml": ["src"], "re2": ["re2", "util"],
               "spdlog": ["src", "include"], "sqlitecpp": ["src", "include"], "yaml-cpp": ["src", "include"]}
SKIPPED = {  # what takes minutes, or runs benchmarks in each process
    "re2": ["exhaustive*_test", "random_test", "dfa_test"],
    "leveldb": ["leveldb_tests", "db_test", "issue178_test"],
}


class Project:
    """A project of bench/projects, or the directory of a small one, below `work`."""

    def __init__(self, name, work):
        self.is_local = "/" in name
        self.name = Path(name).name if self.is_local else name
        self.kind = self.name.partition("@")[0]  # whatever its version
        self.work = work / self.name
        self.work.mkdir(parents=True, exist_ok=True)
        self.origin = self._committed(Path(name)) if self.is_local else fetch(name)
        self.tree = run(["git", "rev-parse", "HEAD^{tree}"], cwd=self.origin).strip()
        self.recorded, self.plain = self.work / "recorded", self.work / "plain"
        self.options = [] if self.is_local else options_of(name)

    def _committed(self, directory):
        target = self.work / "origin"
        if not target.exists():
            shutil.copytree(directory, target)
            run(["git", "init", "-q"], cwd=target)
            run(["git", "add", "."], cwd=target)
            run(["git", "-c", "user.name=lab", "-c", "user.email=lab@localhost", "commit", "-q", "-m",
                 "as it is"], cwd=target)
        return target

    def prepare_plain(self):
        """Without counters: what a test does must not come from the build for recording."""
        clone(self.origin, self.plain)
        restore(self.plain)
        build = self.plain / "build"
        if not (build / "CMakeCache.txt").exists():
            run(["cmake", "-S", self.plain, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
                 "-DCMAKE_C_COMPILER=clang-19", "-DCMAKE_CXX_COMPILER=clang++-19",
                 "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *FASTER, *self.options], env=environment())
        run(["cmake", "--build", build])
        leave_out(build, SKIPPED.get(self.kind, []))

    def prepare_recorded(self, retest, version):
        """With a baseline that this very retest has recorded."""
        clone(self.origin, self.recorded)
        restore(self.recorded)
        build, stamp = self.recorded / "build-retest", self.work / "recorded-by"
        if stamp.exists() and stamp.read_text() == version:
            return
        shutil.rmtree(build / ".retest", ignore_errors=True)
        run([retest, "init", "--", "-DCMAKE_BUILD_TYPE=Debug", *self.options], cwd=self.recorded,
            env=environment())
        run(["cmake", "--build", build])
        leave_out(build, SKIPPED.get(self.kind, []))
        (self.work / "record.log").write_text(
            run([retest, "record", "--name", BASELINE], cwd=self.recorded))
        stamp.write_text(version)

    def readers(self):
        """{file: number of units that read it}, as ninja has noted it."""
        build, readers = self.plain / "build", collections.Counter()
        for line in run(["ninja", "-C", build, "-t", "deps"]).splitlines():
            if line.startswith("    "):
                path = Path(os.path.normpath(build / line.strip()))
                if path.is_relative_to(self.plain):
                    readers[str(path.relative_to(self.plain))] += 1
        return readers

    def units(self):
        """The C++ units that the build compiles, of the directories that are mutated and those that tests are in."""
        database = json.loads((self.plain / "build/compile_commands.json").read_text())
        files = {(Path(entry["directory"]) / entry["file"]).resolve() for entry in database}
        return sorted(str(file.relative_to(self.plain)) for file in files
                      if file.suffix in SOURCES and file.is_relative_to(self.plain)
                      and not file.is_relative_to(self.plain / "build"))


def restore(copy):
    """Only files that differ are written, so that only these are compiled again."""
    run(["git", "checkout", "-q", "--", "."], cwd=copy)
    run(["git", "clean", "-q", "-fd", "-e", "/build", "-e", "/build-retest"], cwd=copy)


def version_of(retest):
    """Its version with what it is made of, since it changes from day to day."""
    said = run([retest, "--version"]).split()[1]
    return f"{said}-{digest(retest)}"


def digest(program):
    return hashlib.sha256(program.read_bytes()).hexdigest()[:12]
