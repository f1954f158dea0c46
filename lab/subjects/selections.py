"""What `retest select` says about an edit, at each granularity."""

import collections
import json
import subprocess

LEVELS = ("edges", "functions", "files")
Choice = collections.namedtuple("Choice", "names skipped facts")


def name_of(test):
    """As suite.py names tests."""
    return f"{test['binary']}::{test['name']}" if test["binary"] else test["name"]


def select(retest, copy, baseline, level, output):
    """Its JSON."""
    command = [retest, "-q", "select", "--base", baseline, "--format", "json", "--granularity", level,
               "-o", output]
    done = subprocess.run(command, cwd=copy, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.stdout}")
    return json.loads(output.read_text())


def names_of(tests):
    return {name_of(test) for test in tests}


def facts_of(answer):
    """What is kept of an answer."""
    rules = collections.Counter(reason["rule"] for test in answer["selected"]
                                for reason in test["reasons"][:1])
    facts = {"total": answer["total"], "rules": dict(rules.most_common(4))}
    if answer["reason"]:
        facts["reason"] = answer["reason"]
    if answer["doubts"]:
        facts["doubts"] = [doubt["text"] for doubt in answer["doubts"][:3]]
    return facts


def select_all_levels(retest, copy, baseline, work):
    """{level: Choice}"""
    found = {}
    for level in LEVELS:
        answer = select(retest, copy, baseline, level, work / f"selection-{level}.json")
        found[level] = Choice(names_of(answer["selected"]), names_of(answer["skipped"]), facts_of(answer))
    return found
