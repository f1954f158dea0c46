"""What is kept of each seed in the repository: a line of numbers, so that days add up.

Seeds that are there are not tried again, whatever version of retest they were asked of: more seeds tell more.

    scripts/lab report end-to-end [FILE]     default: what is in lab/results
"""

import json
import sys
from pathlib import Path

import seed_results
from seed_report import compiled, share


def summary_of(result, version):
    rows = compiled([result])
    sampled = [row for row in rows if "levels" in row]
    found = seed_results.breaches(result)
    return {"seed": result["seed"], "retest": version, "edits": len(result["edits"]), "compiled": len(rows),
            "changing": sum(bool(row["changed"]) for row in rows), "tests": sum(row["tests"] for row in rows),
            "changed": sum(row["changed"] for row in rows),
            "selected": sum(row["selected"] for row in rows),
            "breaches": sorted(f"{rule} edit {number}: {text[:200]}" for rule, number, text in found),
            "sampled": len(sampled),
            "shares": {"edges": total(map(share, sampled)),
                       **{level: total(100 * row["levels"][level] / row["tests"] for row in sampled)
                          for level in (sampled[0]["levels"] if sampled else [])}}}


def total(numbers):
    return round(sum(numbers), 1)


def read(file):
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def add(file, result, version):
    if result["failed"]:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    with open(file, "a") as out:
        out.write(json.dumps(summary_of(result, version), separators=(",", ":")) + "\n")


def show(file):
    """Over all versions of retest; 1 if a rule was broken."""
    rows = read(file)
    sums = {name: sum(row[name] for row in rows)
            for name in ("edits", "compiled", "changing", "tests", "changed", "selected", "sampled")}
    print("| projects | edits | compile | change a test | tests of edited projects | changed | selected | breaches |\n"
          "|---|---|---|---|---|---|---|---|")
    print(f"| {len(rows)} | {sums['edits']} | {sums['compiled']} | {sums['changing']} | {sums['tests']} | "
          f"{sums['changed']} | {100 * sums['selected'] / max(1, sums['tests']):.1f} % | "
          f"{sum(len(row['breaches']) for row in rows)} |")
    levels = {level for row in rows for level in row["shares"]}
    print(f"selected in {sums['sampled']} edits, of which all levels were asked: " + ", ".join(
        f"{sum(row['shares'].get(level, 0) for row in rows) / max(1, sums['sampled']):.1f} % at {level}"
        for level in sorted(levels)))
    for row in rows:
        for text in row["breaches"]:
            print(f"BREACH in seed {row['seed']}, {row['retest']}: {text}")
    return 1 if any(row["breaches"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(show(Path(sys.argv[1]) if len(sys.argv) > 1 else
                  Path(__file__).resolve().parents[1] / "results/end-to-end.jsonl"))
