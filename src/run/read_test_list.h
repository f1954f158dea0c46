#pragma once

#include "run/native_test.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <vector>

namespace retest {

// Each reads what a framework writes when it is asked for its tests, in the order of the list. A
// list that is not whole is an error, that says what is missing. Other text around it does not
// matter, as far as the form can tell: programs greet.

/// `--gtest_list_tests --gtest_output=json:FILE`, the file.
llvm::Expected<std::vector<NativeTest>> readGoogleTestList(llvm::StringRef json);

/// `--dt-list-test-cases --dt-reporters=xml --dt-no-skip`.
llvm::Expected<std::vector<NativeTest>> readDoctestList(llvm::StringRef xml);

} // namespace retest
