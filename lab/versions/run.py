"""Released versions of real projects: what changed from one to the next, whole and in parts.

    scripts/lab versions EARLIER:LATER... [--count N] [--minutes M] [--report]

Both are names for bench/projects: `yaml-cpp@bullseye:yaml-cpp`. The earlier version is recorded. Releases lie far
apart, so beside the whole difference each file of it alone is an edit, and each hunk alone; most hunks
compile without the others. What is checked of each: lab/subjects/experiment.py.

Results are kept, and a run goes on where the last one has ended. Exits 1 if a test has escaped.
"""

import random
import sys
import time

import report
from commands import fetch
from experiment import Experiment, parser, read_options
from splits import parts, whole

WIDE = 10  # a file that more units read is dear to build


def in_order(edits, readers, seed):
    """Shuffled; of files that many units read, and of those that no unit reads, only some are early."""
    for edit in edits:
        edit["readers"] = readers[edit["file"]]
    random.Random(seed).shuffle(edits)
    narrow = [edit for edit in edits if 0 < edit["readers"] <= WIDE]
    wide = [edit for edit in edits if edit["readers"] > WIDE]
    others = [edit for edit in edits if edit["readers"] == 0]
    mixed = []
    while narrow or wide:
        mixed += narrow[:7] + wide[:2] + others[:1]
        narrow, wide, others = narrow[7:], wide[2:], others[1:]
    return mixed


def main():
    made = parser(__doc__)
    made.add_argument("--seed", type=int, default=1)
    options = read_options(made)
    until = time.monotonic() + 60 * options.minutes
    known = {}
    for pair in options.projects:
        earlier, _, later = pair.partition(":")
        experiment = Experiment("versions", earlier, options)
        known[experiment.project.name] = [experiment.results]
        if options.report:
            continue
        experiment.prepare()
        before, after = experiment.project.origin, fetch(later, "--source")
        edits = in_order(list(parts(before, after)), experiment.project.readers(), options.seed)
        experiment.run([{**whole(before, after), "readers": 0}, *edits], until)
    return report.show(known)


if __name__ == "__main__":
    sys.exit(main())
