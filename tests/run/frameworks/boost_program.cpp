// A program of a user with Boost.Test, with names that filters trip over.

#define BOOST_TEST_MODULE "all of it"
#include <boost/mpl/list.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace utf = boost::unit_test;

BOOST_AUTO_TEST_CASE(top) {}
BOOST_AUTO_TEST_CASE(topMore) {}
BOOST_AUTO_TEST_CASE(fails) { BOOST_TEST(1 == 2); }
BOOST_AUTO_TEST_CASE(off, *utf::disabled()) {}
BOOST_AUTO_TEST_CASE(described, *utf::description("says: what* it does")) {}

BOOST_AUTO_TEST_SUITE(outer)
BOOST_AUTO_TEST_CASE(top) {}
BOOST_AUTO_TEST_CASE(labelled, *utf::label("quick")) {}
BOOST_AUTO_TEST_SUITE(inner)
BOOST_AUTO_TEST_CASE(top) {}
BOOST_AUTO_TEST_SUITE_END()
BOOST_DATA_TEST_CASE(data, utf::data::xrange(2), value) { BOOST_TEST(value >= 0); }
using Types = boost::mpl::list<int, std::pair<int, long>>;
BOOST_AUTO_TEST_CASE_TEMPLATE(typed, T, Types) {}
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(sleeping, *utf::disabled())
BOOST_AUTO_TEST_CASE(top) {}
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(needsTop, *utf::depends_on("top")) {}
BOOST_AUTO_TEST_SUITE(needing, *utf::depends_on("needsTop"))
BOOST_AUTO_TEST_SUITE(inner)
BOOST_AUTO_TEST_CASE(last) {}
BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

static void nothing() {}
static bool named = [] {
  for (const char *name : {"two words", "a,b", "c:d", "*star", "st*ar", "~tilde", "#hash", "!not",
                           "+plus", "@label", "e/f", "back\\slash", "\"quoted\"", "[bracket]",
                           "pipe|and(12)", " blanks ", "exclude:this", "d\xC3\xA9j\xC3\xA0 vu"})
    utf::framework::master_test_suite().add(utf::make_test_case(nothing, name, __FILE__, __LINE__));
  return true;
}();
