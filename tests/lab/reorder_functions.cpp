#include "tests/lab/reorder_functions.h"

#include <clang/AST/RecursiveASTVisitor.h>
#include <llvm/ADT/STLExtras.h>

namespace retest {
namespace {

using clang::tok::TokenKind;

/// The names that code refers to.
class UsesVisitor : public clang::RecursiveASTVisitor<UsesVisitor> {
public:
  bool VisitDeclRefExpr(clang::DeclRefExpr *reference) {
    names.insert(reference->getNameInfo().getAsString());
    return true;
  }
  bool VisitOverloadExpr(clang::OverloadExpr *candidates) {
    names.insert(candidates->getName().getAsString());
    return true;
  }
  std::set<std::string> names;
};

/// Finds the definitions of a unit, and the names that its templates look up where they are
/// instantiated: which functions those find depends on what is declared by then.
class DefinitionsVisitor : public clang::RecursiveASTVisitor<DefinitionsVisitor> {
public:
  bool VisitFunctionDecl(clang::FunctionDecl *function) {
    if (function->doesThisDeclarationHaveABody() && !function->isDefaulted() &&
        function->getLexicalDeclContext()->getRedeclContext()->isFileContext())
      functions.push_back(function);
    return true;
  }
  bool VisitUnresolvedLookupExpr(clang::UnresolvedLookupExpr *candidates) {
    lookedUpLater.insert(candidates->getName().getAsString());
    return true;
  }
  std::vector<clang::FunctionDecl *> functions;
  std::set<std::string> lookedUpLater = {"begin", "end", "get"}; // by the language itself
};

bool addsDefaultArgument(const clang::FunctionDecl &function) {
  return llvm::any_of(function.parameters(), [](const clang::ParmVarDecl *parameter) {
    return parameter->hasDefaultArg() && !parameter->hasInheritedDefaultArg();
  });
}

bool addsAttribute(const clang::FunctionDecl &function) {
  return llvm::any_of(function.attrs(), [](const clang::Attr *attribute) {
    return !attribute->isImplicit() && !attribute->isInherited();
  });
}

/// A friend declaration alone does not make a name visible.
bool isDeclaredBefore(const clang::FunctionDecl &function) {
  for (auto *other = function.getPreviousDecl(); other; other = other->getPreviousDecl())
    if (!other->getFriendObjectKind() && !other->isLocalExternDecl())
      return true;
  return false;
}

bool canMove(const clang::FunctionDecl &function) {
  return function.getBeginLoc().isFileID() && function.getEndLoc().isFileID() &&
         !function.isTemplated() && !function.isConstexpr() &&
         function.getTemplateSpecializationKind() == clang::TSK_Undeclared &&
         !function.getDeclaredReturnType()->getContainedDeducedType() &&
         !addsDefaultArgument(function) && !addsAttribute(function);
}

Definition definition(clang::FunctionDecl &function, unsigned end,
                      const std::set<std::string> &lookedUpLater) {
  UsesVisitor uses;
  uses.TraverseDecl(&function);
  Definition result{end, function.getNameAsString(), canMove(function), isDeclaredBefore(function),
                    std::move(uses.names)};
  // What is first declared here may be found by others without being named.
  if (!result.isDeclaredBefore && (!function.getIdentifier() || lookedUpLater.count(result.name)))
    result.canMove = false;
  return result;
}

bool isHeader(llvm::StringRef file) {
  return !file.ends_with(".cc") && !file.ends_with(".cpp") && !file.ends_with(".c");
}

void merge(Definition &known, Definition &&other) {
  known.canMove &= other.canMove && known.end == other.end && known.name == other.name;
  known.isDeclaredBefore &= other.isDeclaredBefore;
  known.uses.merge(other.uses);
}

/// Nothing stands in front of the function that could belong to it.
bool beginsFresh(llvm::ArrayRef<RawToken> tokens, unsigned begin) {
  llvm::ArrayRef<RawToken> before = tokensWithin(tokens, 0, begin);
  return before.empty() || before.back().inDirective ||
         llvm::is_contained({TokenKind::r_brace, TokenKind::l_brace, TokenKind::semi},
                            before.back().kind);
}

/// `struct S *f()` may declare S; a directive may matter to what follows.
bool hasSideEffect(llvm::ArrayRef<RawToken> tokens) {
  auto *body =
      llvm::find_if(tokens, [](const RawToken &token) { return token.kind == TokenKind::l_brace; });
  return llvm::any_of(tokens, [](const RawToken &token) { return token.inDirective; }) ||
         std::any_of(tokens.begin(), body, [](const RawToken &token) {
           return llvm::is_contained({"struct", "class", "union", "enum"}, token.text);
         });
}

bool sees(const Definition &user, const Definition &used) {
  return !used.isDeclaredBefore && user.uses.count(used.name);
}

} // namespace

void collectDefinitions(clang::ASTContext &unit, const ProjectFiles &project,
                        Definitions &definitions) {
  DefinitionsVisitor visitor;
  visitor.TraverseAST(unit);
  for (clang::FunctionDecl *function : visitor.functions) {
    auto text = project.text(unit.getSourceManager(), function->getSourceRange());
    if (!text || isHeader(text->file))
      continue;
    Definition found = definition(*function, text->end, visitor.lookedUpLater);
    auto [known, isNew] = definitions[text->file].try_emplace(text->begin, found);
    if (!isNew)
      merge(known->second, std::move(found));
  }
}

std::vector<std::vector<Piece>> independentRuns(const Definitions::mapped_type &definitions,
                                                llvm::ArrayRef<RawToken> tokens) {
  std::vector<std::vector<Piece>> result;
  std::vector<const Definition *> run;
  for (const auto &[begin, found] : definitions) {
    llvm::ArrayRef<RawToken> own = tokensWithin(tokens, begin, found.end);
    if (!found.canMove || !beginsFresh(tokens, begin) || hasSideEffect(own)) {
      run.clear();
      continue;
    }
    bool goesOn = !run.empty() && tokensWithin(tokens, run.back()->end, begin).empty() &&
                  llvm::none_of(run, [&found = found](const Definition *other) {
                    return sees(found, *other) || sees(*other, found);
                  });
    if (!goesOn) {
      run.clear();
      result.emplace_back();
    }
    run.push_back(&found);
    result.back().push_back({begin, found.end});
  }
  llvm::erase_if(result, [](const std::vector<Piece> &pieces) { return pieces.size() < 2; });
  return result;
}

} // namespace retest
