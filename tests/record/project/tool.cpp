#include "habits.h"

#include <cstdlib>
#include <cstring>

static int onlyInTool() { return 0; }

int main(int count, char **arguments) {
  if (count > 2 && std::strcmp(arguments[1], "reads") == 0)
    return readFile(arguments[2]);
  if (count > 1 && std::strcmp(arguments[1], "fails") == 0)
    return 3;
  if (count > 1 && std::strcmp(arguments[1], "crashes") == 0)
    std::abort();
  return onlyInTool();
}
