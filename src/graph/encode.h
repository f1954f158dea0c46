#pragma once

#include "graph/unit_graph.h"

#include <llvm/Support/Error.h>

#include <cstdint>
#include <string>

namespace retest {

/// A function, class or variable as bytes, in parts because they are stored differently.
///
/// Lines inside `structure` count from `startLine`, so a function that merely moved in its file
/// keeps its bytes, and is stored once. Names, numbers and fingerprints are kept apart because
/// each compresses best among its like; fingerprints do not compress at all.
///
/// The bytes are self-contained: names are in them as text, never as ids of a table.
struct Encoded {
  std::string names;     ///< each name once; the value's own name is the first
  std::string structure; ///< numbers; a name is its place in `names`
  std::string fingerprints;
  std::uint32_t startLine = 0;

  auto operator<=>(const Encoded &) const = default;
};

/// Numbers the format; the first byte of each `structure`. Bytes of older versions are read, those
/// of newer ones do not decode. Version 4 has Function::registeredTest, 5 Function::isDoneInPlace
/// and isPure.
inline constexpr std::uint8_t kEncodingVersion = 5;
inline constexpr std::uint8_t kOldestEncoding = 3;

/// REQUIRES: edges of the flow graph join nodes that it has.
Encoded encodeFunction(const Function &function, const Names &names);
Encoded encodeClass(const Class &value, const Names &names);
Encoded encodeVariable(const Variable &variable, const Names &names);
/// What a unit holds beside functions, classes and variables: its name, initialiser and doubts.
Encoded encodeUnitRest(const UnitGraph &unit, const Names &names);

/// Where the parts of an `Encoded` lie while they are read.
struct EncodedRef {
  llvm::StringRef names;
  llvm::StringRef structure;
  llvm::StringRef fingerprints;
  std::uint32_t startLine = 0;

  EncodedRef() = default;
  EncodedRef(const Encoded &encoded)
      : names(encoded.names), structure(encoded.structure), fingerprints(encoded.fingerprints),
        startLine(encoded.startLine) {}
};

/// The decoders take any bytes: damaged ones yield an error (of kind Store), never a crash, and
/// memory stays within a small multiple of their size. Names are added to `names`.
llvm::Expected<Function> decodeFunction(EncodedRef bytes, Names &names);
llvm::Expected<Class> decodeClass(EncodedRef bytes, Names &names);
llvm::Expected<Variable> decodeVariable(EncodedRef bytes, Names &names);
/// A unit without functions, classes and variables.
llvm::Expected<UnitGraph> decodeUnitRest(EncodedRef bytes, Names &names);
/// Whether an encoded function, or a part of it, is on a line of a file: much sooner said than by
/// decoding it. Yes if the bytes do not come to a proper end; other damage is not looked for.
bool isOnLine(EncodedRef function, llvm::StringRef file, std::uint32_t line);
/// The own name of a value, from its `names` part, in which the answer lies.
llvm::Expected<llvm::StringRef> decodeName(llvm::StringRef names);

} // namespace retest
