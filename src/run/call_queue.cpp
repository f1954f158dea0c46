#include "run/call_queue.h"

#include <future>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace retest {

namespace {

constexpr int kNice = 5; ///< a quarter of a processor where all are busy

} // namespace

CallQueue::~CallQueue() {
  {
    std::lock_guard lock(mutex_);
    isClosing_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void CallQueue::add(Call call) {
  std::unique_lock lock(mutex_);
  if (waiting_.size() >= most_)
    wake();
  changed_.wait(lock, [this] { return waiting_.size() < most_; });
  waiting_.push_back(std::move(call));
}

void CallQueue::addAndWait(Call call) {
  std::promise<void> done;
  add([&] {
    call();
    done.set_value();
  });
  wake();
  done.get_future().wait();
}

void CallQueue::work() {
  // A test that is woken does not wait for us: else it would, although another processor is idle.
  setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), kNice);
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return isClosing_ || !waiting_.empty(); });
    if (waiting_.empty())
      return;
    {
      Call call = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      changed_.notify_all();
      call();
    } // what it holds goes before the next
    lock.lock();
  }
}

} // namespace retest
