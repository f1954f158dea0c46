// A program of a user with Catch2 whose tests are those of a table, and one of another kind.

#include "table_tests.h"

#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include <set>

static void tell() { tellRun("", Catch::getResultCapture().getCurrentTestName(), 0); }

TEMPLATE_TEST_CASE("typed", "", int, long) { tell(); }

int main(int argc, char **argv) {
  std::set<std::string> seen; // it does not take a name twice
  for (const TableTest &test : tableTests())
    if (seen.insert(test.name).second)
      Catch::AutoReg(Catch::makeTestInvoker(tell),
                     Catch::SourceLineInfo(__FILE__, static_cast<std::size_t>(test.line)),
                     Catch::StringRef(),
                     Catch::NameAndTags(test.name, test.isDisabled ? "[.]" : "[usual]"));
  return Catch::Session().run(argc, argv);
}
