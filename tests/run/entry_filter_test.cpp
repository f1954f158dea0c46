#include "run/entry_filter.h"

#include <doctest/doctest.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>

using namespace retest;

TEST_CASE("arguments of an entry: reports are told apart if the framework writes them") {
  struct Row {
    Framework framework;
    const char *arguments, *others, *reports;
  };
  const Row rows[] = {
      {Framework::Doctest, "--reporters=console,junit --out=a.xml -d", "-d",
       "--reporters=console,junit --out=a.xml"},
      {Framework::Doctest, "-r=xml -o=a.xml", "", "-r=xml -o=a.xml"},
      {Framework::Doctest, "--out=a.xml -r=ours,xml", "--out=a.xml -r=ours,xml", ""},
      {Framework::Catch2, "-r junit -o a.xml -s", "-s", "-r junit -o a.xml"},
      {Framework::Catch2, "--reporter=xml --out a.xml", "", "--reporter=xml --out a.xml"},
      {Framework::Catch2, "-s -o a.xml -r ours", "-s -o a.xml -r ours", ""},
      {Framework::Catch2, "-r junit::out=a.xml", "-r junit::out=a.xml", ""},
      {Framework::GoogleTest, "--gtest_output=xml:a.xml", "--gtest_output=xml:a.xml", ""},
  };
  for (const Row &row : rows) {
    CAPTURE(row.arguments);
    llvm::SmallVector<llvm::StringRef, 8> words;
    llvm::StringRef(row.arguments).split(words, ' ');
    std::vector<std::string> arguments;
    for (llvm::StringRef word : words)
      arguments.push_back(word.str());
    EntryFilter filter = entryFilterOf(row.framework, arguments);
    CHECK(filter.problem == "");
    CHECK(!filter.hasFilter);
    CHECK(llvm::join(filter.others, " ") == row.others);
    CHECK(llvm::join(filter.reports, " ") == row.reports);
  }
}
