"""A random program as a CMake project: a library, test programs that link it, tests, data files.

    p.h, gadgetN.h, u0.cpp ...   the library
    t0.cpp, t1.cpp ...           one for each test program, with the tests; with a framework also
    list0.cpp ...                which registers them
    data/                        files that tests read
"""

from dataclasses import dataclass, field
from pathlib import Path

from program import Function, Program

HERE = Path(__file__).resolve().parent
OWN_HEADERS = ["trace.h", "testing.h"]
FRAMEWORKS = {"gtest": "gtest_main gtest", "doctest": ""}
LINKS = ["STATIC", "STATIC", "OBJECT", "SHARED", ""]  # "": each program has the units itself


@dataclass
class Test:
    function: Function
    program: int  # which test program has it
    expected: str = "0u"
    argument: str = ""  # behind its name on the command line
    mode: str = ""  # in the environment

    @property
    def name(self):
        return self.function.name


@dataclass
class Project(Program):
    programs: int = 1  # test programs
    main: str = "chain"  # how they find their tests: chain, table, registered, or a framework
    link: str = "STATIC"
    cases: list = field(default_factory=list)  # of Test
    gadgets: list = field(default_factory=list)
    data: dict = field(default_factory=dict)  # path -> text
    extra: dict = field(default_factory=dict)  # further files that an edit has added
    unit_names: list = field(default_factory=list)  # of further units of the library
    definitions_of: dict = field(default_factory=dict)  # unit -> compile options in CMake
    order: list = field(default_factory=list)  # of the units in CMake, if it is not theirs
    shown: str = ""  # a global that each test writes in the end
    texts: list = field(default_factory=list)  # edits of the files themselves, applied in the end

    @property
    def has_framework(self):
        return self.main in FRAMEWORKS

    def files(self):
        """All files, by name."""
        files = {name: (HERE / name).read_text() for name in OWN_HEADERS}
        files["uses.h"] = "#pragma once\n" + "".join(
            f"unsigned {g.entry}(unsigned x);\n" for g in self.gadgets)
        header = self.header()
        header.insert(header.index('#include "trace.h"') + 1, '#include "uses.h"')
        files["p.h"] = "\n".join(header) + "\n"
        files |= {g.header_name: g.header() for g in self.gadgets}
        for index in range(self.units):
            files[f"u{index}.cpp"] = "\n".join(self.unit(index)) + "\n"
        for index in range(self.programs):
            files[f"t{index}.cpp"] = "\n".join(self.test_unit(index)) + "\n"
            if self.has_framework:
                files[f"list{index}.cpp"] = "\n".join(self.list_unit(index)) + "\n"
        files["CMakeLists.txt"] = "\n".join(self.cmake()) + "\n"
        files |= self.data | self.extra
        for edit in self.texts:
            edit(files)
        return files

    def unit(self, index):
        lines = self.definitions(index)
        for g in self.gadgets:
            lines += g.unit(index)
        return lines

    def library_units(self):
        return (self.order or [f"u{i}.cpp" for i in range(self.units)]) + self.unit_names

    def program_units(self, index):
        own = [f"t{index}.cpp"] + ([f"list{index}.cpp"] if self.has_framework else [])
        return own if self.link else own + self.library_units()

    # Tests.

    def tests_of(self, index):
        return [case for case in self.cases if case.program == index]

    def test_unit(self, index):
        lines = ['#include "p.h"', '#include "testing.h"']
        cases = self.tests_of(index)
        for case in cases:
            lines += case.function.definition()
        if self.has_framework:
            for case in cases:
                lines += [f"int run_{case.name}() {{ return judge({case.name}, {case.expected}); }}"]
            return lines
        return lines + getattr(self, f"_{self.main}")(cases) + self._main()

    def _main(self):
        lines = ["int main(int argc, char **argv) {", "  if (argc < 2)", "    return 9;",
                 "  input = number(argc > 2 ? argv[2] : nullptr);", "  int code = run(argv[1]);"]
        lines += [f"  out({self.shown});"] if self.shown else []
        return lines + ["  return code;", "}"]

    @staticmethod
    def _chain(cases):
        lines = ["static int run(const char *name) {"]
        for case in cases:
            lines += [f'  if (same(name, "{case.name}"))',
                      f"    return judge({case.name}, {case.expected});"]
        return lines + ["  return 8;", "}"]

    @staticmethod
    def _table(cases):
        lines = ["struct TestEntry {", "  const char *name;", "  unsigned (*test)();",
                 "  unsigned expected;", "};", "static const TestEntry tests[] = {"]
        lines += [f'    {{"{case.name}", {case.name}, {case.expected}}},' for case in cases]
        return lines + ["};", "static int run(const char *name) {",
                        "  for (const TestEntry &entry : tests)", "    if (same(name, entry.name))",
                        "      return judge(entry.test, entry.expected);", "  return 8;", "}"]

    @staticmethod
    def _registered(cases):
        lines = ["struct Registered {", "  const char *name;", "  unsigned (*test)();",
                 "  unsigned expected;", "  Registered *next;", "  static inline Registered *first = nullptr;",
                 "  Registered(const char *n, unsigned (*t)(), unsigned e)",
                 "      : name(n), test(t), expected(e), next(first) {", "    first = this;", "  }", "};"]
        lines += [f'static Registered r_{case.name}("{case.name}", {case.name}, {case.expected});'
                  for case in cases]
        return lines + ["static int run(const char *name) {",
                        "  for (Registered *r = Registered::first; r; r = r->next)",
                        "    if (same(name, r->name))", "      return judge(r->test, r->expected);",
                        "  return 8;", "}"]

    def list_unit(self, index):
        """Includes nothing of the project, so that the framework's header is rarely read again."""
        cases = self.tests_of(index)
        if self.main == "gtest":
            return ["#include <gtest/gtest.h>"] + [
                f"int run_{c.name}();\nTEST(Generated, {c.name}) {{ EXPECT_EQ(run_{c.name}(), 0); }}"
                for c in cases]
        return ["#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN", "#include <doctest/doctest.h>"] + [
            f'int run_{c.name}();\nTEST_CASE("{c.name}") {{ CHECK(run_{c.name}() == 0); }}'
            for c in cases]

    # CMake.

    def cmake(self):
        lines = ["cmake_minimum_required(VERSION 3.20)", "project(generated LANGUAGES CXX)",
                 "set(CMAKE_CXX_STANDARD 20)", "set(CMAKE_CXX_FLAGS -w)", "enable_testing()",
                 "include_directories(shadow ${CMAKE_CURRENT_SOURCE_DIR})"]
        if self.link:
            lines.append(f"add_library(core {self.link} {' '.join(self.library_units())})")
        for index in range(self.programs):
            libraries = ["core"] if self.link else []
            libraries += FRAMEWORKS.get(self.main, "").split()
            lines.append(f"add_executable(t{index} {' '.join(self.program_units(index))})")
            lines.append(f"target_link_libraries(t{index} PRIVATE {' '.join(libraries)})")
        lines += [f"set_source_files_properties({unit} PROPERTIES COMPILE_OPTIONS \"{option}\")"
                  for unit, option in self.definitions_of.items()]
        directory = "WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}"
        if self.has_framework:
            return lines + [f"add_test(NAME all{index} COMMAND t{index} {directory})"
                            for index in range(self.programs)]
        for c in self.cases:
            lines.append(f"add_test(NAME {c.name} COMMAND t{c.program} {c.name} {c.argument} {directory})")
            if c.mode:
                lines.append(f"set_tests_properties({c.name} PROPERTIES ENVIRONMENT MODE={c.mode})")
        return lines

    def command(self, case, program):
        """Words that run one test alone; the program is a path."""
        match self.main:
            case "gtest":
                return [program, "--gtest_brief=1", f"--gtest_filter=Generated.{case.name}"]
            case "doctest":
                return [program, "--no-version=true", "--no-path-filenames=true", f"--test-case={case.name}"]
        return [program, case.name, *case.argument.split()]
