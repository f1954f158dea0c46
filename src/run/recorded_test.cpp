#include "run/recorded_test.h"

#include <llvm/Support/Path.h>

namespace retest {

std::string idOf(const RecordedTest &test) {
  if (test.binary.empty())
    return test.name;
  return llvm::sys::path::filename(test.binary).str() + "::" + test.name;
}

const std::string &nativeNameOf(const RecordedTest &test) {
  return test.native ? test.native->name : test.name;
}

} // namespace retest
