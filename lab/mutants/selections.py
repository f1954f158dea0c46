"""What `retest select` says about a mutant, at each granularity."""

import collections
import json
import subprocess

LEVELS = ("edges", "functions", "files")


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


def selected_names(answer):
    return {name_of(test) for test in answer["selected"]}


def described(answer):
    """What is kept of an answer."""
    rules = collections.Counter(reason["rule"] for test in answer["selected"]
                                for reason in test["reasons"][:1])
    return {"kind": answer["kind"], "reason": answer["reason"], "selected": len(answer["selected"]),
            "total": answer["total"], "verdicts": dict(collections.Counter(
                test["verdict"] for test in answer["selected"])),
            "rules": dict(rules), "doubts": [doubt["text"] for doubt in answer["doubts"]],
            "edges": sorted({f"{r.get('function')}: {r.get('edge')}" for t in answer["selected"]
                             for r in t["reasons"] if r.get("edge")})[:5]}


def select_all_levels(retest, copy, baseline, work):
    """{level: (names selected, description)}"""
    found = {}
    for level in LEVELS:
        answer = select(retest, copy, baseline, level, work / f"selection-{level}.json")
        found[level] = (selected_names(answer), described(answer))
    return found
