"""Draws edits of a project."""

import copy

import edit_bodies
import edit_declarations
import edit_nothing
import edit_project
import edit_refactor
from make_project import ProjectMaker

HARMLESS = edit_nothing.EDITS + edit_nothing.RARE
TRIES = 20  # not each edit finds a place


def group(maker):
    """A list of edits, by how much is to be learnt from them and what they cost."""
    return maker.random.choices(
        [edit_bodies.EDITS, edit_declarations.EDITS, edit_refactor.EDITS, edit_project.QUICK,
         edit_project.SLOW, edit_nothing.EDITS, edit_nothing.RARE],
        [20, 25, 15, 25, 7, 8, 1])[0]


def edited(project, seed, number):
    """The project after one to three edits, their names, and whether none of them may matter."""
    maker = ProjectMaker(seed * 100_003 + number)
    maker.program, maker.number = copy.deepcopy(project), 10_000 + 100 * number
    names, is_harmless = [], True
    wanted = maker.pick([1, 1, 1, 1, 2, 3])
    for _ in range(TRIES):
        edit = maker.pick(edits := group(maker))
        if done := edit(maker):
            names.append(done if isinstance(done, str) else edit.__name__)
            is_harmless = is_harmless and edit in HARMLESS
            if edits in (edit_nothing.EDITS, edit_nothing.RARE):
                wanted = min(wanted, 1)  # alone, to see that they select nothing
        if len(names) >= wanted:
            break
    return maker.program, names, is_harmless
