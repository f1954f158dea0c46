#include "db/programs.h"

#include "support/bytes.h"

#include <string>

namespace retest {

namespace {

/// Empty for one that is not known.
std::string bytesOf(Fingerprint content) {
  ByteWriter bytes;
  if (content != Fingerprint{})
    bytes.fingerprint(content);
  return bytes.take();
}

} // namespace

void savePlan(SQLite::Database &database, std::int64_t baseline, const ProgramPlan &plan,
              const Names &names) {
  SQLite::Statement binary(database, "INSERT INTO binary VALUES (?, ?, ?, ?)");
  SQLite::Statement input(database, "INSERT INTO link_input VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (std::size_t i = 0; i < plan.binaries.size(); ++i) {
    const LinkedBinary &linked = plan.binaries[i];
    binary.reset();
    binary.bind(1, baseline);
    binary.bind(2, static_cast<std::int64_t>(i));
    binary.bind(3, names.text(linked.name).str());
    binary.bind(4, static_cast<int>(linked.kind));
    binary.exec();
    for (std::size_t j = 0; j < linked.inputs.size(); ++j) {
      input.reset();
      input.bind(1, baseline);
      input.bind(2, static_cast<std::int64_t>(i));
      input.bind(3, static_cast<std::int64_t>(j));
      input.bind(4, static_cast<int>(linked.inputs[j].kind));
      input.bind(5, names.text(linked.inputs[j].name).str());
      input.bind(6, static_cast<int>(linked.inputs[j].isWhole));
      bindBlob(input, 7, bytesOf(linked.inputs[j].content));
      input.exec();
    }
  }
}

ProgramPlan loadPlan(SQLite::Database &database, std::int64_t baseline, Names &names) {
  ProgramPlan plan;
  SQLite::Statement binaries(
      database, "SELECT position, name, kind FROM binary WHERE baseline = ? ORDER BY position");
  binaries.bind(1, baseline);
  SQLite::Statement inputs(database, "SELECT kind, name, is_whole, content FROM link_input "
                                     "WHERE baseline = ? AND binary = ? ORDER BY position");
  while (binaries.executeStep()) {
    LinkedBinary binary;
    binary.name = names.intern(binaries.getColumn(1).getString());
    binary.kind = static_cast<ProgramKind>(binaries.getColumn(2).getInt());
    inputs.reset();
    inputs.bind(1, baseline);
    inputs.bind(2, binaries.getColumn(0).getInt64());
    while (inputs.executeStep())
      binary.inputs.push_back({static_cast<ProgramInputKind>(inputs.getColumn(0).getInt()),
                               names.intern(inputs.getColumn(1).getString()),
                               inputs.getColumn(2).getInt() != 0,
                               ByteReader(blobOf(inputs.getColumn(3))).fingerprint()});
    plan.binaries.push_back(std::move(binary));
  }
  return plan;
}

} // namespace retest
