// A program of a user with doctest whose tests are those of a table, and one of another kind.

#include "table_tests.h"

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

static void tell() {
  const doctest::TestCaseData *test = doctest::getContextOptions()->currentTest;
  tellRun(test->m_test_suite, test->m_name, test->m_line);
}

TEST_CASE_TEMPLATE("typed", T, int, long) { tell(); }

int main(int argc, char **argv) {
  using namespace doctest::detail;
  for (const TableTest &test : tableTests())
    regTest(TestCase(tell, __FILE__, static_cast<unsigned>(test.line),
                     TestSuite() * test.suite.c_str()) *
            test.name.c_str() * doctest::skip(test.isDisabled));
  return doctest::Context(argc, argv).run();
}
