#include "graph/extract_given.h"

#include "graph/extract_entity_parts.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <llvm/ADT/StringExtras.h>

#include <map>

namespace retest {

using namespace clang;

namespace {

/// Whether neither the template nor an argument is of the project.
template <class Specialisation>
bool isForOthers(UnitContext &unit, const Specialisation *specialisation) {
  auto isOfProject = [&](const TemplateArgument &argument) {
    return unit.namesProjectType(argument);
  };
  return specialisation && !unit.isInProject(specialisation->getSpecializedTemplate()) &&
         llvm::none_of(specialisation->getTemplateArgs().asArray(), isOfProject);
}

/// Whether the class, or one around it, is such a specialisation.
bool isInOneForOthers(UnitContext &unit, const DeclContext *context) {
  for (; context && context->isRecord(); context = context->getParent())
    if (isForOthers(unit, dyn_cast<ClassTemplateSpecializationDecl>(context)))
      return true;
  return false;
}

/// What code of the library may turn on while it is compiled. What a function does when it is
/// called is in the function's own graph, unless the compiler may call it.
void addMember(UnitContext &unit, const Decl *member, FingerprintBuilder &hash) {
  if (const auto *function = dyn_cast<FunctionDecl>(member)) {
    hash.add(unit.hashOfName(function)).add(unit.hashOfType(function->getType()));
    hash.add(function->isDeleted()).add(function->getAccess());
    if (const ExplicitSpecifier specifier = ExplicitSpecifier::getFromDecl(function);
        specifier.isSpecified())
      hash.add(specifier.isExplicit() ? 1 : 2);
    if (!function->isConstexpr())
      return;
  }
  addText(unit, member, hash);
  if (const auto *type = dyn_cast<TypedefNameDecl>(member))
    hash.add(unit.hashOfType(type->getUnderlyingType()));
  else if (const auto *values = dyn_cast<EnumDecl>(member))
    for (const EnumConstantDecl *value : values->enumerators())
      hash.add(llvm::StringRef(llvm::toString(value->getInitVal(), 10)));
}

Fingerprint meaningOf(UnitContext &unit, const RecordDecl *record) {
  FingerprintBuilder hash;
  hash.add(unit.layoutOf(record));
  if (const auto *type = dyn_cast<CXXRecordDecl>(record))
    for (const CXXBaseSpecifier &base : type->bases())
      hash.add(unit.hashOfType(base.getType()));
  for (const Decl *member : record->decls())
    if (!member->isImplicit() && !isa<FieldDecl, VarDecl>(member)) // in the layout; variables
      addMember(unit, member, hash);
  return hash.finish();
}

/// Of names with what they mean, in whatever order they are written.
Fingerprint hashOf(const std::map<llvm::StringRef, Fingerprint> &found) {
  if (found.empty())
    return {};
  FingerprintBuilder hash;
  for (const auto &[name, meaning] : found)
    hash.add(name).add(meaning);
  return hash.finish();
}

} // namespace

Fingerprint specialisationsForOthers(UnitContext &unit, const Declarations &declarations,
                                     const UnitGraph &graph) {
  std::map<llvm::StringRef, Fingerprint> found;
  for (const RecordDecl *record : declarations.records)
    if (isInOneForOthers(unit, record))
      found[unit.names.text(unit.nameOf(record))] = meaningOf(unit, record);

  llvm::DenseMap<std::uint32_t, Fingerprint> variables;
  for (const Variable &variable : graph.variables)
    variables[variable.name.value] = variable.fingerprint;
  for (const VarDecl *variable : declarations.variables)
    if (isForOthers(unit, dyn_cast<VarTemplateSpecializationDecl>(variable)) ||
        isInOneForOthers(unit, variable->getDeclContext())) {
      NameId name = unit.nameOf(variable);
      found[unit.names.text(name)] = variables.lookup(name.value);
    }
  return hashOf(found);
}

Fingerprint symbolsForOthers(UnitContext &unit, const Declarations &declarations) {
  std::map<llvm::StringRef, Fingerprint> found;
  auto note = [&](const auto *declaration) {
    if (const auto *label = declaration->template getAttr<AsmLabelAttr>();
        label && isDeclaredOutside(unit, declaration))
      found[unit.names.text(unit.nameOf(declaration))] = fingerprintOf(label->getLabel());
  };
  llvm::for_each(declarations.aliases, note);
  llvm::for_each(declarations.functions, note);
  llvm::for_each(declarations.variableAliases, note);
  llvm::for_each(declarations.variables, note);
  return hashOf(found);
}

} // namespace retest
