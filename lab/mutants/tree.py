"""The two copies of a project: a recorded one, in which is selected, and a plain one, in which is run."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "lab/trace"))
from build import clone, environment, fetch, leave_out, run  # noqa: E402

LAB = Path(os.environ.get("RETEST_LAB") or
           Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "retest-lab")
BASELINE = "lab"
# A program need not be linked again because a shared library of the project has another body.
KEEP_PROGRAMS = ["-DCMAKE_LINK_DEPENDS_NO_SHARED=ON"]
SOURCES = (".cpp", ".cc", ".cxx")
# Units to mutate: those below these directories. Tests and tools are not what tests test.
DIRECTORIES = {"fmtlib": ["src"], "yaml-cpp": ["src"], "re2": ["re2", "util"], "geographiclib": ["src"],
               "leveldb": ["db", "table", "util"], "olm": ["src"], "gflags": ["src"]}
SKIPPED = {  # what takes minutes, or runs benchmarks in each process
    "re2": ["exhaustive*_test", "random_test", "dfa_test"],
    "leveldb": ["leveldb_tests", "db_test", "issue178_test"],
}


class Project:
    """A project of bench/projects, or the directory of a small one, below `work`."""

    def __init__(self, name, work):
        self.is_local = "/" in name
        self.name = Path(name).name if self.is_local else name
        self.work = work / self.name
        self.work.mkdir(parents=True, exist_ok=True)
        self.origin = self._committed(Path(name)) if self.is_local else fetch(name)
        self.tree = run(["git", "rev-parse", "HEAD^{tree}"], cwd=self.origin).strip()
        self.recorded, self.plain = self.work / "recorded", self.work / "plain"
        self.options = [] if self.is_local else run([ROOT / "bench/projects", "--options", name]).split()

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
                 "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *KEEP_PROGRAMS, *self.options], env=environment())
        run(["cmake", "--build", build])
        leave_out(build, SKIPPED.get(self.name, []))

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
        leave_out(build, SKIPPED.get(self.name, []))
        (self.work / "record.log").write_text(
            run([retest, "record", "--name", BASELINE], cwd=self.recorded))
        stamp.write_text(version)

    def mutants(self, mutate):
        """All of them, each with its key. They are listed once."""
        file = self.work / f"mutants-{self.tree[:12]}.json"
        if not file.exists():
            text = subprocess.run([mutate, self.plain, self.plain / "build", *self.units()],
                                  stdout=subprocess.PIPE, check=True, text=True).stdout
            file.write_text(text)
        found = json.loads(file.read_text())["mutants"]
        for mutant in found:
            mutant["key"] = (f"{mutant['file']}:{mutant['begin']}-{mutant['end']}:"
                             f"{mutant['replacement']}")
        return found

    def units(self):
        inside = [self.plain / name for name in DIRECTORIES.get(self.name, ["."])]
        database = json.loads((self.plain / "build/compile_commands.json").read_text())
        files = {(Path(entry["directory"]) / entry["file"]).resolve() for entry in database}
        return sorted(str(file.relative_to(self.plain)) for file in files
                      if file.suffix in SOURCES and any(file.is_relative_to(d.resolve()) for d in inside)
                      and not file.is_relative_to(self.plain / "build"))


def restore(copy):
    """Only files that differ are written, so that only these are compiled again."""
    run(["git", "checkout", "-q", "--", "."], cwd=copy)


def mutated(text, mutant):
    """The file's bytes with the mutant. Lines stay where they are: nothing but the mutant may change."""
    before = text[mutant["begin"]:mutant["end"]]
    after = mutant["replacement"].encode()
    after += b"\n" * (before.count(b"\n") - after.count(b"\n"))
    return text[:mutant["begin"]] + after + text[mutant["end"]:]


class Applied:
    """The mutant is in a copy of the project inside of a with statement."""

    def __init__(self, copy, mutant):
        self.path = copy / mutant["file"]
        self.mutant = mutant

    def __enter__(self):
        self.before = self.path.read_bytes()
        self.path.write_bytes(mutated(self.before, self.mutant))

    def __exit__(self, *_):
        self.path.write_bytes(self.before)


def builds(copy):
    done = subprocess.run(["cmake", "--build", copy / "build"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace")
    return done.returncode == 0, done.stdout


def version_of(retest):
    """Its version with what it is made of, since it changes from day to day."""
    said = run([retest, "--version"]).split()[1]
    return f"{said}-{hashlib.sha256(retest.read_bytes()).hexdigest()[:12]}"
