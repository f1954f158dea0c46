// Edits in what other standards and extensions of the language offer, and in declarations whose
// attributes change how code is called or linked.
#include "tests/notation/extracted.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

struct Row {
  std::string edit, baseline, current, changed;
};

template <std::size_t size> void check(const Row (&rows)[size], const SourceOptions &options = {}) {
  for (const Row &row : rows) {
    CAPTURE(row.edit);
    CHECK(changed(row.baseline, row.current, options) == row.changed);
  }
}

} // namespace

TEST_CASE("extensions: dynamic exception specifications") {
  SourceOptions options;
  options.flags = {"-std=c++14"};
  const Row rows[] = {
      {"another type", "void g(); void f() throw(int) { g(); }",
       "void g(); void f() throw(long) { g(); }", "f()"},
      {"one type more", "void g(); void f() throw(int) { g(); }",
       "void g(); void f() throw(int, long) { g(); }", "f()"},
      {"of a function that is called", "void g() throw(); void f() { try { g(); } catch (int) {} }",
       "void g() throw(int); void f() { try { g(); } catch (int) {} }", "f()"},
      {"of a virtual method",
       "struct S { virtual void m() throw(int); }; void S::m() throw(int) {}",
       "struct S { virtual void m() throw(); }; void S::m() throw() {}", "S::m()"},
  };
  check(rows, options);
}

TEST_CASE("extensions: bounds of variable-length arrays") {
  const Row rows[] = {
      {"of a variable", "int f(int n, int m) { int a[n]; return sizeof a; }",
       "int f(int n, int m) { int a[m]; return sizeof a; }", "f(int, int)"},
      {"of what a variable points to", "int f(int n, int m) { int (*a)[n] = nullptr; return 1; }",
       "int f(int n, int m) { int (*a)[m] = nullptr; return 1; }", "f(int, int)"},
      {"of a type", "int f(int n, int m) { typedef int T[n]; T a; return sizeof a; }",
       "int f(int n, int m) { typedef int T[m]; T a; return sizeof a; }", "f(int, int)"},
      {"in sizeof", "int f(int n, int m) { return sizeof(int[n]); }",
       "int f(int n, int m) { return sizeof(int[m]); }", "f(int, int)"},
      {"in a cast", "int f(int n, int m, void *p) { return (*(int (*)[2][n])p)[1][1]; }",
       "int f(int n, int m, void *p) { return (*(int (*)[2][m])p)[1][1]; }", "f(int, int, void*)"},
  };
  check(rows);
  SourceOptions c;
  c.compiler = "clang-19";
  c.file = "unit.c";
  c.flags = {};
  const Row parameters[] = {
      {"of a parameter", "int f(int n, int m, int a[][n]) { return a[1][1]; }",
       "int f(int n, int m, int a[][m]) { return a[1][1]; }", "f"},
  };
  check(parameters, c);
}

TEST_CASE("extensions: constant values that point to more than a name") {
  const std::string diamond =
      "struct B { int x; }; struct L : B {}; struct R : B {}; struct D : L, R {};\n";
  const Row rows[] = {
      {"the way to a member", diamond + "int D::*p = static_cast<int L::*>(&B::x);",
       diamond + "int D::*p = static_cast<int R::*>(&B::x);", "variable p"},
      {"an element", "int a[2]; int *p = &a[0];", "int a[2]; int *p = &a[1];", "variable p"},
      {"text", "const char *p = \"a\";", "const char *p = \"b\";", "variable p"},
      {"a temporary", "const int &r = 1;", "const int &r = 2;", "variable r"},
      {"a weak function", "int g(); int (*p)() = g;", "int g();\n#pragma weak g\nint (*p)() = g;",
       "variable p"},
      {"a weak variable", "extern int x; int *p = &x;",
       "extern int x;\n#pragma weak x\nint *p = &x;", "variable p"},
      {"a function under another symbol", "int g() asm(\"g1\"); int (*p)() = g;",
       "int g() asm(\"g2\"); int (*p)() = g;", "g(), variable p"},
      {"a variable under another symbol", "extern int x asm(\"x1\"); int *p = &x;",
       "extern int x asm(\"x2\"); int *p = &x;", "variable p, variable x"},
      {"a function with a tag in its symbol", "int g(); int (*p)() = g;",
       "__attribute__((abi_tag(\"new\"))) int g(); int (*p)() = g;", "variable p"},
      {"a weak method", "struct S { void m(); }; void (S::*p)() = &S::m;",
       "struct S { __attribute__((weak)) void m(); }; void (S::*p)() = &S::m;", "variable p"},
  };
  check(rows);
  SourceOptions c;
  c.compiler = "clang-19";
  c.file = "unit.c";
  c.flags = {};
  const Row literals[] = {
      {"a compound literal", "struct P { int a, b; }; struct P *p = &(struct P){1, 2};",
       "struct P { int a, b; }; struct P *p = &(struct P){1, 3};", "variable p"},
      {"a compound literal of an array", "int *p = (int[]){1, 2};", "int *p = (int[]){1, 3};",
       "variable p"},
      {"a compound literal in one", "int **p = (int *[]){(int[]){1}};",
       "int **p = (int *[]){(int[]){2}};", "variable p"},
  };
  check(literals, c);
}

