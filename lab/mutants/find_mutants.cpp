#include "lab/mutants/source_edits.h"

#include <clang/AST/RecursiveASTVisitor.h>

#include <map>
#include <utility>

namespace retest {

using namespace clang;

namespace {

/// What an operator is replaced by: by something that takes operands of the same types.
struct Replacements {
  const char *kind;
  std::vector<const char *> operators;
};

const std::map<BinaryOperatorKind, Replacements> &replacements() {
  static const std::map<BinaryOperatorKind, Replacements> all = {
      {BO_Add, {"arithmetic", {"-"}}},         {BO_Sub, {"arithmetic", {"+"}}},
      {BO_Mul, {"arithmetic", {"/"}}},         {BO_Div, {"arithmetic", {"*"}}},
      {BO_Rem, {"arithmetic", {"*"}}},         {BO_And, {"arithmetic", {"|"}}},
      {BO_Or, {"arithmetic", {"&"}}},          {BO_Xor, {"arithmetic", {"|"}}},
      {BO_Shl, {"arithmetic", {">>"}}},        {BO_Shr, {"arithmetic", {"<<"}}},
      {BO_AddAssign, {"arithmetic", {"-="}}},  {BO_SubAssign, {"arithmetic", {"+="}}},
      {BO_MulAssign, {"arithmetic", {"/="}}},  {BO_DivAssign, {"arithmetic", {"*="}}},
      {BO_RemAssign, {"arithmetic", {"*="}}},  {BO_AndAssign, {"arithmetic", {"|="}}},
      {BO_OrAssign, {"arithmetic", {"&="}}},   {BO_XorAssign, {"arithmetic", {"|="}}},
      {BO_ShlAssign, {"arithmetic", {">>="}}}, {BO_ShrAssign, {"arithmetic", {"<<="}}},
      {BO_LT, {"comparison", {"<=", ">="}}},   {BO_LE, {"comparison", {"<", ">"}}},
      {BO_GT, {"comparison", {">=", "<="}}},   {BO_GE, {"comparison", {">", "<"}}},
      {BO_EQ, {"comparison", {"!="}}},         {BO_NE, {"comparison", {"=="}}},
      {BO_LAnd, {"logical", {"||"}}},          {BO_LOr, {"logical", {"&&"}}},
  };
  return all;
}

bool isArithmetic(QualType type) { return type->isArithmeticType() && !type->isBooleanType(); }

class MutantsVisitor : public RecursiveASTVisitor<MutantsVisitor> {
  using Base = RecursiveASTVisitor<MutantsVisitor>;

public:
  MutantsVisitor(ASTContext &unit, const MutatedFiles &files, std::set<Mutant> &found)
      : edits_(unit, files, found) {}

  // Of declarations, only bodies; of these, only what runs.

  bool TraverseDecl(Decl *declaration) {
    if (!declaration || llvm::isa<StaticAssertDecl, EnumDecl, FieldDecl>(declaration) ||
        isElsewhere(declaration))
      return true;
    if (auto *function = llvm::dyn_cast<FunctionDecl>(declaration))
      return traverseFunction(function);
    if (auto *function = llvm::dyn_cast<FunctionTemplateDecl>(declaration))
      return TraverseDecl(function->getTemplatedDecl());
    if (auto *variable = llvm::dyn_cast<VarDecl>(declaration);
        variable && !llvm::isa<ParmVarDecl>(variable))
      return variable->isConstexpr() || function_.empty() || TraverseStmt(variable->getInit());
    return Base::TraverseDecl(declaration);
  }
  bool TraverseTypeLoc(TypeLoc) { return true; }
  bool TraverseNestedNameSpecifierLoc(NestedNameSpecifierLoc) { return true; }
  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc &) { return true; }
  bool TraverseTemplateParameterListHelper(TemplateParameterList *) { return true; }
  bool TraverseAttr(Attr *) { return true; }
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *) { return true; }
  bool TraverseCXXNoexceptExpr(CXXNoexceptExpr *) { return true; }
  bool TraverseCXXTypeidExpr(CXXTypeidExpr *) { return true; }
  bool TraverseRequiresExpr(RequiresExpr *) { return true; }
  bool TraverseConceptSpecializationExpr(ConceptSpecializationExpr *) { return true; }
  bool TraverseCXXDefaultArgExpr(CXXDefaultArgExpr *) { return true; }
  bool TraverseCXXDefaultInitExpr(CXXDefaultInitExpr *) { return true; }
  bool TraverseCaseStmt(CaseStmt *label) { return TraverseStmt(label->getSubStmt()); }
  bool TraverseIfStmt(IfStmt *statement) {
    if (!statement->isConstexpr() && !statement->isConsteval())
      return Base::TraverseIfStmt(statement);
    return TraverseStmt(statement->getInit()) && TraverseStmt(statement->getThen()) &&
           TraverseStmt(statement->getElse());
  }

