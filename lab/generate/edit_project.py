"""Edits of what is around functions and classes: gadgets, tests, data files, units, the build.

An edit may return a name: then it is counted under that.
"""

import copy

import gadgets
from edit_declarations import choose
from make_project import DATA, MAYBE, add_case, driving_body


# Gadgets.

def turn_gadget(maker):
    """One of the many ways in which behaviour hides: counted under its name."""
    gadget = maker.pick(maker.program.gadgets)
    return gadgets.turn(maker, gadget, maker.gadget_expression) and gadget.name


def add_gadget(maker):
    known = gadgets.read_all()
    name = maker.pick(sorted(known))
    maker.program.gadgets.append(
        gadgets.make_gadget(maker, name, known[name], maker.gadget_expression))
    return True


def shadow_header(maker):
    """A header of the same name in a directory that is searched first."""
    other = copy.deepcopy(maker.pick(maker.program.gadgets))
    if not gadgets.turn(maker, other, maker.gadget_expression):
        return False
    maker.program.extra[f"shadow/{other.header_name}"] = other.header()
    return True


def add_optional_header(maker):
    """One that was looked for with __has_include."""
    def edit(g):
        maker.program.extra[f"optional{g.number}.h"] = f"#define OPTIONAL{g.number} {maker.literal()}\n"
    return choose(maker, [g for g in maker.program.gadgets if g.name == "optional header"], edit)


# Tests.

def add_test(maker):
    case = add_case(maker, lambda: driving_body(maker))
    maker.random.shuffle(maker.program.cases) if maker.chance(2) else None
    return case is not None


def remove_test(maker):
    p = maker.program
    case = maker.pick(p.cases)
    if len(p.tests_of(case.program)) < 2:
        return False
    p.cases.remove(case)
    p.tests.remove(case.function)
    return True


def rename_test(maker):
    case = maker.pick(maker.program.cases)
    case.function.name = maker.fresh("test")
    return True


def change_expected(maker):
    maker.pick(maker.program.cases).expected = maker.literal()
    return True


def change_argument(maker):
    def edit(case):
        case.argument = maker.literal().rstrip("u")
    return choose(maker, [c for c in maker.program.cases if c.argument], edit)


def change_environment(maker):
    def edit(case):
        case.mode = maker.literal().rstrip("u")
    return choose(maker, [c for c in maker.program.cases if c.mode], edit)


# Data files.

def change_data(maker):
    maker.program.data[maker.pick(DATA)] = f"{maker.literal()} {maker.random.randrange(1000)}\n"
    return True


def add_data(maker):
    maker.program.data[MAYBE] = "4\n"
    return True


def remove_data(maker):
    return maker.program.data.pop(maker.pick(DATA), None) is not None


# Units and the build.

def add_unit(maker):
    """A unit that something may run in, before main."""
    p = maker.program
    number = maker.fresh("")
    globals_ = [g.name for g in p.globals if g.type == "unsigned" and not g.is_const]
    lines = ['#include "p.h"', f"unsigned added{number}(unsigned a) {{ return a + {maker.literal()}; }}"]
    if globals_ and maker.chance(2):
        lines.append(f"static unsigned runs{number} = ({maker.pick(globals_)} += {maker.literal()});")
    p.extra[f"added{number}.cpp"] = "\n".join(lines) + "\n"
    p.unit_names.append(f"added{number}.cpp")
    return True


def remove_unit(maker):
    """What it has goes to another one."""
    p = maker.program
    units = [u for u in p.library_units() if u.startswith("u")]
    if len(units) < 2:
        return False
    gone, heir = (int(name[1:-4]) for name in maker.random.sample(units, 2))
    things = [*p.functions, *p.globals, *(m for c in p.classes for m in c.methods)]
    for thing in things:
        thing.unit = heir if thing.unit == gone else thing.unit
    for c in p.classes:
        c.destructor_unit = heir if c.destructor_unit == gone else c.destructor_unit
    for g in p.gadgets:
        for section in g.sections:
            section[2] = heir if section[2] == gone else section[2]
    p.order = [u for u in p.library_units() if u != f"u{gone}.cpp"]
    p.texts.append(lambda files: files.pop(f"u{gone}.cpp"))
    return True


def reorder_units(maker):
    """Also the order in which their globals are initialised."""
    p = maker.program
    p.order = [u for u in p.library_units() if u not in p.unit_names]
    maker.random.shuffle(p.order)
    return True


def change_options(maker):
    p = maker.program
    unit = maker.pick([f"u{i}.cpp" for i in range(p.units)] + [f"t{i}.cpp" for i in range(p.programs)])
    p.definitions_of[unit] = maker.pick(["-DUNUSED=1", "-O1", "-fwrapv", "-DTWO=2;-Wall"])
    return True


def change_link(maker):
    p = maker.program
    if not p.link:
        return False
    p.link = maker.pick([link for link in ("STATIC", "OBJECT", "SHARED") if link != p.link])
    return True


def move_gadget(maker):
    """Its code goes to other units."""
    for section in maker.pick(maker.program.gadgets).sections:
        if section[0] == "unit":
            section[2] = maker.random.randrange(maker.program.units)
    return True


def add_initialiser_to_tests(maker):
    """In a test program: runs before all of its tests."""
    p = maker.program
    globals_ = [g.name for g in p.globals if g.type == "unsigned" and not g.is_const]
    if not globals_:
        return False
    unit, line = f"t{maker.random.randrange(p.programs)}.cpp", (
        f"static unsigned before{maker.fresh('')} = ({maker.pick(globals_)} ^= {maker.literal()});")

    def edit(files):
        files[unit] += line + "\n"
    p.texts.append(edit)
    return True


# What CMake has to be asked about takes longer, and so is rarer.
QUICK = [turn_gadget] * 12 + [change_data] * 2 + [change_expected, move_gadget, move_gadget,
                                                 add_initialiser_to_tests]
SLOW = [add_gadget, shadow_header, add_optional_header, add_test, remove_test, rename_test, change_argument,
        change_environment, add_data, remove_data, add_unit, remove_unit, reorder_units, change_options,
        change_link]
