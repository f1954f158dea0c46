#include "support/error.h"

#include <doctest/doctest.h>

using namespace retest;

TEST_CASE("errors: the message is formatted, and the kind is Environment unless given") {
  struct Row {
    llvm::Error error;
    ErrorKind kind;
    std::string message;
  };
  Row rows[] = {
      {error("{}: {} units", "build", 3), ErrorKind::Environment, "build: 3 units"},
      {error(ErrorKind::Store, "{}: locked", "a.db"), ErrorKind::Store, "a.db: locked"},
  };
  for (Row &row : rows) {
    std::string message;
    ErrorKind kind{};
    llvm::handleAllErrors(std::move(row.error), [&](const Failure &failure) {
      kind = failure.kind();
      message = failure.message();
    });
    CHECK(message == row.message);
    CHECK(kind == row.kind);
  }
}
