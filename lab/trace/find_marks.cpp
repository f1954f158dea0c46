#include "lab/trace/find_marks.h"

#include <clang/AST/RecursiveASTVisitor.h>

namespace retest {

using namespace clang;

namespace {

/// Whether all in it is outside of the project's sources.
bool isOfLibrary(const SourceManager &sources, const Decl *declaration) {
  return !llvm::isa<TranslationUnitDecl, NamespaceDecl, LinkageSpecDecl>(declaration) &&
         sources.isInSystemHeader(declaration->getLocation());
}

/// Notes overloaded && and ||, also those that only instantiations have.
class OverloadsVisitor : public RecursiveASTVisitor<OverloadsVisitor> {
public:
  OverloadsVisitor(const SourceManager &sources, const ProjectFiles &project, FoundMarks &found)
      : sources_(sources), project_(project), found_(found) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool TraverseDecl(Decl *declaration) {
    return !declaration || isOfLibrary(sources_, declaration) ||
           RecursiveASTVisitor::TraverseDecl(declaration);
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *call) {
    if (call->getOperator() == OO_AmpAmp || call->getOperator() == OO_PipePipe)
      if (auto text = project_.text(sources_, call->getOperatorLoc()))
        found_.overloaded[text->file].push_back(text->begin);
    return true;
  }

private:
  const SourceManager &sources_;
  const ProjectFiles &project_;
  FoundMarks &found_;
};

class MarksVisitor : public RecursiveASTVisitor<MarksVisitor> {
  using Base = RecursiveASTVisitor<MarksVisitor>;

public:
  MarksVisitor(ASTContext &unit, const ProjectFiles &project, FoundMarks &found)
      : unit_(unit), sources_(unit.getSourceManager()), project_(project), found_(found) {}

  // Of declarations, only what runs.

