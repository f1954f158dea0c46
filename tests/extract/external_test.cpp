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

namespace {

/// A type outside the project, for which the project has a function that external code finds.
SourceOptions withHook(const std::string &code) {
  SourceOptions options;
  options.flags = {"-std=c++20", "-I.."};
  options.headers = {{"../outer.h", "namespace ext { struct E {}; }\n" + code}};
  return options;
}
const std::string hook = "#include <outer.h>\nnamespace ext { int hook(E) { return 1; } }\n";

} // namespace

TEST_CASE("external: the ways in which external code reaches a function of the project") {
  struct Row {
    std::string way, outer, source, found;
  };
  const Row rows[] = {
      {"a call", "template <class T> int run() { return hook(T()); }",
       "int f() { return run<ext::E>(); }", "run<ext::E>() -> int"},
      {"a default argument",
       "template <class T> int run(int x = hook(T())) { return x; }\n"
       "template <class T> int outer() { return run<T>(); }",
       "int f() { return outer<ext::E>(); }", "outer<ext::E>() -> int"},
      {"a default member initialiser", "template <class T> struct H { H() {} int x = hook(T()); };",
       "int f() { return H<ext::E>().x; }", "H<ext::E>::H()"},
      {"a default member initialiser of an aggregate",
       "template <class T> struct A { int x = hook(T()); };\n"
       "template <class T> int run() { return A<T>{}.x; }",
       "int f() { return run<ext::E>(); }", "run<ext::E>() -> int"},
      {"an inherited constructor",
       "template <class T> struct B { B(int) { hook(T()); } };\n"
       "template <class T> struct D : B<T> { using B<T>::B; };",
       "void f() { D<ext::E> d(1); }", "D<ext::E>::D(int)"},
      {"a lambda that becomes a pointer",
       "template <class T> int run() { int (*p)() = [] { return hook(T()); }; return p(); }",
       "int f() { return run<ext::E>(); }", "run<ext::E>() -> int"},
      {"what a lambda captures",
       "template <class T> int run() { return [x = hook(T())] { return x; }(); }",
       "int f() { return run<ext::E>(); }", "run<ext::E>() -> int"},
      {"a destructor",
       "template <class T> struct H { ~H() { hook(T()); } };\n"
       "template <class T> void run() { H<T> h; }",
       "void f() { run<ext::E>(); }", "run<ext::E>() -> void"},
      {"the destructor of a member",
       "template <class T> struct M { ~M() { hook(T()); } };\n"
       "template <class T> struct H { M<T> m; };",
       "void f() { H<ext::E> h; }", "H<ext::E>::~H()"},
      {"delete",
       "template <class T> struct H { ~H() { hook(T()); } };\n"
       "template <class T> void run(H<T> *h) { delete h; }",
       "void f(H<ext::E> *h) { run(h); }", "run<ext::E>(H<ext::E>*) -> void"},
      {"the destructor of a base",
       "template <class T> struct B { ~B() { hook(T()); } };\n"
       "template <class T> struct H : B<T> {};",
       "void f() { H<ext::E> h; }", "H<ext::E>::~H()"},
      {"a temporary",
       "template <class T> struct H { ~H() { hook(T()); } };\n"
       "template <class T> void run() { H<T>(); }",
       "void f() { run<ext::E>(); }", "run<ext::E>() -> void"},
      {"the destructor of a member, when a constructor fails",
       "template <class T> struct M { ~M() { hook(T()); } };\n"
       "template <class T> struct H { M<T> m; H() { throw 1; } };",
       "void *f() { return new H<ext::E>; }", "H<ext::E>::H()"},
      {"the destructor of a base, when a constructor fails",
       "template <class T> struct B { ~B() { hook(T()); } };\n"
       "template <class T> struct H : B<T> { H() { throw 1; } };",
       "void *f() { return new H<ext::E>; }", "H<ext::E>::H()"},
      {"operator new",
       "template <class T> struct H { H() noexcept {}\n"
       "  static void *operator new(unsigned long) { hook(T()); return 0; } };\n"
       "template <class T> void *run() { return new H<T>; }",
       "void f() { run<ext::E>(); }", "run<ext::E>() -> void*"},
      {"operator delete, when a constructor fails",
       "template <class T> struct H { H() { throw 1; }\n"
       "  static void operator delete(void *) { hook(T()); } };\n"
       "template <class T> void *run() { return new H<T>; }",
       "void f() { run<ext::E>(); }", "run<ext::E>() -> void*"},
      {"operator delete",
       "template <class T> struct H {\n"
       "  static void operator delete(void *) { hook(T()); } };\n"
       "template <class T> void run(H<T> *h) { delete h; }",
       "void f(H<ext::E> *h) { run(h); }", "run<ext::E>(H<ext::E>*) -> void"},
      {"operator delete in a virtual destructor",
       "template <class T> struct H { virtual ~H() {}\n"
       "  static void operator delete(void *) { hook(T()); } };",
       "void f(H<ext::E> *h) { h->~H(); }", "H<ext::E>::~H()"},
      {"an element without a value",
       "template <class T> struct A { A() { hook(T()); } };\n"
       "template <class T> void run() { A<T> a[2] = {}; }",
       "void f() { run<ext::E>(); }", "run<ext::E>() -> void"},
      {"an element without a value, in parentheses",
       "template <class T> struct B { B(int) {} B() { hook(T()); } };\n"
       "template <class T> void run() { B<T> a[2](1); }",
       "void f() { run<ext::E>(); }", "run<ext::E>() -> void"},
      {"a comparison that is written differently",
       "template <class T> bool run() { return T() != T(); }",
       "namespace ext { bool operator==(E, E) { return true; } }\n"
       "bool f() { return run<ext::E>(); }",
       "run<ext::E>() -> bool"},
      {"a generic lambda that becomes a pointer",
       "template <class T> int run() { int (*p)(int) = [](auto) { return hook(T()); }; return "
       "p(1); }",
       "int f() { return run<ext::E>(); }", "run<ext::E>() -> int"},
      {"a structured binding",
       "namespace std { template <class T> struct tuple_size;\n"
       "  template <unsigned long, class T> struct tuple_element; }\n"
       "namespace ext { template <class T> struct P {}; template <unsigned long, class T>\n"
       "  int get(P<T>) { return hook(T()); } }\n"
       "template <class T> struct std::tuple_size<ext::P<T>> { static constexpr int value = 1; };\n"
       "template <class T> struct std::tuple_element<0, ext::P<T>> { using type = int; };\n"
       "template <class T> int run() { auto [x] = ext::P<T>(); return x; }",
       "int f() { return run<ext::E>(); }", "run<ext::E>() -> int"},
      {"a table of functions",
       "template <class T> int call() { return hook(T()); }\n"
       "template <class T> struct Table { static constexpr int (*entry)() = call<T>; };\n"
       "template <class T> int run() { return Table<T>::entry(); }",
       "int f() { return run<ext::E>(); }", "run<ext::E>() -> int"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.way);
    auto unit = extracted(hook + row.source, withHook(row.outer));
    CHECK(functionNamed(unit, row.found).isExternal);
  }
}

