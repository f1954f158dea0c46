#include "run/test_framework.h"

#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

using namespace retest;

TEST_CASE("the framework of a program is seen in its symbols") {
  CHECK(detectFramework(GOOGLETEST_PROGRAM) == Framework::GoogleTest);
  CHECK(detectFramework(DOCTEST_PROGRAM) == Framework::Doctest);
  CHECK(detectFramework(CATCH2_PROGRAM) == Framework::Catch2);
  CHECK(detectFramework(BOOST_PROGRAM) == Framework::BoostTest); // stripped
  CHECK(detectFramework(GOOGLETEST_MAIN_PROGRAM) == Framework::GoogleTest);
}

TEST_CASE("of two frameworks, the one that has tests in the program") {
  CHECK(detectFramework(DOCTEST_WITH_GMOCK_PROGRAM) == Framework::Doctest);
}

TEST_CASE("what has no framework") {
  TemporaryDirectory directory;
  CHECK(detectFramework(PLAIN_PROGRAM) == std::nullopt);
  CHECK(detectFramework("/bin/sh") == std::nullopt);
  CHECK(detectFramework(directory.write("script", "#!/bin/sh\n# testing::InitGoogleTest\n")) ==
        std::nullopt);
  CHECK(detectFramework(directory.write("cut", "\x7f"
                                               "ELF\x02\x01\x01")) == std::nullopt);
  CHECK(detectFramework(directory / "absent") == std::nullopt);
}
