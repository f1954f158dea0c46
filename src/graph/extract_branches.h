#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/Analysis/CFG.h>

#include <string>
#include <vector>

namespace retest {

/// Also the block that Clang knows control never reaches this way, by a constant condition: edges
/// that are never crossed do no harm, but blocks that no edge leads to are roots of the walk.
const clang::CFGBlock *blockAt(const clang::CFGBlock::AdjacentBlock &adjacent);

/// One way out of a block: "T", "case 3", "default", "goto 1"; no label if it is the only one.
struct Way {
  const clang::CFGBlock *target = nullptr;
  std::string label;
};

/// The ways out of a block; those of a switch in the order of the source, `default` last.
std::vector<Way> waysFrom(clang::ASTContext &ast, const clang::CFGBlock *block);

/// What tells the branch at the end of a block from other branches: its kind, and the ways that a
/// constant condition leaves open.
std::uint64_t kindOfBranch(clang::ASTContext &ast, const clang::CFGBlock *block);

/// The condition that decides between the two ways out of a block, with the parentheses around it;
/// null where nobody wrote one (a guard of a static local, say).
const clang::Expr *conditionOf(const clang::CFGBlock *block);

} // namespace retest
