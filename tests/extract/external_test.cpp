// Code outside the project: what of it belongs to the graph.
#include "tests/notation/extracted.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

/// The names of external functions that contain `part`.
std::size_t externals(const ExtractedUnit &unit, const std::string &part) {
  return std::count_if(unit.record.graph.functions.begin(), unit.record.graph.functions.end(),
                       [&](const Function &function) {
                         return function.isExternal &&
                                unit.names.text(function.name).contains(part);
                       });
}

} // namespace

TEST_CASE("external: instantiations that name a project type are in the graph") {
  auto unit = extracted("#include <vector>\n#include <memory>\n"
                        "struct M { M(const M &); ~M(); };\n"
                        "void f(std::vector<M> &v, const M &m) { v.push_back(m); }\n"
                        "struct D { virtual ~D(); };\n"
                        "auto g() { return std::make_shared<D>(); }\n");
  CHECK(externals(unit, "std::vector<M, std::allocator<M>>::push_back(const M&)") == 1);
  CHECK(externals(unit, "make_shared<D>") == 1);
  // Reached through a vtable only: whoever makes the control block may have it called.
  CHECK(externals(unit, "_M_dispose()") >= 1);
}

TEST_CASE("external: instantiations that have nothing to do with the project are not") {
  auto unit =
      extracted("#include <vector>\n#include <string>\n"
                "void f(std::vector<int> &v, std::string &s) { v.push_back(1); s += 'x'; }\n");
  CHECK(externals(unit, "") == 0);
}

TEST_CASE("external: an algorithm that calls a lambda or operator of the project is") {
  auto unit =
      extracted("#include <algorithm>\n"
                "struct P { int x; bool operator<(const P &) const; };\n"
                "void f(int *b, int *e) { std::sort(b, e, [](int a, int c) { return a > c; }); }\n"
                "void g(P *b, P *e) { std::sort(b, e); }\n");
  CHECK(externals(unit, "std::sort<int*, f(int*, int*)::lambda#1>") == 1);
  CHECK(externals(unit, "std::sort<P*>") == 1);
}

TEST_CASE("external: a project function reached with standard types alone pulls its callers in") {
  auto unit =
      extracted("#include <algorithm>\n#include <iterator>\n#include <ostream>\n#include <vector>\n"
                "namespace std {\n"
                "ostream &operator<<(ostream &o, const vector<int> &v) { return o; } }\n"
                "void f(std::ostream &o, std::vector<std::vector<int>> &v) {\n"
                "  std::ostream_iterator<std::vector<int>> out(o);\n"
                "  std::copy(v.begin(), v.end(), out); }\n");
  CHECK(externals(unit, "std::ostream_iterator<") >= 1);
  CHECK(externals(unit, "std::copy<") >= 1);
}

TEST_CASE("external: the bases of project classes are known, and that they are external") {
  auto unit =
      extracted("#include <streambuf>\n"
                "struct Sink : std::streambuf { int overflow(int c) override { return c; } };\n");
  const Class &sink = classNamed(unit, "Sink");
  CHECK(!sink.isExternal);
  REQUIRE(sink.bases.size() == 1);
  const Class &base = classNamed(unit, unit.names.text(sink.bases.front().name).str());
  CHECK(base.isExternal);
  REQUIRE(sink.virtualMethods.size() >= 1);
  bool overrides = false;
  for (const VirtualMethod &method : sink.virtualMethods)
    overrides |=
        unit.names.text(method.name) == "Sink::overflow(int)" && method.overrides.size() == 1;
  CHECK(overrides);
}

TEST_CASE("external: a project header included as a system header has no probe, but a graph") {
  SourceOptions options;
  options.flags = {"-std=c++20", "-isystem", "third_party"};
  options.headers = {{"third_party/lib.h", "inline int lib(int x) { return x; }\n"}};
  auto unit = extracted("#include <lib.h>\nint f() { return lib(1); }\n", options);
  CHECK(functionNamed(unit, "lib(int)").isSystemHeader);
  CHECK(!functionNamed(unit, "f()").isSystemHeader);
}

TEST_CASE("external: a static member of a template runs code of the project before main") {
  SourceOptions options;
  options.flags = {"-I.."};
  options.headers = {{"../single.h", "template <class T> struct Single { static T instance; };\n"
                                     "template <class T> T Single<T>::instance;\n"}};
  auto unit = extracted("#include <single.h>\nstruct M { M(); int x; };\n"
                        "int f() { return Single<M>::instance.x + Single<int>::instance; }\n",
                        options);
  CHECK(variableNamed(unit, "Single<M>::instance").isExternal);
  CHECK(unit.record.graph.variables.size() == 1); // Single<int> does not concern the project
  CHECK(edgesOf(unit, unit.names.text(unit.record.graph.initialiser).str()) ==
        "entry -> call Single<M>::instance (initialiser)\n"
        "call Single<M>::instance (initialiser) => exit\n");
}
