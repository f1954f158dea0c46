#include "graph/extract_branches.h"

#include <clang/AST/Expr.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/xxhash.h>

namespace retest {

using namespace clang;

const CFGBlock *blockAt(const CFGBlock::AdjacentBlock &adjacent) {
  const CFGBlock *block = adjacent.getReachableBlock();
  return block ? block : adjacent.getPossiblyUnreachableBlock();
}

namespace {

std::string caseLabel(ASTContext &ast, const CaseStmt *label) {
  auto value = [&](const Expr *expression) {
    return llvm::toString(expression->EvaluateKnownConstInt(ast), 10);
  };
  std::string text = "case " + value(label->getLHS());
  return label->getRHS() ? text + ".." + value(label->getRHS()) : text;
}

/// The ways that a constant condition leaves open, or nothing where it is not constant: whatever
/// it was computed from, its value counts.
std::string knownWays(ASTContext &ast, const CFGBlock *block) {
  const auto *choice = dyn_cast_or_null<SwitchStmt>(block->getTerminatorStmt());
  if (choice && !choice->getCond()->isEvaluatable(ast))
    return {}; // Clang cuts the default of a switch over all enumerators
  std::string ways;
  bool isKnown = false;
  unsigned index = 0;
  for (const CFGBlock::AdjacentBlock &successor : block->succs()) {
    const CFGBlock *target = successor.getReachableBlock();
    isKnown |= !target && blockAt(successor);
    const auto *label = dyn_cast_or_null<CaseStmt>(target ? target->getLabel() : nullptr);
    if (target)
      ways += (choice && label ? caseLabel(ast, label) : std::to_string(index)) + " ";
    index += !choice; // how many cases there are does not matter
  }
  return isKnown ? ways : std::string();
}

/// The last successor is `default`, written or not.
std::vector<Way> casesFrom(ASTContext &ast, const CFGBlock *block) {
  std::vector<Way> cases;
  for (auto successor = block->succ_begin(); successor + 1 != block->succ_end(); ++successor)
    if (const CFGBlock *target = blockAt(*successor))
      cases.push_back({target, caseLabel(ast, cast<CaseStmt>(target->getLabel()))});
  const SourceManager &sources = ast.getSourceManager();
  std::sort(cases.begin(), cases.end(), [&](const Way &a, const Way &b) {
    return sources.isBeforeInTranslationUnit(a.target->getLabel()->getBeginLoc(),
                                             b.target->getLabel()->getBeginLoc());
  });
  // Clang takes a switch over all enumerators as complete; other values are possible.
  if (const CFGBlock *otherwise = blockAt(*block->succ_rbegin()))
    cases.push_back({otherwise, "default"});
  return cases;
}

const Expr *conditionAsWritten(const Stmt *branch) {
  if (const auto *operation = dyn_cast<BinaryOperator>(branch))
    return operation->isLogicalOp() ? operation->getLHS() : nullptr;
  if (const auto *choice = dyn_cast<ConditionalOperator>(branch))
    return choice->getCond();
  if (const auto *choice = dyn_cast<IfStmt>(branch))
    return choice->getCond();
  if (const auto *loop = dyn_cast<WhileStmt>(branch))
    return loop->getCond();
  if (const auto *loop = dyn_cast<DoStmt>(branch))
    return loop->getCond();
  if (const auto *loop = dyn_cast<ForStmt>(branch))
    return loop->getCond();
  if (const auto *loop = dyn_cast<CXXForRangeStmt>(branch))
    return loop->getCond();
  return nullptr;
}

} // namespace

std::vector<Way> waysFrom(ASTContext &ast, const CFGBlock *block) {
  const Stmt *statement = block->getTerminatorStmt();
  if (isa_and_nonnull<SwitchStmt>(statement))
    return casesFrom(ast, block);
  std::vector<Way> ways;
  unsigned index = 0;
  for (const CFGBlock::AdjacentBlock &successor : block->succs()) {
    if (const CFGBlock *target = blockAt(successor)) {
      std::string label;
      if (isa_and_nonnull<IndirectGotoStmt>(statement))
        label = "goto " + std::to_string(index);
      else if (block->succ_size() > 1)
        label = index == 0 ? "T" : "F";
      ways.push_back({target, label});
    }
    ++index;
  }
  return ways;
}

const Expr *conditionOf(const CFGBlock *block) {
  const Expr *last = block->getLastCondition();
  if (!last || !block->getTerminator().isStmtBranch())
    return nullptr;
  // Of `a && b` in a condition, this block may have `b` alone.
  const Expr *written = conditionAsWritten(block->getTerminatorStmt());
  while (written && written->IgnoreParens() != last) {
    const auto *operation = dyn_cast<BinaryOperator>(written->IgnoreParens());
    written = operation && operation->isLogicalOp() ? operation->getRHS() : nullptr;
  }
  return written;
}

std::uint64_t kindOfBranch(ASTContext &ast, const CFGBlock *block) {
  const Stmt *statement = block->getTerminatorStmt();
  std::uint64_t kind = block->getTerminator().getKind() * 4 +
                       isa_and_nonnull<SwitchStmt>(statement) +
                       2 * isa_and_nonnull<IndirectGotoStmt>(statement);
  if (std::string ways = knownWays(ast, block); !ways.empty())
    kind += llvm::xxh3_64bits(ways);
  return kind;
}

} // namespace retest
