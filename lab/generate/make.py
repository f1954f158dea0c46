"""Makes a random program: the same for each seed.

Functions come in levels, and a body calls only what comes before it, so every program ends: first
constexpr functions, then plain helpers, then classes, then functions that use them, then the tests.
"""

from program import Class, Function, Global, Line, Method, Parameter, Return
from statements import METHOD, BodyScope, Maker

TYPES = ["unsigned", "unsigned char", "unsigned short", "unsigned long"]


def add_constants(maker):
    p = maker.program
    for _ in range(maker.random.randrange(1, 3)):
        p.macros.append([maker.fresh("M"), maker.literal()])
    p.macros.append([maker.fresh("M") + "(x)", f"((x) * {maker.literal()} + {maker.literal()})"])
    p.enums.append([maker.fresh("Enum"), [[maker.fresh("k"), ""] for _ in range(4)]])
    for _ in range(maker.random.randrange(1, 3)):
        add_function(maker, 0, is_constexpr=True)
    for _ in range(maker.random.randrange(1, 3)):
        value = maker.expression(BodyScope(0, None, []), 2)
        p.constants.append([maker.fresh("K"), value])


def add_globals(maker, unit_count):
    p = maker.program
    for _ in range(maker.random.randrange(1, 4)):
        is_const = maker.chance(4)
        p.globals.append(Global("unsigned", maker.fresh("g"), maker.literal(),
                                maker.random.randrange(unit_count), is_const))
    values = ", ".join(maker.literal() for _ in range(4))
    p.globals.append(Global("unsigned {}[4]", maker.fresh("t"), f"{{{values}}}",
                            maker.random.randrange(unit_count), maker.chance(2)))


def add_late_globals(maker, unit_count):
    """Tables of functions, and what runs before main."""
    p = maker.program
    callees = [f.name for f in p.functions if not f.is_static and not f.template
               and len(f.parameters) == 1 and f.parameters[0].type == "unsigned" and f.cost < 30]
    if len(callees) >= 2:
        values = ", ".join(maker.pick(callees) for _ in range(3))
        p.globals.append(Global("unsigned (*{}[3])(unsigned)", maker.fresh("ops"), f"{{{values}}}",
                                maker.random.randrange(unit_count)))
    for _ in range(maker.random.randrange(3)):
        unit = maker.random.randrange(unit_count)
        scope = BodyScope(1, unit, [], 200)
        p.globals.append(Global("unsigned", maker.fresh("d"), maker.call(scope, 1), unit))


def add_function(maker, level, is_constexpr=False, template=False, objects=(), unit=None):
    p, scope_unit = maker.program, None
    f = Function(maker.fresh("c" if is_constexpr else "f"), [], [], is_constexpr=is_constexpr)
    if not is_constexpr and not template:
        f.unit = scope_unit = maker.any_unit() if unit is None else unit
        f.is_static = f.unit is not None and maker.chance(4)
        f.is_noexcept = maker.chance(8)
    f.parameters = [Parameter("a")] + ([Parameter("b")] if maker.chance(2) else [])
    names = [q.name for q in f.parameters]
    if template:
        f.template, f.parameters, names = "template <class T>", [Parameter("a", "T")], ["unsigned(a)"]
        names.append("unsigned(sizeof(T))")
    elif maker.chance(3):
        f.parameters[-1].default = maker.literal()
    scope = BodyScope(level, scope_unit, names)
    for kind in objects:
        f.parameters.insert(0, Parameter("o", kind + " &"))
        scope.objects.append(("o", kind))
    scope.is_quiet = not maker.chance(2)
    f.body = maker.body(scope, maker.random.randrange(1, 5), 1 if is_constexpr else 2)
    f.body.append(Return(maker.expression(scope)))
    f.cost = scope.used()
    p.functions.append(f)
    return f


def method_scope(maker, c, names, earlier):
    scope = BodyScope(1, None, names + [f"unsigned({n})" for k in maker.lineage(c.name)
                                        for _, n, _ in k.fields], METHOD)
    scope.own_methods = earlier
    scope.is_quiet = True
    return scope


def add_method(maker, c, name, is_virtual, earlier):
    m = Method(name, [Parameter("x")], [], is_virtual, unit=maker.any_unit())
    scope = method_scope(maker, c, ["x"], earlier)
    scope.unit = None  # what is internal to a unit stays out of classes
    m.body = maker.body(scope, maker.random.randrange(0, 2), 1)
    m.body.append(Return(maker.expression(scope, 1)))
    m.is_noexcept = False
    c.methods.append(m)
    return m


def add_class(maker, prefix, bases, names):
    c = Class(maker.fresh(prefix), bases, [], [], [])
    maker.program.classes.append(c)
    for _ in range(maker.random.randrange(1, 3)):
        c.fields.append([maker.pick(TYPES), maker.fresh("n"), maker.literal()])
    if maker.chance(3):
        c.statics.append([maker.fresh("S"), maker.literal()])
    c.has_virtual_destructor = not bases and bool(names)
    scope = method_scope(maker, c, ["a"], [])
    c.constructor = [Line(f"{c.fields[0][1]} = {maker.expression(scope, 1)}")]
    if maker.chance(2):
        c.destructor = [Line(f"out({maker.expression(method_scope(maker, c, [], []), 1)})")]
        c.destructor_unit = maker.any_unit()
    if maker.chance(4):
        c.copies = [Line(f"{c.fields[0][1]} += {maker.literal()}")]
    for index, name in enumerate(names):
        if not bases or maker.chance(2):
            add_method(maker, c, name, not bases or maker.chance(2), names[:index])
    if maker.chance(3):
        add_method(maker, c, maker.fresh("m"), False, names)
    if names and not bases and maker.chance(3):  # calls a method while it is made
        c.constructor.append(Line(f"out({names[0]}(a))"))
    return c


def add_classes(maker):
    roots = []
    for _ in range(maker.random.randrange(1, 3)):
        names = [maker.fresh("m") for _ in range(maker.random.randrange(1, 4))]
        root = add_class(maker, "A", [], names)
        roots.append(root)
        family = [root.name]
        for _ in range(maker.random.randrange(1, 4)):
            base = maker.pick(family)
            bases = ["virtual " + base if maker.chance(6) else base]
            is_there = roots[0] in maker.lineage(base)
            if not is_there and maker.chance(4):
                bases.append(roots[0].name)
            family.append(add_class(maker, "B", bases, names).name)
    base = add_class(maker, "E", [], [])
    base.destructor = None
    for _ in range(maker.random.randrange(1, 3)):
        derived = add_class(maker, "E", [base.name], [])
        derived.destructor = None


def make(seed):
    maker = Maker(seed)
    p = maker.program
    add_constants(maker)
    add_globals(maker, p.units)
    for _ in range(maker.random.randrange(2, 5)):
        add_function(maker, 1)
    if maker.chance(2):
        add_function(maker, 1, template=True)
    add_late_globals(maker, p.units)
    add_classes(maker)
    kinds = [c.name for c in p.classes if not c.name.startswith("E")]
    for index in range(maker.random.randrange(3, 7)):
        add_function(maker, 2, objects=[maker.pick(kinds)] if index % 2 else [])
    for _ in range(6):
        test = add_function(maker, 2, unit=p.units - 1)
        p.functions.remove(test)
        test.name, test.parameters = maker.fresh("test"), []
        test.is_static, test.is_noexcept = True, False
        test.body.insert(0, Line(f"unsigned a = {maker.literal()}, b = {maker.literal()}"))
        p.tests.append(test)
    return p
