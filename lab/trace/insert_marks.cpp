/// Writes marks into the sources of a project:
///
///     insert_marks ROOT BUILD OUTPUT [MARKS]
///
/// Each file of the project with marks is written below the directory OUTPUT, line by line as it
/// was, and MARKS (default: OUTPUT/marks.json) tells what each number means:
///
///     {"marks": [["side", "a.cpp", line, column, end line, end column, is part of && or ||,
///                 [the same four with parentheses around it]], ...],
///      "skipped": {"in a macro": 12, ...}}

#include "lab/trace/find_marks.h"

#include <clang/Frontend/FrontendAction.h>
#include <clang/Tooling/AllTUsExecution.h>
#include <clang/Tooling/CompilationDatabase.h>
#include <fmt/format.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <mutex>
#include <thread>

using namespace retest;

namespace {

struct Facts {
  ProjectFiles project;
  FoundMarks found;
  std::mutex mutex;
};

class Collector : public clang::ASTConsumer {
public:
  explicit Collector(Facts &facts) : facts_(facts) {}
  void HandleTranslationUnit(clang::ASTContext &unit) override {
    if (!unit.getLangOpts().CPlusPlus)
      return;
    std::lock_guard lock(facts_.mutex);
    findMarks(unit, facts_.project, facts_.found);
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
  fmt::print(stderr, "insert_marks: {}\n", what);
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

void write(const std::string &path, llvm::StringRef text) {
  std::error_code code = llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path));
  llvm::raw_fd_ostream out(path, code);
  if (code)
    fail(fmt::format("{}: {}", path, code.message()));
  out << text;
}

/// An operator that one instantiation overloads, in whatever unit, is a call there.
void leaveOutOverloaded(FoundMarks &found) {
  for (auto &[file, marks] : found.files) {
    const std::vector<unsigned> &operators = found.overloaded[file];
    std::erase_if(marks, [&, &file = file](const Mark &mark) {
      if (!mark.operatorAt || !llvm::is_contained(operators, mark.operatorAt))
        return false;
      found.skipped["overloaded && or ||"].push_back(file + ":" + std::to_string(mark.begin));
      return true;
    });
  }
}

llvm::json::Array described(const std::string &file, const Mark &mark) {
  static constexpr const char *kNames[] = {"entry", "catch", "side", "choice", "T", "F"};
  const auto &[line, column, endLine, endColumn] = mark.place;
  const auto &[outerLine, outerColumn, outerEndLine, outerEndColumn] = mark.outer;
  return llvm::json::Array{kNames[static_cast<size_t>(mark.kind)],
                           file,
                           line,
                           column,
                           endLine,
                           endColumn,
                           mark.isLogical,
                           llvm::json::Array{outerLine, outerColumn, outerEndLine, outerEndColumn}};
}

void writeAll(Facts &facts, const std::string &output, const std::string &list) {
  leaveOutOverloaded(facts.found);
  llvm::json::Array marks;
  for (const auto &[file, found] : facts.found.files) {
    MarksOfFile clean = cleaned(found);
    std::string text = withMarks(read(facts.project.root + "/" + file), clean, marks.size());
    for (const Mark &mark : clean)
      marks.push_back(described(file, mark));
    write(output + "/" + file, text);
  }
  llvm::json::Object skipped;
  for (auto &[reason, places] : facts.found.skipped) {
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    skipped[reason] = places.size();
  }
  fmt::print("{} marks in {} files\n", marks.size(), facts.found.files.size());
  llvm::json::Value all =
      llvm::json::Object{{"marks", std::move(marks)}, {"skipped", std::move(skipped)}};
  std::string text;
  llvm::raw_string_ostream(text) << all;
  write(list, text);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 4 && argc != 5)
    fail("usage: insert_marks ROOT BUILD OUTPUT [MARKS]");
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
  std::string output = argv[3];
  writeAll(facts, output, argc == 5 ? argv[4] : output + "/marks.json");
}
