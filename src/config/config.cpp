#include "config/config.h"

#include "support/error.h"

namespace retest {

llvm::Expected<Config> configOf(const ConfigFile &file, const std::string &profile) {
  ConfigValues chosen;
  if (!profile.empty() && profile != "default") {
    auto found = file.profiles.find(profile);
    if (found == file.profiles.end()) {
      std::vector<llvm::StringRef> names;
      for (const auto &[name, values] : file.profiles)
        names.push_back(name);
      return error(ErrorKind::Usage, "{}: no profile is called '{}'{}", file.path, profile,
                   suggestionFor(profile, names));
    }
    chosen = found->second;
  }
  Config config;
  config.path = file.path;
  auto take = [](auto &value, const auto &fromProfile, const auto &fromTop) {
    if (fromProfile)
      value = *fromProfile;
    else if (fromTop)
      value = *fromTop;
  };
  ConfigPattern build;
  take(build, chosen.build, file.values.build);
  config.build = build.text;
  take(config.roots, chosen.roots, file.values.roots);
  take(config.always, chosen.always, file.values.always);
  take(config.harmless, chosen.harmless, file.values.harmless);
  take(config.bazel, chosen.bazel, file.values.bazel);
  take(config.quarantine, chosen.quarantine, file.values.quarantine);
  take(config.triggers, chosen.triggers, file.values.triggers);
  return config;
}

std::string chosenProfile(const ConfigFile &file, const ProfileChoice &choice) {
  if (!choice.flag.empty())
    return choice.flag;
  if (!choice.variable.empty())
    return choice.variable;
  bool isCi = !choice.ci.empty() && choice.ci != "0" && choice.ci != "false";
  return isCi && file.profiles.count("ci") ? "ci" : "";
}

std::string placeText(const std::string &path, ConfigPlace where) {
  return fmt::format("{}:{}:{}", path, where.line, where.column);
}

std::string dateText(std::chrono::year_month_day date) {
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

std::string suggestionFor(llvm::StringRef typed, llvm::ArrayRef<llvm::StringRef> words) {
  constexpr unsigned kClose = 2;
  llvm::StringRef best;
  unsigned bestDistance = kClose + 1;
  for (llvm::StringRef word : words) {
    unsigned distance = typed.edit_distance(word, true, kClose);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = word;
    }
  }
  return best.empty() ? "" : fmt::format(" (did you mean '{}'?)", best.str());
}

} // namespace retest
