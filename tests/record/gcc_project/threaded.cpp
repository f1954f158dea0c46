// Habits of programs with threads.
#include <cstdlib>
#include <pthread.h>
#include <string>
#include <thread>
#include <unistd.h>

static int inSecond() { return 5; }

/// The first thread ends before the others, and stays to be seen.
static void endFirst() {
  std::thread([] {
    usleep(10'000);
    std::exit(inSecond() == 0);
  }).detach();
  pthread_exit(nullptr);
}

int main(int, char **arguments) {
  std::string habit = arguments[1];
  if (habit == "second")
    endFirst();
  return 0;
}
