#pragma once

#include "graph/program_graph.h"
#include "graph/shared_unit.h"

namespace retest {

/// Joins units into one program per binary, as the linker does (DESIGN 2.4, rules 1-4).
///
/// Objects enter always; an archive member enters when it defines a name that is still wanted;
/// shared libraries of the project are loaded whole. A strong definition wins over weak ones, the
/// first weak one otherwise; the executable wins over its libraries, these in load order. Every
/// executable and shared library becomes a program, and so does an archive that no other binary
/// uses (with all members). Without a plan there is one program "all".
///
///     tool: main.cpp libutil.a      main.cpp calls parse(); libutil.a: parse.cpp, log.cpp
///       -> program tool: main.cpp parse.cpp
///
/// Is a member too many safe? For the walk, yes: it adds functions that no test reaches. For
/// rule 2, no: a unit whose initialiser enters the binary selects all its tests, and a unit that
/// we believed to be in before would enter unseen. One too few hides its code at once. So each
/// binary is linked twice: strictly (references of code that is surely emitted, archives searched
/// once in order, as ld does), and generously (every reference, archives searched until nothing
/// new is found, as lld does and as --start-group asks). A member that only the second run takes
/// is Presence::Possible, and who compares programs must treat it as both there and not there.
///
/// Two strong definitions in one binary, an input that is not known: a doubt of the program.
/// Cost: linear in the functions of the units, once; per program in its rows.
/// REQUIRES: all units share `names`.
Project linkProject(std::vector<SharedUnit> units, const ProgramPlan &plan, Names &names);
Project linkProject(std::vector<UnitGraph> units, const ProgramPlan &plan, Names &names);

} // namespace retest
