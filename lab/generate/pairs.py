"""Builds, runs and compares pairs of a program and an edited one."""

import copy
import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import edit_bodies
import edit_declarations
import oracle
from make import make
from statements import Maker

HERE = Path(__file__).resolve().parent
COMPILER = "clang++-19"
FLAGS = ["-std=c++20", "-O0", "-w"]
EDITS_OF_EACH = 6  # edited versions of one program
SECONDS = 20  # for one execution


class DoesNotCompile(Exception):
    pass


class Sources:
    """One version of a program in a directory of its own, ready for retest."""

    def __init__(self, program, directory):
        self.directory, self.files = directory, program.files()
        self.units = [f"u{i}.cpp" for i in range(program.units)]
        self.inputs = [chr(ord("a") + i) for i in range(len(program.tests))]
        if directory.exists():
            shutil.rmtree(directory)
        (directory / "build").mkdir(parents=True)
        for name, text in self.files.items():
            (directory / name).write_text(text)
        shutil.copy(HERE / "trace.h", directory)
        (directory / "build/compile_commands.json").write_text(json.dumps([
            {"directory": str(directory / "build"), "file": str(directory / unit),
             "arguments": [COMPILER, *FLAGS, "-c", str(directory / unit), "-o", unit + ".o"]}
            for unit in self.units]))

    def build(self, objects, is_traced):
        """The program; objects of equal sources are taken from the directory `objects`."""
        built = []
        for unit in self.units:
            text = self.files["p.h"] + "\0" + self.files[unit] + f"\0{unit} {is_traced}"
            built.append(objects / (hashlib.sha1(text.encode()).hexdigest() + ".o"))
            if not built[-1].exists():
                words = [COMPILER, *FLAGS, *(["-DTRACE"] if is_traced else []), "-c",
                         self.directory / unit, "-o", built[-1]]
                done = subprocess.run(words, capture_output=True, text=True)
                if done.returncode:
                    raise DoesNotCompile(done.stderr)
        program = self.directory / "build" / ("traced" if is_traced else "plain")
        done = subprocess.run([COMPILER, *built, "-o", program], capture_output=True, text=True)
        if done.returncode:
            raise DoesNotCompile(done.stderr)
        return program


def behaviour(program, which, trace=None):
    """What can be seen of one execution; None if it does not end."""
    environment = {**os.environ, "TRACE_FILE": str(trace or "/dev/null")}
    try:
        done = subprocess.run([program, which], capture_output=True, timeout=SECONDS,
                              env=environment)
    except subprocess.TimeoutExpired:
        return None
    return done.returncode, done.stdout


def edited(program, seed):
    """The program after one to three edits, and their names."""
    maker = Maker(seed)
    maker.program, maker.number = copy.deepcopy(program), 10000
    names = []
    for _ in range(maker.pick([1, 1, 1, 2, 3])):
        edits = maker.pick([edit_bodies.EDITS, edit_declarations.EDITS])
        edit = maker.pick(edits)
        if edit(maker):
            names.append(edit.__name__)
    return maker.program, names


class Retest:
    """The program under test."""

    def __init__(self, path):
        self.path = path

    def json(self, *words):
        done = subprocess.run([self.path, *words, "--format", "json"], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"retest {' '.join(map(str, words))}: {done.stderr}")
        return json.loads(done.stdout)

    def graph(self, sources):
        return self.json("graph", "--all", "-p", sources.directory / "build")

    def diff(self, baseline, current):
        return self.json("diff", "--from", baseline.directory / "build", "--to",
                         current.directory / "build")


class Baseline:
    """A program that was built and run once on all its inputs."""

    def __init__(self, seed, retest, work):
        self.seed, self.retest, self.work = seed, retest, work
        self.program = make(seed)
        self.sources = Sources(self.program, work / "baseline")
        self.objects = work / "objects"
        self.objects.mkdir(parents=True, exist_ok=True)
        traced = self.sources.build(self.objects, is_traced=True)
        self.graph = oracle.Graph(retest.graph(self.sources), oracle.marked_lines(self.sources.files))
        self.seen, self.steps = {}, {}
        for which in self.sources.inputs:
            trace = work / f"trace.{which}"
            trace.unlink(missing_ok=True)
            self.seen[which] = behaviour(traced, which, trace)
            self.steps[which] = oracle.read_trace(trace.read_text())

    def compare(self, number):
        """One edited version: a dictionary of what came out, or None if the edit is no use."""
        program, names = edited(self.program, self.seed * 1000 + number)
        if program.files() == self.sources.files:
            return None
        current = Sources(program, self.work / "current")
        try:
            plain = current.build(self.objects, is_traced=False)
        except DoesNotCompile:
            return None
        delta = self.retest.diff(self.sources, current)
        result = {"seed": self.seed, "edit": number, "edits": names, "inputs": 0, "changed": 0,
                  "selected": 0, "guessed": 0, "missed": [], "edges": len(delta["edges"])}
        for which in self.sources.inputs:
            now = behaviour(plain, which)
            if self.seen[which] is None or now is None:
                continue
            run = oracle.Run(self.graph, self.steps[which])
            is_selected, is_changed = run.crosses_any(delta), now != self.seen[which]
            result["inputs"] += 1
            result["changed"] += is_changed
            result["selected"] += is_selected
            result["guessed"] += is_changed and run.was_guessed
            if is_changed and not is_selected:
                result["missed"].append(which)
        if result["missed"]:
            (self.work / "delta.json").write_text(json.dumps(delta, indent=1))
        return result
