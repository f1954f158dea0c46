#include "habits.h"
#include "inlined.h"

#include <cstring>

Base::~Base() {}

static int limitOf(int) { return 5; }
[[gnu::const]] static int limit(int kind) { return limitOf(kind); }
[[gnu::pure, gnu::noinline]] static int more(int) { return 7; }

#ifdef __x86_64__
__attribute__((target("default"))) inline int version(int n) { return n + 1; }
__attribute__((target("sse4.2"))) inline int version(int n) { return n + 2; }
#else
inline int version(int n) { return n + 1; }
#endif

consteval int doubled(int n) { return n * 2; }

struct Pair {
  int first, second;
};
static Pair pair = {1, doubled(1)};

int main(int count, char **arguments) {
  auto is = [&](const char *habit) { return count > 1 && std::strcmp(arguments[1], habit) == 0; };
  if (is("destroys"))
    Derived derived;
  if (is("implicit"))
    Holder<int> holder;
  if (is("explicit"))
    holdExplicitly();
  if (is("evaluates"))
    return limit(count) == 5 ? 0 : 1;
  if (is("evaluatesMore"))
    return more(count) == 7 ? 0 : 1;
  if (is("copies")) {
    Pair copy = pair;
    copy = Pair(copy);
    return copy.second - pair.second;
  }
  if (is("versions"))
    return version(count) > count ? 0 : 1;
  if (is("listed"))
    return listed() == 1 ? 0 : 1;
  return 0;
}
