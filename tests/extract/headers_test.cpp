// How a unit sees the headers outside the project: what macros and flags make of them.
#include "graph/extract_project.h"
#include "tests/notation/extracted.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <map>

using namespace retest;

namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

/// What "../<name>" looks like to the unit; zero if it has no such header.
Fingerprint seen(const ExtractedUnit &unit, const std::string &name) {
  for (const ExternalHeader &header : unit.record.graph.externalHeaders)
    if (unit.names.text(header.path).ends_with("/" + name))
      return header.seen;
  return {};
}

struct Version {
  std::string source;
  Headers headers = {};
  std::vector<std::string> flags = {};
};

/// The graph of a version; all of its headers lie outside the project.
ExtractedUnit extracted(const Version &version, const Headers &both) {
  SourceOptions options;
  options.flags = {"-std=c++20", "-I.."};
  options.flags.insert(options.flags.end(), version.flags.begin(), version.flags.end());
  for (const Headers &some : {both, version.headers})
    for (const auto &[name, content] : some)
      options.headers.emplace_back("../" + name, content);
  return retest::extracted(version.source, options);
}

} // namespace

TEST_CASE("external headers: what changes how one is seen, and what does not") {
  struct Row {
    std::string edit;
    Headers both;
    Version baseline, current;
    bool isChanged;
  };
  const std::string includes = "#include <ext.h>\n";
  const Headers capped = {{"ext.h", "inline int cap() {\n#ifdef CAP\nreturn CAP;\n#else\n"
                                    "return 1;\n#endif\n}\n"}};
  const Headers twice = {
      {"ext.h", "#ifndef EXT\n#define EXT\nint g();\n#endif\n"},
      {"once.h", "#pragma once\n#include <ext.h>\nint h();\n"},
  };
  const Headers needs = {
      // As stddef.h: what is needed is asked for by a macro.
      {"size.h", "#ifndef SIZE\n#define SIZE\ntypedef unsigned long size;\n#endif\n"},
      {"ext.h", "#ifdef need_size\n#include <size.h>\n#undef need_size\n#else\n"
                "#include <size.h>\n#define nothing 0\n#endif\n"},
      {"other.h", "#define need_size\n#include <ext.h>\n"},
  };
  const Headers declared = {
      {"ext.h", "int e();\n#ifndef size_defined\ntypedef unsigned long size;\n"
                "#define size_defined\n#endif\n"},
      {"other.h",
       "#ifndef size_defined\ntypedef unsigned long size;\n#define size_defined\n#endif\n"},
  };
  const Headers list = {{"ext.h", "X(a)\nX(b)\n#undef X\n"}};
  const Headers counting = {{"ext.h", "#define CAT2(a, b) a##b\n#define CAT(a, b) CAT2(a, b)\n"
                                      "static int CAT(unused_, __COUNTER__) = __COUNTER__;\n"}};
  const Row rows[] = {
      {"its content",
       {},
       {includes, {{"ext.h", "inline int e() { return 1; }"}}},
       {includes, {{"ext.h", "inline int e() { return 2; }"}}},
       true},
      {"a macro on the command line", capped, {includes}, {includes, {}, {"-DCAP=2"}}, true},
      {"a macro that it asks for, though it leads to the same tokens here",
       capped,
       {includes},
       {includes, {}, {"-DCAP=1"}},
       true},
      {"its value", capped, {includes, {}, {"-DCAP=2"}}, {includes, {}, {"-DCAP=3"}}, true},
      {"a macro that the header does not know",
       capped,
       {includes},
       {includes, {}, {"-DFILL=3"}},
       false},
      {"a macro defined before", capped, {includes}, {"#define CAP 5\n" + includes}, true},
      {"a macro defined before, with another value",
       capped,
       {"#define CAP 4\n" + includes},
       {"#define CAP 5\n" + includes},
       true},
      {"a macro defined behind it", capped, {includes}, {includes + "#define CAP 5\n"}, false},
      {"a macro defined by another header",
       capped,
       {includes},
       {"#include <cap.h>\n" + includes, {{"cap.h", "#define CAP 7\n"}}},
       true},
      {"a macro that a macro of the header mentions",
       {{"ext.h", "#define VALUE CAP\n#define CAP 1\n#include <late.h>\n"
                  "inline int e() { return VALUE; }\n"}},
       {includes, {{"late.h", ""}}},
       {includes, {{"late.h", "#undef CAP\n#define CAP 2\n"}}},
       true},
      {"a builtin macro that a flag defines",
       {{"ext.h", "#ifdef __OPTIMIZE__\ninline int e() { return 1; }\n#endif\n"}},
       {includes},
       {includes, {}, {"-O2"}},
       true},
      {"the standard, by its number",
       {{"ext.h", "inline long e() { return __cplusplus; }\n"}},
       {includes},
       {includes, {}, {"-std=c++17"}},
       true},
      {"another #include before",
       capped,
       {includes},
       {"#include <other.h>\n" + includes, {{"other.h", "int other();\n"}}},
       false},
      {"another #include behind it",
       capped,
       {includes},
       {includes + "#include <other.h>\n", {{"other.h", "int other();\n"}}},
       false},
      {"lines before", capped, {includes}, {"\n\n// text\nint mine;\n" + includes}, false},
      {"included again, behind its guard", twice, {includes}, {includes + includes}, false},
      {"first included by another header", twice, {includes}, {"#include <once.h>\n"}, false},
      {"asked by another header for a part that it gives by an #include",
       needs,
       {includes},
       {"#include <other.h>\n" + includes},
       false},
      {"a list read with another macro",
       list,
       {"#define X(n) int n = 1;\n" + includes},
       {"#define X(n) int n = 2;\n" + includes},
       true},
      {"a list read twice, the second time with another macro",
       list,
       {"#define X(n) int n = 1;\n" + includes + "#define X(n) int n##2 = 1;\n" + includes},
       {"#define X(n) int n = 1;\n" + includes + "#define X(n) int n##2 = 2;\n" + includes},
       true},
      {"what another header has declared already",
       declared,
       {includes},
       {"#include <other.h>\n" + includes},
       false},
      {"a body that another header has defined already",
       {{"ext.h", "int e();\n#ifndef has_f\ninline int f() { return 1; }\n#define has_f\n#endif\n"},
        {"other.h", "inline int f() { return 2; }\n#define has_f\n"}},
       {includes},
       {"#include <other.h>\n" + includes},
       true},
      {"what the project says is declared already",
       declared,
       {includes},
       {"#define size_defined\n" + includes},
       true},
      {"what the command line says is declared already",
       declared,
       {includes},
       {includes, {}, {"-Dsize_defined"}},
       true},
      {"what is declared once, with a macro of the project inside",
       {{"ext.h", "int e();\n#ifndef size_defined\ntypedef unsigned word size;\n"
                  "#define size_defined\n#endif\n"}},
       {includes, {}, {"-Dword=long"}},
       {includes, {}, {"-Dword=int"}},
       true},
      {"a guard that the project defines", twice, {includes}, {"#define EXT\n" + includes}, true},
      {"something counted before",
       counting,
       {includes},
       {"int a = __COUNTER__;\n" + includes},
       false},
  };
  for (const Row &row : rows) {
    CAPTURE(row.edit);
    ExtractedUnit baseline = extracted(row.baseline, row.both);
    ExtractedUnit current = extracted(row.current, row.both);
    CHECK(seen(baseline, "ext.h") != Fingerprint{});
    CHECK(seen(current, "ext.h") != Fingerprint{});
    CHECK((seen(baseline, "ext.h") != seen(current, "ext.h")) == row.isChanged);
  }
}

