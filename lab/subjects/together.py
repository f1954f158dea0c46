"""All tests of a GoogleTest program in one process: a quick look at which of them an edit may change.

A process for each of a thousand tests takes seconds, and most edits change few of them. What a test writes
stands between two lines of GoogleTest, so a run of the whole program tells what each of them did, up to
what the tests before it have left in memory. So this is only for tests that do the same as before; of others a process of their own decides.
"""

import re

from run_test import run_test

MOST = 256 << 20
RUN = re.compile(rb"^\[ RUN      \] (\S+)\n", re.M)
END = re.compile(rb"^\[( *OK *| *FAILED *| *SKIPPED *)\] (\S+?),? .*$", re.M)


def parts_of(text):
    """{name: what stands between its lines, with how it ended}; not of one that has not ended."""
    parts = {}
    pieces = RUN.split(text)
    for name, piece in zip(pieces[1::2], pieces[2::2]):
        end = next((found for found in END.finditer(piece) if found[2] == name), None)
        if end:
            parts[name.decode("utf-8", "replace")] = piece[:end.end()]
    return parts


def programs_of(tests):
    """{(command, directory): {test: its name there}} of tests that GoogleTest runs."""
    programs = {}
    for test, (command, directory, variables) in tests.items():
        chosen = [word for word in command if word.startswith("--gtest_filter=")]
        if len(chosen) != 1:
            continue
        rest = tuple(word for word in command if word != chosen[0])
        key = (rest, directory, tuple(sorted(variables.items())))
        programs.setdefault(key, {})[test] = chosen[0].partition("=")[2]
    return {key: names for key, names in programs.items() if len(names) > 1}


def run_together(program, names, scratch, limit):
    """{test: what it did}, of those that have ended."""
    command, directory, variables = program
    test = ([*command, "--gtest_color=no"], directory, dict(variables))
    _, text, _ = run_test(test, scratch, limit, MOST)
    parts = parts_of(text)
    return {test: parts[name] for test, name in names.items() if name in parts}
