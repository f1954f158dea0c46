#include "lab/mutants/source_edits.h"

#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/StringExtras.h>

namespace retest {

using namespace clang;

namespace {

/// Changes of what is declared: none of them is in a statement that a test crosses.
class DeclarationsVisitor : public RecursiveASTVisitor<DeclarationsVisitor> {
public:
  DeclarationsVisitor(ASTContext &unit, const MutatedFiles &files, std::set<Mutant> &found)
      : unit_(unit), sources_(unit.getSourceManager()), edits_(unit, files, found) {}

  bool shouldVisitTemplateInstantiations() const { return false; }
  bool shouldVisitImplicitCode() const { return false; }

  bool VisitEnumConstantDecl(EnumConstantDecl *constant) {
    if (!edits_.isMutated(constant))
      return true;
    if (const Expr *value = constant->getInitExpr())
      edits_.wrap("enumerator", value->getSourceRange(), "(", ") + 1", nameOf(constant));
    else
      edits_.insertBehind("enumerator", constant->getLocation(),
                          " = " + llvm::toString(++llvm::APSInt(constant->getInitVal()), 10),
                          nameOf(constant));
    return true;
  }

  bool VisitParmVarDecl(ParmVarDecl *parameter) {
    if (edits_.isMutated(parameter) && parameter->hasDefaultArg() &&
        !parameter->hasUnparsedDefaultArg() && !parameter->hasUninstantiatedDefaultArg())
      alter("default argument", parameter->getDefaultArg(), nameOf(parameter));
    return true;
  }

  bool VisitFieldDecl(FieldDecl *field) {
    if (edits_.isMutated(field) && field->hasInClassInitializer() && field->getInClassInitializer())
      alter("member initialiser", field->getInClassInitializer(), nameOf(field));
    return true;
  }

  /// Outside of functions, or static; and what is constexpr anywhere.
  bool VisitVarDecl(VarDecl *variable) {
    if (llvm::isa<ParmVarDecl>(variable) || !variable->hasInit() || !edits_.isMutated(variable) ||
        !(variable->hasGlobalStorage() || variable->isConstexpr()))
      return true;
    const Expr *value = variable->getInit()->IgnoreUnlessSpelledInSource();
    if (auto *list = llvm::dyn_cast<InitListExpr>(value))
      alterTable(list, nameOf(variable));
    else
      alter(variable->isConstexpr() ? "constexpr" : "static initialiser", value, nameOf(variable));
    return true;
  }

  bool VisitCXXRecordDecl(CXXRecordDecl *record) {
    if (!record->isThisDeclarationADefinition() || !edits_.isMutated(record))
      return true;
    const FieldDecl *last = nullptr;
    for (const FieldDecl *field : record->fields()) {
      if (last && !last->isBitField() && !field->isBitField())
        edits_.exchange("member order", last->getSourceRange(), field->getSourceRange(),
                        nameOf(field));
      last = field;
    }
    return true;
  }

  bool VisitCXXMethodDecl(CXXMethodDecl *method) {
    if (!edits_.isMutated(method) || method != method->getFirstDecl())
      return true;
    if (method->isVirtualAsWritten() && !method->isPureVirtual() &&
        method->size_overridden_methods() == 0)
      removeWord("virtual removed", method->getBeginLoc(), "virtual", nameOf(method));
    // The method that it overrides is called instead.
    if (method->size_overridden_methods() != 0 && method->doesThisDeclarationHaveABody() &&
        !llvm::isa<CXXDestructorDecl>(method) &&
        llvm::none_of(method->overridden_methods(),
                      [](const CXXMethodDecl *base) { return base->isPureVirtual(); }))
      edits_.replace("override removed", method->getSourceRange(), "", nameOf(method));
    return true;
  }

  bool VisitFunctionDecl(FunctionDecl *function) {
    if (!edits_.isMutated(function) || function->isImplicit() || function->isDefaulted() ||
        function->isDeleted())
      return true;
    SourceRange written = function->getExceptionSpecSourceRange();
    if (written.isValid())
      edits_.replace("noexcept", written, "", nameOf(function));
    else if (function->doesThisDeclarationHaveABody() && function == function->getFirstDecl() &&
             !llvm::isa<CXXDestructorDecl>(function))
      addNoexcept(function);
    return true;
  }

