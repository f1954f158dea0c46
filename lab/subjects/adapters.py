"""What other selectors would choose, driven with the same edits and judged by the same outcomes.

Each adapter is a function from an edit to the tests that such a tool selects:

    retest-all  everything
    relinked    the tests of programs that the build links anew: what users of ninja and CTest have
    file        tests that were seen to run code of a file that changed (TIAF, Ekstazi)
    function    tests that were seen to run a function of which a line changed (BinaryRTS; RTS++ asks its call graph)

What tests were seen to run is taken from retest's own recording, from the counters of functions alone: nothing of
what it knows besides (values, layouts, virtual calls, initialisers) is used. So these are those tools at their
best, with exact coverage, and without their opt-in approximations.
"""

import collections


class Coverage:
    """Which tests entered which function; where functions are."""

    def __init__(self, matrix, graph):
        self.tests = [name.removeprefix("::") for name in matrix["tests"]]  # a plain entry has no binary
        entered = collections.defaultdict(set)
        for name, classes in matrix["rows"]:
            _, _, function = name.partition(": ")
            if not name.startswith("constructed: "):
                entered[function] |= {self.tests[number] for number in matrix["classes"][classes[0]]}
        self.by_file = collections.defaultdict(list)  # (first line, last line, tests)
        for function in graph["functions"]:
            tests = entered.get(function["name"])
            if tests and "file" in function:
                self.by_file[function["file"]].append((function["begin"][0], function["end"][0], tests))

    def of_file(self, file):
        return set().union(*(tests for _, _, tests in self.by_file.get(file, [])))

    def of_lines(self, file, first, last):
        return set().union(*(tests for begin, end, tests in self.by_file.get(file, [])
                             if begin <= last and first <= end))


def changed_lines(edit, text):
    """First and last line, of the file as it was, that the edit changes."""
    if "hunk" in edit:
        start, count, _ = edit["hunk"]
        return start + 1, start + max(1, count)
    return text[:edit["begin"]].count(b"\n") + 1, text[:edit["end"]].count(b"\n") + 1


def choices(edit, text, coverage, relinked):
    """{adapter: tests}, for an edit of one file, whose text as it was is given."""
    return {"retest-all": set(coverage.tests), "relinked": set(relinked),
            "file": coverage.of_file(edit["file"]),
            "function": coverage.of_lines(edit["file"], *changed_lines(edit, text))}