TEST_CASE("extensions: elements of vectors") {
  const std::string v4 = "typedef int v4 __attribute__((ext_vector_type(4)));\n";
  const Row rows[] = {
      {"read", v4 + "int f(v4 v) { return v.x; }", v4 + "int f(v4 v) { return v.y; }",
       "f(int vector[4])"},
      {"written", v4 + "void f(v4 &v) { v.x = 1; }", v4 + "void f(v4 &v) { v.y = 1; }",
       "f(int vector[4]&)"},
      {"swizzled", v4 + "v4 f(v4 v) { return v.xyzw; }", v4 + "v4 f(v4 v) { return v.wzyx; }",
       "f(int vector[4])"},
  };
  check(rows);
}

TEST_CASE("extensions: embedded files") {
  SourceOptions options;
  options.headers = {{"a.bin", "abcd"}, {"b.bin", "abce"}};
  auto embedding = [](const std::string &before, const std::string &behind) {
    return Row{before + behind, before + "\n#embed \"a.bin\"\n" + behind,
               before + "\n#embed \"b.bin\"\n" + behind, ""};
  };
  Row rows[] = {
      embedding("const unsigned char text[] = {", "}; int f(int i) { return text[i]; }"),
      embedding("int f(int i) { int a[] = {i, ", "}; return a[4]; }"),
      embedding("int g(int, int, int, int); int f(int i) { return g(", "); }"),
      embedding("struct S { int i; unsigned char c[4]; }; S f(int i) { return S{i, ", "}; }"),
  };
  rows[0].changed = "variable text";
  for (Row &row : llvm::MutableArrayRef(rows).drop_front())
    row.changed = "f(int)";
  check(rows, options);
}

TEST_CASE("extensions: declarations of OpenMP") {
  SourceOptions options;
  options.flags = {"-std=c++20", "-fopenmp"};
  auto reduction = [](const std::string &how) {
    return "#pragma omp declare reduction(plus : int : " + how +
           "\n"
           "int f(int *a) {\n  int x = 0;\n#pragma omp parallel for reduction(plus : x)\n"
           "  for (int i = 0; i < 9; ++i) x += a[i];\n  return x;\n}\n";
  };
  const Row rows[] = {
      {"how a reduction combines", reduction("omp_out += omp_in) initializer(omp_priv = 0)"),
       reduction("omp_out -= omp_in) initializer(omp_priv = 0)"),
       "(OMPDeclareReduction outside of functions)#1"},
      {"how a reduction begins", reduction("omp_out += omp_in) initializer(omp_priv = 0)"),
       reduction("omp_out += omp_in) initializer(omp_priv = 1)"),
       "(OMPDeclareReduction outside of functions)#1"},
      {"how an object is copied to a device",
       "struct S { int n, *p; };\n#pragma omp declare mapper(S s) map(s, s.p[0:s.n])\n",
       "struct S { int n, *p; };\n#pragma omp declare mapper(S s) map(s, s.p[0:1])\n",
       "(OMPDeclareMapper outside of functions)#1"},
      {"a variable for each thread", "int x; int f() { return ++x; }",
       "int x;\n#pragma omp threadprivate(x)\nint f() { return ++x; }",
       "(OMPThreadPrivate outside of functions)#1, (initialiser of unit.cpp), f(), variable x"},
      {"a function for vectors", "int f(int x) { return x; }",
       "#pragma omp declare simd\nint f(int x) { return x; }", "f(int)"},
      {"a function for vectors, elsewhere", "int g(int x); int f(int x) { return g(x); }",
       "#pragma omp declare simd\nint g(int x); int f(int x) { return g(x); }", "f(int)"},
      {"a variant", "int h(int); int g(int x); int f(int x) { return g(x); }",
       "int h(int);\n#pragma omp declare variant(h) match(construct = {parallel})\n"
       "int g(int x); int f(int x) { return g(x); }",
       "f(int)"},
  };
  check(rows, options);
}

