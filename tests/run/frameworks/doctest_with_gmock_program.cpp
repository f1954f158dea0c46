// A program of a user whose tests are doctest's and whose mocks are Google Mock's.

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <gmock/gmock.h>

struct Mock {
  MOCK_METHOD(int, call, ());
};

TEST_CASE("mocks") {
  Mock mock;
  EXPECT_CALL(mock, call()).WillOnce(testing::Return(1));
  CHECK(mock.call() == 1);
}

int main(int argc, char **argv) {
  testing::InitGoogleMock(&argc, argv);
  return doctest::Context(argc, argv).run();
}
