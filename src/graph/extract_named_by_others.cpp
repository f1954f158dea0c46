#include "graph/extract_entity_parts.h"
#include "graph/extract_given.h"

#include <clang/AST/RecursiveASTVisitor.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/xxhash.h>

#include <map>
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
        !variable->getType()->isDependentType() && !isInOurNamespace(variable))
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
  bool VisitUsingType(UsingType *type) {
    if (const auto *tag = type->getUnderlyingType()->getAsTagDecl();
        tag && tag->getDefinition() && isOurs(tag->getDefinition()))
      noteType(tag->getDefinition());
    return true;
  }
  bool VisitTemplateSpecializationType(TemplateSpecializationType *type) {
    const TemplateDecl *named = type->getTemplateName().getAsTemplateDecl();
    if (named && isOurs(named)) {
      add(named, unit_.hashOfType(QualType(type, 0)));
      if (const auto *tag = type->getAsTagDecl(); tag && tag->getDefinition())
        noteType(tag->getDefinition());
      noteText(named);
    }
    return true;
  }
  bool VisitConceptSpecializationExpr(ConceptSpecializationExpr *expression) {
    if (isOurs(expression->getNamedConcept()))
      noteText(expression->getNamedConcept());
    return true;
  }
  bool VisitTagType(TagType *type) {
    if (TagDecl *definition = type->getDecl()->getDefinition(); definition && isOurs(definition))
      noteType(definition);
    return true;
  }

  /// Whether the compiler may have called a function of the project.
  bool namesConstexpr() const { return namesConstexpr_; }

  /// What is named, each once.
  Fingerprint finish() const {
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
  bool isInOurNamespace(const VarDecl *variable) {
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
    if (const auto *function = dyn_cast<FunctionDecl>(declaration))
      namesConstexpr_ |= function->isConstexpr();
    add(declaration, meaning);
    return true;
  }

  void noteText(const Decl *declaration) {
    FingerprintBuilder hash;
    addText(unit_, declaration, hash);
    found_.push_back(hash.finish().low);
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
  bool namesConstexpr_ = false;
};

/// `namespace std`, `namespace __gnu_cxx`: by far the most of all declarations, and made before any
/// project was.
bool isOfStandardLibrary(const Decl *declaration) {
  const auto *space = dyn_cast<NamespaceDecl>(declaration);
  return space && (space->isStdNamespace() || space->getName().starts_with("__"));
}

} // namespace

Fingerprint namedByOthers(UnitContext &unit, const UnitGraph &graph) {
  NamedByOthers named(unit);
  // Nobody can name what is not declared yet, unless a macro or an included file declares it.
  bool isOursSeen = unit.macrosNameProject || unit.places.isProjectInsideExternal();
  for (Decl *declaration : unit.ast.getTranslationUnitDecl()->decls()) {
    isOursSeen |= declaration->getLocation().isValid() && unit.isInProject(declaration);
    if (isOursSeen && (unit.macrosNameProject || !isOfStandardLibrary(declaration)))
      named.TraverseDecl(declaration);
  }
  Fingerprint found = named.finish();
  if (!named.namesConstexpr())
    return found;
  // What the compiler computes with them is in no place that could be looked at.
  std::map<llvm::StringRef, Fingerprint> functions;
  for (const Function &function : graph.functions)
    if (function.isConstexpr && !function.isExternal)
      functions[unit.names.text(function.name)] = function.fingerprint;
  FingerprintBuilder hash;
  hash.add(found);
  for (const auto &[name, fingerprint] : functions)
    hash.add(name).add(fingerprint);
  return hash.finish();
}

} // namespace retest
