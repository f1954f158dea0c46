/// Edits a whole project in ways that change nothing, on the ground of its syntax trees:
///
///     harmless_edits ROOT BUILD RENAMED REORDERED
///
/// Writes each file in which local variables and parameters can be renamed, with new names, below
/// the directory RENAMED, and each in which functions can change places, in another order, below
/// REORDERED. Prints how many there were.

#include "tests/lab/rename_locals.h"
#include "tests/lab/reorder_functions.h"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Tooling/AllTUsExecution.h>
#include <clang/Tooling/CompilationDatabase.h>
#include <fmt/format.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

#include <mutex>
#include <thread>

using namespace retest;

namespace {

constexpr llvm::StringLiteral kSuffix = "_by_another_name";

struct Facts {
  ProjectFiles project;
  Locals locals;
  Definitions definitions;
  std::mutex mutex;
};

class Collector : public clang::ASTConsumer {
public:
  explicit Collector(Facts &facts) : facts_(facts) {}
  void HandleTranslationUnit(clang::ASTContext &unit) override {
    std::lock_guard lock(facts_.mutex);
    collectLocals(unit, facts_.project, facts_.locals);
    collectDefinitions(unit, facts_.project, facts_.definitions);
  }

private:
  Facts &facts_;
};

class CollectorFactory {
public:
  explicit CollectorFactory(Facts &facts) : facts_(facts) {}
  std::unique_ptr<clang::ASTConsumer> newASTConsumer() {
    return std::make_unique<Collector>(facts_);
  }

private:
  Facts &facts_;
};

[[noreturn]] void fail(const std::string &what) {
  fmt::print(stderr, "harmless_edits: {}\n", what);
  std::exit(1);
}

std::string realPath(const char *path) {
  llvm::SmallString<256> result;
  if (std::error_code code = llvm::sys::fs::real_path(path, result))
    fail(fmt::format("{}: {}", path, code.message()));
  return result.str().str();
}

std::string read(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    fail(fmt::format("{}: {}", path, buffer.getError().message()));
  return (*buffer)->getBuffer().str();
}

void write(const std::string &path, const std::string &text) {
  std::error_code code = llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path));
  llvm::raw_fd_ostream out(path, code);
  if (code)
    fail(fmt::format("{}: {}", path, code.message()));
  out << text;
}

std::string renamed(const std::string &source, const RenamedLocals &locals) {
  std::string result;
  unsigned at = 0;
  for (const auto &[place, name] : locals.places) {
    unsigned end = place + name.size();
    result += source.substr(at, end - at) + kSuffix.str();
    at = end;
  }
  return result + source.substr(at);
}

/// The functions of each run the other way round; comments between them stay.
std::string reordered(const std::string &source, const std::vector<std::vector<Piece>> &runs) {
  std::string result;
  unsigned at = 0;
  for (const std::vector<Piece> &run : runs)
    for (size_t i = 0; i < run.size(); ++i) {
      const Piece &there = run[run.size() - 1 - i];
      result += source.substr(at, run[i].begin - at);
      result += source.substr(there.begin, there.end - there.begin);
      at = run[i].end;
    }
  return result + source.substr(at);
}

void renameAll(const Facts &facts, const std::string &output) {
  unsigned names = 0, places = 0;
  for (const auto &[file, functions] : facts.locals) {
    std::string source = read(facts.project.root + "/" + file);
    std::vector<RawToken> tokens = rawTokens(source);
    for (const RawToken &token : tokens)
      if (token.text.ends_with(kSuffix))
        fail(fmt::format("{}: there is a name with the suffix already", file));
    RenamedLocals locals = renamedLocals(functions, tokens);
    names += locals.names;
    places += locals.places.size();
    if (locals.names > 0)
      write(output + "/" + file, renamed(source, locals));
  }
  fmt::print("{} local names in functions renamed, in {} places\n", names, places);
}

void reorderAll(const Facts &facts, const std::string &output) {
  unsigned moved = 0, total = 0;
  for (const auto &[file, definitions] : facts.definitions) {
    std::string source = read(facts.project.root + "/" + file);
    auto runs = independentRuns(definitions, rawTokens(source));
    total += definitions.size();
    for (const auto &run : runs)
      moved += run.size() / 2 * 2; // the middle one stays
    if (!runs.empty())
      write(output + "/" + file, reordered(source, runs));
  }
  fmt::print("{} of {} functions moved\n", moved, total);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 5)
    fail("usage: harmless_edits ROOT BUILD RENAMED REORDERED");
  Facts facts;
  facts.project = {realPath(argv[1]), realPath(argv[2])};
  std::string message;
  auto commands = clang::tooling::CompilationDatabase::loadFromDirectory(argv[2], message);
  if (!commands)
    fail(message);
  clang::tooling::AllTUsToolExecutor executor(*commands, std::thread::hardware_concurrency());
  CollectorFactory factory(facts);
  auto adjust =
      clang::tooling::getInsertArgumentAdjuster({"-resource-dir=" RETEST_RESOURCE_DIRECTORY, "-w"},
                                                clang::tooling::ArgumentInsertPosition::END);
  if (llvm::Error error =
          executor.execute(clang::tooling::newFrontendActionFactory(&factory), adjust))
    fail(llvm::toString(std::move(error)));
  renameAll(facts, argv[3]);
  reorderAll(facts, argv[4]);
}
