"""Tables over all results of some projects."""

import collections
import statistics

from selections import LEVELS


def fell_back(selection):
    return any(selection[level]["reason"] for level in LEVELS)


def share(selection, level):
    return selection[level]["selected"] / max(1, selection[level]["total"])


def shares(rows):
    """Mean share selected at each level, in per cent."""
    return [f"{100 * statistics.mean(share(s, level) for _, _, s in rows):.1f}" if rows else "-"
            for level in LEVELS]


def print_projects(projects, version):
    """projects: {name: Results}"""
    print(f"retest {version}\n")
    print("| project | tests | mutants | do not compile | change a test | tests changed | skipped of these | "
          "all by fallback | % selected: edges | functions | files |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    every = []
    for name, results in projects.items():
        rows = list(results.of(version))
        every += rows
        print_row(name, results, rows)
    if len(projects) > 1:
        print_row("all", None, every)
    print_kinds(every)


def print_row(name, results, rows):
    broken = sum(not outcome["compiles"] for outcome in results.outcomes.values()) if results else ""
    tests = max((s["edges"]["total"] for _, _, s in rows), default=0) if results else ""
    told = [row for row in rows if not fell_back(row[2])]
    print(f"| {name} | {tests} | {len(rows)} | {broken} | "
          f"{sum(bool(o['changed']) for _, o, _ in rows)} | {sum(len(o['changed']) for _, o, _ in rows)} | "
          f"{sum(len(s['escaped']) for _, _, s in rows)} | {len(rows) - len(told)} | "
          f"{' | '.join(shares(told))} |")


def print_kinds(rows):
    kinds = collections.defaultdict(list)
    for row in rows:
        kinds[row[0]["kind"]].append(row)
    print("\n| kind | mutants | change a test | % selected: edges | functions | files |\n|---|---|---|---|---|---|")
    for kind, some in sorted(kinds.items()):
        told = [row for row in some if not fell_back(row[2])]
        print(f"| {kind} | {len(some)} | {sum(bool(o['changed']) for _, o, _ in some)} | "
              f"{' | '.join(shares(told))} |")


def print_remarks(projects, version):
    """What has to be looked at: escapes, fallbacks, doubts, levels out of order."""
    for name, results in projects.items():
        for mutant, outcome, selection in results.of(version):
            where = f"{name} {mutant['file']}:{mutant['line']}:{mutant['column']} {mutant['kind']}"
            for test in selection["escaped"]:
                print(f"ESCAPED {where}: {test} ({outcome['changed'].get(test)})")
            for text in selection["unordered"]:
                print(f"unordered {where}: {text}")
            if fell_back(selection):
                print(f"all by fallback {where}: {selection['edges']['reason']}")
            for doubt in selection["edges"]["doubts"]:
                print(f"doubt {where}: {doubt}")
            for test in outcome["flaky"]:
                print(f"flaky {where}: {test}")
