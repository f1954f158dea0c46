#include "run/call_queue.h"

#include <future>

namespace retest {

CallQueue::~CallQueue() {
  {
    std::lock_guard lock(mutex_);
    isClosing_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void CallQueue::add(Call call) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_.size() < most_; });
    waiting_.push_back(std::move(call));
  }
  changed_.notify_all();
}

void CallQueue::addAndWait(Call call) {
  std::promise<void> done;
  add([&] {
    call();
    done.set_value();
  });
  done.get_future().wait();
}

void CallQueue::work() {
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
