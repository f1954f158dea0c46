#include "graph/extract_flow.h"

#include "graph/extract_branches.h"
#include "graph/extract_destruction.h"
#include "graph/extract_effects.h"
#include "graph/extract_meaning.h"
#include "graph/extract_reordered.h"
#include "graph/extract_unwind_flow.h"
#include "graph/flow_builder.h"

#include <clang/Analysis/CFG.h>

namespace retest {

using namespace clang;

namespace {

CFG::BuildOptions cfgOptions(const Unwinding &unwinding) {
  CFG::BuildOptions options;
  options.AddInitializers = true;
  options.AddImplicitDtors = true;
  options.AddTemporaryDtors = true;
  options.AddLifetime = unwinding.hasExtendedTemporaries();
  options.AddStaticInitBranches = true;
  options.AddVirtualBaseBranches = true;
  options.AddCXXNewAllocator = true;
  options.AddCXXDefaultInitExprInCtors = true;
  options.AddCXXDefaultInitExprInAggregates = true;
  // Its exception edges know neither constructors nor destructors on unwinding: ours do.
  options.AddEHEdges = false;
  return options;
}

/// A call of a consteval function.
bool isImmediateCall(const Stmt *statement) {
  const auto *call = dyn_cast<CallExpr>(statement);
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  return callee && callee->isImmediateFunction();
}

/// A value that is no distance: the statement was evaluated in another block.
constexpr unsigned kElsewhere = 1u << 20;

class FlowExtractor {
public:
  FlowExtractor(UnitContext &unit, const Decl *owner, const FunctionDecl *function, const CFG &cfg,
                const Unwinding &unwinding)
      : unit_(unit), cfg_(cfg), unwinding_(unwinding), meaning_(unit, function),
        isInProject_(unit.isInProject(owner)),
        unwindFlow_(unit, function, owner == function && !mayThrow(unit.ast, function), unwinding,
                    flow_,
                    [this](const CXXCatchStmt *handler) { return entryOfHandler(handler); }) {
    meaning_.setElements([this](const Stmt *statement) { return distanceTo(statement); });
  }

  FlowGraph extract() {
    for (const CFGBlock *block : cfg_)
      for (unsigned i = 0; i < block->size(); ++i)
        if (auto statement = (*block)[i].getAs<CFGStmt>();
            statement && !isImmediateCall(statement->getStmt()))
          elements_.try_emplace(statement->getStmt(), block->getBlockID(), i);
    reordered_ = findReordered(cfg_, elements_);
    entryOf_.resize(cfg_.getNumBlockIDs());
    entryOf_[cfg_.getEntry().getBlockID()] = FlowBuilder::kEntry;
    entryOf_[cfg_.getExit().getBlockID()] = FlowBuilder::kExit;
    for (const CFGBlock *block : cfg_)
      if (!isBoundary(block))
        entryOf_[block->getBlockID()] = flow_.addNode(NodeKind::Block);
    for (const CFGBlock *block : llvm::reverse(cfg_)) // entry first
      extractBlock(block);
    return flow_.finish();
  }

private:
  bool isBoundary(const CFGBlock *block) const {
    return block == &cfg_.getEntry() || block == &cfg_.getExit();
  }

  /// The destructors behind a throw or a call that does not return: nobody wrote them, and
  /// nothing leads there.
  bool isEndOfDeadScope(const CFGBlock *block) const {
    return !isBoundary(block) && !block->getLabel() && llvm::none_of(block->preds(), blockAt) &&
           llvm::all_of(*block, [](const CFGElement &element) {
             return element.getAs<CFGImplicitDtor>() || element.getAs<CFGLifetimeEnds>();
           });
  }

  unsigned distanceTo(const Stmt *statement) const {
    if (isWhole_)
      return 0;
    auto found = elements_.find(statement);
    if (found == elements_.end())
      return 0;
    auto [block, index] = found->second;
    if (block != currentBlock_)
      return kElsewhere;
    return index < currentElement_ ? currentElement_ - index : 0;
  }

  // Nodes.

  Node &node() { return flow_.node(current_); }

  void beginNode(NodeId id) {
    current_ = id;
    meaning_.beginNode();
  }

  void endNode() {
    node().locals = meaning_.locals;
    node().uses = meaning_.uses;
  }

  void addElement(std::uint64_t fingerprint, clang::SourceRange where) {
    // What a default argument does happens here, but is written elsewhere.
    if (isInProject_ && !unit_.places.isInProject(where.getBegin()))
      where = {};
    if (node().elements.empty())
      node().isInMacro = where.getBegin().isMacroID();
    node().elements.push_back({fingerprint, unit_.places.range(where)});
  }

