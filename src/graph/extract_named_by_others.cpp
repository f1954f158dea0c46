#include "graph/extract_given.h"

#include <clang/AST/RecursiveASTVisitor.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/xxhash.h>

#include <set>

namespace retest {

using namespace clang;

namespace {

class NamedByOthers : public RecursiveASTVisitor<NamedByOthers> {
public:
  explicit NamedByOthers(UnitContext &unit) : unit_(unit) {}

  bool shouldVisitImplicitCode() const { return true; }

  /// Looks at what stands outside the project, also inside a namespace of the project.
  bool TraverseDecl(Decl *declaration) {
    if (!declaration)
      return true;
    if (isOurs(declaration)) {
      if (isa<NamespaceDecl, LinkageSpecDecl>(declaration))
        for (Decl *member : Decl::castToDeclContext(declaration)->decls())
          TraverseDecl(member);
      return true;
    }
    const auto *variable = dyn_cast<VarDecl>(declaration);
    std::size_t before = found_.size();
    if (!RecursiveASTVisitor::TraverseDecl(declaration))
      return false;
    if (variable && variable->isFileVarDecl() && found_.size() != before &&
        !variable->getType()->isDependentType() && !isVisited(variable))
      unit_.externalVariables.insert(variable);
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *expression) { return noteValue(expression->getDecl()); }
  bool VisitMemberExpr(MemberExpr *expression) { return noteValue(expression->getMemberDecl()); }
  bool VisitCXXConstructExpr(CXXConstructExpr *expression) {
    return noteValue(expression->getConstructor());
  }
  bool VisitTypedefType(TypedefType *type) {
    if (isOurs(type->getDecl()))
      add(type->getDecl(), unit_.hashOfType(type->getDecl()->getUnderlyingType()));
    return true;
  }
  bool VisitTagType(TagType *type) {
    if (TagDecl *definition = type->getDecl()->getDefinition(); definition && isOurs(definition))
      noteType(definition);
    return true;
  }

  /// What is named, each once. `namesFunctions`: whether the compiler may have called one.
  Fingerprint finish(bool &namesFunctions) const {
    namesFunctions = namesFunctions_;
    if (found_.empty())
      return {};
    FingerprintBuilder hash;
    for (std::uint64_t part : std::set<std::uint64_t>(found_.begin(), found_.end()))
      hash.add(part);
    return hash.finish();
  }

private:
  bool isOurs(const Decl *declaration) {
    return declaration->getLocation().isValid() && unit_.isInProject(declaration);
  }

  /// In a namespace of the project: then it is among the unit's declarations already.
  bool isVisited(const VarDecl *variable) {
    for (const DeclContext *context = variable->getDeclContext(); context;
         context = context->getParent())
      if (const auto *space = dyn_cast<NamespaceDecl>(context); space && isOurs(space))
        return true;
    return false;
  }

  void add(const NamedDecl *declaration, std::uint64_t meaning) {
    found_.push_back(unit_.hashOfName(declaration));
    found_.push_back(meaning ^ found_.back());
  }

  bool noteValue(const ValueDecl *declaration) {
    if (!isOurs(declaration))
      return true;
    std::uint64_t meaning = unit_.hashOfType(declaration->getType());
    if (const auto *variable = dyn_cast<VarDecl>(declaration))
      meaning ^= unit_.hashOfConstant(variable);
    if (const auto *enumerator = dyn_cast<EnumConstantDecl>(declaration))
      meaning ^= llvm::xxh3_64bits(llvm::toString(enumerator->getInitVal(), 10));
    namesFunctions_ |= isa<FunctionDecl>(declaration);
    add(declaration, meaning);
    return true;
  }

  void noteType(const TagDecl *type) {
    FingerprintBuilder hash;
    if (const auto *values = dyn_cast<EnumDecl>(type)) {
      hash.add(unit_.hashOfType(values->getIntegerType()));
      for (const EnumConstantDecl *value : values->enumerators())
        hash.add(llvm::StringRef(llvm::toString(value->getInitVal(), 10)));
    } else if (const auto *record = dyn_cast<RecordDecl>(type);
               record && !record->isDependentContext()) {
      hash.add(unit_.layoutOf(record));
      if (const auto *derived = dyn_cast<CXXRecordDecl>(record))
        for (const CXXBaseSpecifier &base : derived->bases())
          hash.add(unit_.hashOfType(base.getType()));
    }
    add(type, hash.finish().low);
  }

  UnitContext &unit_;
  std::vector<std::uint64_t> found_;
  bool namesFunctions_ = false;
};

} // namespace

Fingerprint namedByOthers(UnitContext &unit, const UnitGraph &graph) {
  if (!unit.macrosNameProject && !unit.places.isProjectInsideExternal())
    return {};
  NamedByOthers named(unit);
  for (Decl *declaration : unit.ast.getTranslationUnitDecl()->decls())
    named.TraverseDecl(declaration);
  bool namesFunctions = false;
  Fingerprint found = named.finish(namesFunctions);
  if (!namesFunctions)
    return found;
  // What the compiler computes with them is in no place that could be looked at.
  FingerprintBuilder hash;
  hash.add(found);
  for (const Function &function : graph.functions)
    if (function.isConstexpr && !function.isExternal)
      hash.add(function.fingerprint);
  return hash.finish();
}

} // namespace retest
