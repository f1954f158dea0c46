"""Mutants of real projects: every test that one of them changes must be selected.

    scripts/lab mutants PROJECT... [--count N] [--minutes M] [--report]

A project is one of bench/projects, or the directory of a small one (examples/avg). A mutant is one small
change in a unit or header (lab/mutants/find_mutants.h). What is checked of each: lab/subjects/experiment.py.

Results are kept, and a run goes on where the last one has ended: with the next N mutants of each project, in an
order that --seed decides. With `--results lab/results` they are kept in the repository. Exits 1 if a test has escaped.
"""

import sys
import time
from pathlib import Path

import report
from experiment import Experiment, parser, read_options
from mutants import in_order, list_mutants

def read_arguments():
    made = parser(__doc__)
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--per-function", type=int, default=6, metavar="N")
    made.add_argument("--mutate", type=Path, help="default: the one in --bin")
    options = read_options(made)
    options.mutate = (options.mutate or options.bin / "lab/mutants/mutate").resolve()
    return options


def main():
    options = read_arguments()
    until = time.monotonic() + 60 * options.minutes
    experiments = [Experiment("mutants", name, options) for name in options.projects]
    for experiment in experiments if not options.report else []:
        experiment.prepare()
        mutants = list_mutants(experiment.project, options.mutate)
        experiment.run(in_order(mutants, options.seed, options.per_function), until)
    return report.show({experiment.project.name: [experiment.results] for experiment in experiments})


if __name__ == "__main__":
    sys.exit(main())
