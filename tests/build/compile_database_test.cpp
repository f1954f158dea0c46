#include "build/compile_database.h"
#include "tests/build/temporary_tree.h"

#include <doctest/doctest.h>

#include <llvm/ADT/StringExtras.h>
#include <string>

using namespace retest;

namespace {

/// A project in a temporary directory with sources a.cpp, b.cpp and a build directory.
struct Project {
  TemporaryTree tree;
  ProjectPaths paths;

  Project() {
    tree.write("a.cpp", "");
    tree.write("b.cpp", "");
    paths = {tree.path, tree.directory("build")};
  }

  llvm::Expected<CompileDatabase> load(llvm::StringRef json) {
    tree.write("build/compile_commands.json", json);
    return loadCompileDatabase(paths.build, paths);
  }

  /// One entry in the build directory.
  std::string entry(llvm::StringRef file, llvm::StringRef command) {
    return ("{\"directory\":\"" + paths.build + "\",\"file\":\"" + file + "\",\"command\":\"" +
            command + "\"}")
        .str();
  }

  /// Units as "name: words" lines, or the error.
  std::string units(llvm::StringRef json) {
    auto database = load(json);
    if (!database)
      return withoutRoot(llvm::toString(database.takeError()));
    std::string result;
    for (const Unit &unit : database->units)
      result += unit.name + ": " + llvm::join(unit.command.arguments, " ") + "\n";
    return result;
  }

  std::string withoutRoot(std::string text) {
    for (size_t at; (at = text.find(tree.path)) != std::string::npos;)
      text.replace(at, tree.path.size(), "ROOT");
    return text;
  }
};

} // namespace

TEST_CASE("compile database: commands and argument lists, resolved from their directory") {
  Project project;
  auto database = project.load("\xEF\xBB\xBF[\r\n{\"directory\": \".\",\r\n"
                               "\"file\": \"../a.cpp\", \"output\": \"o/a.o\",\r\n"
                               "\"arguments\": [\"ccache\", \"c++\", \"-c\", \"../a.cpp\"]},\r\n" +
                               project.entry("../b.cpp", "c++ -o o/b.o -c ../b.cpp") + "]");
  REQUIRE(bool(database));
  REQUIRE(database->units.size() == 2);
  const Unit &a = database->units[0], &b = database->units[1];
  CHECK(a.name == "a.cpp");
  CHECK(a.command.directory == project.paths.build);
  CHECK(a.command.file == project.tree.at("a.cpp"));
  CHECK(a.command.object == project.tree.at("build/o/a.o"));
  CHECK(llvm::join(a.command.arguments, " ") == "c++ -c ../a.cpp");
  CHECK(b.name == "b.cpp");
  CHECK(b.command.object == project.tree.at("build/o/b.o"));
  CHECK(database->path == project.tree.at("build/compile_commands.json"));
}

TEST_CASE("compile database: names of files that are compiled several times") {
  Project project;
  auto entry = [&](llvm::StringRef command) { return project.entry("../a.cpp", command); };
  CHECK(project.units("[" + entry("c++ -c ../a.cpp -o 2.o") + "," +
                      entry("c++ -c ../a.cpp -o 1.o") + "," + entry("c++ -c ../a.cpp -o 1.o") +
                      "]") == "a.cpp@<build>/1.o: c++ -c ../a.cpp -o 1.o\n"
                              "a.cpp@<build>/2.o: c++ -c ../a.cpp -o 2.o\n");
  CHECK(project.units("[" + entry("c++ -DX -c ../a.cpp -o 1.o") + "," +
                      entry("c++ -DA -c ../a.cpp -o 1.o") + "," + entry("c++ -c ../a.cpp") + "]") ==
        "a.cpp: c++ -c ../a.cpp\n"
        "a.cpp@<build>/1.o: c++ -DA -c ../a.cpp -o 1.o\n"
        "a.cpp@<build>/1.o#2: c++ -DX -c ../a.cpp -o 1.o\n");
  // The same through another spelling of the file.
  CHECK(project.units("[" + project.entry(project.tree.at("a.cpp"), "c++ -c a -o 1.o") + "," +
                      entry("c++ -c b -o 1.o") + "]") == "a.cpp@<build>/1.o: c++ -c a -o 1.o\n"
                                                         "a.cpp@<build>/1.o#2: c++ -c b -o 1.o\n");
}

