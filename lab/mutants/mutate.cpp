/// Lists the small changes that can be made to a project:
///
///     mutate ROOT BUILD [--in DIRECTORY]... FILE...
///
/// FILEs are units of the compile database in BUILD; they and what they include are changed, as far
/// as it is below a DIRECTORY. All are relative to ROOT. Standard output:
///
///     {"mutants": [{"file": "src/a.cpp", "begin": 120, "end": 121, "replacement": "-",
///                   "kind": "arithmetic", "line": 7, "column": 12, "function": "sum"}, ...]}

#include "lab/mutants/find_mutants.h"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Tooling/CompilationDatabase.h>
#include <clang/Tooling/Tooling.h>
#include <fmt/format.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/JSON.h>

using namespace retest;

namespace {

struct Facts {
  MutatedFiles files;
  std::set<Mutant> found;
};

class Collector : public clang::ASTConsumer {
public:
  Collector(Facts &facts, const clang::Preprocessor &preprocessor)
      : facts_(facts), preprocessor_(preprocessor) {}
  void HandleTranslationUnit(clang::ASTContext &unit) override {
    if (!unit.getLangOpts().CPlusPlus)
      return;
    findMutants(unit, facts_.files, facts_.found);
    findDeclarationMutants(unit, preprocessor_, facts_.files, facts_.found);
  }

private:
  Facts &facts_;
  const clang::Preprocessor &preprocessor_;
};

class CollectAction : public clang::ASTFrontendAction {
public:
  explicit CollectAction(Facts &facts) : facts_(facts) {}
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                        llvm::StringRef) override {
    return std::make_unique<Collector>(facts_, compiler.getPreprocessor());
  }

private:
  Facts &facts_;
};

class ActionFactory : public clang::tooling::FrontendActionFactory {
public:
  explicit ActionFactory(Facts &facts) : facts_(facts) {}
  std::unique_ptr<clang::FrontendAction> create() override {
    return std::make_unique<CollectAction>(facts_);
  }

private:
  Facts &facts_;
};

[[noreturn]] void fail(const std::string &what) {
  fmt::print(stderr, "mutate: {}\n", what);
  std::exit(1);
}

std::string realPath(const std::string &path) {
  llvm::SmallString<256> result;
  if (std::error_code code = llvm::sys::fs::real_path(path, result))
    fail(fmt::format("{}: {}", path, code.message()));
  return result.str().str();
}

void write(llvm::raw_ostream &out, const std::set<Mutant> &mutants) {
  llvm::json::OStream json(out);
  json.object([&] {
    json.attributeArray("mutants", [&] {
      for (const Mutant &mutant : mutants)
        json.object([&] {
          json.attribute("file", mutant.file);
          json.attribute("begin", mutant.begin);
          json.attribute("end", mutant.end);
          json.attribute("replacement", llvm::json::fixUTF8(mutant.replacement));
          json.attribute("kind", mutant.kind);
          json.attribute("line", mutant.line);
          json.attribute("column", mutant.column);
          json.attribute("function", mutant.function);
        });
    });
  });
  out << "\n";
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 4)
    fail("usage: mutate ROOT BUILD [--in DIRECTORY]... FILE...");
  Facts facts;
  facts.files.project = {realPath(argv[1]), realPath(argv[2])};
  std::string message;
  auto commands = clang::tooling::CompilationDatabase::loadFromDirectory(argv[2], message);
  if (!commands)
    fail(message);
  std::vector<std::string> files;
  for (int i = 3; i < argc; ++i)
    if (llvm::StringRef(argv[i]) == "--in" && i + 1 < argc)
      facts.files.directories.push_back(argv[++i]);
    else
      files.push_back(realPath(facts.files.project.root + "/" + argv[i]));
  clang::tooling::ClangTool tool(*commands, files);
  tool.appendArgumentsAdjuster(
      clang::tooling::getInsertArgumentAdjuster({"-resource-dir=" RETEST_RESOURCE_DIRECTORY, "-w"},
                                                clang::tooling::ArgumentInsertPosition::END));
  ActionFactory factory(facts);
  if (tool.run(&factory))
    fail("not all files could be read");
  write(llvm::outs(), facts.found);
}
