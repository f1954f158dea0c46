"""Small C++ programs as values, and how they are written down.

Every statement stands on its own line behind a mark (see trace.h), so that a line says which node of
the flow graph ran. All values are `unsigned`, so nothing overflows in an undefined way.
"""

from dataclasses import dataclass, field


# Statements. Expressions are text.

@dataclass
class Line:
    text: str  # without the semicolon


@dataclass
class Return:
    value: str


@dataclass
class If:
    condition: str
    then: list
    other: list


@dataclass
class For:
    variable: str
    bound: str
    body: list


@dataclass
class Switch:
    value: str
    cases: list  # [label, body]; the label None is `default`
    falls: bool = False  # the first case falls through


@dataclass
class Try:
    body: list
    handlers: list  # [type, body]; the type None is `...`


@dataclass
class Scope:
    body: list


def bodies(statement):
    """The lists of statements inside one."""
    match statement:
        case If():
            return [statement.then, statement.other]
        case For() | Scope():
            return [statement.body]
        case Switch():
            return [body for _, body in statement.cases]
        case Try():
            return [statement.body] + [body for _, body in statement.handlers]
    return []


def all_bodies(body):
    """A list of statements and all those inside, as lists that may be edited."""
    yield body
    for statement in body:
        for inner in bodies(statement):
            yield from all_bodies(inner)


def write_body(body, indent="  "):
    lines = []
    inner = indent + "  "
    for s in body:
        match s:
            case Line():
                lines.append(f"{indent}MARK {s.text};")
            case Return():
                lines.append(f"{indent}return MARKX {s.value};")
            case If():
                lines.append(f"{indent}if (MARKX {s.condition}) {{")
                lines += write_body(s.then, inner)
                if s.other:
                    lines.append(f"{indent}}} else {{")
                    lines += write_body(s.other, inner)
                lines.append(f"{indent}}}")
            case For():
                lines += [f"{indent}for (unsigned {s.variable} = 0u;",
                          f"{indent}     MARKX {s.variable} < {s.bound};",
                          f"{indent}     MARKX ++{s.variable}) {{"]
                lines += write_body(s.body, inner) + [f"{indent}}}"]
            case Switch():
                lines.append(f"{indent}switch (MARKX {s.value}) {{")
                for index, (label, inside) in enumerate(s.cases):
                    lines.append(f"{indent}{'default' if label is None else 'case ' + label}: {{")
                    lines += write_body(inside, inner)
                    if not (s.falls and index == 0):
                        lines.append(f"{inner}break;")
                    lines.append(f"{indent}}}")
                lines.append(f"{indent}}}")
            case Try():
                lines.append(f"{indent}try {{")
                lines += write_body(s.body, inner)
                for kind, inside in s.handlers:
                    lines.append(f"{indent}}} catch ({kind + ' &e' if kind else '...'}) {{")
                    lines += write_body(inside, inner)
                lines.append(f"{indent}}}")
            case Scope():
                lines += [f"{indent}{{"] + write_body(s.body, inner) + [f"{indent}}}"]
    return lines


@dataclass
class Parameter:
    name: str
    type: str = "unsigned"
    default: str = ""


@dataclass
class Function:
    name: str
    parameters: list
    body: list
    unit: int | None = None  # None: inline in the header
    is_static: bool = False  # internal linkage; needs a unit
    is_constexpr: bool = False
    is_noexcept: bool = False
    template: str = ""  # "template <class T>" or "template <>"
    arguments: str = ""  # of a specialisation: "<int>"
    cost: int = 1  # how many statements a call runs, about

    def signature(self, has_defaults):
        parameters = ", ".join(
            f"{p.type} {p.name}" + (f" = {p.default}" if p.default and has_defaults else "")
            for p in self.parameters)
        return (f"unsigned {self.name}{self.arguments}({parameters})"
                f"{' noexcept' if self.is_noexcept else ''}")

    def words(self):
        words = self.template + " " if self.template else ""
        if self.is_static:
            words += "static "
        if self.is_constexpr:
            words += "constexpr "
        elif self.unit is None and (not self.template or self.template == "template <>"):
            words += "inline "
        return words

    def declaration(self):
        return [self.words() + self.signature(True) + ";"]

    def definition(self, has_defaults=False):
        return ([f"{self.words()}{self.signature(has_defaults)} {{ FUNC"] + write_body(self.body) +
                ["}"])


@dataclass
class Method:
    name: str
    parameters: list
    body: list
    is_virtual: bool = False
    is_final: bool = False
    is_noexcept: bool = False
    unit: int | None = None

    def parameter_text(self):
        return ", ".join(f"{p.type} {p.name}" for p in self.parameters)

    def tail(self):
        return " noexcept" if self.is_noexcept else ""


