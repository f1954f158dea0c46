"""A retest that skips every test, to see that an experiment finds that out."""

# Says of each selected test that it may be skipped, once a file is not as it was in a commit.
BLIND = """#!/usr/bin/env -S python3 -B
import json, subprocess, sys
words = sys.argv[1:]
code = subprocess.run([{retest!r}, *words]).returncode
if "select" in words and subprocess.run(["git", "diff", "--quiet", {base!r}]).returncode:
    file = words[words.index("-o") + 1]
    answer = json.load(open(file))
    answer["skipped"] += answer.pop("selected")
    json.dump({{**answer, "kind": "none", "selected": []}}, open(file, "w"))
sys.exit(code)
"""


def blind_retest(retest, work, base="HEAD"):
    """The program, made in a directory. It sees while nothing differs from `base`."""
    blind = work / "blind"
    blind.write_text(BLIND.format(retest=str(retest), base=base))
    blind.chmod(0o755)
    return blind
