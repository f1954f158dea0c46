#pragma once

#include "graph/external_code.h"

#include <llvm/ADT/StringRef.h>

namespace retest {

/// The words that text, JSON and pictures share for the parts of a graph.
llvm::StringRef wordFor(NodeKind kind);
llvm::StringRef wordFor(EdgeKind kind);
llvm::StringRef wordFor(CallKind kind);
llvm::StringRef wordFor(UseKind kind);
llvm::StringRef wordFor(Linkage linkage);
llvm::StringRef wordFor(FunctionKind kind);
llvm::StringRef wordFor(ProgramKind kind);
llvm::StringRef wordFor(Presence presence);
llvm::StringRef wordFor(RootKind kind);

/// "implicit", "external", "system header", "virtual", "noexcept", "constexpr": what applies.
llvm::SmallVector<llvm::StringRef, 4> flagsOf(const Function &function);

/// Text that may hold anything (a path, a literal in a name) as valid UTF-8.
std::string utf8(llvm::StringRef text);

} // namespace retest
