#include "build/command_line.h"
#include "tests/build/temporary_tree.h"

#include <doctest/doctest.h>

#include <llvm/ADT/StringExtras.h>
#include <string>

using namespace retest;

TEST_CASE("command line: words are split as a shell does") {
  struct Row {
    std::string command, words;
  };
  const Row rows[] = {
      {"c++ -c a.cpp", "c++|-c|a.cpp"},
      {"c++   -DA=\\\"x\\\" \"a b.cpp\"", "c++|-DA=\"x\"|a b.cpp"},
      {"c++ '-DS=a b' a\\ b.cpp", "c++|-DS=a b|a b.cpp"},
      {"c++ \"-DT=\\\"q r\\\"\" ü/ß.cpp", "c++|-DT=\"q r\"|ü/ß.cpp"},
      {"", ""},
  };
  for (const Row &row : rows) {
    CAPTURE(row.command);
    CHECK(llvm::join(splitCommand(row.command), "|") == row.words);
  }
}

TEST_CASE("command line: launchers are stripped, one row per launcher") {
  struct Row {
    std::string command, stripped;
  };
  const Row rows[] = {
      {"/usr/bin/c++ -c a.cpp", "/usr/bin/c++ -c a.cpp"},
      {"ccache c++ -c a.cpp", "c++ -c a.cpp"},
      {"/usr/bin/ccache base_dir=/src /usr/bin/g++-12 -c a.cpp", "/usr/bin/g++-12 -c a.cpp"},
      {"ccache distcc g++ -c a.cpp", "g++ -c a.cpp"},
      {"sccache clang++-19 -c a.cpp", "clang++-19 -c a.cpp"},
      {"icecc gcc -c a.c", "gcc -c a.c"},
      {"buildcache my-own-compiler -c a.c", "my-own-compiler -c a.c"},
      {"distcc -c a.c", "cc -c a.c"},
      {"env A=b LANG=C c++ -c a.cpp", "c++ -c a.cpp"},
      {"/usr/bin/env -i -u X --unset=Y -C dir A=b -- c++ -c a.cpp", "c++ -c a.cpp"},
      {"/usr/bin/cmake -E env A=b --unset=C ccache c++ -c a.cpp", "c++ -c a.cpp"},
      {"/usr/bin/cmake -E __run_co_compile --launcher=ccache --tidy=clang-tidy;-p "
       "--source=a.cpp -- /usr/bin/c++ -DA=b -c a.cpp",
       "/usr/bin/c++ -DA=b -c a.cpp"},
      {"cmake -E time c++ a.o -o a", "c++ a.o -o a"},
      {"/usr/bin/ctest --launch --target-name t --build-dir b -- c++ -c a.cpp", "c++ -c a.cpp"},
      {"/opt/wrap/trace-it x86_64-linux-gnu-g++ -c a.cpp", "x86_64-linux-gnu-g++ -c a.cpp"},
      {"/opt/odd-compiler -c a.cpp", "/opt/odd-compiler -c a.cpp"},
      {"ccache", "ccache"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.command);
    CHECK(llvm::join(withoutLaunchers(splitCommand(row.command)), " ") == row.stripped);
  }
}

TEST_CASE("command line: response files are expanded from the command's directory") {
  TemporaryTree tree;
  tree.write("b/flags.rsp", "-DA=1 \"-I dir\"\n@more/b.rsp\r\n");
  tree.write("b/more/b.rsp", "-DB\n@more/c.rsp");
  tree.write("b/more/c.rsp", "-DC=\"x y\"");
  auto expanded = expandResponseFiles({"c++", "@flags.rsp", "-c", "@none", "a.cpp"}, tree.at("b"));
  CHECK(llvm::join(expanded, "|") == "c++|-DA=1|-I dir|-DB|-DC=x y|-c|@none|a.cpp");
}

TEST_CASE("command line: compilers are known by name") {
  for (std::string name : {"cc", "/usr/bin/c++", "g++-12", "clang++-19", "aarch64-linux-gnu-gcc",
                           "/usr/lib/ccache/gcc", "x86_64-linux-gnu-g++-12.2"})
    CHECK_MESSAGE(isCompilerName(name), name);
  for (std::string name : {"ccache", "distcc", "ar", "clang-tidy", "cmake", "rustc", "gcc-ar"})
    CHECK_MESSAGE(!isCompilerName(name), name);
}
