#include "support/progress.h"

#include <fmt/format.h>

#include <algorithm>

namespace retest {

using namespace std::chrono_literals;

namespace {

constexpr auto kRedrawInterval = 100ms;
constexpr auto kCounterInterval = 2s;
constexpr auto kLongSilence = 30s;

bool startsCodePoint(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

/// The longest start of `text` with at most `columns` code points, made safe for a terminal.
std::string clipped(llvm::StringRef text, std::size_t columns) {
  std::string result;
  std::size_t used = 0;
  for (char c : text) {
    if (startsCodePoint(c) && used++ == columns)
      break;
    const auto byte = static_cast<unsigned char>(c);
    result += byte < 0x20 || byte == 0x7F ? '?' : c;
  }
  return result;
}

} // namespace

ProgressMode resolved(ProgressMode mode, bool canRedraw) {
  if (mode != ProgressMode::Auto)
    return mode;
  return canRedraw ? ProgressMode::Bar : ProgressMode::Counter;
}

std::string barLine(llvm::StringRef label, std::size_t done, std::size_t total,
                    llvm::StringRef text, unsigned width) {
  constexpr std::size_t kBarCells = 24;
  const std::string count = fmt::to_string(total);
  const std::size_t filled = total == 0 ? kBarCells : std::min(done, total) * kBarCells / total;
  std::string cells(filled, '=');
  if (filled < kBarCells)
    cells += '>';
  cells.resize(kBarCells, ' ');
  return clipped(fmt::format("{} [{}] {:>{}}/{} {}", label.str(), cells, done, count.size(), count,
                             text.str()),
                 width);
}

Progress::Progress(llvm::raw_ostream &out, ProgressStyle style, std::string label,
                   std::size_t total)
    : out_(out), style_(std::move(style)), label_(std::move(label)), total_(total),
      lastWrite_(style_.now()) {}

Progress::~Progress() {
  std::lock_guard lock(mutex_);
  eraseBar();
}

void Progress::advance(llvm::StringRef text) {
  if (style_.mode == ProgressMode::None)
    return;
  std::lock_guard lock(mutex_);
  ++done_;
  const TimePoint now = style_.now();
  const auto silence = now - lastWrite_;
  if (style_.mode == ProgressMode::Bar) {
    lastText_ = text.str();
    if (!isBarVisible_ || silence >= kRedrawInterval)
      drawBar(text, now);
    return;
  }
  const std::size_t tenth = total_ == 0 ? 0 : done_ * 10 / total_;
  if (done_ < total_ &&
      ((tenth > lastTenth_ && silence >= kCounterInterval) || silence >= kLongSilence))
    writeCounter(now);
}

void Progress::note(llvm::StringRef line) {
  std::lock_guard lock(mutex_);
  const bool wasVisible = isBarVisible_;
  eraseBar();
  out_ << line << '\n';
  if (wasVisible)
    drawBar(lastText_, style_.now());
  out_.flush();
}

void Progress::finish() {
  std::lock_guard lock(mutex_);
  if (isFinished_)
    return;
  isFinished_ = true;
  eraseBar();
  if (style_.mode == ProgressMode::Counter)
    writeCounter(style_.now());
}

void Progress::drawBar(llvm::StringRef text, TimePoint now) {
  // The last column stays free: some terminals wrap as soon as it is written.
  const unsigned width = style_.width > 1 ? style_.width - 1 : 1;
  out_ << '\r' << barLine(label_, done_, total_, text, width) << "\033[K";
  out_.flush();
  isBarVisible_ = true;
  lastWrite_ = now;
}

void Progress::eraseBar() {
  if (!isBarVisible_)
    return;
  out_ << "\r\033[K";
  out_.flush();
  isBarVisible_ = false;
}

void Progress::writeCounter(TimePoint now) {
  out_ << fmt::format("{}: {}/{}\n", label_, done_, total_);
  out_.flush();
  lastTenth_ = total_ == 0 ? 0 : done_ * 10 / total_;
  lastWrite_ = now;
}

} // namespace retest
