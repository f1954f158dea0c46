#include "report/short_names.h"

#include <doctest/doctest.h>

using namespace retest;

TEST_CASE("short names: default arguments of the standard library are left out") {
  struct Row {
    std::string name, shown;
  };
  const Row rows[] = {
      {"f(int)", "f(int)"},
      {"f(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>>&)",
       "f(std::string&)"},
      {"std::vector<const Shape*, std::allocator<const Shape*>>::end() const",
       "std::vector<const Shape*>::end() const"},
      {"std::map<int, T, std::less<int>, std::allocator<std::pair<const int, T>>>",
       "std::map<int, T>"},
      {"std::unique_ptr<A, std::default_delete<A>>", "std::unique_ptr<A>"},
      // Not an argument by default.
      {"g(int, std::allocator<int>)", "g(int, std::allocator<int>)"},
      {"std::vector<int, my::allocator<int>>", "std::vector<int, my::allocator<int>>"},
      // Broken names do no harm.
      {"x<, std::allocator<", "x<, std::allocator<"},
  };
  for (const Row &row : rows)
    CHECK(shortName(row.name) == row.shown);
}
