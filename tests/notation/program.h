#pragma once

#include "graph/program_graph.h"

#include <string>

namespace retest {

/// A unit, one thing on each line:
///
///     strong f(): in -> call g() ; call g() => out      (also weak, internal, external)
///     initialiser init of a.cpp: in -> call f() ; call f() => out
///     class C : A, virtual B { C::m() overrides A::m(), B::m(); pure C::n(); final C::o() }
///     external class A { A::m() }            (also abstract, final, internal; may be combined)
///     variable v: f(), w       a strong variable that names f() and w; weak, internal, external
///     weak A::~A(): in -> out                a destructor, by its name
///     doubt did not parse
///
/// Functions stand at file line 1, 11, 21, ... of the unit, in order.
UnitGraph unit(llvm::StringRef name, llvm::StringRef text, Names &names);

/// "tool = main.cpp util.a +all.a base.so x.S ; util.a = a.cpp b.cpp". The ending says what an
/// input is; `+` asks for the whole archive.
ProgramPlan programPlan(llvm::StringRef text, Names &names);

struct UnitText {
  const char *name;
  const char *text;
};
/// Units and their link plan (empty: not known), linked.
Project linked(llvm::ArrayRef<UnitText> units, llvm::StringRef plan, Names &names);

/// "tool: main.cpp a.cpp? | base.so: b.cpp"; `?` marks what is only possible.
std::string show(const Project &project, const ProgramGraph &program, const Names &names);

/// The only function of that identity, or the one of that unit.
FunctionId function(const Project &project, llvm::StringRef name, const Names &names,
                    llvm::StringRef unit = "");

} // namespace retest
