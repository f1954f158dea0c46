#include "run/call_queue.h"

#include <doctest/doctest.h>

#include <atomic>
#include <future>
#include <vector>

using namespace retest;

TEST_CASE("a queue of calls: in their order, all of them, in one other thread") {
  std::vector<int> order;
  std::thread::id thread;
  {
    CallQueue queue(2);
    for (int i = 0; i < 100; ++i)
      queue.add([&order, i] { order.push_back(i); });
    queue.addAndWait([&] { thread = std::this_thread::get_id(); });
    CHECK(order.size() == 100);
    queue.add([&] { order.push_back(100); });
  }
  REQUIRE(order.size() == 101);
  for (int i = 0; i <= 100; ++i)
    CHECK(order[i] == i);
  CHECK(thread != std::this_thread::get_id());
}

TEST_CASE("a queue of calls: whoever adds too much waits") {
  CallQueue queue(1);
  std::promise<void> mayGoOn;
  std::promise<void> isRunning;
  queue.add([&] {
    isRunning.set_value();
    mayGoOn.get_future().wait();
  });
  queue.wake(); // its thread may be waiting by now
  isRunning.get_future().wait();
  queue.add([] {}); // one waits
  std::atomic<bool> wasAdded = false;
  std::thread other([&] {
    queue.add([] {});
    wasAdded = true;
  });
  CHECK(!wasAdded);
  mayGoOn.set_value();
  other.join();
  CHECK(wasAdded);
}
