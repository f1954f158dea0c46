#include "run/entry_reports.h"

#include "run/entry_filter.h"

#include <doctest/doctest.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>

using namespace retest;

TEST_CASE("arguments of an entry: what they say of reports") {
  struct Row {
    Framework framework;
    const char *arguments, *asking, *alone, *files;
  };
  const Row rows[] = {
      {Framework::Doctest, "--reporters=console,junit --out=a.xml -d", "-d",
       "--reporters=console,junit -d", "a.xml"},
      // Who knows whose reporter that is: it runs, and the console tells how many tests did.
      {Framework::Doctest, "-r=xml -o=a.xml", "", "-r=xml,console", "a.xml"},
      {Framework::Doctest, "--dt-out=a.xml -dt-r=ours -s", "-s", "-dt-r=ours,console -s", "a.xml"},
      {Framework::Catch2, "-r junit -o a.xml -s", "-s", "-r junit -s", "a.xml"},
      {Framework::Catch2, "--reporter=xml --out a.xml", "", "--reporter=xml", "a.xml"},
      {Framework::Catch2, "-s --out=a.xml", "-s", "-s", "a.xml"},
      {Framework::GoogleTest, "-x --gtest_output=xml:a.xml", "-x",
       "-x --gtest_output=xml:/dev/null", "a.xml"},
      {Framework::GoogleTest, "--gtest_output=json", "", "--gtest_output=json:/dev/null",
       "test_detail.json"},
      {Framework::GoogleTest, "--gtest_output=xml:a/", "", "--gtest_output=xml:/dev/null", "a/"},
      {Framework::BoostTest, "--log_sink=a.log -k b.log -e stdout -x", "-x",
       "--log_sink=a.log -k b.log -e stdout -x", "a.log b.log"},
      {Framework::BoostTest, "--logg=HRF,all:JUNIT,all,a.xml -- --log_sink=b", "-- --log_sink=b",
       "--logg=HRF,all:JUNIT,all,a.xml -- --log_sink=b", "a.xml"},
      {Framework::BoostTest, "--log_level=all", "--log_level=all", "--log_level=all", ""},
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
    CHECK(filter.others == arguments);
    EntryReports reports = reportsOf(row.framework, filter.others);
    CHECK(reports.problem == "");
    CHECK(llvm::join(reports.asking, " ") == row.asking);
    CHECK(llvm::join(reports.alone, " ") == row.alone);
    CHECK(llvm::join(reports.files, " ") == row.files);
  }
}

TEST_CASE("arguments of an entry: reports with which a program runs as a whole") {
  auto problem = [](Framework framework, const std::vector<std::string> &arguments) {
    return reportsOf(framework, arguments).problem;
  };
  CHECK(problem(Framework::Catch2, {"-r", "ours"}) ==
        "its reporter ours may not tell how many tests ran");
  CHECK(problem(Framework::Catch2, {"-r", "junit::out=a.xml"}) ==
        "its reporter junit::out=a.xml may not tell how many tests ran");
  CHECK(problem(Framework::Catch2, {"-r", "xml", "-r", "console"}) != "");
  CHECK(problem(Framework::BoostTest, {"--logger=JUNIT"}) ==
        "it is not known what the file of its report is called");
  CHECK(problem(Framework::BoostTest, {"-f", "JUNIT"}) != "");
}
