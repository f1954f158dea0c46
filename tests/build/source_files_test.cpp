#include "build/source_files.h"
#include "tests/build/temporary_tree.h"

#include <doctest/doctest.h>

#include <llvm/ADT/STLExtras.h>

using namespace retest;

namespace {

/// A source that a command in build/gen compiles and links into build/gen/tool.
struct Source {
  TemporaryTree tree;
  ProjectPaths paths{tree.path, tree.directory("build")};
  CompileCommand command{tree.directory("build/gen"), tree.at("src/tool.cc"),
                         tree.at("build/gen/tool")};

  Source(llvm::StringRef text, std::vector<std::string> words) {
    tree.write("src/tool.cc", text);
    words.insert(words.begin(), "c++");
    llvm::append_range(words, std::vector<std::string>{command.file, "-o", "tool"});
    command.arguments = std::move(words);
    tree.write("build/gen/tool", "\x7f"
                                 "ELF");
  }

  bool reads(const std::string &name) const {
    return filesOfSource(command, paths).count(name) != 0;
  }
};

} // namespace

TEST_CASE("source files: one row per way to a file that the compiler reads") {
  struct Row {
    const char *text;
    std::vector<std::string> words;
  };
  const Row rows[] = {
      {"#include \"../inc/h.h\"\n", {}},
      {"#include <h.h>\n", {"-I../../inc"}},
      {"#include <h.h>\n", {"-isystem", "../../inc"}},
      {"#include <h.h>\n", {"--include-directory=../../inc"}},
      {"#  include/* why */\\\n \"h.h\"\n", {"-iquote../../inc"}},
      {"%:include_next <h.h>\n", {"-I../../inc"}},
      {"#if __has_include(<h.h>)\n", {"-I../../inc"}},
      {"#define HEADER <h.h>\n#include HEADER\n", {"-I../../inc"}},
      {"#include HEADER\n", {"-I../../inc", "-DHEADER=\"h.h\""}},
      {"#include \"mid.h\"\n", {"-I../../inc"}}, // which includes it
      {"", {"-I../../inc", "-include", "h.h"}},
      {"", {"-include../../inc/h.h"}},
      {"", {"-Wp,-include,../../inc/h.h"}},
      {"import \"h.h\";\n", {"-I../../inc"}},
      {"asm(\".incbin \\\"h.h\\\"\");\n", {"-I../../inc"}},
      {"#define TEXT(x) #x\n#define NAME(x) TEXT(x.h)\n#include NAME(h)\n", {"-I../../inc"}},
      {"import h;\n", {}},
  };
  for (const Row &row : rows) {
    CAPTURE(row.text);
    Source source(row.text, row.words);
    source.tree.write("inc/h.h", "int h;\n");
    source.tree.write("inc/mid.h", "#pragma once\n#include \"h.h\"\n");
    CHECK(source.reads("src/tool.cc"));
    CHECK(source.reads("inc/h.h"));
    CHECK(!source.reads("<build>/gen/tool"));
  }
}

TEST_CASE("source files: a name with blanks, and a list of words in a file") {
  Source source("#include \"my own.h\"\n#include <h.h>\n", {"@words"});
  source.tree.write("src/my own.h", "");
  source.tree.write("inc/h.h", "");
  source.tree.write("build/gen/words", "-I../../inc");
  CHECK(source.reads("src/my own.h"));
  CHECK(source.reads("inc/h.h"));
}

TEST_CASE("source files: of several files that a name may mean, all") {
  Source source("#include <h.h>\n", {"-I../../a", "-I../../b"});
  for (const char *name : {"src/h.h", "a/h.h", "b/h.h"})
    source.tree.write(name, "");
  CHECK(source.reads("src/h.h")); // with "h.h"
  CHECK(source.reads("a/h.h"));
  CHECK(source.reads("b/h.h"));
}

TEST_CASE("source files: a header outside of the project that includes one of the project") {
  TemporaryTree outside;
  outside.write("lib.h", "#include \"lib_config.h\"\n");
  Source source("#include <lib.h>\n", {"-I" + outside.path, "-I../../inc"});
  source.tree.write("inc/lib_config.h", "");
  CHECK(source.reads("inc/lib_config.h"));
  CHECK(source.reads(outside.at("lib.h")));
}

TEST_CASE("source files: what nobody includes") {
  Source source("#include \"h.h\"\n", {"-I../../inc", "-MD", "-MF", "tool.d", "../lib.a"});
  source.tree.write("src/h.h", "");
  source.tree.write("inc/other.h", "");
  source.tree.write("build/gen/tool.d", "");
  source.tree.write("build/lib.a", "!<arch>\n");
  CHECK(filesOfSource(source.command, source.paths).size() == 2);
}
