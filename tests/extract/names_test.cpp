// Identities: what a function, class or variable is called for as long as it lives.
#include "tests/notation/extracted.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace retest;

TEST_CASE("names: one row per kind of function") {
  struct Row {
    std::string source, name;
  };
  const Row rows[] = {
      {"namespace n { int f(int, char) { return 1; } }", "n::f(int, char)"},
      {"namespace n { inline namespace v1 { void f() {} } }", "n::v1::f()"},
      {"namespace { void f() {} }", "(anonymous)::f()"},
      {"extern \"C\" void f(int) {}", "f"},
      {"int main() {}", "main"},
      {"void f(int, ...) {}", "f(int, ...)"},
      {"void f(const int, char *const) {}", "f(int, char*)"},
      {"struct S { void m() const volatile & {} };", "S::m() const volatile &"},
      {"struct S { S(int) {} };", "S::S(int)"},
      {"struct S { ~S() {} };", "S::~S()"},
      {"struct S { operator long() { return 1; } };", "S::operator long()"},
      {"struct S { int operator[](int) { return 1; } };", "S::operator[](int)"},
      {"template <class T> struct B { void put(T) {} }; template struct B<int>;",
       "B<int>::put(int)"},
      {"template <class T, int N> void t() {} template void t<char, 3>();", "t<char, 3>() -> void"},
      {"template <auto V> void t() {} template void t<'a'>();", "t<(char)97>() -> void"},
      {"template <class... T> void t(T...) {} template void t(int, char);",
       "t<int, char>(int, char) -> void"},
      {"struct V { int x; }; template <V v> void t() {} template void t<V{2}>();",
       "t<V{.x=2}>() -> void"},
      {"template <template <class> class T> void t() {} template <class> struct B; template void "
       "t<B>();",
       "t<B>() -> void"},
      {"int g; template <int *P> void t() {} template void t<&g>();", "t<&g>() -> void"},
      {"void f(int *const *, const int *, int (&)[3], int (*)(char)) {}",
       "f(int* const*, const int*, int[3]&, int(char)*)"},
      {"struct S; void f(int S::*, void (S::*)() const) {}", "f(int S::*, void() const S::*)"},
      {"void f() { [](int) {}(1); }", "f()::lambda#1(int) const"},
      {"void f() { auto l = [](auto x) { return x; }; l(1); }", "f()::lambda#1<int>(int) const"},
      {"void f() { [] { [] {}(); }(); }", "f()::lambda#1() const::lambda#1() const"},
      {"auto g = [] { return 1; };", "g::lambda#1() const"},
      {"struct S { int x = [] { return 1; }(); }; S s;", "S::x::lambda#1() const"},
      {"void f() { struct L { void m() {} }; }", "f()::L::m()"},
      {"void f() { { struct L { void m() {} }; } { struct L { void m() {} }; } }", "f()::L#2::m()"},
      {"typedef struct { void m() {} } T;", "T::m()"},
      {"struct { int tag; int m() { return tag; } } v; int f() { return v.m(); }",
       "(struct of tag)::m()"},
      {"struct S { friend bool operator==(S, S) { return true; } };", "operator==(S, S)"},
      {"namespace n { struct S {}; } void f(n::S *) {}", "f(n::S*)"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.source);
    std::vector<std::string> names = functionNames(extracted(row.source));
    CHECK_MESSAGE(std::count(names.begin(), names.end(), row.name) == 1,
                  row.name << " among " << names.size());
  }
}

TEST_CASE("names: types that differ have names that differ") {
  const std::string types[] = {"int *const *",
                               "int **const",
                               "const int **",
                               "int *const *const",
                               "int (*)[3]",
                               "int *(*)()",
                               "int (*(*)())[3]",
                               "int (*)(int *)",
                               "volatile int *",
                               "int (*)() noexcept",
                               "int (*)()",
                               "unsigned *",
                               "long *",
                               "int (**)()",
                               "void (*)(int, ...)",
                               "void (*)(int)",
                               "const int *const *"};
  std::vector<std::string> names;
  for (const std::string &type : types) {
    auto unit = extracted("using T = " + type + "; void f(T *) {}");
    names.push_back(functionNames(unit).front());
  }
  std::sort(names.begin(), names.end());
  auto twin = std::adjacent_find(names.begin(), names.end());
  CHECK_MESSAGE(twin == names.end(), (twin == names.end() ? "" : *twin));
}

TEST_CASE("names: mangled names are kept, all of them for constructors and destructors") {
  auto unit = extracted("namespace n { void f(int) {} }\nstruct S { S(); };\nS::S() {}\n");
  const Function &free = functionNamed(unit, "n::f(int)");
  REQUIRE(free.symbols.size() == 1);
  CHECK(unit.names.text(free.symbols.front()) == "_ZN1n1fEi");
  std::vector<std::string> symbols;
  for (NameId symbol : functionNamed(unit, "S::S()").symbols)
    symbols.push_back(unit.names.text(symbol).str());
  CHECK(std::count(symbols.begin(), symbols.end(), "_ZN1SC1Ev") == 1);
  CHECK(std::count(symbols.begin(), symbols.end(), "_ZN1SC2Ev") == 1);
}

TEST_CASE("names: linkage tells how the linker treats several definitions") {
  auto unit =
      extracted("void strong() {} inline void weak() {} static void own() {}\n"
                "__attribute__((weak)) void asked() {}\n"
                "void late() {} void late();\n#pragma weak late\n"
                "template <class T> void t() {} void f() { t<int>(); weak(); own(); }\n"
                "int variable; static int hidden; inline int shared; int g() { return hidden; }\n");
  CHECK(functionNamed(unit, "strong()").linkage == Linkage::Strong);
  CHECK(functionNamed(unit, "weak()").linkage == Linkage::Weak);
  CHECK(functionNamed(unit, "own()").linkage == Linkage::Internal);
  CHECK(functionNamed(unit, "asked()").linkage == Linkage::Weak);
  CHECK(functionNamed(unit, "late()").linkage == Linkage::Weak);
  CHECK(functionNamed(unit, "t<int>() -> void").linkage == Linkage::Weak);
  CHECK(variableNamed(unit, "variable").linkage == Linkage::Strong);
  CHECK(variableNamed(unit, "hidden").linkage == Linkage::Internal);
  CHECK(variableNamed(unit, "shared").linkage == Linkage::Weak);
}

TEST_CASE("names: implicit and defaulted members have graphs once they are used") {
  auto unit = extracted("struct M { M(); M(const M &); M &operator=(const M &); ~M();\n"
                        "  bool operator==(const M &) const; };\n"
                        "struct S { M m; bool operator==(const S &) const = default; int x; };\n"
                        "void f(S &a) { S b = a; b = a; S c; (void)(b == c); }\n");
  for (const char *name : {"S::S()", "S::S(const S&)", "S::operator=(const S&)", "S::~S()"})
    CHECK(functionNamed(unit, name).isImplicit);
  CHECK(functionNamed(unit, "S::operator==(const S&) const").flow.nodes.size() > 2);
}
