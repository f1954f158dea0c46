// Which destructors run and which handlers are asked when something throws half-way.
#include "tests/notation/extracted.h"

#include <doctest/doctest.h>

#include <sstream>

using namespace retest;

namespace {

const std::string kPart = "struct Part { Part(int); Part(const Part &); ~Part(); int n; };\n";

/// The lines of edgesOf that have "~>" in them.
std::string exceptionsOf(const std::string &source, const std::string &function) {
  auto unit = extracted(source);
  std::string found;
  std::istringstream edges(edgesOf(unit, function));
  for (std::string line; std::getline(edges, line);)
    if (line.find("~>") != std::string::npos)
      found += line + "\n";
  return found;
}

} // namespace

TEST_CASE("unwinding: the finished members of an aggregate, but not the aggregate") {
  CHECK(exceptionsOf(kPart + "struct Pair { Part a, b; };\n"
                             "Pair f() { return {{1}, {2}}; }\n",
                     "f()") == "call Part::Part(int) ~> exceptional exit\n"
                               "call Part::Part(int) ~> cleanup Part::~Part()\n"
                               "cleanup Part::~Part() ~> exceptional exit\n");
}

TEST_CASE("unwinding: a part that is written as a temporary is none") {
  CHECK(exceptionsOf(kPart + "struct Pair { Part a; int b; }; void g();\n"
                             "void f() { Pair p{Part(1), 2}; g(); }\n",
                     "f()") == "call Part::Part(int) ~> exceptional exit\n"
                               "call g() ~> cleanup Pair::~Pair()\n"
                               "cleanup Pair::~Pair() ~> exceptional exit\n");
}

TEST_CASE("unwinding: temporaries of a right operand that runs first") {
  const std::string sources = kPart +
                              "Part part() noexcept; int &g();\n"
                              "struct Cell { Cell &operator=(int) noexcept; }; Cell &c();\n";
  const std::string operators[] = {"g() = part().n", "g() += part().n", "c() = part().n"};
  for (const std::string &assignment : operators) {
    CAPTURE(assignment);
    std::string left = assignment.substr(0, 3);
    CHECK(exceptionsOf(sources + "void f() { " + assignment + "; }", "f()") ==
          "call " + left + " ~> cleanup Part::~Part()\n" +
              "cleanup Part::~Part() ~> exceptional exit\n");
  }
}

TEST_CASE("unwinding: the finished elements of an array") {
  const std::string some = "call Part::Part(int) ~> cleanup Part::~Part()\n"
                           "cleanup Part::~Part() ~> exceptional exit\n";
  CHECK(exceptionsOf(kPart + "void f() { Part p[1] = {1}; }", "f()") ==
        "call Part::Part(int) ~> exceptional exit\n");
  CHECK(exceptionsOf("struct Part { Part(int = 0); ~Part(); };\n"
                     "struct Whole { Part p[2]; Whole(); }; Whole::Whole() {}",
                     "Whole::Whole()") == some);
  CHECK(exceptionsOf("struct Part { Part(int = 0); ~Part(); };\n"
                     "void f() { Part p[2] = {}; }",
                     "f()") == some);
  CHECK(exceptionsOf(kPart + "struct Whole { Part p[2]; };\n"
                             "Whole f(const Whole &w) { return w; }",
                     "Whole::Whole(const Whole&)") ==
        "call Part::Part(const Part&) ~> cleanup Part::~Part()\n"
        "cleanup Part::~Part() ~> exceptional exit\n");
}

TEST_CASE("unwinding: the elements go before the memory of an array") {
  CHECK(exceptionsOf("struct Part { Part(); ~Part(); };\n"
                     "Part *f(int n) { return new Part[n]; }",
                     "f(int)") ==
        "call operator new[](unsigned long) ~> exceptional exit\n"
        "call Part::Part() ~> cleanup Part::~Part()\n"
        "cleanup Part::~Part() ~> cleanup operator delete[](void*, unsigned long)\n"
        "cleanup operator delete[](void*, unsigned long) ~> exceptional exit\n");
}

TEST_CASE("unwinding: the finished captures of a lambda") { // Clang's graph has the second first
  CHECK(
      exceptionsOf(kPart + "auto f() { return [a = Part(1), b = Part(2)] { return a.n + b.n; }; }",
                   "f()") == "call Part::Part(int) ~> cleanup Part::~Part()\n"
                             "cleanup Part::~Part() ~> exceptional exit\n"
                             "call Part::Part(int) ~> exceptional exit\n");
}

TEST_CASE("unwinding: the object that is thrown outlives the function") {
  const std::string source = kPart + "void f() { throw Part(1); }\n"
                                     "void g(const Part &p) { throw p; }\n";
  CHECK(exceptionsOf(source, "f()") == "call Part::Part(int) ~> exceptional exit\n"
                                       "block 2 ~> exceptional exit\n");
  auto unit = extracted(source);
  CHECK(hasUse(unit, "f()", UseKind::Address, "Part::~Part()"));
  CHECK(hasUse(unit, "g(const Part&)", UseKind::Address, "Part::~Part()"));
}

TEST_CASE("unwinding: temporaries that a member or a binding keeps alive") {
  const std::string source = kPart + "struct Ref { const Part &part; }; void g();\n"
                                     "void f() { Ref r{Part(1)}; g(); }\n";
  CHECK(exceptionsOf(source, "f()") == "call Part::Part(int) ~> exceptional exit\n"
                                       "call g() ~> cleanup Part::~Part()\n"
                                       "cleanup Part::~Part() ~> exceptional exit\n");
  auto unit = extracted(source);
  CHECK(hasUse(unit, "f()", UseKind::Address, "Part::~Part()"));
}

TEST_CASE("unwinding: a destructor that throws leaves the parts below it to be destroyed") {
  CHECK(exceptionsOf("struct Part { ~Part() noexcept(false); }; struct Base { ~Base(); };\n"
                     "struct Low { ~Low(); };\n"
                     "struct Whole : virtual Base { Low l; Part p; ~Whole() noexcept(false); };\n"
                     "Whole::~Whole() noexcept(false) try {} catch (...) {}",
                     "Whole::~Whole()") == "call Part::~Part() ~> cleanup Low::~Low()\n"
                                           "cleanup Low::~Low() ~> cleanup Base::~Base()\n"
                                           "cleanup Base::~Base() ~> try\n"
                                           "try ~> catch 4\n");
}

TEST_CASE("unwinding: a default argument throws where it is used") {
  CHECK(exceptionsOf("int g(); int h(int = g()) noexcept;\n"
                     "int f() { try { h(); } catch (...) {} return h(); }",
                     "f()") == "call g() ~> try\n"
                               "call g() ~> exceptional exit\n"
                               "try ~> catch 2\n"
                               "call g() ~> try\n"
                               "call g() ~> exceptional exit\n");
}
