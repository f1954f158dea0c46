"""Small pieces of C++ with alternatives in them, each for one way in which behaviour hides.

They are written down in gadgets/*.txt:

    == default argument                       its name, which is also the name of edits of it
    -- header                                 in a header that the units of the gadget include
    unsigned scale$(unsigned a, unsigned b = <<2u||3u>>);
    -- unit                                   in some unit; a second `-- unit` may be in another one
    unsigned scale$(unsigned a, unsigned b) { return a * b; }
    -- unit
    unsigned use$(unsigned x) { return scale$(x) + EXPR; }

`$` is a number that makes names unique, EXPR any expression of `x`, and `<<a||b>>` a knob: each
instance has one of the alternatives, and an edit takes another one. Every gadget defines
`unsigned use$(unsigned x)`, which others call.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

HOLE = re.compile(r"<<(.*?)>>|\bEXPR\b", re.DOTALL)
COST = 80  # statements that a call may run, about


@dataclass
class Gadget:
    name: str
    number: str
    sections: list  # [kind, text with holes, unit; None for the header]
    values: list = field(default_factory=list)  # of the holes, in order

    @property
    def entry(self):
        return f"use{self.number}"

    @property
    def header_name(self):
        return f"gadget{self.number}.h"

    def _filled(self):
        """The sections with their holes filled."""
        values = iter(self.values)
        for kind, text, unit in self.sections:
            text = HOLE.sub(lambda _: next(values), text)
            yield kind, text.replace("$", self.number), unit

    def header(self):
        inside = [text for kind, text, _ in self._filled() if kind == "header"]
        return "\n".join(["#pragma once", '#include "p.h"', *inside]) + "\n"

    def unit(self, index):
        # In angles: a header of that name in a directory that comes first is another one.
        inside = [text for kind, text, unit in self._filled() if kind == "unit" and unit == index]
        return [f"#include <{self.header_name}>", *inside] if inside else []


def read_all():
    """{name: its sections as [kind, text]}"""
    found = {}
    for file in sorted((Path(__file__).resolve().parent / "gadgets").glob("*.txt")):
        for part in re.split(r"^== ", file.read_text(), flags=re.MULTILINE)[1:]:
            name, _, rest = part.partition("\n")
            pieces = re.split(r"^-- (\w+)\n", rest, flags=re.MULTILINE)[1:]
            assert name not in found, name
            found[name] = [list(pair) for pair in zip(pieces[::2], pieces[1::2])]
    return found


def holes(sections):
    """The alternatives of each hole; None where any expression may stand."""
    return [None if match[1] is None else match[1].split("||")
            for section in sections for match in HOLE.finditer(section[1])]


def make_gadget(maker, name, sections, expression):
    """An instance with random values, its parts in different units; `expression` makes one for EXPR."""
    number = maker.fresh("")
    units = iter(maker.random.sample(range(maker.program.units), maker.program.units))
    placed = [[kind, text.rstrip("\n"), next(units) if kind == "unit" else None]
              for kind, text in sections]
    values = [expression() if choices is None else maker.pick(choices) for choices in holes(sections)]
    return Gadget(name, number, placed, values)


def turn(maker, gadget, expression):
    """Another value for one hole."""
    all_choices = holes(gadget.sections)
    index = maker.random.randrange(len(all_choices))
    others = [c for c in all_choices[index] or [expression()] if c != gadget.values[index]]
    if not others:
        return False
    gadget.values[index] = maker.pick(others)
    return True
