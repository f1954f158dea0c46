// One golden case for every kind of node and edge that a function's flow graph can have.
#include "tests/notation/extracted.h"

#include <doctest/doctest.h>

using namespace retest;

TEST_CASE("flow: branches are labelled T and F, and join behind") {
  auto unit = extracted("int f(int x) {\n"
                        "  int r = 0;\n"
                        "  if (x)\n"
                        "    r = 1;\n"
                        "  else\n"
                        "    r = 2;\n"
                        "  return r; }\n");
  CHECK(edgesOf(unit, "f(int)") == "entry -> block 2\n"
                                   "block 2 -T-> block 4\n"
                                   "block 2 -F-> block 6\n"
                                   "block 4 -> block 7\n"
                                   "block 7 -> exit\n"
                                   "block 6 -> block 7\n");
}

TEST_CASE("flow: each operand of && and || is a block, entered only if it is evaluated") {
  auto unit = extracted("int f(int a, int b) {\n"
                        "  return a &&\n"
                        "         b; }\n");
  CHECK(edgesOf(unit, "f(int, int)") == "entry -> block 2\n"
                                        "block 2 -T-> block 3\n"
                                        "block 2 -F-> block 2\n"
                                        "block 3 -> block 2\n"
                                        "block 2 -> exit\n");
}

TEST_CASE("flow: loops lead back to their condition") {
  auto unit = extracted("void f(int n) {\n"
                        "  while (n)\n"
                        "    --n;\n"
                        "}\n");
  CHECK(edgesOf(unit, "f(int)") == "entry -> block 2\n"
                                   "block 2 -T-> block 3\n"
                                   "block 2 -F-> exit\n"
                                   "block 3 -> block 2\n");
}

TEST_CASE("flow: cases by value and range in source order, default last, written or not") {
  auto unit = extracted("int f(int x) {\n"
                        "  switch (x) {\n"
                        "  case 7: return 1;\n"
                        "  case 1:\n"
                        "  case 3 ... 5: return 2;\n"
                        "  }\n"
                        "  return 3; }\n");
  CHECK(edgesOf(unit, "f(int)") == "entry -> block 2\n"
                                   "block 2 -case 7-> block 3\n"
                                   "block 2 -case 1-> block 5\n"
                                   "block 2 -case 3..5-> block 5\n"
                                   "block 2 -default-> block 7\n"
                                   "block 3 -> exit\n"
                                   "block 5 -> exit\n"
                                   "block 7 -> exit\n");
}

TEST_CASE("flow: a switch over every enumerator still has a default: other values are possible") {
  auto unit = extracted("enum E { A, B };\n"
                        "int f(E e) {\n"
                        "  switch (e) {\n"
                        "  case A: return 1;\n"
                        "  case B: return 2; }\n"
                        "  return 3; }\n");
  CHECK(edgesOf(unit, "f(E)").find("block 3 -default-> block 6") != std::string::npos);
}

TEST_CASE("flow: a condition that is known while compiling keeps both ways") {
  auto unit = extracted("template <int N> int f() {\n"
                        "  if (N > 3)\n"
                        "    return 1;\n"
                        "  return 2; }\n"
                        "int g() { return f<5>(); }\n");
  CHECK(edgesOf(unit, "f<5>() -> int") == "entry -> block 2\n"
                                          "block 2 -T-> block 3\n"
                                          "block 2 -F-> block 4\n"
                                          "block 3 -> exit\n"
                                          "block 4 -> exit\n");
}

TEST_CASE("flow: a call ends its node; a path edge leads to the return node") {
  auto unit = extracted("void g() noexcept;\n"
                        "int f(int x) {\n"
                        "  g();\n"
                        "  return x; }\n");
  CHECK(edgesOf(unit, "f(int)") == "entry -> call g()\n"
                                   "call g() => block 4\n"
                                   "block 4 -> exit\n");
}

TEST_CASE("flow: constructors, destructors, operators, conversions, new and delete are calls") {
  auto unit = extracted("struct A {\n"
                        "  A(int) noexcept; ~A(); operator bool() const noexcept;\n"
                        "  A &operator+=(int) noexcept;\n"
                        "  static void *operator new(unsigned long) noexcept; };\n"
                        "bool f() {\n"
                        "  A a = 1;\n"
                        "  a += 2;\n"
                        "  delete new A(3);\n"
                        "  return a; }\n");
  CHECK(edgesOf(unit, "f()") == "entry -> call A::A(int)\n"
                                "call A::A(int) => call A::operator+=(int)\n"
                                "call A::operator+=(int) => call A::operator new(unsigned long)\n"
                                "call A::operator new(unsigned long) => call A::A(int)\n"
                                "call A::A(int) => call A::~A()\n"
                                "call A::~A() => call operator delete(void*, unsigned long)\n"
                                "call operator delete(void*, unsigned long) => "
                                "call A::operator bool() const\n"
                                "call A::operator bool() const => call A::~A()\n"
                                "call A::~A() => exit\n");
}

