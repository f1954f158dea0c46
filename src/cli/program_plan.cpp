#include "cli/program_plan.h"

#include <llvm/Support/ErrorHandling.h>

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

} // namespace

ProgramPlan programPlanOf(const LinkPlan &links, Names &names) {
  ProgramPlan plan;
  for (const Binary &binary : links.binaries) {
    LinkedBinary linked{names.intern(binary.name), kindOf(binary.kind), {}};
    for (const LinkInput &input : binary.inputs)
      linked.inputs.push_back({kindOf(input.kind), names.intern(input.name), input.isWhole});
    plan.binaries.push_back(std::move(linked));
  }
  return plan;
}

} // namespace retest
