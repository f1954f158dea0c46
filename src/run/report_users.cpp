#include "run/report_users.h"

#include "support/error.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

namespace retest {

namespace {

/// Scripts are not longer; what is longer is data.
constexpr std::uint64_t kLongestScript = 1 << 20;

bool isPartOfName(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '-' || c == '.' || c == '+';
}

/// The longest part of a file's name that a text has as one word.
llvm::StringRef longestWord(llvm::StringRef name) {
  llvm::StringRef longest;
  while (!name.empty()) {
    llvm::StringRef word = name.take_while(isPartOfName);
    if (word.size() > longest.size())
      longest = word;
    name = name.drop_front(std::min(word.size() + 1, name.size()));
  }
  return longest;
}

} // namespace

void ReportUsers::add(std::size_t entry, std::vector<std::string> reports,
                      llvm::ArrayRef<std::string> words) {
  reports_[entry] = std::move(reports);
  words_.push_back(words.vec());
}

void ReportUsers::finish() {
  if (llvm::all_of(reports_, [](const auto &reports) { return reports.empty(); }))
    return;
  for (const auto &[entry, words] : llvm::zip_equal(entries_, words_))
    addTexts(entry, words);
  for (const SuiteEntry &entry : files_.others)
    addTexts(entry, entry.command);
  addUses();
}

void ReportUsers::addTexts(const SuiteEntry &entry, llvm::ArrayRef<std::string> words) {
  for (const std::string &name : entry.depends)
    awaited_.insert(name);
  for (const auto *texts :
       {&entry.environment, &entry.environmentModifications, &entry.requiredFiles})
    for (const std::string &text : *texts)
      addNames(text);
  for (const std::string &word : words) {
    addNames(word);
    // `-DFILE=path` and the like
    for (llvm::StringRef path : {llvm::StringRef(word), llvm::StringRef(word).split('=').second})
      if (!path.empty() && path.size() < 4096)
        addNamesIn(reportPath(entry.directory, path));
  }
}

void ReportUsers::addNames(llvm::StringRef text) {
  while (!text.empty()) {
    llvm::StringRef word = text.take_while(isPartOfName);
    if (!word.empty())
      names_.insert(word);
    text = text.drop_front(std::min(word.size() + 1, text.size()));
  }
}

void ReportUsers::addNamesIn(const std::string &file) {
  llvm::sys::fs::file_status status;
  if (!seen_.insert(file).second || llvm::sys::fs::status(file, status) ||
      status.type() != llvm::sys::fs::file_type::regular_file || status.getSize() > kLongestScript)
    return;
  if (auto text = llvm::MemoryBuffer::getFile(file); text && !(*text)->getBuffer().contains('\0'))
    addNames((*text)->getBuffer());
}

void ReportUsers::addUses() {
  used_ = files_.reports;
  ReportFiles reports;
  std::map<std::string, llvm::StringSet<>> writers; // names of entries
  for (const auto &[entry, files] : llvm::zip_equal(entries_, reports_))
    for (const std::string &file : files) {
      reports.add(file);
      writers[file].insert(entry.name);
    }
  for (const FilesInUse::Use &use : files_.uses)
    for (const std::string &report : reports.usedBy(use.kind, use.path))
      if (use.kind != FileUseKind::Written ||
          !llvm::all_of(use.entries,
                        [&](const std::string &name) { return writers[report].contains(name); }))
        used_.insert(report);
}

bool ReportUsers::isWatched(llvm::StringRef report) const {
  return llvm::any_of(files_.watched, [&](llvm::StringRef root) {
    return report.consume_front(root) && report.starts_with("/");
  });
}

std::string ReportUsers::whyWhole(std::size_t index) const {
  const SuiteEntry &entry = entries_[index];
  if (reports_[index].empty())
    return "";
  if (!entry.fixturesSetup.empty() || !entry.fixturesCleanup.empty() ||
      awaited_.contains(entry.name))
    return "it writes a report, and other tests depend on it";
  if (files_.whole.count(entry.name))
    return "it writes a report, and ran as a whole before";
  for (const std::string &report : reports_[index]) {
    if (!isWatched(report))
      return fmt::format("it is not seen who reads its report {}", report);
    if (used_.count(report))
      return fmt::format("a test uses its report {}", report);
    llvm::StringRef name = llvm::sys::path::filename(llvm::StringRef(report).rtrim('/'));
    if (names_.contains(longestWord(name)))
      return fmt::format("another test may use its report {}", report);
  }
  return "";
}

} // namespace retest
