"""Builds versions of a generated project without CMake and retest, and runs their tests.

What was made before is not made again: objects are known by all text that goes into them, programs
by their objects, and outcomes by program, command and data. So a comment costs one compilation.
"""

import hashlib
import re
import shlex
import subprocess
from pathlib import Path

from project import FRAMEWORKS

COMPILER = "clang++-19"
FLAGS = ["-std=gnu++20", "-O0", "-w", "-fPIC", "-Ishadow", "-I."]
PROCESSOR_SECONDS = 1  # for one test: they run for a millisecond
ALL_SECONDS = 120
INCLUDE = re.compile(r'include ?\(?[<"]([^">]+)[">]')


class DoesNotCompile(Exception):
    pass


class TooSlow(Exception):
    """Tests hang, or too many of them run into their limit."""


def digest(*parts):
    found = hashlib.sha256()
    for part in parts:
        found.update(part if isinstance(part, bytes) else str(part).encode())
        found.update(b"\0")
    return found.hexdigest()[:24]


def text_of_unit(files, unit):
    """All text that the compiler may read for a unit, by following what is included."""
    found, pending = {}, [unit]
    while pending:
        name = pending.pop()
        if name in found or name not in files:
            continue
        found[name] = files[name]
        for included in INCLUDE.findall(files[name]):
            pending += [f"shadow/{included}", included]
    return "\0".join(f"{name}\0{text}" for name, text in sorted(found.items()))


class Builder:
    """Builds in a directory what lies in another one, the tree."""

    def __init__(self, tree, work):
        self.tree, self.work = tree, work
        work.mkdir(parents=True)
        self.objects, self.outcomes = {}, {}  # unit -> (object, digest of it); key -> outcome

    def _run(self, words):
        done = subprocess.run([*map(str, words)], cwd=self.tree, capture_output=True, text=True)
        if done.returncode:
            raise DoesNotCompile(done.stderr)

    def _object(self, project, files, unit):
        options = project.definitions_of.get(unit, "").split(";") if unit in project.definitions_of else []
        key = digest(text_of_unit(files, unit), options)
        if key not in self.objects:
            output = self.work / f"{key}.o"
            self._run([COMPILER, *FLAGS, *options, "-c", unit, "-o", output])
            self.objects[key] = output, digest(output.read_bytes())
        return self.objects[key]

    def build(self, project, files):
        """{number of a test program: the path of it}"""
        core = [self._object(project, files, unit) for unit in project.library_units()] if project.link else []
        return {index: self._link(project, core, [self._object(project, files, unit)
                                                  for unit in project.program_units(index)])
                for index in range(project.programs)}

    def _link(self, project, core, own):
        key = digest(project.link, [d for _, d in own], [d for _, d in core])
        program = self.work / f"{key}.program"
        if program.exists():
            return program
        objects, shared = [path for path, _ in own], [path for path, _ in core]
        if project.link == "STATIC":  # members of an archive, without an archive
            objects += ["-Wl,--start-lib", *shared, "-Wl,--end-lib"]
        elif project.link == "SHARED":
            library = self.work / f"{digest([d for _, d in core])}.so"
            if not library.exists():
                self._run([COMPILER, "-fuse-ld=lld", "-shared", *shared, "-o", library])
            objects.append(library)
        else:
            objects += shared
        libraries = [f"-l{name}" for name in FRAMEWORKS.get(project.main, "").split()]
        self._run([COMPILER, "-fuse-ld=lld", *objects, *libraries, "-o", program])
        return program

    def run(self, project, programs, again=()):
        """{test: (exit code, output)}; those named in `again` are run in any case."""
        data = digest(sorted(project.data.items()))
        keys = {case.name: (programs[case.program].name, *project.command(case, "")[1:], case.mode, data)
                for case in project.cases}
        todo = [c for c in project.cases if keys[c.name] not in self.outcomes or c.name in again]
        for case, outcome in zip(todo, self._run_all(project, programs, todo)):
            self.outcomes[keys[case.name]] = outcome
        return {case.name: self.outcomes[keys[case.name]] for case in project.cases}

    def _run_all(self, project, programs, cases):
        """One shell for all, since each process that Python starts takes milliseconds."""
        script = ["ulimit -c 0", f"ulimit -t {PROCESSOR_SECONDS}", "ulimit -f 2048"]
        for number, case in enumerate(cases):
            words = shlex.join(map(str, project.command(case, programs[case.program])))
            output = shlex.quote(str(self.work / f"{number}.out"))
            mode = f"MODE={case.mode} " if case.mode else ""
            script += [f"{mode}{words} >{output} 2>&1 </dev/null", "echo $?"]
        return self._outcomes(script, len(cases)) if cases else []

    def _outcomes(self, script, count):
        try:
            done = subprocess.run(["sh", "-c", "\n".join(script)], cwd=self.tree, timeout=ALL_SECONDS,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        except subprocess.TimeoutExpired as error:
            raise TooSlow from error
        codes = [int(line) for line in done.stdout.split()]
        assert len(codes) == count, (codes, count)
        return [(code, without_noise((self.work / f"{number}.out").read_bytes()))
                for number, code in enumerate(codes)]


def without_noise(output):
    """Without how long it took, and without how many tests doctest has that were not asked for."""
    output = re.sub(rb"\(\d+ ms[^)]*\)", b"", output)
    return re.sub(rb"\| *\d+ skipped", b"", output).decode(errors="replace")
