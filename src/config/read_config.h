#pragma once

#include "config/config.h"

namespace retest {

/// Reads the text of a retest.toml. `path` is how messages call it. Everything that is wrong is in
/// the error, with line and column, so that it can be put right at once; a key that nobody knows is
/// wrong, too.
///
///     build = "build-retest"
///     always = ["smoke_test::*"]
///
///     [[quarantine]]
///     test = "net_test::Remote.*"
///     until = 2026-12-31
///
///     [[triggers]]
///     files = ["proto/**"]
///     tests = ["rpc_test::*"]
///
///     [profile.ci]
///     build = "build-ci"
llvm::Expected<ConfigFile> readConfig(llvm::StringRef text, const std::string &path);

} // namespace retest
