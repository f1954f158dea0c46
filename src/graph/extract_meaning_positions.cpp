// Where code stands: noise in the arguments of calls, a value elsewhere.
#include "graph/extract_literals.h"
#include "graph/extract_meaning.h"

namespace retest {

using namespace clang;

/// __builtin_LINE() and its like. In a default argument or initialiser it tells where that is used.
void Meaning::addPosition(const SourceLocExpr *place, bool isNoise) {
  add(Stmt::SourceLocExprClass);
  add(static_cast<std::uint64_t>(place->getIdentKind()));
  if (isNoise || place->getIdentKind() == SourceLocIdentKind::Function ||
      place->getIdentKind() == SourceLocIdentKind::FuncSig)
    return; // the function's own name: its identity already
  SourceLocation location = place->getLocation();
  if (const auto *member = dyn_cast_or_null<CXXDefaultInitExpr>(implied_))
    location = member->getUsedLocation();
  else if (const auto *argument = dyn_cast_or_null<CXXDefaultArgExpr>(implied_))
    location = argument->getUsedLocation();
  PresumedLoc position =
      unit_.places.sources().getPresumedLoc(unit_.places.sources().getExpansionLoc(location));
  if (position.isInvalid())
    return;
  if (place->getIdentKind() == SourceLocIdentKind::Column)
    return add(position.getColumn());
  if (!place->isIntType())
    addText(unit_.names.text(unit_.places.position(location).file));
  if (place->isIntType() || place->getIdentKind() == SourceLocIdentKind::SourceLocStruct)
    add(position.getLine());
}

/// A direct argument of a call or constructor, where position noise does not count, even through
/// conversions such as static_cast<std::size_t>(__LINE__).
void Meaning::addArgument(const Expr *argument) {
  const Expr *bare = argument->IgnoreParenCasts();
  const auto *implied = dyn_cast<CXXDefaultArgExpr>(bare);
  if (implied)
    bare = implied->getExpr()->IgnoreParenCasts();
  if (const auto *temporary = dyn_cast<MaterializeTemporaryExpr>(bare))
    bare = temporary->getSubExpr()->IgnoreParenCasts();
  if (const auto *list = dyn_cast<InitListExpr>(bare); list && list->getNumInits() == 1)
    bare = list->getInit(0)->IgnoreParenCasts();
  bool isNoise = false;
  if (isa<IntegerLiteral, FloatingLiteral, CharacterLiteral>(bare))
    isNoise = positionMacro(unit_, bare->getBeginLoc()).has_value();
  else if (const auto *text = dyn_cast<StringLiteral>(bare))
    isNoise =
        llvm::any_of(llvm::make_range(text->tokloc_begin(), text->tokloc_end()),
                     [&](SourceLocation token) { return unit_.places.isInScratchSpace(token); });
  if (const auto *place = dyn_cast<SourceLocExpr>(bare); place && !unit_.options.lineSensitive)
    addNoise(implied ? implied->getExpr() : argument, bare);
  else if (isNoise)
    addNoise(argument, bare);
  else
    addStatement(argument);
}

/// The literal without its value, but with the conversions that it goes through.
void Meaning::addNoise(const Expr *argument, const Expr *literal) {
  if (!isa<StringLiteral>(literal)) // the length of a text is noise as well
    for (const Expr *step = argument->IgnoreParens(); step != literal;) {
      const auto *conversion = dyn_cast<CastExpr>(step);
      if (!conversion)
        break;
      add(conversion->getCastKind());
      addType(conversion->getType());
      step = conversion->getSubExpr()->IgnoreParens();
    }
  if (const auto *place = dyn_cast<SourceLocExpr>(literal))
    return addPosition(place, true);
  addLiteral(literal, true);
}

} // namespace retest
