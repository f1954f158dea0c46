#pragma once

#include "graph/program_graph.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

#include <memory>
#include <tuple>

namespace retest {

/// A base of a class, found by its name in the program.
struct HierarchyBase {
  ClassId base;
  bool isVirtual = false;

  auto operator<=>(const HierarchyBase &) const = default;
};

/// The method that an object of some class runs for a virtual method of a base.
struct Overrider {
  NameId method;
  ClassId declaredIn;
  bool isPure = false;

  auto operator<=>(const Overrider &) const = default;
};

/// Where a virtual call lands for receivers of one class.
struct DispatchEdge {
  ClassId receiver;  ///< the label: class of the complete object
  NameId method;     ///< the final overrider
  FunctionId target; ///< not valid: no body in the program (external, or pure)
  /// The class is abstract: an object of this class alone exists only while a derived one is
  /// constructed or destroyed.
  bool isOnlyDuringConstruction = false;

  auto operator<=>(const DispatchEdge &) const = default;
};

/// All edges of the virtual calls of `method` on static class `receiver`; call sites share it.
struct Dispatch {
  NameId receiver;
  NameId method;
  std::vector<DispatchEdge> edges; ///< sorted by the text of label and method

  auto operator<=>(const Dispatch &) const = default;
};

/// Finds the targets of virtual calls by class hierarchy analysis over one program.
///
/// A call `s.area()` on static type Shape may land in the `area` that Shape has or inherits, and
/// in each override below Shape, in any translation unit. We do not ask which objects exist: an
/// edge too many costs a test run, one too few loses a bug.
///
///     struct Square : Shape { int area() override; };
///     int total(Shape &s) { return s.area(); }      // -Shape-> Shape::area, -Square->
///     Square::area
///
/// There is an edge for each class, also where the target is inherited: a class that gets its own
/// override changes where its edge leads, from a caller whose text did not change; that is how the
/// delta sees it. For the same reason a `final` method keeps the labels of the classes below it.
/// Multiple inheritance can give a class several final overriders; in a diamond with a virtual
/// base the overrider that dominates is the only one. A destructor that the compiler writes
/// overrides those of its bases, declared or not. Classes of internal linkage are told apart by
/// unit, and all variants of a class count.
///
/// Answers are computed when first asked and kept: per method one walk over the classes that have
/// it, so 1,000 classes below one base cost 1,000 steps, not their square.
/// REQUIRES: `project` and `names` outlive the object and do not change.
class VirtualCalls {
public:
  VirtualCalls(const Project &project, const ProgramGraph &program, const Names &names);

  /// `unit`: where the call stands, if its receiver may be of internal linkage there.
  const Dispatch &dispatch(NameId receiver, NameId method, UnitId unit = {});

  /// What an object of class `type` runs for `method`; several only with repeated bases. Valid
  /// until the next question.
  llvm::ArrayRef<Overrider> finalOverriders(ClassId type, NameId method);

  /// The functions of an overrider; none if it has no body in the program.
  llvm::SmallVector<FunctionId, 2> functionsOf(const Overrider &overrider) const;

  llvm::ArrayRef<ClassId> classes() const { return classes_; } ///< of the program, sorted by id
  llvm::ArrayRef<HierarchyBase> basesOf(ClassId type) const;
  llvm::ArrayRef<ClassId> derivedFrom(ClassId type) const; ///< directly

private:
  struct Links {
    llvm::SmallVector<HierarchyBase, 2> bases;
    llvm::SmallVector<ClassId, 2> derived;
  };
  /// Everything known about one method: who overrides it, and the answer for each class.
  struct Family {
    bool isOfDestructor = false;
    llvm::DenseSet<std::uint32_t> methods;
    llvm::DenseMap<std::uint32_t, llvm::SmallVector<Overrider, 1>> overriders;
  };

  llvm::SmallVector<ClassId, 2> meaningsOf(NameId name, UnitId unit) const;
  llvm::SmallVector<ClassId, 2> basesNamed(NameId name, ClassId derived) const;
  std::vector<ClassId> withDerived(llvm::ArrayRef<ClassId> roots) const;
  Family &familyOf(NameId method);
  llvm::SmallVector<Overrider, 1> computeOverriders(ClassId type, Family &family);
  void dropDominated(ClassId type, llvm::SmallVectorImpl<Overrider> &overriders) const;
  void addEdges(ClassId type, NameId method, Dispatch &dispatch);

  const Project &project_;
  const ProgramGraph &program_;
  const Names &names_;
  std::vector<ClassId> classes_;
  llvm::DenseMap<std::uint32_t, Links> links_;
  llvm::DenseMap<std::uint32_t, llvm::SmallVector<NameId, 2>> overriddenBy_; ///< directly
  llvm::DenseMap<std::uint32_t, NameId> destructors_; ///< by the name of their class
  llvm::DenseMap<std::uint32_t, std::unique_ptr<Family>> families_;
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  llvm::DenseMap<Key, std::unique_ptr<Dispatch>> dispatches_;
};

} // namespace retest
