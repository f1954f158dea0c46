"""The mutants of a project, in the order in which they are tried."""

import collections
import json
import random
import subprocess

from projects import DIRECTORIES, digest

WIDE = 10  # a header that more units read is dear to build with a mutant: at most a tenth are in such


def list_mutants(project, mutate):
    """All mutants of a project, each with its key and with how many units read its file. They are found once."""
    file = project.work / f"mutants-{project.tree[:12]}-{digest(mutate)}.json"
    if not file.exists():
        inside = [word for name in DIRECTORIES.get(project.kind, []) for word in ("--in", name)]
        file.write_text(subprocess.run([mutate, project.plain, project.plain / "build", *inside, *project.units()],
                                       stdout=subprocess.PIPE, check=True, text=True).stdout)
    found = json.loads(file.read_text())["mutants"]
    readers = project.readers()
    for mutant in found:
        mutant["key"] = f"{mutant['file']}:{mutant['begin']}-{mutant['end']}:{mutant['replacement']}"
        mutant["readers"] = readers[mutant["file"]]
    return found


def in_order(mutants, seed, per_function):
    """Shuffled, kinds in turn, and not more than so many of one function: long tables and long
    functions would be most of them otherwise. Headers that nearly all units read come once in ten."""
    mutants = sorted(mutants, key=lambda mutant: mutant["key"])
    random.Random(seed).shuffle(mutants)
    kinds, taken = collections.defaultdict(list), collections.Counter()
    for mutant in mutants:
        taken[mutant["file"], mutant["function"]] += 1
        if taken[mutant["file"], mutant["function"]] <= per_function:
            kinds[mutant["kind"]].append(mutant)
    rounds = max(map(len, kinds.values()), default=0)
    mixed = [kinds[kind][i] for i in range(rounds) for kind in sorted(kinds) if i < len(kinds[kind])]
    narrow = [mutant for mutant in mixed if mutant["readers"] <= WIDE]
    wide = iter([mutant for mutant in mixed if mutant["readers"] > WIDE])
    if not narrow:  # a library of headers: all there is
        return list(wide)
    result = []
    for mutant in narrow:
        result.append(mutant)
        if len(result) % 10 == 9:
            result += [other for other in [next(wide, None)] if other]
    return result
