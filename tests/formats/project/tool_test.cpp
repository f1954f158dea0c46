#include "code.h"
#include "tell.h"

#include <cstdlib>

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  std::string heat = argv[1];
  tell(PROGRAM, heat + " " + argv[2], heat == "hot");
  int result = heat == "hot" ? hot(1) : cold(1);
  if (argc > 3)
    return std::atoi(argv[3]);
  return result > 1 ? 0 : 1;
}
