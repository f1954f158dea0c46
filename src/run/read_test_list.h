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

/// Catch2 version 2, `--list-test-names-only --verbosity high`: a line `name<tab>@file:line` each.
/// It has no end. A first `#` puts the name in double quotes, so a name with `"#` first is read
/// wrong.
llvm::Expected<std::vector<NativeTest>> readCatch2Names(llvm::StringRef text);

/// Catch2 version 3, `--list-tests --reporter xml`.
llvm::Expected<std::vector<NativeTest>> readCatch2List(llvm::StringRef xml);

/// Boost.Test, `--list_content=DOT`.
llvm::Expected<std::vector<NativeTest>> readBoostTestList(llvm::StringRef dot);

} // namespace retest
