// Edits with a meaning, of which the text of the function concerned may show nothing: some
// fingerprint must change, and it must be the right one.
#include "tests/notation/extracted.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

struct Row {
  std::string edit, baseline, current, changed;
};

void check(const Row *begin, const Row *end) {
  for (const Row *row = begin; row != end; ++row) {
    CAPTURE(row->edit);
    CHECK(changed(row->baseline, row->current) == row->changed);
  }
}

} // namespace

TEST_CASE("meaning: edits inside a function") {
  const Row rows[] = {
      {"predicate", "bool f(int a, int b) { return a < b; }",
       "bool f(int a, int b) { return a <= b; }", "f(int, int)"},
      {"operand order", "int f(int a, int b) { return a - b; }",
       "int f(int a, int b) { return b - a; }", "f(int, int)"},
      {"another local", "int f(int a) { int x = a, y = 2; return x; }",
       "int f(int a) { int x = a, y = 2; return y; }", "f(int)"},
      {"callee swapped", "int g(int); int h(int); int f() { return g(1); }",
       "int g(int); int h(int); int f() { return h(1); }", "f()"},
      {"literal", "double f() { return 1.0; }", "double f() { return 1.5; }", "f()"},
      {"string", "const char *f() { return \"a b\"; }", "const char *f() { return \"a  b\"; }",
       "f()"},
      {"statement order", "int g(); int h(); void f() { g(); h(); }",
       "int g(); int h(); void f() { h(); g(); }", "f()"},
      {"arms of ?: swapped", "int f(bool c) { return c ? 1 : 2; }",
       "int f(bool c) { return c ? 2 : 1; }", "f(bool)"},
      {"asm", "void f() { asm(\"nop\"); }", "void f() { asm(\"nop; nop\"); }", "f()"},
      {"a variable made static", "int f() { int x = 1; return x; }",
       "int f() { static int x = 1; return x; }", "f()"},
      {"floating point pragma", "float f(float a, float b) { return a * b + a; }",
       "float f(float a, float b) {\n#pragma clang fp contract(off)\nreturn a * b + a; }",
       "f(float, float)"},
      {"optimisation attribute", "void f() {}", "__attribute__((optnone, noinline)) void f() {}",
       "f()"},
      {"a call moved out of a try block", "void g(); void f() { try { g(); g(); } catch (...) {} }",
       "void g(); void f() { try { g(); } catch (...) {} g(); }", "f()"},
      {"a lambda's capture", "int f(int x) { return [x] { return x; }(); }",
       "int f(int x) { return [&x] { return x; }(); }",
       "f(int), f(int)::lambda#1() const, layout of f(int)::lambda#1"},
  };
  check(std::begin(rows), std::end(rows));
}

