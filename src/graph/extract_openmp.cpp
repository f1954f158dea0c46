// The clauses of OpenMP directives: they are no statements, so no node shows what they say.
#include "graph/extract_entity_parts.h"
#include "graph/extract_meaning.h"

#include <clang/AST/StmtOpenMP.h>

namespace retest {

using namespace clang;

namespace {

class Clauses {
public:
  Clauses(UnitContext &unit, const FunctionDecl *function, FingerprintBuilder &hash)
      : meaning(unit, function), hash_(hash) {
    meaning.beginNode();
  }

  void addInside(const Stmt *statement) {
    if (!statement)
      return;
    if (const auto *directive = dyn_cast<OMPExecutableDirective>(statement))
      for (const OMPClause *clause : directive->clauses())
        addClause(clause);
    if (const auto *captured = dyn_cast<CapturedStmt>(statement))
      return addInside(captured->getCapturedStmt()); // its children are what it captures
    for (const Stmt *child : statement->children())
      addInside(child);
  }

  Meaning meaning;

private:
  void addClause(const OMPClause *clause) {
    hash_.add(static_cast<std::uint64_t>(clause->getClauseKind()));
    for (const Stmt *child : clause->children())
      add(child);
    if (const auto *list = dyn_cast<OMPPrivateClause>(clause)) {
      addVariables(list->private_copies());
    } else if (const auto *list = dyn_cast<OMPFirstprivateClause>(clause)) {
      addVariables(list->private_copies());
    } else if (const auto *list = dyn_cast<OMPLastprivateClause>(clause)) {
      addVariables(list->private_copies());
      addAll(list->assignment_ops());
    } else if (const auto *list = dyn_cast<OMPReductionClause>(clause)) {
      addVariables(list->privates());
      addAll(list->reduction_ops());
    } else if (const auto *list = dyn_cast<OMPTaskReductionClause>(clause)) {
      addVariables(list->privates());
      addAll(list->reduction_ops());
    } else if (const auto *list = dyn_cast<OMPInReductionClause>(clause)) {
      addVariables(list->privates());
      addAll(list->reduction_ops());
    } else if (const auto *list = dyn_cast<OMPCopyinClause>(clause)) {
      addAll(list->assignment_ops());
    } else if (const auto *list = dyn_cast<OMPCopyprivateClause>(clause)) {
      addAll(list->assignment_ops());
    }
  }

  void add(const Stmt *statement) {
    if (statement)
      hash_.add(meaning.ofStatement(statement));
  }
  template <class Range> void addAll(const Range &statements) {
    for (const Stmt *statement : statements)
      add(statement);
  }
  /// Copies of variables that nobody wrote, by how they are initialised.
  template <class Range> void addVariables(const Range &copies) {
    for (const Expr *copy : copies)
      if (const auto *name = dyn_cast_or_null<DeclRefExpr>(copy))
        if (const auto *variable = dyn_cast<VarDecl>(name->getDecl()))
          add(variable->getInit());
  }

  FingerprintBuilder &hash_;
};

} // namespace

void addClauses(UnitContext &unit, const FunctionDecl *function, FlowGraph &flow,
                FingerprintBuilder &hash) {
  Clauses clauses(unit, function, hash);
  clauses.addInside(function->getBody());
  llvm::append_range(flow.nodes.front().uses, clauses.meaning.uses);
}

} // namespace retest
