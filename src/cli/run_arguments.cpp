#include "cli/run_arguments.h"

#include "support/error.h"

namespace retest {

llvm::Expected<std::chrono::microseconds> parseDuration(llvm::StringRef option,
                                                        llvm::StringRef text) {
  llvm::StringRef number =
      text.take_while([](char c) { return (c >= '0' && c <= '9') || c == '.'; });
  llvm::StringRef unit = text.drop_front(number.size());
  double factor = unit.empty() || unit == "s"    ? 1e6
                  : unit == "ms"                 ? 1e3
                  : unit == "m" || unit == "min" ? 60e6
                  : unit == "h"                  ? 3600e6
                                                 : 0;
  double value = 0;
  constexpr double kMost = 1e15; // 30 years
  if (factor == 0 || number.empty() || number.getAsDouble(value) || value * factor > kMost)
    return error(ErrorKind::Usage, "{} {}: not a time; write 90s, 500ms, 5m or 1h", option.str(),
                 text.str());
  return std::chrono::microseconds(static_cast<std::int64_t>(value * factor));
}

llvm::Expected<Shard> parseShard(llvm::StringRef text) {
  auto [index, count] = text.split('/');
  Shard shard;
  if (index.getAsInteger(10, shard.index) || count.getAsInteger(10, shard.count) ||
      shard.index < 1 || shard.index > shard.count)
    return error(ErrorKind::Usage, "--shard {}: not one of several parts; write 1/3, 2/3 or 3/3",
                 text.str());
  return shard;
}

} // namespace retest
