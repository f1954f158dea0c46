#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <chrono>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace retest {

/// Where something stands in retest.toml.
struct ConfigPlace {
  std::uint32_t line = 0, column = 0;

  auto operator<=>(const ConfigPlace &) const = default;
};

/// A name with `*` and `?` (glob.h).
struct ConfigPattern {
  std::string text;
  ConfigPlace where = {};

  auto operator<=>(const ConfigPattern &) const = default;
};

/// A test that runs and is reported, but whose failure counts for nothing until its time is over.
struct QuarantineEntry {
  ConfigPattern test;
  std::chrono::year_month_day until = {}; ///< the last day
  std::string reason = {};

  auto operator<=>(const QuarantineEntry &) const = default;
};

/// A change to one of these files selects these tests.
struct Trigger {
  std::vector<ConfigPattern> files;
  std::vector<ConfigPattern> tests = {}; ///< none: all tests
  std::string reason = {};
  ConfigPlace where = {};

  auto operator<=>(const Trigger &) const = default;
};

/// A label of Bazel that runs a recorded program as it was recorded.
struct BazelLabel {
  ConfigPattern label;   ///< "//lib:calc_test", as Bazel writes it
  ConfigPattern program; ///< its file name, or more of its path

  auto operator<=>(const BazelLabel &) const = default;
};

/// What one table of the file says: its top level, or a profile. What it is silent about is left to
/// the next one.
struct ConfigValues {
  std::optional<ConfigPattern> build; ///< a directory, relative to the root
  std::optional<std::vector<ConfigPattern>> roots;
  std::optional<std::vector<ConfigPattern>> always;
  std::optional<std::vector<ConfigPattern>> harmless;
  std::optional<std::vector<QuarantineEntry>> quarantine;
  std::optional<std::vector<Trigger>> triggers;
  std::optional<std::vector<BazelLabel>> bazel;

  auto operator<=>(const ConfigValues &) const = default;
};

/// All of a retest.toml.
struct ConfigFile {
  std::string path; ///< as messages show it
  ConfigValues values;
  std::map<std::string, ConfigValues> profiles;

  auto operator<=>(const ConfigFile &) const = default;
};

/// What is in force. Without a file: nothing.
struct Config {
  std::string path;
  std::string build;                     ///< empty: look for it
  std::vector<ConfigPattern> roots = {}; ///< directories whose files are watched, too
  std::vector<ConfigPattern> always = {};
  std::vector<ConfigPattern> harmless = {}; ///< commands of the build that make nothing tests use
  std::vector<QuarantineEntry> quarantine = {};
  std::vector<Trigger> triggers = {};
  std::vector<BazelLabel> bazel = {};

  auto operator<=>(const Config &) const = default;
};

/// The values of a profile, and of the top level where it is silent. An empty name: the top level
/// alone. An error if there is no such profile.
llvm::Expected<Config> configOf(const ConfigFile &file, const std::string &profile);

/// What the user has said about the profile; an empty text: nothing.
struct ProfileChoice {
  std::string flag;     ///< --profile
  std::string variable; ///< RETEST_PROFILE
  std::string ci;       ///< CI
};

/// The profile in force: the flag, else the variable, else `ci` if CI is set and there is such a
/// profile, else none.
std::string chosenProfile(const ConfigFile &file, const ProfileChoice &choice);

/// "retest.toml:3:7"
std::string placeText(const std::string &path, ConfigPlace where);

/// "2026-12-31"
std::string dateText(std::chrono::year_month_day date);

/// " (did you mean 'always'?)" if one of the words is close to it; else empty.
std::string suggestionFor(llvm::StringRef typed, llvm::ArrayRef<llvm::StringRef> words);

} // namespace retest
