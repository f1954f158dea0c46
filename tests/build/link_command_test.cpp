#include "build/link_command.h"
#include "tests/build/temporary_tree.h"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <string>

using namespace retest;

namespace {

/// "exe bin/a <- a.o -lm libx.a! | -O2": paths from /b, `!` marks whole archives, `^` -Bstatic.
std::string show(const LinkCommand &link) {
  auto shortened = [](llvm::StringRef path) {
    path.consume_front("/b/");
    return path.str();
  };
  std::string result = link.isRelocatable                       ? "object"
                       : link.kind == BinaryKind::Executable    ? "exe"
                       : link.kind == BinaryKind::SharedLibrary ? "shared"
                       : link.kind == BinaryKind::Module        ? "module"
                                                                : "archive";
  result += " " + shortened(link.output) + " <-";
  for (const LinkWord &word : link.inputs)
    result += " " +
              (word.kind == LinkWord::Kind::Library ? "-l" + word.text : shortened(word.text)) +
              (word.isWhole ? "!" : "") + (word.prefersArchive ? "^" : "");
  for (const std::string &directory : link.libraryDirectories)
    result += " L:" + shortened(directory);
  if (!link.flags.empty())
    result += " | " + llvm::join(link.flags, " ");
  return result;
}

std::string show(const LinkLine &line) {
  std::string result;
  for (const LinkCommand &link : line.links)
    result += show(link) + "\n";
  for (const FileAlias &alias : line.aliases)
    result += "alias " + alias.path + " -> " + alias.target + "\n";
  for (const auto &words : line.unknown)
    result += "unknown " + llvm::join(words, " ") + "\n";
  return llvm::StringRef(result).rtrim().str();
}

} // namespace

TEST_CASE("link command: one row per way to link") {
  struct Row {
    std::string line, link;
  };
  const Row rows[] = {
      {": && /usr/bin/c++ -O2 a.o x/b.o -o bin/a  libx.a /usr/lib/libz.so -lm && :",
       "exe bin/a <- a.o x/b.o libx.a /usr/lib/libz.so -lm | -O2"},
      {"c++ -fPIC -shared -Wl,-soname,libs.so.1 -o libs.so.1.2 s.o",
       "shared libs.so.1.2 <- s.o | -fPIC"},
      {"c++ -shared -Wl,--soname=libs.so -o libs.so s.o", "shared libs.so <- s.o"},
      {"c++ -shared -o plugin.so p.o", "module plugin.so <- p.o"},
      {"ar qc libx.a a.o b.o && ranlib libx.a", "archive libx.a <- a.o b.o"},
      {": && /usr/bin/cmake -E rm -f libx.a && /usr/bin/llvm-ar-19 qc libx.a a.o && "
       "/usr/bin/llvm-ranlib-19 libx.a && :",
       "archive libx.a <- a.o"},
      {"rm -f libx.a && gcc-ar csrDT libx.a a.o", "archive libx.a <- a.o"},
      {"ar qc libx.a a.o && ar q libx.a b.o", "archive libx.a <- a.o b.o"},
      {"ar --plugin p.so -rcs libx.a a.o", "archive libx.a <- a.o"},
      {"ar t libx.a", "unknown ar t libx.a"},
      {"ar -M < script.mri", "unknown ar -M < script.mri"},
      {"cmake -E copy a.o b.o", "unknown cmake -E copy a.o b.o"},
      {"cp a.o b.o", "unknown cp a.o b.o"},
      {"ld -E a.o -o a", "exe a <- a.o | -E"},
      {"gfortran a.o -o a", "exe a <- a.o"},
      {"cd sub && c++ ../a.o -o a", "exe sub/a <- a.o"},
      {"ccache clang++-19 a.o -o a", "exe a <- a.o"},
      {"cmake -E time c++ a.o -o a", "exe a <- a.o"},
      {"ld -r -o both.o a.o b.o", "object both.o <- a.o b.o"},
      {"ld.lld -shared -soname x.so -o x.so a.o", "shared x.so <- a.o"},
      {"c++ a.o -oa -static", "exe a <- a.o | -static"},
      {"c++ a.cpp -I inc -o a", "exe a <- a.cpp | -I inc"},
      {"c++ -c a.cpp -o a.o", ""},
      {"c++ -x c++-header -Xclang -emit-pch -o a.pch a.h", ""},
      {"cc --version", ""},
      {"'/opt/my tools/c++' 'a b.o' \"ü.o\" -o 'x y'", "exe x y <- a b.o ü.o"},
      {"cmake -E cmake_symlink_library libs.so.1.2  libs.so.1 libs.so && :",
       "alias /b/libs.so.1 -> /b/libs.so.1.2\nalias /b/libs.so -> /b/libs.so.1.2"},
      {"cmake -E cmake_symlink_library libs.so.1 libs.so.1 libs.so",
       "alias /b/libs.so -> /b/libs.so.1"},
      {"nvcc -dlink a.o -o d.o", "unknown nvcc -dlink a.o -o d.o"},
      {"c++ a.o", "unknown c++ a.o"},
      {"", ""},
  };
  for (const Row &row : rows) {
    CAPTURE(row.line);
    CHECK(show(parseLinkLine(row.line, "/b")) == row.link);
  }
}

