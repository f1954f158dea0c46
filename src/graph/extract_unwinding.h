#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

#include <string>
#include <vector>

namespace retest {

/// One thing an exception meets on its way out of a function.
struct UnwindStep {
  enum class Kind { Destroy, DestroyFinished, Deallocate, Try };

  /// DestroyFinished: the elements of an array that were constructed before one of them threw.
  Kind kind = Kind::Destroy;
  const clang::CXXRecordDecl *record = nullptr;        ///< Destroy...: whose destructor runs
  const clang::VarDecl *variable = nullptr;            ///< Destroy: of which local, if of one
  const clang::FunctionDecl *operatorDelete = nullptr; ///< Deallocate
  const clang::CXXTryStmt *tryStatement = nullptr;     ///< Try
  int outer = -1; ///< the next step; kLeaves when the exception leaves the function
};

/// Which destructors run and which handlers are asked when a statement throws.
///
/// Clang's flow graph knows destructors on normal paths only. Here the body is read once, in the
/// order of evaluation, keeping the objects that live at each point:
///
///     A a; B b; f();        f throws: ~B, ~A, out
///     try { A a; f(); }     f throws: ~A, the handlers of the try
///     Pair p{A(), f()};     f throws: ~A, out: the finished parts of the object, not the object
///
/// The steps form a tree: each statement that may throw points at its innermost one.
class Unwinding {
public:
  static constexpr int kLeaves = -1;

  Unwinding(clang::ASTContext &ast, const clang::FunctionDecl *function, const clang::Stmt *body);

  /// The first step of an exception thrown by the statement itself; for a temporary, by its
  /// destructor. Several where the statement is evaluated in several places: in a default argument.
  llvm::ArrayRef<int> stepsAt(const clang::Stmt *statement) const;
  /// The first step of an exception thrown by the destructor of a local; in a destructor, of a
  /// member or base.
  int stepBehind(const clang::DeclaratorDecl *object) const;
  int stepBehind(const clang::CXXBaseSpecifier *base) const;
  const std::vector<UnwindStep> &steps() const { return steps_; }
  /// The classes of the temporaries that end with a local and that Clang's flow graph does not
  /// destroy, in the order of construction: those that an aggregate or a list refers to.
  llvm::ArrayRef<const clang::CXXRecordDecl *> endingWith(const clang::VarDecl *variable) const;
  bool hasExtendedTemporaries() const { return !endingWith_.empty(); }
  /// Why control flow is not what a flow graph shows (assembly, coroutine, setjmp, ...), or empty.
  const std::string &unmodelled() const { return unmodelled_; }

private:
  void visit(const clang::Stmt *statement);
  void visitChildren(const clang::Stmt *statement);
  void visitSizes(clang::QualType type);
  void visitVariable(const clang::VarDecl *variable);
  void noteExtended(const clang::VarDecl *variable, llvm::ArrayRef<clang::QualType> temporaries);
  void visitPart(const clang::Expr *initialiser);
  void visitList(const clang::Expr *list, llvm::ArrayRef<clang::Expr *> parts,
                 const clang::Expr *filler);
  void visitCaptures(const clang::LambdaExpr *lambda);
  void visitConstruction(const clang::Expr *construction);
  void visitArrayCopy(const clang::ArrayInitLoopExpr *loop);
  void visitTry(const clang::CXXTryStmt *statement);
  void visitHandlers(const clang::CXXTryStmt *statement);
  void visitNew(const clang::CXXNewExpr *allocation);
  void visitConstructor(const clang::CXXConstructorDecl *constructor, const clang::Stmt *body);
  void visitDestructor(const clang::CXXDestructorDecl *destructor, const clang::Stmt *body);
  void noteUnmodelled(const clang::Stmt *statement);
  void noteStep(const clang::Stmt *statement);
  void push(UnwindStep step);
  bool pushDestructor(clang::QualType type, const clang::VarDecl *variable);
  bool pushFinishedElements(clang::QualType array);
  void take(llvm::ArrayRef<int> steps, int outside);

  clang::ASTContext &ast_;
  std::vector<UnwindStep> steps_;
  int current_ = kLeaves;
  llvm::DenseMap<const clang::Stmt *, llvm::SmallVector<int, 1>> stepsAt_;
  llvm::DenseMap<const void *, int> stepBehind_; ///< by variable, field or base
  llvm::DenseMap<const clang::VarDecl *, std::vector<const clang::CXXRecordDecl *>> endingWith_;
  llvm::SmallVector<clang::QualType, 2> extended_; ///< temporaries that live as long as a variable
  std::string unmodelled_;
};

/// Whether evaluating the expression itself, not its operands, may end with an exception.
bool mayThrow(clang::ASTContext &ast, const clang::Stmt *expression);
bool mayThrow(clang::ASTContext &ast, const clang::FunctionDecl *function);

} // namespace retest