TEST_CASE("compile database: blanks and other characters in paths") {
  Project project;
  project.tree.write("mit blank/ä.cpp", "");
  project.tree.write("build/fl ags.rsp", "-DA -DB");
  CHECK(project.units(
            "[" +
            project.entry("../mit blank/ä.cpp", "c++ '@fl ags.rsp' -c \\\"../mit blank/ä.cpp\\\"") +
            "]") == "mit blank/ä.cpp: c++ -DA -DB -c ../mit blank/ä.cpp\n");
}

TEST_CASE("compile database: entries that are no units are skipped, with the reason") {
  Project project;
  struct Row {
    std::string file, command, reason;
  };
  const Row rows[] = {
      {"x.c", "cc -c x.c", ""},
      {"x.C", "c++ -c x.C", ""},
      {"x.cu", "c++ -x c++ -c x.cu", ""},
      {"x.h", "c++ -x c++ -fsyntax-only x.h", ""},
      {"x.cpp", "icpc -xHost -c x.cpp", ""},
      {"x.cpp", "c++ -x c++-header -x none -c x.cpp", ""},
      {"x.cpp", "c++ -Xclang -x -c x.cpp", ""},
      {"x.hxx.cxx", "c++ -x c++-header -o x.gch -c x.hxx.cxx", "precompiled header"},
      {"x.hxx.cxx", "c++ -xc++-header -o x.gch -c x.hxx.cxx", "precompiled header"},
      {"x.cxx", "clang++ -Xclang -emit-pch -o x.pch -c x.cxx", "precompiled header"},
      {"x.dir/cmake_pch.h.c", "cc -c cmake_pch.h.c", "precompiled header"},
      {"x.h", "c++ -c x.h", "precompiled header"},
      {"x.S", "cc -c x.S", "assembly"},
      {"x.s", "cc -c x.s", "assembly"},
      {"x.cpp", "cc --language=assembler-with-cpp -c x.cpp", "assembly"},
      {"x.F90", "gfortran -c x.F90", "Fortran"},
      {"x.cu", "nvcc -c x.cu", "CUDA"},
      {"x.mm", "c++ -c x.mm", "Objective-C"},
      {"x.m", "cc -x objective-c -c x.m", "Objective-C"},
      {"x.rc", "windres x.rc", "resource"},
      {"x.swift", "swiftc x.swift", "unknown language"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.command);
    auto database = project.load("[" + project.entry("../a.cpp", "c++ -c ../a.cpp") + "," +
                                 project.entry(row.file, row.command) + "]");
    REQUIRE(bool(database));
    llvm::StringRef reason = row.reason;
    CHECK(database->units.size() == (reason.empty() ? 2 : 1));
    CHECK(llvm::join(database->skipped, "\n") ==
          (reason.empty() ? "" : "<build>/" + row.file + ": " + row.reason));
    CHECK(database->others.size() == (reason.empty() || reason == "precompiled header" ? 0 : 1));
  }
}

TEST_CASE("compile database: what is wrong with it is said, one row per fault") {
  Project project;
  struct Row {
    std::string json, message;
  };
  const std::string anew = "; `cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON ROOT/build` writes it anew";
  const Row rows[] = {
      {"[]", "the compile database is empty" + anew},
      {"{}", "not a compile database: a list of commands is expected" + anew},
      {"[3]", "entry 1 is not an object" + anew},
      {"[{\"command\": \"c++\"}]", "entry 1 has no \"file\"" + anew},
      {"[{\"file\": \"x.cpp\"}]", "entry 1 has neither \"command\" nor \"arguments\"" + anew},
      {"[\n  {,}]", "not JSON: [2:4, byte=6]: Expected object key" + anew},
      {"[{\"file\": \"x.cpp\", \"command\": \"c++ -c x.cpp\"}]",
       "none of its 1 sources exists (such as ROOT/build/x.cpp); configure the build directory "
       "again"},
      {"[{\"file\": \"x.s\", \"command\": \"cc -c x.s\"}]",
       "none of its 1 entries is C or C++; name the build directory of a C or C++ project with -p "
       "DIR"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.json);
    CHECK(project.units(row.json) == "ROOT/build/compile_commands.json: " + row.message);
  }
}

