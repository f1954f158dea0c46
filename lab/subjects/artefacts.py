"""The programs and libraries of a build: which of them an edit has changed, and which tests use them."""

import hashlib
import os
import re
import subprocess
from pathlib import Path

ELF = b"\x7fELF"


def elf_files(build):
    """Programs and shared libraries below a build directory; no objects."""
    for directory, _, files in os.walk(build):
        for name in files:
            path = Path(directory) / name
            if path.suffix in (".o", ".a") or path.is_symlink():
                continue
            with open(path, "rb") as file:
                if file.read(4) == ELF:
                    yield path


def digests(build):
    """{path: what it is made of}"""
    return {path: hashlib.blake2b(path.read_bytes(), digest_size=16).digest()
            for path in elf_files(build)}


def loaded_by(program, build):
    """The program and the libraries of the build that the loader finds for it."""
    said = subprocess.run(["ldd", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    libraries = {Path(path).resolve() for path in re.findall(r"=> (/\S+)", said)}
    return {program} | {path for path in libraries if path.is_relative_to(build)}


class Artefacts:
    """Of the project as it is."""

    def __init__(self, build, tests):
        self.build = build.resolve()
        self.before = digests(self.build)
        loaded = {}
        self.used = {}  # {test: files, or None: it may use any}
        for test, (command, _, _) in tests.items():
            program = Path(command[0]).resolve()
            if program not in self.before or any(self._is_artefact(word) for word in command[1:]):
                self.used[test] = None
                continue
            if program not in loaded:
                loaded[program] = loaded_by(program, self.build)
            self.used[test] = loaded[program]

    def _is_artefact(self, word):
        return word.startswith("/") and Path(word).resolve() in self.before

    def relinked(self):
        """The tests that use a program or library that is another one now."""
        now = digests(self.build)
        changed = {path for path in now.keys() | self.before.keys() if now.get(path) != self.before.get(path)}
        return {test for test, used in self.used.items() if changed and (used is None or used & changed)}
