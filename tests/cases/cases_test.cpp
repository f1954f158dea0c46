// The golden cases in tests/cases: what each edit makes dangerous, and that each rule is needed.
#include "tests/cases/case_project.h"

#include <doctest/doctest.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <filesystem>

using namespace retest;

namespace {

struct Case {
  CaseFile file;
  std::unique_ptr<CaseProject> project; ///< refers to `file`
};

/// RETEST_CASE names one to look at alone.
std::vector<std::unique_ptr<Case>> load(const char *directory) {
  std::vector<std::string> paths;
  std::error_code missing; // no gap is known: then there is nothing to load
  for (const auto &entry : std::filesystem::directory_iterator(directory, missing))
    if (entry.path().extension() == ".case")
      paths.push_back(entry.path());
  llvm::sort(paths);
  const char *wanted = std::getenv("RETEST_CASE");
  std::vector<std::unique_ptr<Case>> found;
  for (const std::string &path : paths) {
    llvm::Expected<CaseFile> file = readCase(path);
    if (!file) {
      FAIL(llvm::toString(file.takeError()));
      continue;
    }
    if (wanted && file->name != wanted)
      continue;
    auto loaded = std::make_unique<Case>(Case{std::move(*file), nullptr});
    loaded->project = std::make_unique<CaseProject>(loaded->file);
    found.push_back(std::move(loaded));
  }
  return found;
}

/// All cases, extracted once.
const std::vector<std::unique_ptr<Case>> &cases() {
  static const std::vector<std::unique_ptr<Case>> all = load(RETEST_CASES);
  return all;
}

llvm::StringRef withoutReason(llvm::StringRef line) { return line.split("  (").first; }

/// The lines as the case writes them: without the reason where it gives none.
std::string asExpected(const std::vector<std::string> &lines,
                       const std::vector<std::string> &expected) {
  std::vector<std::string> shown;
  for (const std::string &line : lines) {
    bool isExact = llvm::is_contained(expected, line);
    shown.push_back(isExact ? line : withoutReason(line).str());
  }
  llvm::sort(shown);
  shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
  return llvm::join(shown, "\n");
}

std::string sorted(std::vector<std::string> lines) {
  llvm::sort(lines);
  return llvm::join(lines, "\n");
}

bool holds(const Case &loaded, const Delta &delta) {
  return asExpected(loaded.project->dangerous(delta), loaded.file.dangerous) ==
         sorted(loaded.file.dangerous);
}

} // namespace

TEST_CASE("golden cases: the dangerous edges") {
  for (const auto &loaded : cases()) {
    CAPTURE(loaded->file.name);
    Delta delta = loaded->project->compare();
    std::vector<std::string> lines = loaded->project->dangerous(delta);
    INFO("with reasons:\n" << llvm::join(lines, "\n"));
    CHECK(asExpected(lines, loaded->file.dangerous) == sorted(loaded->file.dangerous));
    std::vector<std::string> doubts;
    for (const Doubt &doubt : delta.doubts)
      doubts.push_back(doubt.text);
    if (loaded->file.expectsDoubts || !doubts.empty())
      CHECK(sorted(doubts) == sorted(loaded->file.doubts));
    if (!loaded->file.expectsDoubts)
      CHECK(llvm::join(loaded->project->errors(), "\n") == "");
  }
}

TEST_CASE("golden cases: the verdicts") {
  for (const auto &loaded : cases()) {
    if (loaded->file.coverage.empty())
      continue;
    CAPTURE(loaded->file.name);
    CHECK(sorted(loaded->project->verdicts(loaded->project->compare())) ==
          sorted(loaded->file.expect));
  }
}

TEST_CASE("open cases: known gaps, each of which fails until it is closed") {
  for (const auto &loaded : load(RETEST_CASES "/open")) {
    CAPTURE(loaded->file.name);
    CHECK(!holds(*loaded, loaded->project->compare()));
  }
}

TEST_CASE("golden cases: comparing a version with itself finds nothing") {
  for (const auto &loaded : cases()) {
    CAPTURE(loaded->file.name);
    CaseFile same = loaded->file;
    same.current = same.baseline;
    CaseProject project(same);
    CHECK(llvm::join(project.dangerous(project.compare()), "\n") == "");
  }
}

TEST_CASE("golden cases: without any one of the rules, some case fails") {
  if (std::getenv("RETEST_CASE"))
    return;
  for (std::size_t index = 0; index < kRules; ++index) {
    Rule rule = static_cast<Rule>(index);
    CAPTURE(nameOf(rule).str());
    CHECK(llvm::any_of(cases(), [&](const auto &loaded) {
      return holds(*loaded, loaded->project->compare()) &&
             !holds(*loaded, loaded->project->compare(Rules().without(rule)));
    }));
  }
}

TEST_CASE("golden cases: without any one of the rules of selection, some case fails") {
  if (std::getenv("RETEST_CASE"))
    return;
  auto ofTests = [](std::vector<std::string> lines) { // what no test reaches is not their matter
    llvm::erase_if(lines, [](llvm::StringRef line) { return line.starts_with("uncovered "); });
    return sorted(lines);
  };
  for (std::size_t index = 0; index < kSelectRules; ++index) {
    SelectRules rules = SelectRules().without(static_cast<SelectRule>(index));
    CAPTURE(nameOf(static_cast<SelectRule>(index)).str());
    CHECK(llvm::any_of(cases(), [&](const auto &loaded) {
      if (loaded->file.coverage.empty())
        return false;
      Delta delta = loaded->project->compare();
      return ofTests(loaded->project->verdicts(delta)) == ofTests(loaded->file.expect) &&
             ofTests(loaded->project->verdicts(delta, rules)) != ofTests(loaded->file.expect);
    }));
  }
}

TEST_CASE("golden cases: how many there are of each kind") {
  if (std::getenv("RETEST_CASE"))
    return;
  auto count = [](auto isCounted) { return llvm::count_if(cases(), isCounted); };
  CHECK(cases().size() >= 90);
  CHECK(count([](const auto &loaded) { return !loaded->file.expect.empty(); }) >= 30);
  CHECK(count([](const auto &loaded) { return loaded->file.dangerous.empty(); }) >= 25);
  CHECK(count([](const auto &loaded) {
          return llvm::count_if(loaded->file.baseline.files, [](const auto &file) {
                   return llvm::StringRef(file.first).ends_with(".cpp");
                 }) >= 2;
        }) >= 10);
  CHECK(count([](const auto &loaded) {
          return llvm::any_of(loaded->file.baseline.files, [](const auto &file) {
            return file.second.find("#include <") != std::string::npos;
          });
        }) >= 10);
}
