#include "tests/lab/rename_locals.h"

#include <clang/AST/RecursiveASTVisitor.h>

namespace retest {
namespace {

bool isLocal(const clang::ValueDecl *declaration) {
  if (declaration->isImplicit() || !declaration->getIdentifier())
    return false;
  if (auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration))
    return variable->isLocalVarDeclOrParm() && !variable->isLocalExternDecl();
  return llvm::isa<clang::BindingDecl>(declaration) &&
         declaration->getDeclContext()->isFunctionOrMethod();
}

/// Notes names in what is written. A template is seen once, as written; instantiations have no
/// text of their own.
class LocalsVisitor : public clang::RecursiveASTVisitor<LocalsVisitor> {
  using Base = clang::RecursiveASTVisitor<LocalsVisitor>;

public:
  LocalsVisitor(const clang::SourceManager &sources, const ProjectFiles &project, Locals &locals)
      : sources_(sources), project_(project), locals_(locals) {}

  bool TraverseDecl(clang::Decl *declaration) {
    auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration);
    if (!function || names_)
      return Base::TraverseDecl(declaration);
    text_ = project_.text(sources_, function->getSourceRange());
    if (text_)
      names_ = &locals_[text_->file][{text_->begin, text_->end}];
    Base::TraverseDecl(declaration);
    names_ = nullptr;
    return true;
  }

  bool VisitVarDecl(clang::VarDecl *variable) { return note(variable, variable->getLocation()); }
  bool VisitBindingDecl(clang::BindingDecl *binding) {
    return note(binding, binding->getLocation());
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr *reference) {
    return note(reference->getDecl(), reference->getLocation());
  }
  bool VisitSizeOfPackExpr(clang::SizeOfPackExpr *size) {
    auto *pack = llvm::dyn_cast<clang::ValueDecl>(size->getPack());
    return !pack || note(pack, size->getPackLoc());
  }
  bool TraverseLambdaCapture(clang::LambdaExpr *lambda, const clang::LambdaCapture *capture,
                             clang::Expr *init) {
    if (capture->capturesVariable() && capture->isExplicit())
      note(capture->getCapturedVar(), capture->getLocation());
    return Base::TraverseLambdaCapture(lambda, capture, init);
  }
  bool TraverseConstructorInitializer(clang::CXXCtorInitializer *initialiser) {
    if (names_ && initialiser->isWritten() && initialiser->isAnyMemberInitializer())
      if (std::optional<unsigned> place = offset(initialiser->getMemberLocation()))
        names_->initialised.insert(*place);
    return Base::TraverseConstructorInitializer(initialiser);
  }

private:
  bool note(const clang::ValueDecl *declaration, clang::SourceLocation location) {
    if (!names_ || !isLocal(declaration))
      return true;
    FunctionNames::Local &local = names_->locals[declaration->getName().str()];
    if (std::optional<unsigned> place = offset(location))
      local.places.insert(*place);
    else
      local.doubtful = true;
    return true;
  }

  /// Nothing if the place is in a macro or in another text than the function.
  std::optional<unsigned> offset(clang::SourceLocation location) const {
    if (location.isInvalid() || location.isMacroID() || sources_.getFileID(location) != text_->id)
      return std::nullopt;
    unsigned place = sources_.getFileOffset(location);
    return place >= text_->begin && place < text_->end ? std::optional(place) : std::nullopt;
  }

  const clang::SourceManager &sources_;
  const ProjectFiles &project_;
  Locals &locals_;
  std::optional<ProjectText> text_; ///< of the function that is visited
  FunctionNames *names_ = nullptr;
};

bool canBeLocal(const RawToken *before) {
  return !before ||
         !llvm::is_contained({clang::tok::period, clang::tok::arrow, clang::tok::coloncolon},
                             before->kind);
}

/// Every token that could name a local, by name.
std::map<llvm::StringRef, std::set<unsigned>> placesOfNames(llvm::ArrayRef<RawToken> tokens) {
  std::map<llvm::StringRef, std::set<unsigned>> result;
  const RawToken *before = nullptr;
  for (const RawToken &token : tokens) {
    if (token.kind == clang::tok::raw_identifier && canBeLocal(before))
      result[token.text].insert(token.begin);
    before = &token;
  }
  return result;
}

} // namespace

void collectLocals(clang::ASTContext &unit, const ProjectFiles &project, Locals &locals) {
  LocalsVisitor(unit.getSourceManager(), project, locals).TraverseAST(unit);
}

RenamedLocals renamedLocals(const Locals::mapped_type &functions, llvm::ArrayRef<RawToken> tokens) {
  RenamedLocals result;
  for (const auto &[range, function] : functions) {
    auto written = placesOfNames(tokensWithin(tokens, range.first, range.second));
    for (const auto &[name, local] : function.locals) {
      std::set<unsigned> places = written[name];
      for (unsigned member : function.initialised)
        places.erase(member);
      if (local.doubtful || local.places != places)
        continue;
      ++result.names;
      for (unsigned place : places)
        result.places[place] = name;
    }
  }
  return result;
}

} // namespace retest
