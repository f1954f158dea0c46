#include "graph/encode.h"

#include "tests/notation/random_graph.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

/// Decodes into a table of its own, so that no name is known beforehand, and encodes again.
template <class Value>
Encoded recode(const Encoded &bytes, llvm::Expected<Value> (*decode)(EncodedRef, Names &),
               Encoded (*encode)(const Value &, const Names &)) {
  Names names;
  auto value = decode(bytes, names);
  if (!value) {
    FAIL(llvm::toString(value.takeError()));
    return {};
  }
  return encode(*value, names);
}

/// Damages one to three places: a byte changed, removed or added, or the end cut off.
std::string mutated(std::string bytes, RandomGraph &random) {
  for (unsigned times = 1 + random.below(3); times > 0 && !bytes.empty(); --times) {
    std::size_t place = random.below(bytes.size());
    switch (random.below(5)) {
    case 0:
      bytes[place] = static_cast<char>(random.below(256));
      break;
    case 1:
      bytes[place] ^= 1 << random.below(8);
      break;
    case 2:
      bytes.erase(place, 1 + random.below(8));
      break;
    case 3:
      bytes.insert(place, 1 + random.below(10), static_cast<char>(random.below(2) ? 0xff : 0));
      break;
    default:
      bytes.resize(place);
    }
  }
  return bytes;
}

template <class Value> bool survives(llvm::Expected<Value> value) {
  if (value)
    return true;
  llvm::consumeError(value.takeError());
  return false;
}

/// A function at `line` whose only element is in the next line, in a macro.
Function smallFunction(Names &names, std::uint32_t line) {
  NameId file = names.intern("src/a.cpp");
  Function function;
  function.name = names.intern("f()");
  function.symbols = {names.intern("_Z1fv")};
  function.where = {{file, line, 1}, {file, line + 2, 1}};
  Node node;
  node.elements.push_back({42, {{file, line + 1, 3}, {file, line + 1, 9}}});
  node.isInMacro = true;
  function.flow.nodes = {Node{}, node};
  function.flow.edges = {{NodeId{0}, NodeId{1}, EdgeKind::Flow, names.intern("")}};
  return function;
}

} // namespace

TEST_CASE("encoding: any value comes back as it was") {
  for (unsigned seed = 0; seed < 500; ++seed) {
    CAPTURE(seed);
    Names names;
    RandomGraph random(seed, names);
    Function function = random.function();
    auto decoded = decodeFunction(encodeFunction(function, names), names);
    REQUIRE(bool(decoded));
    CHECK(*decoded == function);
    Class value = random.classValue();
    auto decodedClass = decodeClass(encodeClass(value, names), names);
    REQUIRE(bool(decodedClass));
    CHECK(*decodedClass == value);
    Variable variable = random.variable();
    auto decodedVariable = decodeVariable(encodeVariable(variable, names), names);
    REQUIRE(bool(decodedVariable));
    CHECK(*decodedVariable == variable);
    UnitGraph unit = random.unitGraph("src/a.cpp", 0);
    unit.classes.clear();
    unit.variables.clear();
    auto decodedUnit = decodeUnitRest(encodeUnitRest(unit, names), names);
    REQUIRE(bool(decodedUnit));
    CHECK(*decodedUnit == unit);
  }
}

TEST_CASE("encoding: the bytes do not depend on the table of names") {
  for (unsigned seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    Names names;
    RandomGraph random(seed, names);
    for (int i = 0; i < 20; ++i)
      random.name();
    Encoded function = encodeFunction(random.function(), names);
    CHECK(recode(function, decodeFunction, encodeFunction) == function);
    Encoded value = encodeClass(random.classValue(), names);
    CHECK(recode(value, decodeClass, encodeClass) == value);
  }
}

TEST_CASE("encoding: a function that moved inside its file differs in its start line alone") {
  Names names;
  Encoded here = encodeFunction(smallFunction(names, 10), names);
  Encoded there = encodeFunction(smallFunction(names, 99), names);
  CHECK(here.names == there.names);
  CHECK(here.structure == there.structure);
  CHECK(here.fingerprints == there.fingerprints);
  CHECK(here.startLine == 10);
  CHECK(there.startLine == 99);
  here.startLine = 99;
  auto moved = decodeFunction(here, names);
  REQUIRE(bool(moved));
  CHECK(*moved == smallFunction(names, 99));
}