TEST_CASE("flow: a default argument is evaluated, and its calls made, by the caller") {
  auto unit = extracted("int d() noexcept;\n"
                        "void g(int x = d()) noexcept;\n"
                        "void f() {\n"
                        "  g(); }\n");
  CHECK(edgesOf(unit, "f()") == "entry -> call d()\n"
                                "call d() => call g(int)\n"
                                "call g(int) => exit\n");
}

TEST_CASE("flow: calls through pointers have no callee") {
  auto unit = extracted("void f(void (*p)() noexcept) {\n"
                        "  p(); }\n");
  CHECK(edgesOf(unit, "f(void() noexcept*)") == "entry -> call through pointer\n"
                                                "call through pointer => exit\n");
}

TEST_CASE("flow: virtual calls, unless qualified, final, or on an object of known class") {
  auto unit = extracted("struct B { virtual void m() noexcept; };\n"
                        "struct D final : B { void m() noexcept override; };\n"
                        "void f(B &b, D &d) {\n"
                        "  b.m();\n"
                        "  b.B::m();\n"
                        "  d.m();\n"
                        "  B known;\n"
                        "  known.m(); }\n");
  CHECK(edgesOf(unit, "f(B&, D&)") == "entry -> virtual call B::m()\n"
                                      "virtual call B::m() => call B::m()\n"
                                      "call B::m() => call D::m()\n"
                                      "call D::m() => call B::B()\n"
                                      "call B::B() => call B::m()\n"
                                      "call B::m() => exit\n");
}

TEST_CASE("flow: the destructor of a deleted object is dispatched, that of a local is not") {
  auto unit = extracted("struct B { virtual ~B() noexcept; };\n"
                        "void f(B *b) {\n"
                        "  delete b; }\n");
  CHECK(edgesOf(unit, "f(B*)").find("entry -> virtual call B::~B()") != std::string::npos);
}

TEST_CASE("flow: a throw past two live objects destroys them in reverse order") {
  auto unit = extracted("struct A { A() noexcept; ~A(); };\n"
                        "struct B { B() noexcept; ~B(); };\n"
                        "void f() {\n"
                        "  A a;\n"
                        "  B b;\n"
                        "  throw 1; }\n");
  CHECK(edgesOf(unit, "f()") == "entry -> call A::A()\n"
                                "call A::A() => call B::B()\n"
                                "call B::B() => block 5\n"
                                "block 5 ~> cleanup B::~B()\n"
                                "cleanup B::~B() ~> cleanup A::~A()\n"
                                "cleanup A::~A() ~> exceptional exit\n");
}

TEST_CASE("flow: handlers are asked in order; what none takes leaves the function") {
  auto unit = extracted("struct E {}; struct F : E {};\n"
                        "void g();\n"
                        "int f() {\n"
                        "  try {\n"
                        "    g();\n"
                        "  } catch (F &) {\n"
                        "    return 1;\n"
                        "  } catch (E &) {\n"
                        "    return 2;\n"
                        "  }\n"
                        "  return 3; }\n");
  CHECK(edgesOf(unit, "f()") == "entry -> call g()\n"
                                "call g() ~> try\n"
                                "call g() => block 11\n"
                                "try ~> catch 6\n"
                                "catch 6 -caught-> block 7\n"
                                "catch 6 -not caught-> catch 8\n"
                                "block 7 -> exit\n"
                                "catch 8 -caught-> block 9\n"
                                "catch 8 -not caught-> exceptional exit\n"
                                "block 9 -> exit\n"
                                "block 11 -> exit\n");
}

TEST_CASE("flow: catch (...) takes everything; a rethrow goes on to the outer handlers") {
  auto unit = extracted("void g();\n"
                        "int f() {\n"
                        "  try {\n"
                        "    try {\n"
                        "      g();\n"
                        "    } catch (...) {\n"
                        "      throw;\n"
                        "    }\n"
                        "  } catch (int) {\n"
                        "    return 1;\n"
                        "  }\n"
                        "  return 2; }\n");
  std::string edges = edgesOf(unit, "f()");
  CHECK(edges.find("catch 6 -caught-> block 7\nblock 7 ~> try\ntry ~> catch 9\n") !=
        std::string::npos);
  CHECK(edges.find("catch 6 -not caught->") == std::string::npos);
}

