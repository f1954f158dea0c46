#pragma once

#include "graph/name_table.h"
#include "graph/program_plan.h"
#include "graph/shared_pool.h"
#include "graph/unit_graph.h"

#include <optional>
#include <vector>

namespace retest {

struct FunctionTag;
struct ClassTag;
struct VariableTag;
/// Indices in the pools of one Project.
using FunctionId = Id<FunctionTag>;
using ClassId = Id<ClassTag>;
using VariableId = Id<VariableTag>;

/// One translation unit; what it defines is in the project's pools.
struct ProjectUnit {
  NameId name;
  std::vector<FunctionId> functions; ///< sorted by the text of the name, as the next two
  std::vector<ClassId> classes;
  std::vector<VariableId> variables;
  FunctionId initialiser; ///< not valid if nothing runs before main
  std::vector<Doubt> doubts;
  /// As in UnitGraph, and so are the next three.
  Fingerprint fingerprint, flags, givenToLibraries;
  std::vector<LeftOutText> compiledOut;
  std::vector<ExternalHeader> externalHeaders;
  bool isParsed = true;

  // Internal linkage: these names mean something else in each unit.
  NameTable<FunctionId> internalFunctions;
  NameTable<ClassId> internalClasses;
  NameTable<VariableId> internalVariables;

  auto operator<=>(const ProjectUnit &) const = default;
};

/// Whether an archive member is in the binary (see link_program.h).
enum class Presence : std::uint8_t {
  Certain,  ///< an object of the link command, or a member that such code needs
  Possible, ///< some reference that the compiler may have dropped would pull it in
};

struct ProgramUnit {
  UnitId unit;
  std::uint32_t image = 0; ///< index in ProgramGraph::images
  Presence presence = Presence::Certain;

  auto operator<=>(const ProgramUnit &) const = default;
};

/// Something in a binary that is not a unit: "-lz", an object of assembly.
struct LinkFile {
  NameId name;
  Fingerprint content; ///< of files of the project; zero otherwise
  /// Of an object: how many units are linked before it. Its initialisers run in between.
  std::optional<std::uint32_t> unitsBefore = {};

  auto operator<=>(const LinkFile &) const = default;
};

/// One binary with the shared libraries of the project that it loads. Functions are not copied:
/// the tables hold ids into the pools. Names of internal linkage are in their unit's tables.
struct ProgramGraph {
  NameId name;
  ProgramKind kind = ProgramKind::Executable;
  std::vector<NameId> images;     ///< the binary itself, then its libraries in load order
  std::vector<ProgramUnit> units; ///< in link order; a unit is here once for each image
  std::vector<LinkFile> files;    ///< link inputs that are not units, in link order
  std::vector<NameId> unread;     ///< units that are linked and of which nothing is known
  NameTable<FunctionId> functions;
  NameTable<ClassId> classes;
  NameTable<VariableId> variables;
  std::vector<Doubt> doubts;

  auto operator<=>(const ProgramGraph &) const = default;
};

/// All units of a project and the programs that are linked from them.
///
/// An inline function that many units contain (same identity, meaning and positions) is in the
/// pool once. Others are never shared, even if one file is compiled twice: the same words may mean
/// another thing in another unit. Ids follow the order of units by name, so equal input gives equal
/// ids.
struct Project {
  SharedPool<Function> functions;
  SharedPool<Class> classes;
  SharedPool<Variable> variables;
  /// The first unit that contains the function or class; the only one unless it is weak.
  std::vector<UnitId> functionUnits;
  std::vector<UnitId> classUnits;
  std::vector<ProjectUnit> units;     ///< sorted by the text of the name
  std::vector<ProgramGraph> programs; ///< in the order of the link plan

  const Function &operator[](FunctionId id) const { return functions[id.value]; }
  const Class &operator[](ClassId id) const { return classes[id.value]; }
  const Variable &operator[](VariableId id) const { return variables[id.value]; }
  const ProjectUnit &operator[](UnitId id) const { return units[id.value]; }

  auto operator<=>(const Project &) const = default;
};

/// The units of a program, each once, in link order.
std::vector<UnitId> unitsOf(const ProgramGraph &program);

/// The distinct functions of a program, those of internal linkage included, sorted by id.
std::vector<FunctionId> functionsOf(const Project &project, const ProgramGraph &program);

/// The same for classes.
std::vector<ClassId> classesOf(const Project &project, const ProgramGraph &program);

/// The units of the program that contain the function.
llvm::SmallVector<UnitId, 2> unitsWith(const Project &project, const ProgramGraph &program,
                                       FunctionId function);

/// The first program that contains the function; null if it is linked into none.
const ProgramGraph *programWith(const Project &project, FunctionId function);

/// The functions that `name` can mean inside `units`: their own internal one where they have it,
/// else what the program links, the chosen definition first. None: external code.
llvm::SmallVector<FunctionId, 2> meaningsOf(const Project &project, const ProgramGraph &program,
                                            NameId name, llvm::ArrayRef<UnitId> units);

/// True for the function that the start-up code calls.
bool isMain(const Function &function, const Names &names);

} // namespace retest
