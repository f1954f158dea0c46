#include "run/execution_report.h"

#include "support/error.h"

#include <llvm/Support/JSON.h>
#include <pugixml.hpp>

namespace retest {

namespace {

std::string textOf(pugi::xml_node node, const char *attribute) {
  return node.attribute(attribute).value();
}

template <class Visit> void forEachCase(pugi::xml_node node, const char *tag, Visit visit) {
  for (pugi::xml_node child : node.children()) {
    if (child.name() == llvm::StringRef(tag))
      visit(child);
    else
      forEachCase(child, tag, visit);
  }
}

pugi::xml_node firstCase(pugi::xml_node root) {
  return root.find_node(
      [](pugi::xml_node node) { return node.name() == llvm::StringRef("testcase"); });
}

/// Each has an attribute that no other has: GoogleTest `result`, Boost.Test `assertions` and no
/// `status`. CTest has one suite at the top, with entries that are their own classes.
ReportDialect dialectOf(pugi::xml_node root) {
  if (root.name() == llvm::StringRef("testsuites") && textOf(root, "name") == "retest")
    return ReportDialect::Retest;
  pugi::xml_node first = firstCase(root);
  if (first.attribute("result"))
    return ReportDialect::GoogleTest;
  if (first.attribute("assertions") && !first.attribute("status"))
    return ReportDialect::BoostTest;
  if (root.name() == llvm::StringRef("testsuite") && first.attribute("status") &&
      textOf(first, "name") == textOf(first, "classname"))
    return ReportDialect::CTest;
  return ReportDialect::Names;
}

bool hasRun(pugi::xml_node test, ReportDialect dialect) {
  switch (dialect) {
  case ReportDialect::GoogleTest:
    return textOf(test, "status") == "run";
  case ReportDialect::BoostTest:
    return !test.child("skipped");
  case ReportDialect::CTest: {
    std::string status = textOf(test, "status");
    if (status != "notrun" && status != "disabled")
      return true;
    // It ran, and its exit code or its output said that it is to be taken for skipped.
    return llvm::StringRef(test.child("skipped").attribute("message").value()).starts_with("SKIP_");
  }
  case ReportDialect::Retest: {
    llvm::StringRef why = test.child("skipped").attribute("message").value();
    return !why.starts_with("retest: ") || why.ends_with(", in quarantine"); // else it was left out
  }
  case ReportDialect::Names:
    return true;
  }
  return true;
}

ExecutedTest testOf(pugi::xml_node test, ReportDialect dialect) {
  std::string name = textOf(test, "name"), suite = textOf(test, "classname");
  if (dialect == ReportDialect::GoogleTest)
    return {suite + "." + name};
  if (dialect == ReportDialect::BoostTest)
    return {boostReportName(suite.empty() ? name : suite + "." + name)};
  if (dialect == ReportDialect::Names)
    return {llvm::StringRef(name).trim().str()};
  if (dialect == ReportDialect::Retest)
    return {name, suite};
  return {name};
}

ExecutionReport readJUnit(pugi::xml_node root) {
  ExecutionReport report{dialectOf(root)};
  forEachCase(root, "testcase", [&](pugi::xml_node test) {
    if (hasRun(test, report.dialect))
      report.tests.push_back(testOf(test, report.dialect));
  });
  return report;
}

/// Catch2 has no suites.
ExecutionReport readOwn(pugi::xml_node root, bool hasSuites) {
  ExecutionReport report;
  forEachCase(root, "TestCase", [&](pugi::xml_node test) {
    if (test.attribute("skipped").as_bool())
      return;
    report.tests.push_back({llvm::StringRef(textOf(test, "name")).trim().str()});
    if (hasSuites)
      report.tests.back().suite = textOf(test.parent(), "name");
  });
  return report;
}

/// Of Meson: a line for each test that ran.
llvm::Expected<ExecutionReport> readMesonLog(llvm::StringRef text) {
  ExecutionReport report{ReportDialect::CTest};
  for (llvm::StringRef rest = text.trim(); !rest.empty();) {
    auto [line, more] = rest.split('\n');
    rest = more;
    auto test = llvm::json::parse(line);
    if (!test)
      return test.takeError();
    const llvm::json::Object *object = test->getAsObject();
    if (!object || !object->getString("name") || !object->getString("result"))
      return error("not a log of Meson: a line without 'name' and 'result'");
    if (object->getString("result") != "INTERRUPT")
      report.tests.push_back({object->getString("name")->str()});
  }
  return report;
}

} // namespace

llvm::Expected<ExecutionReport> readExecutionReport(llvm::StringRef text) {
  if (text.ltrim().starts_with("{"))
    return readMesonLog(text);
  pugi::xml_document document;
  // A line break in an attribute is what the runner wrote for one in a name.
  pugi::xml_parse_result result = document.load_buffer(
      text.data(), text.size(), pugi::parse_default & ~pugi::parse_wconv_attribute);
  if (!result)
    return error("not XML: {}, at byte {}", result.description(), result.offset);
  pugi::xml_node root = document.document_element();
  llvm::StringRef name = root.name();
  if (name == "testsuites" || name == "testsuite")
    return readJUnit(root);
  if (name == "Catch" || name == "Catch2TestRun")
    return readOwn(root, /*hasSuites=*/false);
  if (name == "doctest")
    return readOwn(root, /*hasSuites=*/true);
  return error("<{}>: neither JUnit nor a report of Catch2 or doctest", name.str());
}

std::string boostReportName(llvm::StringRef path) {
  std::string name = path.str();
  for (char &c : name)
    if (c == '/')
      c = '.';
    else if (c == ' ')
      c = '_';
  return name;
}

} // namespace retest
