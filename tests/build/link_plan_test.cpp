#include "build/link_plan.h"
#include "tests/build/show_plan.h"
#include "tests/build/temporary_tree.h"

#include <doctest/doctest.h>

#include <llvm/ADT/StringExtras.h>
#include <string>

using namespace retest;

namespace {

/// A build directory with units a.cpp and b.cpp (objects a.o and b.o) and an assembly source s.S,
/// whose link scripts the test writes.
struct Build {
  TemporaryTree tree;
  ProjectPaths paths{tree.path, tree.directory("build")};
  CompileDatabase database;

  Build() {
    for (const char *name : {"a", "b"})
      database.units.push_back({std::string(name) + ".cpp", command(name, ".cpp")});
    database.others.push_back(command("s", ".S"));
  }

  CompileCommand command(std::string name, std::string ending) {
    return {paths.build, tree.at(name + ending), tree.at("build/" + name + ".o"), {"c++"}};
  }

  void script(std::string target, llvm::StringRef text) {
    tree.write("build/CMakeFiles/" + target + ".dir/link.txt", text);
  }

  LinkPlan plan() { return loadLinkPlan(database, paths); }
};

} // namespace

TEST_CASE("link plan: objects become units, and files are told apart by who makes them") {
  Build build;
  build.tree.write("prebuilt/libp.a", "");
  build.script("x", "ar qc libx.a b.o\nranlib libx.a\n");
  build.script("a", "c++ a.o s.o ../prebuilt/libp.a gen.o libx.a /usr/lib/libz.so -lm -o bin/a\n");
  LinkPlan plan = build.plan();
  CHECK(plan.source == "link.txt");
  CHECK(show(plan) == "exe <build>/bin/a: unit(a.cpp) object(<build>/s.o from s.S) "
                      "object(prebuilt/libp.a) object(<build>/gen.o) archive(<build>/libx.a) "
                      "external(/usr/lib/libz.so) external(-lm)\n"
                      "archive <build>/libx.a: unit(b.cpp)\n");
}

TEST_CASE("link plan: -l finds libraries of the project, one row per case") {
  struct Row {
    std::string words, inputs;
  };
  const Row rows[] = {
      {"-L. -lx", "archive(<build>/libx.a)"},
      {"-lx", "external(-lx)"},
      {"-L. -lv", "shared(<build>/libv.so.1.2)"},
      {"-L. -static -lv", "external(-lv)"},
      {"-L. -l:libv.so.1", "shared(<build>/libv.so.1.2)"},
      {"-L../prebuilt -lp", "object(prebuilt/libp.a)"},
      {"-L. -Wl,--whole-archive -lx -lv -Wl,--no-whole-archive",
       "archive(<build>/libx.a)! shared(<build>/libv.so.1.2)"},
  };
  Build build;
  build.tree.write("prebuilt/libp.a", "");
  build.script("x", "ar qc libx.a b.o\n");
  build.script("v", "c++ -shared -Wl,-soname,libv.so.1 -o libv.so.1.2 b.o\n");
  for (const Row &row : rows) {
    CAPTURE(row.words);
    build.script("a", "c++ a.o -o a " + row.words + "\n");
    CHECK(llvm::StringRef(show(build.plan())).split('\n').first ==
          "exe <build>/a: unit(a.cpp) " + row.inputs);
  }
}

TEST_CASE("link plan: versions and links of a library are one binary") {
  Build build;
  build.script("v", "c++ -shared -Wl,-soname,libv.so.1 -o lib/libv.so.1.2 b.o\n");
  for (std::string file : {"lib/libv.so.1.2", "lib/libv.so.1", "lib/libv.so"}) {
    CAPTURE(file);
    build.script("a", "c++ a.o -o a " + file + "\n");
    CHECK(show(build.plan()) == "exe <build>/a: unit(a.cpp) shared(<build>/lib/libv.so.1.2)\n"
                                "shared <build>/lib/libv.so.1.2: unit(b.cpp)\n");
  }
}

TEST_CASE("link plan: a relocatable object stands for what it is made of") {
  Build build;
  build.script("r", "ld -r -o both.o a.o b.o\n");
  build.script("a", "c++ both.o -o a\n");
  CHECK(show(build.plan()) == "exe <build>/a: unit(a.cpp) unit(b.cpp)\n");
}

TEST_CASE("link plan: flags do not tell the place") {
  Build build;
  build.script("a", "c++ -O2 a.o b.o -o a -Wl,-rpath," + build.paths.build + "/lib -pthread\n");
  LinkPlan plan = build.plan();
  REQUIRE(plan.binaries.size() == 1);
  CHECK(llvm::join(plan.binaries[0].flags, " ") == "-O2 -rpath <build>/lib -pthread");
}

TEST_CASE("link plan: what is not understood is a note") {
  Build build;
  build.script("a", "c++ a.o -o a\n");
  build.script("o", "/opt/odd-linker b.o --to o\n");
  CHECK(
      show(build.plan()) ==
      "exe <build>/a: unit(a.cpp)\n"
      "note <build>/CMakeFiles/o.dir/link.txt: not understood as a link: /opt/odd-linker b.o --to "
      "o\n"
      "note 1 of 2 units are linked into no binary (such as b.cpp)\n");
  build.script("o", "c++ b.o -o a\n");
  CHECK(show(build.plan()) == "exe <build>/a: unit(a.cpp)\n"
                              "note <build>/a: linked by two commands; the first one counts\n"
                              "note 1 of 2 units are linked into no binary (such as b.cpp)\n");
}