TEST_CASE("external: classes made of project classes lie in memory as those do") {
  SourceOptions options;
  options.flags = {"-std=c++20", "-I.."};
  options.headers = {{"../pair.h", "template <class A, class B> struct pair { A first; B second; };"
                                   "template <class A> struct box { A *held; };\n"}};
  const std::string body = "void f(pair<M, int> &a, pair<M, int> &b) { a = b; }\n"
                           "void g(box<M> &a, box<M> &b) { a = b; }\n"
                           "void h(pair<int, int> &a, pair<int, int> &b) { a = b; }\n";
  const std::string m = "#include <pair.h>\nstruct M { int a, b; };\n";
  auto unit = extracted(m + body, options);
  CHECK(hasUse(unit, "f(pair<M, int>&, pair<M, int>&)", UseKind::Layout, "pair<M, int>"));
  CHECK(classNamed(unit, "pair<M, int>").isExternal);
  CHECK(!hasUse(unit, "g(box<M>&, box<M>&)", UseKind::Layout, "box<M>"));
  CHECK(!hasUse(unit, "h(pair<int, int>&, pair<int, int>&)", UseKind::Layout, "pair<int, int>"));
  CHECK(changed(m + body, "#include <pair.h>\nstruct M { int b, a; };\n" + body, options) ==
        "M::operator=(const M&), layout of M, layout of pair<M, int>");
}