  // What is replaced.

  bool VisitBinaryOperator(BinaryOperator *operation) {
    auto known = replacements().find(operation->getOpcode());
    if (known == replacements().end() || isPointerOrClass(operation))
      return true;
    for (const char *other : known->second.operators)
      add(known->second.kind, operation->getOperatorLoc(), other);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *operation) {
    switch (operation->getOpcode()) {
    case UO_PreInc:
    case UO_PostInc:
      return add("arithmetic", operation->getOperatorLoc(), "--");
    case UO_PreDec:
    case UO_PostDec:
      return add("arithmetic", operation->getOperatorLoc(), "++");
    case UO_Minus:
    case UO_LNot:
    case UO_Not:
      return add("arithmetic", operation->getOperatorLoc(), " ");
    default:
      return true;
    }
  }
  bool VisitIntegerLiteral(IntegerLiteral *literal) {
    if (literal->getValue() != 0)
      add("constant", literal->getSourceRange(), "0");
    return wrap("constant", literal->getSourceRange(), "(", " + 1)");
  }
  bool VisitFloatingLiteral(FloatingLiteral *literal) {
    return wrap("constant", literal->getSourceRange(), "(", " + 1)");
  }
  bool VisitCharacterLiteral(CharacterLiteral *literal) {
    return add("constant", literal->getSourceRange(), literal->getValue() == 'x' ? "'y'" : "'x'");
  }
  bool VisitCXXBoolLiteralExpr(CXXBoolLiteralExpr *literal) {
    return add("constant", literal->getSourceRange(), literal->getValue() ? "false" : "true");
  }
  bool VisitStringLiteral(StringLiteral *literal) {
    if (literal->isOrdinary() && literal->getLength() != 0)
      add("text", literal->getSourceRange(), "\"\"");
    return true;
  }
  bool VisitIfStmt(IfStmt *statement) {
    if (statement->getConditionVariable() || statement->isConsteval())
      return true;
    add("branch", statement->getCond()->getSourceRange(), "true");
    add("branch", statement->getCond()->getSourceRange(), "false");
    if (Stmt *otherwise = statement->getElse(); otherwise &&
                                                llvm::isa<CompoundStmt>(statement->getThen()) &&
                                                llvm::isa<CompoundStmt>(otherwise))
      edits_.exchange("branch swap", statement->getThen()->getSourceRange(),
                      otherwise->getSourceRange(), function_);
    return negate(statement->getCond());
  }
  bool VisitWhileStmt(WhileStmt *loop) {
    return loop->getConditionVariable() || negate(loop->getCond());
  }
  bool VisitForStmt(ForStmt *loop) {
    return !loop->getCond() || loop->getConditionVariable() || negate(loop->getCond());
  }
  bool VisitDoStmt(DoStmt *loop) { return negate(loop->getCond()); }
  bool VisitConditionalOperator(ConditionalOperator *choice) { return negate(choice->getCond()); }
  bool VisitReturnStmt(ReturnStmt *statement) {
    Expr *value = statement->getRetValue();
    if (!value || value->isTypeDependent())
      return true;
    QualType type = value->getType();
    if (type->isBooleanType())
      return wrap("return", value->getSourceRange(), "!(", ")");
    if (isArithmetic(type))
      return wrap("return", value->getSourceRange(), "(", ") + 1");
    if (type->isPointerType())
      return add("return", value->getSourceRange(), "nullptr");
    if (type->isRecordType())
      return add("return", value->getSourceRange(), "{}");
    return true;
  }
  bool VisitCompoundStmt(CompoundStmt *block) {
    for (Stmt *statement : block->body())
      remove(statement);
    return true;
  }
  bool VisitCallExpr(CallExpr *call) {
    if (llvm::isa<CXXOperatorCallExpr>(call))
      return true;
    visitArguments({call->getArgs(), call->getNumArgs()});
    retarget(call);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *made) {
    visitArguments({made->getArgs(), made->getNumArgs()});
    return true;
  }

private:
  bool traverseFunction(FunctionDecl *function) {
    if (!function->doesThisDeclarationHaveABody() || function->isConsteval() ||
        function->isDefaulted() || function->isImplicit())
      return true;
    std::string outer = std::exchange(function_, function->getQualifiedNameAsString());
    if (auto *constructor = llvm::dyn_cast<CXXConstructorDecl>(function))
      for (CXXCtorInitializer *initialiser : constructor->inits())
        if (initialiser->isWritten())
          TraverseStmt(initialiser->getInit());
    TraverseStmt(function->getBody());
    function_ = std::move(outer);
    return true;
  }

