#include "habits.h"
#include "rounds.h"

#include <cstdlib>
#include <string>

static int onlyInTool() { return 0; }

static int onlyInSpawned() { return 0; }

int main(int count, char **arguments) {
  std::string habit = count > 1 ? arguments[1] : "";
  if (habit == "reads")
    return readFile(arguments[2]);
  if (habit == "fails")
    return 3;
  if (habit == "crashes")
    std::abort();
  if (habit == "lazy")
    return lazy() - 42;
  if (habit == "thread")
    return inThread() - 7;
  if (habit == "shared")
    return inShared() - 42;
  if (habit == "child")
    return inChild(arguments[0], "once");
  if (habit == "spawns")
    return inSpawned(arguments[0], "spawned");
  if (habit == "spawned")
    return onlyInSpawned();
  if (habit == "turns")
    turns();
  else if (habit == "meets")
    meet(arguments[2], arguments[3], 60);
  else
    return onlyInTool();
  return 0;
}
