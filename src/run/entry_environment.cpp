#include "run/ctest_suite.h"
#include "support/error.h"

#include <cstdlib>
#include <map>

namespace retest {

namespace {

/// A variable of the test: nothing if it is to be removed.
using Variables = std::map<std::string, std::optional<std::string>>;

/// Its value now: as the entry has set it so far, else ours.
std::string valueOf(const std::string &name, const Variables &variables) {
  auto known = variables.find(name);
  if (known != variables.end())
    return known->second.value_or("");
  const char *inherited = std::getenv(name.c_str());
  return inherited ? inherited : "";
}

std::string joined(std::string first, const std::string &second, llvm::StringRef separator) {
  if (first.empty() || second.empty())
    return first + second;
  return first + separator.str() + second;
}

/// `B=string_append:x`. `original` is what `reset` goes back to.
bool modify(llvm::StringRef modification, const Variables &original, Variables &variables) {
  auto [name, rest] = modification.split('=');
  auto [operation, text] = rest.split(':');
  if (!modification.contains('=') || !rest.contains(':'))
    return false;
  std::string key = name.str(), value = text.str(), now = valueOf(key, variables);
  if (operation == "set")
    variables[key] = value;
  else if (operation == "unset")
    variables[key] = std::nullopt;
  else if (operation == "string_append")
    variables[key] = now + value;
  else if (operation == "string_prepend")
    variables[key] = value + now;
  else if (operation == "path_list_append")
    variables[key] = joined(now, value, ":");
  else if (operation == "path_list_prepend")
    variables[key] = joined(value, now, ":");
  else if (operation == "cmake_list_append")
    variables[key] = joined(now, value, ";");
  else if (operation == "cmake_list_prepend")
    variables[key] = joined(value, now, ";");
  else if (operation == "reset") {
    variables.erase(key);
    if (auto before = original.find(key); before != original.end())
      variables.insert(*before);
  } else
    return false;
  return true;
}

} // namespace

llvm::Expected<EntryEnvironment> environmentOf(const SuiteEntry &entry) {
  Variables variables;
  for (llvm::StringRef each : entry.environment) {
    auto [name, value] = each.split('=');
    if (name.empty())
      continue; // no program can ask for it
    if (each.contains('='))
      variables[name.str()] = value.str();
    else
      variables[name.str()] = std::nullopt;
  }
  Variables original = variables;
  for (const std::string &modification : entry.environmentModifications)
    if (!modify(modification, original, variables))
      return error("{}: CTest does not know this change of the environment", modification);
  EntryEnvironment environment;
  for (const auto &[name, value] : variables) {
    if (value)
      environment.set.emplace_back(name, *value);
    else
      environment.removed.push_back(name);
  }
  return environment;
}

} // namespace retest
