#pragma once

#include "graph/extract_context.h"

#include <clang/AST/ExprCXX.h>

namespace retest {

/// Finds the instantiations outside the project that name a type of the project or reach a
/// function of it (DESIGN 2.4, rule 7), starting from `unit.externalFunctions`.
///
/// They are followed from function to function, looking at calls only: most of them (vector<int>)
/// have nothing to do with the project and need no flow graph.
class ExternalSearch {
public:
  explicit ExternalSearch(UnitContext &unit) : unit_(unit) {}

  /// The functions that were found since the last call, in the order of the source. Reading them
  /// may lead to more.
  std::vector<const clang::FunctionDecl *> findMore();

private:
  bool namesProjectType(const clang::FunctionDecl *function);
  bool hasProjectArguments(const clang::FunctionDecl *function);
  void look(const clang::FunctionDecl *function);
  void mark(const clang::FunctionDecl *function);
  void reach(const clang::FunctionDecl *function, const clang::FunctionDecl *caller);
  void reachVariable(const clang::VarDecl *variable);
  void reachIfAny(const clang::FunctionDecl *function);
  void reachDestructor(clang::QualType type);
  void reachDestructorsOfParts(const clang::CXXRecordDecl *record);
  void reachLambda(const clang::LambdaExpr *lambda);
  void reachDeclared(const clang::VarDecl *variable);
  void reachVirtualMethods(const clang::CXXRecordDecl *record);
  void reachTypes(const clang::Stmt *statement);
  void reachWritten(const clang::Stmt *statement);
  void seeWritten(const clang::DeclaratorDecl *declaration);
  void visit(const clang::Stmt *statement);

  UnitContext &unit_;
  const clang::FunctionDecl *from_ = nullptr; ///< whose body is looked at
  std::size_t started_ = 0;                   ///< of unit_.externalFunctions
  std::size_t returned_ = 0;                  ///< of marked_
  llvm::DenseSet<const clang::FunctionDecl *> seen_;
  llvm::DenseSet<std::pair<const clang::FunctionDecl *, const clang::VarDecl *>> seenVariables_;
  llvm::SmallVector<const clang::FunctionDecl *, 64> pending_;
  llvm::SetVector<const clang::FunctionDecl *> marked_;
  llvm::DenseMap<const clang::FunctionDecl *, llvm::SmallVector<const clang::FunctionDecl *, 2>>
      callers_;
};

} // namespace retest
