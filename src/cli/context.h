#pragma once

#include "cli/exit_codes.h"
#include "support/progress.h"
#include "support/terminal.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/raw_ostream.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace retest {

/// The options that every command has.
struct GlobalOptions {
  std::string directory; ///< -C: work there; empty: where we are
  std::string profile;   ///< --profile: of retest.toml; empty: as the environment says
  ColorMode color = ColorMode::Auto;
  ProgressMode progress = ProgressMode::Auto;
  bool isQuiet = false;
  bool isVerbose = false;
};

/// What a command works with: the streams, and how to talk to the user.
///
/// `out` carries the result and nothing else. Both streams know whether they show colour, so
/// `out.changeColor(...)` may be called without asking.
struct Context {
  llvm::raw_ostream &out;
  llvm::raw_ostream &err;
  GlobalOptions options;
  ProgressStyle progressStyle;

  /// The work of the command that the arguments name; a command's parsing sets it.
  std::function<llvm::Expected<ExitCode>()> action;

  /// What is not worth taking apart: the process ends soon, and gives it all back at once.
  std::vector<std::shared_ptr<void>> leftovers;

  /// `retest: warning: text`: something the user should know.
  void warning(llvm::StringRef text);
  /// That line alone, for where something else writes it.
  std::string warningLine(llvm::StringRef text) const;
  /// `retest: text`: what is going on. Silent with -q.
  void info(llvm::StringRef text);
  /// `retest: text`: details, with -v alone.
  void detail(llvm::StringRef text);
  /// Shows progress on `err` as --progress says; nothing with -q.
  Progress progress(std::string label, std::size_t total);
};

/// Sets up colours and progress as the options and the environment say.
void applyGlobalOptions(Context &context);

} // namespace retest
