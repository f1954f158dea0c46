"""Makes a random project: the same for each seed."""

import gadgets
import statements
from make import (add_classes, add_constants, add_function, add_globals, add_late_globals)
from program import Line, Return
from project import Project, Test
from statements import BodyScope

MAINS = ["chain", "table", "registered"]
DATA = ["data/one.txt", "data/two.txt", "data/three.txt"]
MAYBE = "data/maybe.txt"  # looked for, and not there


class ProjectMaker(statements.Maker):
    """Also calls gadgets."""

    def __init__(self, seed):
        super().__init__(seed)
        r = self.random
        self.program = Project(r.choice([2, 3, 3, 4]), [], [], [], [], [], [], [])

    def call(self, scope, depth):
        found = getattr(self.program, "gadgets", [])
        if scope.level >= 2 and found and self.chance(3) and scope.take(gadgets.COST):
            return f"{self.pick(found).entry}({self.expression(scope, 0)})"
        return super().call(scope, depth)

    def gadget_expression(self):
        return self.expression(BodyScope(1, None, ["x"], 50), 1)


def choose_shape(maker, seed):
    """How the project is built, and how tests are found."""
    p = maker.program
    if seed % 16 == 5:
        p.main = "gtest"
    elif seed % 16 == 13:
        p.main = "doctest"
    else:
        p.main = maker.pick(MAINS)
    p.link = maker.pick(["STATIC", "STATIC", "OBJECT", "SHARED", ""])
    p.programs = 1 if not p.link else maker.pick([1, 2, 2, 3])


def add_gadgets(maker, count):
    known = gadgets.read_all()
    for name in maker.random.sample(sorted(known), count):
        maker.program.gadgets.append(
            gadgets.make_gadget(maker, name, known[name], maker.gadget_expression))


def add_case(maker, body):
    """A test of some program."""
    p = maker.program
    test = body()
    test.name, test.parameters = maker.fresh("test"), []
    test.is_static = test.is_noexcept = False
    case = Test(test, maker.random.randrange(p.programs))
    p.cases.append(case)
    p.tests.append(test)
    return case


def random_body(maker):
    """Calls whatever it likes."""
    test = add_function(maker, 2, unit=1000)  # no unit: what is internal to one is not seen
    maker.program.functions.remove(test)
    test.body.insert(0, Line(f"unsigned a = {maker.literal()}, b = {maker.literal()}"))
    return test


def driving_body(maker):
    """Calls a few things and little else, so that few tests reach each of them."""
    p, test = maker.program, random_body(maker)
    values = [f"{g.entry}({maker.literal()})" for g in p.gadgets]
    values += [f"{f.name}({maker.literal()}, {maker.literal()})" for f in p.functions
               if f.unit is not None and not f.is_static and len(f.parameters) == 2
               and f.parameters[0].type == "unsigned"]
    lines = [Line(f"out({maker.pick(values)})") for _ in range(maker.random.randrange(1, 4))]
    test.body = [test.body[0], *lines, Return(maker.pick(values))]
    return test


def add_surroundings(maker, case):
    """What a test takes from outside: files, arguments, the environment."""
    body, p = case.function.body, maker.program
    match maker.random.randrange(6):
        case 0:
            body.insert(1, Line(f'out(readFile("{maker.pick(DATA + [MAYBE])}"))'))
        case 1 if not p.has_framework:
            case.argument = str(maker.random.randrange(9))
            body.insert(1, Line("a += input"))
        case 2 if not p.has_framework:
            case.mode = str(maker.random.randrange(9))
            body.insert(1, Line("b += mode()"))


def make_project(seed):
    maker = ProjectMaker(seed)
    p = maker.program
    choose_shape(maker, seed)
    add_constants(maker)
    add_globals(maker, p.units)
    for _ in range(maker.random.randrange(2, 5)):
        add_function(maker, 1)
    if maker.chance(2):
        add_function(maker, 1, template=True)
    add_late_globals(maker, p.units)
    add_gadgets(maker, 10)
    add_classes(maker)
    kinds = [c.name for c in p.classes if not c.name.startswith("E")]
    for index in range(maker.random.randrange(5, 9)):
        add_function(maker, 2, objects=[maker.pick(kinds)] if index % 2 else [])
    for name in DATA:
        p.data[name] = f"{maker.literal()} {maker.literal()}\n"
    for _ in range(maker.random.randrange(20, 41)):
        add_surroundings(maker, add_case(maker, lambda: maker.pick(
            [random_body, driving_body, driving_body])(maker)))
    shown = [g.name for g in p.globals if g.type == "unsigned" and not g.is_const]
    p.shown = shown[0] if shown and maker.chance(3) else ""
    return p