TEST_CASE("meaning: edits elsewhere that a function's own text does not show") {
  const Row rows[] = {
      {"macro", "#define N 1\nint f() { return N; }", "#define N 2\nint f() { return N; }", "f()"},
      {"enumerator inserted", "enum E { A, B }; int f() { return B; }",
       "enum E { X, A, B }; int f() { return B; }", "f()"},
      {"constexpr variable", "constexpr int n = 1; int f() { return n; }",
       "constexpr int n = 2; int f() { return n; }", "f(), variable n"},
      {"constexpr function in an array bound",
       "constexpr int n() { return 1; } int f() { int a[n()]; return sizeof a; }",
       "constexpr int n() { return 2; } int f() { int a[n()]; return sizeof a; }", "f(), n()"},
      {"constexpr function in a case label",
       "constexpr int n() { return 1; } int f(int x) { switch (x) { case n(): return 1; } return "
       "0; }",
       "constexpr int n() { return 2; } int f(int x) { switch (x) { case n(): return 1; } return "
       "0; }",
       "f(int), n()"},
      {"constexpr function in a folded condition",
       "constexpr int n() { return 1; } int f() { if (n() > 1) return 1; return 0; }",
       "constexpr int n() { return 2; } int f() { if (n() > 1) return 1; return 0; }", "f(), n()"},
      {"constexpr function in a constant local",
       "constexpr int n() { return 1; } int f() { const int x = n(); return x; }",
       "constexpr int n() { return 2; } int f() { const int x = n(); return x; }", "f(), n()"},
      {"constexpr function in a static local",
       "constexpr int n() { return 1; } int f() { static int x = n(); return x; }",
       "constexpr int n() { return 2; } int f() { static int x = n(); return x; }", "f(), n()"},
      {"constexpr function in an aggregate that Clang folds",
       "struct P { int a; }; constexpr P n() { return {1}; } int f() { P p = n(); return p.a; }",
       "struct P { int a; }; constexpr P n() { return {2}; } int f() { P p = n(); return p.a; }",
       "f(), n()"},
      {"constexpr function in an array that Clang folds",
       "constexpr int n() { return 1; } int f(int i) { int a[] = {n(), 5}; return a[i]; }",
       "constexpr int n() { return 2; } int f(int i) { int a[] = {n(), 5}; return a[i]; }",
       "f(int), n()"},
      {"constexpr function in a global",
       "constexpr int n() { return 1; } int g = n(); int f() { return g; }",
       "constexpr int n() { return 2; } int g = n(); int f() { return g; }", "n(), variable g"},
      {"consteval through two levels",
       "consteval int m() { return 1; } consteval int n() { return m(); } int f() { return n(); }",
       "consteval int m() { return 2; } consteval int n() { return m(); } int f() { return n(); }",
       "f(), m()"},
      {"constexpr function called at run time",
       "constexpr int n(int x) { return x; } int f(int y) { return n(y); }",
       "constexpr int n(int x) { return x + 1; } int f(int y) { return n(y); }", "n(int)"},
      {"template argument",
       "template <int N> int t() { return N; } constexpr int n = 1; int f() { return t<n>(); }",
       "template <int N> int t() { return N; } constexpr int n = 2; int f() { return t<n>(); }",
       "f(), t<1>() -> int, t<2>() -> int, variable n"},
      {"if constexpr",
       "constexpr bool b = true; int f() { if constexpr (b) return 1; else return 2; }",
       "constexpr bool b = false; int f() { if constexpr (b) return 1; else return 2; }",
       "f(), variable b"},
      {"sizeof", "struct S { int a; }; int f() { return sizeof(S); }",
       "struct S { int a, b; }; int f() { return sizeof(S); }", "f(), layout of S"},
      {"noexcept operator", "int g() noexcept; bool f() { return noexcept(g()); }",
       "int g(); bool f() { return noexcept(g()); }", "f()"},
      {"concept tightened",
       "template <class T> concept C = true; template <class T> int t() { return 1; }"
       "template <C T> int t() { return 2; } int f() { return t<int>(); }",
       "template <class T> concept C = sizeof(T) > 99; template <class T> int t() { return 1; }"
       "template <C T> int t() { return 2; } int f() { return t<int>(); }",
       "f(), t<int>() -> int"},
      {"default argument", "int g(int x = 1); int f() { return g(); }",
       "int g(int x = 2); int f() { return g(); }", "f()"},
      {"default member initialiser of an aggregate",
       "struct S { int a = 1; }; int f() { return S{}.a; }",
       "struct S { int a = 2; }; int f() { return S{}.a; }", "f()"},
      {"default member initialiser with a constructor",
       "struct S { S() {} int a = 1; }; int f() { return S().a; }",
       "struct S { S() {} int a = 2; }; int f() { return S().a; }", "S::S()"},
      {"aggregate members reordered", "struct S { int a, b; }; int f() { S s{1, 2}; return s.a; }",
       "struct S { int b, a; }; int f() { S s{1, 2}; return s.a; }", "f(), layout of S"},
      {"aggregate members reordered, with a value that is not known",
       "struct S { int a, b; }; int f(int x) { return S{x, 2}.a; }",
       "struct S { int b, a; }; int f(int x) { return S{x, 2}.a; }", "f(int), layout of S"},
      {"overload added", "int g(long); int f() { return g(1); }",
       "int g(long); int g(int); int f() { return g(1); }", "f()"},
      {"hidden by ADL", "namespace n { struct S {}; } int g(...); int f() { return g(n::S()); }",
       "namespace n { struct S {}; int g(S); } int g(...); int f() { return g(n::S()); }", "f()"},
      {"using declaration",
       "namespace a { int g(); } namespace b { int g(); } using a::g; int f() { return g(); }",
       "namespace a { int g(); } namespace b { int g(); } using b::g; int f() { return g(); }",
       "f()"},
      {"conversion made explicit",
       "struct A {}; struct B { explicit B(A); }; struct C { C(A); }; int g(B); int g(C); int f(A "
       "a) { return g(a); }",
       "struct A {}; struct B { B(A); }; struct C { explicit C(A); }; int g(B); int g(C); int f(A "
       "a) { return g(a); }",
       "f(A)"},
      {"specialisation added", "template <class T> int t(T) { return 1; } int f() { return t(1); }",
       "template <class T> int t(T) { return 1; } template <> int t(int) { return 2; } int f() { "
       "return t(1); }",
       "t<int>(int) -> int"},
      {"method made virtual", "struct S { int m(); }; int f(S &s) { return s.m(); }",
       "struct S { virtual int m(); }; int f(S &s) { return s.m(); }",
       "bases of S, f(S&), layout of S, virtuals of S"},
      {"override added", "struct B { virtual int m(); }; struct D : B {};",
       "struct B { virtual int m(); }; struct D : B { int m() override; };", "virtuals of D"},
      {"base added", "struct B {}; struct D { int x; }; int f(D &d) { return d.x; }",
       "struct B {}; struct D : B { int x; }; int f(D &d) { return d.x; }",
       "bases of D, layout of D"},
      {"field type", "struct S { int a; }; int f(S &s) { return s.a; }",
       "struct S { short a; }; int f(S &s) { return s.a; }", "f(S&), layout of S"},
      {"bit-field width", "struct S { int a : 3; }; int f(S &s) { return s.a; }",
       "struct S { int a : 4; }; int f(S &s) { return s.a; }", "f(S&), layout of S"},
      {"global's initialiser", "int g = 1; int f() { return g; }",
       "int g = 2; int f() { return g; }", "variable g"},
      {"table of functions", "int a(); int b(); int (*t[])() = {a, b}; int f() { return t[0](); }",
       "int a(); int b(); int (*t[])() = {b, a}; int f() { return t[0](); }", "variable t"},
      {"dynamic initialiser", "int g(int); int x = g(1);", "int g(int); int x = g(2);",
       "variable x, x (initialiser)"},
      {"catch type", "struct A {}; struct B {}; void g(); void f() { try { g(); } catch (A &) {} }",
       "struct A {}; struct B {}; void g(); void f() { try { g(); } catch (B &) {} }", "f()"},
      {"noexcept of a callee", "void g() noexcept; void f() { g(); }",
       "void g(); void f() { g(); }", "f()"},
      {"noexcept of the function", "void g(); void f() { g(); }",
       "void g(); void f() noexcept { g(); }", "f()"},
      {"noreturn", "void g(); int f() { g(); return 1; }",
       "[[noreturn]] void g(); int f() { g(); return 1; }", "f()"},
      {"destructor added", "struct S { int x; }; void f() { S s; }",
       "struct S { int x; ~S(); }; void f() { S s; }", "f()"},
      {"operator new in the class", "struct S { int x; }; S *f() { return new S; }",
       "struct S { int x; static void *operator new(unsigned long); }; S *f() { return new S; }",
       "f()"},
      {"field added, copied by an implicit constructor",
       "struct M { M(const M &); }; struct S { M m; }; S f(S &s) { return s; }",
       "struct M { M(const M &); }; struct S { M m, n; }; S f(S &s) { return s; }",
       "S::S(const S&), layout of S"},
      {"defaulted comparison",
       "struct S { int a; bool operator==(const S &) const = default; }; bool f(S &a, S &b) { "
       "return a == b; }",
       "struct S { int a, b; bool operator==(const S &) const = default; }; bool f(S &a, S &b) { "
       "return a == b; }",
       "S::operator==(const S&) const, layout of S"},
      {"underlying type of an enumeration",
       "enum class E : char { A }; bool f(E e) { return e == E::A; }",
       "enum class E : int { A }; bool f(E e) { return e == E::A; }", "f(E)"},
      {"layout of a member, of the same size", "struct M { int a, b; }; struct S { M m; };",
       "struct M { int b, a; }; struct S { M m; };", "layout of M, layout of S"},
      {"alignment", "struct S { int a; };", "struct alignas(16) S { int a; };", "layout of S"},
      {"lambda body", "int f() { return [] { return 1; }(); }",
       "int f() { return [] { return 2; }(); }", "f()::lambda#1() const"},
  };
  check(std::begin(rows), std::end(rows));
}

