"""Tables of chains.

    scripts/lab report chains [DIRECTORY]     of what is in lab/results (or DIRECTORY)
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def rows_of(file):
    """A chain that was interrupted is begun again: its steps count once."""
    rows = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    return list({(row["chain"], row["step"]): row for row in rows}.values())


def show(chains):
    """`chains`: {project: rows}. 1 if a test was missed or a matrix differs."""
    print("| project | chains | steps | tests changed | missed | % selected | pairs compared | differ |")
    print("|---|---|---|---|---|---|---|---|")
    for name, rows in chains.items():
        show_row(name, rows)
    every = [row for rows in chains.values() for row in rows]
    if len(chains) > 1:
        show_row("all", [{**row, "chain": (name, row["chain"])} for name, rows in chains.items() for row in rows])
    return 1 if any(row["missed"] or row["differences"] for row in every) else 0


def show_row(name, rows):
    steps = [row for row in rows if row["total"]]
    print(f"| {name} | {len({row['chain'] for row in steps})} | {len(steps)} | {sum(row['changed'] for row in steps)} | "
          f"{sum(len(row['missed']) for row in steps)} | "
          f"{100 * sum(row['selected'] / row['total'] for row in steps) / max(1, len(steps)):.1f} | "
          f"{sum(row['pairs'] for row in steps)} | {sum(row['differences'] for row in steps)} |")


def main():
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "lab/results"
    return show({file.stem: rows_of(file) for file in sorted((place / "chains").glob("*.jsonl"))})


if __name__ == "__main__":
    sys.exit(main())