TEST_CASE("extensions: attributes of declarations change what uses them") {
  const Row rows[] = {
      {"trivial_abi", "struct S { ~S(); int x; }; void g(S); void f(S &s) { g(s); }",
       "struct [[clang::trivial_abi]] S { ~S(); int x; }; void g(S); void f(S &s) { g(s); }",
       "layout of S"},
      {"pass_object_size added", "int g(void *p); int f(void *p) { return g(p); }",
       "int g(void *p __attribute__((pass_object_size(0)))); int f(void *p) { return g(p); }",
       "f(void*)"},
      {"pass_object_size of another kind",
       "int g(void *p __attribute__((pass_object_size(0)))); int f(void *p) { return g(p); }",
       "int g(void *p __attribute__((pass_object_size(1)))); int f(void *p) { return g(p); }",
       "f(void*)"},
      {"pass_dynamic_object_size",
       "int g(void *p __attribute__((pass_object_size(0)))); int f(void *p) { return g(p); }",
       "int g(void *p __attribute__((pass_dynamic_object_size(0)))); int f(void *p) { return g(p); "
       "}",
       "f(void*)"},
      {"pass_object_size, with the definition",
       "int g(void *const p) { return p != nullptr; } int f(void *p) { return g(p); }",
       "int g(void *const p __attribute__((pass_object_size(0)))) { return p != nullptr; }"
       "int f(void *p) { return g(p); }",
       "f(void*), g(void*)"},
      {"a declaration made weak", "int g(); int f() { return g(); }",
       "int g();\n#pragma weak g\nint f() { return g(); }", "f()"},
      {"a declaration made weak before it stands there",
       "extern \"C\" int g(); int f() { return g(); }",
       "#pragma weak g\nextern \"C\" int g(); int f() { return g(); }", "f()"},
      {"a declaration made weak behind its use", "int g(); int f() { return g(); }",
       "int g(); int f() { return g(); }\n#pragma weak g\n", "f()"},
      {"a variable made weak", "extern int x; int f() { return x; }",
       "extern int x;\n#pragma weak x\nint f() { return x; }", "f()"},
      {"a section of its own", "int x = 1;", "__attribute__((section(\"mine\"))) int x = 1;",
       "(initialiser of unit.cpp), variable x, x (initialiser)"},
      {"a definition made weak behind another declaration", "int g() { return 1; } int g();",
       "int g() { return 1; } int g();\n#pragma weak g\n", "g()"},
      {"a weak alias",
       "extern \"C\" { int a() { return 1; } int b() { return 2; } }\n#pragma weak g = a\n",
       "extern \"C\" { int a() { return 1; } int b() { return 2; } }\n#pragma weak g = b\n", "g()"},
      {"a weak reference",
       "static int g() __attribute__((weakref(\"a\"))); int f() { return g(); }",
       "static int g() __attribute__((weakref(\"b\"))); int f() { return g(); }", "f(), g()"},
      {"a tag in the symbol", "int g(); int f() { return g(); }",
       "__attribute__((abi_tag(\"new\"))) int g(); int f() { return g(); }", "f()"},
      {"a tag in the symbol of a variable", "extern int x; int f() { return x; }",
       "__attribute__((abi_tag(\"new\"))) extern int x; int f() { return x; }", "f()"},
  };
  check(rows);
}