  bool VisitCXXCatchStmt(CXXCatchStmt *handler) {
    const VarDecl *caught = handler->getExceptionDecl();
    std::string where = "catch";
    if (!caught)
      return true; // `catch (...)`: its dots have no place in the tree
    edits_.replace("catch type", caught->getSourceRange(), "...", where);
    if (TypeSourceInfo *type = caught->getTypeSourceInfo())
      edits_.replace("catch type", type->getTypeLoc().getUnqualifiedLoc().getSourceRange(), "int",
                     where);
    return true;
  }
  bool VisitCXXTryStmt(CXXTryStmt *statement) {
    for (unsigned i = 0; i + 1 < statement->getNumHandlers(); ++i)
      edits_.exchange("catch order", statement->getHandler(i)->getSourceRange(),
                      statement->getHandler(i + 1)->getSourceRange(), "catch");
    if (statement->getNumHandlers() > 1)
      edits_.replace("catch removed", statement->getHandler(0)->getSourceRange(), "", "catch");
    return true;
  }

private:
  static std::string nameOf(const NamedDecl *declaration) {
    return declaration->getQualifiedNameAsString();
  }

  /// Another value of the same type.
  void alter(const char *kind, const Expr *value, const std::string &name) {
    if (value->isTypeDependent() || value->isValueDependent())
      return;
    value = value->IgnoreUnlessSpelledInSource();
    QualType type = value->getType();
    if (llvm::isa<StringLiteral>(value))
      edits_.replace(kind, value->getSourceRange(), "\"\"", name);
    else if (type->isBooleanType())
      edits_.wrap(kind, value->getSourceRange(), "!(", ")", name);
    else if (type->isIntegralType(unit_) || type->isFloatingType())
      edits_.wrap(kind, value->getSourceRange(), "(", ") + 1", name);
  }

  void alterTable(const InitListExpr *list, const std::string &name) {
    constexpr unsigned kMost = 12; // of long tables some entries will do
    const Expr *last = nullptr;
    for (unsigned i = 0; i < std::min(list->getNumInits(), kMost); ++i) {
      const Expr *entry = list->getInit(i)->IgnoreUnlessSpelledInSource();
      if (auto *inner = llvm::dyn_cast<InitListExpr>(entry))
        alterTable(inner, name);
      else
        alter("table entry", entry, name);
      if (last && last->getType().getCanonicalType() == entry->getType().getCanonicalType())
        edits_.exchange("table entry", last->getSourceRange(), entry->getSourceRange(), name);
      last = entry;
    }
  }

  /// Between the parameters and the body, where nothing else stands.
  void addNoexcept(const FunctionDecl *function) {
    FunctionTypeLoc type = function->getFunctionTypeLoc();
    if (!type || function->getType()->castAs<FunctionType>()->getReturnType()->isUndeducedType())
      return;
    SourceLocation end = type.getRParenLoc();
    std::optional<Token> next =
        end.isFileID() ? Lexer::findNextToken(end, sources_, unit_.getLangOpts()) : std::nullopt;
    if (next && next->isOneOf(tok::l_brace, tok::colon))
      edits_.insertBehind("noexcept", end, " noexcept", nameOf(function));
  }

  void removeWord(const char *kind, SourceLocation begin, llvm::StringRef word,
                  const std::string &name) {
    auto text = edits_.writtenText(begin);
    if (text && edits_.textOf(*text) == word)
      edits_.add(kind, *text, "", name);
  }

  ASTContext &unit_;
  const SourceManager &sources_;
  SourceEdits edits_;
};

/// `#define LIMIT 10`: one token that has a value.
void addMacro(const IdentifierInfo &name, const MacroInfo &macro, SourceEdits &edits) {
  if (macro.isFunctionLike() || macro.getNumTokens() != 1 || macro.isBuiltinMacro())
    return;
  const Token &value = macro.getReplacementToken(0);
  if (value.is(tok::string_literal))
    edits.replace("macro", value.getLocation(), "\"\"", name.getName().str());
  else if (value.is(tok::numeric_constant))
    edits.wrap("macro", value.getLocation(), "(", " + 1)", name.getName().str());
}

} // namespace

void findDeclarationMutants(ASTContext &unit, const Preprocessor &preprocessor,
                            const MutatedFiles &files, std::set<Mutant> &found) {
  DeclarationsVisitor(unit, files, found).TraverseAST(unit);
  SourceEdits edits(unit, files, found);
  for (const auto &[name, state] : preprocessor.macros())
    if (const MacroInfo *macro = preprocessor.getMacroInfo(name))
      addMacro(*name, *macro, edits);
}

} // namespace retest
