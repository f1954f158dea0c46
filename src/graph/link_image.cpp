#include "graph/link_image.h"

#include <fmt/format.h>
#include <llvm/ADT/BitVector.h>

namespace retest {

/// The state of one run over a link command.
struct ImageLinker::Search {
  Search(std::size_t units, std::size_t names) : isIn(units), isDefined(names), isWanted(names) {}

  bool isGenerous = false;
  bool takesAll = false;     ///< every member of every archive enters
  std::vector<UnitId> units; ///< that entered, in order
  llvm::BitVector isIn;
  llvm::BitVector isDefined;
  llvm::BitVector isWanted;
  std::vector<NameId> wanted; ///< in order of the first reference
  /// How many units had entered before an object, by its name.
  llvm::DenseMap<std::uint32_t, std::uint32_t> unitsBefore;

  void want(NameId name) {
    if (isWanted.test(name.value) || isDefined.test(name.value))
      return;
    isWanted.set(name.value);
    wanted.push_back(name);
  }
};

ImageLinker::ImageLinker(const Project &project, const ProgramPlan &plan, const Names &names)
    : project_(project), names_(names), references_(project.units.size()) {
  for (std::uint32_t unit = 0; unit < project.units.size(); ++unit)
    unitByName_[project.units[unit].name.value] = UnitId{unit};
  for (const LinkedBinary &binary : plan.binaries)
    binaryByName_.try_emplace(binary.name.value, &binary);
  for (const Function &function : project.functions)
    if (isMain(function, names) && !llvm::is_contained(mains_, function.name))
      mains_.push_back(function.name);
}

const UnitReferences &ImageLinker::references(UnitId unit) {
  auto &known = references_[unit.value];
  if (!known)
    known = std::make_unique<UnitReferences>(referencesOf(project_, project_[unit], names_));
  return *known;
}

const LinkedBinary *ImageLinker::binary(NameId name) const {
  return binaryByName_.lookup(name.value);
}

const ImageLinker::Archive &ImageLinker::archiveOf(const LinkedBinary &binary) {
  auto &known = archives_[binary.name.value];
  if (known)
    return *known;
  known = std::make_unique<Archive>();
  for (const ProgramInput &input : binary.inputs) {
    auto unit = unitByName_.find(input.name.value);
    if (input.kind != ProgramInputKind::Unit || unit == unitByName_.end())
      continue;
    known->members.push_back(unit->second);
    for (NameId name : references(unit->second).defined)
      known->definedBy.try_emplace(name.value, unit->second);
  }
  return *known;
}

const LinkedImage *ImageLinker::imageOf(NameId name) {
  const LinkedBinary *found = binary(name);
  if (!found)
    return nullptr;
  auto known = images_.find(name.value);
  if (known == images_.end())
    known = images_.try_emplace(name.value, std::make_unique<LinkedImage>(link(*found))).first;
  return known->second.get();
}

LinkedImage ImageLinker::link(const LinkedBinary &binary) {
  LinkedImage image;
  llvm::SmallVector<NameId> chain;
  note(binary, image, chain);

  bool hasArchives = llvm::any_of(binary.inputs, [](const ProgramInput &input) {
    return input.kind == ProgramInputKind::Archive;
  });
  Search strict(project_.units.size(), names_.size());
  if (binary.kind == ProgramKind::Executable)
    for (NameId main : mains_)
      strict.want(main);
  Search generous = strict;
  generous.isGenerous = true;
  generous.takesAll = image.mayWantAnything;
  searchInputs(binary, strict, chain);
  if (hasArchives)
    for (std::size_t before = SIZE_MAX; before != generous.units.size();) {
      before = generous.units.size();
      searchInputs(binary, generous, chain);
    }

  const Search &all = hasArchives ? generous : strict;
  for (UnitId unit : all.units)
    image.units.push_back(
        {unit, 0, strict.isIn.test(unit.value) ? Presence::Certain : Presence::Possible});
  for (LinkFile &file : image.files)
    if (auto before = all.unitsBefore.find(file.name.value); before != all.unitsBefore.end())
      file.unitsBefore = before->second;
  return image;
}

/// Everything about the inputs that does not depend on the search.
void ImageLinker::note(const LinkedBinary &from, LinkedImage &image,
                       llvm::SmallVectorImpl<NameId> &chain) {
  chain.push_back(from.name);
  for (const ProgramInput &input : from.inputs) {
    std::string text = names_.text(input.name).str();
    switch (input.kind) {
    case ProgramInputKind::Unit:
      if (!unitByName_.contains(input.name.value)) {
        image.doubts.push_back({fmt::format("{}: linked, but not a unit that was read", text), {}});
        image.unread.push_back(input.name);
        image.mayWantAnything = true;
      } else if (!project_[unitByName_.lookup(input.name.value)].isParsed) {
        image.mayWantAnything = true;
      }
      break;
    case ProgramInputKind::Archive:
      if (const LinkedBinary *archive = binary(input.name)) {
        if (!llvm::is_contained(chain, input.name))
          note(*archive, image, chain);
      } else {
        image.doubts.push_back({fmt::format("{}: an archive that no command makes", text), {}});
      }
      break;
    case ProgramInputKind::SharedLibrary:
      if (!llvm::is_contained(image.libraries, input.name))
        image.libraries.push_back(input.name);
      break;
    case ProgramInputKind::Object:
      image.mayWantAnything = true;
      [[fallthrough]];
    case ProgramInputKind::External:
      if (LinkFile file{input.name, input.content}; !llvm::is_contained(image.files, file))
        image.files.push_back(file);
      break;
    }
  }
  chain.pop_back();
}

void ImageLinker::enter(UnitId unit, Search &search) {
  if (search.isIn.test(unit.value))
    return;
  search.isIn.set(unit.value);
  search.units.push_back(unit);
  const UnitReferences &names = references(unit);
  for (NameId name : names.defined)
    search.isDefined.set(name.value);
  for (NameId name : search.isGenerous ? names.possible : names.certain)
    search.want(name);
}

/// A member enters for the first name that it defines and someone wants. New wishes go to the end
/// of the list, so that one walk over it reaches the archive's fixed point.
void ImageLinker::searchArchive(const Archive &archive, Search &search) {
  for (std::size_t index = 0; index < search.wanted.size(); ++index) {
    NameId name = search.wanted[index];
    if (search.isDefined.test(name.value))
      continue;
    auto member = archive.definedBy.find(name.value);
    if (member != archive.definedBy.end())
      enter(member->second, search);
  }
}

void ImageLinker::enterAll(const LinkedBinary &archive, Search &search) {
  for (UnitId member : archiveOf(archive).members)
    enter(member, search);
}

void ImageLinker::searchInputs(const LinkedBinary &from, Search &search,
                               llvm::SmallVectorImpl<NameId> &chain) {
  chain.push_back(from.name);
  for (const ProgramInput &input : from.inputs) {
    if (input.kind == ProgramInputKind::Unit && chain.size() == 1) {
      auto unit = unitByName_.find(input.name.value);
      if (unit != unitByName_.end())
        enter(unit->second, search);
    }
    if (input.kind == ProgramInputKind::Object)
      search.unitsBefore.try_emplace(input.name.value, search.units.size());
    const LinkedBinary *archive =
        input.kind == ProgramInputKind::Archive ? binary(input.name) : nullptr;
    if (!archive || llvm::is_contained(chain, input.name))
      continue;
    if (input.isWhole || search.takesAll)
      enterAll(*archive, search);
    else
      searchArchive(archiveOf(*archive), search);
    searchInputs(*archive, search, chain); // libraries that the archive itself asks for
  }
  chain.pop_back();
}

} // namespace retest
