#include "graph/extract_project.h"

#include "graph/extract_config.h"
#include "graph/extraction_version.h"
#include "support/error.h"
#include "support/process.h"

#include <clang/Basic/Version.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/ThreadPool.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include <mutex>
#include <set>

namespace retest {

namespace {

/// A compiler as the database spells it, relative to the directory of the command.
std::optional<std::string> compilerPath(const CompileCommand &command) {
  llvm::StringRef compiler = command.arguments.front();
  if (!compiler.contains('/'))
    return findProgram(compiler);
  llvm::SmallString<256> path = compiler;
  llvm::sys::fs::make_absolute(command.directory, path);
  return llvm::sys::fs::can_execute(path) ? std::optional(path.str().str()) : std::nullopt;
}

bool hasHeaders(const std::string &resourceDirectory) {
  return llvm::sys::fs::exists(resourceDirectory + "/include/stddef.h");
}

/// The first line that a program prints, or nothing.
std::string answerOf(const std::string &program, const std::string &question) {
  llvm::Expected<ProcessResult> result =
      runProcess({.arguments = {program, question}, .timeout = std::chrono::seconds(20)});
  if (!result) {
    llvm::consumeError(result.takeError());
    return "";
  }
  return result->succeeded() ? llvm::StringRef(result->output).split('\n').first.trim().str() : "";
}

llvm::Expected<std::string> resourceDirectory() {
  if (hasHeaders(kResourceDirectory))
    return kResourceDirectory;
  for (const char *clang : {"clang-19", "clang++-19", "clang"})
    if (std::optional<std::string> path = findProgram(clang))
      if (std::string answer = answerOf(*path, "-print-resource-dir");
          llvm::sys::path::filename(answer) == CLANG_VERSION_MAJOR_STRING && hasHeaders(answer))
        return answer;
  return error("{}: Clang's own headers are not there; install clang-{} (on Debian: "
               "apt install libclang-common-{}-dev)",
               kResourceDirectory, CLANG_VERSION_MAJOR_STRING, CLANG_VERSION_MAJOR_STRING);
}

/// Makes Clang use the standard library and target of another compiler.
CompilerFacts factsOf(const std::string &path) {
  llvm::SmallString<256> real;
  if (llvm::sys::fs::real_path(path, real))
    real = path;
  CompilerFacts facts;
  facts.path = path;
  facts.isClang = llvm::sys::path::filename(real).contains("clang");
  if (facts.isClang)
    return facts;
  std::string library = answerOf(path, "-print-libgcc-file-name");
  if (llvm::sys::path::is_absolute(library))
    facts.flags.push_back("--gcc-install-dir=" + llvm::sys::path::parent_path(library).str());
  std::string machine = answerOf(path, "-dumpmachine");
  llvm::Triple target(llvm::Triple::normalize(machine));
  llvm::Triple own(llvm::sys::getDefaultTargetTriple());
  if (!machine.empty() && (target.getArch() != own.getArch() || target.getOS() != own.getOS()))
    facts.flags.push_back("--target=" + machine);
  return facts;
}

} // namespace

llvm::Error checkCompilers(const CompileDatabase &database) {
  std::set<std::string> known;
  for (const Unit &unit : database.units)
    if (known.insert(unit.command.arguments.front()).second && !compilerPath(unit.command))
      return error("{}: compiler of {} (in {}) cannot be found; install it, or configure the "
                   "build directory again",
                   unit.command.arguments.front(), unit.name, database.path);
  return llvm::Error::success();
}

std::vector<std::string> compilersOf(const CompileDatabase &database) {
  std::set<std::string> known, paths;
  for (const Unit &unit : database.units)
    if (known.insert(unit.command.arguments.front()).second)
      if (std::optional<std::string> path = compilerPath(unit.command))
        paths.insert(*path);
  return {paths.begin(), paths.end()};
}

llvm::Expected<ExtractOptions> prepareExtraction(const CompileDatabase &database) {
  llvm::Expected<std::string> headers = resourceDirectory();
  if (!headers)
    return headers.takeError();
  ExtractOptions options;
  options.resourceDirectory = *headers;
  options.clang = kClangProgram;
  for (const Unit &unit : database.units) {
    const std::string &compiler = unit.command.arguments.front();
    if (!options.compilers.contains(compiler))
      if (std::optional<std::string> path = compilerPath(unit.command))
        options.compilers[compiler] = factsOf(*path);
  }
  return options;
}

Fingerprint commandKey(const Unit &unit, const ProjectPaths &paths, bool lineSensitive) {
  FingerprintBuilder hash;
  hash.add(kExtractionVersion).add(llvm::StringRef(CLANG_VERSION_STRING)).add(lineSensitive);
  hash.add(llvm::StringRef(unit.name)).add(commandFingerprint(unit.command, paths));
  return hash.finish();
}

std::string describeExtraction(bool lineSensitive) {
  return fmt::format("clang {}, extraction {:016x}{}", CLANG_VERSION_STRING, kExtractionVersion,
                     lineSensitive ? ", line-sensitive" : "");
}

void extractUnits(llvm::ArrayRef<const Unit *> units, const ProjectPaths &paths,
                  const ExtractOptions &options, unsigned jobs,
                  llvm::function_ref<void(ExtractedUnit)> done) {
  llvm::CrashRecoveryContext::Enable(); // a unit that crashes Clang does not end the run
  std::mutex one;
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(jobs));
  for (const Unit *unit : units)
    pool.async([&, unit] {
      ExtractedUnit result = extractUnit(*unit, paths, options);
      result.record.command = commandKey(*unit, paths, options.lineSensitive);
      std::lock_guard lock(one);
      done(std::move(result));
    });
  pool.wait();
}

} // namespace retest
