#include "cov/counted_module.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>
#include <llvm/ADT/STLExtras.h>

using namespace retest;
using namespace llvm::coverage;

namespace {

/// A function with one counter for each part of `if (a && b)`, made by hand.
CountedFunction branching() {
  CountedFunction function;
  function.firstCounter = 2;
  function.counterCount = 2;
  Counter entry = Counter::getCounter(0), taken = Counter::getCounter(1);
  function.expressions = {{CounterExpression::Subtract, entry, taken},
                          {CounterExpression::Add, Counter::getExpression(0), taken}};
  function.regions = {
      CounterMappingRegion::makeRegion(entry, 0, 1, 1, 9, 2),
      CounterMappingRegion::makeBranchRegion(taken, Counter::getExpression(0), 0, 2, 7, 2, 8),
      CounterMappingRegion::makeRegion(Counter::getExpression(1), 0, 5, 1, 6, 2)};
  return function;
}

std::string show(const std::vector<RegionHit> &hits) {
  std::string text;
  for (const RegionHit &hit : hits)
    text += std::string(text.empty() ? "" : " ") + (hit.isHit ? "T" : "-") +
            (hit.isFalseHit ? "F" : "-");
  return text;
}

const CountedFunction *named(const CountedModule &module, llvm::StringRef part) {
  for (const CountedFunction &function : module.functions)
    if (llvm::StringRef(function.symbol).contains(part))
      return &function;
  return nullptr;
}

} // namespace

TEST_CASE("hits: what counts say about the sides of a branch") {
  struct Row {
    const char *what;
    std::vector<std::uint64_t> counters; ///< of the module; the first two are another function's
    const char *hits;
  };
  const Row rows[] = {
      {"never entered", {9, 9, 0, 0}, "-- -- --"},
      {"always true", {9, 9, 3, 3}, "T- T- T-"},
      {"always false", {9, 9, 3, 0}, "T- -F T-"},
      {"both", {9, 9, 3, 1}, "T- TF T-"},
      {"a race lost an increment: negative counts as executed", {9, 9, 2, 3}, "T- TF T-"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.what);
    CHECK(show(hitsOf(branching(), row.counters)) == row.hits);
  }
}

TEST_CASE("hits: expressions that are nested as deep as a long function makes them") {
  constexpr unsigned kDepth = 200'000;
  CountedFunction function = branching();
  function.expressions.assign(
      kDepth, {CounterExpression::Subtract, Counter::getCounter(0), Counter::getZero()});
  for (unsigned i = 0; i + 1 < kDepth; ++i)
    function.expressions[i].LHS = Counter::getExpression(i + 1);
  function.expressions[0].RHS = Counter::getCounter(1); // #0 - #1, in the end
  function.regions.erase(function.regions.begin() + 1, function.regions.end());
  function.regions[0].Count = Counter::getExpression(0);
  CHECK(show(hitsOf(function, {9, 9, 3, 1})) == "T-");
  CHECK(show(hitsOf(function, {9, 9, 3, 3})) == "--");
  // Damaged: the last one contains the first.
  function.expressions.back().LHS = Counter::getExpression(0);
  CHECK(show(hitsOf(function, {9, 9, 3, 3})) == "T-");
}

TEST_CASE("module: the functions of a program, with their counters and regions") {
  CountedModule module = llvm::cantFail(CountedModule::load(FIXTURE));
  CHECK(!module.buildId.empty());
  const CountedFunction *main = named(module, "main");
  REQUIRE(main);
  CHECK(main->unit == "");
  CHECK(main->counterCount > 12); // its branches
  CHECK(llvm::any_of(main->regions, [](const auto &region) { return isBranch(region); }));
  REQUIRE(!main->files.empty());
  CHECK(llvm::StringRef(main->files[0]).ends_with("fixture_program.cpp"));
  const CountedFunction *local = named(module, "lazyOne");
  REQUIRE(local);
  CHECK(local->unit != "");          // in an anonymous namespace
  CHECK(local->regions.size() == 1); // the compiler has no hash for it, as it has no branches
  // Each counter belongs to one function, and none is left over.
  std::size_t next = 0;
  for (const CountedFunction &function : module.functions) {
    CHECK(function.firstCounter == next);
    next += function.counterCount;
  }
  CHECK(next == module.counterCount);
}

TEST_CASE("module: functions of which it has no code") {
  CountedModule module = llvm::cantFail(CountedModule::load(PROGRAM));
  REQUIRE(module.unemitted.size() == 2);
  CHECK(module.unemitted[0].symbol == "_Z6unusedv");
  CHECK(module.unemitted[0].unit == "");
  CHECK(module.unemitted[1].symbol == "_ZL10unusedHerev");
  CHECK(module.unemitted[1].unit != "");
  CHECK(module.unemitted[1].regions.size() == 1); // where it is
  CHECK(!named(module, "unused"));
}

TEST_CASE("module: what is none") {
  TemporaryDirectory directory;
  auto refused = [](const std::string &path) {
    llvm::Expected<CountedModule> module = CountedModule::load(path);
    REQUIRE(!module);
    return llvm::toString(module.takeError());
  };
  std::string text = directory.write("text", "not a program");
  CHECK(refused(text).starts_with(text + ": "));
  CHECK(refused("/bin/cat") ==
        "/bin/cat: no section __llvm_prf_cnts: it was not built for coverage");
  CHECK(refused("/no/such") == "/no/such: No such file or directory");
}
