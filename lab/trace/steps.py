"""From what the runtime wrote (mark, value, offset, file) to steps with the function's symbol."""

import bisect
import struct
import subprocess
from pathlib import Path

NM = "llvm-nm-19"


def image_base(path):
    """The address at which the file's first byte is linked: 0 for what can be loaded anywhere."""
    data = Path(path).read_bytes()
    start, size, count = *struct.unpack_from("<Q", data, 32), *struct.unpack_from("<HH", data, 54)
    for i in range(count):
        kind, _, offset, address = struct.unpack_from("<IIQQ", data, start + i * size)
        if kind == 1 and offset == 0:  # PT_LOAD
            return address
    return 0


class Module:
    """The functions of an executable or library, by address."""

    def __init__(self, path):
        self.base = image_base(path)
        lines = subprocess.run([NM, "-n", "--defined-only", path], stdout=subprocess.PIPE,
                               text=True, check=True).stdout.splitlines()
        names = {}
        for line in lines:
            address, kind, name = line.split(" ", 2)
            if kind in "TtWwi":
                names.setdefault(int(address, 16), []).append(name)
        self.addresses = sorted(names)
        self.names = [sorted(names[address]) for address in self.addresses]
        self.found = {}

    def symbols(self, offset):
        """All names of the function in which a call returned to this offset."""
        if offset not in self.found:
            # One back: what follows a call that never returns is another function.
            place = bisect.bisect_right(self.addresses, offset + self.base - 1) - 1
            self.found[offset] = self.names[place] if place >= 0 else ["?"]
        return self.found[offset]


class Steps:
    """Each distinct step once; tests name them by number.

    A step is [symbol, file, line, column, what, end line, end column, is part of && or ||, [line, column,
    end line, end column with parentheses around it]]. What is entry, catch, T, F, or "choice N": the
    value that a switch had.
    """

    def __init__(self, marks):
        self.marks = marks
        self.modules, self.numbers, self.steps, self.aliases = {}, {}, [], {}

    def number(self, mark, value, offset, path):
        if path not in self.modules:
            self.modules[path] = Module(path)
        kind, file, line, column, end_line, end_column, is_logical, outer = self.marks[mark]
        if kind == "side":
            kind = "T" if value else "F"
        elif kind == "choice":
            kind = f"choice {value}"
        symbols = self.modules[path].symbols(offset)
        if len(symbols) > 1:
            self.aliases[symbols[0]] = symbols
        step = (symbols[0], file, line, column, kind, end_line, end_column, is_logical,
                tuple(outer))
        if step not in self.numbers:
            self.numbers[step] = len(self.steps)
            self.steps.append(step)
        return self.numbers[step]

    def read(self, path):
        """The numbers of the steps in a file of the runtime, sorted."""
        found = set()
        if Path(path).exists():
            for line in set(Path(path).read_text(errors="replace").splitlines()):
                mark, value, offset, module = line.split(" ", 3)
                found.add(self.number(int(mark), int(value), int(offset, 16), module))
        return sorted(found)
