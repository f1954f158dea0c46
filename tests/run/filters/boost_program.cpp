// A program of a user with Boost.Test whose tests are those of a table, and a few of other kinds.

#include "table_tests.h"

#define BOOST_TEST_MODULE "all of it"
#include <boost/mpl/list.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <sstream>

namespace utf = boost::unit_test;

static void tell() {
  const utf::test_case &test = utf::framework::current_test_case();
  std::string path = test.full_name();
  std::size_t end = path.rfind('/');
  tellRun(end == std::string::npos ? "" : path.substr(0, end), path,
          static_cast<unsigned>(test.p_line_num));
}

BOOST_DATA_TEST_CASE(data, utf::data::xrange(2), value) {
  BOOST_TEST(value >= 0);
  tell();
}
using Types = boost::mpl::list<int, std::pair<int, long>>;
BOOST_AUTO_TEST_CASE_TEMPLATE(typed, T, Types) { tell(); }

static utf::test_suite &suiteAt(const std::string &path) {
  utf::test_suite *suite = &utf::framework::master_test_suite();
  std::istringstream parts(path);
  for (std::string name; std::getline(parts, name, '/');) {
    utf::test_unit_id known = suite->get(name);
    if (known == utf::INV_TEST_UNIT_ID) {
      suite->add(BOOST_TEST_SUITE(name));
      known = suite->get(name);
    }
    suite = &utf::framework::get<utf::test_suite>(known);
  }
  return *suite;
}

static bool isAdded = [] {
  utf::test_unit *first = nullptr;
  for (const TableTest &each : tableTests()) {
    utf::test_suite &suite = suiteAt(each.suite);
    utf::test_case *test =
        utf::make_test_case(tell, each.name, __FILE__, static_cast<std::size_t>(each.line));
    if (suite.get(test->p_name.get()) != utf::INV_TEST_UNIT_ID)
      continue; // it does not take a name twice, and turns some letters into others
    if (each.isDisabled)
      test->p_default_status.value = utf::test_unit::RS_DISABLED;
    if (each.dependsOnFirst)
      test->depends_on(first);
    suite.add(test);
    if (!first)
      first = test;
  }
  return true;
}();
