#include "run/meson_suite.h"

#include <doctest/doctest.h>

using namespace retest;
using std::chrono::milliseconds;

namespace {

constexpr char kTests[] = R"([
  {"cmd": ["/b/unit", "-x"], "env": {"B": "2", "A": "1"}, "name": "unit", "workdir": null,
   "timeout": 20, "suite": ["calc:fast"], "is_parallel": true, "protocol": "gtest"},
  {"cmd": ["/b/tool"], "env": {}, "name": "long", "workdir": "/s", "timeout": 0, "suite": [],
   "is_parallel": false, "protocol": "exitcode"},
  {"cmd": ["/b/tap"], "env": {}, "name": "tap", "workdir": null, "timeout": -1, "suite": [],
   "is_parallel": true, "protocol": "tap"},
  {"cmd": ["/b/rust"], "env": {}, "name": "rust", "workdir": null, "timeout": 1.5, "suite": [],
   "is_parallel": true, "protocol": "rust"}])";

} // namespace

TEST_CASE("tests of Meson: all that it says about them") {
  auto entries = parseMesonSuite(kTests, "[false, true, false, false]", "/b");
  REQUIRE(!!entries);
  REQUIRE(entries->size() == 4);
  SuiteEntry unit{.name = "unit", .command = {"/b/unit", "-x"}, .directory = "/b"};
  unit.environment = {"A=1", "B=2", "MESON_TEST_ITERATION=1"};
  unit.timeout = milliseconds(20000);
  unit.skipReturnCode = 77;
  unit.labels = {"calc:fast"};
  CHECK((*entries)[0] == unit);
  CHECK((*entries)[1].willFail);
  CHECK((*entries)[1].runsAlone);
  CHECK((*entries)[1].directory == "/s");
  CHECK(!(*entries)[1].timeout);
  CHECK(!(*entries)[2].timeout);
  CHECK((*entries)[2].failExpressions.size() == 2);
  CHECK((*entries)[3].timeout == milliseconds(1500));
  CHECK((*entries)[3].unknownProperties == std::vector<std::string>{"protocol: rust"});
}

TEST_CASE("tests of Meson: descriptions of two versions") {
  auto fewer = parseMesonSuite(kTests, "[false]", "/b");
  REQUIRE(!fewer);
  CHECK(llvm::toString(fewer.takeError()).find("do not go together") != std::string::npos);
  auto nonsense = parseMesonSuite("{", "[]", "/b");
  CHECK(!nonsense);
  llvm::consumeError(nonsense.takeError());
}
