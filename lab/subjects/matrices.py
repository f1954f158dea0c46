"""Recorded matrices, and where two of them differ."""

import collections
import itertools
import json
import subprocess


def matrix_of(show_matrix, store, baseline):
    return json.loads(subprocess.run([show_matrix, "--all", store, baseline],
                                     stdout=subprocess.PIPE, check=True).stdout)


def differing_tests(a, b, names):
    """[text] for tests that only one of the two has or measured."""
    found = []
    for test in sorted({*a["tests"], *b["tests"]}):
        for matrix, other, name, other_name in [(a, b, *names), (b, a, *reversed(names))]:
            if test not in other["tests"]:
                found.append(f"{test}: only in {name}")
            elif test in other["unmeasured"] and test not in matrix["unmeasured"]:
                why = other["unmeasured"][test]
                found.append(f"{test}: measured in {name}, not in {other_name}: {why}")
    return found


def rows_of(matrix):
    """By name, and by how many had that name before: the classes of entry and edges."""
    rows, seen = {}, collections.Counter()
    for name, classes in matrix["rows"]:
        rows[name, seen[name]] = classes
        seen[name] += 1
    return rows


class Sets:
    """The common tests of two classes. Most probes share their classes with many others."""

    def __init__(self, a, b, common):
        self.classes = [[{matrix["tests"][number] for number in numbers} & common
                         for numbers in matrix["classes"]] for matrix in (a, b)]
        self.known = {}

    def compare(self, left, right):
        """How many tests are in any of the two; those only in the left, only in the right one."""
        if (left, right) not in self.known:
            a, b = self.classes[0][left], self.classes[1][right]
            self.known[left, right] = len(a | b), a - b, b - a
        return self.known[left, right]


def measured_in_both(a, b):
    return ({*a["tests"]} - a["unmeasured"].keys()) & ({*b["tests"]} - b["unmeasured"].keys())


def differing_edges(a, b, common):
    """How many pairs were compared; {(test, function): (edges only in a, edges only in b)}."""
    sets = Sets(a, b, common)
    left, right = rows_of(a), rows_of(b)
    pairs, found = 0, collections.defaultdict(lambda: ([], []))
    for name in sorted({*left, *right}):
        probes = itertools.zip_longest(left.get(name, []), right.get(name, []), fillvalue=0)
        for place, (class_a, class_b) in enumerate(probes):
            count, *only = sets.compare(class_a, class_b)
            pairs += count
            for side, tests in enumerate(only):
                for test in tests:
                    found[test, name[0]][side].append(place - 1 if place else "entry")
    return pairs, found


def differences(a, b, names=("the first", "the second")):
    """How many pairs of test and edge were compared, how many tests are equal, and what differs, a line each."""
    problems = differing_tests(a, b, names)
    common = measured_in_both(a, b)
    pairs, found = differing_edges(a, b, common)
    equal = len(common - {test for test, _ in found})
    return pairs, equal, problems + [f"{test}: {function}: only in {names[0]} {only_a}, only in {names[1]} {only_b}"
                              for (test, function), (only_a, only_b) in sorted(found.items())]