TEST_CASE(
    "compile database: a shell in the place of the compiler is an error, a launcher is none") {
  Project project;
  struct Row {
    std::string command, shell;
  };
  const Row rows[] = {
      {R"(sh -c 'g++ -DA -c ../b.cpp')", "sh"},
      {R"(/bin/bash -ec 'g++ -DA -c ../b.cpp')", "/bin/bash"},
      {R"(ccache env A=b dash -c 'g++ -DA -c ../b.cpp')", "dash"},
      {R"(sh ../wrapper.sh -DA -c ../b.cpp)", "sh"},
      {R"(env A=b g++ -DA -c ../b.cpp)", ""},
      {R"(../wrapper.sh g++ -DA -c ../b.cpp)", ""},
  };
  for (const Row &row : rows) {
    CAPTURE(row.command);
    std::string expected = "a.cpp: c++ -c ../a.cpp\nb.cpp: g++ -DA -c ../b.cpp\n";
    if (!row.shell.empty())
      expected = "ROOT/build/compile_commands.json: entry 2 (for b.cpp) runs " + row.shell +
                 ", a shell, which hides the compiler and its flags; write the entry as the "
                 "compiler with its flags (ccache or `env A=b` may stand before it)";
    CHECK(project.units("[" + project.entry("../a.cpp", "c++ -c ../a.cpp") + "," +
                        project.entry("../b.cpp", row.command) + "]") == expected);
  }
}

TEST_CASE("compile database: sources of precompiled headers take their place") {
  Project project;
  project.tree.write("near.h", "");
  const std::string pch = project.entry("../pch/p.hpp", "clang++ -x c++-header -o a.p/p.hpp.pch "
                                                        "-c ../pch/p.hpp");
  const std::string gch =
      project.entry("../pch/p.hpp", "g++ -x c++-header -o a.p/p.hpp.gch -c ../pch/p.hpp");
  struct Row {
    std::string others, command, expected;
  };
  const Row rows[] = {
      {pch + ",", "clang++ -include-pch a.p/p.hpp.pch -c ../a.cpp",
       "a.cpp: clang++ -include ROOT/pch/p.hpp -c ../a.cpp\n"},
      {gch + ",", "g++ -Ia.p -include p.hpp -c ../a.cpp",
       "a.cpp: g++ -Ia.p -include ROOT/pch/p.hpp -c ../a.cpp\n"},
      {"", "clang++ -include-pch ../near.h.pch -c ../a.cpp",
       "a.cpp: clang++ -include-pch ../near.h.pch -c ../a.cpp\n"},
      {"", "clang++ -include-pch far.pch -c ../a.cpp",
       "ROOT/a.cpp: includes far.pch, and it is not known what that precompiled header is made "
       "from; build without precompiled headers"},
  };
  for (const Row &row : rows)
    CHECK(project.withoutRoot(project.units(
              "[" + row.others + project.entry("../a.cpp", row.command) + "]")) == row.expected);
}

TEST_CASE("compile database: none, and no directory, are errors of the environment") {
  Project project;
  auto none = loadCompileDatabase(project.paths.build, project.paths);
  REQUIRE(!none);
  std::string message = project.withoutRoot(llvm::toString(none.takeError()));
  CHECK(message == "ROOT/build: no compile_commands.json here; "
                   "`cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON ROOT/build` writes one");
}

TEST_CASE("compile database: a unit whose source is missing stays") {
  Project project;
  CHECK(project.units("[" + project.entry("../a.cpp", "c++ -c ../a.cpp") + "," +
                      project.entry("../gone.cpp", "c++ -c ../gone.cpp") + "]") ==
        "a.cpp: c++ -c ../a.cpp\ngone.cpp: c++ -c ../gone.cpp\n");
}
