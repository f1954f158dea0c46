#pragma once

#include "run/native_test.h"
#include "run/test_framework.h"
#include "support/process.h"

#include <llvm/Support/Error.h>

#include <vector>

namespace retest {

/// The tests of a program, sorted, by its framework's own listing: the program is run with the
/// arguments that ask for it after its own. It gets 60 s if the command has no time-out.
///
/// Tests that run only if they are asked for are in the list too, as disabled ones. A program that
/// does not end, or does not say all of its list, is an error.
llvm::Expected<std::vector<NativeTest>> listTests(Framework framework,
                                                  const ProcessCommand &program);

/// Ends what programs have left behind that were asked for their tests: daemons which static
/// initialisers start. Tests would find them, and they count for nobody.
void endListings();

} // namespace retest