TEST_CASE("external: classes with a vtable that project types made") {
  SourceOptions options;
  options.flags = {"-std=c++20", "-I.."};
  options.headers = {{"../holder.h", "struct Base { virtual int get(); };\n"
                                     "template <class T> struct H : Base {\n"
                                     "  int get() override { return T::count(); } };\n"
                                     "template <class T> Base *make() { return new H<T>(); }\n"
                                     "Base *keep(Base &);\n"}};
  const std::string m = "#include <holder.h>\nstruct M { static int count(); };\n";
  auto here = extracted(m + "Base *f() { H<M> h; return keep(h); }\n", options);
  CHECK(hasUse(here, "f()", UseKind::Constructs, "H<M>"));
  CHECK(classNamed(here, "H<M>").virtualMethods.size() == 1);
  CHECK(functionNamed(here, "H<M>::get()").isExternal);
  auto there = extracted(m + "Base *f() { return make<M>(); }\n", options);
  CHECK(hasUse(there, "make<M>() -> Base*", UseKind::Constructs, "H<M>"));
  CHECK(classNamed(there, "H<M>").virtualMethods.size() == 1);
  CHECK(functionNamed(there, "H<M>::get()").isExternal);
}

TEST_CASE("external: data and types of the project that external code finds by itself") {
  SourceOptions options;
  options.flags.push_back("-I..");
  options.headers = {{"../ext.h",
                      "namespace ext { extern int level;\n"
                      "inline int read() { return level; }\n"
                      "template <class T> constexpr bool fast = false;\n"
                      "template <class T> int work() { if constexpr (fast<T>) return 1; "
                      "return 2; }\n"
                      "template <class T> struct traits { using error = T; };\n"
                      "template <class T> int guard(int (*f)()) { try { return f(); } "
                      "catch (const typename traits<T>::error &) { return 0; } }\n"
                      "template <class T> bool is(void *p) "
                      "{ return sizeof(typename traits<T>::error) == 4; } }\n"}};
  std::string start = "#include <ext.h>\nstruct E {}; struct F {};\nint ext::level = 3;\n"
                      "template <> inline constexpr bool ext::fast<long> = true;\n"
                      "template <> struct ext::traits<int> { using error = E; };\n";
  std::string source = start + "int f() { return ext::read() + ext::work<long>(); }\n"
                               "int g() { return ext::guard<int>(f) + ext::is<int>(nullptr); }\n"
                               "int h() { return ext::work<char>(); }\n";
  auto unit = extracted(source, options);
  CHECK(hasUse(unit, "ext::read()", UseKind::Variable, "ext::level"));
  CHECK(hasUse(extracted("#include <ext.h>\nint f() { return ext::level; }", options), "f()",
               UseKind::Variable, "ext::level"));
  CHECK(externals(unit, "ext::work<long>()") == 1);
  CHECK(externals(unit, "ext::work<char>()") == 0);
  CHECK(externals(unit, "ext::guard<int>") == 1);
  CHECK(externals(unit, "ext::is<int>") == 1);
  std::string other = source;
  other.replace(other.find("error = E"), 9, "error = F");
  CHECK(changed(source, other, options) == "ext::guard<int>(int()*) -> int");
}
