#include "cli/configuration.h"

#include "build/coverage_build.h"
#include "build/meson_build.h"
#include "build/paths.h"
#include "build/work_tree.h"
#include "config/read_config.h"
#include "support/error.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>

#include <cstdlib>

namespace retest {

namespace {

std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

llvm::Expected<ConfigFile> readConfigAt(const std::string &root, const std::string &name) {
  auto text = llvm::MemoryBuffer::getFile(joinPath(root, name));
  if (!text)
    return error(ErrorKind::Usage, "{}: cannot be read: {}", name, text.getError().message());
  return readConfig((*text)->getBuffer(), name);
}

} // namespace

llvm::Expected<Config> loadConfig(const std::string &root, const Context &context) {
  ProfileChoice choice{context.options.profile, variable("RETEST_PROFILE"), variable("CI")};
  std::vector<std::string> found;
  for (const char *name : {"retest.toml", ".config/retest.toml"})
    if (llvm::sys::fs::exists(joinPath(root, name)))
      found.emplace_back(name);
  if (found.size() > 1)
    return error(ErrorKind::Usage, "{}: there is {} as well; remove one of them", found[1],
                 found[0]);
  if (found.empty()) {
    std::string profile = chosenProfile({}, choice);
    if (!profile.empty() && profile != "default")
      return error(ErrorKind::Usage, "profile '{}': {} has no retest.toml, where it could be",
                   profile, root);
    return Config{};
  }
  llvm::Expected<ConfigFile> file = readConfigAt(root, found.front());
  if (!file)
    return file.takeError();
  return configOf(*file, chosenProfile(*file, choice));
}

std::string projectRootHere() {
  llvm::SmallString<256> here;
  if (llvm::sys::fs::current_path(here))
    return "";
  std::string directory = realPath(here);
  if (std::optional<std::string> top = workTreeOf(directory))
    return *top;
  if (std::optional<std::string> top = findCMakeProject(directory))
    return *top;
  return findMesonProject(directory).value_or("");
}

llvm::Expected<std::string> configuredBuild(const std::string &root, const Context &context) {
  if (std::string typed = variable("RETEST_BUILD_DIR"); !typed.empty())
    return typed;
  if (root.empty())
    return "";
  llvm::Expected<Config> config = loadConfig(root, context);
  if (!config)
    return config.takeError();
  return config->build.empty() ? "" : absolutePath(root, config->build);
}

std::vector<std::string> declaredRoots(const Config &config, const std::string &root) {
  std::vector<std::string> paths;
  for (const ConfigPattern &declared : config.roots)
    paths.push_back(realPath(absolutePath(root, declared.text)));
  return paths;
}

} // namespace retest
