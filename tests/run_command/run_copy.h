#pragma once

#include "tests/select_command/edited_copy.h"

#include <cstdlib>

namespace retest {

/// A copy of the project, recorded as it is at the begin of a test case.
class RunCopy {
public:
  /// Built once; recorded anew for each test case, since a run may change the store.
  static const EditedCopy &fresh() {
    static const EditedCopy copy(PROJECT_DIRECTORY);
    static bool isFirst = true;
    if (!std::exchange(isFirst, false))
      copy.succeed({"record"});
    return copy;
  }
};

/// A variable of the environment, as long as this lives.
class Variable {
public:
  Variable(const char *name, const std::string &value) : name_(name) {
    setenv(name, value.c_str(), 1);
  }
  Variable(const Variable &) = delete;
  Variable &operator=(const Variable &) = delete;
  ~Variable() { unsetenv(name_); }

private:
  const char *name_;
};

} // namespace retest
