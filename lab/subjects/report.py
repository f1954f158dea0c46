"""Tables over all results of some projects.

    scripts/lab report EXPERIMENT [--selectors] [DIRECTORY]     of what is in lab/results (or DIRECTORY)

With --selectors only the comparison with other selectors.
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


def print_others(projects):
    """The same edits for other selectors, and for ours: % of tests selected, and how many tests that change were skipped."""
    asked = {name: [row for one in results for row in one.latest() if "others" in row[2] and not fell_back(row[2])]
             for name, results in projects.items()}
    asked = {name: rows for name, rows in asked.items() if rows}
    if len(asked) > 1:
        asked["all"] = [row for rows in asked.values() for row in rows]
    others = list(next(iter(asked.values()))[0][2]["others"]) if asked else []
    if not others:
        return
    columns = others + [f"retest, {level}" for level in reversed(LEVELS)]
    print(f"\n| project | edits | {' | '.join(columns)} |\n|---|---|" + "---|" * len(columns))
    for name, rows in asked.items():
        cells = [other(rows, selector) for selector in others] + [ours(rows, level) for level in reversed(LEVELS)]
        print(f"| {name} | {len(rows)} | {' | '.join(cells)} |")


def other(rows, selector):
    return cell([(*s["others"][selector], s["total"]) for _, _, s in rows])


def ours(rows, level):
    return cell([(s["selected"][level], len(s["escaped"]) if level == "edges" else 0, s["total"]) for _, _, s in rows])


def cell(asked):
    """"12.3" or "12.3, 4 skipped" """
    share = 100 * statistics.mean(selected / max(1, total) for selected, _, total in asked)
    missed = sum(missed for _, missed, _ in asked)
    return f"{share:.1f}" + (f", **{missed} skipped**" if missed else "")


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
    print_others(projects)
    print()
    print_remarks(projects)
    versions = collections.Counter(selection["retest"] for _, _, selection in every)
    print(f"{len(every)} edits, asked of retest {', '.join(f'{v} ({n})' for v, n in versions.items())}")
    return 1 if any(selection["escaped"] for _, _, selection in every) else 0


def main():
    words = [word for word in sys.argv[1:] if word != "--selectors"]
    if not 1 <= len(words) <= 2:
        sys.exit(__doc__)
    place = Path(words[1] if len(words) == 2 else ROOT / "lab/results") / words[0]
    files = sorted(place.glob("*.jsonl"))
    if not files:
        sys.exit(f"{place}: no results here")
    projects = {file.stem: list(read_all(file).values()) for file in files}
    return print_others(projects) if "--selectors" in sys.argv else show(projects)


if __name__ == "__main__":
    sys.exit(main())
