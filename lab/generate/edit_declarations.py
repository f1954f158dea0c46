"""Edits outside of functions: what changes the behaviour of code that stays as it is."""

import copy
import re

from make import add_method
from program import Function, Global, Line, Method, Parameter, Return


def plain_classes(maker):
    return [c for c in maker.program.classes if not c.name.startswith("E")]


def derived_classes(maker):
    return [c for c in plain_classes(maker) if c.bases]


def inherited_methods(maker, c):
    own = [m.name for m in c.methods]
    return [m for base in maker.lineage(c.name)[1:] for m in base.methods if m.name not in own]


def choose(maker, choices, edit):
    """Applies the edit to one of the choices, if there is one."""
    choices = list(choices)
    if not choices:
        return False
    edit(maker.pick(choices))
    return True


def number_in(maker, text):
    """One number of a text replaced."""
    found = list(re.finditer(r"\b\d+u?\b", text))
    if not found:
        return text
    match = maker.pick(found)
    return text[:match.start()] + maker.literal() + text[match.end():]


# Compile-time values.

def change_macro(maker):
    macro = maker.pick(maker.program.macros)
    macro[1] = number_in(maker, macro[1])
    return True


def change_enum(maker):
    values = maker.pick(maker.program.enums)[1]
    match maker.random.randrange(3):
        case 0:
            values.insert(maker.random.randrange(len(values) + 1), [maker.fresh("k"), ""])
        case 1:
            values[-1][1] = maker.literal()
        case 2:
            maker.random.shuffle(values)
    return True


def change_constant(maker):
    def edit(constant):
        constant[1] = number_in(maker, constant[1])
    return choose(maker, maker.program.constants, edit)


def change_static_constant(maker):
    def edit(static):
        static[1] = maker.literal()
    return choose(maker, [s for c in maker.program.classes for s in c.statics], edit)


# Functions.

def change_default_argument(maker):
    def edit(parameter):
        parameter.default = maker.literal()
    return choose(maker, [f.parameters[-1] for f in maker.program.functions if f.parameters
                          and f.parameters[-1].type == "unsigned"], edit)


def change_noexcept(maker):
    def edit(f):
        f.is_noexcept = not f.is_noexcept
    methods = [m for c in plain_classes(maker) for m in c.methods if not m.is_virtual]
    return choose(maker, maker.program.functions + methods, edit)


def add_overload(maker):
    """A candidate that is better for some calls."""
    def edit(f):
        other = copy.deepcopy(f)
        other.parameters[-1].type = maker.pick(["int", "unsigned char", "unsigned long"])
        other.parameters[-1].default = ""
        other.unit, other.is_static = f.unit, f.is_static
        other.body.insert(0, Line(f"out({maker.literal()})") if not f.is_constexpr
                          else Return(maker.literal()))
        maker.program.functions.append(other)
    return choose(maker, [f for f in maker.program.functions if not f.template
                          and f.parameters[-1].type == "unsigned"], edit)


def add_specialisation(maker):
    def edit(f):
        kind = maker.pick(["int", "unsigned", "unsigned char"])
        special = Function(f.name, [Parameter("a", kind)], [Return(f"unsigned(a) + {maker.literal()}")],
                           template="template <>", arguments=f"<{kind}>")
        if maker.chance(3):  # a plain function wins over a template
            special.template = special.arguments = ""
        maker.program.functions.append(special)
    return choose(maker, [f for f in maker.program.functions if f.template == "template <class T>"],
                  edit)


def move_function(maker):
    def edit(f):
        f.unit = maker.any_unit()
        f.is_static = False
    return choose(maker, [f for f in maker.program.functions if not f.is_constexpr
                          and not f.template], edit)


def reorder_functions(maker):
    plain = [f for f in maker.program.functions if not f.is_constexpr and not f.template]
    rest = [f for f in maker.program.functions if f not in plain]
    maker.random.shuffle(plain)
    maker.program.functions[:] = rest + plain
    return True


# Globals.

def change_global(maker):
    def edit(g):
        if "(*" in g.type:
            names = re.findall(r"f\d+", g.value)
            if names:  # an earlier edit may have emptied the table
                g.value = "{" + ", ".join(maker.pick(names) for _ in range(3)) + "}"
        else:
            g.value = number_in(maker, g.value)
    return choose(maker, maker.program.globals, edit)


def reorder_globals(maker):
    maker.random.shuffle(maker.program.globals)
    return True


def move_global(maker):
    def edit(g):
        g.unit = maker.random.randrange(maker.program.units)
    return choose(maker, maker.program.globals, edit)


def make_global_dynamic(maker):
    def edit(g):
        callees = [f for f in maker.program.functions if not f.is_static and not f.template
                   and len(f.parameters) == 1 and f.parameters[0].type == "unsigned"]
        if callees:
            g.value = f"{maker.pick(callees).name}({maker.literal()})"
    return choose(maker, [g for g in maker.program.globals if g.type == "unsigned"], edit)


