#include "build/command_line.h"
#include "build/compile_database.h"
#include "tests/build/temporary_tree.h"

#include <doctest/doctest.h>

#include <string>

using namespace retest;

namespace {

/// The fingerprint of a command in which R stands for the root and B for the build directory.
Fingerprint fingerprintAt(llvm::StringRef command, std::string root, std::string build,
                          const ProjectPaths &paths) {
  CompileCommand result;
  result.directory = build;
  result.file = root + "/src/a.cpp";
  result.arguments = splitCommand(command);
  for (std::string &word : result.arguments)
    for (const auto &[letter, path] : {std::pair("{R}", root), std::pair("{B}", build)})
      for (size_t at; (at = word.find(letter)) != std::string::npos;)
        word.replace(at, 3, path);
  return commandFingerprint(result, paths);
}

Fingerprint fingerprintAt(llvm::StringRef command, const char *root, const char *build) {
  return fingerprintAt(command, root, build, {root, build});
}

} // namespace

TEST_CASE("command fingerprint: blind to the place of root and build directory") {
  for (std::string command :
       {"c++ -I{R}/include -c {R}/src/a.cpp", "c++ -isystem {B}/gen -c ../src/a.cpp",
        "c++ '-DDATA=\"{R}/data\"' -DDIR={R} -c {R}/src/a.cpp",
        "c++ -ffile-prefix-map={R}=. -ffile-prefix-map={B}=/mapped -c a.cpp",
        "c++ -DLIST={R}:{B}:{R}/x,{B}/y -c a.cpp", "{B}/bin/c++ -c {R}/src/a.cpp"}) {
    CAPTURE(command);
    Fingerprint here = fingerprintAt(command, "/srv/me/app", "/srv/me/app/build");
    CHECK(here == fingerprintAt(command, "/srv/app", "/srv/app/build"));
    // Outside the root the build directory has another name.
    CHECK(fingerprintAt(command, "/srv/me/app", "/tmp/b") ==
          fingerprintAt(command, "/srv/app", "/b"));
  }
}

TEST_CASE("command fingerprint: a path that only looks like the root is another path") {
  auto differs = [](const char *a, const char *b) {
    return fingerprintAt(a, "/src", "/src/build") != fingerprintAt(b, "/src", "/src/build");
  };
  CHECK(differs("c++ -I/srcs -c a.cpp", "c++ -I<root>s -c a.cpp"));
  CHECK(differs("c++ -I/usr/src/x -c a.cpp", "c++ -I/usr<root>/x -c a.cpp"));
  CHECK(!differs("c++ -I/src/x -c a.cpp", "c++ -I{R}/x -c a.cpp"));
}

TEST_CASE("command fingerprint: outputs do not count, everything else does") {
  auto of = [](llvm::StringRef command) { return fingerprintAt(command, "/r", "/r/b"); };
  Fingerprint plain = of("c++ -DA -c a.cpp");
  for (std::string same :
       {"c++ -DA -o x.o -c a.cpp", "c++ -DA -MD -MT x.o -MF x.d -o x.o -c a.cpp",
        "c++ -DA -MMD -MP -MQ y -MFx.d -c a.cpp", "c++ -DA -Wp,-MD,x.d -c a.cpp"}) {
    CAPTURE(same);
    CHECK(of(same) == plain);
  }
  for (std::string other :
       {"c++ -DB -c a.cpp", "g++ -DA -c a.cpp", "c++ -DA -O2 -c a.cpp", "c++ -c a.cpp -DA",
        "c++ -DA -c b.cpp", "c++ -D A -c a.cpp", "c++ -DA -Xclang -MT -c a.cpp"}) {
    CAPTURE(other);
    CHECK(of(other) != plain);
  }
}

TEST_CASE("command fingerprint: a checkout that is reached through a link") {
  TemporaryTree tree;
  tree.write("real/src/a.cpp", "");
  tree.directory("real/build");
  tree.link("linked", "real");
  ProjectPaths paths{tree.at("real"), tree.at("real/build")};
  const char *command = "c++ -I{R}/include -DD={B}/x -c {R}/src/a.cpp";
  Fingerprint real = fingerprintAt(command, tree.at("real"), tree.at("real/build"), paths);
  CHECK(real == fingerprintAt(command, tree.at("linked"), tree.at("linked/build"), paths));
  CHECK(real == fingerprintAt(command, tree.at("linked"), tree.at("real/build"), paths));
  CHECK(real == fingerprintAt(command, "/elsewhere", "/elsewhere/build"));
}