TEST_CASE("meaning: things that look alike but are not") {
  const Row rows[] = {
      {"pointer to const, const pointer",
       "template <class T> struct X { static int v() { return 1; } };"
       "template <class T> struct X<const T> { static int v() { return 2; } };"
       "template struct X<const char *>; template struct X<char *const>;"
       "int f() { return X<const char *>::v(); }",
       "template <class T> struct X { static int v() { return 1; } };"
       "template <class T> struct X<const T> { static int v() { return 2; } };"
       "template struct X<const char *>; template struct X<char *const>;"
       "int f() { return X<char *const>::v(); }",
       "f()"},
      {"template arguments of class type",
       "struct S { int x; }; template <S s> int t() { return s.x; } template int t<S{1}>();"
       "template int t<S{2}>(); int f() { return t<S{1}>(); }",
       "struct S { int x; }; template <S s> int t() { return s.x; } template int t<S{1}>();"
       "template int t<S{2}>(); int f() { return t<S{2}>(); }",
       "f()"},
      {"pasted names",
       "#define PAIR(a) int a##1 = 1; int a##2 = 2;\nPAIR(v)\nint f() { return v1; }",
       "#define PAIR(a) int a##1 = 1; int a##2 = 2;\nPAIR(v)\nint f() { return v2; }", "f()"},
      {"static locals of enclosing functions",
       "int f() { static int x = 1; return [] { static int y = 2; return [] { return x; }(); }(); "
       "}",
       "int f() { static int x = 1; return [] { static int y = 2; return [] { return y; }(); }(); "
       "}",
       "f()::lambda#1() const::lambda#1() const"},
      {"objects of a member pointer call",
       "struct C { int m(int); }; int f(C a, C b) { return (a.*&C::m)(1); }",
       "struct C { int m(int); }; int f(C a, C b) { return (b.*&C::m)(1); }", "f(C, C)"},
      {"values by field, not by position",
       "struct S { int a, b; }; template <S s> int t() { return s.a; } int f() { return t<S{1, "
       "2}>(); }",
       "struct S { int b, a; }; template <S s> int t() { return s.a; } int f() { return t<S{1, "
       "2}>(); }",
       "f(), layout of S, t<S{.a=1,.b=2}>() -> int, t<S{.b=1,.a=2}>() -> int"},
      {"blanks in a pasted literal",
       "int operator\"\"_s(const char *, unsigned long);\n#define W(x) x##_s\n"
       "int f() { return W(\"a, b\"); }",
       "int operator\"\"_s(const char *, unsigned long);\n#define W(x) x##_s\n"
       "int f() { return W(\"a ,b\"); }",
       "f()"},
      {"a number that happens to be the line",
       "#define S2(x) #x\n#define S(x) S2(x)\n#define N 4\nvoid g(const char *); void f() { "
       "g(S(N)); }",
       "#define S2(x) #x\n#define S(x) S2(x)\n#define N 5\n\nvoid g(const char *); void f() { "
       "g(S(N)); }",
       "f()"},
      {"a conversion of __LINE__", "void g(long); void f() { g((char)__LINE__); }",
       "void g(long); void f() { g(__LINE__); }", "f()"},
      {"a volatile read", "int f(int &x) { return (volatile int &)x; }",
       "int f(int &x) { return (int &)x; }", "f(int&)"},
      {"bodies of lambdas in default arguments of a reopened namespace",
       "namespace n { int a(int x = [] { return 1; }()); } namespace n { int b(int x = [] { return "
       "2; }()); }"
       "int f() { return n::a() + n::b(); }",
       "namespace n { int a(int x = [] { return 2; }()); } namespace n { int b(int x = [] { return "
       "1; }()); }"
       "int f() { return n::a() + n::b(); }",
       "n::a(int)::lambda#1() const, n::b(int)::lambda#1() const"},
      {"template arguments of floating type",
       "template <double d> int t() { return d > 1; } template int t<1.0>();"
       "template int t<2.0>(); int f() { return t<1.0>(); }",
       "template <double d> int t() { return d > 1; } template int t<1.0>();"
       "template int t<2.0>(); int f() { return t<2.0>(); }",
       "f()"},
      {"a static local, shared or not",
       "static int f() { static int x; return ++x; } int g() { return f(); }",
       "inline int f() { static int x; return ++x; } int g() { return f(); }", "f()"},
      {"shared or not", "static int x; int f() { return ++x; }",
       "inline int x; int f() { return ++x; }", "variable x"},
  };
  check(std::begin(rows), std::end(rows));
}