def add_global(maker):
    """Something that runs before main."""
    targets = [g.name for g in maker.program.globals if g.type == "unsigned" and not g.is_const]
    if not targets:
        return False
    value = f"({maker.pick(targets)} += {maker.literal()})"
    maker.program.globals.append(Global("unsigned", maker.fresh("d"), value,
                                        maker.random.randrange(maker.program.units)))
    return True


def change_const(maker):
    def edit(g):
        g.is_const = not g.is_const
    return choose(maker, maker.program.globals, edit)


# Classes.

def change_virtual(maker):
    def edit(m):
        m.is_virtual = not m.is_virtual
    return choose(maker, [m for c in plain_classes(maker) for m in c.methods], edit)


def add_override(maker):
    def edit(c):
        choose(maker, inherited_methods(maker, c),
               lambda m: add_method(maker, c, m.name, maker.chance(2), []))
    return choose(maker, derived_classes(maker), edit)


def remove_method(maker):
    def edit(c):
        if c.methods:
            c.methods.remove(maker.pick(c.methods))
    return choose(maker, plain_classes(maker), edit)


def copy_method(maker):
    """The body of one method replaces that of another."""
    methods = [m for c in plain_classes(maker) for m in c.methods]
    if len(methods) < 2:
        return False
    source, target = maker.random.sample(methods, 2)
    target.body = copy.deepcopy(source.body)
    return True


def pull_up_method(maker):
    def edit(c):
        base = maker.class_of(c.bases[0].removeprefix("virtual "))
        if c.methods:
            m = maker.pick(c.methods)
            c.methods.remove(m)
            base.methods = [other for other in base.methods if other.name != m.name] + [m]
    return choose(maker, derived_classes(maker), edit)


def push_down_method(maker):
    def edit(c):
        choose(maker, inherited_methods(maker, c),
               lambda m: c.methods.append(copy.deepcopy(m)))
    return choose(maker, derived_classes(maker), edit)


def hide_method(maker):
    """An overload in a derived class hides those of the base; in the same class it may win."""
    def edit(c):
        methods = [m for base in maker.lineage(c.name) for m in base.methods]
        if methods:
            m = maker.pick(methods)
            kind = maker.pick(["int", "unsigned long", "unsigned char"])
            c.methods.append(Method(m.name, [Parameter("x", kind)],
                                    [Return(f"unsigned(x) + {maker.literal()}")]))
    return choose(maker, plain_classes(maker), edit)


def make_final(maker):
    def edit(m):
        m.is_final = not m.is_final
    return choose(maker, [m for c in plain_classes(maker) for m in c.methods if m.is_virtual], edit)


def change_bases(maker):
    def edit(c):
        others = [k.name for k in plain_classes(maker)[:plain_classes(maker).index(c)]]
        match maker.random.randrange(4):
            case 0:
                if others:
                    c.bases[0] = maker.pick(others)
            case 1:
                base = c.bases[0].removeprefix("virtual ")
                c.bases[0] = base if base != c.bases[0] else "virtual " + base
            case 2:
                c.bases.pop()
            case 3:
                extra = [name for name in others if name not in c.bases]
                if extra:
                    c.bases.append(maker.pick(extra))
    return choose(maker, derived_classes(maker), edit)


def change_exception_bases(maker):
    errors = [c for c in maker.program.classes if c.name.startswith("E")]

    def edit(c):
        others = [k.name for k in errors[:errors.index(c)]]
        c.bases = [] if maker.chance(2) or not others else [maker.pick(others)]
    return choose(maker, errors[1:], edit)


def change_fields(maker):
    def edit(c):
        field = maker.pick(c.fields)
        match maker.random.randrange(5):
            case 0:
                c.fields.insert(maker.random.randrange(2),
                                [maker.pick(["unsigned", "unsigned long"]), maker.fresh("n"), "0u"])
            case 1:
                c.fields.reverse()
            case 2:
                field[0] = maker.pick(["unsigned", "unsigned char", "unsigned long"])
            case 3:
                field[2] = maker.literal()
            case 4:  # another field of the same name comes first
                c.fields.append(["unsigned", maker.fresh("n"), field[1]])
    return choose(maker, maker.program.classes, edit)


def change_destructor(maker):
    def edit(c):
        if c.destructor is None:
            c.destructor, c.destructor_unit = [Line(f"out({maker.literal()})")], maker.any_unit()
        else:
            c.destructor = None
    return choose(maker, maker.program.classes, edit)


def change_copies(maker):
    def edit(c):
        c.copies = [Line(f"out({maker.literal()})")] if c.copies is None else None
    return choose(maker, maker.program.classes, edit)


EDITS = [change_macro, change_enum, change_constant, change_static_constant,
         change_default_argument, change_noexcept, add_overload, add_specialisation, move_function,
         reorder_functions, change_global, change_global, reorder_globals, move_global,
         make_global_dynamic, add_global, change_const, change_virtual, add_override, add_override,
         remove_method, copy_method, pull_up_method, push_down_method, hide_method, make_final,
         change_bases, change_bases, change_exception_bases, change_fields, change_fields,
         change_destructor, change_copies]
