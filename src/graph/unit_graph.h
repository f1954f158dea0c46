#pragma once

#include "graph/flow_graph.h"

#include <string>
#include <vector>

namespace retest {

/// How the linker treats several definitions of one name.
enum class Linkage : std::uint8_t {
  Internal, ///< seen by its unit alone; the unit is part of the key
  Weak,     ///< inline functions, templates, __attribute__((weak)): one copy is kept
  Strong,   ///< one definition in a program; wins over weak ones
};

enum class FunctionKind : std::uint8_t {
  Free,
  Method,
  Constructor,
  Destructor,
  Lambda,      ///< the call operator of a closure
  Initialiser, ///< of one variable with a dynamic initialiser, or of a whole unit
};

inline constexpr char kManyTests[] = "*";

/// A function with a body.
///
/// Its identity (`name`) is the printed qualified name with template arguments and parameter
/// types: "ns::Box<int>::put(int) const". C functions are their name alone, lambdas
/// "f(int)::lambda#1(int) const". It lasts over versions; within a program, internal functions
/// are told apart by their unit.
struct Function {
  NameId name;
  FunctionKind kind = FunctionKind::Free;
  Linkage linkage = Linkage::Strong;
  /// Mangled names, the key of coverage records; constructors and destructors have several.
  std::vector<NameId> symbols;
  NameId ofClass; ///< the class of a method, else not valid

  bool isImplicit = false;     ///< written by the compiler: has no probe
  bool isExternal = false;     ///< an instantiation outside the project that names a project type
                               ///< or reaches a project function: has no probe
  bool isSystemHeader = false; ///< in the project, but included as a system header: has no probe
  bool isVirtual = false;
  bool isNoexcept = false;
  bool isConstexpr = false;
  /// Whoever uses it does by himself what it does. A trivial copy, which depends on the layout;
  /// only who takes its address (`&A::operator=`) calls it. A `consteval` function, whose value is
  /// there.
  bool isDoneInPlace = false;
  /// Declared to do nothing but compute its result (`pure`, `const`): an optimiser that knows the
  /// result leaves the call out.
  bool isPure = false;
  /// A function that code outside the project declares or calls by itself (operator new, malloc):
  /// a definition in the project replaces another one.
  bool isReplacement = false;
  /// An initialiser by which a test framework learns of a test; it concerns that test alone.
  bool isTestRegistration = false;
  /// The name of that test (NativeTest::name); kManyTests: several, or only the program knows;
  /// empty: none by itself, as the beginning of a suite.
  std::string registeredTest;
  /// Read and maybe inlined here, but no definition for the linker: what `extern template`
  /// declares, `inline` functions of C.
  bool isEmittedElsewhere = false;

  Fingerprint fingerprint; ///< of `declared` and the flow graph
  Fingerprint declared;    ///< of name, type and attributes, and of the text if `unmodelled`
  /// Of the tokens inside the function that the preprocessor left out; zero if there are none.
  Fingerprint compiledOut;
  SourceRange where;
  FlowGraph flow;

  /// Why the flow graph does not tell the whole behaviour (inline assembly, computed goto, ...);
  /// then the fingerprint contains the text of the body. Empty otherwise.
  std::string unmodelled;

  auto operator<=>(const Function &) const = default;
};

/// Whether a registration makes one test known, whose name it tells.
inline bool hasOneTest(const Function &registration) {
  return !registration.registeredTest.empty() && registration.registeredTest != kManyTests;
}

struct BaseClass {
  NameId name;
  bool isVirtual = false;

  auto operator<=>(const BaseClass &) const = default;
};

/// A virtual method as one class declares it.
struct VirtualMethod {
  NameId name;                   ///< identity of the function
  std::vector<NameId> overrides; ///< methods of bases that it overrides directly
  bool isPure = false;
  bool isFinal = false;

  auto operator<=>(const VirtualMethod &) const = default;
};

/// A complete class. Project classes, their external bases, and external classes on which a
/// virtual method is called. Only declared virtual methods are listed (destructors included):
/// which one an object dispatches to follows from the hierarchy of the whole program.
struct Class {
  NameId name;
  Linkage linkage = Linkage::Weak;
  bool isExternal = false; ///< defined outside the project
  bool isAbstract = false;
  bool isFinal = false;
  std::vector<BaseClass> bases;
  std::vector<VirtualMethod> virtualMethods;

  // Apart, so that each change marks only the uses that depend on it.
  Fingerprint layout;    ///< size, alignment, fields with type and offset
  Fingerprint hierarchy; ///< bases, in order, with access and virtual; whether it is polymorphic
  Fingerprint dispatch;  ///< virtual methods, in order
  SourceRange where;

  auto operator<=>(const Class &) const = default;
};

/// A variable with static storage duration: namespace scope or static data member.
struct Variable {
  NameId name;
  Linkage linkage = Linkage::Strong;
  std::vector<NameId> symbols;
  bool isExternal = false;
  bool hasDynamicInitialiser = false; ///< runs in the unit's initialiser
  bool isConstant = false;            ///< its value is known and never changes
  bool isEmittedElsewhere = false;    ///< no definition for the linker, as of functions
  Fingerprint fingerprint;            ///< type, storage, initialiser, evaluated value
  std::vector<Use> uses;              ///< what a constant initialiser names
  SourceRange where;

  auto operator<=>(const Variable &) const = default;
};

/// Something the analysis could not know. It widens the selection and is reported.
struct Doubt {
  std::string text;
  SourcePosition where; ///< not known if it concerns the whole unit

  auto operator<=>(const Doubt &) const = default;
};

/// How a unit sees a header outside the project: its content, and what macros and flags make of it.
struct ExternalHeader {
  NameId path;
  Fingerprint seen;

  auto operator<=>(const ExternalHeader &) const = default;
};

/// What the preprocessor left out of one file of the project, outside of functions. Listed are the
/// files in which it had a choice.
struct LeftOutText {
  NameId file;
  Fingerprint text;    ///< of what was left out; zero if that is nothing
  Fingerprint content; ///< of the file: while it stays, other configurations see the same

  auto operator<=>(const LeftOutText &) const = default;
};

/// All that one translation unit contributes to programs.
struct UnitGraph {
  /// Source path relative to the root; "path@object" where one file is compiled several times.
  NameId name;
  std::vector<Function> functions; ///< sorted by the text of the name; `initialiser` among them
  std::vector<Class> classes;      ///< sorted by the text of the name
  std::vector<Variable> variables; ///< sorted by the text of the name
  /// The function that runs the dynamic initialisers in order; not valid if there are none.
  NameId initialiser;
  std::vector<Doubt> doubts;

  /// Of everything here that has a meaning, so that two versions of a unit are told apart without
  /// looking inside. Of a unit that does not parse: of its command and the content of its inputs.
  Fingerprint fingerprint;
  Fingerprint flags; ///< the flags of the command that decide how code is generated
  /// What code outside the project takes from the unit in ways that no graph shows.
  Fingerprint givenToLibraries;
  std::vector<LeftOutText> compiledOut;        ///< sorted by the text of the file's name
  std::vector<ExternalHeader> externalHeaders; ///< sorted by the text of the path
  bool isParsed = true;

  auto operator<=>(const UnitGraph &) const = default;
};

} // namespace retest
