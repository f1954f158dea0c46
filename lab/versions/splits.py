"""What changed from one version of a project to the next, as edits: all of it, each file alone, each hunk alone."""

import hashlib
import re
import subprocess

LEFT_OUT = ("debian/", ".github/", ".git", "doc", "docs/", "build/")
HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", re.M)


def git_files(tree):
    text = subprocess.run(["git", "ls-files", "-z"], cwd=tree, check=True, stdout=subprocess.PIPE).stdout
    return {name for name in text.decode().split("\0")
            if name and not name.startswith(LEFT_OUT) and (tree / name).is_file()}


def hunks(before, after):
    """(first line, number of lines, new lines) of each place where two files differ."""
    done = subprocess.run(["git", "diff", "--no-index", "--no-ext-diff", "-U0", before, after],
                          stdout=subprocess.PIPE)
    lines = after.read_bytes().splitlines(True)
    for found in HUNK.finditer(done.stdout):
        start, count, first, more = (int(group) if group else 1 for group in found.groups())
        # Nothing on one side: the place is behind the line that is named.
        start, first = start - (count != 0), first - (more != 0)
        yield start, count, lines[first:first + more]


def edit(kind, file, line, what, more):
    """`more` is what lab/subjects/edits.py makes of it; `what`: bytes that tell it from others."""
    return {"key": f"{kind}:{file}:{line}:{hashlib.sha256(what).hexdigest()[:12]}", "kind": kind, "file": file,
            "line": line, "function": "", **more}


def whole(before, after):
    """The later version, but for what is left out."""
    contents = {}
    earlier, later = git_files(before), git_files(after)
    for name in sorted(earlier | later):
        content = (after / name).read_bytes() if name in later else None
        if name not in earlier or (before / name).read_bytes() != content:
            contents[name] = content
    return edit("version", "", 0, repr(contents).encode(), {"contents": contents})


def parts(before, after):
    """Each file that both versions have, alone, and each of its hunks alone, if there are several."""
    for name in sorted(git_files(before) & git_files(after)):
        text, new = (before / name).read_bytes(), (after / name).read_bytes()
        if text == new or b"\0" in text:
            continue
        found = list(hunks(before / name, after / name))
        yield edit("file", name, found[0][0] + 1 if found else 1, new, {"contents": {name: new}})
        for start, count, lines in found if len(found) > 1 else []:
            yield edit("hunk", name, start + 1, repr((count, lines)).encode(), {"hunk": (start, count, lines)})