  bool isElsewhere(const Decl *declaration) const {
    return !llvm::isa<TranslationUnitDecl, NamespaceDecl, LinkageSpecDecl>(declaration) &&
           !edits_.isMutated(declaration);
  }

  /// Pointers: most of what an operator could be replaced by does not compile, or reads anywhere.
  /// Comparisons of them are fine.
  static bool isPointerOrClass(const BinaryOperator *operation) {
    if (operation->isComparisonOp() || operation->isLogicalOp())
      return false;
    for (const Expr *operand : {operation->getLHS(), operation->getRHS()})
      if (!operand->isTypeDependent() && !operand->getType()->isIntegralOrEnumerationType() &&
          !operand->getType()->isFloatingType())
        return true;
    return false;
  }

  bool negate(Expr *condition) { return wrap("condition", condition->getSourceRange(), "!(", ")"); }

  /// A statement that is nothing but an expression, or a jump inside of its function.
  void remove(Stmt *statement) {
    auto *expression = llvm::dyn_cast<Expr>(statement);
    if (expression || llvm::isa<BreakStmt, ContinueStmt>(statement))
      add("statement", statement->getSourceRange(), "");
  }

  /// Numbers get another value; neighbours of one type change places.
  void visitArguments(llvm::ArrayRef<Expr *> arguments) {
    for (size_t i = 0; i < arguments.size(); ++i) {
      const Expr *one = arguments[i];
      if (llvm::isa<CXXDefaultArgExpr>(one))
        return;
      if (isArithmetic(one->getType()) && one->isPRValue() &&
          !llvm::isa<IntegerLiteral, FloatingLiteral, CharacterLiteral>(one->IgnoreParenImpCasts()))
        wrap("argument", one->getSourceRange(), "(", ") + 1");
      if (i + 1 < arguments.size() && !llvm::isa<CXXDefaultArgExpr>(arguments[i + 1]))
        exchange(one, arguments[i + 1]);
    }
  }

  void exchange(const Expr *one, const Expr *next) {
    if (one->getType().getCanonicalType() == next->getType().getCanonicalType())
      edits_.exchange("argument", one->getSourceRange(), next->getSourceRange(), function_);
  }

  /// Calls the next function of the same type that is declared beside the callee.
  void retarget(const CallExpr *call) {
    const FunctionDecl *callee = call->getDirectCallee();
    if (!callee || !callee->getIdentifier() || !edits_.isMutated(callee) ||
        callee->getTemplatedKind() != FunctionDecl::TK_NonTemplate)
      return;
    SourceLocation name = call->getCallee()->IgnoreParenImpCasts()->getExprLoc();
    if (auto *member = llvm::dyn_cast<MemberExpr>(call->getCallee()->IgnoreParenImpCasts()))
      name = member->getMemberLoc();
    const FunctionDecl *first = nullptr, *next = nullptr;
    bool isBehind = false;
    for (const Decl *declaration : callee->getDeclContext()->decls()) {
      auto *other = llvm::dyn_cast<FunctionDecl>(declaration);
      if (!other || !other->getIdentifier() || other->getFirstDecl() != other)
        continue;
      if (other == callee->getFirstDecl()) {
        isBehind = true;
        continue;
      }
      if (other->getName() == callee->getName() || other->getQualifiedNameAsString() == function_ ||
          other->getType().getCanonicalType() != callee->getType().getCanonicalType())
        continue;
      first = first ? first : other;
      if (isBehind && !next)
        next = other;
    }
    if (const FunctionDecl *other = next ? next : first)
      add("call", name, other->getName().str());
  }

  bool wrap(const char *kind, SourceRange range, llvm::StringRef before, llvm::StringRef after) {
    if (!function_.empty())
      edits_.wrap(kind, range, before, after, function_);
    return true;
  }

  bool add(const char *kind, SourceRange range, std::string replacement) {
    if (!function_.empty())
      edits_.replace(kind, range, std::move(replacement), function_);
    return true;
  }

  SourceEdits edits_;
  std::string function_; ///< the one whose body is read; empty outside of bodies
};

} // namespace

void findMutants(ASTContext &unit, const MutatedFiles &files, std::set<Mutant> &found) {
  MutantsVisitor(unit, files, found).TraverseAST(unit);
}

} // namespace retest
