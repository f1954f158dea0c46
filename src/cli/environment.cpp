#include "cli/environment.h"

#include "build/test_discovery.h"
#include "graph/extract_project.h"
#include "run/loaded_libraries.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>

#include <cstdlib>
#include <map>
#include <set>

namespace retest {

namespace {

constexpr char kLoader[] = "loader";
constexpr char kLinkFlags[] = "link flags";
constexpr llvm::StringLiteral kDiscovery = "discovery of tests";
constexpr llvm::StringLiteral kLibrary = "library ";

class Environment {
public:
  Environment(Tree &tree, const std::vector<EnvironmentPart> *recorded,
              const llvm::StringSet<> *unbuilt)
      : tree_(tree), recorded_(recorded), unbuilt_(unbuilt) {}

  std::vector<EnvironmentPart> gather() {
    for (const std::string &compiler : compilersOf(tree_.database))
      parts_[{"", "compiler " + compiler}] = contentOf(compiler);
    parts_[{"", kLoader}] = loader();
    for (const TestDiscovery &discovery : testDiscoveries(tree_.paths))
      addDiscovery(discovery);
    // Files in a directory that was not watched while tests were recorded are not known.
    for (const ConfigPattern &root : tree_.config.roots)
      parts_[{"", "watched directory " + root.text}] = FingerprintBuilder().finish();
    for (const Binary &binary : tree_.links.get().binaries)
      if (binary.kind != BinaryKind::Archive)
        addBinary(binary);
    std::vector<EnvironmentPart> parts;
    for (const auto &[key, content] : parts_)
      parts.push_back({key.first, key.second, content});
    return parts;
  }

private:
  Fingerprint contentOf(const std::string &path) {
    return tree_.states.current(path).value_or(Fingerprint{});
  }

  /// The same loader looks for the same names in the same places.
  Fingerprint loader() {
    FingerprintBuilder all;
    all.add(contentOf("/etc/ld.so.cache")).add(contentOf("/etc/ld.so.preload"));
    for (const char *name : {"LD_LIBRARY_PATH", "LD_PRELOAD", "GLIBC_TUNABLES"}) {
      const char *value = std::getenv(name);
      all.add(llvm::StringRef(value ? value : ""));
    }
    return all.finish();
  }

  /// How its tests are found says how they are run.
  void addDiscovery(const TestDiscovery &discovery) {
    Fingerprint &all = parts_[{discovery.binary, kDiscovery.str()}];
    FingerprintBuilder both;
    both.add(all).add(llvm::StringRef(discovery.command));
    std::vector<Fingerprint> scripts; // in an order that is the same wherever they lie
    for (const std::string &script : discovery.scripts)
      scripts.push_back(contentOf(script));
    llvm::sort(scripts);
    for (const Fingerprint &script : scripts)
      both.add(script);
    all = both.finish();
  }

  void addBinary(const Binary &binary) {
    FingerprintBuilder flags;
    for (const std::string &flag : binary.flags)
      flags.add(llvm::StringRef(flag));
    parts_[{binary.name, kLinkFlags}] = flags.finish();
    for (const LinkInput &input : binary.inputs)
      if (input.kind == LinkInput::Kind::External)
        if (std::string path = linkedFile(input.name); !path.empty())
          addLibrary(binary.name, path);
    for (const std::string &path : librariesOf(binary.name))
      addLibrary(binary.name, path);
  }

  void addLibrary(const std::string &binary, const std::string &path) {
    if (!tree_.paths.contains(path))
      parts_[{binary, kLibrary.str() + path}] = contentOf(path);
  }

  /// An archive is named by its path, or found where compilers look first; shared libraries are
  /// found by the loader, so that `-lx` matters only where there is none.
  static std::string linkedFile(llvm::StringRef name) {
    if (name.starts_with("/"))
      return name.str();
    if (!name.consume_front("-l"))
      return "";
    bool isFile = name.consume_front(":");
    for (const char *directory : {"/usr/local/lib", "/usr/lib/x86_64-linux-gnu",
                                  "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"})
      for (const char *ending : {".so", ".a"}) {
        std::string path =
            (llvm::Twine(directory) + "/" + (isFile ? name : "lib" + name + ending)).str();
        if (llvm::sys::fs::exists(path))
          return path;
      }
    return "";
  }

  std::vector<std::string> librariesOf(const std::string &binary) {
    bool isBuilt = unbuilt_ && !unbuilt_->contains(binary);
    if (!recorded_ || isBuilt || !isLoaderAsRecorded())
      return loadedLibraries(tree_.paths.pathOf(binary));
    std::vector<std::string> libraries;
    for (const EnvironmentPart &part : *recorded_)
      if (llvm::StringRef what = part.what; part.binary == binary && what.consume_front(kLibrary))
        libraries.push_back(what.str());
    return libraries;
  }

  bool isLoaderAsRecorded() const {
    Fingerprint now = parts_.at({"", kLoader});
    return llvm::any_of(*recorded_, [&](const EnvironmentPart &part) {
      return part.binary.empty() && part.what == kLoader && part.content == now;
    });
  }

  Tree &tree_;
  const std::vector<EnvironmentPart> *recorded_;
  const llvm::StringSet<> *unbuilt_;
  std::map<std::pair<std::string, std::string>, Fingerprint> parts_;
};

} // namespace

bool isDiscoveryRecorded(llvm::ArrayRef<EnvironmentPart> parts, llvm::StringRef binary) {
  return llvm::any_of(parts, [&](const EnvironmentPart &part) {
    return part.binary == binary && part.what == kDiscovery;
  });
}

std::vector<EnvironmentPart> environmentOf(Tree &tree, const std::vector<EnvironmentPart> *recorded,
                                           const llvm::StringSet<> *unbuilt) {
  return Environment(tree, recorded, unbuilt).gather();
}

} // namespace retest