TEST_CASE("flow: noexcept is a barrier") {
  auto unit = extracted("void g();\n"
                        "void f() noexcept {\n"
                        "  g(); }\n");
  CHECK(edgesOf(unit, "f()") == "entry -> call g()\n"
                                "call g() ~> terminate\n"
                                "call g() => exit\n");
}

TEST_CASE("flow: a constructor that throws destroys the parts that are complete, and no more") {
  auto unit = extracted("struct A { A() noexcept; ~A(); };\n"
                        "struct B { B(); ~B(); };\n"
                        "struct C : A { B b; C(); };\n"
                        "C::C() {\n"
                        "  throw 1; }\n");
  CHECK(edgesOf(unit, "C::C()") == "entry -> call A::A()\n"
                                   "call A::A() => call B::B()\n"
                                   "call B::B() ~> cleanup A::~A()\n"
                                   "call B::B() => block 4\n"
                                   "cleanup A::~A() ~> exceptional exit\n"
                                   "block 4 ~> cleanup B::~B()\n"
                                   "cleanup B::~B() ~> cleanup A::~A()\n");
}

TEST_CASE("flow: the handlers of a function-try-block take what initialisers throw") {
  auto unit = extracted("struct B { B(); };\n"
                        "struct C { B b; C(); };\n"
                        "C::C() try : b() {\n"
                        "} catch (int) {\n"
                        "}\n");
  CHECK(edgesOf(unit, "C::C()").find("call B::B() ~> try\n") != std::string::npos);
}

TEST_CASE("flow: memory is given back if a constructor throws in a new-expression") {
  auto unit = extracted("struct A { A(int); };\n"
                        "A *f() {\n"
                        "  return new A(1); }\n");
  CHECK(edgesOf(unit, "f()") ==
        "entry -> call operator new(unsigned long)\n"
        "call operator new(unsigned long) ~> exceptional exit\n"
        "call operator new(unsigned long) => call A::A(int)\n"
        "call A::A(int) ~> cleanup operator delete(void*, unsigned long)\n"
        "call A::A(int) => block 3\n"
        "cleanup operator delete(void*, unsigned long) ~> exceptional exit\n"
        "block 3 -> exit\n");
}

TEST_CASE("flow: temporaries live to the end of their full expression") {
  auto unit = extracted("struct T { T(int) noexcept; ~T(); };\n"
                        "void g(const T &);\n"
                        "void f() {\n"
                        "  g(1); }\n");
  CHECK(edgesOf(unit, "f()") == "entry -> call T::T(int)\n"
                                "call T::T(int) => call g(const T&)\n"
                                "call g(const T&) ~> cleanup T::~T()\n"
                                "call g(const T&) => call T::~T()\n"
                                "cleanup T::~T() ~> exceptional exit\n"
                                "call T::~T() => exit\n");
}

TEST_CASE("flow: nothing follows a call that does not return") {
  auto unit = extracted("[[noreturn]] void stop() noexcept;\n"
                        "int f(int x) {\n"
                        "  if (x) stop();\n"
                        "  return 1; }\n");
  CHECK(edgesOf(unit, "f(int)").find("call stop() =>") == std::string::npos);
}

TEST_CASE("flow: a static local is initialised on one branch only") {
  auto unit = extracted("int g() noexcept;\n"
                        "int f() {\n"
                        "  static int s = g();\n"
                        "  return s; }\n");
  std::string edges = edgesOf(unit, "f()");
  CHECK(edges.find("-T->") != std::string::npos);
  CHECK(edges.find("-F-> call g()") != std::string::npos);
}

TEST_CASE("flow: unit initialisers call the initialisers of variables in order, and are roots") {
  auto unit = extracted("int g();\n"
                        "int a = g();\n"
                        "int constant = 3;\n"
                        "int b = g();\n"
                        "__attribute__((constructor)) void early() {}\n");
  CHECK(unit.names.text(unit.record.graph.initialiser) == "(initialiser of unit.cpp)");
  CHECK(edgesOf(unit, "(initialiser of unit.cpp)") ==
        "entry -> call a (initialiser)\n"
        "call a (initialiser) => call b (initialiser)\n"
        "call b (initialiser) => call early()\n"
        "call early() => exit\n");
}

TEST_CASE("flow: what no graph can show is said, and the text counts") {
  auto unit = extracted("void f(int n) { asm(\"nop\"); }\n"
                        "void g(int n) { void *p = &&a; goto *p; a: ; }\n"
                        "asm(\".globl x\");\n");
  CHECK(functionNamed(unit, "f(int)").unmodelled == "");
  CHECK(functionNamed(unit, "g(int)").unmodelled == "computed goto");
  CHECK(functionNamed(unit, "(FileScopeAsm outside of functions)#1").unmodelled ==
        "FileScopeAsm outside of functions");
  CHECK(unit.record.graph.doubts.size() == 2);
}
