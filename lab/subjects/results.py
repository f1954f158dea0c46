"""What is known about edits, a line of JSON each, so that runs add up.

What tests do with an edit depends on the project alone ("outcome"), what is selected on retest as well
("selection"): another version of retest has to select again, and nothing has to be built or run. The files
are part of the repository (lab/results), so that figures can be checked, and grow over many days. Hence tests are
numbers there: ranges of places in the sorted list of all tests, a row of its own.
"""

import json


def ranges(numbers):
    """"0-3,7" """
    text, numbers = [], sorted(numbers)
    while numbers:
        length = 1
        while length < len(numbers) and numbers[length] == numbers[0] + length:
            length += 1
        text.append(str(numbers[0]) if length == 1 else f"{numbers[0]}-{numbers[length - 1]}")
        numbers = numbers[length:]
    return ",".join(text)


def numbers_of(text):
    for part in text.split(",") if text else []:
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


class Results:
    def __init__(self, file, tree):
        self.file, self.tree = file, tree
        self.names, self.places = [], {}
        self.outcomes, self.selections = {}, {}  # by key of the edit; selections by version of retest, too
        for line in file.read_text().splitlines() if file.exists() else []:
            try:
                self._take(json.loads(line))
            except ValueError:
                pass  # the last one of a run that was killed

    def use_tests(self, names):
        """From here on, tests are these."""
        if self.names != sorted(names):
            self._write({"what": "tests", "tree": self.tree, "names": sorted(names)})

    def add_outcome(self, edit, compiles, changed=None, relinked=(), flaky=(), hidden=None):
        """`changed`: {test: how}. `hidden`: those that changed only in a process of their own, if that was looked at."""
        row = {"what": "outcome", "tree": self.tree, "edit": edit, "compiles": compiles}
        if compiles:
            by_how = {}
            for test, how in changed.items():
                by_how.setdefault(how, []).append(self.places[test])
            row |= {"changed": {how: ranges(some) for how, some in sorted(by_how.items())},
                    "relinked": ranges(self.places[test] for test in relinked)}
        if flaky:
            row["flaky"] = sorted(flaky)
        if hidden is not None:
            row["hidden"] = sorted(hidden)
        self._write(row)
        return self.outcomes[edit["key"]]

    def add_selection(self, edit, version, **facts):
        self._write({"what": "selection", "tree": self.tree, "edit": edit["key"], "retest": version, **facts})

    def _write(self, row):
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with open(self.file, "a") as out:
            out.write(json.dumps(row, separators=(",", ":")) + "\n")
        self._take(row)

    def _take(self, row):
        if row["tree"] != self.tree:
            return
        if row["what"] == "tests":
            # Another retest may split programs into other tests: what is known is about tests that are no more.
            self.outcomes, self.selections = {}, {}
            self.names = row["names"]
            self.places = {name: place for place, name in enumerate(self.names)}
        elif row["what"] == "outcome":
            self.outcomes[row["edit"]["key"]] = self._with_names(row)
        else:
            self.selections.setdefault(row["edit"], {})[row["retest"]] = row

    def _with_names(self, row):
        row = {"flaky": [], **row}
        row["changed"] = {self.names[place]: how for how, some in row.get("changed", {}).items()
                          for place in numbers_of(some)}
        row["relinked"] = {self.names[place] for place in numbers_of(row.get("relinked", ""))}
        return row

    def latest(self):
        """(edit, outcome, selection) of all that compile: the newest answer to each edit."""
        for key, outcome in self.outcomes.items():
            if outcome["compiles"] and self.selections.get(key):
                yield outcome["edit"], outcome, list(self.selections[key].values())[-1]


def read_all(file):
    """{tree: Results} of all versions of the project that a file tells of."""
    trees = {json.loads(line)["tree"] for line in file.read_text().splitlines() if line.endswith("}")}
    return {tree: Results(file, tree) for tree in sorted(trees)}
