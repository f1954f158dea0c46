// Which flags of a command count as code generation.
#include "graph/extract_flags.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

/// The flags of a command that compiles a.cpp in the build directory of a project at `root`.
Fingerprint flags(const std::vector<std::string> &words, const std::string &root = "/srv/app",
                  const std::string &build = "/srv/app/build",
                  const std::string &compiler = "/usr/bin/g++") {
  CompileCommand command{build, root + "/a.cpp", build + "/a.o", {compiler}};
  command.arguments.insert(command.arguments.end(), words.begin(), words.end());
  command.arguments.insert(command.arguments.end(), {"-c", root + "/a.cpp"});
  return codeGenerationFlags(command, {root, build});
}

} // namespace

TEST_CASE("flags: those that count") {
  const std::vector<std::string> rows[] = {
      {"-O2"},
      {"-std=c++17"},
      {"-fno-exceptions"},
      {"-fno-rtti"},
      {"-ffast-math"},
      {"-fsanitize=address"},
      {"-fPIC"},
      {"-march=native"},
      {"-mavx2"},
      {"-m32"},
      {"-g"},
      {"-x", "c"},
      {"-pthread"},
      {"-flto"},
      {"-funsigned-char"},
      {"-fpack-struct=1"},
      {"-fvisibility=hidden"},
      {"-fno-such-flag"},
      {"--param", "max-inline-insns-single=7"},
      {"-Xclang", "-fno-validate-pch"},
      {"-mllvm", "-inline-threshold=7"},
      {"-Wa,--noexecstack"},
      {"-Wp,-D_FORTIFY_SOURCE=2"},
      {"@options"},
      {"-specs=/srv/app/my.specs"},
      {"other.cpp"},
  };
  for (const std::vector<std::string> &row : rows) {
    CAPTURE(row.front());
    CHECK(flags(row) != flags({}));
  }
  CHECK(flags({"-O2"}) != flags({"-O3"}));
  CHECK(flags({"-O2", "-O3"}) != flags({"-O3", "-O2"})); // the last one counts
  CHECK(flags({"-gcc-only", "one"}) != flags({"-gcc-only", "two"}));
  CHECK(flags({}) != flags({}, "/srv/app", "/srv/app/build", "/usr/bin/clang++"));
}

TEST_CASE("flags: those that do not count") {
  const std::vector<std::string> rows[] = {
      {"-DNDEBUG"},
      {"-D", "NDEBUG"},
      {"-UNDEBUG"},
      {"-Iinclude"},
      {"-I", "include"},
      {"-isystem", "include"},
      {"-iquote", "include"},
      {"-idirafter", "include"},
      {"-include", "config.h"},
      {"-imacros", "config.h"},
      {"-Wall"},
      {"-Wno-unused"},
      {"-Werror"},
      {"-Werror=return-type"},
      {"-w"},
      {"-pedantic"},
      {"-pedantic-errors"},
      {"-MD"},
      {"-MMD", "-MP"},
      {"-MF", "a.d"},
      {"-MT", "a.o"},
      {"-Wp,-MD,a.d"},
      {"-o", "other.o"},
      {"-fdiagnostics-color=always"},
      {"-fno-diagnostics-show-option"},
      {"-fcolor-diagnostics"},
      {"-ferror-limit=7"},
      {"-fmessage-length=0"},
      {"-pipe"},
      {"-v"},
  };
  for (const std::vector<std::string> &row : rows) {
    CAPTURE(row.front());
    CHECK(flags(row) == flags({}));
  }
}

TEST_CASE("flags: the place of root, build directory and compiler do not count") {
  auto at = [](const std::string &root, const std::string &build) {
    return flags({"-O2", "-fdebug-prefix-map=" + root + "=.", "-fprofile-dir=" + build}, root,
                 build);
  };
  CHECK(at("/srv/app", "/srv/app/build") == at("/opt/app", "/opt/app/build-ci"));
  CHECK(at("/srv/app", "/srv/app/build") == at("/opt/app", "/var/build"));
  CHECK(flags({"-O2"}) == flags({"-O2"}, "/srv/app", "/srv/app/build", "/opt/bin/g++"));
}

TEST_CASE("flags: a file that a flag names counts with its content") {
  TemporaryDirectory directory;
  auto now = [&] {
    return flags({"-fsanitize-ignorelist=list.txt"}, directory.path(), directory / "build");
  };
  directory.write("build/list.txt", "fun:a\n");
  Fingerprint before = now();
  directory.write("build/list.txt", "fun:b\n");
  CHECK(now() != before);
}