TEST_CASE("meaning: what Clang computes while compiling, or what only the machine sees") {
  const std::string n = "constexpr int n() { return 1; }\n";
  const std::string m = "constexpr int n() { return 2; }\n";
  const std::string list =
      "namespace std { template <class T> struct initializer_list {"
      " const T *b; unsigned long s; }; }\nint il(std::initializer_list<int>);\n";
  const Row rows[] = {
      {"an initializer list", list + n + "int f() { return il({n(), 1, 2, 3, 4}); }",
       list + m + "int f() { return il({n(), 1, 2, 3, 4}); }", "f(), n()"},
      {"an array member", n + "struct M { M() : a{n(), 1, 2, 3, 4} {} int a[5]; };",
       m + "struct M { M() : a{n(), 1, 2, 3, 4} {} int a[5]; };", "M::M(), n()"},
      {"an array in an aggregate",
       n + "int r(); struct A { int a[5], b; }; A f() { return A{{n(), 1, 2, 3, 4}, r()}; }",
       m + "int r(); struct A { int a[5], b; }; A f() { return A{{n(), 1, 2, 3, 4}, r()}; }",
       "f(), n()"},
      {"alignment by value",
       "constexpr int k = 8; void g(int *); void f() { alignas(k) int x = 1; g(&x); }",
       "constexpr int k = 16; void g(int *); void f() { alignas(k) int x = 1; g(&x); }",
       "f(), variable k"},
      {"parenthesised aggregate", "struct S { int a, b; }; int f() { return S(1, 2).a; }",
       "struct S { int b, a; }; int f() { return S(1, 2).a; }", "f(), layout of S"},
      {"constraints of assembly", "int f(int x) { asm(\"\" : \"+r\"(x)); return x; }",
       "int f(int x) { asm(\"\" : \"+m\"(x)); return x; }", "f(int)"},
      {"constraints of what assembly reads", "void f(int x) { asm(\"\" : : \"r\"(x)); }",
       "void f(int x) { asm(\"\" : : \"a\"(x)); }", "f(int)"},
      {"what assembly overwrites", "void f() { asm(\"\" : : : \"rbx\"); }",
       "void f() { asm(\"\" : : : \"memory\"); }", "f()"},
      {"assembly that must stay", "int f() { int x; asm(\"\" : \"=r\"(x)); return x; }",
       "int f() { int x; asm volatile(\"\" : \"=r\"(x)); return x; }", "f()"},
      {"asm label", "int g() asm(\"g1\"); int f() { return g(); }",
       "int g() asm(\"g2\"); int f() { return g(); }", "f(), g()"},
      {"alias",
       "extern \"C\" int a() { return 1; } extern \"C\" int b() { return 2; }"
       "int g() __attribute__((alias(\"a\")));",
       "extern \"C\" int a() { return 1; } extern \"C\" int b() { return 2; }"
       "int g() __attribute__((alias(\"b\")));",
       "g()"},
      {"assembly outside of functions", "asm(\".globl x\");", "asm(\".globl y\");",
       "(FileScopeAsm outside of functions)#1"},
      {"a function that runs at exit", "void d() {}", "__attribute__((destructor)) void d() {}",
       "(initialiser of unit.cpp), d()"},
      {"a throwing destructor moved out of the try block",
       "struct T { T() noexcept; ~T() noexcept(false); }; void h() noexcept;"
       "void f() { try { T(); } catch (...) { h(); } }",
       "struct T { T() noexcept; ~T() noexcept(false); }; void h() noexcept;"
       "void f() { T(); try { } catch (...) { h(); } }",
       "f()"},
  };
  check(std::begin(rows), std::end(rows));
}

TEST_CASE("meaning: a trivial copy depends on the layout of what it copies") {
  auto uses = [](const std::string &source, const std::string &function, const std::string &type) {
    return hasUse(extracted(source), function, UseKind::Layout, type);
  };
  CHECK(uses("struct S { int a; }; void f(S &x, S &y) { x = y; }", "f(S&, S&)", "S"));
  CHECK(uses("union U { int a; float b; }; float f(U &u) { return u.b; }", "f(U&)", "U"));
  CHECK(uses("struct S { int a; }; S *f(S *p) { return ++p; }", "f(S*)", "S"));
  CHECK(uses("struct S { int a; }; S *f(S *p) { return 1 + p; }", "f(S*)", "S"));
}
