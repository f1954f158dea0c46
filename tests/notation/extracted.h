#pragma once

#include "graph/extract_unit.h"

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace retest {

/// How a test's source is compiled.
struct SourceOptions {
  std::vector<std::string> flags = {"-std=c++20"};
  /// Name and content; "../x.h" lies outside the project.
  std::vector<std::pair<std::string, std::string>> headers;
  std::string file = "unit.cpp";
  std::string compiler = "clang++-19";
  bool lineSensitive = false;
};

/// The graph of a unit with this source, extracted in a directory of its own.
ExtractedUnit extracted(const std::string &source, const SourceOptions &options = {});

const Function &functionNamed(const ExtractedUnit &unit, const std::string &name);
const Class &classNamed(const ExtractedUnit &unit, const std::string &name);
const Variable &variableNamed(const ExtractedUnit &unit, const std::string &name);
std::vector<std::string> functionNames(const ExtractedUnit &unit);
/// Whether a node of the function notes that it depends on the entity in this way.
bool hasUse(const ExtractedUnit &unit, const std::string &function, UseKind kind,
            const std::string &entity);

/// The edges of a function, one line each, nodes named by what they do:
///
///     "entry -> call f()", "call f() => exit", "call f() ~exception~> cleanup A::~A()"
///
/// `=>` are path edges, `~>` exception edges. Blocks are "block" and the line they begin on.
std::string edgesOf(const ExtractedUnit &unit, const std::string &function);

/// The fingerprints of all functions, classes and variables, by name, as text: two equal texts
/// mean that nothing changed.
std::string meaningOf(const ExtractedUnit &unit);
std::string meaningOf(const std::string &source, const SourceOptions &options = {});

/// Names whose meaning differs between two sources, joined with ", ".
std::string changed(const std::string &baseline, const std::string &current,
                    const SourceOptions &options = {});

} // namespace retest