  bool TraverseDecl(Decl *declaration) {
    if (!declaration || llvm::isa<StaticAssertDecl, EnumDecl, FieldDecl>(declaration) ||
        isOfLibrary(sources_, declaration))
      return true;
    if (auto *function = llvm::dyn_cast<FunctionDecl>(declaration))
      return traverseFunction(function);
    if (auto *function = llvm::dyn_cast<FunctionTemplateDecl>(declaration))
      return TraverseDecl(function->getTemplatedDecl());
    if (auto *variable = llvm::dyn_cast<VarDecl>(declaration);
        variable && !llvm::isa<ParmVarDecl>(variable))
      return variable->isConstexpr() || TraverseStmt(variable->getInit());
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

  // What is marked.

  bool VisitLambdaExpr(LambdaExpr *lambda) {
    if (!lambda->getCallOperator()->isConsteval())
      markBlock(Mark::Kind::Entry, lambda->getBody(), lambda->getBody()->getBeginLoc());
    return true;
  }
  bool VisitIfStmt(IfStmt *statement) {
    if (!statement->getConditionVariable())
      return markSides(statement->getCond());
    markTaken(Mark::Kind::True, statement->getThen(), statement->getCond()->getSourceRange());
    if (statement->getElse())
      markTaken(Mark::Kind::False, statement->getElse(), statement->getCond()->getSourceRange());
    else
      skip("F of a condition that declares", statement->getBeginLoc());
    return true;
  }
  bool VisitWhileStmt(WhileStmt *loop) {
    return markLoop(loop->getCond(), loop->getConditionVariable(), loop->getBody());
  }
  bool VisitForStmt(ForStmt *loop) {
    return !loop->getCond() ||
           markLoop(loop->getCond(), loop->getConditionVariable(), loop->getBody());
  }
  bool VisitDoStmt(DoStmt *loop) { return markSides(loop->getCond()); }
  bool VisitConditionalOperator(ConditionalOperator *choice) {
    return markSides(choice->getCond());
  }
  bool VisitBinaryConditionalOperator(BinaryConditionalOperator *choice) {
    return skip("x ?: y", choice->getBeginLoc());
  }
  bool VisitCXXForRangeStmt(CXXForRangeStmt *loop) {
    markTaken(Mark::Kind::True, loop->getBody(), loop->getColonLoc());
    return skip("F of a range-for", loop->getColonLoc());
  }
  bool VisitBinaryOperator(BinaryOperator *logical) {
    if (!logical->isLogicalOp())
      return true;
    auto text = project_.text(sources_, logical->getOperatorLoc());
    for (Expr *operand : {logical->getLHS(), logical->getRHS()})
      wrap(Mark::Kind::Side, operand, true, text ? text->begin : 0);
    return true;
  }
  bool VisitSwitchStmt(SwitchStmt *choice) {
    if (choice->getConditionVariable())
      return skip("switch over a declaration", choice->getBeginLoc());
    wrap(Mark::Kind::Choice, choice->getCond(), false);
    return true;
  }
  bool VisitCXXCatchStmt(CXXCatchStmt *handler) {
    markBlock(Mark::Kind::Catch, handler->getHandlerBlock(), handler->getBeginLoc());
    return true;
  }

private:
  bool traverseFunction(FunctionDecl *function) {
    if (!function->doesThisDeclarationHaveABody() || function->isConsteval() ||
        function->isDefaulted() || function->isImplicit())
      return true;
    if (auto *constructor = llvm::dyn_cast<CXXConstructorDecl>(function))
      for (CXXCtorInitializer *initialiser : constructor->inits())
        if (initialiser->isWritten())
          TraverseStmt(initialiser->getInit());
    Stmt *body = function->getBody();
    markBlock(Mark::Kind::Entry, body, body->getBeginLoc());
    return TraverseStmt(body);
  }

  bool markLoop(Expr *condition, VarDecl *variable, Stmt *body) {
    if (!variable)
      return markSides(condition);
    markTaken(Mark::Kind::True, body, condition->getSourceRange());
    return skip("F of a condition that declares", condition->getBeginLoc());
  }

  bool markSides(Expr *condition) {
    auto *logical = llvm::dyn_cast<BinaryOperator>(condition->IgnoreParenImpCasts());
    wrap(Mark::Kind::Side, condition, logical && logical->isLogicalOp());
    return true;
  }

  void wrap(Mark::Kind kind, Expr *expression, bool isLogical, unsigned operatorAt = 0) {
    SourceRange outer = expression->getSourceRange();
    SourceRange range = expression->IgnoreParens()->getSourceRange();
    auto text = writtenText(range);
    if (!text)
      return;
    Mark mark = markAt(kind, Mark::Form::Wrap, range);
    mark.outer = placeOf(outer);
    mark.begin = text->begin;
    mark.end = text->end;
    mark.isLogical = isLogical;
    mark.operatorAt = operatorAt;
    add(text->file, mark);
  }

  /// `place` is where the mark says that it is.
  void markBlock(Mark::Kind kind, Stmt *body, SourceRange place) {
    if (auto *attempt = llvm::dyn_cast<CXXTryStmt>(body))
      body = attempt->getTryBlock();
    auto *block = llvm::dyn_cast<CompoundStmt>(body);
    if (!block)
      return;
    if (auto text = writtenText(block->getLBracLoc())) {
      Mark mark = markAt(kind, Mark::Form::AfterBrace, place);
      mark.begin = mark.end = text->end;
      add(text->file, mark);
    }
  }

  void markTaken(Mark::Kind kind, Stmt *body, SourceRange place) {
    if (llvm::isa<CompoundStmt>(body))
      return markBlock(kind, body, place);
    if (auto text = writtenText(body->getBeginLoc())) {
      Mark mark = markAt(kind, Mark::Form::BeforeStatement, place);
      mark.begin = mark.end = text->begin;
      add(text->file, mark);
    }
  }

  /// The text of the range if it can be written around: in a file of the project, not inside of a
  /// macro, no directive in it.
  std::optional<ProjectText> writtenText(SourceRange range) {
    auto text = project_.text(sources_, range);
    if (!text)
      return std::nullopt;
    if (!isOutsideOfMacros(unit_, range, *text)) {
      skip("in a macro", range.getBegin());
      return std::nullopt;
    }
    if (hasDirective(sources_, *text)) {
      skip("a directive inside", range.getBegin());
      return std::nullopt;
    }
    return text;
  }

  Mark::Place placeOf(SourceRange range) const {
    SourceLocation begin = sources_.getExpansionLoc(range.getBegin());
    SourceLocation end = sources_.getExpansionLoc(range.getEnd());
    return {sources_.getSpellingLineNumber(begin), sources_.getSpellingColumnNumber(begin),
            sources_.getSpellingLineNumber(end), sources_.getSpellingColumnNumber(end)};
  }

  Mark markAt(Mark::Kind kind, Mark::Form form, SourceRange range) const {
    Mark mark{};
    mark.kind = kind;
    mark.form = form;
    mark.place = mark.outer = placeOf(range);
    return mark;
  }

  void add(const std::string &file, const Mark &mark) { found_.files[file].push_back(mark); }

  bool skip(const char *reason, SourceLocation location) {
    if (auto text = project_.text(sources_, location))
      found_.skipped[reason].push_back(text->file + ":" + std::to_string(text->begin));
    return true;
  }

  ASTContext &unit_;
  const SourceManager &sources_;
  const ProjectFiles &project_;
  FoundMarks &found_;
};

} // namespace

void findMarks(ASTContext &unit, const ProjectFiles &project, FoundMarks &found) {
  OverloadsVisitor(unit.getSourceManager(), project, found).TraverseAST(unit);
  MarksVisitor(unit, project, found).TraverseAST(unit);
}

} // namespace retest
