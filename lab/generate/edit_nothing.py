"""Edits that change nothing: they must select nothing."""

import re

from edit_declarations import reorder_functions
from edit_refactor import is_source


def in_one_source(maker, edit):
    """Applies `edit` (lines -> lines) to some source, in the end."""
    number = maker.random.randrange(1 << 30)

    def apply(files):
        names = sorted(filter(is_source, files))
        name = names[number % len(names)]
        files[name] = "\n".join(edit(files[name].split("\n")))
    maker.program.texts.append(apply)
    return True


def some_lines(maker):
    """A choice of lines that does not depend on what they are."""
    numbers = [maker.random.randrange(1 << 30) for _ in range(3)]
    return lambda lines: {number % len(lines) for number in numbers}


def free_lines(lines):
    """Those behind which something may be added: no directive, nothing that goes on."""
    return [i for i, line in enumerate(lines) if line.endswith((";", "{", "}")) and not line.startswith("#")]


def comment_line(maker):
    number = maker.random.randrange(1 << 30)

    def edit(lines):
        at = number % (len(lines) + 1)
        # Not between the lines of one that goes on.
        return lines[:at] + ["// What is said here is read by people only."] + lines[at:]
    return in_one_source(maker, edit)


def comment_behind(maker):
    number = maker.random.randrange(1 << 30)

    def edit(lines):
        free = free_lines(lines)
        if free:
            at = free[number % len(free)]
            lines[at] += " /* a\n remark */ // and more"
        return lines
    return in_one_source(maker, edit)


def blank_lines(maker):
    chosen = some_lines(maker)

    def edit(lines):
        marked = chosen(lines)
        return [text for i, line in enumerate(lines) for text in ([line, "", ""] if i in marked else [line])]
    return in_one_source(maker, edit)


def indent(maker):
    def edit(lines):
        return [re.sub(r"^ +", lambda m: m[0] * 2, line) for line in lines]
    return in_one_source(maker, edit)


def break_lines(maker):
    """Each operator that stands alone begins a line of its own."""
    def edit(lines):
        return [line if line.startswith("#") or '"' in line or "//" in line
                else re.sub(r" ([+*^&|=]|==|\+=|\^=) ", r"\n      \1 ", line) for line in lines]
    return in_one_source(maker, edit)


def rename_locals(maker):
    def edit(lines):
        return [re.sub(r"\b([vilop])(\d+)\b", r"\1_other_\2", line) for line in lines]
    return in_one_source(maker, edit)


def assert_statically(maker):
    return in_one_source(maker, lambda lines: lines + ['static_assert(2 + 2 == 4, "as ever");', ""])


def declare_unused(maker):
    text = maker.pick(["struct Unused{};", "extern unsigned unused{};", "unsigned unused{}(int);",
                       "#define UNUSED{} 1", "enum class Unused{} {{ none }};", "using Unused{} = unsigned;",
                       "template <class T> struct Unused{} {{ T t; }};"]).format(maker.fresh(""))
    return in_one_source(maker, lambda lines: lines + [text, ""])


def add_document(maker):
    maker.program.extra["README.md"] = f"# Generated, version {maker.literal()}\n"
    return True


EDITS = [comment_line, comment_behind, blank_lines, indent, break_lines, rename_locals, rename_locals,
         assert_statically, declare_unused, reorder_functions, reorder_functions]
RARE = [add_document]  # another file: CMake is asked again
