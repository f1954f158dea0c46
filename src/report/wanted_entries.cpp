#include "report/wanted_entries.h"

#include "run/entry_filter.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringMap.h>

#include <map>

namespace retest {

namespace {

/// What the tests of an entry say of it.
struct EntryVerdict {
  bool isSelected = false, isSkipped = false;
};

/// A program whose list of tests may be longer than it was.
struct Growing {
  std::optional<Framework> framework;
  std::vector<NativeTest> added;
  bool isOpen = false;
};

class EntryChooser {
public:
  EntryChooser(const SelectionReport &report, FilterForm form) : form_(form) {
    for (const std::string &binary : report.open)
      growing_[binary].isOpen = true;
    for (const ReportedTest &test : report.tests)
      add(test);
    for (const ReportedTest &test : report.tests)
      if (auto program = growing_.find(test.test.binary);
          program != growing_.end() && test.test.framework)
        program->second.framework = test.test.framework;
  }

  bool isWanted(const SuiteEntry &entry, const std::string &binary) const {
    auto known = entries_.find(entry.name);
    if (known == entries_.end() || known->second.isSelected)
      return true;
    // Of one whose tests are all disabled nobody says that it may be left out.
    if (!known->second.isSkipped && form_ == FilterForm::Exclude)
      return true;
    return mayHaveMore(entry, binary);
  }

private:
  void add(const ReportedTest &test) {
    if (test.verdict == Verdict::New && !test.test.binary.empty())
      growing_[test.test.binary].added.push_back({nativeNameOf(test.test), test.test.suite});
    for (const std::string &name : test.test.entries) {
      EntryVerdict &entry = entries_[name];
      entry.isSelected |= isSelected(test);
      entry.isSkipped |= test.verdict == Verdict::Skipped;
    }
  }

  bool mayHaveMore(const SuiteEntry &entry, const std::string &binary) const {
    if (entry.command.empty()) // it is not known which program it runs
      return !growing_.empty();
    auto program = growing_.find(binary);
    if (program == growing_.end())
      return false;
    if (!program->second.framework || program->second.isOpen)
      return !namesOne(program->second, entry);
    EntryFilter filter =
        entryFilterOf(*program->second.framework, llvm::ArrayRef(entry.command).drop_front());
    if (!filter.problem.empty() || !filter.hasFilter || !filter.name)
      return true;
    return llvm::any_of(program->second.added, [&](const NativeTest &test) {
      return isNamed(*program->second.framework, filter, test);
    });
  }

  /// Whether the entry can run nothing but one test. What is a name of Boost.Test may be a suite.
  static bool namesOne(const Growing &program, const SuiteEntry &entry) {
    if (!program.framework || *program.framework == Framework::BoostTest)
      return false;
    EntryFilter filter =
        entryFilterOf(*program.framework, llvm::ArrayRef(entry.command).drop_front());
    return filter.problem.empty() && filter.hasFilter && filter.name;
  }

  FilterForm form_;
  llvm::StringMap<EntryVerdict> entries_;
  std::map<std::string, Growing> growing_;
};

} // namespace

std::vector<bool> wantedEntries(const SelectionReport &report, llvm::ArrayRef<SuiteEntry> entries,
                                FilterForm form,
                                llvm::function_ref<std::string(llvm::StringRef)> binaryOf) {
  if (!report.reason.empty() || !report.knowsTests)
    return std::vector<bool>(entries.size(), true);
  EntryChooser chooser(report, form);
  std::vector<bool> isWanted;
  for (const SuiteEntry &entry : entries)
    isWanted.push_back(chooser.isWanted(
        entry, entry.command.empty() ? std::string() : binaryOf(entry.command.front())));
  return isWanted;
}

} // namespace retest
