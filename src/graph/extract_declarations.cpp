#include "graph/extract_declarations.h"

#include "graph/extract_entity_parts.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclFriend.h>
#include <clang/AST/DeclOpenMP.h>
#include <clang/AST/DeclTemplate.h>

namespace retest {

using namespace clang;

namespace {

/// Declarations that do nothing by themselves: what they mean is seen in the code that names them.
bool actsWhereItIsUsed(const Decl *declaration) {
  if (isa<OMPDeclareReductionDecl, OMPDeclareMapperDecl>(declaration)) // have code of their own
    return false;
  return isa<TypeDecl, ValueDecl, TemplateDecl, UsingDirectiveDecl, NamespaceAliasDecl,
             BaseUsingDecl, UsingShadowDecl, UsingPackDecl, StaticAssertDecl, AccessSpecDecl,
             EmptyDecl, FriendTemplateDecl, RequiresExprBodyDecl, LifetimeExtendedTemporaryDecl,
             LabelDecl, PragmaCommentDecl>(declaration);
}

/// Whether an instance of a template comes from this partial specialisation of it.
template <class Instance, class Partial>
bool isMadeFrom(const Instance *instance, const Partial *partial) {
  auto *from = llvm::dyn_cast_if_present<Partial *>(instance->getSpecializedTemplateOrPartial());
  return from && from->getCanonicalDecl() == partial->getCanonicalDecl();
}

class Collector {
public:
  explicit Collector(UnitContext &unit) : unit_(unit) {}

  Declarations collect() {
    bool looksInside = unit_.places.isProjectInsideExternal();
    for (const Decl *declaration : unit_.ast.getTranslationUnitDecl()->decls())
      if (unit_.isInProject(declaration))
        visit(declaration);
      else if (looksInside)
        lookInside(declaration);
    return std::move(found_);
  }

private:
  /// What the project defines inside a namespace that an external file has opened.
  void lookInside(const Decl *declaration) {
    if (!isa<NamespaceDecl, LinkageSpecDecl>(declaration))
      return;
    for (const Decl *member : Decl::castToDeclContext(declaration)->decls())
      unit_.isInProject(member) ? visit(member) : lookInside(member);
  }

  void visitAll(const DeclContext *context) {
    for (const Decl *declaration : context->decls())
      visit(declaration);
  }

  void visit(const Decl *declaration) {
    if (declaration->isInvalidDecl())
      return;
    if (const auto *function = dyn_cast<FunctionDecl>(declaration))
      return visitFunction(function);
    if (const auto *record = dyn_cast<RecordDecl>(declaration))
      return visitRecord(record);
    if (const auto *variable = dyn_cast<VarDecl>(declaration))
      return visitVariable(variable);
    if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(declaration))
      return visitAll(Decl::castToDeclContext(declaration));
    if (isa<BlockDecl, CapturedDecl>(declaration)) // in the initialiser of a global
      return visitLocals(Decl::castToDeclContext(declaration));
    if (const auto *friendly = dyn_cast<FriendDecl>(declaration)) {
      if (friendly->getFriendDecl())
        visit(friendly->getFriendDecl());
    } else if (const auto *functions = dyn_cast<FunctionTemplateDecl>(declaration)) {
      for (const FunctionDecl *instance : functions->specializations())
        visitFunction(instance);
    } else if (const auto *records = dyn_cast<ClassTemplateDecl>(declaration)) {
      for (const RecordDecl *instance : records->specializations())
        visitRecord(instance);
    } else if (const auto *variables = dyn_cast<VarTemplateDecl>(declaration)) {
      for (const VarDecl *instance : variables->specializations())
        visitVariable(instance);
    } else if (!actsWhereItIsUsed(declaration)) {
      found_.unmodelled.insert(declaration);
    }
  }

  void visitFunction(const FunctionDecl *function) {
    if (function->hasAttr<AliasAttr>() || function->hasAttr<IFuncAttr>() ||
        (function->hasAttr<AsmLabelAttr>() && !function->isDefined()))
      found_.aliases.insert(function->getMostRecentDecl());
    if (function->isDependentContext() || !function->doesThisDeclarationHaveABody() ||
        !function->getBody() || !found_.functions.insert(function))
      return;
    visitLocals(function);
  }

  /// Local classes and lambdas, also those inside block literals and OpenMP regions.
  void visitLocals(const DeclContext *context) {
    for (const Decl *declaration : context->decls())
      if (const auto *record = dyn_cast<RecordDecl>(declaration))
        visitRecord(record);
      else if (isa<BlockDecl, CapturedDecl>(declaration))
        visitLocals(Decl::castToDeclContext(declaration));
      else if (const auto *variable = dyn_cast<VarDecl>(declaration);
               variable && variable->isStaticLocal() && isInNamedSection(variable))
        found_.placedLocals.insert(variable);
  }

  void visitRecord(const RecordDecl *record) {
    if (const auto *partial = dyn_cast<ClassTemplatePartialSpecializationDecl>(record);
        partial && !unit_.isInProject(partial->getSpecializedTemplate()))
      for (const ClassTemplateSpecializationDecl *instance :
           partial->getSpecializedTemplate()->specializations())
        if (isMadeFrom(instance, partial))
          visitRecord(instance);
    record = record->getDefinition();
    if (!record || record->isDependentContext() || record->isInvalidDecl() ||
        !found_.records.insert(record))
      return;
    visitAll(record);
  }

  void visitVariable(const VarDecl *variable) {
    if (const auto *partial = dyn_cast<VarTemplatePartialSpecializationDecl>(variable);
        partial && !unit_.isInProject(partial->getSpecializedTemplate()))
      for (const VarTemplateSpecializationDecl *instance :
           partial->getSpecializedTemplate()->specializations())
        if (isMadeFrom(instance, partial))
          visitVariable(instance);
    if (variable->getDeclContext()->isDependentContext() || variable->getDescribedVarTemplate() ||
        isa<VarTemplatePartialSpecializationDecl>(variable) || !variable->hasGlobalStorage() ||
        variable->isStaticLocal() || variable->getType()->isUndeducedType())
      return;
    if (variable->hasAttr<AliasAttr>() ||
        (variable->hasAttr<AsmLabelAttr>() && !variable->hasDefinition())) {
      found_.variableAliases.insert(variable->getMostRecentDecl());
      return;
    }
    if (variable->isThisDeclarationADefinition() == VarDecl::DeclarationOnly)
      return;
    // In C, `int x; int x = 1;` defines it once.
    const VarDecl *definition = variable->getDefinition();
    found_.variables.insert(definition ? definition : variable->getActingDefinition());
  }

  UnitContext &unit_;
  Declarations found_;
};

} // namespace

Declarations collectDeclarations(UnitContext &unit) { return Collector(unit).collect(); }

} // namespace retest
