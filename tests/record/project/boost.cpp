#define BOOST_TEST_MODULE habits
#include "habits.h"

#include <boost/test/unit_test.hpp>

static int beforeMainOfBoost() { return 1; }
static int early = beforeMainOfBoost();

struct Program {
  Program() { forProgram(); }
};
BOOST_TEST_GLOBAL_FIXTURE(Program);

BOOST_AUTO_TEST_CASE(lazy_one) { BOOST_TEST(lazy() == 42); }
BOOST_AUTO_TEST_CASE(lazy_two) { BOOST_TEST(lazy() == 42); }
BOOST_AUTO_TEST_CASE(lazy_three) { BOOST_TEST(lazy() == 42); }
BOOST_AUTO_TEST_CASE(in_thread) { BOOST_TEST(inThread() == 7); }
BOOST_AUTO_TEST_CASE(in_shared) { BOOST_TEST(inShared() == 42); }
BOOST_AUTO_TEST_CASE(in_child) { BOOST_TEST(inChild(TOOL, "once") == 0); }
BOOST_AUTO_TEST_CASE(in_spawned) { BOOST_TEST(inSpawned(TOOL, "spawned") == 0); }
struct SetUp {
  SetUp() { forSuite(); }
};
BOOST_AUTO_TEST_SUITE(suite, *boost::unit_test::fixture<SetUp>())
BOOST_AUTO_TEST_CASE(first) {}
BOOST_AUTO_TEST_CASE(second) {}
BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_CASE(side_true) { BOOST_TEST(chosen(true) == 1); }
BOOST_AUTO_TEST_CASE(side_false) { BOOST_TEST(chosen(false) == 2); }
