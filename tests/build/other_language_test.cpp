#include "build/other_language.h"
#include "tests/build/temporary_tree.h"

#include <doctest/doctest.h>

using namespace retest;

TEST_CASE("other languages: an object is what its command, its source and what it includes are") {
  TemporaryTree tree;
  ProjectPaths paths{tree.path, tree.directory("build")};
  CompileCommand command{paths.build, tree.at("start.S"), tree.at("build/start.o"), {"cc"}};
  command.arguments = {"cc", "-I../include", "-c", command.file, "-o", command.object};
  tree.write("start.S", "#include \"beside.h\"\n  .include \"table.inc\"\n.incbin \"data.bin\"\n");
  tree.write("beside.h", "#include <deep.h>\n");
  tree.write("include/deep.h", "#define A 1\n");
  tree.write("include/table.inc", ".word 1\n");
  tree.write("unrelated.h", "");
  Fingerprint first = contentOfSources(command, paths);
  CHECK(contentOfSources(command, paths) == first);

  tree.write("unrelated.h", "#define B\n");
  CHECK(contentOfSources(command, paths) == first);
  command.object = tree.at("build/other.o");
  command.arguments.back() = command.object;
  CHECK(contentOfSources(command, paths) == first);

  Fingerprint last = first;
  auto checkChanged = [&](const char *what) {
    CAPTURE(what);
    Fingerprint now = contentOfSources(command, paths);
    CHECK(now != last);
    last = now;
  };
  tree.write("include/deep.h", "#define A 2\n");
  checkChanged("deep.h");
  tree.write("include/table.inc", ".word 2\n");
  checkChanged("table.inc");
  tree.write("beside.h", "#define B\n#include <deep.h>\n");
  checkChanged("beside.h");
  tree.write("build/data.bin", "x"); // looked for, and missing so far
  checkChanged("data.bin");
  tree.write("include/beside.h", ""); // hidden by the one beside the source
  CHECK(contentOfSources(command, paths) == last);
  command.arguments.insert(command.arguments.begin() + 1, "-DA=2");
  checkChanged("-D");
}

TEST_CASE("other languages: a file is included from anywhere in a line, and through macros") {
  const char *const sources[] = {
      "blob: .incbin \"data.bin\"\n",
      ".data; blob: .incbin \"data.bin\", 0, 4 ; .text\n",
      "# don't\n.macro embed file\n.incbin \"\\file\"\n.endm\nembed \"data.bin\" # isn't\n",
      "#define BLOB \"data.bin\"\n.incbin BLOB\n",
      "blob: incbin 'data.bin'\n",
      "%include \"table.inc\"\n",
      "asm(\".incbin \\\"data.bin\\\"\");\n",
      ".incbin BLOB\n",
  };
  for (const char *source : sources) {
    CAPTURE(source);
    TemporaryTree tree;
    ProjectPaths paths{tree.path, tree.directory("build")};
    CompileCommand command{paths.build, tree.at("start.S"), tree.at("build/start.o"), {"cc"}};
    command.arguments = {"cc", "-c", command.file, "-o", command.object};
    if (std::string(source) == ".incbin BLOB\n")
      command.arguments.push_back("-DBLOB=\"data.bin\"");
    tree.write("start.S", source);
    tree.write("table.inc", "blob: incbin \"data.bin\"\n");
    tree.write("data.bin", "one");
    Fingerprint first = contentOfSources(command, paths);
    tree.write("data.bin", "two");
    CHECK(contentOfSources(command, paths) != first);
  }
}

TEST_CASE("other languages: a name in a file that is included as data counts for nothing") {
  TemporaryTree tree;
  ProjectPaths paths{tree.path, tree.directory("build")};
  CompileCommand command{paths.build, tree.at("start.S"), tree.at("build/start.o"), {"cc"}};
  tree.write("start.S", ".incbin \"data.json\"\n");
  tree.write("data.json", "{\"file\": \"notes.txt\"}\n");
  tree.write("notes.txt", "one");
  Fingerprint first = contentOfSources(command, paths);
  tree.write("notes.txt", "two");
  CHECK(contentOfSources(command, paths) == first);
}
