#include "config/config.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

ConfigFile sample() {
  ConfigFile file;
  file.path = "retest.toml";
  file.values.build = {"build", {}};
  file.values.always = {{{"smoke", {}}}};
  file.profiles["ci"].build = {"build-ci", {}};
  file.profiles["quick"].always.emplace();
  return file;
}

std::string shown(const llvm::Expected<Config> &config) {
  return config->build + " " + std::to_string(config->always.size());
}

} // namespace

TEST_CASE("profiles: what they say wins, the rest is that of the top") {
  CHECK(shown(configOf(sample(), "")) == "build 1");
  CHECK(shown(configOf(sample(), "default")) == "build 1");
  CHECK(shown(configOf(sample(), "ci")) == "build-ci 1");
  CHECK(shown(configOf(sample(), "quick")) == "build 0");
  llvm::Expected<Config> unknown = configOf(sample(), "quik");
  REQUIRE(!unknown);
  CHECK(llvm::toString(unknown.takeError()) ==
        "retest.toml: no profile is called 'quik' (did you mean 'quick'?)");
}

TEST_CASE("profiles: which one is in force") {
  struct Row {
    ProfileChoice choice;
    const char *profile;
  };
  const Row rows[] = {
      {{"", "", ""}, ""},
      {{"a", "b", "true"}, "a"},
      {{"", "b", "true"}, "b"},
      {{"", "", "true"}, "ci"},
      {{"", "", "false"}, ""},
      {{"", "", "0"}, ""},
      {{"default", "b", "true"}, "default"},
  };
  for (const Row &row : rows)
    CHECK(chosenProfile(sample(), row.choice) == row.profile);
  ConfigFile none = sample();
  none.profiles.erase("ci");
  CHECK(chosenProfile(none, {"", "", "true"}) == "");
}
