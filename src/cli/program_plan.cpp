#include "cli/program_plan.h"

#include "build/other_language.h"

#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/MemoryBuffer.h>

namespace retest {

namespace {

ProgramInputKind kindOf(LinkInput::Kind kind) {
  switch (kind) {
  case LinkInput::Kind::Unit:
    return ProgramInputKind::Unit;
  case LinkInput::Kind::Archive:
    return ProgramInputKind::Archive;
  case LinkInput::Kind::SharedLibrary:
    return ProgramInputKind::SharedLibrary;
  case LinkInput::Kind::Object:
    return ProgramInputKind::Object;
  case LinkInput::Kind::External:
    return ProgramInputKind::External;
  }
  llvm_unreachable("all kinds are named");
}

ProgramKind kindOf(BinaryKind kind) {
  switch (kind) {
  case BinaryKind::Executable:
    return ProgramKind::Executable;
  case BinaryKind::SharedLibrary:
    return ProgramKind::SharedLibrary;
  case BinaryKind::Module:
    return ProgramKind::Module;
  case BinaryKind::Archive:
    return ProgramKind::Archive;
  }
  llvm_unreachable("all kinds are named");
}

/// What tells whether an object that is no unit is still the same.
Fingerprint contentOf(const LinkInput &input, const ProjectPaths &paths) {
  if (input.kind != LinkInput::Kind::Object)
    return {};
  if (input.command)
    return contentOfSources(*input.command, paths);
  auto file = llvm::MemoryBuffer::getFile(paths.pathOf(input.name));
  return file ? fingerprintOf((*file)->getBuffer()) : Fingerprint{};
}

} // namespace

ProgramPlan programPlanOf(const LinkPlan &links, const ProjectPaths &paths, Names &names) {
  ProgramPlan plan;
  for (const Binary &binary : links.binaries) {
    LinkedBinary linked{names.intern(binary.name), kindOf(binary.kind), {}};
    for (const LinkInput &input : binary.inputs)
      linked.inputs.push_back(
          {kindOf(input.kind), names.intern(input.name), input.isWhole, contentOf(input, paths)});
    plan.binaries.push_back(std::move(linked));
  }
  return plan;
}

} // namespace retest
