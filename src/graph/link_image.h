#pragma once

#include "graph/unit_references.h"

#include <llvm/ADT/DenseMap.h>

#include <memory>

namespace retest {

/// The outcome of one link command: one executable, library or archive.
struct LinkedImage {
  std::vector<ProgramUnit> units; ///< in link order, each once
  std::vector<NameId> libraries;  ///< shared libraries of the project that it loads
  std::vector<LinkFile> files;    ///< other inputs, of the project or not, in link order
  std::vector<NameId> unread;     ///< inputs that should be units, but are not in the project
  std::vector<Doubt> doubts;
  /// An input whose references are not known (a unit that did not parse, assembly, a prebuilt
  /// object) may want any member of any archive.
  bool mayWantAnything = false;
};

/// Decides which units are in a binary; link_program.h tells the rules.
///
/// Keeps what several link commands share: the references of a unit, the index of an archive and
/// the images of shared libraries are computed once.
class ImageLinker {
public:
  ImageLinker(const Project &project, const ProgramPlan &plan, const Names &names);

  /// Null if the plan has no such binary. Stays valid as long as the linker.
  const LinkedImage *imageOf(NameId binary);

private:
  struct Archive {
    std::vector<UnitId> members;
    llvm::DenseMap<std::uint32_t, UnitId> definedBy; ///< the first member that defines a name
  };
  struct Search;

  const UnitReferences &references(UnitId unit);
  const Archive &archiveOf(const LinkedBinary &binary);
  const LinkedBinary *binary(NameId name) const;
  LinkedImage link(const LinkedBinary &binary);
  void note(const LinkedBinary &binary, LinkedImage &image, llvm::SmallVectorImpl<NameId> &chain);
  void enter(UnitId unit, Search &search);
  void enterAll(const LinkedBinary &binary, Search &search);
  void searchInputs(const LinkedBinary &binary, Search &search,
                    llvm::SmallVectorImpl<NameId> &chain);
  void searchArchive(const Archive &archive, Search &search);

  const Project &project_;
  const Names &names_;
  llvm::DenseMap<std::uint32_t, UnitId> unitByName_;
  llvm::DenseMap<std::uint32_t, const LinkedBinary *> binaryByName_;
  std::vector<NameId> mains_; ///< what the start-up code wants
  std::vector<std::unique_ptr<UnitReferences>> references_;
  llvm::DenseMap<std::uint32_t, std::unique_ptr<Archive>> archives_;
  llvm::DenseMap<std::uint32_t, std::unique_ptr<LinkedImage>> images_;
};

} // namespace retest
