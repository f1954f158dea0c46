#include "select/changed_environment.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

RecordedTest testOf(const std::string &binary, const std::string &name,
                    std::vector<std::string> programs = {}) {
  RecordedTest test;
  test.binary = binary;
  test.name = name;
  test.programs = std::move(programs);
  return test;
}

/// "binary what: 0 2 ; what: 1" of each change, with the numbers of its tests.
std::string changes(const std::vector<EnvironmentPart> &then,
                    const std::vector<EnvironmentPart> &now) {
  std::vector<RecordedTest> tests = {testOf("a", "one"), testOf("b", "two"),
                                     testOf("", "plain", {"a", "libx"})};
  std::string text;
  for (const EnvironmentChange &change : changedEnvironment(then, now, tests)) {
    text += (text.empty() ? "" : "; ") + change.binary + "|" + change.what + ":";
    for (TestId test : change.tests)
      text += " " + std::to_string(test.value);
  }
  return text;
}

} // namespace

TEST_CASE("environment: what changed, and whose tests that concerns") {
  std::vector<EnvironmentPart> then = {{"", "compiler c++", {1, 1}},
                                       {"", "loader", {2, 2}},
                                       {"a", "library z", {3, 3}},
                                       {"a", "link flags", {4, 4}},
                                       {"libx", "link flags", {5, 5}}};
  CHECK(changes(then, then) == "");
  auto with = [&](std::size_t index, Fingerprint content) {
    std::vector<EnvironmentPart> now = then;
    now[index].content = content;
    return now;
  };
  CHECK(changes(then, with(0, {9, 9})) == "|compiler c++: 0 1 2");
  CHECK(changes(then, with(1, {9, 9})) == ""); // what it finds counts
  CHECK(changes(then, with(2, {9, 9})) == "a|library z: 0 2");
  CHECK(changes(then, with(2, {})) == "a|library z: 0 2"); // it is gone
  CHECK(changes(then, with(4, {9, 9})) == "libx|link flags: 2");
}

TEST_CASE("environment: parts that come and go") {
  std::vector<EnvironmentPart> flags = {{"a", "link flags", {4, 4}}};
  std::vector<EnvironmentPart> both = {{"a", "library z", {3, 3}}, {"a", "link flags", {4, 4}}};
  CHECK(changes(flags, both) == "a|library z: 0 2");
  CHECK(changes(both, flags) == "a|library z: 0 2");
  CHECK(changes({{"", "compiler c++", {1, 1}}}, {{"", "compiler g++", {1, 1}}}) ==
        "|compiler c++: 0 1 2; |compiler g++: 0 1 2");
  // A binary that is new has no recorded tests; that one is gone is told elsewhere.
  CHECK(changes(flags, {}) == "");
  CHECK(changes({}, flags) == "");
}
