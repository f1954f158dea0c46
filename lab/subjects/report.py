"""Tables over all results of some projects.

    scripts/lab report EXPERIMENT [DIRECTORY]     of what is in lab/results (or DIRECTORY)
"""

import collections
import statistics
import sys
from pathlib import Path

from commands import ROOT
from results import read_all
from selections import LEVELS


def fell_back(selection):
    return "reason" in selection


def share(selection, level):
    return selection["selected"][level] / max(1, selection["total"])


def shares(rows):
    """Mean share selected at each level, in per cent, and of the tests of relinked programs."""
    if not rows:
        return ["-"] * (len(LEVELS) + 1)
    relinked = [len(outcome["relinked"]) / max(1, selection["total"]) for _, outcome, selection in rows]
    return [f"{100 * statistics.mean(share(s, level) for _, _, s in rows):.1f}" for level in LEVELS] + \
        [f"{100 * statistics.mean(relinked):.1f}"]


def print_projects(projects):
    """projects: {name: [Results]}"""
    print("| project | tests | edits | do not compile | change a test | tests changed | skipped of these | "
          f"all by fallback | % selected: {' | '.join(LEVELS)} | relinked |")
    print("|---|" + "---|" * (8 + len(LEVELS)))
    every = []
    for name, results in projects.items():
        rows = [row for one in results for row in one.latest()]
        every += rows
        broken = sum(not outcome["compiles"] for one in results for outcome in one.outcomes.values())
        print_row(name, str(broken), rows)
    if len(projects) > 1:
        print_row("all", "", every)
    return every


def print_row(name, broken, rows):
    tests = max((selection["total"] for _, _, selection in rows), default=0) if broken else ""
    told = [row for row in rows if not fell_back(row[2])]
    print(f"| {name} | {tests} | {len(rows)} | {broken} | "
          f"{sum(bool(o['changed']) for _, o, _ in rows)} | {sum(len(o['changed']) for _, o, _ in rows)} | "
          f"{sum(len(s['escaped']) for _, _, s in rows)} | {len(rows) - len(told)} | "
          f"{' | '.join(shares(told))} |")


def print_kinds(rows):
    kinds = collections.defaultdict(list)
    for row in rows:
        kinds[row[0]["kind"]].append(row)
    print(f"\n| kind | edits | change a test | % selected: {' | '.join(LEVELS)} | relinked |")
    print("|---|" + "---|" * (3 + len(LEVELS)))
    for kind, some in sorted(kinds.items()):
        told = [row for row in some if not fell_back(row[2])]
        print(f"| {kind} | {len(some)} | {sum(bool(o['changed']) for _, o, _ in some)} | "
              f"{' | '.join(shares(told))} |")


def print_others(rows):
    """The same edits for other selectors, and for ours."""
    rows = [row for row in rows if "others" in row[2] and not fell_back(row[2])]
    if not rows:
        return
    print("\n| selector | % selected | tests that change and are skipped | edits with such a test |\n|---|---|---|---|")
    for name in rows[0][2]["others"]:
        asked = [(s["others"][name], s["total"]) for _, _, s in rows]
        print_other(name, [(selected, total, missed) for (selected, missed), total in asked])
    for level in LEVELS:
        print_other(f"retest, {level}", [(s["selected"][level], s["total"], len(s["escaped"]) if level == "edges" else 0)
                                         for _, _, s in rows])


def print_other(name, asked):
    share = statistics.mean(selected / max(1, total) for selected, total, _ in asked)
    print(f"| {name} | {100 * share:.1f} | {sum(missed for _, _, missed in asked)} | "
          f"{sum(missed > 0 for _, _, missed in asked)} of {len(asked)} |")


def print_remarks(projects):
    """What has to be looked at: escapes, fallbacks, levels out of order, what only runs alone have shown."""
    for name, results in projects.items():
        for one in results:
            looked = [outcome["hidden"] for outcome in one.outcomes.values() if "hidden" in outcome]
            if looked:
                print(f"{name}: {len(looked)} edits with each test in a process of its own; that alone showed "
                      f"{sum(map(len, looked))} tests that change")
            for edit, outcome, selection in one.latest():
                where = f"{name} {edit['file']}:{edit['line']} {edit['kind']}"
                for test in selection["escaped"]:
                    print(f"ESCAPED {where}: {test} ({outcome['changed'].get(test)})")
                for text in selection.get("unordered", []):
                    print(f"unordered {where}: {text}")
                if fell_back(selection):
                    print(f"all by fallback {where}: {selection['reason']}")
                for test in outcome["flaky"]:
                    print(f"flaky {where}: {test}")


def show(projects):
    """Prints everything; 1 if a test has escaped."""
    every = print_projects(projects)
    print_kinds(every)
    print_others(every)
    print()
    print_remarks(projects)
    versions = collections.Counter(selection["retest"] for _, _, selection in every)
    print(f"{len(every)} edits, asked of retest {', '.join(f'{v} ({n})' for v, n in versions.items())}")
    return 1 if any(selection["escaped"] for _, _, selection in every) else 0


def main():
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    place = Path(sys.argv[2] if len(sys.argv) == 3 else ROOT / "lab/results") / sys.argv[1]
    files = sorted(place.glob("*.jsonl"))
    if not files:
        sys.exit(f"{place}: no results here")
    return show({file.stem: list(read_all(file).values()) for file in files})


if __name__ == "__main__":
    sys.exit(main())
