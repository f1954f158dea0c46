#include "build/compile_database.h"
#include "build/place.h"

#include <llvm/ADT/StringSwitch.h>

namespace retest {
namespace {

enum class Option { Kept, KeptWithValue, Dropped, DroppedWithValue };

/// Which words say where output goes, and nothing about what is compiled.
Option optionOf(llvm::StringRef word) {
  Option option = llvm::StringSwitch<Option>(word)
                      .Cases("-o", "--output", "-MF", "-MT", "-MQ", "-MJ", Option::DroppedWithValue)
                      .Cases("-MD", "-MMD", "-MP", Option::Dropped)
                      .Cases("-Xclang", "-Xpreprocessor", "-mllvm", Option::KeptWithValue)
                      .Cases("-D", "-U", "-I", "-include", "-isystem", Option::KeptWithValue)
                      .Default(Option::Kept);
  if (option == Option::Kept)
    for (llvm::StringRef joined :
         {"--output=", "-MF", "-MT", "-MQ", "-MJ", "-Wp,-MD,", "-Wp,-MMD,"})
      if (word.starts_with(joined))
        return Option::Dropped;
  return option;
}

} // namespace

Fingerprint commandFingerprint(const CompileCommand &command, const ProjectPaths &paths) {
  std::vector<Place> places = placesOf(paths, {command.directory, command.file, command.object});
  FingerprintBuilder builder;
  auto add = [&](llvm::StringRef word) { builder.add(withoutPlaces(word, places)); };
  builder.add(paths.nameOf(command.directory)).add(paths.nameOf(command.file));
  for (size_t i = 0; i < command.arguments.size(); ++i) {
    Option option = optionOf(command.arguments[i]);
    if (option == Option::Kept || option == Option::KeptWithValue)
      add(command.arguments[i]);
    if (option == Option::KeptWithValue && i + 1 < command.arguments.size())
      add(command.arguments[i + 1]);
    if (option == Option::KeptWithValue || option == Option::DroppedWithValue)
      ++i;
  }
  return builder.finish();
}

} // namespace retest
