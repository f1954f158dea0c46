#include "diff/unit_reason.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/StringSet.h>

namespace retest {
namespace {

/// The last part of a header's path: by the same name in a directive, another file is found now.
llvm::StringRef fileName(const Comparison &comparison, const ExternalHeader &header) {
  return comparison.names.text(header.path).rsplit('/').second;
}

bool hasOtherFlags(const Comparison &comparison, const ProjectUnit &old, const ProjectUnit &now) {
  return old.flags != now.flags && comparison.rules(Rule::Flags);
}

/// The first header that both units read, but not alike.
const ExternalHeader *seenOtherwise(const ProjectUnit &old, const ProjectUnit &now) {
  llvm::DenseMap<std::uint32_t, Fingerprint> seen;
  for (const ExternalHeader &header : old.externalHeaders)
    seen[header.path.value] = header.seen;
  for (const ExternalHeader &header : now.externalHeaders)
    if (auto before = seen.find(header.path.value);
        before != seen.end() && before->second != header.seen)
      return &header;
  return nullptr;
}

/// The first header that is gone, while another of its name has come. A header that is new to the
/// unit does no harm otherwise.
const ExternalHeader *replaced(const Comparison &comparison, const ProjectUnit &old,
                               const ProjectUnit &now) {
  llvm::DenseSet<std::uint32_t> before, after;
  for (const ExternalHeader &header : old.externalHeaders)
    before.insert(header.path.value);
  llvm::StringSet<> added;
  for (const ExternalHeader &header : now.externalHeaders) {
    after.insert(header.path.value);
    if (!before.contains(header.path.value))
      added.insert(fileName(comparison, header));
  }
  for (const ExternalHeader &header : old.externalHeaders)
    if (!after.contains(header.path.value) && added.contains(fileName(comparison, header)))
      return &header;
  return nullptr;
}

Reason headerReason(const ExternalHeader &header, bool isInBaseline) {
  return {ChangeKind::ExternalHeader, header.path, {}, isInBaseline, {}, {}};
}

} // namespace

std::optional<Reason> reasonOfMove(const Comparison &comparison, const ProjectUnit &from,
                                   const ProjectUnit &to) {
  if (hasOtherFlags(comparison, from, to))
    return Reason{ChangeKind::Flags, to.name, {}, false, {}, {}};
  if (from.givenToLibraries != to.givenToLibraries && comparison.rules(Rule::ExternalHeaders))
    return Reason{ChangeKind::GivenToLibrary, to.name, {}, false, {}, {}};
  const ExternalHeader *header =
      comparison.rules(Rule::ExternalHeaders) ? seenOtherwise(from, to) : nullptr;
  return header ? std::optional(headerReason(*header, false)) : std::nullopt;
}

std::optional<Reason> reasonOfUnit(const Comparison &comparison, const ProjectUnit &old,
                                   const ProjectUnit &now) {
  if (std::optional<Reason> reason = reasonOfMove(comparison, old, now))
    return reason;
  const ExternalHeader *header =
      comparison.rules(Rule::ExternalHeaders) ? replaced(comparison, old, now) : nullptr;
  return header ? std::optional(headerReason(*header, true)) : std::nullopt;
}

} // namespace retest