TEST_CASE("external headers: only what is read outside the project") {
  SourceOptions options;
  options.flags = {"-I..", "-Ibuild"};
  options.headers = {{"../ext.h", "int e();\n"},
                     {"../macros.h", "#define M 1\n"},
                     {"../asked.h", "int a();\n"},
                     {"mine.h", "int m();\n"},
                     {"build/made.h", "int b();\n"}};
  auto unit = retest::extracted("#include <ext.h>\n#include <macros.h>\n#include \"mine.h\"\n"
                                "#include <made.h>\n#if __has_include(<asked.h>)\n#endif\n",
                                options);
  std::string headers;
  for (const ExternalHeader &header : unit.record.graph.externalHeaders)
    headers += unit.names.text(header.path).rsplit('/').second.str() + " ";
  CHECK(headers == "ext.h macros.h ");
  for (const FileInput &input : unit.record.inputs) {
    CAPTURE(input.path);
    bool isRead = input.path.ends_with("/ext.h") || input.path.ends_with("/macros.h");
    CHECK((input.seen != Fingerprint{}) == isRead);
  }
  CHECK(unit.record.graph.externalHeaders == externalHeadersOf(unit.record.inputs, unit.names));
}

TEST_CASE("external headers: one that a link in the project leads to") {
  TemporaryDirectory directory;
  std::string root = directory / "project";
  directory.write("project/unit.cpp", "#include \"linked/ext.h\"\n");
  std::filesystem::create_directory_symlink(directory / "outside", root + "/linked");
  Unit unit{"unit.cpp", {root, root + "/unit.cpp", "", {"clang++-19", "unit.cpp"}}};
  ExtractOptions options = llvm::cantFail(prepareExtraction({"", {unit}, {}}));
  auto headers = [&](const std::string &content) {
    directory.write("outside/ext.h", content);
    ExtractedUnit result = extractUnit(unit, {root, root + "/build"}, options);
    CHECK(result.record.error == "");
    return result.record.graph.externalHeaders;
  };
  auto before = headers("inline int e() { return 1; }\n");
  CHECK(before.size() == 1);
  CHECK(headers("inline int e() { return 2; }\n") != before);
}

