"""What is known about mutants, a line of JSON each, so that runs add up.

What tests do with a mutant depends on the project alone ("outcome"), what is selected on retest as well
("selection"): another version of retest has to select again, and nothing has to be built or run.
"""

import json


class Results:
    def __init__(self, file, tree):
        self.file, self.tree = file, tree
        self.outcomes, self.selections = {}, {}
        for line in file.read_text().splitlines() if file.exists() else []:
            try:
                self._take(json.loads(line))
            except ValueError:
                pass  # the last one of a run that was killed

    def _take(self, row):
        if row["tree"] != self.tree:
            return
        if row["what"] == "outcome":
            self.outcomes[row["mutant"]["key"]] = row
        else:
            self.selections[row["mutant"], row["retest"]] = row

    def add(self, **row):
        row = {"tree": self.tree, **row}
        with open(self.file, "a") as out:
            out.write(json.dumps(row) + "\n")
        self._take(row)

    def of(self, version):
        """(mutant, outcome, selection) of all that compile and are known for a version of retest."""
        for key, outcome in self.outcomes.items():
            selection = self.selections.get((key, version))
            if outcome["compiles"] and selection:
                yield outcome["mutant"], outcome, selection
