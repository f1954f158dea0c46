"""Edits inside of functions. Each takes a maker and says whether it found a place.

Not every edit leaves a program that compiles; those that do not are thrown away.
"""

import copy
import re

from program import For, If, Line, Return, Switch, Try, all_bodies
from statements import BodyScope


def functions_of(program):
    """Everything with a body, as (body, names of parameters, level)."""
    for f in program.functions + program.tests:
        names = [p.name for p in f.parameters if p.type == "unsigned"]
        yield f.body, names, 0 if f.is_constexpr else 2
    for c in program.classes:
        yield c.constructor, ["a"], 1
        if c.destructor is not None:
            yield c.destructor, [], 1
        for m in c.methods:
            yield m.body, ["x"], 1


def any_body(maker):
    """One list of statements, with what may be written there."""
    body, names, level = maker.pick(list(functions_of(maker.program)))
    scope = BodyScope(level, None, names, 200)
    return maker.pick(list(all_bodies(body))), scope


def any_statement(maker, *kinds):
    """A list of statements and a place in it where one of a kind stands."""
    found = [(body, index) for outer, _, _ in functions_of(maker.program)
             for body in all_bodies(outer) for index, s in enumerate(body) if isinstance(s, kinds)]
    return maker.pick(found) if found else None


TEXTS = {Line: "text", Return: "value", If: "condition", For: "bound", Switch: "value"}


def any_text(maker, pattern):
    """A statement whose text has the pattern, the name of the field, and one match."""
    found = []
    for outer, _, _ in functions_of(maker.program):
        for body in all_bodies(outer):
            for s in body:
                field = TEXTS.get(type(s))
                if field:
                    found += [(s, field, m) for m in re.finditer(pattern, getattr(s, field))]
    return maker.pick(found) if found else None


def replace(place, text):
    statement, field, match = place
    whole = getattr(statement, field)
    setattr(statement, field, whole[:match.start()] + text + whole[match.end():])
    return True


def change_literal(maker):
    place = any_text(maker, r"\b\d+u\b")
    return bool(place) and replace(place, maker.literal())


def increase_constants(maker):
    body, _ = any_body(maker)
    for s in body:
        field = TEXTS.get(type(s))
        if field:
            setattr(s, field, re.sub(r"\b(\d)u\b", lambda m: f"{int(m[1]) + 1}u",
                                     getattr(s, field)))
    return bool(body)


def change_operator(maker):
    place = any_text(maker, r" (\+|-|\*|\^|&|\||<|==|&&|\|\||=|\+=|\^=) ")
    if not place:
        return False
    for group in ([" + ", " - ", " * ", " ^ ", " & ", " | ", " < ", " == "], [" && ", " || "],
                  [" = ", " += ", " ^= "]):
        if place[2][0] in group:
            return replace(place, maker.pick(group))
    return False


def change_variable(maker):
    place = any_text(maker, r"\b(v\d+|a|b|x)\b")
    if not place:
        return False
    others = re.findall(r"\b(?:v\d+|a|b|x)\b", getattr(place[0], place[1]))
    return replace(place, maker.pick(others))


def change_callee(maker):
    place = any_text(maker, r"\b[cf]\d+(?=\()")
    if not place:
        return False
    count = {f.name: len(f.parameters) for f in maker.program.functions}
    like = [name for name, n in count.items() if n == count.get(place[2][0])]
    # Only backwards, so that nothing calls itself.
    like = [name for name in like if int(name[1:]) < int(place[2][0][1:])]
    return bool(like) and replace(place, maker.pick(like))


def is_declaration(statement):
    return isinstance(statement, Line) and not re.match(
        r"(out|throw|delete|[vdg]\d+ |n\d+ )", statement.text)


def delete_statement(maker):
    body, _ = any_body(maker)
    places = [i for i, s in enumerate(body) if not is_declaration(s) and not isinstance(s, Return)]
    if not places:
        return False
    del body[maker.pick(places)]
    return True


def insert_statement(maker):
    body, scope = any_body(maker)
    end = len(body) - 1 if body and isinstance(body[-1], Return) else len(body)
    body.insert(maker.random.randrange(end + 1), maker.statement(scope, 1))
    return True