TEST_CASE("extensions: attributes without effect on calls do not reach the callers") {
  CHECK(changed("int g(int *); int f(int *p) { return g(p); }",
                "[[nodiscard, deprecated]] int g(int *p [[maybe_unused]]) "
                "__attribute__((nonnull)); int f(int *p) { return g(p); }") == "");
}

TEST_CASE("extensions: the destructor of a static local runs at exit") {
  CHECK(changed("struct S { int x; }; void f() { static S s; }",
                "struct S { int x; ~S(); }; void f() { static S s; }") == "f()");
  CHECK(changed("struct S { int x; }; void f() { static S s[2]; }",
                "struct S { int x; ~S(); }; void f() { static S s[2]; }") == "f()");
  auto unit = extracted("struct S { ~S(); }; void f() { static S s; } void g() { S s; }");
  CHECK(hasUse(unit, "f()", UseKind::Address, "S::~S()"));
  CHECK(!hasUse(unit, "g()", UseKind::Address, "S::~S()"));
}

TEST_CASE("extensions: a lambda may be called through a pointer it converts to") {
  auto unit = extracted("void run(void (*)()); void f() { run([] {}); }\n"
                        "void run(void (*)(int)); void g() { run([](auto) {}); }\n");
  CHECK(hasUse(unit, "f()", UseKind::Address, "f()::lambda#1() const"));
  CHECK(hasUse(unit, "g()", UseKind::Address, "g()::lambda#1<int>(int) const"));
}

TEST_CASE("extensions: destructors of bases") {
  const Row rows[] = {
      {"a base gains one", "struct E { int x; }; struct W : E { ~W() {} };",
       "struct E { int x; ~E(); }; struct W : E { ~W() {} };", "W::~W()"},
      {"a virtual base", "struct E { int x; }; struct W : virtual E { ~W() {} };",
       "struct E { int x; ~E(); }; struct W : virtual E { ~W() {} };", "W::~W()"},
      {"an array that is to be destroyed", "struct E { int x; }; void *f() { return new E[3]; }",
       "struct E { int x; ~E(); }; void *f() { return new E[3]; }", "f()"},
  };
  check(rows);
  auto unit = extracted("struct E { ~E(); }; struct W : E { ~W() {} };");
  CHECK(edgesOf(unit, "W::~W()") == "entry -> call E::~E()\ncall E::~E() => exit\n");
}

TEST_CASE("extensions: attributes of symbols, statements and fields") {
  const Row rows[] = {
      {"a number in a symbol", "int g() __asm__(\"v0x1\"); int f() { return g(); }",
       "int g() __asm__(\"v0x2\"); int f() { return g(); }", "f(), g()"},
      {"a hint for a loop",
       "float f(float *p) { float s = 0;\n#pragma clang loop vectorize(disable)\n"
       "for (int i = 0; i < 9; ++i) s += p[i]; return s; }",
       "float f(float *p) { float s = 0;\n#pragma clang loop vectorize(enable)\n"
       "for (int i = 0; i < 9; ++i) s += p[i]; return s; }",
       "f(float*)"},
      {"a call that must be the last", "int g(int); int f(int x) { return g(x); }",
       "int g(int); int f(int x) { [[clang::musttail]] return g(x); }", "f(int)"},
  };
  check(rows);
  CHECK(changed("int g(int); int f(int x) { if (x) return g(x); return 0; }",
                "int g(int); int f(int x) { if (x) [[likely]] return g(x); return 0; }") == "");
  SourceOptions c;
  c.file = "unit.c";
  c.flags = {"-std=c11"};
  c.compiler = "clang-19";
  const char *rest = "; }; unsigned long f(struct S *s) "
                     "{ return __builtin_dynamic_object_size(s->a, 1); }";
  CHECK(changed(std::string("struct S { int n; char a[]") + rest,
                std::string("struct S { int n; char a[] __attribute__((counted_by(n)))") + rest,
                c) == "f, layout of S");
}
