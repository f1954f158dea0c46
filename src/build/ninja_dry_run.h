#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringMap.h>

#include <optional>
#include <string>
#include <vector>

namespace retest {

// What ninja would do, without doing it. `files` are what it makes: absolute paths, or as ninja
// calls it; `build` is its directory.

/// Whether ninja would do something for these. In doubt, yes.
bool needsWork(const std::string &ninja, const std::string &build,
               llvm::ArrayRef<std::string> files);

/// Why one of these is not what a build would make of the tree, in ninja's words; empty: each is.
/// Flags count, and all that ninja knows a file to be made from, in any language.
///
/// Steps that run in each build (a custom target, a command whose output never comes about) say
/// nothing: the files that they may make anew are what they are.
std::string whyOutdated(const std::string &ninja, const std::string &build,
                        llvm::ArrayRef<std::string> files);

/// What ninja can make: by absolute path, with links on the way to it resolved, as ninja calls it.
/// Empty if it does not tell.
llvm::StringMap<std::string> ninjaTargets(const std::string &ninja, const std::string &build);

/// The commands that ninja would run for these targets, or for all that it makes by default;
/// nothing if it does not tell. More than it runs then, as some outputs turn out to be the same.
/// REQUIRES: build.ninja itself is up to date.
std::optional<std::vector<std::string>> commandsToRun(const std::string &ninja,
                                                      const std::string &build,
                                                      llvm::ArrayRef<std::string> targets = {});

} // namespace retest