def any_action(maker):
    """A body and the place of a statement in it that neither declares nor returns."""
    body, _ = any_body(maker)
    places = [i for i, s in enumerate(body) if not is_declaration(s) and not isinstance(s, Return)]
    return (body, maker.pick(places)) if places else (None, None)


def duplicate_statement(maker):
    body, index = any_action(maker)
    if body is None:
        return False
    body.insert(index, copy.deepcopy(body[index]))
    return True


def swap_statements(maker):
    body, _ = any_body(maker)
    if len(body) < 3:
        return False
    index = maker.random.randrange(len(body) - 2)
    body[index], body[index + 1] = body[index + 1], body[index]
    return True


def replace_body(maker):
    """Another function under the same name."""
    choices = [entry for entry in functions_of(maker.program) if isinstance(entry[0][-1:], list)
               and entry[0] and isinstance(entry[0][-1], Return)]
    body, names, level = maker.pick(choices)
    scope = BodyScope(min(level, 1), None, names, 200)
    body[:] = maker.body(scope, 2, 1) + [Return(maker.expression(scope))]
    return True


def return_early(maker):
    body, scope = any_body(maker)
    found = [entry for entry in functions_of(maker.program)
             if entry[0] is body and body and isinstance(body[-1], Return)]
    if not found:
        return False
    body.insert(0, If(f"{maker.expression(scope, 0)} % 2u", [Return(maker.literal())], []))
    return True


def swap_branches(maker):
    place = any_statement(maker, If)
    if not place:
        return False
    s = place[0][place[1]]
    s.then, s.other = s.other, s.then
    return True


def change_cases(maker):
    place = any_statement(maker, Switch)
    if not place:
        return False
    cases = place[0][place[1]].cases
    match maker.random.randrange(5):
        case 0:
            del cases[maker.random.randrange(len(cases))]
        case 1:
            cases.insert(0, [f"{maker.random.randrange(5)}u", [Line(f"out({maker.literal()})")]])
        case 2:
            case = maker.pick(cases)
            case[0] = case[0] and f"{maker.random.randrange(5)}u"
        case 3:
            place[0][place[1]].falls ^= True
        case 4:
            maker.random.shuffle(cases)
    return True


def change_handlers(maker):
    place = any_statement(maker, Try)
    if not place:
        return False
    handlers = place[0][place[1]].handlers
    kinds = maker.exceptions() + ["unsigned"]
    match maker.random.randrange(5):
        case 0:
            if len(handlers) > 1:
                del handlers[maker.random.randrange(len(handlers))]
        case 1:
            handlers.insert(0, [maker.pick(kinds), [Line(f"out({maker.literal()})")]])
        case 2 | 3:
            maker.pick(handlers)[0] = maker.pick(kinds)
        case 4:
            handlers.reverse()
    handlers.sort(key=lambda handler: handler[0] is None)
    return True


def wrap_in_try(maker):
    body, index = any_action(maker)
    if body is None:
        return False
    kind = maker.pick(maker.exceptions() + ["unsigned", None])
    body[index] = Try([body[index]], [[kind, [Line(f"out({maker.literal()})")]]])
    return True


def unwrap_try(maker):
    place = any_statement(maker, Try)
    if not place:
        return False
    body, index = place
    body[index:index + 1] = body[index].body
    return True


def change_throw(maker):
    """Another type is thrown."""
    place = any_text(maker, r"throw \w+\(")
    kinds = maker.exceptions()
    return bool(place and kinds) and replace(place, f"throw {maker.pick(kinds)}(")


def insert_throw(maker):
    body, scope = any_body(maker)
    body.insert(0, maker.throwing(scope))
    return True


EDITS = [change_literal, change_literal, increase_constants, change_operator, change_variable,
         change_callee, delete_statement, insert_statement, duplicate_statement, swap_statements,
         replace_body, return_early, swap_branches, change_cases, change_handlers, wrap_in_try,
         unwrap_try, change_throw, insert_throw]
