"""What is known, in a file for each version of retest and seed, so that runs add up."""

import json


def file_of(options, seed):
    return options.work / options.version / f"seed-{seed}.json"


def write(options, seed, result):
    """Whole or not at all: the run may be ended at any time."""
    file = file_of(options, seed)
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    part.write_text(json.dumps(result))
    part.rename(file)


def read_all(options):
    """Of this version of retest."""
    found = [json.loads(file.read_text()) for file in (options.work / options.version).glob("seed-*.json")]
    return sorted(found, key=lambda result: result["seed"])


def breaches(result):
    """What speaks against retest: [(rule, edit or None, text)]"""
    found = [(rule, None, text) for rule, text in result["rules"]]
    for row in result["edits"]:
        found += [(rule, row["number"], text) for rule, text in row["breaches"]]
    return found
