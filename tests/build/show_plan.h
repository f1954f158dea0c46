#pragma once

#include "build/link_plan.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Path.h>

#include <string>

namespace retest {

/// A plan as lines: "exe build/a: unit(a.cpp) archive(build/libx.a)! external(-lm)"; `!` marks
/// archives that are taken whole, notes come last.
inline std::string show(const LinkPlan &plan) {
  const char *kinds[] = {"unit", "archive", "shared", "object", "external"};
  const char *binaries[] = {"exe", "shared", "module", "archive"};
  std::string result;
  for (const Binary &binary : plan.binaries) {
    result += std::string(binaries[int(binary.kind)]) + " " + binary.name + ":";
    for (const LinkInput &input : binary.inputs)
      result +=
          std::string(" ") + kinds[int(input.kind)] + "(" + input.name +
          (input.command ? " from " + llvm::sys::path::filename(input.command->file).str() : "") +
          ")" + (input.isWhole ? "!" : "");
    result += "\n";
  }
  for (const std::string &note : plan.notes)
    result += "note " + note + "\n";
  return result;
}

} // namespace retest