  /// Ends the current node with a call and goes on in its return node.
  void addCall(const CallSite &site, llvm::ArrayRef<int> steps, bool throws, bool returns) {
    node().kind = NodeKind::Call;
    node().call = site;
    endNode();
    NodeId call = current_;
    if (throws)
      unwindFlow_.addExceptions(call, steps);
    beginNode(flow_.addNode(NodeKind::Block));
    if (returns)
      flow_.addEdge(call, current_, EdgeKind::Path, nothing());
    else
      isDead_ = true;
  }

  void extractBlock(const CFGBlock *block) {
    if (block->getTerminatorStmt() && isa<CXXTryStmt>(block->getTerminatorStmt()))
      return; // where Clang gathers exceptions; ours go through unwindFrom
    if (isEndOfDeadScope(block))
      return;
    currentBlock_ = block->getBlockID();
    isDead_ = false;
    if (block == &cfg_.getExit())
      return;
    beginNode(entryOf_[currentBlock_]);
    for (unsigned i = 0; i < block->size() && !isDead_; ++i) {
      currentElement_ = i;
      extractElement((*block)[i], block);
    }
    if (!isDead_)
      endBlock(block);
    endNode();
  }

  void extractElement(const CFGElement &element, const CFGBlock *block) {
    if (auto statement = element.getAs<CFGStmt>())
      return extractStatement(statement->getStmt(), block);
    if (auto destructor = element.getAs<CFGImplicitDtor>())
      return destroy(destructionAt(unit_.ast, unwinding_, *destructor));
    if (auto end = element.getAs<CFGLifetimeEnds>())
      return endTemporaries(end->getVarDecl(), end->getTriggerStmt());
    if (auto initialiser = element.getAs<CFGInitializer>()) {
      const CXXCtorInitializer *written = initialiser->getInitializer();
      addElement(meaning_.ofInitialiser(written), written->getSourceRange());
      return addInnerCalls();
    }
    if (auto allocation = element.getAs<CFGNewAllocator>()) {
      const CXXNewExpr *expression = allocation->getAllocatorExpr();
      const FunctionDecl *callee = expression->getOperatorNew();
      if (!callee || callee->isReservedGlobalPlacementOperator())
        return;
      addElement(meaning_.ofTerminator(unit_.hashOfName(callee)), expression->getSourceRange());
      return addCall({CallKind::Direct, unit_.nameOf(callee), {}}, unwinding_.stepsAt(expression),
                     mayThrow(unit_.ast, callee), true);
    }
    if (auto cleanup = element.getAs<CFGCleanupFunction>()) {
      const FunctionDecl *callee = cleanup->getFunctionDecl();
      addElement(meaning_.ofTerminator(unit_.hashOfName(callee)),
                 cleanup->getVarDecl()->getSourceRange());
      addCall({CallKind::Direct, unit_.nameOf(callee), {}},
              unwinding_.stepBehind(cleanup->getVarDecl()), mayThrow(unit_.ast, callee), true);
    }
  }

  void extractStatement(const Stmt *statement, const CFGBlock *block) {
    if (isa<CXXCatchStmt>(statement))
      return; // its type is asked for in a node of its own
    if (const auto *marked = dyn_cast<AttributedStmt>(statement);
        marked && isa<NullStmt>(marked->getSubStmt()) &&
        hasSpecificAttr<FallThroughAttr>(marked->getAttrs()))
      return; // says that nothing happens here
    if (isImmediateCall(statement))
      return; // the value is where it is used
    std::uint64_t before = meaningOfEarlier(statement);
    addElement(meaning_.ofStatement(statement) + before, statement->getSourceRange());
    addInnerCalls();
    bool isLast = currentElement_ + 1 == block->size();
    bool returns = !(isLast && block->hasNoReturnElement());
    bool throws = mayThrow(unit_.ast, statement) && !isa<CXXNewExpr>(statement);
    llvm::ArrayRef<int> steps = unwinding_.stepsAt(statement);
    if (std::optional<CallSite> call = callOf(unit_, statement))
      return addCall(*call, steps, throws, returns);
    if (!throws)
      return;
    endNode();
    NodeId thrower = current_;
    unwindFlow_.addExceptions(thrower, steps);
    beginNode(flow_.addNode(NodeKind::Block));
    if (isa<CXXThrowExpr>(statement))
      isDead_ = true;
    else
      flow_.addEdge(thrower, current_, EdgeKind::Flow, nothing());
  }

