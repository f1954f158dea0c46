// Functions of the project that code outside of it may call by itself.
#include "graph/c_library.h"
#include "tests/notation/extracted.h"

#include <doctest/doctest.h>

using namespace retest;

TEST_CASE("replacement: definitions that code outside the project may call") {
  struct Row {
    std::string what, source, function;
    bool isReplacement;
    std::string file = "unit.cpp";
  };
  const std::string external = "#include \"../ext.h\"\n";
  const Row rows[] = {
      {"operator new", "void *operator new(unsigned long) { return nullptr; }",
       "operator new(unsigned long)", true},
      {"operator delete[]", "void operator delete[](void *) noexcept {}",
       "operator delete[](void*)", true},
      {"operator new of a class",
       "struct A { static void *operator new(unsigned long) { return nullptr; } };",
       "A::operator new(unsigned long)", false},
      {"placement new of one's own",
       "struct Arena {}; void *operator new(unsigned long, Arena &) { return nullptr; }",
       "operator new(unsigned long, Arena&)", false},
      {"a function of the C library",
       "extern \"C\" void *malloc(unsigned long) { return nullptr; }", "malloc", true},
      {"in C", "void *malloc(unsigned long n) { return 0; }", "malloc", true, "unit.c"},
      {"internal",
       "static void *malloc(unsigned long n) { return 0; } void *f() { return malloc(1); }",
       "malloc", false, "unit.c"},
      {"its name in C++", "void *malloc(char) { return nullptr; }", "malloc(char)", false},
      {"a function that an external header declares", external + "int hook(int x) { return x; }",
       "hook(int)", true},
      {"an overload of it", external + "int hook(char x) { return x; }", "hook(char)", false},
      {"a method that an external class declares", external + "int Ext::m() { return 1; }",
       "Ext::m()", true},
      {"an override of an external method",
       external + "struct Mine : Ext { int v() override { return 1; } };", "Mine::v()", false},
      {"an instantiation of an external template",
       external + "struct P {}; int f() { return generic(P()); }", "generic<P>(P) -> int", false},
      {"a specialisation of an external template",
       external + "struct P {}; template <> int generic(P) { return 2; }", "generic<P>(P) -> int",
       false},
      {"a hook with a reserved name",
       "extern \"C\" const char *__asan_default_options() { return \"\"; }",
       "__asan_default_options", true},
      {"another", "extern \"C\" void _Exit2() {}", "_Exit2", true},
      {"a reserved name of C++ linkage", "void __mine() {}", "__mine()", false},
      {"a name that starts with one underscore", "extern \"C\" void _mine() {}", "_mine", false},
      {"a function of C that only the project knows", "extern \"C\" int mine() { return 1; }",
       "mine", false},
      {"main", "int main() { return 0; }", "main", false}, // known by its name
  };
  for (const Row &row : rows) {
    CAPTURE(row.what);
    SourceOptions options;
    options.file = row.file;
    if (row.file.ends_with(".c"))
      options = {.flags = {}, .headers = {}, .file = row.file, .compiler = "clang-19"};
    options.headers = {{"../ext.h", "int hook(int);\n"
                                    "struct Ext { int m(); virtual int v(); };\n"
                                    "template <class T> int generic(T) { return 1; }\n"}};
    CHECK(functionNamed(extracted(row.source, options), row.function).isReplacement ==
          row.isReplacement);
  }
}

TEST_CASE("replacement: a C library that cannot be asked may have all functions") {
  CHECK(mayBeInCLibrary("malloc"));
  CHECK_FALSE(mayBeInCLibrary("ours"));
  CHECK(mayBeInCLibrary("ours", "libabsent.so.6"));
}