TEST_CASE("encoding: the name can be read alone") {
  for (unsigned seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    Names names;
    RandomGraph random(seed, names);
    Function function = random.function();
    Encoded bytes = encodeFunction(function, names);
    auto name = decodeName(bytes.names);
    REQUIRE(bool(name));
    CHECK(name->str() == names.text(function.name).str());
  }
}

TEST_CASE("encoding: whether a function is on a line is told from its bytes as from its ranges") {
  unsigned on = 0, off = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    Names names;
    RandomGraph random(seed, names);
    Function function = random.function();
    Encoded bytes = encodeFunction(function, names);
    std::vector<SourceRange> ranges = {function.where};
    for (const Node &node : function.flow.nodes)
      for (const Element &element : node.elements)
        ranges.push_back(element.where);
    for (const SourceRange &asked : ranges) {
      if (!asked.begin.file.isValid())
        continue;
      std::uint32_t line = asked.begin.line + random.below(3);
      bool isThere = llvm::any_of(
          ranges, [&](const SourceRange &range) { return range.isOnLine(asked.begin.file, line); });
      CHECK(isOnLine(bytes, names.text(asked.begin.file), line) == isThere);
      ++(isThere ? on : off);
    }
  }
  CHECK(on > 100);
  CHECK(off > 100);
}

TEST_CASE("encoding: each cut, each addition and each other version is an error") {
  Names names;
  const Encoded whole = encodeFunction(smallFunction(names, 10), names);
  for (std::string Encoded::*part :
       {&Encoded::names, &Encoded::structure, &Encoded::fingerprints}) {
    for (std::size_t size = 0; size < (whole.*part).size(); ++size) {
      CAPTURE(size);
      Encoded cut = whole;
      (cut.*part).resize(size);
      CHECK(!survives(decodeFunction(cut, names)));
    }
  }
  Encoded longer = whole;
  longer.fingerprints += "x";
  CHECK(!survives(decodeFunction(longer, names)));
  longer = whole;
  longer.structure += '\0';
  CHECK(!survives(decodeFunction(longer, names)));
  Encoded newer = whole;
  newer.structure[0] = kEncodingVersion + 1;
  CHECK(!survives(decodeFunction(newer, names)));
}

TEST_CASE("encoding: an edge to a node that is not there is an error") {
  Names names;
  Function function = smallFunction(names, 10);
  function.flow.edges[0].to = NodeId{2};
  CHECK(!survives(decodeFunction(encodeFunction(function, names), names)));
}

TEST_CASE("encoding: damaged bytes never crash, and what decodes can be encoded") {
  unsigned decoded = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    CAPTURE(seed);
    Names names;
    RandomGraph random(seed, names);
    Encoded damaged = encodeFunction(random.function(), names);
    damaged.structure = mutated(damaged.structure, random);
    if (random.below(4) == 0)
      damaged.names = mutated(damaged.names, random);
    if (random.below(4) == 0)
      damaged.fingerprints = mutated(damaged.fingerprints, random);
    damaged.startLine = random.below(100);
    Names other;
    if (auto value = decodeFunction(damaged, other)) {
      ++decoded;
      CHECK(!encodeFunction(*value, other).structure.empty());
    } else {
      llvm::consumeError(value.takeError());
    }
    survives(decodeClass(damaged, other));
    survives(decodeVariable(damaged, other));
    survives(decodeUnitRest(damaged, other));
    survives(decodeName(damaged.names));
    isOnLine(damaged, "src/a.cpp", random.below(100));
  }
  CHECK(decoded > 0); // else the mutations are too coarse to test anything behind the version
}

TEST_CASE("encode: uses are sorted by the ids of the names that they are read with") {
  Names written;
  Variable variable;
  variable.name = written.intern("table");
  variable.uses = {{UseKind::Address, written.intern("b()")},
                   {UseKind::Address, written.intern("a()")}};
  Encoded bytes = encodeVariable(variable, written);
  Names read;
  NameId first = read.intern("a()"), second = read.intern("b()");
  auto decoded = decodeVariable(bytes, read);
  REQUIRE(bool(decoded));
  CHECK(decoded->uses == std::vector<Use>{{UseKind::Address, first}, {UseKind::Address, second}});
}
