#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/raw_ostream.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>

namespace retest {

/// What `--progress` says. Auto is a bar where lines can be overwritten, else a counter.
enum class ProgressMode { Auto, Bar, Counter, None };

/// The choice that Auto stands for.
ProgressMode resolved(ProgressMode mode, bool canRedraw);

/// How progress is shown; the same for all of a command's progress.
struct ProgressStyle {
  ProgressMode mode = ProgressMode::None; ///< resolved: not Auto
  unsigned width = 80;                    ///< of the terminal, in columns
  /// The time; tests bring their own.
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
};

/// Shows how far some work has come. All functions may be called from any thread.
///
///     bar, redrawn at most 10 times a second:    Parsing [======>      ]  12/51 src/lib.cpp
///     counter, one line for each 10 %:           Parsing: 12/51
///
/// Counter lines come at most every 2 seconds and, while work goes on, at least every 30, so a
/// short run leaves only its last line in a log and a long one does not look dead. The bar is
/// gone when the work is done: what was done is for the command to say.
class Progress {
public:
  Progress(llvm::raw_ostream &out, ProgressStyle style, std::string label, std::size_t total);
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;
  /// Removes the bar. After an error there is no last counter line, since the work is not done.
  ~Progress();

  /// One more piece is done; `text` names it.
  void advance(llvm::StringRef text);
  /// Writes a line that stays, such as a warning, above the bar.
  void note(llvm::StringRef line);
  /// The work is done. Calls after the first do nothing.
  void finish();

private:
  using TimePoint = std::chrono::steady_clock::time_point;

  void drawBar(llvm::StringRef text, TimePoint now);
  void eraseBar();
  void writeCounter(TimePoint now);

  std::mutex mutex_;
  llvm::raw_ostream &out_;
  const ProgressStyle style_;
  const std::string label_;
  const std::size_t total_;
  std::size_t done_ = 0;
  std::size_t lastTenth_ = 0; ///< tenths of the work at the last counter line
  TimePoint lastWrite_;
  std::string lastText_;
  bool isBarVisible_ = false;
  bool isFinished_ = false;
};

/// The bar as one line of at most `width` columns. Control characters become `?`: file names
/// are not ours.
std::string barLine(llvm::StringRef label, std::size_t done, std::size_t total,
                    llvm::StringRef text, unsigned width);

} // namespace retest
