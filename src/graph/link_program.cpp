#include "graph/link_program.h"

#include "graph/link_image.h"
#include "graph/pool_units.h"

#include <fmt/format.h>
#include <llvm/ADT/DenseMap.h>

#include <string>

namespace retest {
namespace {

/// The executable comes before its libraries; inside one image strong comes before weak.
std::uint32_t rankOf(std::uint32_t image, Linkage linkage) {
  return image * 2 + (linkage == Linkage::Strong ? 0 : 1);
}

template <class EntityId>
NameTable<EntityId> tableOf(const Project &project, const std::vector<ProgramUnit> &units,
                            std::vector<EntityId> Unit::*entities) {
  std::vector<NameRow<EntityId>> rows;
  std::vector<bool> isAdded(project.units.size());
  for (const ProgramUnit &entry : units) {
    if (isAdded[entry.unit.value])
      continue;
    isAdded[entry.unit.value] = true;
    for (EntityId id : project[entry.unit].*entities)
      if (project[id].linkage != Linkage::Internal)
        rows.push_back(
            {project[id].name, id, entry.unit, rankOf(entry.image, project[id].linkage)});
  }
  return makeNameTable(std::move(rows));
}

/// Strong definitions of one name from several units of the same image.
template <class EntityId>
void addDuplicates(const Project &project, const NameTable<EntityId> &table,
                   const std::vector<std::uint32_t> &imageOfUnit, const Names &names,
                   std::vector<Doubt> &doubts) {
  for (const auto &definition : table.definitions) {
    if (definition.end - definition.begin < 2)
      continue;
    UnitId first;
    for (const auto &variant : table.variantsOf(definition)) {
      if (project[variant.entity].linkage != Linkage::Strong || variant.unit == first)
        continue;
      if (!first.isValid()) {
        first = variant.unit;
      } else if (imageOfUnit[first.value] == imageOfUnit[variant.unit.value]) {
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
  program.functions = tableOf(project, program.units, &Unit::functions);
  program.classes = tableOf(project, program.units, &Unit::classes);
  program.variables = tableOf(project, program.units, &Unit::variables);
}

void addDuplicateDoubts(const Project &project, const Names &names, ProgramGraph &program) {
  std::vector<std::uint32_t> imageOfUnit(project.units.size());
  for (const ProgramUnit &entry : llvm::reverse(program.units))
    imageOfUnit[entry.unit.value] = entry.image;
  std::vector<Doubt> doubts;
  addDuplicates(project, program.functions, imageOfUnit, names, doubts);
  addDuplicates(project, program.variables, imageOfUnit, names, doubts);
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
    for (ProgramUnit entry : image->units) {
      entry.image = index;
      program.units.push_back(entry);
    }
    for (NameId library : image->libraries)
      if (!llvm::is_contained(program.images, library))
        program.images.push_back(library);
    program.files.insert(program.files.end(), image->files.begin(), image->files.end());
    program.doubts.insert(program.doubts.end(), image->doubts.begin(), image->doubts.end());
  }
  linkNames(project, program);
  addDuplicateDoubts(project, names, program);
  return program;
}

bool isInputOfAnother(const LinkedBinary &binary, const LinkPlan &plan) {
  for (const LinkedBinary &other : plan.binaries)
    for (const LinkInput &input : other.inputs)
      if (&other != &binary && input.kind == LinkInputKind::Archive && input.name == binary.name)
        return true;
  return false;
}

} // namespace

Project linkProject(std::vector<UnitGraph> units, const LinkPlan &plan, Names &names) {
  Project project = poolUnits(std::move(units), names);
  if (!plan.isKnown()) {
    project.programs.push_back(programOfAll(project, names));
    return project;
  }
  ImageLinker images(project, plan, names);
  for (const LinkedBinary &binary : plan.binaries)
    if (binary.kind != BinaryKind::Archive || !isInputOfAnother(binary, plan))
      project.programs.push_back(programOf(binary, project, images, names));
  return project;
}

} // namespace retest
