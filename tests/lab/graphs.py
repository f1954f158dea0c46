"""Compares the graphs that `retest graph --all --format json` writes, but for positions."""

import json

# Where things are, and numbers that count within one document.
POSITIONS = {"id", "file", "begin", "end", "expansion"}


def meaning(value):
    if isinstance(value, dict):
        return {key: meaning(part) for key, part in value.items() if key not in POSITIONS}
    if isinstance(value, list):
        return [meaning(part) for part in value]
    return value


def by_name(entities):
    """All variants of each name, as sorted text."""
    result = {}
    for entity in entities:
        text = json.dumps(meaning(entity), sort_keys=True)
        result.setdefault(entity["name"], {})[text] = entity
    return result


def differences(baseline, current):
    """One row per entity that is not the same: kind, name, what happened, both variants."""
    rows = []
    for kind in ("functions", "classes", "variables"):
        before, after = by_name(baseline[kind]), by_name(current[kind])
        for name in sorted(before.keys() | after.keys()):
            old, new = before.get(name, {}), after.get(name, {})
            if old.keys() == new.keys():
                continue
            gone = [old[text] for text in old if text not in new]
            come = [new[text] for text in new if text not in old]
            what = "changed" if gone and come else "gone" if gone else "new"
            rows.append((kind, name, what, gone, come))
    return rows


def places(graph):
    return [function.get("begin") for function in graph["functions"]]


def place(entity):
    return f"{entity.get('file', '?')}:{entity.get('begin', ['?'])[0]}"


def first_difference(old, new):
    """The first part in which two variants differ, for a reader."""
    for key in old.keys() | new.keys():
        if key in POSITIONS or key in ("nodes", "edges"):
            continue
        if meaning(old.get(key)) != meaning(new.get(key)) and key != "fingerprint":
            return f"{key}: {old.get(key)} / {new.get(key)}"
    nodes = list(zip(old.get("nodes", []), new.get("nodes", [])))
    for number, (a, b) in enumerate(nodes):
        if meaning(a) == meaning(b):
            continue
        for x, y in zip(a.get("elements", []), b.get("elements", [])):
            if x["fingerprint"] != y["fingerprint"]:
                file = x.get("file", old.get("file", "?"))
                return (f"node {number} ({a['kind']}): element at {file}:{x.get('begin')} "
                        f"now {y.get('begin')}")
        return f"node {number}: {strip(a)} / {strip(b)}"
    if len(old.get("nodes", [])) != len(new.get("nodes", [])):
        return f"{len(old['nodes'])} nodes / {len(new['nodes'])} nodes"
    if meaning(old.get("edges")) != meaning(new.get("edges")):
        return "edges"
    return "fingerprint alone"


def strip(node):
    return json.dumps(meaning(node), sort_keys=True)[:300]
