"""What came out, for one seed and for all."""

import collections
import statistics

import seed_results


def compiled(results):
    return [row for result in results for row in result["edits"] if row["compiles"]]


def share(row):
    return 100 * row["selected"] / max(1, row["tests"])


def print_seed(result):
    rows = compiled([result])
    if result["failed"]:
        print(f"seed {result['seed']}: {result['failed']}")
    else:
        print(f"seed {result['seed']}: {len(rows)} of {len(result['edits'])} edits compile, "
              f"{sum(row['changed'] for row in rows)} tests changed, "
              f"{statistics.mean(map(share, rows or [NOTHING])):.0f} % selected ({result['seconds']:.0f} s)")
    for rule, number, text in seed_results.breaches(result):
        row = next((row for row in result["edits"] if row["number"] == number), {})
        print(f"BREACH of {rule} in seed {result['seed']}" +
              (f", edit {number} ({', '.join(row['kinds'])})" if row else "") +
              f": {text[:2000]}" + (f"\n    kept in {row['kept']}" if "kept" in row else ""))
    for row in rows:
        if row.get("unstable"):
            print(f"unstable by itself: seed {result['seed']}, edit {row['number']}: {row['unstable']}")
    print(end="", flush=True)


NOTHING = {"selected": 0, "tests": 1}


def print_totals(results, version):
    rows = compiled(results)
    of_use = [result for result in results if not result["failed"]]
    found = [breach for result in results for breach in seed_results.breaches(result)]
    missed = sum(len(text.split(": ")[1].split()) for rule, _, text in found if rule == "R1")
    changed = sum(row["changed"] for row in rows)
    print(f"\nretest {version}\n")
    print(f"{len(of_use)} projects ({len(results) - len(of_use)} seeds gave none), "
          f"{sum(len(r['edits']) for r in results)} edits, {len(rows)} compile, "
          f"{sum(bool(row['changed']) for row in rows)} change a test")
    print(f"{sum(row['tests'] for row in rows)} tests of edited projects, {changed} changed, "
          f"{changed - missed} of these selected, {missed} missed")
    rules = collections.Counter(rule for rule, _, _ in found)
    print(f"breaches: {', '.join(f'{rule}: {count}' for rule, count in sorted(rules.items())) or 'none'}")
    print_costs(results, rows)
    print_levels(rows)
    print_kinds(rows)


def print_costs(results, rows):
    if rows:
        build, select = (statistics.median(row["seconds"][i] for row in rows) for i in (0, 1))
        print(f"{sum(r['seconds'] for r in results) / len(rows):.2f} s for each edit with all around it; "
              f"median of building and running {build:.2f} s, of selecting {select:.2f} s")


def print_levels(rows):
    sampled = [row for row in rows if "levels" in row]
    if sampled:
        print(f"selected in {len(sampled)} edits: {statistics.mean(map(share, sampled)):.1f} % at edges" + "".join(
            f", {statistics.mean(100 * row['levels'][level] / row['tests'] for row in sampled):.1f} % at {level}"
            for level in sampled[0]["levels"]))


def print_kinds(rows):
    """Edits that were made alone; the others are in one line."""
    kinds = collections.defaultdict(list)
    for row in rows:
        kind = "on top of others" if row["is_piled"] else "several" if len(row["kinds"]) > 1 else row["kinds"][0]
        kinds[kind].append(row)
    print("\n| edit | projects edited | change a test | % of tests changed | % selected | all, by fallback |")
    print("|---|---|---|---|---|---|")
    for kind, some in [*sorted(kinds.items()), ("all", rows)] if rows else []:
        print(f"| {kind} | {len(some)} | {sum(bool(row['changed']) for row in some)} | "
              f"{statistics.mean(100 * row['changed'] / max(1, row['tests']) for row in some):.1f} | "
              f"{statistics.mean(map(share, some)):.1f} | {sum(bool(row['reason']) for row in some)} |")