  /// Of what really runs before this element, though Clang's graph has it behind; else 0.
  std::uint64_t meaningOfEarlier(const Stmt *statement) {
    std::uint64_t before = 0;
    for (const Stmt *earlier : reordered_.lookup(statement)) {
      isWhole_ = true;
      before = before * 31 + meaning_.ofStatement(earlier);
      isWhole_ = false;
    }
    return before;
  }

  void addInnerCalls() {
    auto calls = meaning_.innerCalls;
    for (const FoundCall &call : calls)
      addCall(call.site, unwinding_.stepsAt(call.expression), mayThrow(unit_.ast, call.expression),
              true);
  }

  void destroy(const Destruction &end) {
    if (!end.destructor)
      return;
    const CXXRecordDecl *record = end.destructor->getParent();
    addElement(meaning_.ofDestructor(record, end.variable, end.kind), end.where);
    addCall(destructorCall(unit_, record, end.isDelete), end.steps,
            mayThrow(unit_.ast, end.destructor), !end.destructor->isNoReturn());
  }

  void endTemporaries(const VarDecl *variable, const Stmt *trigger) {
    for (const CXXRecordDecl *record : llvm::reverse(unwinding_.endingWith(variable)))
      destroy({destructorOf(record),
               variable,
               CFGElement::LifetimeEnds,
               endOfScope(trigger),
               {unwinding_.stepBehind(variable)}});
  }

  // Edges.

  void endBlock(const CFGBlock *block) {
    if (block->succ_size() > 1) {
      addElement(meaning_.ofTerminator(kindOfBranch(unit_.ast, block)), whereDecided(block));
    }
    for (const Way &way : waysFrom(unit_.ast, block))
      flow_.addEdge(current_, entryOf_[way.target->getBlockID()], EdgeKind::Flow, label(way.label));
  }

  /// Where the condition at the end of a block is; in a macro only where it begins, as there may be
  /// several at the same place.
  clang::SourceRange whereDecided(const CFGBlock *block) const {
    const Expr *condition = conditionOf(block);
    if (!condition)
      return {};
    clang::SourceRange where = condition->getSourceRange();
    if (where.getBegin().isMacroID() || where.getEnd().isMacroID())
      where.setEnd({});
    return where;
  }

  NameId label(llvm::StringRef text) { return unit_.names.intern(text); }
  NameId nothing() { return label(""); }

  NodeId entryOfHandler(const CXXCatchStmt *handler) const {
    for (const CFGBlock *block : cfg_)
      if (block->getLabel() == handler)
        return entryOf_[block->getBlockID()];
    return {};
  }

  UnitContext &unit_;
  const CFG &cfg_;
  const Unwinding &unwinding_;
  Meaning meaning_;
  bool isInProject_;
  FlowBuilder flow_;
  UnwindFlow unwindFlow_;

  ElementPlaces elements_;
  Reordered reordered_;
  std::vector<NodeId> entryOf_; // by block

  NodeId current_;
  unsigned currentBlock_ = 0;
  unsigned currentElement_ = 0;
  bool isWhole_ = false; // operands are written down again, not referred to
  bool isDead_ = false;  // the rest of the block is not reached
};

/// A function that no flow graph can be built for: one node that stands for the whole body.
FlowGraph opaqueFlow(UnitContext &unit, const Decl *owner) {
  Node body;
  body.elements.push_back({0, unit.places.range(owner->getSourceRange())});
  return flowOfOneNode(std::move(body), unit.names.intern(""));
}

} // namespace

ExtractedFlow extractFlow(UnitContext &unit, const Decl *owner, const FunctionDecl *function,
                          Stmt *body) {
  Unwinding unwinding(unit.ast, owner == function ? function : nullptr, body);
  CFG::BuildOptions options = cfgOptions(unwinding);
  CFG::BuildOptions::ForcedBlkExprs effects = effectsIn(unit.ast, owner, body);
  CFG::BuildOptions::ForcedBlkExprs *forced = &effects;
  options.forcedBlkExprs = &forced;
  std::unique_ptr<CFG> cfg = CFG::buildCFG(owner, body, &unit.ast, options);
  if (!cfg)
    return {opaqueFlow(unit, owner), "no flow graph could be built"};
  return {FlowExtractor(unit, owner, function, *cfg, unwinding).extract(), unwinding.unmodelled()};
}

} // namespace retest
