"""The steps of a chain: mutants come and go, a few at a time, with comments in between."""

import random


def comment(file):
    """A line that changes nothing but where things are."""
    return {"key": f"comment:{file}", "kind": "comment", "file": file, "line": 1, "function": "",
            "hunk": (0, 0, [b"// A comment, to move what follows.\n"])}


class Steps:
    """Draws the edits of one chain. Those that are in the program at a time are in different files, so that each
    can go without the others."""

    MOST = 3  # mutants in the program

    def __init__(self, mutants, seed):
        self.random = random.Random(seed)
        self.mutants = list(mutants)
        self.random.shuffle(self.mutants)
        self.files = sorted({mutant["file"] for mutant in self.mutants})
        self.present = []

    def next(self):
        """("adds" or "removes", edit)"""
        taken = {edit["file"] for edit in self.present}
        free = [file for file in self.files if file not in taken]
        draw = self.random.random()
        if self.present and (len(self.present) > self.MOST or draw < 0.4 or not free):
            return "removes", self.random.choice(self.present)
        if draw > 0.9:
            return "adds", comment(self.random.choice(free))
        mutant = next((mutant for mutant in self.mutants if mutant["file"] not in taken), None)
        self.mutants.remove(mutant)
        return "adds", mutant

    def done(self, how, edit):
        if how == "adds":
            self.present.append(edit)
        else:
            self.present.remove(edit)
