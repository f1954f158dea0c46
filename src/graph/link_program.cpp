#include "graph/link_program.h"

#include "graph/link_image.h"
#include "graph/pool_units.h"

#include <fmt/format.h>
#include <llvm/ADT/BitVector.h>

#include <string>

namespace retest {
namespace {

/// The executable comes before its libraries; inside one image what is surely there before what
/// may be, and strong before weak.
std::uint32_t rankOf(const ProgramUnit &entry, bool isStrong) {
  return entry.image * 4 + (entry.presence == Presence::Certain ? 0 : 2) + (isStrong ? 0 : 1);
}

/// A variable of a library is named in many units, and defined in none.
bool isStrong(const Function &function) { return function.linkage == Linkage::Strong; }
bool isStrong(const Class &) { return false; }
bool isStrong(const Variable &variable) {
  return variable.linkage == Linkage::Strong && !variable.isExternal;
}

template <class EntityId>
NameTable<EntityId> tableOf(const Project &project, const std::vector<ProgramUnit> &units,
                            std::vector<EntityId> ProjectUnit::*entities) {
  std::vector<NameRow<EntityId>> rows;
  std::vector<bool> isAdded(project.units.size());
  for (const ProgramUnit &entry : units) {
    if (isAdded[entry.unit.value])
      continue;
    isAdded[entry.unit.value] = true;
    for (EntityId id : project[entry.unit].*entities)
      if (project[id].linkage != Linkage::Internal)
        rows.push_back({project[id].name, id, entry.unit, rankOf(entry, isStrong(project[id]))});
  }
  return makeNameTable(std::move(rows));
}

/// Strong definitions of one name from several units that are surely in the same image.
template <class EntityId>
void addDuplicates(const Project &project, const NameTable<EntityId> &table,
                   const std::vector<ProgramUnit> &entryOf, const Names &names,
                   std::vector<Doubt> &doubts) {
  for (const auto &definition : table.definitions) {
    if (definition.end - definition.begin < 2)
      continue;
    UnitId first;
    for (const auto &variant : table.variantsOf(definition)) {
      const ProgramUnit &entry = entryOf[variant.unit.value];
      if (!isStrong(project[variant.entity]) || variant.unit == first ||
          entry.presence != Presence::Certain)
        continue;
      if (!first.isValid()) {
        first = variant.unit;
      } else if (entryOf[first.value].image == entry.image) {
        doubts.push_back(
            {fmt::format("{}: defined in {} and in {}", names.text(definition.name).str(),
                         names.text(project[first].name).str(),
                         names.text(project[variant.unit].name).str()),
             project[variant.entity].where.begin});
        break;
      }
    }
  }
}

void linkNames(const Project &project, ProgramGraph &program) {
  program.functions = tableOf(project, program.units, &ProjectUnit::functions);
  program.classes = tableOf(project, program.units, &ProjectUnit::classes);
  program.variables = tableOf(project, program.units, &ProjectUnit::variables);
}

void addDuplicateDoubts(const Project &project, const Names &names, ProgramGraph &program) {
  std::vector<ProgramUnit> entryOf(project.units.size());
  for (const ProgramUnit &entry : llvm::reverse(program.units)) // the first one stays
    entryOf[entry.unit.value] = entry;
  std::vector<Doubt> doubts;
  addDuplicates(project, program.functions, entryOf, names, doubts);
  addDuplicates(project, program.variables, entryOf, names, doubts);
  llvm::sort(doubts, [](const Doubt &a, const Doubt &b) { return a.text < b.text; });
  program.doubts.insert(program.doubts.end(), doubts.begin(), doubts.end());
}

ProgramGraph programOfAll(const Project &project, Names &names) {
  ProgramGraph program;
  program.name = names.intern("all");
  program.images = {program.name};
  for (std::uint32_t unit = 0; unit < project.units.size(); ++unit)
    program.units.push_back({UnitId{unit}});
  linkNames(project, program);
  program.doubts.push_back({"the link commands are not known: all units count as one program", {}});
  return program;
}

/// The binary's own image, then those of its libraries, breadth first as the loader does.
ProgramGraph programOf(const LinkedBinary &binary, const Project &project, ImageLinker &images,
                       const Names &names) {
  ProgramGraph program;
  program.name = binary.name;
  program.kind = binary.kind;
  program.images = {binary.name};
  for (std::uint32_t index = 0; index < program.images.size(); ++index) {
    const LinkedImage *image = images.imageOf(program.images[index]);
    if (!image) {
      program.doubts.push_back({fmt::format("{}: a library that no link command makes",
                                            names.text(program.images[index]).str()),
                                {}});
      continue;
    }
    for (LinkFile file : image->files) {
      if (file.unitsBefore)
        *file.unitsBefore += program.units.size();
      program.files.push_back(file);
    }
    for (ProgramUnit entry : image->units) {
      entry.image = index;
      program.units.push_back(entry);
    }
    for (NameId library : image->libraries)
      if (!llvm::is_contained(program.images, library))
        program.images.push_back(library);
    llvm::append_range(program.unread, image->unread);
    program.doubts.insert(program.doubts.end(), image->doubts.begin(), image->doubts.end());
  }
  linkNames(project, program);
  addDuplicateDoubts(project, names, program);
  return program;
}

/// Units that no binary takes, so that none is lost: what a developer looks at may be among them.
void addUnlinked(Project &project, Names &names) {
  llvm::BitVector isLinked(project.units.size());
  for (const ProgramGraph &program : project.programs)
    for (const ProgramUnit &entry : program.units)
      isLinked.set(entry.unit.value);
  if (isLinked.all())
    return;
  ProgramGraph rest;
  rest.name = names.intern("(not linked)");
  rest.kind = ProgramKind::Archive;
  rest.images = {rest.name};
  for (std::uint32_t unit = 0; unit < project.units.size(); ++unit)
    if (!isLinked.test(unit))
      rest.units.push_back({UnitId{unit}});
  linkNames(project, rest);
  project.programs.push_back(std::move(rest));
}

bool isInputOfAnother(const LinkedBinary &binary, const ProgramPlan &plan) {
  for (const LinkedBinary &other : plan.binaries)
    for (const ProgramInput &input : other.inputs)
      if (&other != &binary && input.kind == ProgramInputKind::Archive && input.name == binary.name)
        return true;
  return false;
}

} // namespace

Project linkProject(std::vector<UnitGraph> units, const ProgramPlan &plan, Names &names) {
  std::vector<SharedUnit> shared;
  shared.reserve(units.size());
  for (UnitGraph &unit : units)
    shared.emplace_back(std::move(unit));
  return linkProject(std::move(shared), plan, names);
}

Project linkProject(std::vector<SharedUnit> units, const ProgramPlan &plan, Names &names) {
  Project project = poolUnits(std::move(units), names);
  if (!plan.isKnown()) {
    project.programs.push_back(programOfAll(project, names));
    return project;
  }
  ImageLinker images(project, plan, names);
  for (const LinkedBinary &binary : plan.binaries)
    if (binary.kind != ProgramKind::Archive || !isInputOfAnother(binary, plan))
      project.programs.push_back(programOf(binary, project, images, names));
  addUnlinked(project, names);
  return project;
}

} // namespace retest
