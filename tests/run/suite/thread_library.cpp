// Preloaded by a test's own environment: starts a thread before `main`.
#include <pthread.h>
#include <unistd.h>

namespace {

void *sleeps(void *) {
  for (;;)
    sleep(600);
}

__attribute__((constructor)) void start() {
  pthread_t thread;
  pthread_create(&thread, nullptr, sleeps, nullptr);
}

} // namespace
