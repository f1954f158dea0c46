// What is written in external code that was instantiated: there a specialisation of the project may
// act, though nothing of it is left in the types.
#include "graph/extract_context.h"

#include <clang/AST/RecursiveASTVisitor.h>

namespace retest {

using namespace clang;

namespace {

class Mentions : public RecursiveASTVisitor<Mentions> {
public:
  explicit Mentions(UnitContext &unit) : unit_(unit) {}

  // Each returns false, and so ends the search, when it has found something.
  bool VisitTypedefType(TypedefType *type) { return !isOurs(type->getDecl()); }
  bool VisitTagType(TagType *type) { return !isOurs(type->getDecl()); }
  bool VisitTemplateSpecializationType(TemplateSpecializationType *type) {
    if (const auto *record = dyn_cast_or_null<CXXRecordDecl>(type->getAsRecordDecl()))
      return !isOurs(record);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *expression) { return !isOurs(expression->getDecl()); }
  bool VisitMemberExpr(MemberExpr *expression) { return !isOurs(expression->getMemberDecl()); }

private:
  bool isOurs(const NamedDecl *declaration) { return unit_.isInProject(declaration); }

  UnitContext &unit_;
};

} // namespace

bool UnitContext::mentionsProject(TypeLoc type) {
  return !type.isNull() && !Mentions(*this).TraverseTypeLoc(type);
}

bool UnitContext::mentionsProject(NestedNameSpecifierLoc qualifier) {
  return qualifier && !Mentions(*this).TraverseNestedNameSpecifierLoc(qualifier);
}

bool UnitContext::mentionsProject(llvm::ArrayRef<TemplateArgumentLoc> arguments) {
  return llvm::any_of(arguments, [&](const TemplateArgumentLoc &argument) {
    return !Mentions(*this).TraverseTemplateArgumentLoc(argument);
  });
}

} // namespace retest