@dataclass
class Class:
    name: str
    bases: list  # of names; "virtual X" is allowed
    fields: list  # [type, name, initial value]
    methods: list
    constructor: list  # statements; the parameter is `a`
    destructor: list | None = None
    destructor_unit: int | None = None
    copies: list | None = None  # statements of a copy constructor
    statics: list = field(default_factory=list)  # [name, constant value]
    has_virtual_destructor: bool = False
    converts: str = ""  # expression of a conversion to unsigned
    is_explicit: bool = False

    def write(self):
        bases = ", ".join("public " + base for base in self.bases)
        lines = [f"struct {self.name}{' : ' + bases if bases else ''} {{"]
        bare = [base.removeprefix("virtual ") for base in self.bases]
        inits = ", ".join(f"{base}(a + {i}u)" for i, base in enumerate(bare))
        lines += [f"  {'explicit ' if self.is_explicit else ''}{self.name}(unsigned a = 1u)"
                  f"{' : ' + inits if inits else ''} {{ FUNC"]
        lines += write_body(self.constructor, "    ") + ["  }"]
        if self.copies is not None:
            inits = ", ".join([f"{base}(o)" for base in bare] +
                              [f"{name}(o.{name})" for _, name, _ in self.fields])
            lines += [f"  {self.name}(const {self.name} &o){' : ' + inits if inits else ''} {{ FUNC"]
            lines += write_body(self.copies, "    ") + ["  }"]
        virtual = "virtual " if self.has_virtual_destructor else ""
        if self.destructor is not None and self.destructor_unit is None:
            lines += [f"  {virtual}~{self.name}() {{ FUNC"]
            lines += write_body(self.destructor, "    ") + ["  }"]
        elif self.destructor is not None:
            lines += [f"  {virtual}~{self.name}();"]
        elif virtual:
            lines += [f"  virtual ~{self.name}() = default;"]
        for m in self.methods:
            head = (f"  {'virtual ' if m.is_virtual else ''}unsigned {m.name}"
                    f"({m.parameter_text()}){m.tail()}{' final' if m.is_final else ''}")
            if m.unit is None:
                lines += [head + " { FUNC"] + write_body(m.body, "    ") + ["  }"]
            else:
                lines += [head + ";"]
        if self.converts:
            lines += ["  operator unsigned() const { FUNC", f"    return MARKX {self.converts};",
                      "  }"]
        lines += [f"  static constexpr unsigned {name} = {value};" for name, value in self.statics]
        lines += [f"  {kind} {name} = {value};" for kind, name, value in self.fields]
        return lines + ["};"]

    def definitions(self, unit):
        lines = []
        if self.destructor is not None and self.destructor_unit == unit:
            lines += [f"{self.name}::~{self.name}() {{ FUNC"] + write_body(self.destructor) + ["}"]
        for m in self.methods:
            if m.unit == unit:
                lines += [f"unsigned {self.name}::{m.name}({m.parameter_text()}){m.tail()} {{ FUNC"]
                lines += write_body(m.body) + ["}"]
        return lines


@dataclass
class Global:
    type: str  # "unsigned", "unsigned (*{})(unsigned)"; {} stands for the name
    name: str
    value: str
    unit: int
    is_const: bool = False

    def declared(self):
        prefix = "const " if self.is_const else ""
        return prefix + (self.type.format(self.name) if "{}" in self.type
                         else f"{self.type} {self.name}")


@dataclass
class Program:
    units: int
    macros: list  # [name with parameters, text]
    enums: list  # [name, [[enumerator, value or ""]]]
    constants: list  # [name, value], constexpr
    classes: list
    functions: list
    globals: list
    tests: list  # functions of the last unit, without parameters
    flags: dict = field(default_factory=dict)  # unit -> flags
    headers: list = field(default_factory=list)  # standard ones

    def header(self):
        lines = ["#pragma once", '#include "trace.h"']
        lines += [f"#include <{name}>" for name in self.headers]
        lines += [f"#define {name} {text}" for name, text in self.macros]
        for name, values in self.enums:
            inside = ", ".join(n + (f" = {v}" if v else "") for n, v in values)
            lines.append(f"enum {name} : unsigned {{ {inside} }};")
        for f in self.functions:
            if f.is_constexpr:
                lines += f.definition(has_defaults=True)
        lines += [f"constexpr unsigned {name} = {value};" for name, value in self.constants]
        lines += [f"struct {c.name};" for c in self.classes]
        for f in self.functions:
            if not f.is_static and not f.is_constexpr:
                lines += f.declaration()
        early = [g for g in self.globals if "(" not in g.type]
        lines += [f"extern {g.declared()};" for g in early]
        for c in self.classes:
            lines += c.write()
        lines += [f"extern {g.declared()};" for g in self.globals if g not in early]
        for f in self.functions:
            if f.unit is None and not f.is_constexpr:
                lines += f.definition()
        return lines

    def definitions(self, index):
        """What a unit defines, but for tests."""
        lines = ['#include "p.h"']
        for f in self.functions:
            if f.is_static and f.unit == index:
                lines += f.declaration()
        lines += [f"{g.declared()} = {g.value};" for g in self.globals if g.unit == index]
        for c in self.classes:
            lines += c.definitions(index)
        for f in self.functions:
            if f.unit == index:
                lines += f.definition()
        return lines

    def unit(self, index):
        lines = self.definitions(index)
        if index == self.units - 1:
            for test in self.tests:
                lines += test.definition()
            lines += self.main()
        return lines

    def main(self):
        lines = ["int main(int argc, char **argv) { FUNC",
                 "  MARK int which = argc > 1 ? argv[1][0] - 'a' : 0;", "  try {",
                 "    switch (MARKX which) {"]
        for index, test in enumerate(self.tests):
            lines += [f"    case {index}: {{", f"      MARK out({test.name}());", "      break;",
                      "    }"]
        shown = [g for g in self.globals if g.type == "unsigned" and not g.is_const][:1]
        lines += ["    }"] + [f"    MARK out({g.name});" for g in shown]
        return lines + ["  } catch (unsigned e) {", "    MARK out(e);",
                        "    return MARKX 3;", "  } catch (...) {", "    return MARKX 4;", "  }",
                        "  return MARKX 0;", "}"]

    def files(self):
        """The sources, by name."""
        files = {"p.h": "\n".join(self.header()) + "\n"}
        for index in range(self.units):
            files[f"u{index}.cpp"] = "\n".join(self.unit(index)) + "\n"
        return files
