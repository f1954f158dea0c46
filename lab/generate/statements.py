"""Random expressions and statements."""

import random
import re

from program import For, If, Line, Program, Scope, Switch, Try

MOST = 3000  # statements that one call of a function may run
METHOD = 60  # the same for a method


class Maker:
    """Makes expressions and statements out of what the program has so far."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        units = self.random.choice([1, 2, 2, 3])
        self.program = Program(units, [], [], [], [], [], [], [])
        self.number = 0

    # Chance and names.

    def chance(self, one_in):
        return self.random.randrange(one_in) == 0

    def pick(self, choices):
        return self.random.choice(choices)

    def fresh(self, prefix):
        self.number += 1
        return f"{prefix}{self.number}"

    def literal(self):
        return f"{self.random.randrange(10)}u"

    def any_unit(self):
        """A unit, or None for the header."""
        return self.pick([None] + list(range(self.program.units)) * 2)

    # Expressions. `scope` is what a body sees.

    def expression(self, scope, depth=2):
        makers = [self.literal, lambda: self.variable(scope), lambda: self.variable(scope)]
        if depth > 0:
            makers += [lambda: self.binary(scope, depth), lambda: self.binary(scope, depth),
                       lambda: self.ternary(scope, depth), lambda: self.named(scope, depth)]
            makers += [lambda: self.call(scope, depth)] * 3
            if scope.objects or scope.own_methods:
                makers += [lambda: self.object_use(scope, depth)] * 3
        return self.pick(makers)()

    def variable(self, scope):
        return self.pick(scope.names) if scope.names else self.literal()

    def binary(self, scope, depth):
        operator = self.pick(["+", "-", "*", "^", "&", "|", "<", "==", "+", "-"])
        return f"({self.expression(scope, depth - 1)} {operator} {self.expression(scope, depth - 1)})"

    def ternary(self, scope, depth):
        return (f"({self.expression(scope, depth - 1)} % 2u ? {self.expression(scope, depth - 1)}"
                f" : {self.expression(scope, depth - 1)})")

    def named(self, scope, depth):
        """Something with a name that is no function: a macro, constant, enumerator, global."""
        p, found = self.program, []
        for name, _ in p.macros:
            found.append(name.replace("(x)", f"({self.expression(scope, 0)})"))
        found += [name for name, _ in p.constants]
        found += [n for _, values in p.enums for n, _ in values]
        if scope.level >= 1:
            for g in p.globals:
                if g.type == "unsigned":
                    found.append(g.name)
                elif g.type == "unsigned {}[4]":
                    found.append(f"{g.name}[{self.expression(scope, 0)} % 4u]")
                elif scope.level >= 2 and scope.take(30):
                    found.append(f"{g.name}[{self.expression(scope, 0)} % 3u]"
                                 f"({self.expression(scope, 0)})")
        if scope.level >= 2:
            found += [f"unsigned(sizeof({c.name}))" for c in p.classes]
            found += [f"{c.name}::{name}" for c in p.classes for name, _ in c.statics]
        return self.pick(found) if found else self.literal()

    def call(self, scope, depth):
        callees = [f for f in self.program.functions
                   if scope.may_call(f) and not f.template.startswith("template <>")]
        self.random.shuffle(callees)
        for f in callees:
            if scope.take(f.cost):
                return f"{f.name}({self.arguments(f, scope, depth)})"
        return self.literal()

    def arguments(self, f, scope, depth):
        arguments = []
        for p in f.parameters:
            if p.default and self.chance(2):
                break
            if p.type.endswith("&"):
                arguments.append(self.pick(scope.objects_of(p.type)))
            elif p.type == "T":
                value = self.expression(scope, 0)
                kind = self.pick(["int", "unsigned", "unsigned char"])
                arguments.append(f"static_cast<{kind}>({value})")
            elif self.chance(3):  # an int, so that a better overload may come
                arguments.append(str(self.random.randrange(8)))
            else:
                arguments.append(self.expression(scope, depth - 1))
        return ", ".join(arguments)

    def object_use(self, scope, depth):
        objects = [(name, kind) for name, kind in scope.objects if self.class_of(kind)]
        if scope.own_methods and self.chance(2) and scope.take(METHOD):
            return f"{self.pick(scope.own_methods)}({self.expression(scope, 0)})"
        if not objects or not scope.take(METHOD):
            return self.literal()
        name, kind = self.pick(objects)
        methods = [m for c in self.lineage(kind) for m in c.methods]
        fields = [n for c in self.lineage(kind) for _, n, _ in c.fields]
        if methods and not self.chance(3):
            m = self.pick(methods)
            inside = ", ".join(self.expression(scope, 0) for _ in m.parameters)
            return f"{name}.{m.name}({inside})"
        return f"unsigned({name}.{self.pick(fields)})" if fields else self.literal()

    def class_of(self, name):
        return next((c for c in self.program.classes if c.name == name), None)

    def lineage(self, name):
        """A class and all its bases."""
        found = [self.class_of(name)]
        for base in found[0].bases:
            found += [c for c in self.lineage(base.removeprefix("virtual ")) if c not in found]
        return found

    # Statements.

    def body(self, scope, length, depth=2):
        statements = []
        for _ in range(length):
            statements.append(self.statement(scope, depth))
        return statements

    def statement(self, scope, depth):
        makers = [self.assignment, self.assignment, self.new_local]
        if scope.level >= 1:
            makers += [lambda s: Line(f"out({self.expression(s)})")]
        if depth > 0:
            makers += [lambda s: self.branch(s, depth), lambda s: self.branch(s, depth),
                       lambda s: self.loop(s, depth), lambda s: self.switch(s, depth)]
            if scope.level >= 1 and not scope.is_quiet:
                makers += [lambda s: self.throwing(s), lambda s: self.trying(s, depth)]
            if scope.level >= 2:
                makers += [lambda s: self.with_object(s, depth)] * 2
                makers += [lambda s: self.on_heap(s), lambda s: self.with_lambda(s)]
                makers += [lambda s: self.local_static(s)]
        return self.pick(makers)(scope)

    def assignment(self, scope):
        targets = list(scope.locals)
        if scope.level >= 1:
            targets += [g.name for g in self.program.globals
                        if g.type == "unsigned" and not g.is_const]
        if not targets:
            return self.new_local(scope)
        return Line(f"{self.pick(targets)} {self.pick(['=', '+=', '^='])} "
                    f"{self.expression(scope)}")

    def new_local(self, scope):
        value = self.expression(scope)
        return Line(f"unsigned {scope.add(self.fresh('v'))} = {value}")

    def branch(self, scope, depth):
        condition = f"{self.expression(scope, 1)} % {self.random.randrange(2, 5)}u"
        if self.chance(4):
            condition += f" {self.pick(['&&', '||'])} {self.expression(scope, 1)} > 2u"
        return If(condition, self.inner(scope, depth), [] if self.chance(3)
                  else self.inner(scope, depth))

    def inner(self, scope, depth):
        with_scope = scope.nested()
        return self.body(with_scope, self.random.randrange(1, 3), depth - 1)

    def loop(self, scope, depth):
        inside, variable = scope.nested(times=4), self.fresh("i")
        inside.names.append(variable)
        return For(variable, f"{self.random.randrange(1, 4)}u",
                   self.body(inside, self.random.randrange(1, 3), depth - 1))

    def switch(self, scope, depth):
        cases = []
        enumerators = self.pick(self.program.enums)[1] if self.program.enums else []
        for label in self.random.sample(range(5), self.random.randrange(1, 4)):
            name = f"{label}u"
            if label < len(enumerators) and self.chance(2) and not any(v for _, v in enumerators):
                name = enumerators[label][0]
            cases.append([name, self.inner(scope, depth)])
        if not self.chance(3):
            cases.append([None, self.inner(scope, depth)])
        return Switch(f"{self.expression(scope, 1)} % 5u", cases, self.chance(4))

    def exceptions(self):
        return [c.name for c in self.program.classes if c.name.startswith("E")]

    def throwing(self, scope):
        kinds = self.exceptions()
        value = self.expression(scope, 0)
        thrown = f"{self.pick(kinds)}({value})" if kinds and scope.level >= 2 else value + " + 0u"
        return If(f"{self.expression(scope, 1)} % 3u == {self.random.randrange(3)}u",
                  [Line(f"throw {thrown}")], [])

    def trying(self, scope, depth):
        kinds = self.exceptions() if scope.level >= 2 else []
        handlers = [[kind, self.inner(scope, 1)]
                    for kind in self.random.sample(kinds, min(len(kinds), 2))]
        handlers.append([self.pick(["unsigned", None]), self.inner(scope, 1)])
        body = self.inner(scope, depth)
        if self.chance(2):
            body.insert(self.random.randrange(len(body) + 1), self.throwing(scope.nested()))
        return Try(body, handlers)

    def constructible(self):
        return [c.name for c in self.program.classes if not c.name.startswith("E")]

    def with_object(self, scope, depth):
        if not self.constructible():
            return self.assignment(scope)
        inside, kind = scope.nested(), self.pick(self.constructible())
        name, value = self.fresh("o"), self.expression(scope, 0)
        inside.objects.append((name, kind))
        start = [Line(f"{kind} {name}({value})")]
        if self.chance(3):  # a copy, maybe of its base alone
            copy = self.pick(self.lineage(kind)).name
            other = self.fresh("o")
            inside.objects.append((other, copy))
            start.append(Line(f"{copy} {other}({name})"))
        if self.chance(4) and self.lineage(kind)[-1].has_virtual_destructor:
            start.append(Line(f"out(dynamic_cast<{self.pick(self.constructible())} *>"
                              f"(static_cast<{self.lineage(kind)[-1].name} *>(&{name})) != nullptr)"))
        return Scope(start + self.body(inside, self.random.randrange(1, 4), depth - 1))

    def on_heap(self, scope):
        kinds = [k for k in self.constructible()
                 if self.lineage(k)[-1].has_virtual_destructor and len(self.class_of(k).bases) < 2]
        if not kinds or not scope.take(30):
            return self.assignment(scope)
        kind = self.pick(kinds)
        base, name = self.lineage(kind)[-1].name, self.fresh("p")
        inside = scope.nested()
        inside.objects = [(f"(*{name})", base)]
        return Scope([Line(f"{base} *{name} = new {kind}({self.expression(scope, 0)})"),
                      Line(f"out({self.object_use(inside, 1)})"), Line(f"delete {name}")])

    def with_lambda(self, scope):
        name, inside = self.fresh("l"), scope.nested()
        inside.names = inside.names + ["x"]
        value = self.expression(inside, 1)
        capture = "&" if re.search(r"\bo\d*\b", value) else self.pick(["=", "&"])
        result = scope.add(self.fresh("v"))
        return Line(f"unsigned {result} = 0u; auto {name} = [{capture}](unsigned x) "
                    f"{{ return {value}; }}; {result} = {name}({self.literal()})")

    def local_static(self, scope):
        name = self.fresh("s")
        value = self.expression(scope.constants_only(), 1)
        scope.names.append(name)
        return Line(f"static unsigned {name} = {value}; {name} += {self.literal()}")


class BodyScope:
    """What a body sees, and how many statements it may still run."""

    def __init__(self, level, unit, names, budget=MOST):
        self.level, self.unit = level, unit
        self.names, self.locals, self.objects = list(names), [], []
        self.own_methods = []
        self.times, self.budget, self.start = 1, [budget], budget
        self.is_quiet = False  # throws nothing itself

    def nested(self, times=1):
        inner = BodyScope(self.level, self.unit, self.names)
        inner.locals, inner.objects = list(self.locals), list(self.objects)
        inner.times, inner.budget = self.times * times, self.budget
        inner.is_quiet, inner.own_methods = self.is_quiet, self.own_methods
        return inner

    def constants_only(self):
        inner = self.nested()
        inner.names, inner.objects, inner.own_methods = [], [], []
        return inner

    def add(self, name):
        self.names.append(name)
        self.locals.append(name)
        return name

    def take(self, cost):
        if self.budget[0] < cost * self.times:
            return False
        self.budget[0] -= cost * self.times
        return True

    def used(self):
        return 5 + self.start - self.budget[0]

    def objects_of(self, reference):
        return [name for name, kind in self.objects if kind == reference.rstrip(" &")]

    def may_call(self, f):
        if f.is_static and f.unit != self.unit:
            return False
        if self.level == 0 and not f.is_constexpr:
            return False
        if any(p.type.endswith("&") and not self.objects_of(p.type) for p in f.parameters):
            return False
        return True

