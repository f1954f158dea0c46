#include "run/report_files.h"

#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>
#include <llvm/ADT/StringExtras.h>

#include <filesystem>

using namespace retest;

TEST_CASE("reports: what counts as a use of them") {
  ReportFiles reports;
  CHECK(reports.empty());
  reports.add("/b/out/a.xml");
  reports.add("/b/dir/");
  CHECK(!reports.empty());
  struct Row {
    FileUseKind kind;
    const char *path, *used;
  };
  const Row rows[] = {
      {FileUseKind::Read, "/b/out/a.xml", "/b/out/a.xml"},
      {FileUseKind::Missing, "/b/out/a.xml", "/b/out/a.xml"},
      {FileUseKind::Written, "/b/out/a.xml", "/b/out/a.xml"},
      {FileUseKind::Read, "/b/out/b.xml", ""},
      {FileUseKind::Listed, "/b/out", "/b/out/a.xml"},
      {FileUseKind::Found, "/b/out", ""},
      {FileUseKind::Listed, "/b", ""},
      {FileUseKind::Written, "/b/out", "/b/out/a.xml"}, // it may have got another name
      {FileUseKind::Written, "/b", "/b/dir/ /b/out/a.xml"},
      {FileUseKind::Read, "/b/dir/x/y.xml", "/b/dir/"},
      {FileUseKind::Listed, "/b/dir", "/b/dir/"},
      {FileUseKind::Found, "/b/dir", ""},
      {FileUseKind::Read, "/b/dirt", ""},
  };
  for (const Row &row : rows) {
    CAPTURE(row.path);
    CAPTURE(static_cast<int>(row.kind));
    CHECK(llvm::join(reports.usedBy(row.kind, row.path), " ") == row.used);
  }
}

TEST_CASE("reports: their paths") {
  TemporaryDirectory directory;
  std::string place = std::filesystem::canonical(directory.path());
  std::filesystem::create_directory(directory / "real");
  std::filesystem::create_directory_symlink("real", directory / "link");
  CHECK(reportPath(place, "a.xml") == place + "/a.xml");
  CHECK(reportPath("/elsewhere", place + "/a.xml") == place + "/a.xml");
  CHECK(reportPath(place, "link/a.xml") == place + "/real/a.xml");
  CHECK(reportPath(place, "link/../a.xml") == place + "/a.xml");
  CHECK(reportPath(place, "link/new/") == place + "/real/new/");
  directory.write("real/b.xml", "");
  std::filesystem::create_symlink("b.xml", directory / "real/a.xml");
  ReportFiles reports;
  reports.add(place + "/real/a.xml");
  CHECK(llvm::join(reports.usedBy(FileUseKind::Read, place + "/real/b.xml"), " ") ==
        place + "/real/a.xml");
}