TEST_CASE("external headers: the standard library under its own macros") {
  SourceOptions plain;
  auto how = [](const std::string &source, const SourceOptions &options) {
    std::map<std::string, Fingerprint> headers;
    ExtractedUnit unit = retest::extracted(source, options);
    for (const ExternalHeader &header : unit.record.graph.externalHeaders)
      headers[unit.names.text(header.path).str()] = header.seen;
    return headers;
  };
  /// Headers of both that are seen in another way.
  auto differing = [](const auto &a, const auto &b) {
    std::string names;
    for (const auto &[name, seen] : a)
      if (auto other = b.find(name); other != b.end() && other->second != seen)
        names += llvm::StringRef(name).rsplit('/').second.str() + " ";
    return names;
  };
  const std::string source = "#include <vector>\n#include <string>\n";
  auto baseline = how(source, plain);
  CHECK(baseline.size() > 50);
  SourceOptions asserting;
  asserting.flags.push_back("-D_GLIBCXX_ASSERTIONS");
  CHECK(differing(baseline, how(source, asserting)).find("stl_vector.h ") != std::string::npos);
  // Not <stdio.h> and its like: which of glibc's headers declares off64_t depends on their order,
  // by conditions that are too rich to see through.
  for (const std::string other :
       {"algorithm", "cmath", "math.h", "wchar.h", "stdlib.h", "stddef.h", "limits.h", "inttypes.h",
        "regex", "iostream", "chrono", "pthread.h", "sys/types.h"}) {
    CAPTURE(other);
    CHECK(differing(baseline, how("#include <" + other + ">\n" + source, plain)) == "");
    CHECK(differing(baseline, how(source + "#include <" + other + ">\n", plain)) == "");
  }
}
