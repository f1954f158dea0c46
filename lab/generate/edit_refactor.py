"""Edits as programmers and their tools make them: moved, renamed, extended. Most leave behaviour alone,
but they change what names mean; AutoEP, the edits of RTSCheck, has most of them."""

import copy
import re

from edit_bodies import TEXTS, functions_of
from edit_declarations import choose, derived_classes, plain_classes
from program import Line, Method, Parameter, Return, all_bodies


def is_source(name):
    return name.endswith((".cpp", ".h"))


def rename(maker, old, new):
    """The same name in all sources, in the end."""
    def edit(files):
        for name in filter(is_source, files):
            files[name] = re.sub(rf"\b{old}\b", new, files[name])
    maker.program.texts.append(edit)
    return True


def rename_one_of(maker, names):
    return bool(names) and rename(maker, name := maker.pick(sorted(names)), name + "_renamed")


def rename_class(maker):
    return rename_one_of(maker, {c.name for c in maker.program.classes})


def rename_method(maker):
    return rename_one_of(maker, {m.name for c in maker.program.classes for m in c.methods})


def rename_field(maker):
    return rename_one_of(maker, {name for c in maker.program.classes for _, name, _ in c.fields})


def rename_function(maker):
    return rename_one_of(maker, {f.name for f in maker.program.functions})


def rename_global(maker):
    return rename_one_of(maker, {g.name for g in maker.program.globals})


def add_parameter(maker):
    """With a default, so that calls stay as they are written."""
    def edit(f):
        f.parameters.append(Parameter(name := maker.fresh("q"), "unsigned", maker.literal()))
        if maker.chance(2):
            f.body.insert(0, Line(f"out({name})"))
    return choose(maker, [f for f in maker.program.functions if not f.template and not f.is_constexpr
                          and not any(f.name in g.value for g in maker.program.globals)], edit)


def copy_function_and_replace(maker):
    """A copy under another name, which one body calls from now on."""
    def edit(f):
        twin = copy.deepcopy(f)
        twin.name = maker.fresh("f")
        place = maker.program.functions.index(f)
        maker.program.functions.insert(place + 1, twin)
        callers = [body for outer, _, _ in functions_of(maker.program) for body in all_bodies(outer)
                   if any(f"{f.name}(" in getattr(s, TEXTS.get(type(s), ""), "") for s in body)]
        for s in maker.pick(callers) if callers else []:
            if field := TEXTS.get(type(s)):
                setattr(s, field, re.sub(rf"\b{f.name}\(", f"{twin.name}(", getattr(s, field)))
    return choose(maker, [f for f in maker.program.functions if not f.template], edit)


def inline_function(maker):
    """From a unit into the header, or the other way round."""
    def edit(f):
        f.unit = None if f.unit is not None else maker.random.randrange(maker.program.units)
    return choose(maker, [f for f in maker.program.functions if not f.template and not f.is_constexpr
                          and not f.is_static], edit)


def move_method(maker):
    """To a class that may have nothing to do with it."""
    def edit(c):
        if c.methods:
            m = maker.pick(c.methods)
            c.methods.remove(m)
            maker.pick(plain_classes(maker)).methods.append(m)
    return choose(maker, plain_classes(maker), edit)


def copy_method_as(maker):
    """A method under a new name; `and replace`: the old one calls it."""
    def edit(c):
        m = maker.pick(c.methods)
        twin = copy.deepcopy(m)
        twin.name, twin.is_virtual, twin.is_final = maker.fresh("m"), False, False
        c.methods.append(twin)
        if maker.chance(2):
            m.body = [Return(f"{twin.name}({m.parameters[0].name})")]
    return choose(maker, [c for c in plain_classes(maker) if c.methods], edit)


def pull_up_field(maker):
    def edit(c):
        base = maker.class_of(c.bases[0].removeprefix("virtual "))
        moved = maker.pick(c.fields)
        c.fields.remove(moved)
        base.fields.append(moved)
    return choose(maker, [c for c in derived_classes(maker) if c.fields], edit)


def copy_field(maker):
    """Of another class."""
    def edit(c):
        c.fields.append(list(maker.pick(maker.pick(plain_classes(maker)).fields)))
    return choose(maker, plain_classes(maker), edit)


def encapsulate_field(maker):
    def edit(c):
        if not c.fields:
            return
        field = maker.pick(c.fields)[1]
        c.methods.append(Method(f"get_{field}", [Parameter("x")], [Return(f"unsigned({field})")],
                                unit=maker.any_unit()))

        def use(files):
            for name in filter(is_source, files):
                files[name] = re.sub(rf"unsigned\((\w+|\(\*\w+\))\.{field}\)",
                                     rf"unsigned(\1.get_{field}(0u))", files[name])
        maker.program.texts.append(use)
    return choose(maker, plain_classes(maker), edit)


def add_extends(maker):
    def edit(c):
        earlier = plain_classes(maker)[:plain_classes(maker).index(c)]
        if earlier:
            c.bases.insert(0, maker.pick(earlier).name)
    return choose(maker, [c for c in plain_classes(maker) if not c.bases], edit)


def remove_extends(maker):
    def edit(c):
        del c.bases[maker.random.randrange(len(c.bases))]
    return choose(maker, derived_classes(maker), edit)


def change_conversion(maker):
    """What may become a number by itself, and what may be made from one."""
    def edit(c):
        if maker.chance(2):
            c.is_explicit = not c.is_explicit
        else:
            c.converts = "" if c.converts else maker.literal()
    return choose(maker, plain_classes(maker), edit)


def toggle_virtual_destructor(maker):
    def edit(c):
        c.has_virtual_destructor = not c.has_virtual_destructor
    return choose(maker, [c for c in plain_classes(maker) if c.destructor is not None], edit)


EDITS = [rename_class, rename_method, rename_field, rename_function, rename_global, add_parameter,
         copy_function_and_replace, inline_function, move_method, copy_method_as, pull_up_field,
         copy_field, encapsulate_field, add_extends, remove_extends, change_conversion,
         toggle_virtual_destructor]