TEST_CASE("link command: what the linker is told, one row per option") {
  struct Row {
    std::string words, link;
  };
  const Row rows[] = {
      {"-Wl,--whole-archive x.a -Wl,--no-whole-archive y.a", "x.a! y.a"},
      {"-Wl,--whole-archive,x.a,--no-whole-archive y.a", "x.a! y.a"},
      {"-Xlinker --whole-archive x.a -Xlinker --no-whole-archive y.a", "x.a! y.a"},
      {"-Wl,--push-state,--whole-archive x.a -Wl,--pop-state y.a", "x.a! y.a"},
      {"-Wl,--start-group x.a y.a -Wl,--end-group", "x.a y.a | --start-group --end-group"},
      {"-Wl,-Bstatic -lx -Wl,-Bdynamic -ly -l z", "-lx^ -ly -lz"},
      {"-Llib -L /abs -l:libq.a", "-l:libq.a L:lib L:/abs"},
      {"-Wl,-rpath,\"/b/my lib:/x\" a.o", "a.o | -rpath /b/my lib:/x"},
      {"-Wl,-rpath -Wl,/b/lib a.o", "a.o | -rpath /b/lib"},
      {"-Wl,--version-script=v.map -T s.ld a.o", "v.map s.ld a.o"},
      {"-Wl,--version-script,v.map -Wl,-Map,out.map a.o", "v.map a.o | -Map out.map"},
      {"-u sym -z now --sysroot /s -target t a.o", "a.o | -u sym -z now --sysroot /s -target t"},
      {"-Wl,--wrap=malloc -pthread -rdynamic a.o", "a.o | --wrap=malloc -pthread -rdynamic"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.words);
    CHECK(show(parseLinkLine("c++ -o a " + row.words, "/b")) == "exe a <- " + row.link);
  }
}

TEST_CASE("link command: a compiler of the project links whatever its name is") {
  llvm::StringSet<> drivers;
  drivers.insert("/opt/odd");
  CHECK(show(parseLinkLine("/opt/odd a.o -o a", "/b")) == "unknown /opt/odd a.o -o a");
  CHECK(show(parseLinkLine("/opt/odd a.o -o a", "/b", drivers)) == "exe a <- a.o");
  CHECK(show(parseLinkLine("/opt/odd -c a.cpp -o a.o", "/b", drivers)) == "");
}

TEST_CASE("link command: response files") {
  TemporaryTree tree;
  tree.write("objects1.rsp", "a.o \"b c.o\"\n");
  LinkLine line = parseLinkLine("c++ -o p @objects1.rsp -lm && ar qc l.a @objects1.rsp", tree.path);
  REQUIRE(line.links.size() == 2);
  REQUIRE(line.links[0].inputs.size() == 3);
  CHECK(line.links[0].inputs[1].text == tree.at("b c.o"));
  CHECK(line.links[1].inputs.size() == 2);
}
