"""The files of a project, in a directory that git knows, and what differs between two versions."""

import difflib
import subprocess


def git(tree, *words):
    subprocess.run(["git", "-c", "user.name=lab", "-c", "user.email=lab@localhost", *words], cwd=tree,
                   check=True, stdout=subprocess.DEVNULL)


class Tree:
    """The files of the project, as they are now."""

    def __init__(self, directory):
        self.directory, self.files = directory, {}
        directory.mkdir(parents=True)

    def become(self, files):
        """Writes what differs."""
        for name in self.files.keys() - files.keys():
            (self.directory / name).unlink()
        for name, text in files.items():
            if self.files.get(name) != text:
                path = self.directory / name
                path.parent.mkdir(exist_ok=True)
                path.write_text(text)
        self.files = dict(files)


def patch(before, after):
    """From one set of files to another."""
    lines = []
    for name in sorted(before.keys() | after.keys()):
        old, new = (f"{side}/{name}" if name in files else "/dev/null"
                    for side, files in (("a", before), ("b", after)))
        difference = list(difflib.unified_diff(before.get(name, "").splitlines(True),
                                               after.get(name, "").splitlines(True), old, new))
        lines += [f"diff --git a/{name} b/{name}\n"] * bool(difference) + difference
    return "".join(lines)