TEST_CASE("link plan: the script of a target that is gone does not count") {
  Build build;
  build.script("a", "c++ a.o b.o -o a\n");
  build.script("gone", "c++ a.o b.o -o gone\n");
  build.tree.write("build/CMakeFiles/TargetDirectories.txt",
                   build.tree.at("build/CMakeFiles/a.dir") + "\n");
  CHECK(show(build.plan()) == "exe <build>/a: unit(a.cpp) unit(b.cpp)\n");
}

TEST_CASE("link plan: without any description there are no binaries") {
  Build build;
  LinkPlan plan = build.plan();
  CHECK(plan.source == "none: all units form one program");
  CHECK(show(plan) == "");
}

TEST_CASE("link plan: descriptions that cannot be read are notes") {
  Build build;
  build.tree.write("build/build.ninja", "this is not ninja\n");
  build.tree.write("build/.cmake/api/v1/reply/index-2026.json", "{");
  LinkPlan plan = build.plan();
  CHECK(plan.source == "none: all units form one program");
  REQUIRE(plan.notes.size() == 2);
  CHECK(llvm::StringRef(plan.notes[0]).starts_with("<build>/build.ninja: ninja cannot read it: "));
  CHECK(plan.notes[1].find("index-2026.json: not JSON: [1:1, byte=1]") != std::string::npos);
}

TEST_CASE("link plan: what a command of the project compiles is known by its sources") {
  struct Row {
    std::string command, plan;
  };
  const Row rows[] = {
      {"c++ ../m.cc a.o -o tool", "exe <build>/tool: object(m.cc from m.cc) unit(a.cpp)"},
      {"cd gen && c++ m.S -o ../tool", "exe <build>/tool: object(<build>/gen/m.S from m.S)"},
      {"c++ -c ../m.cc -o m.o && c++ m.o -o tool",
       "exe <build>/tool: object(<build>/m.o from m.cc)"},
      {"c++ -c ../m.cc ../n.cc && ar qc lib.a m.o n.o",
       "archive <build>/lib.a: object(<build>/m.o from m.cc) object(<build>/n.o from n.cc)"},
      {"c++ /opt/m.cc -o tool", "exe <build>/tool: object(/opt/m.cc from m.cc)"},
      {"c++ m.data m.o -o tool", "exe <build>/tool: object(<build>/m.data) object(<build>/m.o)"},
      {"c++ ../a.cpp -DTOOL -o tool", "exe <build>/tool: unit(a.cpp) object(a.cpp from a.cpp)"},
  };
  Build build;
  for (const Row &row : rows) {
    CAPTURE(row.command);
    build.tree.write("build/build.ninja",
                     "rule run\n  command = " + row.command + "\nbuild all: run\n");
    CHECK(llvm::StringRef(show(build.plan())).split('\n').first == row.plan);
  }
  build.database.units[0].command.arguments = {"c++", "../a.cpp", "-o", "tool"};
  build.tree.write("build/build.ninja",
                   "rule run\n  command = c++ ../a.cpp -o tool\nbuild all: run\n");
  CHECK(llvm::StringRef(show(build.plan())).starts_with("exe <build>/tool: unit(a.cpp)\n"));
}

TEST_CASE("link plan: what a command of the project links is known by its content as well") {
  Build build;
  build.tree.write("build/CMakeCache.txt", "CMAKE_GENERATOR:INTERNAL=Ninja\n");
  build.tree.write("build/build.ninja", "rule CUSTOM_COMMAND\n"
                                        "  command = $COMMAND\n"
                                        "build tool: CUSTOM_COMMAND a.o\n"
                                        "  COMMAND = c++ a.o -o tool && strip tool\n"
                                        "rule link\n"
                                        "  command = c++ $in -o $out\n"
                                        "build usual: link b.o\n");
  CHECK(show(build.plan()) == "exe <build>/tool: unit(a.cpp) object(<build>/tool)\n"
                              "exe <build>/usual: unit(b.cpp)\n");
}

TEST_CASE("link plan: ninja shows response files and odd commands on objects") {
  Build build;
  build.tree.write("build/build.ninja", "rule link\n"
                                        "  command = c++ @$out.rsp -o $out\n"
                                        "  rspfile = $out.rsp\n"
                                        "  rspfile_content = $in\n"
                                        "rule odd\n"
                                        "  command = odd-tool $in > $out\n"
                                        "build bin/a: link a.o | sum\n"
                                        "build sum: odd b.o\n"
                                        "build text: odd text.txt\n"
                                        "rule script\n"
                                        "  command = ar -M < $in\n"
                                        "build libz.a: script z.mri\n");
  LinkPlan plan = build.plan();
  CHECK(plan.source == "link commands of ninja");
  CHECK(show(plan) == "exe <build>/bin/a: unit(a.cpp)\n"
                      "note not understood as a link: odd-tool b.o > sum\n"
                      "note not understood as a link: ar -M < z.mri\n"
                      "note 1 of 2 units are linked into no binary (such as b.cpp)\n");
}
