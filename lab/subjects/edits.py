"""An edit of a project: one change that is made to both copies, and taken back.

A dictionary, as it is written to the results:

    {"key": "src/a.cpp:120-121:-", "kind": "arithmetic", "file": "src/a.cpp", "line": 7,
     "function": "sum", "readers": 3}

and "begin", "end" and "replacement" (bytes of that file), or "hunk" (first line from 0, number of lines, the lines
there are instead), or "contents" ({file: bytes, or None if the file is deleted}). The last two are not written to the
results.
"""

import os
import subprocess


def mutated(text, edit):
    """The file's bytes with a mutant. Lines stay where they are: nothing but the mutant may change."""
    before = text[edit["begin"]:edit["end"]]
    after = edit["replacement"].encode()
    after += b"\n" * (before.count(b"\n") - after.count(b"\n"))
    return text[:edit["begin"]] + after + text[edit["end"]:]


def with_hunk(text, hunk):
    start, count, new = hunk
    lines = text.splitlines(True)
    return b"".join(lines[:start] + new + lines[start + count:])


def files_of(edit):
    return list(edit.get("contents", [edit["file"]]))


def contents(edit, copy):
    """{path: bytes, or None} that the edit leaves in a copy."""
    if "contents" in edit:
        return {copy / file: content for file, content in edit["contents"].items()}
    path = copy / edit["file"]
    change = with_hunk(path.read_bytes(), edit["hunk"]) if "hunk" in edit else mutated(path.read_bytes(), edit)
    return {path: change}


class Applied:
    """The edit is in a copy of the project inside of a with statement."""

    def __init__(self, copy, edit):
        self.copy, self.edit = copy, edit

    def __enter__(self):
        after = contents(self.edit, self.copy)
        self.before = {path: path.read_bytes() if path.exists() else None for path in after}
        self.new_directories = []
        for path, content in after.items():
            self._put(path, content)

    def __exit__(self, *_):
        for path, content in self.before.items():
            self._put(path, content)
        for directory in reversed(self.new_directories):
            if not os.listdir(directory):
                directory.rmdir()

    def _put(self, path, content):
        if content is None:
            path.unlink(missing_ok=True)
            return
        missing = [parent for parent in path.parents if not parent.exists()]
        self.new_directories += reversed(missing)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def patch_of(copy):
    """What is edited in a copy now, as a patch."""
    subprocess.run(["git", "add", "-AN", "."], cwd=copy, check=True)
    try:
        return subprocess.run(["git", "diff"], cwd=copy, check=True, stdout=subprocess.PIPE).stdout
    finally:
        subprocess.run(["git", "reset", "-q"], cwd=copy, check=True)


def builds(copy):
    done = subprocess.run(["cmake", "--build", copy / "build"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace")
    return done.returncode == 0, done.stdout
