#include "tests/cases/case_project.h"

#include "graph/extract_project.h"
#include "graph/link_program.h"
#include "graph/share_names.h"
#include "report/selection_report.h"
#include "support/error.h"
#include "tests/notation/program.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>
#include <llvm/ADT/SmallVector.h>

namespace retest {
namespace {

bool isUnit(llvm::StringRef name) {
  return !name.starts_with("../") && (name.ends_with(".cpp") || name.ends_with(".c"));
}

std::vector<Unit> unitsOf(const CaseVersion &version, const std::string &root) {
  std::vector<Unit> units;
  for (const auto &[name, content] : version.files) {
    if (!isUnit(name))
      continue;
    bool isC = llvm::StringRef(name).ends_with(".c");
    Unit unit{name, {root, root + "/" + name, root + "/build/" + name + ".o", {}}};
    std::vector<std::string> &arguments = unit.command.arguments;
    arguments = {isC ? "clang-19" : "clang++-19", isC ? "-std=c11" : "-std=c++20", "-I.",
                 "-isystem", "../system"};
    for (const std::string &owner : {std::string(), name})
      if (auto flags = version.flags.find(owner); flags != version.flags.end())
        arguments.insert(arguments.end(), flags->second.begin(), flags->second.end());
    arguments.push_back("-c");
    arguments.push_back(name);
    units.push_back(std::move(unit));
  }
  return units;
}

SourceLines linesOf(const CaseVersion &version) {
  return [&version](llvm::StringRef file, std::uint32_t number) -> std::string {
    auto found = version.files.find(file.str());
    if (found == version.files.end())
      return "";
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(found->second).split(lines, '\n');
    return number >= 1 && number <= lines.size() ? lines[number - 1].str() : "";
  };
}

} // namespace

CaseProject::CaseProject(const CaseFile &file) : file_(file) {
  TemporaryDirectory directory; // the same place for both: what lies outside keeps its path
  baseline_ = build(file.baseline, directory / "v");
  std::filesystem::remove_all(directory / "v");
  current_ = build(file.current, directory / "v");
  llvm::Expected<CoverageMatrix> matrix = coverageOf(file.coverage, view());
  if (matrix)
    matrix_ = std::move(*matrix);
  else
    FAIL(file.name << ": " << llvm::toString(matrix.takeError()));
}

Project CaseProject::build(const CaseVersion &version, const std::string &directory) {
  std::string root = directory + "/project";
  for (const auto &[name, content] : version.files) {
    std::filesystem::path path = std::filesystem::path(root) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
  }
  CompileDatabase database{"", unitsOf(version, root), {}};
  ExtractOptions options = llvm::cantFail(prepareExtraction(database));
  std::vector<UnitGraph> graphs;
  for (const Unit &unit : database.units) {
    ExtractedUnit extracted = extractUnit(unit, {root, root + "/build"}, options);
    if (!extracted.record.isParsed())
      errors_.push_back(extracted.record.error);
    shareNames(extracted.record.graph, extracted.names, *names_);
    graphs.push_back(std::move(extracted.record.graph));
  }
  return linkProject(std::move(graphs), programPlan(version.link, *names_), *names_);
}

DeltaView CaseProject::view() const {
  return {baseline_, current_, *names_, linesOf(file_.baseline), linesOf(file_.current)};
}

Delta CaseProject::compare(const Rules &rules) const {
  return retest::compare(baseline_, current_, *names_, rules);
}

std::vector<std::string> CaseProject::dangerous(const Delta &delta) const {
  DeltaView shown = view();
  std::vector<std::string> lines;
  auto programs = [&](llvm::ArrayRef<std::uint32_t> indices) {
    std::string list;
    for (std::uint32_t index : indices)
      list += (list.empty() ? " in " : ", ") + names_->text(baseline_.programs[index].name).str();
    return list;
  };
  auto reason = [&](const Reason &why) { return "  (" + reasonText(shown, why) + ")"; };
  for (const DangerousEdge &edge : delta.edges)
    lines.push_back(names_->text(baseline_[edge.function].name).str() + ": " +
                    edgeText(shown, edge) + programs(edge.programs) + reason(edge.reason));
  for (const DangerousClassEntry &entry : delta.classEntries)
    lines.push_back(classEntryText(shown, entry) + reason(entry.reason));
  for (const DangerousProgram &program : delta.programs)
    lines.push_back("program " + names_->text(baseline_.programs[program.program].name).str() +
                    reason(program.reason));
  llvm::sort(lines);
  return lines;
}

std::vector<std::string> CaseProject::verdicts(const Delta &delta, const SelectRules &rules) const {
  WitnessRows rows = llvm::cantFail(rowsFor(wantedRows(delta, baseline_, *names_, rules), baseline_,
                                            *names_, matrix_.units, matrix_.constructed));
  for (CoverageClassId id : classesOf(rows))
    rows.classes[id] = matrix_.classes[id.value];
  SelectInput input{delta, baseline_, *names_, matrix_.tests, rows};
  input.rules = rules;
  input.registered = registeredTests(delta, baseline_, current_, *names_, matrix_.tests);
  Selection selection = selectTests(input);
  auto word = [](Verdict verdict) {
    return verdict == Verdict::Skipped    ? "skip"
           : verdict == Verdict::Affected ? "select"
                                          : wordFor(verdict).str();
  };
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < matrix_.tests.size(); ++i)
    lines.push_back(word(selection.tests[i].verdict) + " " + caseNameOf(matrix_.tests[i]));
  for (const NewTest &test : input.registered.added)
    lines.push_back("new " + test.binary + "::" + test.name);
  DeltaView shown = view();
  for (std::uint32_t edge : selection.uncovered)
    lines.push_back("uncovered " + names_->text(baseline_[delta.edges[edge].function].name).str() +
                    ": " + edgeText(shown, delta.edges[edge]));
  llvm::sort(lines);
  return lines;
}

} // namespace retest
