#pragma once

#include <fmt/format.h>
#include <llvm/Support/Error.h>

#include <string>
#include <utility>

namespace retest {

/// What went wrong decides the exit code (2 usage, 3 environment, 5 build, 6 store).
enum class ErrorKind { Usage, Environment, Build, Store };

/// The world failed: a message that names the thing first, and the way out.
class Failure : public llvm::ErrorInfo<Failure> {
public:
  static char ID;

  Failure(ErrorKind kind, std::string message) : kind_(kind), message_(std::move(message)) {}

  ErrorKind kind() const { return kind_; }
  void log(llvm::raw_ostream &out) const override;
  std::error_code convertToErrorCode() const override;

private:
  ErrorKind kind_;
  std::string message_;
};

/// `return error("{}: not a compile database: {}", path, why);` The usual kind is Environment.
template <class... Args>
llvm::Error error(ErrorKind kind, fmt::format_string<Args...> format, Args &&...args) {
  return llvm::make_error<Failure>(kind, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args> llvm::Error error(fmt::format_string<Args...> format, Args &&...args) {
  return error(ErrorKind::Environment, format, std::forward<Args>(args)...);
}

} // namespace retest
