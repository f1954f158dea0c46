#define BOOST_TEST_DYN_LINK
#define BOOST_TEST_MODULE "all of it"
#include "code.h"
#include "tell.h"

#include <boost/mpl/list.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace utf = boost::unit_test;

static void run(bool isHot) {
  tell(PROGRAM, utf::framework::current_test_case().full_name(), isHot);
  BOOST_TEST((isHot ? hot(1) : cold(1)) > 1);
}

BOOST_AUTO_TEST_CASE(top_hot) { run(true); }
BOOST_AUTO_TEST_CASE(top_cold) { run(false); }
BOOST_AUTO_TEST_CASE(off_hot, *utf::disabled()) { run(true); }
BOOST_AUTO_TEST_SUITE(outer)
BOOST_AUTO_TEST_CASE(hot_case) { run(true); }
BOOST_AUTO_TEST_CASE(cold_case) { run(false); }
BOOST_AUTO_TEST_SUITE(inner)
BOOST_AUTO_TEST_CASE(top_hot) { run(false); }
BOOST_DATA_TEST_CASE(either, utf::data::xrange(2), value) { run(value == 0); }
BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
using Types = boost::mpl::list<int, std::pair<int, long>>;
BOOST_AUTO_TEST_CASE_TEMPLATE(typed_hot, T, Types) { run(true); }
BOOST_AUTO_TEST_CASE_TEMPLATE(typed_cold, T, Types) { run(false); }

static bool areAdded = [] {
  for (const char *name :
       {"a,b", "*star", "~tilde", "#hash", "back\\slash", "\"quoted\"", "[bracket]", "two words",
        "exclude:this", "d\xC3\xA9j\xC3\xA0 vu", "it's"})
    for (bool isHot : {false, true})
      utf::framework::master_test_suite().add(
          utf::make_test_case([isHot] { run(isHot); },
                              std::string(name) + (isHot ? " hot" : " cold"), __FILE__, __LINE__));
  return true;
}();
