#pragma once

#include <llvm/ADT/FunctionExtras.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace retest {

/// Calls what it is given, one after the other and in that order, in a thread of its own: when it
/// is woken, when somebody waits, or at the end. Whoever adds decides when there is a processor to
/// spare.
class CallQueue {
public:
  using Call = llvm::unique_function<void()>;

  /// Whoever adds waits while so many calls are waiting.
  explicit CallQueue(std::size_t most) : most_(most), thread_([this] { work(); }) {}
  ~CallQueue(); ///< when all calls are done
  CallQueue(const CallQueue &) = delete;
  CallQueue &operator=(const CallQueue &) = delete;

  void add(Call call);
  void addAndWait(Call call);
  void wake() { changed_.notify_all(); }

private:
  void work();

  const std::size_t most_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Call> waiting_;
  bool isClosing_ = false;
  std::thread thread_; ///< last: it uses the others
};

} // namespace retest
